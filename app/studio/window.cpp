// The window's loop: a frame for each input and each new snapshot of the lab, and none otherwise.
#include <chrono>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "lab/files/window_state.h"
#include "studio/display.h"
#include "studio/manual.h"
#include "studio/pictures/clipboard.h"
#include "studio/pictures/files.h"
#include "studio/session.h"
#include "studio/swapchain.h"
#include "studio/window/beside_lab.h"
#include "studio/window/frame_pace.h"
#include "studio/window/mouse.h"
#include "studio/window/opened.h"
#include "studio/window/saved_pictures.h"
#include "studio/window/typed.h"
#include "ui/copy.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/manual.h"
#include "ui/presenter/presenter.h"

namespace studio {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPoll = 0.016;                         // seconds between looks at the lab
constexpr auto kLook = std::chrono::milliseconds(500);  // at files, so often

class GlfwInput {
 public:
  explicit GlfwInput(GLFWwindow* window) {
    // Hands every event on to the callbacks that are installed already.
    if (!ImGui_ImplGlfw_InitForVulkan(window, true)) {
      throw std::runtime_error("cannot read the input of the window");
    }
  }
  ~GlfwInput() { ImGui_ImplGlfw_Shutdown(); }
  GlfwInput(const GlfwInput&) = delete;
  GlfwInput& operator=(const GlfwInput&) = delete;
};

class Window {
 public:
  Window(lab::Lab& lab, const core::Catalogue& catalogue,
         const std::vector<core::DeviceInfo>& devices, Display& display,
         std::unique_ptr<Graphics> graphics, const core::Scene& first, const StudioOptions& options)
      : lab_(lab),
        devices_(devices),
        display_(display),
        session_(std::move(graphics), first),
        input_(display.window()),
        swapchain_(session_.graphics()),
        options_(options),
        opened_(session_.app(), lab, catalogue, options.check_kernel),
        typed_(session_.app(), lab, opened_.catalogue()),
        progress_(options.progress),
        beside_(lab, options.another_lab) {
    auto& lessons = session_.app().state().of<ui::LessonState>();
    lessons.lessons = options.lessons;
    lessons.progress = options.progress;
    ui::find_coming(lessons);
    lessons.offered = options.offer_lesson && !options.lessons.empty();
    session_.app().state().told = options.told;
    opened_.list_scenes(options.scenes);
    if (!options.folder.empty()) {
      opened_.show_folder(options.folder);
    }
  }

  /// The scene as it was when the window was closed.
  core::Scene run() {
    while (!closing()) {
      const bool input = display_.wait(pace_.waits() ? kPoll : 0.0);
      for (const ui::KeyPress& key : display_.take_keys()) {
        session_.app().press(key);
      }
      for (const std::string& dropped : display_.take_dropped()) {
        opened_.open(dropped);
        pace_.settle();
      }
      if (input || look_around()) {
        pace_.settle();
      }
      beside_.take_turns(display_.minimized(), opened_.catalogue());
      follow_display();
      if (due() && display_.pixels().x > 0 && display_.pixels().y > 0) {
        frame();
      }
    }
    shown_ = lab_.latest();
    if (auto place = display_.place()) {
      place->density = density_;
      static_cast<void>(lab::keep_place(*place));
    }
    display_.hide();
    return session_.app().scene({*shown_, opened_.catalogue(), devices_});
  }

 private:
  bool due() {
    const auto newest = lab_.latest();
    const bool news = newest != shown_ || beside_.latest() != shown_beside_;
    return pace_.due(news || session_.app().busy(), Clock::now());
  }

  void frame() {
    pace_.drawn(Clock::now());
    shown_ = lab_.latest();
    shown_beside_ = beside_.latest();
    const bool there = shown_beside_ && beside_.is_wanted(*shown_beside_, *shown_);
    const ui::Model model{*shown_, opened_.catalogue(), devices_,
                          there ? shown_beside_.get() : nullptr};
    const glm::uvec2 size = display_.pixels();
    session_.prepare();
    ImGui_ImplGlfw_NewFrame();
    mouse_.follow(display_);
    if (display_.mouse_waits()) {
      pace_.one_more();
    }
    const ui::Requests requests = session_.build(model, size.x, size.y);
    for (const std::string& failed : requests.not_drawn) {
      if (reported_.insert(failed).second) {
        spdlog::error(failed);
      }
    }
    show({size.x, size.y});
    drawn_ = true;
    act(requests, model);
    copy_picture();
  }

  // The window came to a display of another density.
  void follow_display() {
    if (const float now = display_.density(); now != density_) {
      session_.app().rescale(now / density_);
      density_ = now;
      pace_.settle();
    }
  }

