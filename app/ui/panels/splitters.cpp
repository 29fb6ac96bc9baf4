#include "ui/panels/splitters.h"

#include <algorithm>

#include <fmt/format.h>

namespace ui {
namespace {

void draw_splitter(const Frame& frame, const Splitter& splitter, std::size_t number) {
  float& share = frame.state.of<PanelSizes>().shares.*splitter.share;
  const Panel panel(frame, fmt::format("splitter {}", number).c_str(), splitter.grip,
                    Panel::Layer::clear);
  const Hit mouse = hit("grip", splitter.grip);
  if (!mouse.hovered && !mouse.held) {
    return;
  }
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetMouseCursor(splitter.upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  panel.canvas().fill(splitter.grip, fade(frame.theme.colours.accent, mouse.held ? 0.8F : 0.5F));
  if (mouse.hovered && ImGui::IsMouseDoubleClicked(0)) {
    share = 0.0F;
  } else if (mouse.held && (io.MouseDelta.x != 0.0F || io.MouseDelta.y != 0.0F)) {
    constexpr float kLeast = 0.01F;
    share = std::clamp(splitter.share_at(vec(io.MousePos)), kLeast, 1.0F);
  }
}

}  // namespace

std::vector<StateField> PanelSizes::fields() {
  return {
      field("panel_ladder", shares.ladder, 0.0, 1.0)
          .with_meaning("Window: width of the ladder, as a share; 0 = default"),
      field("panel_column", shares.column, 0.0, 1.0)
          .with_meaning("Window: width of timing and findings, as a share; 0 = default"),
      field("panel_findings", shares.findings, 0.0, 1.0)
          .with_meaning("Window: height of the findings, as a share; 0 = default"),
      field("panel_source", shares.source, 0.0, 1.0)
          .with_meaning("Window: height of the source, as a share; 0 = default"),
      field("panel_beside", shares.beside, 0.0, 1.0)
          .with_meaning("Window, if low: width of the source, as a share; 0 = default"),
      field("panel_above", shares.above, 0.0, 1.0)
          .with_meaning(
              "Window, if low: height of the findings above the source, as a share; 0 = default")};
}

void draw_splitters(const Frame& frame, const Layout& layout) {
  const auto all = splitters(layout, vec(ImGui::GetIO().DisplaySize), frame.theme.scale);
  for (std::size_t i = 0; i < all.size(); ++i) {
    draw_splitter(frame, all[i], i);
  }
}

}  // namespace ui
