// What the interface shows and what it asks for. Panels read a Model and never wait; whoever calls
// draw() acts on the Requests.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/device_info.h"
#include "core/catalogue/catalogue.h"
#include "core/work/experiment.h"
#include "core/work/result.h"
#include "core/work/scene.h"
#include "core/work/step.h"
#include "ui/view_state.h"

namespace ui {

struct Model {
  const core::Result& result;
  const core::Catalogue& catalogue;
  std::span<const core::DeviceInfo> devices;
  const core::Result* beside = nullptr;  ///< of the kernel beside; null: none, or not yet
};

/// A kernel as it was typed.
struct KernelText {
  std::string variant;  ///< of an included file: its path
  std::string text;
  std::string begun = {};  ///< its file's text, that it was begun with
};
struct EditedKernel {
  std::string variant;
  std::optional<std::string> text;  ///< nothing: its file's again
  bool included = false;            ///< `variant` is the path of a file that kernels include
};

/// At most one of each a frame.
struct Requests {
  std::optional<core::Experiment> experiment;  ///< run this from now on
  std::optional<bool> paused;                  ///< stop or go on launching
  bool cancel = false;                         ///< give up the launch under way
  bool restart = false;                        ///< chained workloads: from the start again
  std::size_t launch = 0;                      ///< the one that is shown, of a run of several
  std::optional<std::uint64_t> trace;          ///< workgroup in launch order whose inside is shown
  bool compare = false;                        ///< measure all variants anew, warmed up
  bool try_barriers = false;                   ///< every barrier of the kernel as every kind
  std::optional<bool> stream;                  ///< stream the multiplication, or stop that
  std::optional<EditedKernel> edit;            ///< run this text in place of the kernel's file
  std::optional<KernelText> save_kernel;       ///< as a file
  bool save_picture = false;                   ///< and the scene beside it
  bool save_measurements = false;              ///< as CSV and JSON
  bool quit = false;
  std::vector<std::string> not_drawn;         ///< parts of this frame that failed, and why
  std::optional<KernelText> draft;            ///< typed, and not given to the lab yet
  std::optional<std::string> open;            ///< a name or a path (lab/files/open.h)
  std::optional<std::size_t> open_scene;      ///< of the list of scenes, from 0
  std::optional<std::string> list_folder;     ///< its files are wanted in OpenState
  std::optional<core::Experiment> beside;     ///< wanted beside, in each frame; nothing: none
  std::optional<std::uint64_t> beside_trace;  ///< workgroup whose inside is shown there
};

/// What the interface itself remembers from frame to frame.
struct State {
  core::View view;  ///< but for its settings, which are in `views`
  ViewStates views;
  template <class T>
  [[nodiscard]] T& of() {
    return views.of<T>();
  }
  core::Experiment wanted;  ///< as the controls stand; the lab may still be on its way there
  bool help = false;
  bool header_folded = true;                 ///< the `//!` lines of the source
  std::vector<core::SourcePlace> lit_lines;  ///< of the source: where the view's accesses stand
  std::string source_path;              ///< the file that is shown, of the kernel's; empty: its own
  std::string source_of, source_about;  ///< the kernel, and what of it, that it was brought to
  enum class Scroll { none, from_here, from_start } source_scroll = Scroll::none;  ///< is due
  int scroll_lines = 0;                  ///< of the source, asked for by a key
  int first_step = 0;                    ///< of the ladder, the same
  std::string step_in_sight;             ///< of the ladder: the chosen one that it has moved to
  std::int64_t shown_finding = -1;       ///< the one that source, grid and list have moved to
  bool find_tile = false;                ///< the grid is to bring the pointed-at tile into sight
  bool find_entry = false;               ///< the list, the finding
  bool find_race = false;                ///< the tile view, its two invocations
  bool findings_over = false;            ///< the list lies over the view, where it has no panel
  std::uint32_t barrier = 0;             ///< the barrier that keys change the kind of; 0: none yet
  bool open_barrier_menu = false;        ///< asked for by a key or a click
  glm::vec2 barrier_menu_at{0.0F};       ///< beside that barrier's dot, pixels
  bool popup_open = false;               ///< a menu is open
  bool close_popup = false;              ///< and is to be closed
  std::optional<std::size_t> edit_size;  ///< size whose input is to take the keyboard
  std::optional<std::size_t> typing;     ///< size whose input has the keyboard
  std::string typed;                     ///< what stands in it
  std::string told;                      ///< a sentence that stands until it is closed
  std::string toast;                     ///< a sentence that goes away by itself
  double toast_until = 0.0;              ///< ImGui time, seconds
  std::string hidden_error;              ///< the error that was closed; another one shows again
  std::map<std::string, core::Sizes> sizes_before;  ///< of workloads that were gone from
};

/// What the source view shows: the kernel of the launch that the pointed-at tile belongs to, the
/// first launch's when none is pointed at.
struct ShownKernel {
  std::string id;             ///< of the variant whose kernel it is
  std::size_t launch = 0;     ///< from 1; 0: the variant has but one
  const std::string& source;  ///< of the file that is shown; as it is typed, where it is edited
  const core::KernelFacts* facts = nullptr;
  std::uint32_t barriers_before = 0;  ///< its barrier K is the experiment's barriers_before + K
  std::span<const core::SourceFile> files;  ///< its own and those that it includes; may be empty
  std::size_t file = 0;                     ///< the one that is shown
  const std::string& runs;                  ///< that file's text as it is launched
  /// A lesson asks what barriers do that it changed: which phases are left would answer.
  bool keeps_phases_back = false;

  /// What a text that is typed at it is known by: the variant, of an included file its path.
  [[nodiscard]] std::string sheet() const { return file > 0 ? files[file].path : id; }

  /// The kernel's own file as debug information has it; empty: not known.
  [[nodiscard]] std::string own_file() const { return facts != nullptr ? facts->file : ""; }
  /// The shown file's name as debug information has it; empty: the kernel's own, not known.
  [[nodiscard]] std::string path() const;
  /// A place of a file: does it stand in the one that is shown? An empty name is the kernel's own.
  [[nodiscard]] bool shows(const std::string& path_of_place) const;
};
[[nodiscard]] ShownKernel shown_kernel(State& state, const core::Result& result);
/// Barriers of all kernels that are launched.
[[nodiscard]] std::uint32_t barrier_count(const core::Result& result);

/// The chosen finding; null when there is none.
[[nodiscard]] const core::Finding* chosen_finding(const core::View& view,
                                                  const core::Result& result);
/// The launch that a finding belongs to, from 0.
[[nodiscard]] std::size_t launch_of_finding(const core::Finding& finding,
                                            const core::Result& result);
/// Returns true if a finding names a workgroup and one of its invocations.
[[nodiscard]] bool has_workgroup(const core::Finding& finding);
/// The tile of a finding in its launch's order; −1 where it belongs to none.
[[nodiscard]] std::int64_t tile_of_finding(const core::Finding& finding,
                                           const core::Result& result);

/// The names of the views that a result has, its own choice first.
[[nodiscard]] std::vector<std::string> views_of(const core::Result& result);
/// The names of all views, whatever is run.
[[nodiscard]] std::vector<std::string> all_views();
/// The settings that they keep in a scene.
[[nodiscard]] std::vector<core::ViewField> view_fields();
/// What must be known of a run to show it so.
[[nodiscard]] core::Steps needs_of(const core::View& view);
/// The view that is shown: the state's, or the result's own where that does not exist.
[[nodiscard]] std::string current_view(const core::View& view, const core::Result& result);

}  // namespace ui
