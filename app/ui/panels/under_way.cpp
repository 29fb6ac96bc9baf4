#include "ui/panels/under_way.h"

#include <cmath>

#include <fmt/format.h>

#include "core/stream/stream.h"

namespace ui {

constexpr double kBrief = 1000.0;  // ms; who waits so long for a launch need not give it up

bool is_under_way(const core::Result& result) {
  return (result.sliced && result.stage == core::Stage::running) ||
         (result.stage == core::Stage::verifying && result.progress > 0.0 && result.progress < 1.0);
}

bool may_be_given_up(const core::Result& result) {
  const core::Timing& timing = result.timing;
  const bool brief = !timing.samples_ms.empty() && timing.spread.median < kBrief;
  return (is_under_way(result) && !brief) || result.comparing || result.trying ||
         (result.stream && !result.stream->over());
}

double UnderWay::left(double share_now, double now) {
  if (share_now < share || since == 0.0) {  // another launch
    since = now;
    begun = share_now;
  }
  share = share_now;
  constexpr double kTelling = 0.02;  // of a launch, before its speed is known
  return share - begun < kTelling ? -1.0 : (now - since) / (share - begun) * (1.0 - share);
}

std::string under_way_words(const core::Result& result, double left) {
  const std::string what =
      result.stage == core::Stage::verifying ? "for the answer check" : "in slices";
  const std::string share = fmt::format("launch {}: {:.0f} %", what, 100.0 * result.progress);
  return left < 0.0    ? share
         : left < 90.0 ? fmt::format("{}, about {:.0f} s left", share, std::ceil(left))
                       : fmt::format("{}, about {:.0f} min left", share, std::ceil(left / 60.0));
}

}  // namespace ui
