// What each file system operation asks of the table, on each layout, in one table.  A change of
// cost is a change here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "fs/drive_fixture.h"

namespace prefixfs {
namespace {

// gets, queries, pages, items read, puts, updates, deletes, read units, write units
struct Cost {
  int g, q, p, i, put, upd, del;
  double ru, wu;
};
std::string text(const Cost& c) {
  return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}}}", c.g, c.q, c.p, c.i, c.put, c.upd,
                     c.del, c.ru, c.wu);
}

class CostTableTest : public DriveFixture {
 protected:
  // Refs are found before the operation, as a mount has them.
  struct Refs {
    NodeRef root, docs, file, deep, big, empty, link, tree, names, free, named;
  };
  Refs prepare() {
    make({"/docs/a.txt", "/docs/b.txt", "/docs/sub/x", "/docs/empty/", "/docs-archive/old",
          "/other/"});
    for (int i = 0; i < 50; ++i) make("/docs/big/" + std::to_string(i));
    make("/names/free/");
    for (const char* name : {"a", "b", "c"}) make("/names/" + std::string(name));
    for (int i = 0; i < 10; ++i) make("/other/tree/" + std::to_string(i));
    make("/other/tree/sub/x");
    put("/docs/a.txt", "content");
    if (!drive->create(at("/other"), "link", {.kind = Kind::symlink, .target = "to"}))
      ADD_FAILURE();
    return {at("/"),         at("/docs"),       at("/docs/a.txt"), at("/docs/sub"),
            at("/docs/big"), at("/docs/empty"), at("/other/link"), at("/other/tree"),
            at("/names"),    at("/names/free"), at("/names/a")};
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, CostTableTest, kLayouts);

TEST_P(CostTableTest, EveryOperationCostsWhatIsWrittenHere) {
  const Refs r = prepare();
  const std::string data = "0123456789";
  const auto bytes = std::as_bytes(std::span(data));
  std::string out(100, '\0');
  const auto space = std::as_writable_bytes(std::span(out));
  Drive& d = *drive;
  NodeRef named = r.named;
  named.shared = true;  // as a mount knows after the first link
  const NodeRef other_name =
      child_ref(r.free, "a2", d.getattr(r.named) ? *d.getattr(r.named) : Node{});

  const struct {
    const char* operation;
    std::function<bool()> run;
    Cost path, node, adjacency;
  } rows[] = {
      {"resolve /docs/sub/x",
       [&] { return !!d.resolve(*Path::parse("/docs/sub/x")); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {4, 0, 0, 0, 0, 0, 0, 2, 0},
       {3, 0, 0, 0, 0, 0, 0, 1.5, 0}},
      {"lookup docs",
       [&] { return !!d.lookup(r.root, "docs"); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {2, 0, 0, 0, 0, 0, 0, 1, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"lookup of nothing",
       [&] { return !d.lookup(r.root, "nothing"); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"getattr",
       [&] { return !!d.getattr(r.file); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"setattr (chmod)",
       [&] { return !!d.setattr(r.file, {.mode = 0600}); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"setattr (chown)",
       [&] { return !!d.setattr(r.file, {.uid = 1000, .gid = 1000}); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"setattr (utimens)",
       [&] {
         return !!d.setattr(r.file, {.atime = Time{1, 0}, .mtime = Time{2, 0}});
       },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"setattr (truncate)",
       [&] { return !!d.setattr(r.file, {.size = 3}); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"setattr of a folder",
       [&] { return !!d.setattr(r.docs, {.mode = 0700}); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"readlink",
       [&] { return !!d.readlink(r.link); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"setxattr",
       [&] { return !!d.setxattr(r.file, "user.a", "1"); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"getxattr",
       [&] { return !!d.getxattr(r.file, "user.a"); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"listxattr",
       [&] { return !!d.listxattr(r.file); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"removexattr",
       [&] { return !!d.removexattr(r.file, "user.a"); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"statfs",
       [&] { return !!d.statfs(); },
       {0, 0, 0, 0, 0, 0, 0, 0, 0},
       {0, 0, 0, 0, 0, 0, 0, 0, 0},
       {0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {"sync",
       [&] {
         d.sync();
         return true;
       },
       {0, 0, 0, 0, 0, 0, 0, 0, 0},
       {0, 0, 0, 0, 0, 0, 0, 0, 0},
       {0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {"read",
       [&] { return !!d.read(r.file, 0, space); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"write",
       [&] { return !!d.write(r.file, 0, bytes); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"write, times by the kernel",
       [&] { return !!d.write(r.file, 0, bytes, {.keep_times = true}); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"allocate",
       [&] { return !!d.allocate(r.file, Allocate::extend, 0, 100); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"seek",
       [&] { return !!d.seek(r.file, Seek::data, 0); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"copy",
       [&] { return !!d.copy(r.file, 0, r.file, 100, 100); },
       {2, 0, 0, 0, 0, 1, 0, 1, 1},
       {2, 0, 0, 0, 0, 1, 0, 1, 1},
       {2, 0, 0, 0, 0, 1, 0, 1, 1}},
      {"readdir of 5, one with 50 below",
       [&] { return !!d.readdir(r.docs, "", 100); },
       {0, 2, 2, 22, 0, 0, 0, 1, 0},
       {5, 1, 1, 5, 0, 0, 0, 3, 0},
       {0, 1, 1, 5, 0, 0, 0, 0.5, 0}},
      {"readdir of 50",
       [&] {
         d.forget_cached();  // not as a step of a walk
         return !!d.readdir(r.big, "", 100);
       },
       {0, 1, 1, 50, 0, 0, 0, 1, 0},
       {50, 1, 1, 50, 0, 0, 0, 25.5, 0},
       {0, 1, 1, 50, 0, 0, 0, 1, 0}},
      {"readdir of the names of 50",
       [&] {
         d.forget_cached();
         return !!d.readdir(r.big, "", 100, Detail::names);
       },
       {0, 1, 1, 50, 0, 0, 0, 1, 0},
       {0, 1, 1, 50, 0, 0, 0, 0.5, 0},
       {0, 1, 1, 50, 0, 0, 0, 1, 0}},
      {"branch of 56",
       [&] {
         const auto reader = d.branch(r.docs);
         while (d.next_page(*reader).more) continue;
         return true;
       },
       {0, 1, 1, 56, 0, 0, 0, 1, 0},
       {56, 4, 4, 56, 0, 0, 0, 30, 0},
       {0, 4, 4, 56, 0, 0, 0, 2.5, 0}},
      {"create",
       [&] { return !!d.create(r.empty, "new", {.mode = 0644}); },
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2},
       {1, 0, 0, 0, 2, 1, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2}},
      {"create where something is",
       [&] { return !d.create(r.empty, "new", {.mode = 0644}); },
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2},
       {1, 0, 0, 0, 2, 1, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2}},
      {"mkdir",
       [&] { return !!d.create(r.empty, "sub", {.kind = Kind::folder, .mode = 0755}); },
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2},
       {1, 0, 0, 0, 2, 1, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2}},
      {"rmdir of it",
       [&] { return !!d.rmdir(r.empty, "sub", nobody_holds); },
       {1, 1, 1, 0, 0, 1, 1, 1, 2},
       {2, 1, 1, 0, 0, 1, 2, 1.5, 3},
       {1, 1, 1, 0, 0, 1, 1, 1, 2}},
      {"symlink",
       [&] { return !!d.create(r.empty, "s", {.kind = Kind::symlink, .target = "new"}); },
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2},
       {1, 0, 0, 0, 2, 1, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2}},
      {"mknod (fifo)",
       [&] { return !!d.create(r.empty, "f", {.kind = Kind::fifo, .mode = 0644}); },
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2},
       {1, 0, 0, 0, 2, 1, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 1, 0, 0.5, 2}},
      {"rename that exchanges two files",
       [&] { return !!d.rename(r.empty, "s", r.empty, "f", RenameMode::exchange, nobody_holds); },
       {2, 0, 0, 0, 2, 1, 0, 1, 3},
       {4, 0, 0, 0, 4, 1, 0, 2, 5},
       {2, 0, 0, 0, 2, 1, 0, 1, 3}},
      {"rename over a file, into another folder",
       [&] { return !!d.rename(r.empty, "s", r.deep, "x", RenameMode::replace, nobody_holds); },
       {2, 0, 0, 0, 1, 2, 1, 1, 4},
       {4, 0, 0, 0, 2, 2, 2, 2, 6},
       {2, 0, 0, 0, 1, 2, 1, 1, 4}},
      {"rename onto itself",
       [&] { return !!d.rename(r.empty, "f", r.empty, "f", RenameMode::replace, nobody_holds); },
       {2, 0, 0, 0, 0, 0, 0, 1, 0},
       {4, 0, 0, 0, 0, 0, 0, 2, 0},
       {2, 0, 0, 0, 0, 0, 0, 1, 0}},
      {"unlink of a fifo",
       [&] { return !!d.unlink(r.empty, "f", nobody_holds); },
       {1, 0, 0, 0, 0, 1, 1, 0.5, 2},
       {2, 0, 0, 0, 0, 1, 2, 1, 3},
       {1, 0, 0, 0, 0, 1, 1, 0.5, 2}},
      {"rename of a file",
       [&] { return !!d.rename(r.empty, "new", r.empty, "file", RenameMode::replace, nobody_holds); },
       {2, 0, 0, 0, 1, 1, 1, 1, 3},
       {3, 0, 0, 0, 2, 1, 1, 1.5, 4},
       {2, 0, 0, 0, 1, 1, 1, 1, 3}},
      {"unlink",
       [&] { return !!d.unlink(r.empty, "file", nobody_holds); },
       {1, 0, 0, 0, 0, 1, 1, 0.5, 2},
       {2, 0, 0, 0, 0, 1, 2, 1, 3},
       {1, 0, 0, 0, 0, 1, 1, 0.5, 2}},
      {"rename of a folder with 50 below",
       [&] { return !!d.rename(r.docs, "big", r.docs, "large", RenameMode::replace, nobody_holds); },
       {2, 1, 1, 50, 51, 1, 51, 2, 103},
       {3, 0, 0, 0, 2, 1, 1, 1.5, 4},
       {2, 0, 0, 0, 1, 1, 1, 1, 3}},
      {"rmdir of one with something in it",
       [&] { return !d.rmdir(r.docs, "sub", nobody_holds); },
       {1, 1, 1, 1, 0, 0, 0, 1, 0},
       {2, 1, 1, 1, 0, 0, 0, 1.5, 0},
       {1, 1, 1, 1, 0, 0, 0, 1, 0}},
      {"rename that exchanges folders of 50 and 1",
       [&] { return !!d.rename(r.docs, "large", r.docs, "sub", RenameMode::exchange, nobody_holds); },
       {2, 2, 2, 51, 53, 1, 51, 2.5, 105},
       {4, 0, 0, 0, 4, 1, 0, 2, 5},
       {2, 0, 0, 0, 2, 1, 0, 1, 3}},
      {"remove a folder of 10 and one of 1",
       [&] { return !!d.remove_tree(r.tree); },
       {2, 1, 1, 12, 0, 1, 13, 1.5, 14},
       {15, 2, 2, 12, 0, 1, 26, 8.5, 27},
       {2, 2, 2, 12, 0, 1, 13, 2, 14}},
      // Names. A node with one costs what it does above.
      {"link, the second name",
       [&] { return !!d.link(r.named, r.free, "a2"); },
       {1, 0, 0, 0, 2, 2, 0, 0.5, 4},
       {1, 0, 0, 0, 1, 2, 0, 0.5, 3},
       {1, 0, 0, 0, 2, 2, 0, 0.5, 4}},
      {"link, the third name",
       [&] { return !!d.link(named, r.free, "a3"); },
       {1, 0, 0, 0, 1, 2, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 2, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 2, 0, 0.5, 3}},
      {"link where something is",
       [&] { return !d.link(named, r.free, "a3"); },
       {1, 0, 0, 0, 1, 2, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 2, 0, 0.5, 3},
       {1, 0, 0, 0, 1, 2, 0, 0.5, 3}},
      {"lookup of one of three names",
       [&] { return !!d.lookup(r.names, "a"); },
       {2, 0, 0, 0, 0, 0, 0, 1, 0},
       {2, 0, 0, 0, 0, 0, 0, 1, 0},
       {2, 0, 0, 0, 0, 0, 0, 1, 0}},
      {"getattr of a node with three names",
       [&] { return !!d.getattr(named); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"write to a node with three names",
       [&] { return !!d.write(named, 0, bytes); },
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1},
       {1, 0, 0, 0, 0, 1, 0, 0.5, 1}},
      {"readdir of 4, one with three names",
       [&] {
         d.forget_cached();
         return !!d.readdir(r.names, "", 100);
       },
       {1, 1, 1, 6, 0, 0, 0, 1, 0},
       {4, 1, 1, 4, 0, 0, 0, 2.5, 0},
       {1, 1, 1, 4, 0, 0, 0, 1, 0}},
      {"readdir of 2, both names of one node",
       [&] {
         d.forget_cached();
         return !!d.readdir(r.free, "", 100);
       },
       {1, 1, 1, 2, 0, 0, 0, 1, 0},
       {1, 1, 1, 2, 0, 0, 0, 1, 0},
       {1, 1, 1, 2, 0, 0, 0, 1, 0}},
      {"rename of one of three names",
       [&] { return !!d.rename(r.free, "a3", r.free, "a4", RenameMode::replace, nobody_holds); },
       {3, 0, 0, 0, 2, 1, 1, 1.5, 4},
       {3, 0, 0, 0, 2, 1, 1, 1.5, 4},
       {3, 0, 0, 0, 2, 1, 1, 1.5, 4}},
      {"rename over one of three names",
       [&] { return !!d.rename(r.names, "b", r.free, "a4", RenameMode::replace, nobody_holds); },
       {3, 0, 0, 0, 2, 2, 1, 1.5, 5},
       {4, 0, 0, 0, 3, 2, 1, 2, 6},
       {3, 0, 0, 0, 2, 2, 1, 1.5, 5}},
      {"rename onto another name of the node",
       [&] { return !!d.rename(r.names, "a", r.free, "a2", RenameMode::replace, nobody_holds); },
       {4, 0, 0, 0, 0, 0, 0, 2, 0},
       {4, 0, 0, 0, 0, 0, 0, 2, 0},
       {4, 0, 0, 0, 0, 0, 0, 2, 0}},
      {"unlink of one of two names, the other one known",
       [&] {
         return !!d.unlink(r.names, "a",
                           {nobody_holds, [&](const NodeRef&) { return std::optional(other_name); }});
       },
       {2, 0, 0, 0, 0, 2, 2, 1, 4},
       {2, 0, 0, 0, 0, 2, 1, 1, 3},
       {2, 0, 0, 0, 0, 2, 2, 1, 4}},
      {"lookup of the one that is left",
       [&] { return !!d.lookup(r.free, "a2"); },
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0},
       {2, 0, 0, 0, 0, 0, 0, 1, 0},
       {1, 0, 0, 0, 0, 0, 0, 0.5, 0}},
      {"unlink of one of two names, the other one not known",
       [&] { return !!d.link(other_name, r.names, "a") && !!d.unlink(r.free, "a2", nobody_holds); },
       {3, 0, 0, 0, 2, 4, 1, 1.5, 7},
       {3, 0, 0, 0, 1, 4, 1, 1.5, 6},
       {3, 0, 0, 0, 2, 4, 1, 1.5, 7}},
      {"lookup of a name that was one of two",
       [&] { return !!d.lookup(r.names, "a"); },
       {2, 0, 0, 0, 0, 0, 0, 1, 0},
       {2, 0, 0, 0, 0, 0, 0, 1, 0},
       {2, 0, 0, 0, 0, 0, 0, 1, 0}},
      {"rename of it",
       [&] { return !!d.rename(r.names, "a", r.names, "z", RenameMode::replace, nobody_holds); },
       {3, 0, 0, 0, 1, 1, 2, 1.5, 4},
       {3, 0, 0, 0, 2, 1, 1, 1.5, 4},
       {3, 0, 0, 0, 1, 1, 2, 1.5, 4}},
      {"unlink of the last name",
       [&] { return !!d.unlink(r.names, "z", nobody_holds); },
       {1, 0, 0, 0, 0, 1, 1, 0.5, 2},
       {2, 0, 0, 0, 0, 1, 2, 1, 3},
       {1, 0, 0, 0, 0, 1, 1, 0.5, 2}},
      {"rmdir",
       [&] { return !!d.rmdir(r.docs, "empty", nobody_holds); },
       {1, 1, 1, 0, 0, 1, 1, 1, 2},
       {2, 1, 1, 0, 0, 1, 2, 1.5, 3},
       {1, 1, 1, 0, 0, 1, 1, 1, 2}},
  };
  for (const auto& row : rows) {
    const table::Charge c = cost_of([&] { EXPECT_TRUE(row.run()) << row.operation; });
    const auto n = [](std::uint64_t count) { return static_cast<int>(count); };
    const Cost cost{n(c.gets),    n(c.queries), n(c.pages),   n(c.items_read), n(c.puts),
                    n(c.updates), n(c.deletes), c.read_units, c.write_units};
    const Cost& expected = GetParam() == "path"   ? row.path
                           : GetParam() == "node" ? row.node
                                                  : row.adjacency;
    EXPECT_EQ(text(cost), text(expected)) << row.operation;
  }
}

}  // namespace
}  // namespace prefixfs
