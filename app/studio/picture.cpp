#include <chrono>
#include <cstdlib>
#include <span>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

#include "core/base/files.h"
#include "studio/session.h"
#include "ui/views/timeline/launch_state.h"

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
  });
  if (!made) {
    return std::unexpected(made.error());
  }
  return session;
}

void one_frame(Session& session, const ui::Model& model, const core::View& view) {
  session.prepare();
  ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
  static_cast<void>(session.build(model, view.width, view.height));
  session.record();
  session.target().submit({}, {});
}

}  // namespace

core::Expected<Picture> render_picture(const ui::Model& model, const core::Scene& scene,
                                       const StudioOptions& options) {
  auto session = open_session(scene, options);
  if (!session) {
    return std::unexpected(session.error());
  }
  Picture picture;
  const auto drawn = guarded([&] {
    for (int i = 0; i < kSettlingFrames; ++i) {
      one_frame(**session, model, scene.view);
    }
    picture = (*session)->target().read();
  });
  if (!drawn) {
    return std::unexpected(drawn.error());
  }
  return picture;
}

core::Expected<core::Spread> measure_frames(const ui::Model& model, const core::Scene& scene,
                                            std::size_t frames, const StudioOptions& options) {
  auto session = open_session(scene, options);
  if (!session) {
    return std::unexpected(session.error());
  }
  std::vector<double> samples;
  const auto measured = guarded([&] {
    for (int i = 0; i < kSettlingFrames; ++i) {
      one_frame(**session, model, scene.view);
    }
    if (options.play) {
      (*session)->app().settle(false);
      (*session)->app().state().of<ui::LaunchState>().playing = true;
    }
    for (std::size_t i = 0; i < frames; ++i) {
      (*session)->prepare();
      const auto start = std::chrono::steady_clock::now();
      static_cast<void>((*session)->build(model, scene.view.width, scene.view.height));
      (*session)->record();
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      samples.push_back(took.count());
      (*session)->target().submit({}, {});
    }
  });
  if (!measured) {
    return std::unexpected(measured.error());
  }
  return core::spread_of(samples);
}

core::Expected<core::Spread> measure_gaps(const lab::Lab& lab, const core::Catalogue& catalogue,
                                          const std::vector<core::DeviceInfo>& devices,
                                          const core::Scene& scene, double seconds,
                                          const StudioOptions& options) {
  auto session = open_session(scene, options);
  if (!session) {
    return std::unexpected(session.error());
  }
  using Clock = std::chrono::steady_clock;
  std::vector<double> gaps;
  const auto measured = guarded([&] {
    const auto start = Clock::now();
    auto last = start;
    while (std::chrono::duration<double>(last - start).count() < seconds) {
      const auto shown = lab.latest();
      one_frame(**session, {*shown, catalogue, devices}, scene.view);
      (*session)->target().wait();
      const auto now = Clock::now();
      gaps.push_back(std::chrono::duration<double, std::milli>(now - last).count());
      last = now;
    }
  });
  if (!measured) {
    return std::unexpected(measured.error());
  }
  return core::spread_of(gaps);
}

core::Expected<void> write_png(const std::filesystem::path& path, const Picture& picture) {
  int size = 0;
  unsigned char* bytes = stbi_write_png_to_mem(
      reinterpret_cast<const unsigned char*>(picture.rgba.data()),
      static_cast<int>(picture.width * sizeof(std::uint32_t)), static_cast<int>(picture.width),
      static_cast<int>(picture.height), 4, &size);
  if (bytes == nullptr) {
    return core::device_error("there is no memory left to write " + path.string());
  }
  const auto written =
      core::write_file(path, std::as_bytes(std::span(bytes, static_cast<std::size_t>(size))));
  std::free(bytes);
  return written;
}

}  // namespace studio
