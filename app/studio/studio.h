// The studio: shows the interface in a window, or draws one frame of it without a display. Both go
// the same way, through an offscreen image that is the frame; a window only shows a copy of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/device_info.h"
#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/lessons/lesson.h"
#include "core/lessons/progress.h"
#include "core/report/timing.h"
#include "core/work/scene.h"
#include "lab/files/open.h"
#include "lab/live/lab.h"
#include "ui/model.h"

namespace studio {

/// Rows from the top; red in each texel's lowest byte. Alpha is opaque.
struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint32_t> rgba;
};

/// Writes a result's measurements to files whose names begin with `stem`.
using SaveMeasurements = std::function<core::Expected<void>(const core::Result& result,
                                                            const std::filesystem::path& stem)>;

/// The check of a kernel's file in the background.
struct KernelVerdict {
  std::string verdict;  ///< in a few words
  std::size_t findings = 0;
  std::string why;  ///< it could not be checked
};
/// Stops when `go_on` returns false.
using CheckKernel =
    std::function<KernelVerdict(const std::string& kernel, const std::function<bool()>& go_on)>;

/// Where somebody is in a lesson.
struct LessonStand {
  std::size_t step = 0;                 ///< from 0
  std::optional<std::uint64_t> answer;  ///< that was given
  bool notes = false;                   ///< the teacher's are shown
};

struct StudioOptions {
  bool validation = false;  ///< Vulkan validation layers, with synchronization validation; each of
                            ///< their messages goes to the log as an error
  SaveMeasurements save_measurements;  ///< of the window: as `stem`.csv and `stem`.json
  std::vector<core::Lesson> lessons;   ///< of the window
  bool offer_lesson = false;           ///< the first of them is offered
  std::string told;                    ///< of the window: a sentence that stands until it is closed
  /// Of the window: where the scene's scale comes from. `first`: nowhere, so that the display's
  /// density is taken; `kept`: it was chosen on the display that the window stood on last; `asked`:
  /// it is taken as it is.
  enum class Scale { first, kept, asked } scale = Scale::kept;
  core::LessonProgress progress;  ///< in them
  /// Of the window: called when the progress has changed.
  std::function<void(const core::LessonProgress& progress)> keep_progress;
  bool present = false;              ///< of a picture: as on a projector
  std::optional<LessonStand> stand;  ///< of a picture: a step of the first lesson
  bool edit = false;                 ///< of a picture: the kernel that is shown is edited
  bool play = false;                 ///< measure_frames(): the launch is played back meanwhile
  bool type = false;                 ///< measure_frames(): a letter is typed in each frame
  /// Of the window: what runs the kernel beside; none where it is empty.
  std::function<std::unique_ptr<lab::Lab>()> another_lab;
  /// Of the window: keeps the scene, so that a crash loses nothing.
  std::function<void(const core::Scene&)> keep_scene;
  /// Of the window: says on stderr how many frames it has drawn, every half second in which it has
  /// drawn one, and when it stands otherwise or at another step of a lesson.
  bool count_frames = false;
  std::vector<lab::SceneFile> scenes;  ///< of the window: a folder of them, the first is shown
  std::string folder;        ///< of the window: the folder that is shown as a tree; empty: none
  CheckKernel check_kernel;  ///< of the window: checks the kernels of that tree
};

/// The frame that a window would show of `model`, seen as `scene.view` says. Needs a Vulkan device
/// that draws, but no display.
[[nodiscard]] core::Expected<Picture> render_picture(const ui::Model& model,
                                                     const core::Scene& scene,
                                                     const StudioOptions& options = {});

/// From the key that switches the kernel's first barrier off, which is what a click on its dot
/// does, to the end of the frame that shows its races, in milliseconds: so many times, each on a
/// kernel that was found clean before. An error of Fault::device where it takes longer than a
/// minute.
[[nodiscard]] core::Expected<core::Spread> measure_clicks(
    lab::Lab& lab, const core::Catalogue& catalogue, const std::vector<core::DeviceInfo>& devices,
    const core::Scene& scene, std::size_t times, const StudioOptions& options = {});

/// Milliseconds.
struct Saves {
  core::Spread answer;  ///< from when a changed text lies in its file to the frame with its answer
  core::Spread frame;   ///< of each frame until then, raster and all, while the kernel is tried
};

/// So many changes of the kernel's file, each once the one before was checked. The file is left
/// changed.
[[nodiscard]] core::Expected<Saves> measure_saves(lab::Lab& lab, const core::Catalogue& catalogue,
                                                  const std::vector<core::DeviceInfo>& devices,
                                                  const core::Scene& scene, std::size_t times,
                                                  const StudioOptions& options = {});

/// Whole or not at all: under another name first, then renamed.
[[nodiscard]] core::Expected<void> write_png(const std::filesystem::path& path,
                                             const Picture& picture);

/// Opens the window, asks the lab for `first`, and returns when its reader closes it, with the
/// scene as it was then. An error of Fault::device when there is no display. When the display goes
/// away while the window is open, the process says so on stderr and ends with status 3: Xlib cannot
/// go on without it.
[[nodiscard]] core::Expected<core::Scene> open_window(lab::Lab& lab,
                                                      const core::Catalogue& catalogue,
                                                      const std::vector<core::DeviceInfo>& devices,
                                                      const core::Scene& first,
                                                      const StudioOptions& options = {});

/// CPU time in milliseconds that the interface's thread takes for one frame; raster and kernels are
/// not in it, nor what other programs keep it waiting for.
struct FrameCost {
  core::Spread ms;         ///< to build it and to record its command buffer
  core::Spread record_ms;  ///< the second alone, most of which is the driver's
};

[[nodiscard]] core::Expected<FrameCost> measure_frames(const ui::Model& model,
                                                       const core::Scene& scene,
                                                       std::size_t frames = 300,
                                                       const StudioOptions& options = {});

/// Frames as a window draws them, raster and all, for so many seconds while the lab is at work. The
/// times between one frame's end and the next's in milliseconds: how long the window can fail to
/// answer.
[[nodiscard]] core::Expected<core::Spread> measure_gaps(
    const lab::Lab& lab, const core::Catalogue& catalogue,
    const std::vector<core::DeviceInfo>& devices, const core::Scene& scene, double seconds,
    const StudioOptions& options = {});

}  // namespace studio
