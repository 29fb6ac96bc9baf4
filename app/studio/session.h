// What window and pictures have in common: ImGui's context, the app, the frame and its renderer.
#pragma once

#include <memory>

#include "studio/frame_target.h"
#include "studio/imgui_renderer.h"
#include "studio/pictures/drawing.h"
#include "studio/studio.h"
#include "ui/app.h"

struct ImGuiContext;

namespace studio {

/// An ImGui context of our own, without files in the working directory.
class ImGuiSession {
 public:
  ImGuiSession();
  ~ImGuiSession();
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;

 private:
  ImGuiContext* context_;
};

class Session {
 public:
  Session(std::unique_ptr<Graphics> graphics, const core::Scene& first);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const Graphics& graphics() const { return *graphics_; }
  [[nodiscard]] ui::App& app() { return app_; }
  [[nodiscard]] FrameTarget& target() { return target_; }

  /// Before the window system's own NewFrame and draw(): brings the fonts up to date.
  void prepare();
  /// Builds ImGui's lists of one frame of `width` by `height` pixels.
  [[nodiscard]] ui::Requests build(const ui::Model& model, std::uint32_t width,
                                   std::uint32_t height);
  /// Records the frame that was built.
  const vk::raii::CommandBuffer& record();
  /// Draws a frame of a picture's size, a sixtieth of a second after the last; it is not waited
  /// for.
  void draw_still(const ui::Model& model, const core::View& view);
  /// It as shapes and words; built with plain edges.
  [[nodiscard]] Drawing drawing() const;

 private:
  std::unique_ptr<Graphics> graphics_;
  ImGuiSession imgui_;
  FrameTarget target_;
  ImGuiRenderer renderer_;
  ui::App app_;
};

/// Frames until scroll bars and text inputs have taken their places.
inline constexpr int kSettlingFrames = 3;

/// For pictures: without motion, presented and at a lesson's step where the options say so.
[[nodiscard]] core::Expected<std::unique_ptr<Session>> open_session(const core::Scene& scene,
                                                                    const StudioOptions& options);

}  // namespace studio
