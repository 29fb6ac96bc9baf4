// The way through a lesson: which scene is shown when, and the kernel that is lent to be mended.
#include <algorithm>
#include <utility>

#include "core/lessons/lesson_scene.h"
#include "ui/editor/editor.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/panels/panel_sizes.h"
#include "ui/picking.h"
#include "ui/views/tile/tile_state.h"

namespace ui {
namespace {

void show_step(LessonState& state, std::size_t number) {
  state.step = number;
  state.answer.reset();
  state.set.reset();
  state.found = state.revealed = false;
  state.typed.clear();
  state.trouble.clear();
}

// The first that was not gone through to its end; after the last one, the first.
std::size_t coming_after(const LessonState& state, std::size_t number) {
  const std::size_t count = state.lessons.size();
  for (std::size_t i = 1; i <= count; ++i) {
    const core::Lesson& next = state.lessons[(number + i) % count];
    if (state.progress.of(next.name) < next.steps.size()) {
      return (number + i) % count;
    }
  }
  return (number + 1) % count;
}

void pass(LessonState& state) {
  const core::Lesson& lesson = state.lessons[*state.lesson];
  std::size_t& passed = state.progress.passed[lesson.name];
  passed = std::max(passed, state.step + 1);
}

void take_back(const Frame& frame, LessonState& state) {
  frame.state.of<Picking>().forget();
  if (!state.lent) {
    return;
  }
  const Lent lent = *std::exchange(state.lent, std::nullopt);
  Editor& editor = frame.state.of<Editor>();
  editor.sheets.erase(lent.variant);
  editor.focused.clear();
  if (lent.kept) {
    editor.sheets.emplace(
        lent.variant,
        Sheet{.buffer = TextBuffer(*lent.kept), .begun = lent.file, .sent = *lent.kept});
  }
  frame.requests.edit = EditedKernel{lent.variant, lent.kept};
}

void want_scene(const Frame& frame, LessonState& state, const core::LessonScene& scene) {
  core::Experiment wanted = scene.experiment;
  wanted.device = frame.state.wanted.device;
  frame.actions().want(wanted);
  frame.state.source_of.clear();  // what a step is about is looked for again
  frame.state.views.forget_kernel();
  frame.state.views.load_afresh(scene.look, panel_sizes);
  if (!scene.view.empty()) {
    frame.state.view.name = scene.view;
  }
  // What its reader points at stays, and a finding that is shown still has a workgroup of its own.
  const std::int64_t before = std::exchange(state.workgroup, scene.workgroup);
  const bool found = chosen_finding(frame.state.view, frame.model.result) != nullptr;
  if (scene.workgroup >= 0 || (before >= 0 && !found)) {
    frame.state.view.tile = scene.workgroup;
  }
}

// What a question leaves on the screen stays as its reader left it.
bool stands(const Frame& frame, const core::LessonScene& scene) {
  core::Experiment wanted = frame.state.wanted;
  wanted.device = scene.experiment.device;
  return wanted == scene.experiment && (scene.view.empty() || scene.view == frame.state.view.name);
}

// The lines in which a text differs from another one; where lines are gone, those beside them.
std::optional<LineRun> changed_lines(std::string_view text, std::string_view other) {
  if (text == other) {
    return std::nullopt;
  }
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(text, other).in1 - text.begin());
  std::size_t behind = 0;
  while (behind < std::min(text.size(), other.size()) - same &&
         text[text.size() - 1 - behind] == other[other.size() - 1 - behind]) {
    ++behind;
  }
  const auto line_at = [&text](std::size_t byte) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, byte), '\n'));
  };
  const std::size_t end = text.size() - behind;
  return LineRun{line_at(same), line_at(end > same ? end - 1 : end)};
}

void lend(const Frame& frame, LessonState& state, const core::LessonStep& step) {
  const std::string& id = step.experiment.variant;
  const auto variant = frame.model.catalogue.find(id);
  const auto given = variant ? core::given_text(step, variant->source)
                             : core::Expected<std::string>(std::unexpected(variant.error()));
  if (!given) {
    state.trouble = given.error().message;
    return;
  }
  Editor& editor = frame.state.of<Editor>();
  Lent lent{.variant = id, .given = *given, .file = variant->source, .kept = {}};
  if (const Sheet* own = editor.sheet_of(id)) {
    lent.kept = own->buffer.text();
  }
  editor.sheets.insert_or_assign(
      id, Sheet{.buffer = TextBuffer(*given), .begun = variant->source, .sent = *given});
  frame.requests.edit = EditedKernel{id, *given};
  state.lent = std::move(lent);
}

