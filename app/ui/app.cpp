#include "ui/app.h"

#include <algorithm>
#include <utility>

#include "core/lessons/lesson_scene.h"
#include "ui/actions.h"
#include "ui/beside/beside.h"
#include "ui/canvas/fonts.h"
#include "ui/canvas/layout.h"
#include "ui/editor/editor_view.h"
#include "ui/launch/launch_panel.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/open/open_panel.h"
#include "ui/panels/panels.h"
#include "ui/panels/size_field.h"
#include "ui/panels/splitters.h"
#include "ui/presenter/presenter.h"
#include "ui/views.h"
#include "ui/views/values/values_state.h"

namespace ui {
namespace {

constexpr double kToastSeconds = 5.0;
constexpr float kDoubleClick = 0.3F;  // seconds

void take_typed_keys(const Frame& frame) {
  take_size_keys(frame);
  take_launch_keys(frame);
  take_open_keys(frame);
  take_editor_keys(frame);
}

// Both, where one lies above the other; either may be empty.
Rect around(const Rect& upper, const Rect& lower) {
  return upper.empty() ? lower : lower.empty() ? upper : Rect{upper.low, lower.high};
}

}  // namespace

App::App(const core::Scene& first, Textures& textures)
    : textures_(textures), cache_(std::make_unique<Cache>()) {
  state_.view = first.view;
  state_.view.scale = clamped_scale(state_.view.scale);
  state_.wanted = first.experiment;
  open_states(state_.views);
  state_.views.load(first.view.settings);
  state_.of<Beside>().kernel = first.view.beside;
}

App::~App() = default;

float App::clamped_scale(float scale) {
  return std::clamp(scale, 0.5F, 4.0F);
}

float App::wanted_scale() const {
  return window_scale(state_, vec(ImGui::GetIO().DisplaySize));
}

bool App::prepare(ImFontAtlas& atlas) {
  // A frame takes one change of a button, and a slow one takes longer than a double click.
  ImGuiIO& io = ImGui::GetIO();
  io.MouseDoubleClickTime = std::max(kDoubleClick, 4.0F * io.DeltaTime);
  if (fonts_scale_ == wanted_scale()) {
    return false;
  }
  fonts_scale_ = wanted_scale();
  if (rescale_fonts(fonts_, fonts_scale_)) {
    return false;
  }
  fonts_ = build_fonts(atlas, fonts_scale_);
  return true;
}

void App::press(const KeyPress& key) {
  const bool ours =
      state_.of<OpenState>().shown || !state_.of<Editor>().focused.empty() || key == ctrl(U's');
  if (ours || !ImGui::GetIO().WantTextInput) {
    pressed_.push_back(key);
  }
}

// Each goes to what has the keyboard once those before it were acted on, so that none is lost
// within a frame.
void App::act_on_keys(const Frame& frame) {
  for (const KeyPress& key : std::exchange(pressed_, {})) {
    const bool opens = key == ctrl(U'o');
    if (key == ctrl(U's')) {
      save_shown_text(frame);
    } else if (OpenState& open = state_.of<OpenState>(); open.shown) {
      open.pressed.push_back(key);
    } else if (Editor& editor = state_.of<Editor>(); !editor.focused.empty() && !opens) {
      editor.pressed.push_back(key);
    } else if (ValuesState& values = state_.of<ValuesState>();
               values.typing && !opens &&
               current_view(state_.view, frame.model.result) == "values") {
      values.pressed.push_back(key);
    } else if (state_.typing && !opens) {
      state_.of<SizeField>().pressed.push_back(key);
    } else if (LaunchPanel& launch = state_.of<LaunchPanel>(); launch.takes_keys() && !opens) {
      launch.pressed.push_back(key);
    } else if (!take_answer_key(state_.of<LessonState>(), key)) {
      state_.of<LessonState>().offered = false;  // its reader knows the way
      ActionContext context = frame.actions();
      if (!take_presenter_key(context, key)) {
        act(context, key);
      }
    }
    take_typed_keys(frame);
  }
  take_typed_keys(frame);
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

Requests App::draw(const Model& given) {
  Requests requests;
  take_choice(given.result);
  const std::optional<core::Result> sealed = sealed_result(state_, given);
  const Model model{.result = sealed ? *sealed : given.result,
                    .catalogue = given.catalogue,
                    .devices = given.devices,
                    .beside = sealed ? nullptr : given.beside};
  const glm::vec2 size = vec(ImGui::GetIO().DisplaySize);
  // A scale that a key has just changed takes effect with its fonts, in the next frame.
  const auto theme_now = [this] {
    return make_theme(state_.view.theme != "light", fonts_scale_, fonts_);
  };
  const auto frame_with = [&](const Theme& theme, const Layout& layout) {
    return Frame{.model = model,
                 .state = state_,
                 .requests = requests,
                 .theme = theme,
                 .textures = textures_,
                 .cache = *cache_,
                 .trace = trace_,
                 .findings_shown = !layout.findings.empty(),
                 .settle = settle_};
  };
  {
    const Theme before = theme_now();
    const Layout laid = layout_of(state_, size, before.scale);
    if (laid.source.empty()) {
      state_.of<Editor>().focused.clear();  // nobody types what can't be seen
    }
    const Frame frame = frame_with(before, laid);
    contain(frame, "the response to a key", {}, [&] { act_on_keys(frame); });
  }
  requests.launch = state_.view.launch;
  const Theme theme = theme_now();
  apply_style(theme);
  Layout layout = layout_of(state_, size, theme.scale);
  Frame frame = frame_with(theme, layout);
  const bool in_lesson = state_.of<LessonState>().lesson.has_value();
  Rect lesson = begin_lesson_frame(frame, layout);
  if (state_.of<LessonState>().lesson.has_value() != in_lesson) {  // panels come and go with it
    layout = layout_of(state_, size, theme.scale);
    lesson = begin_lesson_frame(frame, layout);
  }
  frame.findings_shown = !layout.findings.empty();
  if (layout.source.empty()) {
    state_.of<Editor>().focused.clear();
  }
  state_.popup_open = false;  // whoever draws one says so
  follow_finding(frame);
  compat::push_font(fonts_.text);
  if (!layout.view.empty()) {  // else a lesson has sealed what is run
    draw_splitters(frame, layout);
    contain(frame, "the view", layout.view, [&] {
      layout.view = draw_standing(frame, layout.view);
      layout.view = draw_older_mark(frame, draw_scene_strip(frame, layout.view));
      draw_views(frame, layout.view);
    });
  } else {
    state_.lit_lines.clear();
  }
  const auto draw_if = [&frame](const char* name, void (*panel)(const Frame&, const Rect&),
                                const Rect& area) {
    if (!area.empty()) {
      contain(frame, name, area, [&] { panel(frame, area); });
    }
  };
  draw_if("the top bar", draw_top_bar, layout.top);
  draw_if("the ladder", draw_ladder, layout.ladder);
  draw_if("the source", draw_source, layout.source);
  if (!state_.of<LessonState>().open()) {  // their numbers would answer
    draw_if("this panel", draw_kept_back, around(layout.timing, layout.findings));
  } else {
    draw_if("the timing", draw_timing, layout.timing);
    draw_if("the findings", draw_findings, layout.findings);
  }
  const Rect whole{{0.0F, 0.0F}, size};
  if (state_.findings_over) {
    draw_if("the findings", draw_findings_over, layout.view);
  }
  if (layout.ladder.empty() && state_.of<LaunchPanel>().over) {
    draw_if("the launch", draw_launch_over, layout.view);
  }
  contain(frame, "the lesson", lesson, [&] { draw_lesson(frame, lesson, layout.view); });
  contain(frame, "the message", {}, [&] { draw_toast(frame, layout); });
  contain(frame, "the dialog", {}, [&] { draw_open(frame, whole); });
  if (state_.help) {
    draw_if("the help", draw_help, whole);
  }
  contain(frame, "the pointer", {}, [&] { draw_presenter(frame, whole); });
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
  scene.view.beside = state_.of<Beside>().kernel;
  if (const SceneList& list = state_.of<SceneList>(); list.at < list.scenes.size()) {
    scene.title = list.scenes[list.at].title;
    scene.notes = list.scenes[list.at].notes;
  }
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
  Sheet sheet{.buffer = TextBuffer(draft.text), .begun = draft.begun};
  sheet.kept = draft.text;
  sheet.included = draft.variant.starts_with(included_draft);
  if (!draft.begun.empty()) {
    sheet.seen = draft.begun;
  }
  const std::string name =
      sheet.included ? draft.variant.substr(included_draft.size()) : draft.variant;
  state_.of<Editor>().sheets.insert_or_assign(name, std::move(sheet));
}

void App::show(const core::Scene& scene, bool as_it_says) {
  core::View view = as_it_says ? scene.view : core::View{};
  view.theme = state_.view.theme;
  view.scale = state_.view.scale;
  view.chrome = state_.view.chrome;
  if (as_it_says) {
    const PanelShares own = state_.of<PanelSizes>().shares;
    state_.views.load_afresh(scene.view.settings, "");
    state_.of<PanelSizes>().shares = own;
  }
  state_.view = view;
  state_.wanted = scene.experiment;
  state_.views.forget_kernel();
  if (!scene.experiment.workload().empty()) {
    state_.sizes_before[scene.experiment.workload()] = scene.experiment.size;
  }
  state_.barrier = 0;
  state_.typing.reset();
  state_.shown_finding = -1;
  state_.source_about.clear();
  state_.of<Beside>().kernel = view.beside;
  state_.of<OpenState>().shown = false;
}

void App::saved(const KernelText& kernel, const std::string& copy) {
  Editor& editor = state_.of<Editor>();
  if (!copy.empty()) {
    editor.sheets.erase(kernel.variant);
    editor.focused.clear();
    state_.wanted.variant = copy;
  } else if (Sheet* sheet = editor.sheet_of(kernel.variant)) {
    sheet->begun = kernel.text;
    sheet->seen = kernel.text;
    sheet->theirs.reset();
  }
}

bool App::file_is(const std::string& name, const std::string& text) {
  Sheet* sheet = state_.of<Editor>().sheet_of(name);
  return sheet != nullptr && take_file(*sheet, text);
}

bool App::busy() const {
  return state_.views.busy() || fonts_scale_ != wanted_scale() ||
         (!state_.toast.empty() && ImGui::GetTime() < state_.toast_until);
}

}  // namespace ui
