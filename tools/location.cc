#include "tools/location.h"

#include "tools/failure.h"

namespace prefixfs {

Path parse_path(std::string_view path, std::string_view whole) {
  Result<Path> parsed = Path::parse(path);
  if (parsed) return *std::move(parsed);
  if (parsed.error() == std::errc::invalid_argument) {
    throw WrongUse(whole, "a path holds neither \"..\" nor NUL");
  }
  throw Failure(whole, parsed.error());
}

Location parse_location(std::string_view text) {
  const std::size_t colon = text.find(":/");
  const std::string_view file = text.substr(0, colon);
  if (file.empty()) throw WrongUse(text, "no table file is named, expected FILE:/PATH");
  if (colon == std::string_view::npos) return {std::string(file), Path()};
  return {std::string(file), parse_path(text.substr(colon + 1), text)};
}

}  // namespace prefixfs