// A race is pointed at, so that both of its lines are marked.
void point_at_finding(const Frame& frame, LessonState& state, const core::LessonStep& step) {
  const core::Result& result = frame.model.result;
  if (state.found || !core::shows_step(step, result) || !result.races) {
    return;
  }
  state.found = true;
  if (!result.races->findings.empty() && (step.fact == "verdict" || step.fact == "hazards")) {
    frame.actions().choose_finding(0);
  }
}

void ask_for_stream(const Frame& frame, const core::LessonStep& step) {
  const core::Result& result = frame.model.result;
  if (core::lesson_needs(step.fact).contains(core::Step::stream) && !result.stream &&
      core::shows_step(step, result)) {
    frame.requests.stream = true;
  }
}

}  // namespace

const core::LessonStep* LessonState::current() const {
  return lesson ? &lessons[*lesson].steps[step] : nullptr;
}

bool LessonState::open() const {
  const core::LessonStep* asking = current();
  return asking == nullptr || !asking->asks() || asking->mend || answer || revealed;
}

bool LessonState::asks_yet(const std::string& fact, const std::string& array) const {
  const core::LessonStep* now = current();
  if (now == nullptr) {
    return false;
  }
  const std::string wanted = array.empty() ? fact : fact + " " + array;
  const auto& all = lessons[*lesson].steps;
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(step + (open() ? 1 : 0));
  return std::any_of(first, all.end(), [&](const core::LessonStep& later) {
    return later.experiment == now->experiment && (later.fact == wanted || later.fact == fact);
  });
}

bool LessonState::sealed() const {
  return awaited() || (!open() && core::lesson_scene(lessons[*lesson], step, false).sealed);
}

namespace {

// The kernel's own, whichever of its files is shown.
const std::string& running_text(const core::Result& result) {
  return result.launches.empty() ? result.variant.source : result.launches[result.launch].source;
}

// What the reader was given, or has typed since; an error says that it can't.
bool has_come(const Lent& lent, Editor& editor, const core::Result& result) {
  const Sheet* sheet = editor.sheet_of(lent.variant);
  const std::string& text = running_text(result);
  return result.error || (result.variant.id() == lent.variant &&
                          (text == lent.given || (sheet != nullptr && text == sheet->sent)));
}

// Its text, of which nothing is known yet.
core::Result awaited_result(const Lent& lent, const core::LessonStep& step, const Model& model) {
  core::Variant variant;
  if (const auto known = model.catalogue.find(lent.variant)) {
    variant = *known;
    variant.source = lent.given;
  }
  return core::not_set_up(model.result, variant, step.experiment);
}

}  // namespace

std::optional<core::Result> sealed_result(State& state, const Model& model) {
  LessonState& lessons = state.of<LessonState>();
  if (lessons.awaited() && has_come(*lessons.lent, state.of<Editor>(), model.result)) {
    lessons.lent->awaited = false;
  }
  if (!lessons.sealed()) {
    return std::nullopt;
  }
  return lessons.awaited() ? awaited_result(*lessons.lent, *lessons.current(), model)
                           : core::sealed_result(model.result);
}

void find_coming(LessonState& state) {
  state.coming = state.lessons.empty() ? 0 : coming_after(state, state.lessons.size() - 1);
}

void begin_lesson(LessonState& state, std::size_t number) {
  state.offered = state.choosing = false;
  state.coming = coming_after(state, number);
  state.lesson = number;
  const std::size_t passed = state.progress.of(state.lessons[number].name);
  show_step(state, passed < state.lessons[number].steps.size() ? passed : 0);
}

void end_lesson(const Frame& frame, LessonState& state) {
  take_back(frame, state);
  state.lesson.reset();
}

void go_in_lesson(const Frame& frame, LessonState& state, int by) {
  const std::size_t count = state.lessons[*state.lesson].steps.size();
  take_back(frame, state);
  frame.state.source_of.clear();
  if (by > 0) {
    pass(state);
  }
  if (by > 0 && state.step + 1 == count) {
    state.coming = coming_after(state, *state.lesson);
    state.lesson.reset();
    state.choosing = state.lessons.size() > 1;
  } else {
    show_step(state, by > 0 ? state.step + 1 : state.step - std::min<std::size_t>(state.step, 1));
  }
}

