#include "ui/views/timeline/timeline_cache.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "core/base/ceil_div.h"

namespace ui {
namespace {

constexpr double kSeam = 4.0;  // texels: wider tiles are set off from the one before

// One lane as a row of texels: what its tiles look like, 0 where there is none.
class LanePainter {
 public:
  LanePainter(const GanttWindow& window, const TileScale& scale, bool seams)
      : window_(window), scale_(scale), seams_(seams) {}

  void paint(std::size_t lane, std::span<Colour> texels) const {
    const core::TimelineLanes& lanes = window_.of->lanes;
    const auto tiles =
        std::span(lanes.tiles)
            .subspan(lanes.lane_first[lane], lanes.lane_first[lane + 1] - lanes.lane_first[lane]);
    const double step = (window_.last - window_.first) / window_.width;
    auto next = tiles.begin();
    for (std::size_t x = 0; x < texels.size(); ++x) {
      const double at = window_.first + (static_cast<double>(x) + 0.5) * step;
      next = first_to_end(next, tiles.end(), at);
      const bool there = next != tiles.end() && starts(*next) <= at;
      texels[x] = there ? colour(*next, at, step) : 0;
    }
  }

 private:
  template <class At>
  [[nodiscard]] At first_to_end(At from, At last, double moment) const {
    // Few tiles a texel are walked over, many are skipped.
    for (int walked = 0; from != last && ends(*from) <= moment; ++from, ++walked) {
      if (walked == 8) {
        return std::partition_point(from, last,
                                    [&](std::uint32_t tile) { return ends(tile) <= moment; });
      }
    }
    return from;
  }
  [[nodiscard]] Colour colour(std::uint32_t tile, double at, double step) const {
    const double start = starts(tile);
    const bool seam = seams_ && ends(tile) - start >= kSeam * step && at - start < step;
    return seam ? mix(scale_.colour(tile), rgb(0x000000), 0.55F) : scale_.colour(tile);
  }
  [[nodiscard]] double starts(std::uint32_t tile) const {
    return static_cast<double>(window_.of->tiles[tile].start);
  }
  [[nodiscard]] double ends(std::uint32_t tile) const {
    return static_cast<double>(window_.of->tiles[tile].end);
  }

  const GanttWindow& window_;
  const TileScale& scale_;
  bool seams_;
};

// The mean of several lanes.
class Mean {
 public:
  explicit Mean(std::size_t texels) : sums_(texels) {}
  void add(std::span<const Colour> row) {
    ++lanes_;
    for (std::size_t x = 0; x < row.size(); ++x) {
      if (row[x] != 0) {
        ++sums_[x][3];
        for (std::size_t part = 0; part < 3; ++part) {
          sums_[x][part] += row[x] >> 8U * part & 0xFFU;
        }
      }
    }
  }
  void take(std::span<Colour> texels) {
    for (std::size_t x = 0; x < texels.size(); ++x) {
      const auto& [red, green, blue, busy] = sums_[x];
      texels[x] = busy == 0 ? 0
                            : red / busy | green / busy << 8U | blue / busy << 16U |
                                  (255U * busy / lanes_) << 24U;
    }
    std::ranges::fill(sums_, std::array<std::uint32_t, 4>{});
    lanes_ = 0;
  }

 private:
  std::vector<std::array<std::uint32_t, 4>> sums_;
  std::uint32_t lanes_ = 0;
};

// The launch's picture is full of these.
class LaunchPainter {
 public:
  LaunchPainter(const LaunchPicture& wanted, const TileScale& scale, Image& image)
      : wanted_(wanted), scale_(scale), image_(image) {}

  /// That were painted on so far.
  [[nodiscard]] Rows changed() const { return first_ < last_ ? Rows{first_, last_} : Rows{}; }

