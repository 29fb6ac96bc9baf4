#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iterator>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

#include "core/base/files.h"
#include "studio/pictures/files.h"
#include "studio/session.h"
#include "ui/views/timeline/launch_state.h"

namespace studio {

core::Expected<Picture> render_picture(const ui::Model& model, const core::Scene& scene,
                                       const StudioOptions& options) {
  auto session = TRY(open_session(scene, options));
  Picture picture;
  const auto drawn = guarded([&] {
    for (int i = 0; i < kSettlingFrames; ++i) {
      session->draw_still(model, scene.view);
    }
    picture = session->target().read();
  });
  if (!drawn) {
    return std::unexpected(drawn.error());
  }
  return picture;
}

namespace {

// Of this thread.
double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace

core::Expected<FrameCost> measure_frames(const ui::Model& model, const core::Scene& scene,
                                         std::size_t frames, const StudioOptions& options) {
  auto session = TRY(open_session(scene, options));
  std::vector<double> samples;
  std::vector<double> recorded;
  const auto measured = guarded([&] {
    for (int i = 0; i < kSettlingFrames; ++i) {
      session->draw_still(model, scene.view);
    }
    if (options.play) {
      session->app().settle(false);
      session->app().state().of<ui::LaunchState>().playing = true;
    }
    for (std::size_t i = 0; i < frames; ++i) {
      session->prepare();
      const double start = cpu_ms();
      if (options.type) {
        session->app().press(ui::letter(U'x'));
      }
      static_cast<void>(session->build(model, scene.view.width, scene.view.height));
      const double built = cpu_ms();
      session->record();
      const double end = cpu_ms();
      samples.push_back(end - start);
      recorded.push_back(end - built);
      session->target().submit({}, {});
    }
  });
  if (!measured) {
    return std::unexpected(measured.error());
  }
  return FrameCost{core::spread_of(samples), core::spread_of(recorded)};
}

core::Expected<core::Spread> measure_gaps(const lab::Lab& lab, const core::Catalogue& catalogue,
                                          const std::vector<core::DeviceInfo>& devices,
                                          const core::Scene& scene, double seconds,
                                          const StudioOptions& options) {
  auto session = TRY(open_session(scene, options));
  using Clock = std::chrono::steady_clock;
  std::vector<double> gaps;
  const auto measured = guarded([&] {
    const auto start = Clock::now();
    auto last = start;
    while (std::chrono::duration<double>(last - start).count() < seconds) {
      const auto shown = lab.latest();
      session->draw_still({*shown, catalogue, devices}, scene.view);
      session->target().wait();
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

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// A window without a window: what it asks for goes to the lab.
class Clicker {
 public:
  Clicker(Session& session, lab::Lab& lab, const core::Catalogue& catalogue,
          const std::vector<core::DeviceInfo>& devices, const core::Scene& scene)
      : session_(session), lab_(lab), catalogue_(catalogue), devices_(devices), scene_(scene) {
    lab_.request(scene.experiment);
  }

  // Draws frames until one shows what is waited for; false: a minute is over.
  bool draw_until(const std::function<bool(const core::Result&)>& there) {
    constexpr double kMost = 60e3;
    for (const auto start = Clock::now(); ms_since(start) < kMost;) {
      const auto shown = next();
      frame(*shown);
      if (shown->experiment.variant == scene_.experiment.variant && there(*shown)) {
        return true;
      }
    }
    return false;
  }
  // The races of a kernel with these edits.
  bool draw_until_checked(const core::BarrierEdits& edits) {
    return draw_until(
        [&](const core::Result& r) { return r.races && r.experiment.barriers == edits; });
  }
  // The answer of this text.
  bool draw_until_answered(const std::string& text) {
    return draw_until([&](const core::Result& r) {
      return r.variant.source == text && r.check.done && !r.fields.empty();
    });
  }
  // And until it has settled: its answer is there, and launches go on.
  bool settle() {
    const bool checked = draw_until_checked({});
    for (int i = 0; checked && i < kSettlingFrames * 8; ++i) {
      frame(*next());
    }
    return checked;
  }
  // Of the frames since the last call, how long each took.
  std::vector<double> frames() { return std::exchange(frames_, {}); }
  void press_first_barrier() {
    session_.app().press(ui::letter('1'));
    frame(*shown_);
  }

 private:
  // As a window does, it draws when there is something new, or every so often.
  std::shared_ptr<const core::Result> next() {
    constexpr double kIdleMs = 100.0;
    for (const auto start = Clock::now(); lab_.latest() == shown_ && ms_since(start) < kIdleMs;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    shown_ = lab_.latest();
    return shown_;
  }
  void frame(const core::Result& result) {
    const auto start = Clock::now();
    session_.prepare();
    ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
    const ui::Requests requests =
        session_.build({result, catalogue_, devices_}, scene_.view.width, scene_.view.height);
    session_.record();
    session_.target().submit({}, {});
    session_.target().wait();
    frames_.push_back(ms_since(start));
    if (requests.experiment) {
      lab_.request(*requests.experiment);
    }
  }

  Session& session_;
  lab::Lab& lab_;
  const core::Catalogue& catalogue_;
  const std::vector<core::DeviceInfo>& devices_;
  const core::Scene& scene_;
  std::shared_ptr<const core::Result> shown_;
  std::vector<double> frames_;
};

}  // namespace

core::Expected<core::Spread> measure_clicks(lab::Lab& lab, const core::Catalogue& catalogue,
                                            const std::vector<core::DeviceInfo>& devices,
                                            const core::Scene& scene, std::size_t times,
                                            const StudioOptions& options) {
  auto session = TRY(open_session(scene, options));
  std::vector<double> samples;
  bool late = false;
  const auto measured = guarded([&] {
    Clicker clicker(*session, lab, catalogue, devices, scene);
    for (std::size_t i = 0; i < times && !late; ++i) {
      late = !clicker.settle();
      const auto start = Clock::now();
      clicker.press_first_barrier();
      late = late || !clicker.draw_until_checked({{1, core::BarrierKind::off}});
      samples.push_back(ms_since(start));
      clicker.press_first_barrier();
    }
  });
  if (!measured) {
    return std::unexpected(measured.error());
  }
  return late ? core::device_error("the races of the kernel did not appear within a minute")
              : core::Expected<core::Spread>(core::spread_of(samples));
}

core::Expected<Saves> measure_saves(lab::Lab& lab, const core::Catalogue& catalogue,
                                    const std::vector<core::DeviceInfo>& devices,
                                    const core::Scene& scene, std::size_t times,
                                    const StudioOptions& options) {
  const auto variant = catalogue.find(scene.experiment.variant);
  auto session = TRY(variant ? open_session(scene, options) : std::unexpected(variant.error()));
  std::vector<double> samples, frames;
  core::Expected<void> going;
  const auto measured = guarded([&] {
    Clicker clicker(*session, lab, catalogue, devices, scene);
    for (std::size_t i = 0; i < times && going; ++i) {
      const std::string text =
          fmt::format("{}\nconst uint saved_so_often = {};\n", variant->source, i + 1);
      if (!clicker.settle()) {
        going = core::device_error("the kernel was not checked within a minute");
        break;
      }
      static_cast<void>(clicker.frames());
      going = core::write_file(variant->file, std::as_bytes(std::span(text)));
      const auto start = Clock::now();
      if (going && !clicker.draw_until_answered(text)) {
        going = core::device_error("the result of a saved kernel did not appear within a minute");
      }
      samples.push_back(ms_since(start));
      std::ranges::copy(clicker.frames(), std::back_inserter(frames));
    }
  });
  going = measured ? going : measured;
  return going ? core::Expected<Saves>({core::spread_of(samples), core::spread_of(frames)})
               : std::unexpected(going.error());
}

Picture cut(const Picture& picture, const ui::Rect& area) {
  const auto bound = [](float value, std::uint32_t most) {
    return static_cast<std::uint32_t>(std::clamp(value, 0.0F, static_cast<float>(most)));
  };
  const std::uint32_t left = bound(area.low.x, picture.width);
  const std::uint32_t right = bound(area.high.x, picture.width);
  const std::uint32_t bottom = bound(area.high.y, picture.height);
  Picture part{right - left, 0, {}};
  for (std::uint32_t y = bound(area.low.y, picture.height); y < bottom; ++y, ++part.height) {
    const auto row = picture.rgba.begin() + static_cast<std::ptrdiff_t>(y) * picture.width;
    part.rgba.insert(part.rgba.end(), row + left, row + right);
  }
  return part;
}

std::vector<std::byte> png_of(const Picture& picture) {
  int size = 0;
  unsigned char* bytes = stbi_write_png_to_mem(
      reinterpret_cast<const unsigned char*>(picture.rgba.data()),
      static_cast<int>(picture.width * sizeof(std::uint32_t)), static_cast<int>(picture.width),
      static_cast<int>(picture.height), 4, &size);
  const auto view = std::as_bytes(
      std::span(bytes, bytes == nullptr ? std::size_t{0} : static_cast<std::size_t>(size)));
  std::vector<std::byte> png(view.begin(), view.end());
  std::free(bytes);
  return png;
}

core::Expected<void> write_png(const std::filesystem::path& path, const Picture& picture) {
  const std::vector<std::byte> png = png_of(picture);
  return png.empty() ? core::device_error("not enough memory to write " + path.string())
                     : core::write_file(path, png);
}

}  // namespace studio
