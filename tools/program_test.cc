#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

#include "tools/command_fixture.h"
#include "tools/fd_stream.h"

namespace prefixfs {
namespace {

const std::vector<std::string> kCommands = {"mkfs", "demo", "mount", "umount", "ls",     "tree",
                                            "stat", "cat",  "find",  "du",     "import", "export",
                                            "mv",   "rm",   "get",   "query",  "info"};

class ProgramTest : public CommandTest {};

TEST_F(ProgramTest, SaysItsVersion) {
  EXPECT_EQ(out_of({"--version"}), std::string("prefixfs ") + PREFIXFS_VERSION + "\n");
}

TEST_F(ProgramTest, EveryCommandHasHelpWithAnExample) {
  const std::string list = out_of({"--help"});
  for (const std::string& command : kCommands) {
    EXPECT_NE(list.find("\n  " + command + " "), std::string::npos) << command;
    const std::string help = out_of({command, "--help"});
    EXPECT_NE(help.find("Usage: prefixfs " + command + " "), std::string::npos) << help;
    EXPECT_NE(help.find("Example:\n  prefixfs " + command + " "), std::string::npos) << help;
  }
}

TEST_F(ProgramTest, WrongUseIsStatusTwo) {
  make_demo_file();
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"frobnicate"},
      {"--frobnicate"},
      {"ls"},
      {"ls", "--frobnicate", in("/")},
      {"ls", in("/"), "one too many"},
      {"ls", ":/docs"},
      {"ls", in("/docs/../photos")},
      {"tree", "-L", "0", in("/")},
      {"tree", "-L", "many", in("/")},
      {"find", in("/"), "-type", "x"},
      {"import", at("x")},
      {"export", in("/")},
      {"mv", in("/docs")},
      {"mv", in("/docs"), "documents"},
      {"rm"},
      {"get", at("home.db"), "DRIVE#home"},
      {"query", at("home.db")},
      {"query", at("home.db"), "ENV#dev", "--eq", "a", "--lt", "b"},
      {"query", at("home.db"), "ENV#dev", "--between", "a"},
      {"query", at("home.db"), "ENV#dev", "--limit", "0"},
      {"mkfs", at("new.db"), "--layout", "spiral"},
      {"mkfs", at("new.db"), "--drive", "a#b"},
      {"mount", at("home.db")},
      {"mount", at("home.db"), at("dir"), "-o", "frobnicate=1"},
      {"umount"},
  };
  for (const auto& args : wrong) {
    const Ran ran = run(args);
    std::string shown;
    for (const std::string& arg : args) shown += arg + " ";
    EXPECT_EQ(ran.status, 2) << shown;
    EXPECT_EQ(ran.out, "") << shown;
    EXPECT_EQ(ran.err.rfind("prefixfs: ", 0), 0u) << shown << ran.err;
  }
  EXPECT_FALSE(std::filesystem::exists(at("new.db")));
}

TEST_F(ProgramTest, FailureIsStatusOneAndNamesTheThing) {
  make_demo_file();
  const auto fails = [](const std::vector<std::string>& args, const std::string& line) {
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 1) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(ran.err, "prefixfs: " + line + "\n");
  };
  for (const char* command : {"ls", "tree", "stat", "cat", "find", "du"}) {
    fails({command, in("/docs/x")}, in("/docs/x") + ": No such file or directory");
  }
  fails({"cat", in("/docs")}, in("/docs") + ": Is a directory");
  fails({"cat", in("/docs/latest")}, in("/docs/latest") + ": Is a symlink to reports/2024-q4.csv");
  fails({"ls", at("none.db") + ":/"}, at("none.db") + ": no such file");
  fails({"ls", "--drive", "work", in("/")},
        at("home.db") + ": no drive \"work\" in it, but \"home\"");
  fails({"export", in("/nothing"), at("out")}, in("/nothing") + ": No such file or directory");
  fails({"import", at("nothing"), in("/")}, at("nothing") + ": No such file or directory");
  write_file(at("text"), "not a table\n");
  EXPECT_EQ(run({"ls", at("text")}).status, 1);
  EXPECT_EQ(content_of(at("text")), "not a table\n");
}

TEST_F(ProgramTest, AMessageIsOneLine) {
  make_empty_file();
  EXPECT_EQ(run({"cat", in("/a\nb")}).err,
            "prefixfs: " + in("/a\\nb") + ": No such file or directory\n");
}

TEST_F(ProgramTest, ArgumentsMayBeCalledLikeCommands) {
  make_empty_file();
  write_file(at("ls"), "content");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(at(""));
  out_of({"import", "ls", "home.db:/"});
  std::filesystem::current_path(before);
  EXPECT_EQ(out_of({"cat", in("/ls")}), "content");
}

TEST_F(ProgramTest, AFullDeviceIsReported) {
  make_demo_file();
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  for (const std::string path : {"/docs/a.txt", "/photos/2024/summer/beach.jpg"}) {
    FdBuffer buffer(full, "standard output");
    std::ostream out(&buffer);
    out.exceptions(std::ios::badbit);
    std::ostringstream err;
    EXPECT_EQ(run_prefixfs({"cat", in(path)}, {out, err}), 1);
    EXPECT_EQ(err.str(), "prefixfs: standard output: No space left on device\n");
  }
  ::close(full);
}

TEST_F(ProgramTest, AReaderThatHasGoneEndsItQuietly) {
  make_demo_file();
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  {
    FdBuffer buffer(ends[1], "standard output");
    std::ostream out(&buffer);
    out.exceptions(std::ios::badbit);
    std::ostringstream err;
    EXPECT_EQ(run_prefixfs({"find", in("/")}, {out, err}), 1);
    EXPECT_EQ(err.str(), "");
  }
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
}

TEST_F(ProgramTest, NamesAreEscapedOnATerminalAlone) {
  make_empty_file();
  write_file(at("x"), "");
  out_of({"import", at("x"), in("/a\n\033[1m\xFF")});
  EXPECT_EQ(out_of({"ls", in("/")}), "a\n\033[1m\xFF\n");
  std::ostringstream out, err;
  EXPECT_EQ(run_prefixfs({"ls", in("/")}, {out, err, true, false}), 0);
  EXPECT_EQ(out.str(), "a\\n\\033[1m\\377\n");
}

}  // namespace
}  // namespace prefixfs
