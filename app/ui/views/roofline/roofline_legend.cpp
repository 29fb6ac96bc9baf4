// What the roofline's lines and marks mean.
#include <algorithm>

#include <fmt/format.h>

#include "ui/views/roofline/roofline_view.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr float kSwatch = 18.0F;  // at scale 1

struct Entry {
  enum class Mark { line, dot, diamond };
  Mark mark;
  Colour colour;
  std::string text, brief;  ///< the second where room is short
};

std::vector<Entry> entries(const Roofline& r) {
  const Palette& p = r.frame.theme.colours;
  const core::Ceilings& c = r.ceilings;
  const std::string flat = rate_text(c.fma_gflops, "FLOP/s");
  const std::string shared = rate_text(c.shared_gbps, "B/s");
  const std::string global = rate_text(c.copy_gbps, "B/s");
  std::vector<Entry> all{
      {Entry::Mark::line, p.text, "float32 multiply-adds " + flat, flat},
      {Entry::Mark::line, p.shared,
       fmt::format("shared memory {}, {:.1f}× global", shared, c.shared_over_global()),
       "shared " + shared},
      {Entry::Mark::line, p.global, "global memory, copy " + global, "global " + global},
      {Entry::Mark::dot, p.text, "a variant; bytes: each value of the answer and its inputs once",
       "variants"}};
  if (r.chosen() != nullptr && r.asked_of_shared() > 0.0) {
    all.push_back({Entry::Mark::diamond, p.shared, "bytes it asks of shared memory (traced)",
                   "asked of shared"});
  }
  if (r.chosen() != nullptr && r.asked_of_global() > 0.0) {
    all.push_back({Entry::Mark::diamond, p.global, "bytes it asks of global memory (traced)",
                   "asked of global"});
  }
  return all;
}

// Where each entry goes, one after the other in lines; and the height of all.
float flow(const Roofline& r, const Rect& area, const std::vector<Entry>& all,
           std::string Entry::* text, std::vector<Rect>& places) {
  const Theme& theme = r.frame.theme;
  const float line = r.canvas.line_height(theme.fonts.text);
  glm::vec2 at = area.low;
  places.clear();
  for (const Entry& entry : all) {
    const float words = r.canvas.measure(entry.*text, theme.fonts.text).x + 1.0F;
    const float width = std::min(theme.px(kSwatch) + words, area.width());
    if (at.x > area.low.x && at.x + width > area.high.x) {
      at = {area.low.x, at.y + line};
    }
    places.push_back({at, at + glm::vec2(width, line)});
    at.x += width + theme.px(16);
  }
  return at.y + line - area.low.y;
}

void draw_entry(const Roofline& r, Rect area, const Entry& entry, const std::string& text) {
  const Theme& theme = r.frame.theme;
  const Rect box = area.cut_left(theme.px(kSwatch));
  const glm::vec2 middle{box.low.x + theme.px(6), std::floor(box.centre().y)};
  if (entry.mark == Entry::Mark::line) {
    r.canvas.line({box.low.x, middle.y}, {box.low.x + theme.px(13), middle.y}, entry.colour,
                  theme.px(2));
  } else if (entry.mark == Entry::Mark::dot) {
    r.canvas.dot(middle, theme.px(kRooflinePoint), entry.colour);
  } else {
    draw_diamond(r.canvas, middle, theme.px(6), entry.colour);
  }
  r.canvas.text_in(area, text, theme.fonts.text, theme.colours.dim);
}

}  // namespace

float draw_roofline_legend(const Roofline& r, const Rect& area) {
  constexpr float kMost = 0.28F;  // of the area's height, before the words get shorter
  const auto all = entries(r);
  std::vector<Rect> places;
  auto text = &Entry::text;
  float height = flow(r, area, all, text, places);
  if (height > kMost * area.height()) {
    text = &Entry::brief;
    height = flow(r, area, all, text, places);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    draw_entry(r, places[i], all[i], all[i].*text);
  }
  return height;
}

}  // namespace ui
