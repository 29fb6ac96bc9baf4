#include "core/provenance/likely_writers.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace core {

std::vector<std::uint64_t> likely_writers(const Result& result, const TracedVariable& variable,
                                          std::uint64_t offset) {
  const std::uint64_t count = result.tiles.group_count();
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  const double share =
      variable.bytes > 0 ? static_cast<double>(offset) / static_cast<double>(variable.bytes) : 0.0;
  const auto guess = static_cast<std::int64_t>(share * static_cast<double>(count));
  const auto away = [guess](std::uint64_t g) {
    return std::abs(static_cast<std::int64_t>(g) - guess);
  };
  const Workload* work = result.items_work();
  const auto says = [&](std::uint64_t g) {
    if (work == nullptr) {
      return false;
    }
    const Region r =
        work->writes(result.problem.sizes, result.tiles.items(result.tiles.group_at(g)));
    if (r.buffer != variable.binding || r.buffer >= result.buffers.size()) {
      return false;
    }
    const BufferSpec& spec = result.buffers[r.buffer];
    const std::uint64_t e =
        (variable.address + offset) / (spec.components * bytes_of(spec.precision));
    const std::uint64_t across = std::max(spec.transposed ? spec.rows : spec.columns, 1U);
    const std::uint64_t row = spec.transposed ? e % across : e / across;
    const std::uint64_t column = spec.transposed ? e / across : e % across;
    return row >= r.first_row && row < r.last_row && column >= r.first_column &&
           column < r.last_column;
  };
  std::vector<bool> said(count);
  for (std::uint64_t g = 0; g < count; ++g) {
    said[g] = says(g);
  }
  std::ranges::stable_sort(order, [&](std::uint64_t a, std::uint64_t b) {
    return said[a] != said[b] ? said[a] : away(a) < away(b);
  });
  return order;
}

}  // namespace core
