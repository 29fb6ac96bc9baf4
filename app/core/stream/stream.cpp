#include "core/stream/stream.h"

#include <algorithm>

namespace core {
namespace {

// Times in which a device computes, in order and without overlaps.
std::vector<std::pair<double, double>> busy_times(std::span<const StreamSpan> spans) {
  std::vector<std::pair<double, double>> busy;
  for (const StreamSpan& span : spans) {
    if (span.stage == StreamStage::compute) {
      busy.emplace_back(span.start_ms, span.end_ms);
    }
  }
  std::ranges::sort(busy);
  std::size_t kept = 0;
  for (const auto& [start, end] : busy) {
    if (kept > 0 && start <= busy[kept - 1].second) {
      busy[kept - 1].second = std::max(busy[kept - 1].second, end);
    } else {
      busy[kept++] = {start, end};
    }
  }
  busy.resize(kept);
  return busy;
}

double overlap(const StreamSpan& span, const std::vector<std::pair<double, double>>& busy) {
  double shared = 0.0;
  auto at = std::ranges::lower_bound(busy, span.start_ms, {}, &std::pair<double, double>::second);
  for (; at != busy.end() && at->first < span.end_ms; ++at) {
    shared += std::min(span.end_ms, at->second) - std::max(span.start_ms, at->first);
  }
  return shared;
}

}  // namespace

std::optional<double> StreamFigures::hidden() const {
  const double copies = upload_ms + download_ms;
  return copies > 0.0 ? std::optional(hidden_ms / copies) : std::nullopt;
}

StreamFigures figures_of(std::span<const StreamSpan> spans) {
  StreamFigures figures;
  const auto busy = busy_times(spans);
  for (const StreamSpan& span : spans) {
    const double ms = span.end_ms - span.start_ms;
    if (span.stage == StreamStage::compute) {
      figures.compute_ms += ms;
      continue;
    }
    const bool up = span.stage == StreamStage::upload;
    (up ? figures.upload_ms : figures.download_ms) += ms;
    (up ? figures.uploaded : figures.downloaded) += span.bytes;
    figures.hidden_ms += overlap(span, busy);
  }
  return figures;
}

StreamFigures sum_of(std::span<const StreamFigures> devices) {
  StreamFigures sum;
  for (const StreamFigures& f : devices) {
    sum.upload_ms += f.upload_ms;
    sum.compute_ms += f.compute_ms;
    sum.download_ms += f.download_ms;
    sum.hidden_ms += f.hidden_ms;
    sum.uploaded += f.uploaded;
    sum.downloaded += f.downloaded;
  }
  return sum;
}

double StreamReport::flops() const {
  const Sizes& s = request.size;
  return s.size() < 3 ? 0.0
                      : 2.0 * static_cast<double>(s[0]) * static_cast<double>(s[1]) *
                            static_cast<double>(s[2]);
}

}  // namespace core
