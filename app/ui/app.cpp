#include "ui/app.h"

#include <algorithm>

#include "ui/actions.h"
#include "ui/canvas/fonts.h"
#include "ui/canvas/layout.h"
#include "ui/editor/editor.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/panels/panels.h"
#include "ui/presenter/presenter.h"
#include "ui/views.h"

namespace ui {
namespace {

constexpr double kToastSeconds = 5.0;

}  // namespace

App::App(const core::Scene& first, Textures& textures)
    : textures_(textures), cache_(std::make_unique<Cache>()) {
  state_.view = first.view;
  state_.view.scale = std::clamp(state_.view.scale, 0.5F, 4.0F);
  state_.wanted = first.experiment;
  open_states(state_.views);
  state_.views.load(first.view.settings);
}

App::~App() = default;

// On a projector the display's size decides.
float App::wanted_scale() const {
  const glm::vec2 size = vec(ImGui::GetIO().DisplaySize);
  const bool presents = state_.views.known<Presenter>() != nullptr &&
                        state_.views.known<Presenter>()->on && size.x > 0.0F;
  return presents ? presenter_scale(size) : state_.view.scale;
}

bool App::prepare(ImFontAtlas& atlas) {
  if (fonts_scale_ == wanted_scale()) {
    return false;
  }
  fonts_scale_ = wanted_scale();
  fonts_ = build_fonts(atlas, fonts_scale_);
  return true;
}

void App::press(const KeyPress& key) {
  if (Editor& editor = state_.of<Editor>(); !editor.focused.empty()) {
    editor.pressed.push_back(key);
  } else if (!ImGui::GetIO().WantTextInput) {
    pressed_.push_back(key);
  }
}

void App::act_on_keys(const Model& model, Requests& requests) {
  ActionContext context{model, state_, requests};
  for (const KeyPress& key : pressed_) {
    state_.of<LessonState>().offered = false;  // its reader knows the way
    if (!take_presenter_key(context, key)) {
      act(context, key);
    }
  }
  pressed_.clear();
}

// The tile was left open, and the lab took what was found best on this device.
void App::take_choice(const core::Result& result) {
  core::Experiment& wanted = state_.wanted;
  const bool same = wanted.variant == result.experiment.variant &&
                    (wanted.size.empty() || wanted.size == result.experiment.size);
  if (result.tuned && same && wanted.tile == 0 && result.experiment.tile != 0) {
    wanted.tile = result.experiment.tile;
    wanted.settings = result.experiment.settings;
  }
}

Requests App::draw(const Model& model) {
  Requests requests;
  take_choice(model.result);
  act_on_keys(model, requests);
  requests.launch = state_.view.launch;
  // A scale that a key has just changed takes effect with its fonts, in the next frame.
  const Theme theme = make_theme(state_.view.theme != "light", fonts_scale_, fonts_);
  apply_style(theme);
  const glm::vec2 size = vec(ImGui::GetIO().DisplaySize);
  Layout layout = arrange(size, theme.scale, state_.view.chrome);
  Frame frame{.model = model,
              .state = state_,
              .requests = requests,
              .theme = theme,
              .textures = textures_,
              .cache = *cache_,
              .trace = trace_,
              .findings_shown = !layout.findings.empty(),
              .settle = settle_};
  const Rect lesson = begin_lesson_frame(frame, layout);
  frame.findings_shown = !layout.findings.empty();
  if (layout.source.empty()) {
    state_.of<Editor>().focused.clear();  // nobody types what can't be seen
  }
  take_editor_keys(frame);
  state_.popup_open = false;  // whoever draws one says so
  follow_finding(frame);
  compat::push_font(fonts_.text);
  draw_view(frame, draw_refusal(frame, layout.view));
  const auto draw_if = [&frame](void (*panel)(const Frame&, const Rect&), const Rect& area) {
    if (!area.empty()) {
      panel(frame, area);
    }
  };
  draw_if(draw_top_bar, layout.top);
  draw_if(draw_ladder, layout.ladder);
  draw_if(draw_source, layout.source);
  draw_if(draw_timing, layout.timing);
  draw_if(draw_findings, layout.findings);
  if (state_.findings_over) {
    draw_findings_over(frame, layout.view);
  }
  draw_lesson(frame, lesson, layout.view);
  draw_notice(frame, layout.view);
  if (state_.help) {
    draw_help(frame, {{0.0F, 0.0F}, size});
  }
  draw_presenter(frame, {{0.0F, 0.0F}, size});
  ImGui::PopFont();
  state_.close_popup = false;
  return requests;
}

core::Scene App::scene(const Model& model) {
  core::Scene scene;
  scene.experiment = model.result.experiment;
  scene.view = state_.view;
  scene.view.name = current_view(state_.view, model.result);
  scene.view.settings = state_.views.save();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  scene.view.width = static_cast<std::uint32_t>(size.x);
  scene.view.height = static_cast<std::uint32_t>(size.y);
  scene.step = model.result.bodies ? model.result.bodies->step : 0;
  return scene;
}

void App::tell(std::string sentence) {
  state_.toast = std::move(sentence);
  state_.toast_until = ImGui::GetTime() + kToastSeconds;
}

void App::offer_draft(const KernelText& draft) {
  state_.of<Editor>().sheets.insert_or_assign(draft.variant,
                                              Sheet{.buffer = TextBuffer(draft.text)});
}

void App::saved(const KernelText& kernel) {
  if (Sheet* sheet = state_.of<Editor>().sheet_of(kernel.variant)) {
    sheet->begun = kernel.text;
  }
}

bool App::busy() const {
  return state_.views.busy() || fonts_scale_ != wanted_scale() ||
         (!state_.toast.empty() && ImGui::GetTime() < state_.toast_until);
}

}  // namespace ui
