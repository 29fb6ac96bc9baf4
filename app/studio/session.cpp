#include "studio/session.h"

namespace studio {

ImGuiSession::ImGuiSession() : context_(ImGui::CreateContext()) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.MousePos = {-1e6F, -1e6F};
}

ImGuiSession::~ImGuiSession() {
  ImGui::DestroyContext(context_);
}

Session::Session(std::unique_ptr<Graphics> graphics, const core::Scene& first)
    : graphics_(std::move(graphics)),
      target_(*graphics_),
      renderer_(*graphics_, target_.pass()),
      app_(first, renderer_) {}

Session::~Session() {
  try {
    target_.wait();
    graphics_->device().waitIdle();
  } catch (const std::exception&) {
    // A lost device has nothing left to wait for.
  }
}

void Session::prepare() {
  // Textures may only be replaced once the frame that shows them is done.
  target_.wait();
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (app_.prepare(atlas)) {
    renderer_.take_fonts(atlas);
  }
}

ui::Requests Session::build(const ui::Model& model, std::uint32_t width, std::uint32_t height) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DisplayFramebufferScale = {1.0F, 1.0F};
  target_.resize({width, height});
  ImGui::NewFrame();
  ui::Requests requests = app_.draw(model);
  ImGui::Render();
  return requests;
}

const vk::raii::CommandBuffer& Session::record() {
  return target_.record(renderer_, *ImGui::GetDrawData());
}

Drawing Session::drawing() const {
  return drawing_of(*ImGui::GetDrawData(), app_.fonts(),
                    [this](std::uintptr_t texture) { return renderer_.texels(texture); });
}

}  // namespace studio
