#include "ui/lesson/lesson_panel.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/format.h"

namespace ui {
namespace {

constexpr float kMost = 0.62F;    // of the view's height
constexpr float kWidest = 34.0F;  // lines of text
constexpr float kOffer = 27.0F;
constexpr float kNumber = 6.0F;
constexpr float kColumn = 320.0F;   // at scale 1: what the column is widened to where there is room
constexpr float kNarrow = 1100.0F;  // a window that is less wide has no column to spare
constexpr float kHalf = 0.45F;      // of such a one, for the lesson and the source
constexpr float kAsked = 0.38F;     // the same, where the source stands beside the lesson
constexpr float kSourceLines = 6.0F;
constexpr float kAskedLines = 3.4F;   // while a question needs the room
constexpr float kReadLines = 8.0F;    // where the source is spoken of
constexpr float kRoomyLines = 11.0F;  // where only the question that was answered would need more
constexpr float kLeastView = 330.0F;  // what it leaves of the view, at least

// What stands below a lesson's title: paragraphs, and those that can be pressed.
struct Paragraph {
  std::string text;
  Pen pen = pen::text;
  std::size_t choice = 0;  ///< its number, from 1; 0: none
};

std::string answer_words(const Frame& frame, const core::LessonStep& step, std::uint64_t answer) {
  switch (step.by()) {
    case core::AnswerBy::choice:
      return step.choices[static_cast<std::size_t>(answer) - 1];
    case core::AnswerBy::click:
      return core::place_words(*core::clicked_on(step.fact), answer, frame.model.result);
    case core::AnswerBy::number:
    case core::AnswerBy::edit:
    case core::AnswerBy::nothing:
      break;
  }
  return std::to_string(answer);
}

std::string times_words(const std::string& name, const core::Spread& spread) {
  return fmt::format("{} {} ({} – {}{})", name, time_text(spread.median), time_text(spread.p5),
                     time_text(spread.p95), spread.unsteady() ? ", unsteady" : "");
}

// What is held against each other: a narrow window has no other place for it.
void add_times(const Frame& frame, const core::LessonStep& step, std::vector<Paragraph>& all) {
  const core::Result& result = frame.model.result;
  const std::string rival = core::rival_of(step);
  const core::Rung* rung = rival.empty() ? nullptr : core::measured_rung(result, rival);
  if (rung != nullptr && result.timing.spread.count > 0) {
    const std::string other =
        rung->tile == 0 ? rung->variant : fmt::format("{}, tile {},", rung->variant, rung->tile);
    all.push_back({fmt::format(
        "Measured medians (in brackets: the range of 90 % of the launches): {}, {}.",
        times_words(result.variant.id(), result.timing.spread), times_words(other, rung->spread))});
  }
}

// Times of a CPU that plays a GPU are said to be that.
void add_clock(const Frame& frame, const core::LessonStep& step, std::vector<Paragraph>& all) {
  if (!core::rival_of(step).empty() && frame.model.result.device.emulated()) {
    all.push_back({"These are CPU times. A GPU may give another answer.", pen::dim});
  }
}

void add_verdict(const Frame& frame, const LessonState& state, const core::LessonStep& step,
                 std::vector<Paragraph>& all) {
  if (state.answer) {
    all.push_back({"Your answer: " + answer_words(frame, step, *state.answer), pen::dim});
  }
  const auto verdict = core::judge(step, frame.model.result, state.answer.value_or(0));
  if (!verdict) {
    const auto& error = frame.model.result.error;
    all.push_back(error ? Paragraph{error->message, pen::text.in(&Palette::race)}
                        : Paragraph{"Running on this device …", pen::accent});
    return;
  }
  const Palette& c = frame.theme.colours;
  // What is refused was not run.
  const char* who = step.asks_model() ? "model" : frame.model.result.refused() ? "check" : "run";
  const std::size_t places = verdict->places.size();
  if (verdict->right && state.answer) {
    all.push_back(
        {places > 1 ? fmt::format("Correct: this is one of {} correct answers. The {} confirms it.",
                                  places, who)
                    : fmt::format("Correct. The {} confirms it.", who),
         pen::text.in(&Palette::shared_text)});
  } else {
    const std::string value =
        !step.choices.empty() && verdict->choice > 0 ? step.choices[verdict->choice - 1]
        : places > 1 ? fmt::format("{}, or any of {} other places", verdict->value, places - 1)
                     : verdict->value;
    const std::string says = fmt::format("The {} shows: {}", who, value);
    all.push_back(state.answer
                      ? Paragraph{"Not correct. " + says, pen::text.in(mix(c.race, c.text, 0.3F))}
                      : Paragraph{says, pen::accent});
  }
  add_times(frame, step, all);
  add_clock(frame, step, all);
  if (!step.told.empty()) {
    all.push_back({step.told});
  }
}

// What is asked for, and what of it holds: in one line where the source needs the room.
void add_points(const Frame& frame, const LessonState& state,
                const std::vector<core::MendPoint>& points, std::vector<Paragraph>& all) {
  const Palette& c = frame.theme.colours;
  std::string line;
  for (const core::MendPoint& point : points) {
    const bool yes = point.state == core::MendPoint::State::yes;
    const bool no = point.state == core::MendPoint::State::no;
    const std::string words = (yes ? "✓ " : no ? "✗ " : "· ") + point.words;
    line += (line.empty() ? "Required:  " : "   ") + words;
    if (!state.low) {
      all.push_back({words, yes  ? pen::text.in(&Palette::shared_text)
                            : no ? pen::text.in(mix(c.race, c.text, 0.3F))
                                 : pen::dim});
    }
  }
  if (state.low && !line.empty()) {
    all.push_back({line});
  }
}

void add_mending(const Frame& frame, const LessonState& state, const core::LessonStep& step,
                 std::vector<Paragraph>& all) {
  if (!state.trouble.empty()) {
    all.push_back({state.trouble, pen::text.in(&Palette::race)});
    return;
  }
  const auto points = mend_points(frame, state);
  const bool mended = is_mended(frame, state);
  if (mended && state.low) {  // what is new comes first, the rest in a line
    std::string all_points;
    for (const core::MendPoint& point : points) {
      all_points += (all_points.empty() ? "✓ " : " · ") + point.words;
    }
    all = {{"Repaired. " + step.told}, {all_points, pen::text.in(&Palette::shared_text)}};
    add_times(frame, step, all);
    add_clock(frame, step, all);
    all.push_back({step.text, pen::dim});
    return;
  }
  add_points(frame, state, points, all);
  if (mended) {
    all.push_back({"Repaired."});
    if (!step.told.empty()) {
      all.push_back({step.told});
    }
  }
  add_times(frame, step, all);
  add_clock(frame, step, all);
}

std::vector<Paragraph> paragraphs_of(const Frame& frame, const LessonState& state,
                                     const core::LessonStep& step) {
  std::vector<Paragraph> all{{step.text}};
  const core::AnswerBy by = step.by();
  const bool answered =
      step.asks() && by != core::AnswerBy::edit && (state.answer || state.revealed);
  if (answered && state.low) {
    all.clear();
  }
  if (by == core::AnswerBy::edit) {
    add_mending(frame, state, step, all);
  } else if (answered) {
    add_verdict(frame, state, step, all);
  } else if (by == core::AnswerBy::click) {
    const auto on = *core::clicked_on(step.fact);
    all.push_back({on.what == core::ClickedOn::What::cells
                       ? "Click on a cell of " + on.array + " in the view."
                   : on.what == core::ClickedOn::What::invocations
                       ? "Click on an invocation in the view."
                       : "Click on a tile in the view.",
                   pen::accent});
  }
  for (std::size_t i = 0; i < step.choices.size() && !state.answer && !state.revealed; ++i) {
    all.push_back({step.choices[i], pen::text, i + 1});
  }
  if (answered && state.low) {
    all.push_back({step.text, pen::dim});
  }
  if (state.notes && !step.notes.empty()) {
    all.push_back({"Notes: " + step.notes, pen::dim});
  }
  return all;
}

bool asks_number(const LessonState& state, const core::LessonStep& step) {
  return step.by() == core::AnswerBy::number && !state.answer && !state.revealed;
}

void give_number(LessonState& state) {
  std::uint64_t value = 0;
  const char* last = state.typed.data() + state.typed.size();
  const auto [end, error] = std::from_chars(state.typed.data(), last, value);
  if (error == std::errc() && end == last) {
    state.answer = value;
  }
}

// It has the keyboard for as long as the question waits, and looks so.
void ask_number(Stack& rest, LessonState& state) {
  const Canvas& canvas = rest.canvas;
  const Theme& theme = rest.theme();
  Strip box{canvas, rest.lines(1.5F)};
  const Rect field = box.rest.cut_left(kNumber * canvas.line_height());
  canvas.fill(field, theme.colours.raised, theme.gap.small);
  canvas.frame(field, theme.colours.accent, 1.0F, theme.gap.small);
  const Rect inside = field.inset(theme.gap.medium, 0.0F);
  canvas.write(inside, state.typed, pen::mono);
  const float x = inside.low.x + canvas.width(state.typed, pen::mono) + 1.0F;
  canvas.fill(
      {{x, field.low.y + theme.gap.small}, {x + theme.px(1), field.high.y - theme.gap.small}},
      theme.colours.accent);
  box.rest.cut_left(theme.gap.medium);
  const std::string word = rest.canvas.fitting({"Answer (Enter)", "Enter"}, box.rest.width());
  const Rect button = box.rest.cut_left(rest.canvas.width(word) + 1.0F);
  const Hit mouse = hit("correct", button);
  rest.canvas.write(button, word, mouse.hovered ? pen::text : pen::accent);
  if (mouse.clicked) {
    give_number(state);
  }
}

// Where a paragraph's words go: beside its letter where it is a choice.
Rect words_in(const Canvas& canvas, const Paragraph& paragraph, Rect box) {
  if (paragraph.choice > 0) {
    box = box.inset(canvas.theme().gap.medium, canvas.theme().gap.thin);
    box.cut_left(canvas.line_height());
  }
  return box;
}

float height_of(const Canvas& canvas, const Paragraph& paragraph, float width) {
  const Rect words = words_in(canvas, paragraph, {{0.0F, 0.0F}, {width, 0.0F}});
  const auto lines = canvas.wrap(paragraph.text, canvas.font(paragraph.pen), words.width()).size();
  return static_cast<float>(lines) * canvas.line_height() - words.height();
}

void draw_paragraph(Stack& rest, const Paragraph& paragraph, LessonState& state) {
  const Canvas& canvas = rest.canvas;
  const Rect box = rest.rest.cut_top(height_of(canvas, paragraph, rest.rest.width()));
  const Rect words = words_in(canvas, paragraph, box);
  if (paragraph.choice > 0) {
    const Hit mouse = hit(fmt::format("choice {}", paragraph.choice).c_str(), box);
    canvas.fill(box, mouse.hovered ? rest.theme().colours.hover : rest.theme().colours.surface,
                rest.theme().gap.small);
    const Rect letter{{box.low.x + rest.theme().gap.medium, words.low.y},
                      {words.low.x, words.low.y + canvas.line_height()}};
    canvas.write(letter, std::string(1, static_cast<char>('@' + paragraph.choice)),
                 pen::mono.in(&Palette::accent));
    if (mouse.clicked) {
      state.answer = paragraph.choice;
    }
  }
  canvas.wrapped(words.inset(0.0F, -0.5F), paragraph.text, paragraph.pen);
  rest.gap(rest.theme().gap.small);
}

// Over the lower part of the view.
Rect box_in(const Frame& frame, const Rect& view, float widest, float height) {
  const float margin = frame.theme.gap.medium;
  const float width = std::min(view.width() - 2.0F * margin, widest);
  const float left = std::floor(view.centre().x - 0.5F * width);
  const float low = view.high.y - margin;
  return {{left, low - height}, {left + width, low}};
}

float height_of(const Canvas& canvas, const std::vector<Paragraph>& paragraphs, float width) {
  float height = 0.0F;
  for (const Paragraph& paragraph : paragraphs) {
    height += height_of(canvas, paragraph, width) + canvas.theme().gap.small;
  }
  return height;
}

// Of so much room, what ends between two lines: none is cut at the lower edge until one scrolls.
float whole_lines(const Canvas& canvas, const std::vector<Paragraph>& paragraphs, float width,
                  float room) {
  float height = 0.0F;
  for (const Paragraph& paragraph : paragraphs) {
    const float next = height_of(canvas, paragraph, width) + canvas.theme().gap.small;
    if (height + next > room + 0.5F) {
      return height + std::floor((room - height) / canvas.line_height()) * canvas.line_height();
    }
    height += next;
  }
  return room;
}

// What a step has to press, beside its answers.
struct Pressed {
  bool end = false, next = false, back = false, show = false;
};

// Their places are the same in every step.
Pressed draw_buttons(const Frame& frame, const LessonState& state, Strip line) {
  const core::LessonStep& step = *state.current();
  const bool last = state.step + 1 == state.lessons[*state.lesson].steps.size();
  Pressed pressed;
  pressed.end = line.press("End");
  const bool on = may_go_on(frame, state);
  pressed.next = line.press({"Next (Shift+N)", "Done (Shift+N)"}, last ? 1 : 0, on);
  pressed.back = line.press({"Back (Shift+H)"}, 0, state.step > 0);
  pressed.show = step.mend && state.lent && !on && line.press("Show me");
  return pressed;
}

// What a scroll bar takes, should there be one.
float beside_text(const Frame& frame) {
  return ImGui::GetStyle().ScrollbarSize + frame.theme.gap.small;
}

void draw_paragraphs(const Frame& frame, const Canvas& ground, const Rect& area,
                     const std::vector<Paragraph>& paragraphs, LessonState& state) {
  const bool number = asks_number(state, *state.current());
  Scrolled body(frame, ground, "lesson text", area);
  Stack rest{body.canvas(), {body.top(), {area.high.x - beside_text(frame), body.top().y + 1e5F}}};
  for (const Paragraph& paragraph : paragraphs) {
    draw_paragraph(rest, paragraph, state);
  }
  if (number) {
    ask_number(rest, state);
  }
  body.ends_at({area.low.x, rest.rest.low.y});
}

// Lines of text that the head and the buttons take.
constexpr float kFrameLines = 2.0F;

void draw_step(const Frame& frame, const Rect& area, LessonState& state) {
  const core::Lesson& lesson = state.lessons[*state.lesson];
  const Gaps& gap = frame.theme.gap;
  const Panel panel(frame, "lesson", area);
  panel.canvas().fill(area, frame.theme.colours.surface);
  panel.canvas().frame(area, frame.theme.colours.accent);
  Stack rest{panel.canvas(), area.inset(gap.medium + gap.small, gap.medium)};
  rest.strip().write(fmt::format("{}, {} of {}", lesson.title, state.step + 1, lesson.steps.size()),
                     pen::dim);
  rest.gap(gap.small);
  const Strip buttons{panel.canvas(), rest.rest.cut_bottom(panel.canvas().line_height())};
  rest.rest.cut_bottom(gap.small);
  const auto paragraphs = paragraphs_of(frame, state, *state.current());
  const float inside = rest.rest.width() - beside_text(frame);
  const float whole = whole_lines(panel.canvas(), paragraphs, inside, rest.rest.height());
  draw_paragraphs(frame, panel.canvas(), rest.rest.cut_top(whole), paragraphs, state);
  const Pressed pressed = draw_buttons(frame, state, buttons);
  if (pressed.end) {
    end_lesson(frame, state);
  } else if (pressed.show) {
    show_solution(frame, state);
  } else if (pressed.next || pressed.back) {
    go_in_lesson(frame, state, pressed.next ? 1 : -1);
  }
}

// Of all that a step says, in a box so wide.
float height_in(const Frame& frame, const LessonState& state, float width) {
  const Gaps& gap = frame.theme.gap;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const float line = ruler.line_height();
  const float inside = width - 2.0F * (gap.medium + gap.small) - beside_text(frame);
  return height_of(ruler, paragraphs_of(frame, state, *state.current()), inside) +
         kFrameLines * line + 2.0F * gap.medium + 4.0F * gap.small +
         (asks_number(state, *state.current()) ? 1.5F * line : 0.0F);
}

// Once it is answered, a question that stands below the answer gives way to the source.
float question_height(const Frame& frame, const LessonState& state, float width) {
  const core::LessonStep& step = *state.current();
  const bool answered =
      step.by() == core::AnswerBy::edit ? is_mended(frame, state) : state.answer || state.revealed;
  const bool below = step.asks() && state.low && answered;
  const Gaps& gap = frame.theme.gap;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const float inside = width - 2.0F * (gap.medium + gap.small) - beside_text(frame);
  const std::vector<Paragraph> question{{step.text, pen::dim}};
  return below ? height_of(ruler, question, inside) : 0.0F;
}

// The ladder's column, made wider where the view can spare it.
Rect take_ladder(const Frame& frame, Layout& layout) {
  const float least = frame.theme.px(kLeastView);
  const float more = std::clamp(layout.view.width() - least, 0.0F,
                                std::max(frame.theme.px(kColumn) - layout.ladder.width(), 0.0F));
  Rect column = std::exchange(layout.ladder, {});
  column.high.x += more;
  layout.view.low.x = column.high.x;
  layout.source.low.x = std::max(layout.source.low.x, column.high.x);
  return column;
}

// Before the answer the step's text is all there is to be seen, so it has the room of the rest.
void seal(Layout& layout, const Rect& room) {
  layout = {.top = layout.top, .source = room};
}

// A narrow window: the lesson above the source, the view beside them, and nothing else. Who is
// asked about the view need not see the source.
Rect take_half(const Frame& frame, const LessonState& state, Layout& layout, glm::vec2 window) {
  Rect rest{{0.0F, layout.top.high.y}, window};
  const float top = rest.height();
  const bool sealed = state.sealed();
  Rect column = rest.cut_left(std::round((sealed ? kAsked : kHalf) * window.x));
  layout = {.top = layout.top, .view = rest};
  if (sealed) {
    return column;
  }
  const core::LessonStep& step = *state.current();
  const bool waits = !state.open();
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const bool read = step.mend || chosen_finding(frame.state.view, frame.model.result) != nullptr;
  const float lines = waits ? kAskedLines : read ? kReadLines : kSourceLines;
  const float source = lines * ruler.line_height(pen::mono);
  const float most = waits ? top : std::max(top - source, kHalf * top);
  const float whole = height_in(frame, state, column.width());
  const float all = std::min(whole, most);
  const float told = whole - question_height(frame, state, column.width());
  const float roomy = top - kRoomyLines * ruler.line_height(pen::mono);
  const Rect lesson =
      column.cut_top(std::floor(std::min(all, std::max(roomy, std::min(told, most)))));
  if (column.height() < source) {  // no line of it would be seen
    return {lesson.low, column.high};
  }
  layout.source = column;
  return lesson;
}

Rect place_of(const Frame& frame, LessonState& state, Layout& layout) {
  const glm::vec2 window = vec(ImGui::GetIO().DisplaySize);
  const bool sealed = state.sealed();
  if (layout.top.empty()) {
    const Rect lesson = layout.view.cut_bottom(std::floor(
        std::min(height_in(frame, state, layout.view.width()), kMost * layout.view.height())));
    if (sealed) {
      seal(layout, layout.view);
    }
    return lesson;
  }
  const bool narrow = layout.ladder.empty() || window.x < frame.theme.px(kNarrow);
  state.low = narrow;
  const Rect lesson = narrow ? take_half(frame, state, layout, window) : take_ladder(frame, layout);
  if (sealed) {
    seal(layout, {{lesson.high.x, layout.top.high.y}, window});
  }
  return lesson;
}

void draw_offer(const Frame& frame, const Rect& view, LessonState& state) {
  state.offer_stood = true;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const float line = ruler.line_height();
  const Rect box = box_in(frame, view, kOffer * line, 2.0F * line);
  const Panel panel(frame, "lesson offer", box, Panel::Layer::overlay);
  draw_box(panel.canvas(), box, frame.theme.colours.accent);
  Strip words{panel.canvas(), box.inset(frame.theme.gap.large, 0.0F)};
  const bool no = words.press("No, thanks");
  const bool yes = words.press("Begin (Shift+N)");
  words.write("New to Tilescope? Try a lesson: " + state.lessons[state.coming].title);
  if (yes) {
    begin_lesson(state, state.coming);
  } else if (no) {
    state.offered = false;
    state.progress.declined = true;  // for good: Shift+N is still there
  }
}

// A cell for each lesson, down the first column and then the second.
void draw_list(const Frame& frame, const Rect& view, LessonState& state) {
  const Gaps& gap = frame.theme.gap;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const float row = ruler.line_height() + gap.medium;
  const std::size_t rows = (state.lessons.size() + 1) / 2;
  const float height = row * static_cast<float>(rows + 1) + 3.0F * gap.medium;
  // Their titles are to be read: over more than the view where it is narrow.
  const float widest = kWidest * ruler.line_height();
  const Rect whole{{0.0F, 0.0F}, {ImGui::GetIO().DisplaySize.x, view.high.y}};
  const Rect& over = view.width() - 2.0F * gap.medium < widest ? whole : view;
  const Rect box = box_in(frame, over, widest, height);
  const Panel panel(frame, "lesson list", box, Panel::Layer::overlay);
  const Canvas& canvas = panel.canvas();
  draw_box(canvas, box, frame.theme.colours.accent);
  Stack rest{canvas, box.inset(gap.large, gap.medium)};
  Strip head = rest.strip();
  const bool close = head.press("Close (Shift+H)");
  head.write(fmt::format("{} lessons; Shift+N begins the selected one", state.lessons.size()),
             pen::dim);
  rest.gap(gap.medium);
  state.choosing = !close;
  const float column = 0.5F * rest.rest.width();
  for (std::size_t i = 0; i < state.lessons.size(); ++i) {
    const glm::vec2 low = rest.rest.low + glm::vec2(column * static_cast<float>(i / rows),
                                                    row * static_cast<float>(i % rows));
    const Rect cell{low, low + glm::vec2(column - gap.small, row - gap.small)};
    const Hit mouse = hit(fmt::format("lesson {}", i).c_str(), cell);
    canvas.fill(cell, mouse.hovered ? frame.theme.colours.hover : frame.theme.colours.surface,
                gap.small);
    Strip words{canvas, cell.inset(gap.medium, 0.0F)};
    const core::Lesson& lesson = state.lessons[i];
    const std::size_t passed = state.progress.of(lesson.name);
    if (passed >= lesson.steps.size()) {
      words.right("✓", pen::text.in(&Palette::shared_text));
    } else if (passed > 0) {
      words.right(fmt::format("{} of {}", passed, lesson.steps.size()), pen::dim);
    }
    words.write(lesson.title, i == state.coming ? pen::text.in(&Palette::accent) : pen::text);
    if (mouse.clicked) {
      return begin_lesson(state, i);
    }
  }
}

}  // namespace

bool take_answer_key(LessonState& state, const KeyPress& key) {
  const core::LessonStep* step = state.current();
  if (step == nullptr || !step->asks() || step->by() == core::AnswerBy::edit || state.open() ||
      key.ctrl) {
    return false;
  }
  const bool number = asks_number(state, *step);
  if (number && key.key == Key::enter) {
    give_number(state);
    return true;
  }
  if (number && key.key == Key::backspace) {
    state.typed.resize(state.typed.size() - std::min<std::size_t>(state.typed.size(), 1));
    return true;
  }
  const char32_t c = key.key == Key::character ? key.character : 0;
  const char32_t low = c >= U'A' && c <= U'Z' ? c - U'A' + U'a' : c;
  const bool digit = c >= U'0' && c <= U'9';
  constexpr std::size_t kMostDigits = 15;
  if (number && digit && state.typed.size() < kMostDigits) {
    state.typed += static_cast<char>(c);
  }
  if (low >= U'a' && low < U'a' + step->choices.size()) {
    state.answer = low - U'a' + 1;
    return true;
  }
  return digit || (c >= U'a' && c <= U'z');
}

Rect begin_lesson_frame(const Frame& frame, Layout& layout) {
  LessonState& state = frame.state.of<LessonState>();
  const int by = std::exchange(state.steps, 0);
  const bool clicked = std::exchange(state.clicked, false);
  const bool offered = std::exchange(state.offer_stood, false);
  if (state.lessons.empty() || layout.view.height() < 5.0F * frame.theme.gap.huge) {
    return {};
  }
  if (!state.lesson && by > 0) {
    if (offered || state.choosing || state.lessons.size() == 1) {
      begin_lesson(state, state.coming);
    } else {
      state.choosing = true;
    }
  } else if (!state.lesson && by < 0) {
    state.choosing = false;
  } else if (state.lesson && (by < 0 || (by > 0 && may_go_on(frame, state)))) {
    go_in_lesson(frame, state, by);
  } else if (state.lesson && by > 0 && clicked) {  // a clicker can't answer
    if (state.current()->mend) {
      show_solution(frame, state);
    } else {
      state.revealed = true;
    }
  }
  if (!state.lesson) {
    return {};
  }
  show_lesson_scene(frame, state);
  return place_of(frame, state, layout);
}

void draw_lesson(const Frame& frame, const Rect& area, const Rect& view) {
  LessonState& state = frame.state.of<LessonState>();
  if (!area.empty() && state.lesson) {
    draw_step(frame, area, state);
  } else if (state.choosing && !state.lessons.empty()) {
    draw_list(frame, view, state);
  } else if (state.offered && !state.lessons.empty() &&
             view.height() >= 5.0F * frame.theme.gap.huge) {
    draw_offer(frame, view, state);
  }
}

void draw_kept_back(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "kept back", area);
  const Canvas& canvas = panel.canvas();
  const Theme& theme = frame.theme;
  canvas.fill(area, theme.colours.surface);
  canvas.line(area.low, {area.low.x, area.high.y}, theme.colours.line);
  Stack rest{canvas, area.inset(theme.gap.large, theme.gap.medium)};
  rest.heading("Results hidden", "");
  rest.gap(theme.gap.small);
  rest.wrap("Figures and findings would give away the answer. They appear again after you answer.",
            pen::dim);
}

}  // namespace ui
