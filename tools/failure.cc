#include "tools/failure.h"

#include "tools/shown_name.h"

namespace prefixfs {
namespace {

// Escaped whatever standard error is: one failure is one line.
std::string line(std::string_view what, std::string_view why) {
  return escaped_name(what) + ": " + escaped_name(why);
}

}  // namespace

Failure::Failure(std::string_view what, std::string_view why)
    : std::runtime_error(line(what, why)) {}
Failure::Failure(std::string_view what, std::errc why) : Failure(what, why_text(why)) {}

WrongUse::WrongUse(std::string_view what, std::string_view why)
    : std::runtime_error(line(what, why)) {}

std::string why_text(int error_number) { return std::generic_category().message(error_number); }
std::string why_text(std::errc error) { return why_text(static_cast<int>(error)); }

void complain(Io& io, std::string_view what, std::string_view why) {
  io.err << "prefixfs: " << line(what, why) << '\n' << std::flush;
}
void complain(Io& io, std::string_view what, std::errc why) { complain(io, what, why_text(why)); }

}  // namespace prefixfs
