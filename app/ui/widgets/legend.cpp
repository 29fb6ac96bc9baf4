#include "ui/widgets/legend.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/widgets/heat_map.h"
#include "ui/widgets/stack.h"

namespace ui {
namespace {

constexpr float kColourBar = 7.5F;  // a colour bar's length, in sides of a mark
constexpr float kSide = 0.58F;      // of a mark, in lines of text

enum Form { kWhole, kBrief, kGone };

float side_of(const Canvas& canvas) {
  return std::round(kSide * canvas.line_height());
}

float bar_of(Form form) {
  return form == kWhole ? kColourBar : 0.4F * kColourBar;
}

float between_items(const Canvas& canvas) {
  return canvas.theme().gap.large;
}

const std::string& words_of(const LegendItem& item, Form form) {
  return form == kWhole || item.brief.empty() ? item.text : item.brief;
}

// A scale's name may be empty: modules without debug names have buffers without names.
bool is_scale(const LegendItem& item) {
  return !item.mark;
}

float width_of(const Canvas& canvas, const LegendItem& item, Form form) {
  const float side = side_of(canvas);
  if (!is_scale(item)) {
    return side + canvas.theme().gap.small + canvas.width(words_of(item, form)) + 2.0F;
  }
  const float gap = canvas.theme().gap.medium + 1.0F;
  const ColourScale& s = item.scale;
  const float unit = form == kWhole && !s.unit.empty() ? canvas.width(s.unit) + gap : 0.0F;
  return canvas.width(s.name) + canvas.width(s.low, pen::mono) + bar_of(form) * side +
         canvas.width(s.high, pen::mono) + 4.0F * gap + unit;
}

// Where each item goes, and in how many lines.
struct Flow {
  std::vector<Rect> places;
  Rect more;  // how many have none
  float lines = 1.0F;
};

std::size_t gone(const std::vector<Form>& forms) {
  return static_cast<std::size_t>(std::ranges::count(forms, kGone));
}

// How many are left out is told in words, or by their number alone.
enum Telling : std::size_t { kWords, kNumbers };

Flow flow_of(const Canvas& canvas, const Rect& area, const std::vector<LegendItem>& items,
             const std::vector<Form>& forms, Telling telling = kWords) {
  const float line = canvas.line_height();
  Flow flow;
  glm::vec2 at = area.low;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const float width = forms[i] == kGone ? 0.0F : width_of(canvas, items[i], forms[i]);
    if (at.x > area.low.x && at.x + width > area.high.x) {
      at = {area.low.x, at.y + line};
      ++flow.lines;
    }
    flow.places.push_back({at, at + glm::vec2(width, line)});
    at.x += width > 0.0F ? width + between_items(canvas) : 0.0F;
  }
  if (const std::size_t left = gone(forms); left > 0) {
    const float width = canvas.width(left_out_words(left)[telling]) + 1.0F;
    if (at.x > area.low.x && at.x + width > area.high.x) {
      at = {area.low.x, at.y + line};
    }
    flow.more = {at, at + glm::vec2(width, line)};
  }
  return flow;
}

bool fits(const Flow& flow, const Rect& area) {
  const auto inside = [&area](const Rect& place) {
    return place.high.x <= area.high.x + 1.0F && place.high.y <= area.high.y + 1.0F;
  };
  return std::ranges::all_of(flow.places, inside) && (flow.more.empty() || inside(flow.more));
}

// Those that have no place are counted, and named to who asks there.
void draw_more(const Canvas& canvas, const Rect& place, const std::vector<LegendItem>& items,
               const std::vector<Form>& forms) {
  const std::string words = canvas.fitting(left_out_words(gone(forms)), place.width());
  canvas.write(place, words, pen::dim);
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(im(place.low), im(place.high))) {
    return;
  }
  std::string all;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (forms[i] == kGone) {
      const ColourScale& s = items[i].scale;
      all += (all.empty() ? "" : "\n") +
             (!is_scale(items[i]) ? items[i].text
                                  : fmt::format("{}{}colours from {} to {} {}", s.name,
                                                s.name.empty() ? "" : ": ", s.low, s.high, s.unit));
    }
  }
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(all.c_str());
  ImGui::EndTooltip();
}

// The least important gets shorter first; when all are short, it vanishes.
bool shrink(const std::vector<LegendItem>& items, std::vector<Form>& forms) {
  for (const Form from : {kWhole, kBrief}) {
    std::size_t victim = items.size();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (forms[i] == from &&
          (victim == items.size() || items[i].importance < items[victim].importance)) {
        victim = i;
      }
    }
    if (victim < items.size()) {
      forms[victim] = static_cast<Form>(from + 1);
      return true;
    }
  }
  return false;
}

std::vector<Form> fitting_forms(const Canvas& canvas, const Rect& area,
                                const std::vector<LegendItem>& items, Telling telling) {
  std::vector<Form> forms(items.size(), kWhole);
  while (!fits(flow_of(canvas, area, items, forms, telling), area) && shrink(items, forms)) {
  }
  return forms;
}

