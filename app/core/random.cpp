#include "core/random.h"

#include "core/parallel.h"

namespace core {

void fill_random(std::span<float> values, std::uint64_t seed, std::uint64_t stream) {
  parallel_for(values.size(), 1U << 16U, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      values[i] = static_cast<float>(uniform(seed, stream, i) * 2.0 - 1.0);
      if (values[i] == 0.0F) {
        values[i] = 0x1.0p-24F;
      }
    }
  });
}

}  // namespace core