  void show(vk::Extent2D size) {
    if (swapchain_.extent() != size || stale_) {
      swapchain_.make(size);
      stale_ = false;
    }
    const auto& commands = session_.record();
    const auto image = swapchain_.acquire();
    if (!image) {
      session_.target().submit({}, {});
      stale_ = true;
      pace_.one_more();
      return;
    }
    swapchain_.record_copy(commands, session_.target().image(), session_.target().extent(), *image);
    session_.target().submit(swapchain_.acquired(), swapchain_.copied(*image));
    stale_ = !swapchain_.present(*image);
  }

  void act(const ui::Requests& requests, const ui::Model& model) {
    act_on_texts(requests);  // an experiment that is asked for with a text runs that text
    if (requests.experiment) {
      lab_.request(*requests.experiment);
    }
    if (requests.paused) {
      lab_.set_paused(*requests.paused);
    }
    if (requests.cancel) {
      lab_.cancel();
    }
    if (requests.restart) {
      lab_.restart();
    }
    if (requests.compare) {
      lab_.compare();
    }
    if (requests.try_barriers) {
      lab_.try_barriers();
    }
    if (requests.stream) {
      lab_.stream(*requests.stream);
    }
    show_manual();
    const bool opens = requests.open || requests.open_scene;
    opened_.follow(requests);
    beside_.follow(requests);
    lab_.show(requests.launch);
    lab_.trace(requests.trace);
    if (requests.save_measurements) {
      session_.app().tell(save_measured(model.result, options_.save_measurements));
    }
    if (requests.save_picture) {
      session_.app().tell(save_with_scene(session_.target().read(), session_.app().scene(model)));
    }
    if (opens || requests.save_measurements || requests.save_picture) {
      pace_.settle();
    }
    follow_reader();
    quit_ = requests.quit;
  }

  // What a reader changes beside the experiment.
  void follow_reader() {
    ui::State& state = session_.app().state();
    display_.fill_screen(state.of<ui::Presenter>().full_screen);
    const core::LessonProgress& progress = state.of<ui::LessonState>().progress;
    if (progress != progress_ && options_.keep_progress) {
      progress_ = progress;
      options_.keep_progress(progress);
    }
  }

  void show_manual() {
    const auto page = std::exchange(session_.app().state().of<ui::ManualState>().asked, {});
    if (!page) {
      return;
    }
    if (const auto opened = manual_.open(*page); !opened) {
      session_.app().tell(opened.error().message);
    }
    pace_.settle();
  }

  // What was typed, in the order in which it gets lost least.
  void act_on_texts(const ui::Requests& requests) {
    if (requests.draft) {
      typed_.keep(*requests.draft);
    }
    if (requests.edit) {
      typed_.edit(*requests.edit);
    }
    if (!requests.save_kernel) {
      return;
    }
    const Typed::Saved saved = typed_.save(*requests.save_kernel, *shown_);
    if (!saved.variant.empty()) {
      looked_ = {};
      static_cast<void>(look_around());
      lab_.edit(requests.save_kernel->variant, std::nullopt);
      core::Experiment experiment = shown_->experiment;
      experiment.variant = saved.variant;
      lab_.request(experiment);
    }
    session_.app().tell(saved.told);
    pace_.settle();
  }

  // A part of the frame that was asked for with Ctrl+C.
  void copy_picture() {
    const ui::Rect asked = std::exchange(session_.app().state().of<ui::CopyState>().picture, {});
    if (asked.empty()) {
      return;
    }
    const auto copied = clipboard_.offer(png_of(cut(session_.target().read(), asked)));
    session_.app().tell(copied ? "Copied the view as a picture" : copied.error().message);
    pace_.settle();
  }

  // What others do in the meantime: files that are edited here, kernels that come and go. True:
  // there is something new to be drawn.
  bool look_around() {
    bool news = opened_.take_listing();
    const auto now = Clock::now();
    if (now - looked_ < kLook) {
      return news;
    }
    if (const auto failed = manual_.failure()) {
      session_.app().tell(*failed);
      news = true;
    }
    looked_ = now;
    tell_frames();
    keep_scene();
    news = opened_.look() || news;
    return typed_.look() || news;
  }

  void tell_frames() {
    if (options_.count_frames && told_frames_ != pace_.count()) {
      told_frames_ = pace_.count();
      fmt::print(stderr, "frames: {}\n", told_frames_);
    }
    const auto say = [this](const char* what, std::string& told, const std::string& now) {
      if (options_.count_frames && std::exchange(told, now) != now) {
        fmt::print(stderr, "{}: {}\n", what, now);
      }
    };
    say("window", told_stand_, stand_words());
    say("lesson", told_step_, step_words());
    say("correct", told_check_,
        !shown_ || !shown_->check.done ? "unknown"
        : shown_->check.correct        ? "yes"
                                       : "no");
    say("races", told_races_,
        shown_ && shown_->races ? core::to_string(shown_->races->verdict) : "unknown");
  }

