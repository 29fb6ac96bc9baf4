// What goes wrong, as a sentence. Every boundary of the program returns Expected<T>: the value, or
// an Error whose message says what, where and what to do, and whose fault decides the exit status.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace core {

/// Whose fault an error is. The command line turns it into the exit status.
enum class Fault {
  usage,   ///< the call, the file or the kernel's source is wrong: exit status 2
  device,  ///< it could not be done here (no device, lost, out of memory): exit status 3
};

struct Error {
  Fault fault = Fault::usage;
  std::string message;       ///< one sentence, without a full stop, fit to follow "tilescope: "
  int line = 0;              ///< line of the kernel's source that it belongs to, from 1; 0: none
  bool device_lost = false;  ///< the device must be made again before anything else can run
};

template <class T>
using Expected = std::expected<T, Error>;

inline std::unexpected<Error> usage_error(std::string message, int line = 0) {
  return std::unexpected(Error{Fault::usage, std::move(message), line});
}

inline std::unexpected<Error> device_error(std::string message) {
  return std::unexpected(Error{Fault::device, std::move(message)});
}

}  // namespace core

/// The value of an Expected. Where it holds an error, the function that contains TRY returns that
/// error.
#define TRY(...)                                                                      \
  __extension__({                                                                     \
    auto&& try_result = (__VA_ARGS__);                                                \
    if (!try_result) {                                                                \
      return std::unexpected(std::forward<decltype(try_result)>(try_result).error()); \
    }                                                                                 \
    *std::forward<decltype(try_result)>(try_result);                                  \
  })
