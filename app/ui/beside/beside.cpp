#include "ui/beside/beside.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/beside/beside_values.h"
#include "ui/canvas/format.h"
#include "ui/editor/editor.h"
#include "ui/edits.h"
#include "ui/views.h"
#include "ui/widgets/badge.h"

namespace ui {

// All that the second column remembers, so that neither's pictures push out the other's.
struct BesideColumn {
  State state;
  Cache cache;
  bool opened = false;
};

Beside::Beside() = default;
Beside::~Beside() = default;

bool Beside::busy() const {
  return column && !kernel.empty() && column->state.views.busy();
}

namespace {

// The same pictures under names of their own.
class SecondTextures final : public Textures {
 public:
  explicit SecondTextures(Textures& all) : all_(all) {}
  ImTextureID image(std::string_view key, std::uint64_t version,
                    const std::function<Image()>& paint) override {
    return all_.image("beside " + std::string(key), version, paint);
  }
  ImTextureID image(std::string_view key, std::uint64_t version, const Image& kept,
                    Rows changed) override {
    return all_.image("beside " + std::string(key), version, kept, changed);
  }

 private:
  Textures& all_;
};

// The second column looks at its result as the first does at its own.
void follow(const State& first, const core::ViewSettings& settings, State& second) {
  const std::int64_t finding = second.view.finding;
  second.view = first.view;
  second.view.finding = finding;
  second.views.load(settings);
  second.close_popup = first.close_popup;
  second.popup_open = false;
}

// What was done in the second column is done in both.
void follow_back(const core::View& before, const core::ViewSettings& settings, State& second,
                 State& first) {
  if (const auto now = second.views.save(); now != settings) {
    first.views.load(now);
  }
  if (second.view.tile != before.tile) {
    first.view.tile = second.view.tile;
  }
  if (second.view.name != before.name) {
    first.view.name = second.view.name;
  }
  first.popup_open |= second.popup_open;
}

std::string edits_text(const core::Experiment& experiment) {
  std::string text;
  for (const auto& [k, kind] : experiment.barriers) {
    text += fmt::format("{}barrier {} {}", text.empty() ? "" : ", ", k, core::to_string(kind));
  }
  return text;
}

// "Tiled, barrier 1 off", "Tiled, as typed".
std::string name_of(const Frame& frame, const core::Result& result, bool first) {
  const core::Variant& variant = result.variant;
  std::string name = variant.title.empty() ? variant.name : variant.title;
  const Sheet* sheet = frame.state.of<Editor>().sheet_of(variant.id());
  if (first && sheet != nullptr && sheet->begun != variant.source) {
    name += ", edited";
  } else if (!first && variant.id() == frame.model.result.variant.id()) {
    name += ", as stored in its file";
  }
  const std::string edits = edits_text(result.experiment);
  return edits.empty() ? name : name + ", " + edits;
}

std::string answer_text(const core::Check& check) {
  const std::string error = "max error " + short_scientific(check.max_error);
  return !check.done ? "not compared yet" : (check.correct ? "correct, " : "wrong, ") + error;
}

struct Head {
  const char* letter;
  std::string name;
  const core::Result& result;
  Wordings ratio;
  Wordings values;
  std::string outputs = {};  ///< how they compare with the other kernel's; empty: not known
};

constexpr float kHeadLines = 4.0F;

bool cross(const Canvas& canvas, const Rect& area) {
  const Hit mouse = hit("close beside", area);
  canvas.write(area, "×", mouse.hovered ? pen::text : pen::dim, Align::centre);
  return mouse.clicked;
}

// True: it is to be closed.
bool draw_head(const Canvas& canvas, const Rect& area, const Head& head) {
  const Theme& theme = canvas.theme();
  canvas.fill(area, theme.colours.surface);
  canvas.line({area.low.x, area.high.y - 1.0F}, {area.high.x, area.high.y - 1.0F},
              theme.colours.line);
  canvas.line(area.low, {area.low.x, area.high.y}, theme.colours.line);
  Stack rest{canvas, area.inset(theme.gap.medium, theme.gap.small)};
  Strip name = rest.strip();
  const bool close =
      head.letter[0] == 'B' && cross(canvas, name.rest.cut_right(name.rest.height()));
  name.left(head.letter, pen::accent);
  name.write(head.name);
  const core::Result& result = head.result;
  Strip time = rest.strip();
  if (result.error) {
    time.write(result.error->message,
               pen::text.in(mix(theme.colours.race, theme.colours.text, 0.45F)));
  } else {
    const bool timed = !result.timing.samples_ms.empty();
    time.left(timed ? time_text(result.timing.spread) : "not timed yet",
              timed ? pen::mono : pen::dim);
    time.fitting(head.ratio, pen::dim);
  }
  Strip line = rest.strip();
  const Badge badge = badge_of(result);
  draw_badge_mark(canvas, line.square(std::round(0.8F * canvas.line_height())), badge);
  const bool differs = head.outputs.starts_with("outputs differ");
  const bool wrong = (result.check.done && !result.check.correct) || differs;
  const std::string answer = result.check.done ? result.check.correct ? " · correct" : " · wrong"
                             : head.outputs.empty() ? " · not compared yet"
                                                    : "";
  const std::string outputs = head.outputs.empty() ? "" : " · " + head.outputs;
  Wordings words;
  for (const std::string& text : badge.texts) {
    if (result.check.done) {
      words.push_back(text + " · " + answer_text(result.check) + outputs);
    }
    words.push_back(text + answer + outputs);
  }
  if (differs) {
    words.push_back(badge.texts.back() + answer + " · outputs differ");
  }
  words.push_back(badge.texts.back() + (result.check.done ? answer : ""));
  line.fitting(
      words, wrong ? pen::text.in(mix(theme.colours.race, theme.colours.text, 0.45F)) : pen::text);
  rest.fitting(head.values, pen::dim);
  return close;
}

void draw_heading(const Frame& frame, const char* id, const Rect& area, const Head& head) {
  const Panel panel(frame, id, area);
  if (draw_head(panel.canvas(), area, head)) {
    frame.state.of<Beside>().kernel.clear();
  }
}

void draw_waiting(const Frame& frame, const Rect& area, const std::string& name) {
  const Panel panel(frame, "beside waits", area);
  panel.canvas().fill(area, frame.theme.colours.background);
  Stack rest{panel.canvas(), area.inset(frame.theme.gap.large, frame.theme.gap.large)};
  rest.wrap(
      fmt::format("{} appears here after its first run. The first kernel is paused until then.",
                  name),
      pen::dim);
}

Requests draw_second(const Frame& frame, BesideColumn& column, const core::Result& result,
                     const Rect& area) {
  State& state = column.state;
  if (!std::exchange(column.opened, true)) {
    open_states(state.views);
  }
  follow(frame.state, frame.state.views.save(), state);
  const core::ViewSettings settings = state.views.save();
  state.wanted = result.experiment;
  const core::View before = state.view;
  const Model model{result, frame.model.catalogue, frame.model.devices};
  SecondTextures textures(frame.textures);
  Requests requests;
  const Frame second{.model = model,
                     .state = state,
                     .requests = requests,
                     .theme = frame.theme,
                     .textures = textures,
                     .cache = column.cache,
                     .trace = frame.trace,
                     .findings_shown = frame.findings_shown,
                     .second = true,
                     .settle = frame.settle};
  draw_view(second, area, "view beside");
  follow_back(before, settings, state, frame.state);
  return requests;
}

const core::Variant* known(const core::Catalogue& catalogue, const std::string& id) {
  const auto all = catalogue.all();
  const auto found = std::ranges::find(all, id, &core::Variant::id);
  return found == all.end() ? nullptr : &*found;
}

bool is_edited(const ActionContext& context) {
  const std::string& id = context.state.wanted.variant;
  const Sheet* sheet = context.state.of<Editor>().sheet_of(id);
  return !context.state.wanted.barriers.empty() ||
         (sheet != nullptr && sheet->begun != sheet->buffer.text());
}

}  // namespace

Wordings ratio_text(const core::Spread& of, const core::Spread& to) {
  if (of.count == 0 || to.count == 0 || !(of.median > 0.0) || !(to.median > 0.0)) {
    return {""};
  }
  const bool unsteady = of.unsteady() || to.unsteady();
  const std::string ratio = ratio_of(of.median / to.median, false);
  if (unsteady) {
    return {ratio + " the time of A, unsteady", ratio + " A, unsteady", "~" + ratio};
  }
  if (of.p5 <= to.p95 && to.p5 <= of.p95) {
    return {ratio + " the time of A, within the spread", ratio + " A, in the spread", "~" + ratio};
  }
  return {ratio + " the time of A", ratio + " A", ratio};
}

std::vector<std::string> besides(const ActionContext& context) {
  const std::string& id = context.state.wanted.variant;
  std::vector<std::string> all{id};
  for (const core::Variant& variant : context.model.catalogue.of(context.state.wanted.workload())) {
    if (variant.id() != id && !variant.broken) {
      all.push_back(variant.id());
    }
  }
  return all;
}

void toggle_beside(ActionContext& context) {
  std::string& kernel = context.state.of<Beside>().kernel;
  const auto all = besides(context);
  kernel = !kernel.empty() ? "" : is_edited(context) || all.size() < 2 ? all[0] : all[1];
}

void next_beside(ActionContext& context, int by) {
  std::string& kernel = context.state.of<Beside>().kernel;
  const auto all = besides(context);
  const auto at = std::ranges::find(all, kernel) - all.begin();
  kernel = kernel.empty() ? all.front() : all[cycled(at, by, all.size())];
}

std::string beside_name(const core::Experiment& from, const core::Catalogue& catalogue,
                        const std::string& kernel) {
  if (kernel == from.variant) {
    return "as stored in its file";
  }
  const core::Variant* variant = known(catalogue, kernel);
  return variant == nullptr       ? kernel.substr(kernel.rfind('/') + 1)
         : variant->title.empty() ? variant->name
                                  : variant->title;
}

void draw_views(const Frame& frame, const Rect& area) {
  Beside& beside = frame.state.of<Beside>();
  if (beside.kernel.empty()) {
    beside.column.reset();
    return draw_view(frame, draw_refusal(frame, area));
  }
  const core::Result& result = frame.model.result;
  frame.requests.beside = beside_of(result.experiment, frame.model.catalogue, beside.kernel);
  if (!beside.column) {
    beside.column = std::make_unique<BesideColumn>();
  }
  Rect left = area;
  Rect right = left.cut_right(std::floor(0.5F * area.width()));
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const float high = kHeadLines * ruler.line_height() + 2.0F * frame.theme.gap.small;
  draw_heading(frame, "head a", left.cut_top(high),
               {"A", name_of(frame, result, true), result, {""}, values_text(result)});
  draw_view(frame, left);
  if (frame.model.beside == nullptr) {
    return draw_waiting(frame, right,
                        beside_name(result.experiment, frame.model.catalogue, beside.kernel));
  }
  const core::Result& second = *frame.model.beside;
  draw_heading(frame, "head b", right.cut_top(high),
               {"B", name_of(frame, second, false), second,
                ratio_text(second.timing.spread, result.timing.spread),
                other_values_text(result, second), outputs_text(result, second)});
  const Requests asked = draw_second(frame, *beside.column, second, right);
  frame.requests.beside_trace = asked.trace;
  frame.requests.not_drawn.insert(frame.requests.not_drawn.end(), asked.not_drawn.begin(),
                                  asked.not_drawn.end());
}

}  // namespace ui
