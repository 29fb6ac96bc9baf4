#include "spirv/probes/race/shadow.h"

#include <algorithm>

namespace spirv {

ShadowLayout::ShadowLayout(const Sites& sites, const std::vector<SitePair>& open, bool subgroups)
    : tracked_(sites.variables().size()),
      pairs_(sites.variables().size()),
      invocations_(sites.all().size()),
      values_(sites.all().size()),
      lanes_(sites.all().size()) {
  const auto column = [&](std::optional<std::uint32_t>& first, const Site& site) {
    if (!first) {
      first = static_cast<std::uint32_t>(words_);
      words_ += sites.variables()[site.variable].cells();
    }
  };
  for (std::uint32_t p = 0; p < open.size(); ++p) {
    const SitePair& pair = open[p];
    for (const std::uint32_t number : {pair.first, pair.second}) {
      const Site& site = sites.all()[number];
      if (!invocations_[number]) {
        tracked_[site.variable].push_back(number);
      }
      column(invocations_[number], site);
      if (pair.hazard == Hazard::write_after_write) {
        column(values_[number], site);
      }
      if (subgroups) {
        column(lanes_[number], site);
      }
    }
    pairs_[sites.all()[pair.first].variable].push_back(p);
  }
  outside_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(words_, 0xFFFFFFFF));
  std::uint64_t widest = 0;
  for (const Site& site : sites.all()) {
    const std::uint64_t size = sites.variables()[site.variable].cell_scalars;
    widest = std::max(widest, is_tracked(site.number) ? site.width / size : 0);
  }
  untouched_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(words_ + widest, 0xFFFFFFFF));
  words_ += widest + 1;
  tallies_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(words_, 0xFFFFFFFF));
  words_ += 5 * open.size() + 1;
  news_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(words_ - 1, 0xFFFFFFFF));
}

}  // namespace spirv
