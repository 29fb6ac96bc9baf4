#include "ui/canvas/theme.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/imgui_compat.h"

namespace ui {
namespace {

constexpr Palette kDark{
    .background = rgb(0x14161A),
    .surface = rgb(0x1A1D23),
    .raised = rgb(0x262B34),
    .text = rgb(0xE8EAED),
    .dim = rgb(0x9BA3AF),
    .line = rgb(0x343A45),
    .accent = rgb(0x8AA8F5),
    .on_accent = rgb(0x10131A),
    .hover = rgb(0x2A303B),
    .global = rgb(0x56B4E9),
    .shared = rgb(0x009E73),
    .registers = rgb(0xCC79A7),
    .barrier = rgb(0xF0E442),
    .race = rgb(0xD55E00),
    .idle = rgb(0x8A8F98),
    .edge = rgb(0xE69F00),
    .barrier_text = rgb(0xF0E442),
    .shared_text = rgb(0x2FC79A),
    .global_text = rgb(0x56B4E9),
    .keyword = rgb(0xB9A7F0),
    .type = rgb(0xC5CAD3),
    .number = rgb(0xE8EAED),
};

constexpr Palette kLight{
    .background = rgb(0xFFFFFF),
    .surface = rgb(0xF7F8FA),
    .raised = rgb(0xFFFFFF),
    .text = rgb(0x1B1F26),
    .dim = rgb(0x5C6470),
    .line = rgb(0xD5D9E0),
    .accent = rgb(0x3056C0),
    .on_accent = rgb(0xFFFFFF),
    .hover = rgb(0xE9ECF2),
    .global = rgb(0x56B4E9),
    .shared = rgb(0x009E73),
    .registers = rgb(0xCC79A7),
    .barrier = rgb(0xF0E442),
    .race = rgb(0xD55E00),
    .idle = rgb(0x9AA0A8),
    .edge = rgb(0xE69F00),
    .barrier_text = rgb(0x7A7000),
    .shared_text = rgb(0x007A59),
    .global_text = rgb(0x1473AB),
    .keyword = rgb(0x5B3FB5),
    .type = rgb(0x3C4350),
    .number = rgb(0x1B1F26),
};

ImVec4 to_vec(Colour colour) {
  return ImGui::ColorConvertU32ToFloat4(colour);
}

}  // namespace

Colour mix(Colour a, Colour b, float t) {
  Colour mixed = 0;
  for (std::uint32_t shift = 0; shift < 32; shift += 8) {
    const auto from = static_cast<float>(a >> shift & 0xFFU);
    const auto to = static_cast<float>(b >> shift & 0xFFU);
    const float value = from + (to - from) * std::clamp(t, 0.0F, 1.0F);
    mixed |= static_cast<std::uint32_t>(std::lround(value)) << shift;
  }
  return mixed;
}

float Theme::px(float length) const {
  return std::max(1.0F, std::round(length * scale));
}

Theme make_theme(bool dark, float scale, const Fonts& fonts) {
  Theme theme{
      .dark = dark, .scale = scale, .colours = dark ? kDark : kLight, .fonts = fonts, .gap = {}};
  for (float Gaps::* gap : {&Gaps::thin, &Gaps::small, &Gaps::medium, &Gaps::large, &Gaps::huge}) {
    theme.gap.*gap = theme.px(theme.gap.*gap);
  }
  return theme;
}

void apply_style(const Theme& theme) {
  const Palette& c = theme.colours;
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = style.FramePadding = {theme.px(8), theme.px(5)};
  style.ItemSpacing = {theme.px(8), theme.px(4)};
  style.WindowBorderSize = 0.0F;
  style.PopupBorderSize = 1.0F;
  style.PopupRounding = style.FrameRounding = theme.px(4);
  style.WindowRounding = style.ChildRounding = 0.0F;
  style.WindowMinSize = {1.0F, 1.0F};
  style.ScrollbarSize = theme.px(8);
  style.ScrollbarRounding = theme.px(4);
  const auto set = [&style](ImGuiCol what, Colour colour) { style.Colors[what] = to_vec(colour); };
  set(ImGuiCol_Text, c.text);
  set(ImGuiCol_TextDisabled, c.dim);
  set(ImGuiCol_WindowBg, c.surface);
  set(ImGuiCol_ChildBg, 0);
  set(ImGuiCol_PopupBg, c.raised);
  set(ImGuiCol_Border, c.line);
  set(ImGuiCol_FrameBg, c.raised);
  set(ImGuiCol_FrameBgHovered, c.hover);
  set(ImGuiCol_FrameBgActive, c.hover);
  set(ImGuiCol_ScrollbarBg, 0);
  set(ImGuiCol_ScrollbarGrab, c.line);
  set(ImGuiCol_ScrollbarGrabHovered, c.dim);
  set(ImGuiCol_ScrollbarGrabActive, c.dim);
  set(ImGuiCol_Header, c.hover);
  set(ImGuiCol_HeaderHovered, c.hover);
  set(ImGuiCol_HeaderActive, c.line);
  set(ImGuiCol_TextSelectedBg, fade(c.accent, 0.4F));
}

}  // namespace ui
