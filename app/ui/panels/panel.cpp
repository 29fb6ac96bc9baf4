#include <exception>
#include <system_error>

#include <fmt/format.h>

#include "ui/panels/panels.h"

namespace ui {
namespace {

constexpr ImGuiWindowFlags kBare = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoScrollWithMouse;

}  // namespace

std::uint64_t Cache::version(const std::string& key, std::shared_ptr<const void> object) {
  Seen& entry = seen_[key];
  if (entry.version == 0 || entry.object != object) {
    entry.object = std::move(object);
    ++entry.version;
  }
  return entry.version;
}

Panel::Panel(const Frame& frame, const char* id, const Rect& area, Layer layer) {
  const bool base = layer != Layer::overlay;
  ImGui::SetNextWindowPos(im(area.low));
  ImGui::SetNextWindowSize(im(area.size()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  // An overlay paints its own ground and must come up above the panels once they were clicked.
  ImGui::Begin(id, nullptr,
               kBare | (base ? ImGuiWindowFlags_NoBringToFrontOnFocus : ImGuiWindowFlags_None) |
                   (layer == Layer::base ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoBackground));
  ImGui::PopStyleVar();
  canvas_.emplace(*ImGui::GetWindowDrawList(), frame.theme, frame.trace, base ? 0 : 1);
  depth_ = compat::stack_depth();
}

Panel::~Panel() {
  if (std::uncaught_exceptions() > exceptions_) {
    compat::unwind_stacks(depth_);
  }
  ImGui::End();
}

Scrolled::Scrolled(const Frame& frame, const Canvas& ground, const char* id, const Rect& area,
                   ImGuiWindowFlags flags) {
  ImGui::SetCursorScreenPos(im(area.low));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  compat::begin_child(id, im(area.size()), flags);
  top_ = vec(ImGui::GetCursorScreenPos());
  canvas_.emplace(*ImGui::GetWindowDrawList(), frame.theme, frame.trace, ground.layer(), true);
  depth_ = compat::stack_depth();
}

Scrolled::~Scrolled() {
  if (std::uncaught_exceptions() > exceptions_) {
    compat::unwind_stacks(depth_);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void Scrolled::ends_at(glm::vec2 corner) {
  ImGui::SetCursorScreenPos(im(corner));
  ImGui::Dummy({1.0F, 1.0F});
}

void contain(const Frame& frame, const std::string& name, const Rect& area,
             const std::function<void()>& draw) {
  const compat::StackDepth depth = compat::stack_depth();
  std::string failed;
  try {
    return draw();
  } catch (const std::system_error&) {  // the drawing device's: Vulkan's errors are of this kind
    throw;
  } catch (const std::exception& error) {
    failed = fmt::format("cannot draw {}: {}", name, error.what());
  }
  compat::unwind_stacks(depth);
  frame.requests.not_drawn.push_back(failed);
  if (area.empty()) {
    return;
  }
  const Panel panel(frame, (name + (frame.second ? " failed beside" : " failed")).c_str(), area);
  panel.canvas().fill(area, frame.theme.colours.background);
  Stack rest{panel.canvas(), area.inset(frame.theme.gap.large, frame.theme.gap.large)};
  rest.wrap(failed, pen::dim);
}

void draw_box(const Canvas& canvas, const Rect& box, Colour edge) {
  const float rounding = canvas.theme().gap.small;
  canvas.fill(box, canvas.theme().colours.raised, rounding);
  canvas.frame(box, edge, 1.0F, rounding);
}

}  // namespace ui
