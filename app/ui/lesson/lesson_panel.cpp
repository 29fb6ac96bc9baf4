#include "ui/lesson/lesson_panel.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace ui {
namespace {

constexpr float kMost = 0.62F;    // of the view's height
constexpr float kWidest = 34.0F;  // lines of text
constexpr float kOffer = 27.0F;
constexpr float kNumber = 6.0F;

void show_step(LessonState& state, std::size_t number) {
  state.step = number;
  state.answer.reset();
  state.shown.reset();
  state.typed.clear();
}

void begin_lesson(LessonState& state, std::size_t number) {
  state.offered = state.choosing = false;
  state.coming = (number + 1) % state.lessons.size();
  state.lesson = number;
  show_step(state, 0);
}

void go(LessonState& state, int by) {
  const std::size_t count = state.lessons[*state.lesson].steps.size();
  if (by > 0 && state.step + 1 == count) {
    state.lesson.reset();
    state.choosing = state.lessons.size() > 1;
  } else {
    show_step(state, by > 0 ? state.step + 1 : state.step - std::min<std::size_t>(state.step, 1));
  }
}

// A question's scene comes with the answer: nothing is given away before.
void show_scene(const Frame& frame, LessonState& state, const core::LessonStep& step) {
  if (state.shown == state.step || (step.asks() && !state.answer)) {
    return;
  }
  state.shown = state.step;
  core::Experiment wanted = step.experiment;
  wanted.device = frame.state.wanted.device;
  frame.actions().want(wanted);
  if (!step.view.empty()) {
    frame.state.view.name = step.view;
  }
}

// What stands below a lesson's title: paragraphs, and those that can be pressed.
struct Paragraph {
  std::string text;
  Pen pen = pen::text;
  std::size_t choice = 0;  ///< its number, from 1; 0: none
};

void add_verdict(const Frame& frame, const LessonState& state, const core::LessonStep& step,
                 std::vector<Paragraph>& all) {
  const bool chosen = !step.choices.empty();
  all.push_back({"You said: " + (chosen ? step.choices[static_cast<std::size_t>(*state.answer) - 1]
                                        : std::to_string(*state.answer)),
                 pen::dim});
  const auto verdict = core::judge(step, frame.model.result, *state.answer);
  if (!verdict) {
    const auto& error = frame.model.result.error;
    all.push_back(error ? Paragraph{error->message, pen::text.in(&Palette::race)}
                        : Paragraph{"It is being tried on this device …", pen::accent});
    return;
  }
  if (verdict->right) {
    all.push_back({"Right, the run says so too.", pen::text.in(&Palette::shared_text)});
  } else {
    const Palette& c = frame.theme.colours;
    const bool named = chosen && verdict->choice > 0;
    all.push_back({"Not this time. The run says: " +
                       (named ? step.choices[verdict->choice - 1] : verdict->value),
                   pen::text.in(mix(c.race, c.text, 0.3F))});
  }
  if (!step.told.empty()) {
    all.push_back({step.told});
  }
}

std::vector<Paragraph> paragraphs_of(const Frame& frame, const LessonState& state,
                                     const core::LessonStep& step) {
  std::vector<Paragraph> all{{step.text}};
  if (step.asks() && state.answer) {
    add_verdict(frame, state, step, all);
  }
  for (std::size_t i = 0; i < step.choices.size() && !state.answer; ++i) {
    all.push_back({step.choices[i], pen::text, i + 1});
  }
  return all;
}

bool asks_number(const LessonState& state, const core::LessonStep& step) {
  return step.asks() && !state.answer && step.choices.empty();
}

void ask_number(Stack& rest, LessonState& state) {
  std::array<char, 16> text{};
  state.typed.copy(text.data(), text.size() - 1);
  Strip box{rest.canvas, rest.lines(1.5F)};
  const float width = kNumber * rest.canvas.line_height();
  ImGui::SetCursorScreenPos(im(box.rest.low));
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.0F);
  const bool done =
      ImGui::InputText("##answer", text.data(), text.size(),
                       ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleVar();
  state.typed = text.data();
  box.rest.cut_left(width + rest.theme().gap.medium);
  Strip beside{rest.canvas, box.rest.cut_left(1.5F * width)};
  const bool pressed = beside.press("That is it (Enter)");
  std::uint64_t value = 0;
  const char* last = text.data() + state.typed.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if ((done || pressed) && error == std::errc() && end == last) {
    state.answer = value;
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

void draw_step(const Frame& frame, const Rect& view, LessonState& state) {
  const core::Lesson& lesson = state.lessons[*state.lesson];
  const core::LessonStep& step = lesson.steps[state.step];
  const Gaps& gap = frame.theme.gap;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const auto paragraphs = paragraphs_of(frame, state, step);
  const bool number = asks_number(state, step);
  const float line = ruler.line_height();
  Rect box = box_in(frame, view, kWidest * line, 0.0F);
  float height = (number ? 2.5F : 1.0F) * line + 2.0F * gap.large;
  for (const Paragraph& paragraph : paragraphs) {
    height += height_of(ruler, paragraph, box.width() - 2.0F * gap.large) + gap.small;
  }
  box.low.y = std::floor(box.high.y - std::min(height, kMost * view.height()));
  const Panel panel(frame, "lesson", box, Panel::Layer::overlay);
  draw_box(panel.canvas(), box, frame.theme.colours.accent);
  Stack rest{panel.canvas(), box.inset(gap.large, gap.medium)};
  Strip head = rest.strip();
  const bool last = state.step + 1 == lesson.steps.size();
  const bool open = !step.asks() || state.answer.has_value();
  const bool end = head.press("End");
  const bool next = open && head.press(last ? "Done (Shift+N)" : "Next (Shift+N)");
  const bool back = state.step > 0 && head.press("Back (Shift+H)");
  head.write(fmt::format("{}, {} of {}", lesson.title, state.step + 1, lesson.steps.size()),
             pen::dim);
  rest.gap(gap.medium);
  for (const Paragraph& paragraph : paragraphs) {
    draw_paragraph(rest, paragraph, state);
  }
  if (number) {
    ask_number(rest, state);
  }
  if (end) {
    state.lesson.reset();
  } else if (next || back) {
    go(state, next ? 1 : -1);
  }
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
  words.write("New here? A lesson: " + state.lessons.front().title);
  if (yes) {
    begin_lesson(state, 0);
  } else if (no) {
    state.offered = false;
  }
}

// A cell for each lesson, down the first column and then the second.
void draw_list(const Frame& frame, const Rect& view, LessonState& state) {
  const Gaps& gap = frame.theme.gap;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const float row = ruler.line_height() + gap.medium;
  const std::size_t rows = (state.lessons.size() + 1) / 2;
  const float height = row * static_cast<float>(rows + 1) + 3.0F * gap.medium;
  const Rect box = box_in(frame, view, kWidest * ruler.line_height(), height);
  const Panel panel(frame, "lesson list", box, Panel::Layer::overlay);
  const Canvas& canvas = panel.canvas();
  draw_box(canvas, box, frame.theme.colours.accent);
  Stack rest{canvas, box.inset(gap.large, gap.medium)};
  Strip head = rest.strip();
  const bool close = head.press("Close (Shift+H)");
  head.write(fmt::format("{} lessons; Shift+N begins the marked one", state.lessons.size()),
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
    canvas.write(cell.inset(gap.medium, 0.0F), state.lessons[i].title,
                 i == state.coming ? pen::text.in(&Palette::accent) : pen::text);
    if (mouse.clicked) {
      return begin_lesson(state, i);
    }
  }
}

}  // namespace

const core::LessonStep* LessonState::current() const {
  return lesson ? &lessons[*lesson].steps[step] : nullptr;
}

void draw_lesson(const Frame& frame, const Rect& view) {
  LessonState& state = frame.state.of<LessonState>();
  const int by = std::exchange(state.steps, 0);
  const bool offered = std::exchange(state.offer_stood, false);
  if (state.lessons.empty() || view.height() < 5.0F * frame.theme.gap.huge) {
    return;
  }
  if (!state.lesson && by > 0) {
    if (offered || state.choosing || state.lessons.size() == 1) {
      begin_lesson(state, state.coming);
    } else {
      state.choosing = true;
    }
  } else if (!state.lesson && by < 0) {
    state.choosing = false;
  } else if (state.lesson && by != 0) {
    const core::LessonStep& step = *state.current();
    if (by < 0 || !step.asks() || state.answer) {
      go(state, by);
    }
  }
  if (state.lesson) {
    show_scene(frame, state, *state.current());
    draw_step(frame, view, state);
  } else if (state.choosing) {
    draw_list(frame, view, state);
  } else if (state.offered) {
    draw_offer(frame, view, state);
  }
}

}  // namespace ui
