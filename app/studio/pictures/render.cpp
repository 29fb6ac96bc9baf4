// Frames as files that move and as files that scale.
#include "studio/pictures/render.h"

#include <span>

#include <fmt/format.h>

#include "core/base/files.h"
#include "studio/pictures/drawing.h"
#include "studio/session.h"

namespace studio {
namespace {

Picture frame_of(Session& session, const ui::Model& model, const core::View& view, int frames) {
  for (int i = 0; i < frames; ++i) {
    session.draw_still(model, view);
  }
  return session.target().read();
}

}  // namespace

core::Expected<void> render_film(const ui::Model& model, const core::Scene& scene,
                                 std::span<const ui::Still> stills, FilmFile& file,
                                 const StudioOptions& options) {
  auto session = TRY(open_session(scene, options));
  core::Expected<void> added;
  const auto drawn = guarded([&] {
    for (std::size_t i = 0; added && i < stills.size(); ++i) {
      core::Result result = model.result;
      stills[i].set(session->app().state().views, result);
      const ui::Model now{result, model.catalogue, model.devices};
      const Picture picture = frame_of(*session, now, scene.view, i == 0 ? kSettlingFrames : 2);
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
  auto session = TRY(open_session(scene, options));
  Drawing drawing;
  const auto drawn = guarded([&] {
    for (int i = 0; i < kSettlingFrames; ++i) {
      plain_edges();
      session->draw_still(model, scene.view);
    }
    drawing = session->drawing();
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
