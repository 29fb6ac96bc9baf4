// Frames as files that move and as files that scale.
#include "studio/pictures/render.h"

#include <span>

#include <fmt/format.h>

#include "core/base/files.h"
#include "studio/pictures/drawing.h"
#include "studio/session.h"
#include "ui/presenter/presenter.h"

namespace studio {
namespace {

constexpr int kSettlingFrames = 3;  // scroll bars and text inputs take their places

core::Expected<std::unique_ptr<Session>> open_session(const core::Scene& scene,
                                                      const StudioOptions& options) {
  auto graphics = Graphics::create({.validation = options.validation});
  if (!graphics) {
    return std::unexpected(graphics.error());
  }
  std::unique_ptr<Session> session;
  const auto made = guarded([&] {
    session = std::make_unique<Session>(std::move(*graphics), scene);
    session->app().settle(true);
    session->app().state().of<ui::Presenter>().on = options.present;
  });
  return made ? core::Expected<std::unique_ptr<Session>>(std::move(session))
              : std::unexpected(made.error());
}

void build(Session& session, const ui::Model& model, const core::View& view) {
  session.prepare();
  ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
  static_cast<void>(session.build(model, view.width, view.height));
}

Picture frame_of(Session& session, const ui::Model& model, const core::View& view, int frames) {
  for (int i = 0; i < frames; ++i) {
    build(session, model, view);
    session.record();
    session.target().submit({}, {});
  }
  return session.target().read();
}

}  // namespace

core::Expected<void> render_film(const ui::Model& model, const core::Scene& scene,
                                 std::span<const ui::Still> stills, FilmFile& file,
                                 const StudioOptions& options) {
  auto session = open_session(scene, options);
  if (!session) {
    return std::unexpected(session.error());
  }
  core::Expected<void> added;
  const auto drawn = guarded([&] {
    for (std::size_t i = 0; added && i < stills.size(); ++i) {
      core::Result result = model.result;
      stills[i].set((*session)->app().state().views, result);
      const ui::Model now{result, model.catalogue, model.devices};
      const Picture picture = frame_of(**session, now, scene.view, i == 0 ? kSettlingFrames : 2);
      added = file.add(picture, stills[i].seconds);
    }
  });
  if (!drawn) {
    return std::unexpected(drawn.error());
  }
  return added ? file.finish() : added;
}

core::Expected<Drawing> render_drawing(const ui::Model& model, const core::Scene& scene,
                                       const StudioOptions& options) {
  auto session = open_session(scene, options);
  if (!session) {
    return std::unexpected(session.error());
  }
  Drawing drawing;
  const auto drawn = guarded([&] {
    for (int i = 0; i < kSettlingFrames; ++i) {
      plain_edges();
      build(**session, model, scene.view);
      (*session)->record();
      (*session)->target().submit({}, {});
    }
    drawing = (*session)->drawing();
  });
  if (!drawn) {
    return std::unexpected(drawn.error());
  }
  drawing.title = fmt::format("Tilescope: {}, {}", model.result.experiment.variant,
                              ui::current_view(scene.view, model.result));
  return drawing;
}

core::Expected<void> write_drawing(const std::filesystem::path& path, const Drawing& drawing) {
  const auto bytes =
      path.extension() == ".pdf" ? to_pdf(drawing) : core::Expected<std::string>(to_svg(drawing));
  return bytes ? core::write_file(path, std::as_bytes(std::span(*bytes)))
               : std::unexpected(bytes.error());
}

}  // namespace studio