namespace {

void take_click(const Frame& frame, LessonState& state) {
  const core::LessonStep& step = *state.current();
  Picking& picking = frame.state.of<Picking>();
  const bool asked = step.by() == core::AnswerBy::click && !state.open();
  if (asked && state.set == LessonState::Standing{state.step, false}) {
    state.answer = picking.got;
  }
  if (!asked || state.answer) {
    picking.wanted.reset();
  }
  const bool told = step.by() == core::AnswerBy::click && state.open();
  picking.told = told ? step.fact : std::string();
  picking.said = told ? state.answer : std::nullopt;
}

// Where the text speaks of a cell it is seen which one.
void seek_cell(const Frame& frame, const core::LessonStep& step) {
  const auto on = core::clicked_on(step.fact);
  if (on && on->what == core::ClickedOn::What::cells && on->about) {
    frame.state.of<TileState>().sought = {on->array, *on->about};
  }
}

void ask_for_click(const Frame& frame, const core::LessonStep& step) {
  Picking& picking = frame.state.of<Picking>();
  frame.state.of<TileState>().choose_nobody();
  picking.wanted = core::clicked_on(step.fact);
  picking.got.reset();
}

}  // namespace

void show_lesson_scene(const Frame& frame, LessonState& state) {
  const core::LessonStep& step = *state.current();
  const core::AnswerBy by = step.by();
  take_click(frame, state);
  const LessonState::Standing now{state.step, state.open()};
  if (state.set != now) {
    state.set = now;
    const auto scene = core::lesson_scene(state.lessons[*state.lesson], state.step, now.open);
    const bool own_phase = by == core::AnswerBy::click && step.look.contains("phase");
    if (now.open || !stands(frame, scene) || own_phase) {
      want_scene(frame, state, scene);
    }
    seek_cell(frame, step);
    if (by == core::AnswerBy::edit) {
      lend(frame, state, step);
      if (state.answer) {
        show_solution(frame, state);
      }
    } else if (by == core::AnswerBy::click && !now.open) {
      ask_for_click(frame, step);
    }
  }
  if (state.answer || state.revealed) {
    point_at_finding(frame, state, step);
    ask_for_stream(frame, step);
  }
}

std::vector<core::MendPoint> mend_points(const Frame& frame, const LessonState& state) {
  const Sheet* sheet =
      state.lent ? frame.state.of<Editor>().sheet_of(state.lent->variant) : nullptr;
  if (sheet == nullptr) {
    return {};
  }
  return core::judge_mending(*state.current(), frame.model.result, state.lent->given,
                             sheet->buffer.text(), running_text(frame.model.result));
}

void show_solution(const Frame& frame, LessonState& state) {
  const auto text = state.lent ? core::mended_text(*state.current(), state.lent->file)
                               : core::Expected<std::string>(core::usage_error("nothing is lent"));
  if (text) {
    frame.state.of<Editor>().sheets.insert_or_assign(
        state.lent->variant,
        Sheet{.buffer = TextBuffer(*text), .begun = state.lent->file, .sent = *text});
    frame.requests.edit = EditedKernel{state.lent->variant, *text};
  }
}

std::optional<LineRun> lines_to_mend(State& state) {
  const auto& lent = state.of<LessonState>().lent;
  const Sheet* sheet = lent ? state.of<Editor>().sheet_of(lent->variant) : nullptr;
  if (sheet == nullptr) {
    return std::nullopt;
  }
  const std::string text = sheet->buffer.text();
  return changed_lines(text, text == lent->given ? lent->file : lent->given);
}

std::vector<std::string> lines_in_sight(State& state) {
  const LessonState& lessons = state.of<LessonState>();
  const core::LessonStep* step = lessons.current();
  if (step == nullptr || step->source.empty()) {
    return {};
  }
  const Sheet* sheet = lessons.lent ? state.of<Editor>().sheet_of(lessons.lent->variant) : nullptr;
  const bool changed = sheet != nullptr && sheet->buffer.text() != lessons.lent->given;
  return changed ? std::vector<std::string>() : step->source;
}

bool is_mended(const Frame& frame, const LessonState& state) {
  const auto points = mend_points(frame, state);
  return !points.empty() && core::passes(points);
}

bool may_go_on(const Frame& frame, const LessonState& state) {
  const core::LessonStep& step = *state.current();
  if (step.by() == core::AnswerBy::edit) {
    return !state.trouble.empty() || is_mended(frame, state);
  }
  return !step.asks() || state.answer || state.revealed;
}

}  // namespace ui
