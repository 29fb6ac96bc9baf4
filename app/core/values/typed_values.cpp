#include "core/values/typed_values.h"

#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

#include "core/base/field.h"
#include "core/catalogue/precision.h"

namespace core {
namespace {

double floating(std::uint64_t value, std::uint32_t bits) {
  return bits == 64 ? std::bit_cast<double>(value)
         : bits == 16
             ? static_cast<double>(from_half(static_cast<std::uint16_t>(value)))
             : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
}

std::int64_t signed_value(std::uint64_t value, std::uint32_t bits) {
  return static_cast<std::int64_t>(value << (64U - bits)) >> (64U - bits);
}

}  // namespace

std::uint64_t bits_at(BufferBytes bytes, std::uint64_t offset, std::uint32_t bits) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, bits / 8);
  return value;
}

bool is_written(BufferBytes bytes, std::uint64_t offset, std::uint32_t bits) {
  const std::uint64_t first = offset / 4 * 4;
  return bits_at(bytes, first, 32) != kUnwritten ||
         (bits == 64 && bits_at(bytes, first + 4, 32) != kUnwritten);
}

double number_of(std::uint64_t bits, const ScalarPlace& type) {
  return type.number == NumberKind::floating ? floating(bits, type.bits)
         : type.number == NumberKind::signed_whole
             ? static_cast<double>(signed_value(bits, type.bits))
             : static_cast<double>(bits);
}

std::string value_text(BufferBytes bytes, std::uint64_t offset, const ScalarPlace& type) {
  const std::uint64_t value = bits_at(bytes, offset, type.bits);
  if (!is_written(bytes, offset, type.bits)) {
    return "not written";
  }
  switch (type.number) {
    case NumberKind::signed_whole:
      return std::to_string(signed_value(value, type.bits));
    case NumberKind::floating: {
      std::array<char, 40> text{};
      std::snprintf(text.data(), text.size(), type.bits == 64 ? "%.17g" : "%.10g",
                    floating(value, type.bits));
      return text.data();
    }
    default:
      return std::to_string(value);
  }
}

}  // namespace core
