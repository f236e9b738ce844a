#include "tools/shown_name.h"

#include <gtest/gtest.h>

#include <sstream>

namespace prefixfs {
namespace {

TEST(ShownName, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(escaped_name("plain name.txt"), "plain name.txt");
  EXPECT_EQ(escaped_name("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(escaped_name("\033[2J"), "\\033[2J");
  EXPECT_EQ(escaped_name("\x7F"), "\\177");
  EXPECT_EQ(escaped_name("back\\slash"), "back\\\\slash");
  EXPECT_EQ(escaped_name("na\xC3\xAFve \xE2\x82\xAC"), "na\xC3\xAFve \xE2\x82\xAC");
  EXPECT_EQ(escaped_name("\xC2\x9B"), "\\302\\233");  // CSI as one C1 character
  EXPECT_EQ(escaped_name("bad\xFF\xC3("), "bad\\377\\303(");
}

TEST(ShownName, IsRawWhereProgramsRead) {
  std::ostringstream out, err;
  Io io{out, err};
  EXPECT_EQ(shown_name(io, "a\nb\xFF"), "a\nb\xFF");
  io.out_is_terminal = true;
  EXPECT_EQ(shown_name(io, "a\nb\xFF"), "a\\nb\\377");
}

TEST(ShownName, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(utf8_name("a\xFF"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(utf8_name("\xC3\xA9"), "\xC3\xA9");
}

TEST(ShownName, CountsCharacters) {
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(columns_of("\xC3\xA9t\xC3\xA9"), 3u);
}

}  // namespace
}  // namespace prefixfs
