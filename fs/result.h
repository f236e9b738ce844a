// Result<T>: a T, or the errno a POSIX call would have set.
//
// For outcomes a caller is expected to meet (ENOENT, EEXIST, ENOTEMPTY).  A broken store throws
// instead and is caught once, at the edge.

#pragma once

#include <system_error>
#include <utility>
#include <variant>

namespace prefixfs {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT
  Result(std::errc error) : state_(std::in_place_index<1>, error) {}     // NOLINT

  explicit operator bool() const { return state_.index() == 0; }
  std::errc error() const { return std::get<1>(state_); }  // REQUIRES: !*this

  T& operator*() & { return *std::get_if<0>(&state_); }
  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }

 private:
  std::variant<T, std::errc> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(std::errc error) : error_(error) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return error_ == std::errc{}; }
  std::errc error() const { return error_; }

 private:
  std::errc error_{};
};

}  // namespace prefixfs