  void paint(std::uint32_t tile) {
    const std::uint32_t x = tile % wanted_.across;
    const std::uint32_t y = tile / wanted_.across;
    const std::uint32_t row = y / wanted_.stride;
    if (x % wanted_.stride == 0 && y % wanted_.stride == 0 && row < image_.height) {
      image_.rgba[std::size_t{row} * image_.width + x / wanted_.stride] = colour(tile);
      first_ = std::min(first_, row);
      last_ = std::max(last_, row + 1);
    }
  }

 private:
  [[nodiscard]] Colour colour(std::uint32_t tile) const {
    const core::TimelineTile& t = wanted_.of->tiles[tile];
    if (wanted_.at >= 0.0 && static_cast<double>(t.start) > wanted_.at) {
      return wanted_.to_come;
    }
    if (wanted_.at >= 0.0 && static_cast<double>(t.end) > wanted_.at) {
      return wanted_.running;
    }
    return wanted_.by == TileColours::output ? 0 : scale_.colour(tile);
  }

  const LaunchPicture& wanted_;
  const TileScale& scale_;
  Image& image_;
  std::uint32_t first_ = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t last_ = 0;
};

bool plays_on(const LaunchPicture& from, const LaunchPicture& to) {
  LaunchPicture moved = from;
  moved.at = to.at;
  return from.at >= 0.0 && to.at >= from.at && moved == to;
}

}  // namespace

GanttPicture paint_gantt(const GanttWindow& window) {
  Image image{window.width, window.height, {}};
  image.rgba.resize(std::size_t{window.width} * window.height);
  const TileScale scale(*window.of, window.by);
  const double step = (window.bottom - window.top) / window.height;
  const LanePainter painter(window, scale, step * kSeam <= 1.0);
  const std::size_t lanes = window.of->lanes.lanes();
  std::vector<Colour> row(window.width);
  Mean mean(window.width);
  for (std::uint32_t y = 0; y < window.height; ++y) {
    const double middle = window.top + (y + 0.5) * step;
    const double half = step > 1.0 ? 0.5 * step : 0.0;
    const auto first = static_cast<std::size_t>(std::max(middle - half, 0.0));
    const auto last = static_cast<std::size_t>(std::max(middle + half, 0.0));
    for (std::size_t lane = first; lane < std::min(std::max(last, first + 1), lanes); ++lane) {
      painter.paint(lane, row);
      mean.add(row);
    }
    mean.take(std::span(image.rgba).subspan(std::size_t{y} * window.width, window.width));
  }
  return {window, std::move(image)};
}

void TimelineCache::paint_launch(const LaunchPicture& wanted) {
  if (launch_version > 0 && launch == wanted) {
    return;
  }
  const core::Timeline& t = *wanted.of;
  const TileScale scale(t, wanted.by);
  LaunchPainter painter(wanted, scale, launch_image);
  const auto has_started = [&](std::uint32_t tile) {
    return wanted.at < 0.0 || static_cast<double>(t.tiles[tile].start) <= wanted.at;
  };
  if (launch_version == 0 || !plays_on(launch, wanted)) {
    const auto count = static_cast<std::uint32_t>(t.tiles.size());
    const std::uint32_t rows = core::ceil_div(count, wanted.across);
    launch_image.width = core::ceil_div(wanted.across, wanted.stride);
    launch_image.height = core::ceil_div(rows, wanted.stride);
    launch_image.rgba.assign(std::size_t{launch_image.width} * launch_image.height, 0);
    for (std::uint32_t tile = 0; tile < count; ++tile) {
      painter.paint(tile);
    }
    started = 0;
    running.clear();
  }
  for (; started < t.started.size() && has_started(t.started[started]); ++started) {
    running.push_back(t.started[started]);
  }
  std::erase_if(running, [&](std::uint32_t tile) {
    painter.paint(tile);
    return wanted.at < 0.0 || static_cast<double>(t.tiles[tile].end) <= wanted.at;
  });
  launch = wanted;
  launch_changed = painter.changed();
  ++launch_version;
}

}  // namespace ui
