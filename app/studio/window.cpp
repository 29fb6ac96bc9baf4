// The window's loop: a frame for each input and each new snapshot of the lab, and none otherwise.
#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

#include <fmt/format.h>
#define GLFW_INCLUDE_VULKAN
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

#include "lab/files/scene_file.h"
#include "lab/files/settings.h"
#include "studio/display.h"
#include "studio/kernel_files.h"
#include "studio/session.h"
#include "studio/swapchain.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/presenter/presenter.h"

namespace studio {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSettlingFrames = 3;  // after an input, until hovering and scrolling have followed
constexpr double kPoll = 0.016;     // seconds between looks at the lab
constexpr auto kLeastBetween = std::chrono::milliseconds(30);  // frames for new snapshots alone

class GlfwInput {
 public:
  explicit GlfwInput(GLFWwindow* window) {
    // Hands every event on to the callbacks that are installed already.
    if (!ImGui_ImplGlfw_InitForVulkan(window, true)) {
      throw std::runtime_error("the window's input can't be read");
    }
  }
  ~GlfwInput() { ImGui_ImplGlfw_Shutdown(); }
  GlfwInput(const GlfwInput&) = delete;
  GlfwInput& operator=(const GlfwInput&) = delete;
};

// In the desktop's folder for pictures, or here where there is none: the first name, without a
// suffix, that no file with one of the suffixes has.
std::string free_stem(const core::Experiment& experiment,
                      std::initializer_list<const char*> suffixes) {
  std::string name = experiment.variant;
  std::ranges::replace(name, '/', '-');
  for (int n = 1;; ++n) {
    const std::string stem =
        (lab::pictures_folder() / fmt::format("tilescope-{}-{}", name, n)).string();
    if (std::ranges::none_of(suffixes, [&stem](const char* suffix) {
          return std::filesystem::exists(stem + suffix);
        })) {
      return stem;
    }
  }
}

class Window {
 public:
  Window(lab::Lab& lab, const core::Catalogue& catalogue,
         const std::vector<core::DeviceInfo>& devices, Display& display,
         std::unique_ptr<Graphics> graphics, const core::Scene& first, const StudioOptions& options)
      : lab_(lab),
        catalogue_(catalogue),
        devices_(devices),
        display_(display),
        session_(std::move(graphics), first),
        input_(display.window()),
        swapchain_(session_.graphics()),
        save_measurements_(options.save_measurements),
        keep_progress_(options.keep_progress),
        progress_(options.progress) {
    auto& lessons = session_.app().state().of<ui::LessonState>();
    lessons.lessons = options.lessons;
    lessons.progress = options.progress;
    ui::find_coming(lessons);
    lessons.offered = options.offer_lesson && !options.lessons.empty();
    for (const ui::KernelText& draft : read_drafts()) {
      session_.app().offer_draft(draft);
    }
  }

  /// The scene as it was when the window was closed.
  core::Scene run() {
    while (!display_.closed() && !quit_) {
      const bool input = display_.wait(frames_due_ > 0 ? 0.0 : kPoll);
      for (const ui::KeyPress& key : display_.take_keys()) {
        session_.app().press(key);
      }
      if (input) {
        frames_due_ = kSettlingFrames;
      }
      if (due() && display_.pixels().x > 0 && display_.pixels().y > 0) {
        frame();
      }
    }
    shown_ = lab_.latest();
    return session_.app().scene({*shown_, catalogue_, devices_});
  }

 private:
  bool due() {
    const auto newest = lab_.latest();
    const bool news = newest != shown_ || session_.app().busy();
    const bool soon = Clock::now() - last_frame_ < kLeastBetween;
    return frames_due_ > 0 || (news && !soon);
  }

  void frame() {
    frames_due_ = std::max(0, frames_due_ - 1);
    last_frame_ = Clock::now();
    shown_ = lab_.latest();
    const ui::Model model{*shown_, catalogue_, devices_};
    const glm::uvec2 size = display_.pixels();
    session_.prepare();
    ImGui_ImplGlfw_NewFrame();
    follow_mouse();
    const ui::Requests requests = session_.build(model, size.x, size.y);
    show({size.x, size.y});
    act(requests, model);
  }

  // One change of a button a frame, at the place where it was made.
  void follow_mouse() {
    for (const MouseEvent& e : display_.take_mouse()) {
      mouse_ = e.at;
      if (e.button >= 0) {
        buttons_[static_cast<std::size_t>(e.button)] = e.down;
      }
      mouse_known_ = true;
    }
    for (int i = 0; mouse_known_ && i < 3; ++i) {
      ui::compat::set_mouse({mouse_.x, mouse_.y}, i, buttons_[static_cast<std::size_t>(i)]);
    }
    if (display_.mouse_waits()) {
      frames_due_ = std::max(frames_due_, 1);
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
      frames_due_ = std::max(frames_due_, 1);
      return;
    }
    swapchain_.record_copy(commands, session_.target().image(), session_.target().extent(), *image);
    session_.target().submit(swapchain_.acquired(), swapchain_.copied(*image));
    stale_ = !swapchain_.present(*image);
  }

