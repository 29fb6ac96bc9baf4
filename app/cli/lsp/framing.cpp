#include "cli/lsp/framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace cli {
namespace {

constexpr std::string_view kLength = "Content-Length:";
constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeaderEnd = "\r\n\r\n";

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

bool equal_words(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// A number that is too large for any message is the largest one.
std::optional<std::uint64_t> number_in(std::string_view text) {
  text = without_spaces(text);
  std::uint64_t value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || rest != text.data() + text.size() || status == std::errc::invalid_argument) {
    return std::nullopt;
  }
  return status == std::errc::result_out_of_range ? UINT64_MAX : value;
}

std::optional<std::uint64_t> length_in(std::string_view header) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(kLineEnd), header.size());
    const std::string_view line = header.substr(0, end);
    header.remove_prefix(std::min(header.size(), end + kLineEnd.size()));
    if (line.size() >= kLength.size() && equal_words(line.substr(0, kLength.size()), kLength)) {
      return number_in(line.substr(kLength.size()));
    }
  }
  return std::nullopt;
}

}  // namespace

// JSON has no raw line break in a text, so a message never contains what is looked for here.
bool MessageReader::find_header() {
  for (std::size_t at = buffer_.find(kLength); at != std::string::npos;
       at = buffer_.find(kLength, at + 1)) {
    const std::size_t end = buffer_.find(kLineEnd, at);
    if (end == std::string::npos) {
      buffer_.erase(0, at);
      if (buffer_.size() <= kMostHeader) {
        return false;
      }
      at = 0;
    } else if (number_in(std::string_view(buffer_).substr(at + kLength.size(),
                                                          end - at - kLength.size()))) {
      buffer_.erase(0, at);
      lost_ = false;
      return true;
    }
  }
  const std::size_t kept = std::min(buffer_.size(), kLength.size());
  buffer_.erase(0, buffer_.size() - kept);
  return false;
}

MessageReader::Item MessageReader::lose(std::string error) {
  lost_ = true;
  return {{}, std::move(error)};
}

std::optional<MessageReader::Item> MessageReader::next() {
  if (lost_ && !find_header()) {
    return std::nullopt;
  }
  const std::size_t end = buffer_.find(kHeaderEnd);
  if (end == std::string::npos) {
    if (buffer_.size() <= kMostHeader) {
      return std::nullopt;
    }
    buffer_.erase(0, 1);
    return lose("the header of a message is longer than " + std::to_string(kMostHeader) +
                " bytes; start it with Content-Length: BYTES");
  }
  const auto length = length_in(std::string_view(buffer_).substr(0, end));
  if (!length) {
    buffer_.erase(0, 1);
    return lose("the header of a message has no length; start it with Content-Length: BYTES");
  }
  const std::size_t begin = end + kHeaderEnd.size();
  if (*length > kMostBytes) {
    buffer_.erase(0, begin);
    return lose("a message of " + std::to_string(*length) + " bytes is skipped; the limit is " +
                std::to_string(kMostBytes) + " bytes");
  }
  const auto bytes = static_cast<std::size_t>(*length);
  if (buffer_.size() - begin < bytes) {
    return std::nullopt;
  }
  Item item{buffer_.substr(begin, bytes), {}};
  buffer_.erase(0, begin + bytes);
  return item;
}

std::string framed(const std::string& message) {
  return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message;
}

}  // namespace cli
