#include "core/model/pipeline_statistics.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

namespace core {
namespace {

// NVIDIA's driver and NVK, RADV, AMD's driver, ANV.
constexpr std::array<std::string_view, 4> kRegisters{"register count", "registers", "vgprs",
                                                     "numusedvgprs"};
// NVIDIA's "Local Memory Size" is no use: 2^36, whatever the kernel (driver 580).
constexpr std::array<std::string_view, 3> kSpills{"stack size", "spill size",
                                                  "scratchmemusageinbytes"};
constexpr std::array<std::string_view, 4> kShared{"shared memory size", "lds size",
                                                  "workgroup memory size", "ldsusagesizeinbytes"};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<std::uint64_t> find(const std::vector<PipelineStatistic>& all,
                                  std::span<const std::string_view> names) {
  const auto found = std::ranges::find_if(all, [&names](const PipelineStatistic& s) {
    return std::ranges::find(names, lower(s.name)) != names.end();
  });
  return found == all.end() ? std::nullopt
                            : std::optional(static_cast<std::uint64_t>(found->number));
}

}  // namespace

void pick_known(PipelineStatistics& statistics) {
  if (const auto registers = find(statistics.all, kRegisters)) {
    statistics.registers = static_cast<std::uint32_t>(*registers);
  }
  statistics.spill_bytes = find(statistics.all, kSpills);
  statistics.shared_bytes = find(statistics.all, kShared);
}

}  // namespace core
