// Runs commands of the program inside the test, in a folder of its own.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tools/program.h"

namespace prefixfs {

struct Ran {
  int status;
  std::string out, err;
};

class CommandTest : public ::testing::Test {
 protected:
  CommandTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "prefixfs-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
  }
  ~CommandTest() override { std::filesystem::remove_all(folder_); }

  // A path inside the test's folder.
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  // FILE:/PATH in the table file of most tests.
  std::string in(const std::string& path) const { return at("home.db") + ":" + path; }

  static Ran run(const std::vector<std::string>& args) {
    std::ostringstream out, err;
    const int status = run_prefixfs(args, {out, err});
    return {status, out.str(), err.str()};
  }
  // The same, where it must succeed and say nothing on standard error.
  static std::string out_of(const std::vector<std::string>& args) {
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 0) << args.front();
    EXPECT_EQ(ran.err, "") << args.front();
    return ran.out;
  }

  void make_demo_file() { out_of({"demo", at("home.db")}); }
  void make_empty_file(const std::string& layout = "path") {
    out_of({"mkfs", at("home.db"), "--layout", layout});
  }

  static void write_file(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
  }
  static std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
  }

 private:
  std::string folder_;
};

}  // namespace prefixfs
