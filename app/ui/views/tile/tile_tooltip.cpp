// A sentence beside the pointer, and the meaning of the tile view's marks.
#include <algorithm>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "ui/views/tile/tile_view.h"
#include "ui/widgets/format.h"
#include "ui/widgets/heat_map.h"
#include "ui/widgets/layout.h"

namespace ui {
namespace {

constexpr float kGap = 6.0F;

const RacingPair* race_of(const TileScene& scene, const TileFocus& at) {
  for (const RacingPair* race : scene.races) {
    if (at.what == TileFocus::What::cell && race->variable == at.variable &&
        race->element == at.element) {
      return race;
    }
  }
  return nullptr;
}

std::vector<std::string> tooltip_lines(const TileScene& scene) {
  const TileFocus& at = *scene.pointed;
  const core::Trace& trace = scene.trace();
  std::vector<std::string> lines;
  if (const RacingPair* race = race_of(scene, at)) {
    lines.push_back(race_sentence(scene, *race));
  }
  if (at.what == TileFocus::What::invocation) {
    std::string head = "invocation " + invocation_name(trace, at.invocation);
    if (at.invocation < trace.subgroup.size()) {
      head += fmt::format(", subgroup {} lane {}", trace.subgroup[at.invocation],
                          trace.lane[at.invocation]);
    }
    lines.push_back(head);
  } else {
    lines.push_back(element_name(trace.variables[at.variable], at.element));
    if (!scene.story.shapes()[at.variable].touched[at.element]) {
      lines.emplace_back("never touched: padding");
    }
  }
  constexpr std::size_t kMost = 4;
  for (std::size_t i = 0; i < std::min(scene.own.size(), kMost); ++i) {
    const Touch& t = scene.own[i];
    const std::string what =
        at.what == TileFocus::What::invocation
            ? fmt::format("{} {}", verb_of(trace, t),
                          element_name(trace.variables[t.variable], t.element))
            : fmt::format("{} {}", invocation_name(trace, t.invocation), verb_of(trace, t));
    lines.push_back(what + ": " + value_of(trace, t));
  }
  if (scene.own.size() > kMost) {
    lines.push_back(fmt::format("and {} more", count_text(scene.own.size() - kMost)));
  }
  if (scene.own.empty()) {
    lines.emplace_back(scene.moment.moment == 0 ? "nothing in this phase"
                                                : "nothing at this moment");
  }
  return lines;
}

enum class Mark { read, written, shared, global, race, untouched, idle };

struct Meaning {
  Mark mark;
  std::string text;
  int importance;
};

std::vector<Meaning> meanings(const TileScene& scene) {
  std::vector<Meaning> all;
  if (!scene.races.empty()) {
    all.push_back({Mark::race, "race", 9});
  }
  all.push_back({Mark::read, "reads", 8});
  all.push_back({Mark::written, "writes", 8});
  const auto& doing = scene.moment.doing;
  if (std::ranges::find(doing, 0) != doing.end()) {
    all.push_back({Mark::idle, "idle", 4});
  }
  if (scene.story.has_shared()) {
    all.push_back({Mark::shared, "shared", 6});
  }
  all.push_back({Mark::global, "global memory", 5});
  const auto padded = [](const ElementShape& s) {
    return std::ranges::find(s.touched, false) != s.touched.end();
  };
  if (std::ranges::any_of(scene.story.shapes(), padded)) {
    all.push_back({Mark::untouched, "never touched", 3});
  }
  return all;
}

void draw_mark(const TileScene& scene, const Rect& box, Mark mark) {
  const Palette& c = scene.theme().colours;
  const Canvas& canvas = scene.canvas;
  switch (mark) {
    case Mark::read:
      canvas.fill(box, fade(c.dim, 0.3F));
      canvas.frame(box, c.dim, scene.theme().px(2));
      break;
    case Mark::written:
      canvas.fill(box, c.dim);
      break;
    case Mark::shared:
      canvas.fill(box, c.shared);
      break;
    case Mark::global:
      canvas.fill(box, c.global);
      break;
    case Mark::race:
      canvas.fill(box, fade(c.race, 0.45F));
      canvas.stripes(box, c.race);
      canvas.frame(box, c.race, scene.theme().px(1));
      break;
    case Mark::untouched:
    case Mark::idle:
      canvas.fill(box, c.raised);
      canvas.stripes(box, c.idle);
      break;
  }
}

struct Bar {
  std::string name, low, high;
};

// One scale for each array; arrays whose values span the same share one.
std::vector<Bar> bars(const TileScene& scene) {
  std::vector<Bar> all;
  if (scene.by_bank()) {
    return {{"bank", "0", std::to_string(core::kBanks - 1)}};
  }
  for (std::uint32_t v = 0; v < scene.trace().variables.size(); ++v) {
    const ElementShape& shape = scene.story.shapes()[v];
    if (!scene.shared(v) || shape.high <= shape.low) {
      continue;
    }
    const std::string low = tick_text(static_cast<double>(shape.low));
    const std::string high = tick_text(static_cast<double>(shape.high));
    const auto same = std::ranges::find_if(
        all, [&](const Bar& bar) { return bar.low == low && bar.high == high; });
    if (same != all.end()) {
      same->name += ", " + scene.trace().variables[v].name;
    } else {
      all.push_back({scene.trace().variables[v].name, low, high});
    }
  }
  return all;
}

float bar_width(const TileScene& scene, const Bar& bar, float length) {
  const Theme& theme = scene.theme();
  return scene.canvas.measure(bar.name, theme.fonts.text).x +
         scene.canvas.measure(bar.low, theme.fonts.mono).x +
         scene.canvas.measure(bar.high, theme.fonts.mono).x + length + 3.0F * theme.px(kGap) + 2.0F;
}

void draw_bar(const TileScene& scene, Rect strip, const Bar& bar, float length) {
  const Theme& theme = scene.theme();
  const auto put = [&](const std::string& text, ImFont* font, Colour colour) {
    scene.canvas.text_in(strip, text, font, colour);
    strip.cut_left(scene.canvas.measure(text, font).x + theme.px(kGap));
  };
  put(bar.name, theme.fonts.text, theme.colours.text);
  put(bar.low, theme.fonts.mono, theme.colours.text);
  const Rect box = strip.cut_left(length);
  const auto texture = scene.frame.textures.image("colour bar", 1, paint_colour_bar);
  scene.canvas.image(texture, box.inset(0.0F, 0.5F * (box.height() - theme.px(10))), {0.002F, 0.5F},
                     {0.998F, 0.5F});
  strip.cut_left(theme.px(kGap));
  put(bar.high, theme.fonts.mono, theme.colours.text);
}

}  // namespace

void draw_tile_tooltip(const TileScene& scene) {
  if (!scene.pointed) {
    return;
  }
  const Theme& theme = scene.theme();
  const Canvas canvas(*ImGui::GetForegroundDrawList(), theme, scene.frame.trace, 3);
  const float line = canvas.line_height(theme.fonts.text);
  const float most = std::min(theme.px(380), 0.8F * ImGui::GetIO().DisplaySize.x);
  std::vector<std::string> lines;
  float width = 0.0F;
  for (const std::string& sentence : tooltip_lines(scene)) {
    for (std::string& part : canvas.wrap(sentence, theme.fonts.text, most)) {
      width = std::max(width, canvas.measure(part, theme.fonts.text).x);
      lines.push_back(std::move(part));
    }
  }
  const glm::vec2 size{width + theme.px(20),
                       static_cast<float>(lines.size()) * line + theme.px(14)};
  glm::vec2 at = vec(ImGui::GetIO().MousePos) + theme.px(16);
  const glm::vec2 display = vec(ImGui::GetIO().DisplaySize);
  at = glm::max(glm::min(at, display - size - theme.px(4)), glm::vec2(0.0F));
  const Rect box{glm::floor(at), glm::floor(at + size)};
  const bool race = race_of(scene, *scene.pointed) != nullptr;
  canvas.fill(box, theme.colours.raised, theme.px(4));
  canvas.frame(box, race ? theme.colours.race : theme.colours.line, theme.px(1), theme.px(4));
  Rect rest = box.inset(theme.px(10), theme.px(7));
  for (const std::string& text : lines) {
    canvas.text_in(rest.cut_top(line), text, theme.fonts.text, theme.colours.text);
  }
}

void draw_tile_legend(const TileScene& scene) {
  const Theme& theme = scene.theme();
  const Canvas& canvas = scene.canvas;
  Rect strip = scene.legend;
  const float side = theme.px(12);
  const float length = theme.px(70);
  const auto marks = meanings(scene);
  const auto scales = bars(scene);
  std::vector<BarItem> items;
  for (const Meaning& m : marks) {
    items.push_back({{side + theme.px(kGap) + canvas.measure(m.text, theme.fonts.text).x + 1.0F},
                     m.importance});
  }
  for (std::size_t i = 0; i < scales.size(); ++i) {
    items.push_back({{bar_width(scene, scales[i], length)}, 7 - 4 * static_cast<int>(i)});
  }
  const float gap = theme.px(20);
  const auto forms = fit(items, strip.width(), gap);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (forms[i] < 0) {
      continue;
    }
    Rect part = strip.cut_left(items[i].widths[0]);
    strip.cut_left(gap);
    if (i >= marks.size()) {
      draw_bar(scene, part, scales[i - marks.size()], length);
      continue;
    }
    const Rect box = part.cut_left(side);
    draw_mark(scene, box.inset(0.0F, 0.5F * (box.height() - side)), marks[i].mark);
    part.cut_left(theme.px(kGap));
    canvas.text_in(part, marks[i].text, theme.fonts.text, theme.colours.dim);
  }
}

}  // namespace ui
