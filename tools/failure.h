// How a command ends early.  Thrown anywhere below a command, caught once in run_prefixfs().

#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "tools/io.h"

namespace prefixfs {

enum class ExitStatus { ok = 0, failed = 1, wrong_use = 2 };

// "prefixfs: WHAT: WHY", exit status 1.  `what` names the thing, raw bytes.
class Failure : public std::runtime_error {
 public:
  Failure(std::string_view what, std::string_view why);
  Failure(std::string_view what, std::errc why);
};

// The same with exit status 2: no such use of the command.
class WrongUse : public std::runtime_error {
 public:
  WrongUse(std::string_view what, std::string_view why);
};

// "No such file or directory"
std::string why_text(std::errc error);
std::string why_text(int error_number);

// One line on standard error for what went wrong with one thing of several.
void complain(Io& io, std::string_view what, std::string_view why);
void complain(Io& io, std::string_view what, std::errc why);

}  // namespace prefixfs
