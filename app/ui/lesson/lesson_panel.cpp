#include "ui/lesson/lesson_panel.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace ui {
namespace {

constexpr float kMost = 0.62F;  // of the view's height
constexpr float kWidest = 720.0F;

LessonState& state_of(const Frame& frame) {
  return frame.state.of<LessonState>();
}

void begin_lesson(LessonState& state, std::size_t number) {
  state.offered = false;
  state.lesson = number;
  state.step = 0;
  state.answer.reset();
  state.shown.reset();
  state.typed.clear();
}

void go(LessonState& state, int by) {
  const std::size_t count = state.lessons[*state.lesson].steps.size();
  if (by > 0 && state.step + 1 == count) {
    state.lesson.reset();
    return;
  }
  state.step = by > 0 ? state.step + 1 : state.step - std::min<std::size_t>(state.step, 1);
  state.answer.reset();
  state.shown.reset();
  state.typed.clear();
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

struct Words {
  const Canvas& canvas;
  Rect rest;

  void paragraph(const std::string& text, Colour colour) {
    const Theme& theme = canvas.theme();
    rest.cut_top(canvas.wrapped(rest, text, theme.fonts.text, colour));
    rest.cut_top(theme.px(6));
  }
  // A line that can be pressed.
  bool choice(const std::string& text, std::size_t number) {
    const Theme& theme = canvas.theme();
    const float line = canvas.line_height(theme.fonts.text);
    const auto lines = canvas.wrap(text, theme.fonts.text, rest.width() - theme.px(26)).size();
    Rect box = rest.cut_top(line * static_cast<float>(lines) + theme.px(6));
    const Hit mouse = hit(fmt::format("choice {}", number).c_str(), box);
    canvas.fill(box, mouse.hovered ? theme.colours.hover : theme.colours.surface, theme.px(4));
    Rect words = box.inset(theme.px(8), theme.px(3));
    canvas.text_in(words.cut_left(theme.px(18)), std::string(1, static_cast<char>('@' + number)),
                   theme.fonts.mono, theme.colours.accent);
    canvas.wrapped(words, text, theme.fonts.text, theme.colours.text);
    rest.cut_top(theme.px(4));
    return mouse.clicked;
  }
};

void ask_number(const Frame& frame, Words& words, LessonState& state) {
  const Theme& theme = frame.theme;
  std::array<char, 16> text{};
  state.typed.copy(text.data(), text.size() - 1);
  const Rect box = words.rest.cut_top(theme.px(28));
  ImGui::SetCursorScreenPos(im(box.low));
  ImGui::SetNextItemWidth(theme.px(120));
  const bool done =
      ImGui::InputText("##answer", text.data(), text.size(),
                       ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_EnterReturnsTrue);
  state.typed = text.data();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + state.typed.size(), value);
  if (done && error == std::errc() && end == text.data() + state.typed.size()) {
    state.answer = value;
  }
  words.canvas.text_in({{box.low.x + theme.px(132), box.low.y}, box.high}, "Enter: that is it",
                       theme.fonts.text, theme.colours.dim);
}

void ask(const Frame& frame, Words& words, LessonState& state, const core::LessonStep& step) {
  if (step.choices.empty()) {
    return ask_number(frame, words, state);
  }
  for (std::size_t i = 0; i < step.choices.size(); ++i) {
    if (words.choice(step.choices[i], i + 1)) {
      state.answer = i + 1;
    }
  }
}

void answer(const Frame& frame, Words& words, const LessonState& state,
            const core::LessonStep& step) {
  const Palette& c = frame.theme.colours;
  const bool chosen = !step.choices.empty();
  const std::string given = chosen ? step.choices[static_cast<std::size_t>(*state.answer) - 1]
                                   : std::to_string(*state.answer);
  words.paragraph("You said: " + given, c.dim);
  const auto verdict = core::judge(step, frame.model.result, *state.answer);
  if (!verdict) {
    const auto& error = frame.model.result.error;
    words.paragraph(error ? error->message : std::string("It is being tried on this device …"),
                    error ? c.race : c.accent);
    return;
  }
  if (verdict->right) {
    words.paragraph("Right, the run says so too.", c.shared_text);
  } else if (chosen && verdict->choice > 0) {
    words.paragraph("Not this time. The run says: " + step.choices[verdict->choice - 1],
                    mix(c.race, c.text, 0.3F));
  } else {
    words.paragraph("Not this time. The run says: " + verdict->value, mix(c.race, c.text, 0.3F));
  }
  if (!step.told.empty()) {
    words.paragraph(step.told, c.text);
  }
}

// As high as its words.
float height_of(const Frame& frame, const Canvas& canvas, const core::LessonStep& step,
                const LessonState& state, float width) {
  const Theme& theme = frame.theme;
  const float line = canvas.line_height(theme.fonts.text);
  const auto lines = [&](const std::string& text) {
    return line * static_cast<float>(canvas.wrap(text, theme.fonts.text, width).size()) +
           theme.px(6);
  };
  float height = 2.0F * line + theme.px(40) + lines(step.text);
  if (step.asks() && !state.answer) {
    for (const std::string& choice : step.choices) {
      height += lines(choice) + theme.px(8);
    }
    height += step.choices.empty() ? theme.px(30) : 0.0F;
  } else if (step.asks()) {
    height += 4.0F * line + theme.px(12) + (step.told.empty() ? 0.0F : lines(step.told));
  }
  return height;
}

void draw_step(const Frame& frame, const Rect& view, LessonState& state) {
  const core::Lesson& lesson = state.lessons[*state.lesson];
  const core::LessonStep& step = lesson.steps[state.step];
  const Theme& theme = frame.theme;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), theme, nullptr);
  const float width = std::min(view.width() - theme.px(24), theme.px(kWidest));
  const float height =
      std::min(height_of(frame, ruler, step, state, width - theme.px(28)), kMost * view.height());
  const float left = std::floor(view.centre().x - 0.5F * width);
  const Rect box{{left, view.high.y - theme.px(10) - height},
                 {left + width, view.high.y - theme.px(10)}};
  const Panel panel(frame, "lesson", box, Panel::Layer::overlay);
  const Canvas& canvas = panel.canvas();
  canvas.fill(box, theme.colours.raised, theme.px(6));
  canvas.frame(box, theme.colours.accent, 1.0F, theme.px(6));
  Words words{canvas, box.inset(theme.px(14), theme.px(10))};
  Rect head = words.rest.cut_top(canvas.line_height(theme.fonts.text));
  words.rest.cut_top(theme.px(6));
  const bool last = state.step + 1 == lesson.steps.size();
  const bool open = !step.asks() || state.answer.has_value();
  const bool end = pressed_word(canvas, head, "End");
  const bool next = open && pressed_word(canvas, head, last ? "Done (Shift+N)" : "Next (Shift+N)");
  const bool back = state.step > 0 && pressed_word(canvas, head, "Back (Shift+H)");
  canvas.text_in(head,
                 fmt::format("{}, {} of {}", lesson.title, state.step + 1, lesson.steps.size()),
                 theme.fonts.text, theme.colours.dim);
  words.paragraph(step.text, theme.colours.text);
  if (step.asks() && !state.answer) {
    ask(frame, words, state, step);
  } else if (step.asks()) {
    answer(frame, words, state, step);
  }
  if (end) {
    state.lesson.reset();
  } else if (next || back) {
    go(state, next ? 1 : -1);
  }
}

