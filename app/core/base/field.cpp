#include "core/base/field.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/catalogue/workload.h"

namespace core {
namespace {

// First cell of a texel when `cells` are shared out over `texels` as evenly as whole cells allow.
std::uint32_t edge(std::uint64_t texel, std::uint32_t cells, std::uint32_t texels) {
  return static_cast<std::uint32_t>(texel * cells / texels);
}

}  // namespace

void find_range(Field& field) {
  field.low = std::numeric_limits<float>::infinity();
  field.high = -field.low;
  field.not_finite = 0;
  for (const float value : field.texels) {
    if (std::isfinite(value)) {
      field.low = std::min(field.low, value);
      field.high = std::max(field.high, value);
    } else if (!is_unwritten(value)) {
      ++field.not_finite;
    }
  }
  if (field.low > field.high) {
    field.low = field.high = 0.0F;
  }
}

float Field::at(double row_fraction, double column_fraction) const {
  if (empty() || row_fraction < 0.0 || row_fraction >= 1.0 || column_fraction < 0.0 ||
      column_fraction >= 1.0) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  const auto row = static_cast<std::size_t>(row_fraction * texel_rows);
  const auto column = static_cast<std::size_t>(column_fraction * texel_columns);
  return texels[row * texel_columns + column];
}

Field reduce(std::string name, std::span<const float> data, std::uint32_t rows,
             std::uint32_t columns, std::uint32_t limit) {
  assert(data.size() == std::size_t{rows} * columns);
  Field field{.name = std::move(name), .unit = "value", .rows = rows, .columns = columns};
  field.texel_rows = std::min(rows, limit);
  field.texel_columns = std::min(columns, limit);
  field.texels.resize(std::size_t{field.texel_rows} * field.texel_columns);
  std::vector<double> sums(field.texel_columns);
  std::vector<std::uint64_t> unwritten(field.texel_columns);
  for (std::uint32_t tr = 0; tr < field.texel_rows; ++tr) {
    std::ranges::fill(sums, 0.0);
    std::ranges::fill(unwritten, 0U);
    const std::uint32_t r0 = edge(tr, rows, field.texel_rows);
    const std::uint32_t r1 = edge(tr + 1, rows, field.texel_rows);
    for (std::uint32_t r = r0; r < r1; ++r) {
      const float* row = data.data() + std::size_t{r} * columns;
      for (std::uint32_t tc = 0; tc < field.texel_columns; ++tc) {
        const std::uint32_t c1 = edge(tc + 1, columns, field.texel_columns);
        for (std::uint32_t c = edge(tc, columns, field.texel_columns); c < c1; ++c) {
          sums[tc] += static_cast<double>(row[c]);
          unwritten[tc] += is_unwritten(row[c]) ? 1U : 0U;
        }
      }
    }
    for (std::uint32_t tc = 0; tc < field.texel_columns; ++tc) {
      const std::uint32_t width =
          edge(tc + 1, columns, field.texel_columns) - edge(tc, columns, field.texel_columns);
      field.texels[std::size_t{tr} * field.texel_columns + tc] =
          unwritten[tc] > 0
              ? std::bit_cast<float>(kUnwritten)
              : static_cast<float>(sums[tc] / (static_cast<double>(width) * (r1 - r0)));
      field.unwritten += unwritten[tc];
    }
  }
  find_range(field);
  return field;
}

Field reduce(const BufferSpec& spec, std::span<const float> words, std::uint32_t limit) {
  std::vector<float> numbers;
  std::span<const float> drawn = words.first(spec.words());
  if (spec.components > 1 || spec.whole) {
    numbers.resize(spec.elements());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const float word = words[i * spec.components + spec.drawn];
      numbers[i] = is_unwritten(word) ? word : static_cast<float>(number_of(spec, word));
    }
    drawn = numbers;
  }
  // A line is all that there is to see of it.
  const std::uint32_t most = spec.rows == 1 ? 16 * limit : limit;
  Field field = reduce(spec.name, drawn, spec.rows, spec.columns, most);
  field.unit = spec.drawn_as;
  return field;
}

}  // namespace core
