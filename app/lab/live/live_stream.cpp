// The lab's thread streams the multiplication on its bench when it is asked to, and does nothing
// else meanwhile.
#include <utility>

#include "lab/live/worker.h"
#include "lab/stream/stream.h"

namespace lab {

void Lab::Worker::stream_once() {
  if (!result_.work || !result_.work->streams()) {
    stream_ = false;
    return;
  }
  core::StreamReport last;
  const auto show = [this](core::StreamReport report) {
    result_.stream = std::make_shared<const core::StreamReport>(std::move(report));
    publish();
  };
  auto report =
      lab::stream(driver_, catalogue_, stream_of(result_.experiment, *driver_, bench_->info()),
                  [&](const core::StreamReport& now) {
                    last = now;
                    show(now);
                    return stream_ && !superseded();
                  });
  stream_ = false;
  if (!report) {
    report = failed(std::move(last), report.error());
  }
  show(std::move(*report));
}

void Lab::Worker::keep_stream(std::shared_ptr<const core::StreamReport> stream) {
  if (stream && stream->request.size == result_.problem.sizes) {
    result_.stream = std::move(stream);
  }
}

}  // namespace lab
