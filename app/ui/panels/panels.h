// The panels, one function and one file each. Each draws what a Result holds into its rectangle and
// writes down what its reader asks for; none keeps anything that is not in State or Cache.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "ui/actions.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/imgui_compat.h"
#include "ui/canvas/layout.h"
#include "ui/canvas/textures.h"
#include "ui/model.h"
#include "ui/widgets/glsl_tokens.h"
#include "ui/widgets/stack.h"

namespace ui {

/// What is derived from results and worth keeping from frame to frame.
struct Cache {
  /// Counts up whenever another object is seen under the key. Keeps the object alive, so that its
  /// address cannot come back as another's.
  std::uint64_t version(const std::string& key, std::shared_ptr<const void> seen);

  std::string tokens_of;  ///< the source that `tokens` were made from
  GlslListing listing;
  float source_room = 0.0F;  ///< of its lines, and the height of one, in the frame before
  float source_line = 0.0F;
  float source_first = 0.0F;       ///< that was to be at the top
  std::size_t source_top = 0;      ///< the line that this is a row of
  std::size_t source_row = 0;      ///< and which of its rows, from 0
  float source_rows = 0.0F;        ///< that there were
  glm::vec2 source_sought{-1.0F};  ///< where what was sought stood among them, from and to

 private:
  struct Seen {
    std::shared_ptr<const void> object;
    std::uint64_t version = 0;
  };
  std::map<std::string, Seen> seen_;
};

/// All that a panel gets.
struct Frame {
  const Model& model;
  State& state;
  Requests& requests;
  const Theme& theme;
  Textures& textures;
  Cache& cache;
  TextTrace* trace = nullptr;
  bool findings_shown = false;  ///< their panel has room
  bool second = false;          ///< of two columns, the one with the kernel beside
  bool settle = false;          ///< wait for background work, so that the picture is complete

  [[nodiscard]] ActionContext actions() const { return {model, state, requests}; }
  [[nodiscard]] ShownKernel kernel() const { return shown_kernel(state, model.result); }
};

/// An ImGui window without any decoration at a fixed place; drawing and input live as long as it.
class Panel {
 public:
  /// Clear: one of the base that paints nothing by itself.
  enum class Layer { base, clear, overlay };
  Panel(const Frame& frame, const char* id, const Rect& area, Layer layer = Layer::base);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  [[nodiscard]] const Canvas& canvas() const { return *canvas_; }

 private:
  std::optional<Canvas> canvas_;
  compat::StackDepth depth_;
  int exceptions_ = std::uncaught_exceptions();
};

/// A part of a panel that scrolls, for as long as it lives.
class Scrolled {
 public:
  Scrolled(const Frame& frame, const Canvas& ground, const char* id, const Rect& area,
           ImGuiWindowFlags flags = 0);
  ~Scrolled();
  Scrolled(const Scrolled&) = delete;
  Scrolled& operator=(const Scrolled&) = delete;

  [[nodiscard]] const Canvas& canvas() const { return *canvas_; }
  /// Where its content begins; above the area when it was scrolled.
  [[nodiscard]] glm::vec2 top() const { return top_; }
  /// Its lower right corner.
  void ends_at(glm::vec2 corner);

 private:
  std::optional<Canvas> canvas_;
  glm::vec2 top_{};
  compat::StackDepth depth_;
  int exceptions_ = std::uncaught_exceptions();
};

/// Draws a part of the window. An exception costs the part's content for this frame: a sentence
/// takes its place, and the request `not_drawn` says so. Errors of the device that draws go on to
/// the caller. `name`: "the view"; `area`: empty if nothing is drawn there.
void contain(const Frame& frame, const std::string& name, const Rect& area,
             const std::function<void()>& draw);

/// What lies above others: its ground and a frame.
void draw_box(const Canvas& canvas, const Rect& box, Colour edge);
/// The line at the top of the view that is left for a title beside the names of the views.
[[nodiscard]] Rect title_line(const Frame& frame, const Canvas& canvas, const Rect& view);

void draw_top_bar(const Frame& frame, const Rect& area);
void draw_ladder(const Frame& frame, const Rect& area);
/// `id`: of two that are shown, each has its own.
void draw_view(const Frame& frame, const Rect& area, const char* id = "view");
void draw_source(const Frame& frame, const Rect& area);
void draw_timing(const Frame& frame, const Rect& area);
void draw_findings(const Frame& frame, const Rect& area);
/// The same list over the view, for windows that have no room for it beside.
void draw_findings_over(const Frame& frame, const Rect& view);
/// Lets grid, source and list move to a finding that a scene has chosen.
void follow_finding(const Frame& frame);
/// What a click on the badge does: the next finding, and its list where it can be seen.
void open_findings(const Frame& frame);
/// What is left of the view below a sentence that stands: the last request's error, or what the
/// window has to say. Nothing lies below it.
[[nodiscard]] Rect draw_standing(const Frame& frame, const Rect& view);
/// The sentence that goes away by itself: over the source, so that the view that was saved or
/// copied is seen; over the view where there is no source, or where it speaks of what was typed.
void draw_toast(const Frame& frame, const Layout& layout);
/// A refused kernel leaves the view without data: why, above it, until the kernel changes. Returns
/// what is left of the view.
[[nodiscard]] Rect draw_refusal(const Frame& frame, const Rect& view);
void draw_help(const Frame& frame, const Rect& window);

}  // namespace ui
