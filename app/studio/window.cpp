// The window's loop: a frame for each input and each new snapshot of the lab, and none otherwise.
#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#define GLFW_INCLUDE_VULKAN
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

#include "core/base/files.h"
#include "lab/files/catalogue_watch.h"
#include "lab/files/open.h"
#include "lab/files/scene_file.h"
#include "lab/files/settings.h"
#include "lab/files/window_state.h"
#include "studio/display.h"
#include "studio/folder_listing.h"
#include "studio/kernel_files.h"
#include "studio/pictures/clipboard.h"
#include "studio/pictures/files.h"
#include "studio/session.h"
#include "studio/swapchain.h"
#include "studio/window/beside_lab.h"
#include "studio/window/frame_pace.h"
#include "ui/copy.h"
#include "ui/editor/editor.h"
#include "ui/edits.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/open/open_state.h"
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
        watch_(catalogue),
        devices_(devices),
        display_(display),
        session_(std::move(graphics), first),
        input_(display.window()),
        swapchain_(session_.graphics()),
        options_(options),
        keep_progress_(options.keep_progress),
        progress_(options.progress),
        beside_(lab, options.another_lab) {
    auto& lessons = session_.app().state().of<ui::LessonState>();
    lessons.lessons = options.lessons;
    lessons.progress = options.progress;
    ui::find_coming(lessons);
    lessons.offered = options.offer_lesson && !options.lessons.empty();
    for (const ui::KernelText& draft : read_drafts()) {
      session_.app().offer_draft(draft);
    }
    opening().recent = lab::read_recent();
    list_scenes(options.scenes);
    if (!options.folder.empty()) {
      opening().show(options.folder + (options.folder.ends_with('/') ? "" : "/"));
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
        open(dropped);
      }
      if (input || look_around()) {
        pace_.settle();
      }
      beside_.take_turns(display_.minimized(), catalogue_);
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
    return session_.app().scene({*shown_, catalogue_, devices_});
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
    const bool there = shown_beside_ && beside_.is_wanted(*shown_beside_);
    const ui::Model model{*shown_, catalogue_, devices_, there ? shown_beside_.get() : nullptr};
    const glm::uvec2 size = display_.pixels();
    session_.prepare();
    ImGui_ImplGlfw_NewFrame();
    follow_mouse();
    const ui::Requests requests = session_.build(model, size.x, size.y);
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
      pace_.one_more();
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
    if (requests.draft) {
      keep(*requests.draft);
    }
    if (requests.edit) {
      edit(*requests.edit);
    }
    if (requests.save_kernel) {
      session_.app().tell(save(*requests.save_kernel));
      pace_.settle();
    }
    act_on_files(requests);
    beside_.follow(requests);
    lab_.show(requests.launch);
    lab_.trace(requests.trace);
    if (requests.save_measurements) {
      session_.app().tell(save_measurements(model));
      pace_.settle();
    }
    if (requests.save_picture) {
      session_.app().tell(save(model));
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
    if (progress != progress_ && keep_progress_) {
      progress_ = progress;
      keep_progress_(progress);
    }
  }

  ui::OpenState& opening() { return session_.app().state().of<ui::OpenState>(); }
  ui::SceneList& scenes() { return session_.app().state().of<ui::SceneList>(); }

  void act_on_files(const ui::Requests& requests) {
    if (requests.list_folder && *requests.list_folder != listed_) {
      listed_ = *requests.list_folder;
      listing_ = std::async(std::launch::async, list_folder, listed_);
    }
    if (requests.open) {
      open(*requests.open);
    }
    if (requests.open_scene && *requests.open_scene < scenes().scenes.size()) {
      const std::size_t at = *requests.open_scene;
      if (open(scenes().scenes[at].file, true)) {
        scenes().at = at;
      }
    }
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

  void list_scenes(const std::vector<lab::SceneFile>& files) {
    scenes().scenes.clear();
    scenes().at = 0;
    for (const lab::SceneFile& file : files) {
      scenes().scenes.push_back({file.file.string(), file.title, file.notes});
    }
  }

  // A folder that is nothing by itself is looked into; all else is shown, or refused in words.
  bool open(const std::string& name, bool of_list = false) {
    pace_.settle();
    const std::string path = expanded(name);
    auto opened = lab::open_anything(catalogue_, path, ui::view_fields());
    if (!opened && core::is_folder(path)) {
      opening().show(path + (path.ends_with('/') ? "" : "/"));
      return false;
    }
    if (!opened) {
      opening().refused = opened.error().message;
      session_.app().tell(opened.error().message);
      return false;
    }
    catalogue_ = std::move(opened->catalogue);
    const core::Experiment& wanted = session_.app().state().wanted;
    opened->scene.experiment.device = wanted.device;
    const core::Variant* known = ui::variant_of(opened->scene.experiment, catalogue_);
    if (!opened->is_scene && known != nullptr && known->workload == wanted.workload()) {
      opened->scene.experiment = ui::with_variant(wanted, *known);  // at the sizes that it has
    }
    lab_.offer(catalogue_);
    session_.app().show(opened->scene, opened->is_scene);
    lab_.request(opened->scene.experiment);
    if (!of_list) {
      list_scenes(opened->scenes);
      if (auto recent = lab::keep_recent(path)) {
        opening().recent = std::move(*recent);
      }
    }
    return true;
  }

  // What others do in the meantime: files that are edited here, kernels that come and go. True:
  // there is something new to be drawn.
  bool look_around() {
    bool news =
        listing_.valid() && listing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    if (news) {
      opening().listing = listing_.get();
    }
    const auto now = Clock::now();
    if (now - looked_ < kLook) {
      return news;
    }
    looked_ = now;
    keep_scene();
    if (auto fresh = watch_.look(catalogue_)) {
      catalogue_ = std::move(*fresh);
      lab_.offer(catalogue_);
      news = true;
    }
    return look_at_edited() || news;
  }

  bool look_at_edited() {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [name, sheet] : session_.app().state().of<ui::Editor>().sheets) {
      const auto text = core::read_file(file_of(name));
      if (text && sheet.seen != *text) {
        texts.emplace_back(name, *text);
      }
    }
    for (const auto& [name, text] : texts) {
      const bool included = is_included_sheet(name);
      if (session_.app().file_is(name, text)) {
        included ? lab_.edit_included(name, std::nullopt) : lab_.edit(name, std::nullopt);
      }
    }
    return !texts.empty();
  }

  bool is_included_sheet(const std::string& name) {
    const ui::Sheet* sheet = session_.app().state().of<ui::Editor>().sheet_of(name);
    return sheet != nullptr && sheet->included;
  }

  [[nodiscard]] std::filesystem::path file_of(const std::string& name) const {
    const auto all = catalogue_.all();
    if (const auto known = std::ranges::find(all, name, &core::Variant::id); known != all.end()) {
      return known->file;
    }
    const auto launcher = std::ranges::find_if(
        all, [&name](const core::Variant& v) { return v.launches_kernel(name); });
    return launcher == all.end() ? std::filesystem::path(name)
                                 : launcher->file.parent_path().parent_path() / (name + ".comp");
  }

  // Now and then, once it is another: what is lost in a crash is at most that long ago.
  void keep_scene() {
    if (!options_.keep_scene || !shown_ || shown_->variant.name.empty() || !drawn_) {
      return;
    }
    core::Scene scene = session_.app().scene({*shown_, catalogue_, devices_});
    scene.step = 0;
    if (scene != kept_) {
      kept_ = scene;
      options_.keep_scene(scene);
    }
  }

  // Asked only where something that was typed can't be kept.
  bool closing() {
    if (!display_.closed() && !quit_) {
      return false;
    }
    std::string lost;
    for (auto& [name, sheet] : session_.app().state().of<ui::Editor>().sheets) {
      const std::string draft = (sheet.included ? std::string(ui::included_draft) : "") + name;
      if (sheet.typed() && sheet.kept != sheet.buffer.text()) {
        const auto kept = keep_draft(draft, sheet.buffer.text(), sheet.begun);
        lost = kept ? lost : kept.error().message;
      }
    }
    if (lost.empty() || told_of_loss_) {
      return true;
    }
    told_of_loss_ = true;
    quit_ = false;
    display_.stay();
    session_.app().tell("What was typed can't be kept: " + lost +
                        ". Save it (Ctrl+S) or close again to give it up.");
    pace_.settle();
    return false;
  }

  void keep(const ui::KernelText& draft) {
    if (const auto kept = keep_draft(draft.variant, draft.text, draft.begun); !kept) {
      session_.app().tell(kept.error().message);
    }
    told_of_loss_ = false;
  }

  // The draft is kept first: what was typed outlives a kernel that loses the device.
  void edit(const ui::EditedKernel& edited) {
    const ui::Sheet* sheet = session_.app().state().of<ui::Editor>().sheet_of(edited.variant);
    const std::string draft =
        (edited.included ? std::string(ui::included_draft) : "") + edited.variant;
    if (const auto kept = keep_draft(draft, edited.text, sheet != nullptr ? sheet->begun : "");
        !kept) {
      session_.app().tell(kept.error().message);
    }
    edited.included ? lab_.edit_included(edited.variant, edited.text)
                    : lab_.edit(edited.variant, edited.text);
  }

  // What was saved, or why not, as a sentence. A copy takes the place of the catalogue's kernel.
  std::string save(const ui::KernelText& kernel) {
    const bool included = is_included_sheet(kernel.variant);
    std::vector<core::SourceFile> sources;
    if (shown_->launch < shown_->launches.size()) {
      sources = shown_->launches[shown_->launch].sources;
    }
    const auto saved =
        save_kernel(catalogue_, kernel.variant, file_of(kernel.variant), kernel.text, sources);
    if (!saved) {
      return saved.error().message;
    }
    session_.app().saved(kernel, saved->variant);
    static_cast<void>(keep_draft((included ? std::string(ui::included_draft) : "") + kernel.variant,
                                 std::nullopt));
    if (!saved->variant.empty()) {
      looked_ = {};
      static_cast<void>(look_around());
      lab_.edit(kernel.variant, std::nullopt);
      core::Experiment experiment = shown_->experiment;
      experiment.variant = saved->variant;
      lab_.request(experiment);
    } else if (!included) {
      static_cast<void>(lab::keep_recent(saved->file.string()));
    }
    return fmt::format("Saved {}", saved->file.string());
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
    const auto written = options_.save_measurements(model.result, stem);
    return written ? fmt::format("Saved {0}.csv and {0}.json", stem) : written.error().message;
  }

  lab::Lab& lab_;
  core::Catalogue catalogue_;
  lab::CatalogueWatch watch_;
  const std::vector<core::DeviceInfo>& devices_;
  Display& display_;
  Session session_;
  GlfwInput input_;
  Swapchain swapchain_;
  const StudioOptions& options_;
  Clipboard clipboard_;
  std::function<void(const core::LessonProgress&)> keep_progress_;
  core::LessonProgress progress_;  // as it was kept last
  std::shared_ptr<const core::Result> shown_;
  BesideLab beside_;
  std::shared_ptr<const core::Result> shown_beside_;
  std::string listed_;
  std::future<ui::FolderListing> listing_;
  Clock::time_point looked_;
  core::Scene kept_;
  bool drawn_ = false;
  bool told_of_loss_ = false;
  FramePace pace_;
  glm::vec2 mouse_{0.0F};
  std::array<bool, 3> buttons_{};
  bool mouse_known_ = false;
  float density_ = display_.density();
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
  const bool fresh = options.scale == StudioOptions::Scale::first;
  auto display = Display::open(first.view.width, first.view.height, fresh);
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
  const auto place = lab::read_place();
  if (place) {
    (*display)->move_to(*place);
  }
  const float density = (*display)->density();
  const float before = fresh ? 1.0F : place && place->density > 0.0F ? place->density : density;
  core::Scene begun = first;
  begun.view.scale *= options.scale == StudioOptions::Scale::asked ? 1.0F : density / before;
  lab.request(first.experiment);
  core::Scene last;
  const auto closed = guarded([&] {
    last = Window(lab, catalogue, devices, **display, std::move(*graphics), begun, options).run();
  });
  return closed ? core::Expected<core::Scene>(last) : std::unexpected(closed.error());
}

}  // namespace studio