void draw_offer(const Frame& frame, const Rect& view, LessonState& state) {
  const Theme& theme = frame.theme;
  const float width = std::min(view.width() - theme.px(24), theme.px(560));
  const float left = std::floor(view.centre().x - 0.5F * width);
  const float high = view.high.y - theme.px(10);
  const Rect box{{left, high - theme.px(40)}, {left + width, high}};
  const Panel panel(frame, "lesson offer", box, Panel::Layer::overlay);
  const Canvas& canvas = panel.canvas();
  canvas.fill(box, theme.colours.raised, theme.px(6));
  canvas.frame(box, theme.colours.accent, 1.0F, theme.px(6));
  Rect line = box.inset(theme.px(14), theme.px(6));
  const bool no = pressed_word(canvas, line, "No, thanks");
  const bool yes = pressed_word(canvas, line, "Begin (Shift+N)");
  canvas.text_in(line, "New here? A lesson: " + state.lessons.front().title, theme.fonts.text,
                 theme.colours.text);
  if (yes) {
    begin_lesson(state, 0);
  } else if (no) {
    state.offered = false;
  }
}

}  // namespace

const core::LessonStep* LessonState::current() const {
  return lesson ? &lessons[*lesson].steps[step] : nullptr;
}

void draw_lesson(const Frame& frame, const Rect& view) {
  LessonState& state = state_of(frame);
  const int by = std::exchange(state.steps, 0);
  if (state.lessons.empty() || view.height() < frame.theme.px(120)) {
    return;
  }
  if (!state.lesson && by > 0) {
    begin_lesson(state, 0);
  } else if (state.lesson && by != 0) {
    const core::LessonStep& step = *state.current();
    if (by < 0 || !step.asks() || state.answer) {
      go(state, by);
    }
  }
  if (state.lesson) {
    show_scene(frame, state, *state.current());
    draw_step(frame, view, state);
  } else if (state.offered) {
    draw_offer(frame, view, state);
  }
}

}  // namespace ui
