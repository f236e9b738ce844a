// How numbers are written for people.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fs/node.h"

namespace prefixfs {

std::string grouped(std::uint64_t n);                         // "2,004"
std::string counted(std::uint64_t n, std::string_view noun);  // "1 item", "2,004 items"
// "0.5 read units", "1 write unit", "2,002 write units"
std::string units_text(double units, std::string_view kind);
std::string dollars_text(double usd);        // "$0.00125", "$1.25"
std::string seconds_text(double seconds);    // "31 us", "8.2 ms", "2.0 s"
std::string size_text(std::uint64_t bytes);  // "831", "1.2K", "14M", as ls -h

std::string mode_text(Kind kind, std::uint32_t mode);  // "drwxr-xr-x"
std::string minute_text(const Time& time);             // "2025-01-15 09:00", local time
std::string exact_time_text(const Time& time);         // "2025-01-15 09:00:00.123456789 +0000"

}  // namespace prefixfs
