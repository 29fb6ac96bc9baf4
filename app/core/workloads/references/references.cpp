#include "core/workloads/references/references.h"

#include <algorithm>
#include <array>

namespace core {

std::span<const Reference> references() {
  static const std::array rows{sum_reference(), prefix_sum_reference(), byte_histogram_reference(),
                               convolution_reference(), attention_reference()};
  return rows;
}

const Reference* reference_named(const std::string& name) {
  const auto rows = references();
  const auto found = std::ranges::find(rows, name, &Reference::name);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace core