void draw_scale(const Canvas& canvas, Textures& textures, Strip strip, const ColourScale& scale,
                Form form) {
  const float side = side_of(canvas);
  strip.left(scale.name);
  strip.left(scale.low, pen::mono);
  const Rect bar = strip.rest.cut_left(bar_of(form) * side);
  const glm::vec2 shades = scale.shades + 0.004F * (glm::vec2(0.5F) - scale.shades);
  canvas.image(scale.difference ? textures.image("difference bar", 1, paint_difference_bar)
                                : textures.image("colour bar", 1, paint_colour_bar),
               bar.inset(0.0F, std::round(0.5F * (bar.height() - 0.8F * side))), {shades.x, 0.5F},
               {shades.y, 0.5F});
  strip.rest.cut_left(canvas.theme().gap.medium);
  strip.left(scale.high, pen::mono);
  if (form == kWhole) {
    strip.write(scale.unit, pen::dim);
  }
}

}  // namespace

namespace mark {

Mark fill(Colour colour) {
  return [=](const Canvas& canvas, const Rect& box) { canvas.fill(box, colour); };
}

Mark outline(Colour colour) {
  return [=](const Canvas& canvas, const Rect& box) {
    canvas.frame(box, colour, canvas.theme().gap.thin);
  };
}

Mark area(Colour colour, float opacity) {
  return [=](const Canvas& canvas, const Rect& box) {
    canvas.fill(box, fade(colour, opacity));
    canvas.frame(box, colour, canvas.theme().gap.thin);
  };
}

Mark stripes(Colour colour) {
  return [=](const Canvas& canvas, const Rect& box) {
    canvas.fill(box, fade(colour, 0.25F));
    canvas.stripes(box, colour);
  };
}

Mark hatched(Colour colour) {
  return [=](const Canvas& canvas, const Rect& box) {
    stripes(colour)(canvas, box);
    canvas.frame(box, colour);
  };
}

Mark line(Colour colour) {
  return [=](const Canvas& canvas, const Rect& box) {
    const float y = std::floor(box.centre().y);
    canvas.line({box.low.x, y}, {box.high.x, y}, colour, canvas.theme().gap.thin);
  };
}

Mark dot(Colour colour) {
  return [=](const Canvas& canvas, const Rect& box) {
    canvas.dot(box.centre(), 0.35F * box.width(), colour);
  };
}

Mark diamond(Colour colour) {
  return [=](const Canvas& canvas, const Rect& box) {
    draw_diamond(canvas, box.centre(), 0.5F * box.width(), colour);
  };
}

}  // namespace mark

LegendItem legend_scale(ColourScale scale, int importance) {
  return {.mark = {}, .text = {}, .brief = {}, .importance = importance, .scale = std::move(scale)};
}

Rect draw_legend(const Canvas& canvas, Textures& textures, const Rect& area,
                 const std::vector<LegendItem>& items, const std::string& hint) {
  std::vector<Form> forms = fitting_forms(canvas, area, items, kWords);
  const bool words = gone(forms) < items.size();
  forms = words ? forms : fitting_forms(canvas, area, items, kNumbers);
  const Flow flow = flow_of(canvas, area, items, forms, words ? kWords : kNumbers);
  Rect left{area.low, {area.high.x, area.low.y + canvas.line_height()}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (forms[i] == kGone) {
      continue;
    }
    Strip strip{canvas, flow.places[i]};
    left = {{strip.rest.high.x + between_items(canvas), strip.rest.low.y},
            {area.high.x, strip.rest.high.y}};
    if (is_scale(items[i])) {
      draw_scale(canvas, textures, strip, items[i].scale, forms[i]);
      continue;
    }
    items[i].mark(canvas, strip.square(side_of(canvas)));
    strip.write(words_of(items[i], forms[i]), pen::dim);
  }
  if (!flow.more.empty() && fits({.places = {}, .more = flow.more}, area)) {
    const Rect rest{flow.more.low, {area.high.x, flow.more.high.y}};
    draw_more(canvas, rest, items, forms);
    return {{rest.high.x, rest.low.y}, rest.high};
  }
  Strip{canvas, left}.hint(hint);
  return left;
}

float legend_lines(const Canvas& canvas, float width, const std::vector<LegendItem>& items,
                   float most) {
  const auto lines = [&](Form form) {
    return flow_of(canvas, {{0.0F, 0.0F}, {width, 1.0F}}, items,
                   std::vector<Form>(items.size(), form))
        .lines;
  };
  const float whole = lines(kWhole);
  return whole <= most ? whole : lines(kBrief);
}

void draw_diamond(const Canvas& canvas, glm::vec2 at, float radius, Colour colour) {
  canvas.list().AddQuadFilled(im(at - glm::vec2(0.0F, radius)), im(at + glm::vec2(radius, 0.0F)),
                              im(at + glm::vec2(0.0F, radius)), im(at - glm::vec2(radius, 0.0F)),
                              colour);
}

}  // namespace ui
