// The one error type of the core. What a user sees is  `file:line: message`  and, below it, a hint.
#pragma once

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

namespace demotic {

class Error : public std::runtime_error {
 public:
  explicit Error(std::string message, std::string hint = "")
      : Error(std::move(message), "", 0, std::move(hint)) {}
  Error(std::string message, std::string file, std::uint64_t line, std::string hint = "")
      : std::runtime_error(message),
        message_(std::move(message)),
        file_(std::move(file)),
        line_(line),
        hint_(std::move(hint)) {}

  const std::string& message() const { return message_; }
  const std::string& file() const { return file_; }  // empty: the error has no file
  std::uint64_t line() const { return line_; }       // 1-based; 0: no particular line
  const std::string& hint() const { return hint_; }

 private:
  std::string message_, file_;
  std::uint64_t line_;
  std::string hint_;
};

// Such as "margin must be at least 0 (got -1)".
inline Error range_error(const std::string& name, const std::string& range, double got,
                         std::string hint = "") {
  char number[32];
  std::snprintf(number, sizeof number, "%.10g", got);
  return Error(name + " must be " + range + " (got " + number + ")", std::move(hint));
}

}  // namespace demotic
