// A field: a matrix reduced to at most so many texels, ready to be drawn as a heat map.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace core {

struct BufferSpec;

/// The word that memory holds where no invocation has written to it: a quiet NaN with a payload
/// that no kernel makes by accident (Fill::poison).
inline constexpr std::uint32_t kUnwritten = 0x7FC0DEAD;
[[nodiscard]] constexpr bool is_unwritten(float word) {
  return std::bit_cast<std::uint32_t>(word) == kUnwritten;
}

struct Field {
  std::string name;           ///< "C"
  std::string unit;           ///< what the numbers are, for the colour bar: "value", "ms"
  std::uint32_t rows = 0;     ///< of the data
  std::uint32_t columns = 0;  ///< of the data
  std::uint32_t texel_rows = 0;
  std::uint32_t texel_columns = 0;
  std::vector<float> texels;  ///< row-major; each the mean of the cells it covers
  float low = 0.0F;           ///< smallest and largest finite texel
  float high = 0.0F;
  std::uint64_t not_finite = 0;  ///< texels that are NaN or infinite
  std::uint64_t unwritten = 0;   ///< cells that no invocation has written; their texels are
                                 ///< kUnwritten, and not in `not_finite`

  [[nodiscard]] bool empty() const { return texels.empty(); }
  /// Texel at a fraction of the field's width and height; NaN outside.
  [[nodiscard]] float at(double row_fraction, double column_fraction) const;
};

/// Finds `low`, `high` and `not_finite` of the texels.
void find_range(Field& field);
/// Reduces a row-major matrix so that neither side has more than `limit` texels.
[[nodiscard]] Field reduce(std::string name, std::span<const float> data, std::uint32_t rows,
                           std::uint32_t columns, std::uint32_t limit = 1024);
/// The drawn component of a buffer's elements, reduced.
[[nodiscard]] Field reduce(const BufferSpec& spec, std::span<const float> words,
                           std::uint32_t limit = 1024);

}  // namespace core
