// How it runs, whether its answer is right, and whether it is free of races.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/panels/top_bar.h"
#include "ui/panels/under_way.h"
#include "ui/widgets/badge.h"

namespace ui {
namespace {

// A word for what the lab is doing, when it is not simply running.
std::string stage_text(const core::Result& result) {
  switch (result.stage) {
    case core::Stage::starting:
      return "starting";
    case core::Stage::compiling:
      return "compiling";
    case core::Stage::uploading:
      return "uploading";
    case core::Stage::verifying:
      return "verifying";
    case core::Stage::paused:
      return "paused";
    case core::Stage::failed:
      return "failed";
    case core::Stage::running:
    case core::Stage::done:
      break;
  }
  return {};
}

// The pause button: two bars, or a triangle while paused.
void draw_pause(const Bar& bar, const Rect& area) {
  const core::Result& result = bar.frame.model.result;
  const Palette& c = bar.theme().colours;
  const Hit mouse = hit("pause", area);
  const Colour colour = mouse.hovered ? c.text : c.dim;
  const glm::vec2 m = area.centre();
  const float r = bar.theme().gap.small;
  const bool paused = result.stage == core::Stage::paused;
  if (paused) {
    bar.canvas.list().AddTriangleFilled({m.x - r, m.y - r}, {m.x - r, m.y + r}, {m.x + r, m.y},
                                        colour);
  } else {
    bar.canvas.fill({{m.x - r, m.y - r}, {m.x - 0.3F * r, m.y + r}}, colour);
    bar.canvas.fill({{m.x + 0.3F * r, m.y - r}, {m.x + r, m.y + r}}, colour);
  }
  if (mouse.clicked) {
    bar.frame.requests.paused = !paused;
  }
}

// Progress of a launch that is cut into slices, and a way out of it.
void draw_cancel(const Bar& bar, const Rect& area) {
  Strip strip{bar.canvas, area};
  bar.frame.requests.cancel |= strip.press("cancel");
  const float around = 0.5F * (area.height() - bar.theme().gap.small);
  const core::Result& result = bar.frame.model.result;
  draw_progress_line(bar.canvas, strip.rest.inset(0.0F, around), result.progress);
  const double left = bar.frame.state.of<UnderWay>().left(result.progress, ImGui::GetTime());
  if (area.contains(vec(ImGui::GetIO().MousePos)) && !bar.frame.state.popup_open) {
    tell(under_way_words(result, left) + "\nEsc cancels it");
  }
}

}  // namespace

Part run_part(const Bar& bar) {
  const core::Result& result = bar.frame.model.result;
  const std::string stage = stage_text(result);
  const bool sliced = is_under_way(result);
  const float pause = bar.height;
  const float cancel = 2.0F * bar.height + bar.text_width("cancel");
  Part part;
  part.to_the_right = true;
  // As wide whatever it says: what stands to the left must not move under the mouse.
  part.item = {{pause + std::max(bar.text_width("compiling"), cancel)}, 7};
  part.draw = [&bar, stage, sliced, pause](const Rect& area, int) {
    Rect rest = area;
    draw_pause(bar, rest.cut_right(pause));
    if (sliced) {
      draw_cancel(bar, rest);
    } else if (!stage.empty()) {
      bar.canvas.write(rest, stage, pen::dim, Align::right);
    }
  };
  return part;
}

namespace {

struct Answer {
  std::string word, detail;
  bool good = false, bad = false;
};

bool races_found(const core::Result& result) {
  return result.races && std::ranges::any_of(result.races->findings, [](const core::Finding& f) {
           return f.kind == core::FindingKind::race && f.severity() == core::Severity::error;
         });
}

constexpr const char* kNotRun = "not run";
constexpr const char* kKeptBack = "hidden";

// A lesson asks, and its reader has not answered.
bool is_sealed(const Bar& bar) {
  return bar.frame.state.of<LessonState>().sealed();
}

Badge sealed_badge(const Bar& bar) {
  if (bar.frame.state.of<LessonState>().awaited()) {
    return badge_of(bar.frame.model.result);
  }
  return {BadgeKind::waiting,
          {"after your answer", "hidden"},
          "The result of the check appears after you answer the question of the lesson.",
          0.0};
}

Answer answer_of(const core::Result& result) {
  const core::Check& check = result.check;
  if (result.text_only && result.error) {
    return {kNotRun, ""};
  }
  if (!check.done || result.stage == core::Stage::compiling) {
    return {result.refused() ? kNotRun : "not compared yet", ""};
  }
  const std::string error = "max error " + short_scientific(check.max_error);
  const bool lucky = check.correct && races_found(result);
  return lucky           ? Answer{"correct by luck", error, true, false}
         : check.correct ? Answer{"correct", error, true, false}
                         : Answer{"wrong", error, false, true};
}

std::string answer_tooltip(const core::Result& result) {
  const core::Check& check = result.check;
  std::string text = fmt::format(
      "{} of {} elements compared with a reference in double precision ({}).\n"
      "Largest error: {:.3g}, relative to {}. Errors up to {:.3g} come from rounding.",
      count_text(check.compared), count_text(check.elements), check.method, check.max_error,
      check.scale, check.tolerance);
  text += check.worst.empty() ? "" : "\n" + check.worst;
  return !check.correct || !races_found(result)
             ? text
             : "The result of this launch is correct only by luck: the kernel has a race.\n"
               "Another launch, size, tile or device may give a wrong result.\n" +
                   text;
}

float mark_side(const Bar& bar) {
  return std::round(0.6F * bar.canvas.line_height());
}

void draw_answer(const Bar& bar, const Rect& area, const Answer& answer, bool with_detail) {
  const Theme& theme = bar.theme();
  const Palette& c = theme.colours;
  Strip rest{bar.canvas, area};
  const Rect mark = rest.square(mark_side(bar));
  const glm::vec2 m = mark.centre();
  const float r = 0.4F * mark.width();
  if (answer.good) {
    const glm::vec2 tick[] = {
        {m.x - r, m.y}, {m.x - 0.3F * r, m.y + 0.7F * r}, {m.x + r, m.y - 0.8F * r}};
    bar.canvas.polyline(tick, c.accent, theme.gap.thin);
  } else if (answer.bad) {
    bar.canvas.list().AddLine({m.x - r, m.y - r}, {m.x + r, m.y + r}, c.race, theme.gap.thin);
    bar.canvas.list().AddLine({m.x - r, m.y + r}, {m.x + r, m.y - r}, c.race, theme.gap.thin);
  } else {
    bar.canvas.dot(m, 0.5F * r, c.dim);
  }
  const bool more = with_detail && !answer.detail.empty();
  rest.fitting({more ? answer.word + " · " + answer.detail : answer.word, answer.word},
               answer.bad    ? pen::text.in(mix(c.race, c.text, 0.3F))
               : answer.good ? pen::text
                             : pen::dim);
  if (bar.frame.model.result.check.done && hit("answer", area).hovered) {
    tell(answer_tooltip(bar.frame.model.result));
  }
}

}  // namespace

Part answer_part(const Bar& bar) {
  const bool kept_back = is_sealed(bar) && !bar.frame.state.of<LessonState>().awaited();
  const Answer answer = kept_back ? Answer{kKeptBack, ""} : answer_of(bar.frame.model.result);
  const float mark = mark_side(bar) + bar.theme().gap.small + 1.0F;
  Part part;
  part.to_the_right = true;
  // Room for whatever it may come to say. Beside what somebody answered it says what it is about.
  const bool lesson = bar.frame.state.of<LessonState>().lesson.has_value();
  part.item = {
      {mark + bar.text_width("correct · max error 3e-88"),
       mark + bar.text_width("not compared yet"),
       mark + (lesson ? std::max(bar.text_width("kernel wrong"), bar.text_width("right by luck"))
                      : bar.text_width("correct"))},
      1,
      false};
  part.draw = [&bar, answer, lesson](const Rect& area, int form) {
    Answer said = answer;
    const bool brief = form == 2;
    said.word = !brief || answer.word == kNotRun   ? answer.word
                : !answer.good && !answer.bad      ? "not yet"
                : answer.word == "correct by luck" ? (lesson ? "right by luck" : "by luck")
                : lesson                           ? answer.good ? "kernel right" : "kernel wrong"
                                                   : answer.word;
    draw_answer(bar, area, said, form == 0);
  };
  return part;
}

namespace {

float badge_side(const Bar& bar) {
  return std::round(0.8F * bar.canvas.line_height());
}

void draw_races(const Bar& bar, const Rect& area, const Badge& badge, const std::string& text) {
  const Theme& theme = bar.theme();
  const Palette& c = theme.colours;
  const Hit mouse = hit("races", area);
  const bool bad = badge.kind == BadgeKind::found;
  const Colour edge = bad ? c.race : mouse.hovered ? c.dim : c.line;
  bar.canvas.fill(area,
                  bad             ? fade(c.race, 0.22F)
                  : mouse.hovered ? c.hover
                                  : c.raised,
                  theme.gap.small);
  bar.canvas.frame(area, edge, bad ? 0.75F * theme.gap.thin : 1.0F, theme.gap.small);
  Strip rest{bar.canvas, area.inset(theme.gap.medium, 0.0F)};
  draw_badge_mark(bar.canvas, rest.square(badge_side(bar)), badge);
  rest.write(text, bad || badge.kind == BadgeKind::clean ? pen::text : pen::dim);
  if (mouse.hovered) {
    tell(badge.tooltip);
  }
  if (mouse.clicked) {
    open_findings(bar.frame);
  }
}

}  // namespace

Part races_part(const Bar& bar) {
  Badge badge = is_sealed(bar) ? sealed_badge(bar) : badge_of(bar.frame.model.result);
  if (!bar.frame.state.of<LessonState>().open()) {  // how many tiles may be what is asked
    badge.texts = {badge.texts.back()};
  }
  Part part;
  part.to_the_right = true;
  part.item = {{}, 2, false};
  const Gaps& gap = bar.theme().gap;
  const float around = badge_side(bar) + gap.small + 2.0F * gap.medium + 1.0F;
  for (const char* usual :
       {"race-free · 65,536/65,536 tiles · 14/14 accesses", "race-free · 65,536/65,536 tiles",
        "race-free · 4096/4096", "not checked yet"}) {
    part.item.widths.push_back(bar.text_width(usual) + around);
  }
  part.draw = [&bar, badge, around](const Rect& area, int) {
    const auto fits = std::ranges::find_if(badge.texts, [&](const std::string& text) {
      return bar.text_width(text) + around <= area.width() + 1.0F;
    });
    draw_races(bar, area, badge, fits != badge.texts.end() ? *fits : badge.texts.back());
  };
  return part;
}

Part help_part(const Bar& bar) {
  Part part;
  part.to_the_right = true;
  part.item = {{bar.height}, 9, false};
  part.draw = [&bar](const Rect& area, int) {
    const Palette& c = bar.theme().colours;
    const Hit mouse = hit("help", area);
    bar.canvas.fill(area, mouse.hovered ? c.hover : c.raised, bar.theme().gap.small);
    bar.canvas.frame(area, c.line, 1.0F, bar.theme().gap.small);
    bar.canvas.write(area, "?", pen::accent, Align::centre);
    if (mouse.hovered) {
      tell("all keys (?); point at a word with a dotted underline for an explanation");
    }
    if (mouse.clicked) {
      bar.frame.state.help = !bar.frame.state.help;
    }
  };
  return part;
}

}  // namespace ui
