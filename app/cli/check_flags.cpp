#include "cli/check_flags.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace cli {
namespace {

using core::Expected;

template <class T>
std::optional<T> number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  T value{};
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return status == std::errc{} && rest == text.data() + text.size() && !text.empty()
             ? std::optional(value)
             : std::nullopt;
}

// 32 bits: a whole number, a negative one, a float with a point, true or false.
std::optional<std::uint32_t> word(std::string_view text) {
  if (text == "true" || text == "false") {
    return text == "true" ? 1U : 0U;
  }
  if (const auto whole = number<std::uint32_t>(text)) {
    return whole;
  }
  if (const auto negative = number<std::int32_t>(text)) {
    return static_cast<std::uint32_t>(*negative);
  }
  float value = 0.0F;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc{} && rest == text.data() + text.size() && !text.empty()
             ? std::optional(std::bit_cast<std::uint32_t>(value))
             : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

std::unexpected<core::Error> wrong(const std::string& flag, const std::string& text,
                                   const std::string& form) {
  return core::usage_error(fmt::format("{} takes {}, not \"{}\"", flag, form, text));
}

}  // namespace

Expected<void> read_groups(const std::string& text, lab::CheckRequest& request) {
  const auto parts = split(text, ',');
  request.groups = {1, 1, 1};
  if (parts.size() > 3) {
    return wrong("--groups", text, "X,Y,Z");
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto value = number<std::uint32_t>(parts[i]);
    if (!value || *value == 0) {
      return wrong("--groups", text, "X,Y,Z, each at least 1");
    }
    request.groups[i] = *value;
  }
  return {};
}

Expected<void> read_buffer(const std::string& text, lab::CheckRequest& request) {
  const auto fail = [&] { return wrong("--buffer", text, "SET.BINDING=BYTES[:zero|iota|random]"); };
  const auto sides = split(text, '=');
  if (sides.size() != 2) {
    return fail();
  }
  const auto place = split(sides[0], '.');
  const auto size = split(sides[1], ':');
  if (place.size() != 2 || size.size() > 2) {
    return fail();
  }
  const auto set = number<std::uint32_t>(place[0]);
  const auto binding = number<std::uint32_t>(place[1]);
  const auto bytes = number<std::uint64_t>(size[0]);
  if (!set || !binding || !bytes || *bytes == 0) {
    return fail();
  }
  lab::CheckBuffer buffer;
  buffer.bytes = *bytes;
  if (size.size() == 2) {
    if (size[1] != "zero" && size[1] != "iota" && size[1] != "random") {
      return fail();
    }
    buffer.fill = size[1] == "zero"   ? lab::Fill::zero
                  : size[1] == "iota" ? lab::Fill::iota
                                      : lab::Fill::random;
  }
  request.buffers[{*set, *binding}] = buffer;
  return {};
}

Expected<void> read_push(const std::string& text, lab::CheckRequest& request) {
  for (const std::string_view part : split(text, ',')) {
    const auto value = word(part);
    if (!value) {
      return wrong("--push", text, "32-bit numbers with commas between them");
    }
    request.push_constants.push_back(*value);
  }
  return {};
}

Expected<void> read_constant(const std::string& text, lab::CheckRequest& request) {
  const auto sides = split(text, '=');
  const auto id = number<std::uint32_t>(sides[0]);
  const auto value = sides.size() == 2 ? word(sides[1]) : std::nullopt;
  if (!id || !value) {
    return wrong("--spec", text, "ID=VALUE");
  }
  request.constants[*id] = *value;
  return {};
}

Expected<void> read_tiles(const std::string& text, lab::CheckRequest& request) {
  if (text == "all" || text.empty()) {
    return {};
  }
  const auto count = number<std::uint64_t>(text);
  if (!count || *count == 0) {
    return wrong("--tiles", text, "all, or a number of at least 1");
  }
  request.tiles = *count;
  return {};
}

}  // namespace cli