  // "ready": a run is shown, and keys are taken; "presenting", "choosing" a lesson.
  std::string stand_words() {
    ui::State& state = session_.app().state();
    return !drawn_ || !shown_ || shown_->variant.name.empty() || shown_->text_only ? "starting"
           : state.of<ui::LessonState>().choosing                                  ? "choosing"
           : state.of<ui::Presenter>().on                                          ? "presenting"
                                                                                   : "ready";
  }

  // "barriers 3 told": the step that is shown, whose question is open or was answered by the run.
  std::string step_words() {
    const auto& lessons = session_.app().state().of<ui::LessonState>();
    const core::LessonStep* step = lessons.current();
    if (step == nullptr || !shown_) {
      return "none";
    }
    const bool said = !step->asks() || ((lessons.answer || lessons.revealed) &&
                                        core::judge(*step, *shown_, lessons.answer.value_or(0)));
    return fmt::format("{} {} {}", lessons.lessons[*lessons.lesson].name, lessons.step + 1,
                       said ? "told" : "asked");
  }

  // Now and then, once it is another: what is lost in a crash is at most that long ago.
  void keep_scene() {
    if (!options_.keep_scene || !shown_ || shown_->variant.name.empty() || shown_->text_only ||
        !drawn_) {
      return;
    }
    core::Scene scene = session_.app().scene({*shown_, opened_.catalogue(), devices_});
    scene.step = 0;
    if (scene != kept_) {
      kept_ = scene;
      options_.keep_scene(scene);
    }
  }

  // Asked once where something that was typed is not saved.
  bool closing() {
    if (!display_.closed() && !quit_) {
      return false;
    }
    const std::string asked = typed_.asks_on_closing();
    if (asked.empty()) {
      return true;
    }
    quit_ = false;
    display_.stay();
    session_.app().tell(asked);
    pace_.settle();
    return false;
  }

  lab::Lab& lab_;
  const std::vector<core::DeviceInfo>& devices_;
  Display& display_;
  Session session_;
  GlfwInput input_;
  Swapchain swapchain_;
  const StudioOptions& options_;
  Opened opened_;
  Typed typed_;
  Clipboard clipboard_;
  Manual manual_;
  Mouse mouse_;
  core::LessonProgress progress_;  // as it was kept last
  std::shared_ptr<const core::Result> shown_;
  BesideLab beside_;
  std::shared_ptr<const core::Result> shown_beside_;
  Clock::time_point looked_;
  core::Scene kept_;
  FramePace pace_;
  std::set<std::string> reported_;  // parts of the window that could not be drawn
  std::uint64_t told_frames_ = 0;
  std::string told_step_, told_stand_, told_check_, told_races_;
  float density_ = display_.density();
  bool drawn_ = false;
  bool stale_ = false;
  bool quit_ = false;
};

core::Expected<VkSurfaceKHR> make_surface(const Display& display, VkInstance instance) {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  if (glfwCreateWindowSurface(instance, display.window(), nullptr, &surface) != VK_SUCCESS) {
    return core::device_error("Vulkan cannot draw on this display");
  }
  return surface;
}

}  // namespace

core::Expected<core::Scene> open_window(lab::Lab& lab, const core::Catalogue& catalogue,
                                        const std::vector<core::DeviceInfo>& devices,
                                        const core::Scene& first, const StudioOptions& options) {
  const bool fresh = options.scale == StudioOptions::Scale::first;
  auto display = TRY(Display::open(first.view.width, first.view.height, fresh));
  auto graphics = Graphics::create(
      {.validation = options.validation,
       .instance_extensions = display->instance_extensions(),
       .make_surface = [&](VkInstance instance) { return make_surface(*display, instance); }});
  if (!graphics) {
    return std::unexpected(graphics.error());
  }
  const auto place = lab::read_place();
  if (place) {
    display->move_to(*place);
  }
  const float density = display->density();
  const float before = fresh ? 1.0F : place && place->density > 0.0F ? place->density : density;
  core::Scene begun = first;
  begun.view.scale *= options.scale == StudioOptions::Scale::asked ? 1.0F : density / before;
  lab.request(first.experiment);
  core::Scene last;
  const auto closed = guarded([&] {
    last = Window(lab, catalogue, devices, *display, std::move(*graphics), begun, options).run();
  });
  return closed ? core::Expected<core::Scene>(last) : std::unexpected(closed.error());
}

}  // namespace studio
