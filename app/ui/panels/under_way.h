// How far a long launch is, and when it will be done.
#pragma once

#include <string>

#include "core/work/result.h"
#include "ui/view_state.h"

namespace ui {

/// A launch in slices, or one that is compared with its reference, which is not done.
[[nodiscard]] bool is_under_way(const core::Result& result);

/// Something runs that ends by itself only after a while: a launch of more than a second or of
/// which nothing is known yet, a comparison of the variants, trials of barriers, a stream.
[[nodiscard]] bool may_be_given_up(const core::Result& result);

/// When a launch was seen first, and how far it was.
struct UnderWay final : ViewState {
  double since = 0.0;  ///< seconds
  double begun = 0.0;  ///< share that was done then
  double share = 0.0;  ///< that was done when it was seen last

  /// Seconds that are left at time `now`, as it went so far; below 0: not known yet.
  [[nodiscard]] double left(double share_now, double now);
};

/// "comparing with the reference: 43 %, about 12 s left".
[[nodiscard]] std::string under_way_words(const core::Result& result, double left);

}  // namespace ui
