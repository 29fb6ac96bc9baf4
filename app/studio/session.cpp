#include "studio/session.h"

#include <stdexcept>

#include "ui/canvas/imgui_compat.h"
#include "ui/editor/editor.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/presenter/presenter.h"

namespace studio {

ImGuiSession::ImGuiSession() : context_(ImGui::CreateContext()) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ui::compat::renderer_flags();
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

void Session::draw_still(const ui::Model& model, const core::View& view) {
  prepare();
  ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
  const ui::Requests requests = build(model, view.width, view.height);
  if (!requests.not_drawn.empty()) {
    throw std::runtime_error(requests.not_drawn.front());
  }
  record();
  target_.submit({}, {});
}

core::Expected<std::unique_ptr<Session>> open_session(const core::Scene& scene,
                                                      const StudioOptions& options) {
  auto graphics = TRY(Graphics::create({.validation = options.validation}));
  std::unique_ptr<Session> session;
  const auto made = guarded([&] {
    session = std::make_unique<Session>(std::move(graphics), scene);
    session->app().settle(true);
    ui::State& state = session->app().state();
    state.of<ui::Presenter>().on = options.present;
    state.of<ui::Editor>().asked = options.edit;
    if (options.stand && !options.lessons.empty()) {
      auto& lessons = state.of<ui::LessonState>();
      lessons.lessons = options.lessons;
      lessons.lesson = 0;
      lessons.step = options.stand->step;
      lessons.answer = options.stand->answer;
      lessons.notes = options.stand->notes;
    }
  });
  return made ? core::Expected<std::unique_ptr<Session>>(std::move(session))
              : std::unexpected(made.error());
}

}  // namespace studio
