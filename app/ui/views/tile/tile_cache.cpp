#include "ui/views/tile/tile_cache.h"

#include <chrono>

namespace ui {

TraceStory* TileCache::story_of(const std::shared_ptr<const core::Trace>& trace, bool wait) {
  if (coming.valid() &&
      (wait || coming.wait_for(std::chrono::seconds(0)) == std::future_status::ready)) {
    story = coming.get();
  }
  if (!trace) {
    story.reset();
    coming_of.reset();
  } else if (coming_of != trace && !coming.valid()) {
    coming_of = trace;
    coming =
        std::async(std::launch::async, [trace] { return std::make_shared<TraceStory>(trace); });
    return story_of(trace, wait);
  }
  return story.get();
}

}  // namespace ui
