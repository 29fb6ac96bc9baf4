// Messages of the Language Server Protocol in a stream of bytes: a header with the length of the
// message, an empty line, and the message.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cli {

/// Takes messages out of a stream. After bytes that are no message it continues at the next header.
class MessageReader {
 public:
  static constexpr std::size_t kMostBytes = 64U << 20U;  ///< of a message
  static constexpr std::size_t kMostHeader = 8192;       ///< bytes of a header

  struct Item {
    std::string message;
    std::string error;  ///< what is wrong with the stream, as a sentence; empty: nothing
  };

  void add(std::string_view bytes) { buffer_ += bytes; }
  /// Returns the next message or error. Nothing if more bytes are needed.
  [[nodiscard]] std::optional<Item> next();

 private:
  bool find_header();
  Item lose(std::string error);

  std::string buffer_;
  bool lost_ = false;  // a header must be found first
};

/// Returns the message with its header.
[[nodiscard]] std::string framed(const std::string& message);

}  // namespace cli
