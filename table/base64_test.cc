#include <gtest/gtest.h>

#include <string>

#include "table/item_json.h"
#include "table/random_item.h"

namespace table {
namespace {

TEST(Base64Test, TheVectorsOfRfc4648) {
  const struct {
    std::string bytes, text;
  } kCases[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xFF\xEF\xBE", "/+++"},
      {std::string("\0\0\0\0", 4), "AAAAAA=="},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(base64_encode(c.bytes), c.text);
    EXPECT_EQ(base64_decode(c.text), c.bytes) << c.text;
  }
}

TEST(Base64Test, IsStrict) {
  const std::string kCases[] = {
      "Z",       "Zg",     "Zg=",   "Zm8",      "Zg===",    "====",
      "=",       "Z===",   "A===",  "AAAAA===", "Zg==Zg==", "Zm9=v",
      "Zm=v",    "Zm9v\n", " Zm9v", "Zm 9v",    "Zm9-",     "Zm9_",
      "Zm9\xC3", "Zh==",   "Zm9=",  "Zg==\n",   "Zm9vYg=",  std::string("Zm9\0", 4),
  };
  for (const std::string& text : kCases) EXPECT_EQ(base64_decode(text), std::nullopt) << text;
  EXPECT_EQ(base64_decode(std::string_view("Zm9vYmFy").substr(0, 6)), std::nullopt);
}

TEST(Base64Test, BytesComeBack) {
  RandomItem random(3);
  for (int i = 0; i < 5000; ++i) {
    const std::string bytes = random.bytes();
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
  }
}

}  // namespace
}  // namespace table
