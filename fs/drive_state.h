// What a drive shows, in a form that can be compared, for tests.

#pragma once

#include <map>
#include <string>
#include <utility>

#include "fs/drive.h"
#include "fs/node_item.h"

namespace prefixfs {

struct DriveState {
  std::map<std::string, std::string> nodes;  // by path: what stat, reading and so on tell
  std::uint64_t blocks = 0;                  // rows that the content of all files takes

  bool operator==(const DriveState& other) const { return nodes == other.nodes; }
};

inline std::string state_of(Drive& drive, const NodeRef& ref, const Node& node) {
  std::string text = std::string(kind_name(node.kind)) + " " + std::to_string(node.mode) + " " +
                     node.owner + " " + node.target;
  const auto names = drive.listxattr(ref);
  if (!names) return text + " xattrs: " + std::make_error_code(names.error()).message();
  for (const std::string& name : *names) {
    const auto value = drive.getxattr(ref, name);
    text += " " + name + "=" + (value ? *value : "?");
  }
  if (node.is_folder()) return text + " " + std::to_string(node.folders) + " folders";
  if (!node.is_file()) return text;
  std::string bytes(node.size, '?');
  const auto got = drive.read(ref, 0, std::as_writable_bytes(std::span(bytes)));
  return text + " " + std::to_string(node.size) + ": " +
         (got && *got == node.size ? bytes : "cannot be read");
}

inline void add_state(Drive& drive, const NodeRef& dir, DriveState& state) {
  std::string after;
  while (true) {
    const auto page = drive.readdir(dir, after, 100);
    if (!page) {
      state.nodes[dir.path.text()] += " cannot be listed";
      return;
    }
    for (const Entry& entry : page->entries) {
      const NodeRef ref{entry.node.id, dir.id, dir.path.child(entry.name)};
      // Past what a listing has read ahead.
      const auto node = drive.getattr(ref);
      std::string& text = state.nodes[ref.path.text()];
      if (!node) {
        text = "listed, and not there";
        continue;
      }
      text = state_of(drive, ref, *node);
      if (node->is_file()) {
        state.blocks += (node->size + table::kBlockBytes - 1) / table::kBlockBytes - node->holes;
      }
      if (node->is_folder()) add_state(drive, ref, state);
    }
    if (!page->more) return;
    after = page->last;
  }
}

inline DriveState state_of(Drive& drive) {
  DriveState state;
  const auto root = drive.getattr(root_ref());
  state.nodes["/"] = root ? state_of(drive, root_ref(), *root) : "no root";
  add_state(drive, root_ref(), state);
  return state;
}

// For messages: where two states differ.
inline std::string difference(const DriveState& a, const DriveState& b) {
  std::string text;
  const auto shown = [](const std::string& s) { return s.substr(0, 60); };
  for (const auto& [path, what] : a.nodes) {
    const auto it = b.nodes.find(path);
    if (it == b.nodes.end()) text += "- " + path + " " + shown(what) + "\n";
    if (it != b.nodes.end() && it->second != what) {
      text += "* " + path + " " + shown(what) + " | " + shown(it->second) + "\n";
    }
  }
  for (const auto& [path, what] : b.nodes) {
    if (!a.nodes.contains(path)) text += "+ " + path + " " + shown(what) + "\n";
  }
  return text;
}

}  // namespace prefixfs
