#include "core/report/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace core {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

float difference_of(float got, float wanted) {
  if (std::isfinite(got) && std::isfinite(wanted)) {
    return got - wanted;
  }
  return got == wanted ? 0.0F : std::numeric_limits<float>::infinity();
}

void find_range_around_zero(Field& field) {
  for (const float value : field.texels) {
    if (std::isfinite(value)) {
      field.high = std::max(field.high, std::abs(value));
    } else if (std::isinf(value)) {
      ++field.not_finite;
    }
  }
  field.low = -field.high;
}

// Cells of a side that a texel stands for.
struct Span {
  std::uint32_t first, last;
};
Span span_of(std::uint64_t texel, std::uint32_t cells, std::uint32_t texels) {
  return {static_cast<std::uint32_t>(texel * cells / texels),
          static_cast<std::uint32_t>((texel + 1) * cells / texels)};
}

// The cell of a texel that differs most; nothing known where none was compared.
struct Worst {
  float difference = kUnknown, got = kUnknown, wanted = kUnknown;
  std::uint64_t compared = 0;
};
template <typename Output>
Worst worst_of(const Output& output, const BufferSpec& spec, Span rows, Span columns) {
  Worst worst;
  for (std::uint32_t r = rows.first; r < rows.last; ++r) {
    for (std::uint32_t c = columns.first; c < columns.last; ++c) {
      const std::uint64_t element = std::uint64_t{r} * spec.columns + c;
      const std::uint64_t word = element * spec.components + spec.drawn;
      if (std::isnan(output.wanted[word])) {
        continue;
      }
      ++worst.compared;
      const float now = difference_of(output.got[word], output.wanted[word]);
      if (std::isnan(worst.difference) || std::abs(now) > std::abs(worst.difference)) {
        worst.difference = now;
        worst.got = output.got[word];
        worst.wanted = output.wanted[word];
      }
    }
  }
  return worst;
}

}  // namespace

DifferenceRecorder::DifferenceRecorder(const std::vector<BufferSpec>& buffers)
    : buffers_(buffers), outputs_(buffers.size()) {
  std::uint64_t words = 0;
  for (const BufferSpec& spec : buffers) {
    words += spec.role == Role::output ? spec.words() : 0;
  }
  for (std::size_t i = 0; i < buffers.size() && words <= kMostWords; ++i) {
    if (buffers[i].role == Role::output) {
      outputs_[i].got.resize(buffers[i].words());
      outputs_[i].wanted.resize(buffers[i].words(), kUnknown);
    }
  }
}

void DifferenceRecorder::note(std::size_t buffer, std::uint64_t word, double got, double want) {
  if (buffer < outputs_.size() && word < outputs_[buffer].wanted.size()) {
    outputs_[buffer].got[word] = static_cast<float>(got);
    outputs_[buffer].wanted[word] = static_cast<float>(want);
  }
}

Differences DifferenceRecorder::differences(std::uint32_t limit) const {
  Differences all(buffers_.size());
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const BufferSpec& spec = buffers_[i];
    const Output& output = outputs_[i];
    if (output.wanted.empty()) {
      continue;
    }
    Difference d;
    d.elements = spec.elements();
    d.wanted_words = output.wanted;
    for (const float value : d.wanted_words) {
      const double size = std::abs(static_cast<double>(value));
      d.largest = std::isfinite(size) ? std::max(d.largest, size) : d.largest;
    }
    d.field = {
        .name = spec.name, .unit = Difference::unit, .rows = spec.rows, .columns = spec.columns};
    const std::uint32_t most = spec.rows == 1 ? 16 * limit : limit;
    d.field.texel_rows = std::min(spec.rows, most);
    d.field.texel_columns = std::min(spec.columns, most);
    for (std::uint32_t tr = 0; tr < d.field.texel_rows; ++tr) {
      const Span rows = span_of(tr, spec.rows, d.field.texel_rows);
      for (std::uint32_t tc = 0; tc < d.field.texel_columns; ++tc) {
        const Span columns = span_of(tc, spec.columns, d.field.texel_columns);
        const Worst worst = worst_of(output, spec, rows, columns);
        d.compared += worst.compared;
        d.field.texels.push_back(worst.difference);
        d.got.push_back(worst.got);
        d.wanted.push_back(worst.wanted);
      }
    }
    find_range_around_zero(d.field);
    if (d.compared > 0) {
      all[i] = std::make_shared<const Difference>(std::move(d));
    }
  }
  return all;
}

}  // namespace core
