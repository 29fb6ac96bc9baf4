// The sectors of global memory that an instruction fetches: each a box of 32 bytes, what its lanes
// asked for filled.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/base/ceil_div.h"
#include "ui/canvas/format.h"
#include "ui/views/banks/banks_view.h"

namespace ui {
namespace {

constexpr std::uint32_t kWords = core::kSectorBytes / core::kBankBytes;

// Sector to the bytes of it that are asked for, a bit each.
using Sectors = std::map<std::uint64_t, std::uint32_t>;

Sectors sectors_of(const std::vector<core::LaneAccess>& lanes) {
  Sectors sectors;
  for (const core::LaneAccess& a : lanes) {
    for (std::uint64_t at = a.address; at < a.address + a.bytes; ++at) {
      sectors[at / core::kSectorBytes] |= 1U << (at % core::kSectorBytes);
    }
  }
  return sectors;
}

struct Boxes {
  float word = 1.0F;  // pixels
  glm::vec2 step{1.0F};
  std::uint32_t across = 1;
};

// As large as they can be with all of them in the room.
Boxes boxes_for(const Canvas& canvas, std::size_t count, glm::vec2 room) {
  const float gap = canvas.theme().gap.medium;
  for (float word = 0.8F * canvas.line_height(); word > 1.5F; word -= 1.0F) {
    const glm::vec2 step{word * kWords + gap, 1.4F * word + gap};
    const auto across = static_cast<std::uint32_t>(std::max(1.0F, room.x / step.x));
    const auto rows = static_cast<float>(core::ceil_div(count, across));
    if (rows * step.y <= room.y && word * kWords <= room.x) {
      return {word, step, across};
    }
  }
  const glm::vec2 step{1.5F * kWords + 2.0F, 3.0F};
  return {1.5F, step, static_cast<std::uint32_t>(std::max(1.0F, room.x / step.x))};
}

// Returns where they end.
float draw_boxes(const BankScene& scene, const Sectors& sectors, const Rect& room) {
  const Theme& theme = scene.theme();
  const Boxes boxes = boxes_for(scene.canvas, sectors.size(), room.size());
  const float byte = boxes.word / core::kBankBytes;
  const float high = std::max(2.0F, 1.4F * boxes.word);
  const Clip clip(scene.canvas, room);
  std::uint32_t n = 0;
  for (const auto& [sector, used] : sectors) {
    const glm::vec2 low = room.low + boxes.step * glm::vec2(n % boxes.across, n / boxes.across);
    const Rect box{low, low + glm::vec2(boxes.word * kWords, high)};
    scene.canvas.fill(box, mix(theme.colours.background, theme.colours.global, 0.16F));
    for (std::uint32_t b = 0; b < core::kSectorBytes; ++b) {
      if ((used >> b & 1U) != 0) {
        const float x = low.x + byte * static_cast<float>(b);
        scene.canvas.fill({{x, box.low.y}, {x + byte, box.high.y}}, theme.colours.global);
      }
    }
    for (std::uint32_t w = 1; w < kWords && boxes.word >= 5.0F; ++w) {
      const float x = low.x + boxes.word * static_cast<float>(w);
      scene.canvas.line({x, box.low.y}, {x, box.high.y}, fade(theme.colours.background, 0.7F));
    }
    scene.canvas.frame(box.inset(-1.0F, -1.0F), theme.colours.global_text);
    ++n;
  }
  const std::uint32_t lines = core::ceil_div(n, std::max(boxes.across, 1U));
  return std::min(room.low.y + boxes.step.y * static_cast<float>(lines), room.high.y);
}

std::string reuse_text(const BankScene& scene) {
  const auto found =
      std::ranges::find(scene.banks.reuse, scene.site().variable, &core::Reuse::variable);
  return found == scene.banks.reuse.end()
             ? std::string("this workgroup writes it and never reads it")
             : fmt::format(
                   "the workgroup reads each element of {} {:.1f} times on average, at most {} "
                   "times",
                   scene.variable().name, found->mean(), count_text(found->most));
}

}  // namespace

void draw_sector_figure(const BankScene& scene, Stack stack) {
  const core::GlobalSite& site = scene.report.global[scene.chosen().place];
  const auto lanes = core::lane_accesses(scene.trace, scene.report.instructions, scene.now());
  const core::SectorUse use = core::sector_use(lanes);
  const std::string sectors =
      fmt::format("{}: sectors of {} bytes", scene.variable().name, core::kSectorBytes);
  stack.fitting(
      {fmt::format("{}: the fetched sectors of {} bytes, in memory order; filled: requested bytes",
                   scene.variable().name, core::kSectorBytes),
       sectors + "; filled: requested bytes", sectors + "; filled: requested", sectors},
      pen::dim);
  stack.gap(scene.theme().gap.small);
  const bool roomy = stack.has(6.0F);
  const float line = scene.canvas.line_height();
  Stack words{scene.canvas, stack.rest.cut_bottom((roomy ? 3.0F : 1.0F) * line)};
  stack.rest.cut_bottom(scene.theme().gap.small);
  const float end = draw_boxes(scene, sectors_of(lanes), stack.rest);
  words.rest.low.y = std::min(words.rest.low.y, end + scene.theme().gap.small);
  const std::uint64_t fetched = std::uint64_t{use.sectors} * core::kSectorBytes;
  const std::string count = use.sectors == 1 ? "1 sector" : fmt::format("{} sectors", use.sectors);
  const std::string share =
      fmt::format("{:.1f} %", 100.0 * static_cast<double>(use.used) / static_cast<double>(fetched));
  const std::string asked = count_text(use.asked);
  words.fitting(
      {fmt::format("{} request {} bytes: {}, {} of {} bytes used, {}", scene.lanes(use.lanes),
                   asked, count, count_text(use.used), count_text(fetched), share),
       fmt::format("{} for {} bytes, {} of them used", count, asked, share),
       fmt::format("{} for {} bytes", count, asked), count});
  if (roomy) {
    words.say(fmt::format("all executions: {} of {} bytes used, {:.1f} %", count_text(site.used),
                          count_text(site.fetched()), 100.0 * site.efficiency()),
              pen::dim);
    words.say(reuse_text(scene), pen::dim);
  }
}

}  // namespace ui