  void act(const ui::Requests& requests, const ui::Model& model) {
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
    if (requests.edit) {
      edit(*requests.edit);
    }
    if (requests.save_kernel) {
      session_.app().tell(save(*requests.save_kernel));
      frames_due_ = kSettlingFrames;
    }
    lab_.show(requests.launch);
    lab_.trace(requests.trace);
    if (requests.save_measurements) {
      session_.app().tell(save_measurements(model));
      frames_due_ = kSettlingFrames;
    }
    if (requests.save_picture) {
      session_.app().tell(save(model));
      frames_due_ = kSettlingFrames;
    }
    follow_reader();
    quit_ = requests.quit;
  }

  // What a reader changes beside the experiment.
  void follow_reader() {
    ui::State& state = session_.app().state();
    display_.fill_screen(state.of<ui::Presenter>().full_screen);
    const core::LessonProgress& progress = state.of<ui::LessonState>().progress;
    if (progress != progress_ && keep_progress_) {
      progress_ = progress;
      keep_progress_(progress);
    }
  }

  // The draft is kept first: what was typed outlives a kernel that loses the device.
  void edit(const ui::EditedKernel& edited) {
    if (const auto kept = keep_draft(edited.variant, edited.text); !kept) {
      session_.app().tell(kept.error().message);
    }
    lab_.edit(edited.variant, edited.text);
  }

  // What was saved, or why not, as a sentence.
  std::string save(const ui::KernelText& kernel) {
    const auto file = save_kernel(catalogue_, kernel.variant, shown_->variant.file, kernel.text);
    if (!file) {
      return file.error().message;
    }
    session_.app().saved(kernel);
    static_cast<void>(keep_draft(kernel.variant, std::nullopt));
    return fmt::format("Saved {}", file->string());
  }
  std::string save(const ui::Model& model) {
    const core::Scene scene = session_.app().scene(model);
    const std::string stem = free_stem(scene.experiment, {".png", ".toml"});
    const std::filesystem::path picture = stem + ".png";
    const std::filesystem::path file = stem + ".toml";
    if (const auto written = write_png(picture, session_.target().read()); !written) {
      return written.error().message;
    }
    if (const auto written = lab::write_scene(file, scene); !written) {
      return written.error().message;
    }
    return fmt::format("Saved {} and {}", picture.string(), file.string());
  }

  // The same of the measurements.
  std::string save_measurements(const ui::Model& model) {
    const std::string stem = free_stem(model.result.experiment, {".csv", ".json"});
    const auto written = save_measurements_(model.result, stem);
    return written ? fmt::format("Saved {0}.csv and {0}.json", stem) : written.error().message;
  }

  lab::Lab& lab_;
  const core::Catalogue& catalogue_;
  const std::vector<core::DeviceInfo>& devices_;
  Display& display_;
  Session session_;
  GlfwInput input_;
  Swapchain swapchain_;
  const SaveMeasurements& save_measurements_;
  std::function<void(const core::LessonProgress&)> keep_progress_;
  core::LessonProgress progress_;  // as it was kept last
  std::shared_ptr<const core::Result> shown_;
  Clock::time_point last_frame_;
  glm::vec2 mouse_{0.0F};
  std::array<bool, 3> buttons_{};
  bool mouse_known_ = false;
  int frames_due_ = kSettlingFrames;
  bool stale_ = false;
  bool quit_ = false;
};

core::Expected<VkSurfaceKHR> make_surface(const Display& display, VkInstance instance) {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  if (glfwCreateWindowSurface(instance, display.window(), nullptr, &surface) != VK_SUCCESS) {
    return core::device_error("Vulkan can't draw on this display");
  }
  return surface;
}

}  // namespace

core::Expected<core::Scene> open_window(lab::Lab& lab, const core::Catalogue& catalogue,
                                        const std::vector<core::DeviceInfo>& devices,
                                        const core::Scene& first, const StudioOptions& options) {
  auto display = Display::open(first.view.width, first.view.height);
  if (!display) {
    return std::unexpected(display.error());
  }
  auto graphics = Graphics::create(
      {.validation = options.validation,
       .instance_extensions = (*display)->instance_extensions(),
       .make_surface = [&](VkInstance instance) { return make_surface(**display, instance); }});
  if (!graphics) {
    return std::unexpected(graphics.error());
  }
  lab.request(first.experiment);
  core::Scene last;
  const auto closed = guarded([&] {
    last = Window(lab, catalogue, devices, **display, std::move(*graphics), first, options).run();
  });
  return closed ? core::Expected<core::Scene>(last) : std::unexpected(closed.error());
}

}  // namespace studio
