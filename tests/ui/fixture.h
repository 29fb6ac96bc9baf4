// Results made without a device, and an interface without a renderer, for the tests of panels.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/catalogue/catalogue.h"
#include "core/report/timeline.h"
#include "core/stream/stream.h"
#include "core/work/result.h"
#include "ui/app.h"
#include "ui/canvas/canvas.h"

namespace tests {

/// Three variants of matmul, five of transpose, two of nbody, two of lavamd.
[[nodiscard]] core::Catalogue catalogue();
/// A real GPU and an emulated one.
[[nodiscard]] std::vector<core::DeviceInfo> devices();

/// A finished run with made-up times. Its answer is the reference's, in float.
[[nodiscard]] core::Result result_of(const std::string& variant, const core::Sizes& sizes,
                                     std::uint32_t tile);

/// Its kernel has a barrier and two phases, and its check found two races.
void add_races(core::Result& result);

/// Trials of its barrier: clean where it waits and orders shared memory, else racy; the last one is
/// still to be done.
void add_trials(core::Result& result);

/// The ceilings of a device, and what the traced workgroup asked of memory.
void add_ceilings(core::Result& result);
/// Its occupancy as modelled for a known device with 32 registers an invocation, each tile of its
/// range compiled, the largest impossible; or for a device of which nothing is known.
void add_occupancy(core::Result& result, bool known);
/// So many tiles, dealt out to four multiprocessors of three places as they become free.
[[nodiscard]] std::shared_ptr<const core::Timeline> timeline(std::uint64_t tiles, bool told);

/// A multiplication that was streamed over so many devices, each span as long as the next; or that
/// is half way.
[[nodiscard]] std::shared_ptr<const core::StreamReport> stream(const core::Sizes& sizes,
                                                               std::uint32_t lanes, bool half);

/// Whether a text of the frame has this part.
[[nodiscard]] bool shows(const ui::TextTrace& trace, const std::string& part);

/// Whether the last frame drew something in this very colour there.
[[nodiscard]] bool draws(ui::Colour colour, const ui::Rect& there);

/// Counts what is asked for, and draws nothing.
class NoTextures final : public ui::Textures {
 public:
  ImTextureID image(std::string_view key, std::uint64_t version,
                    const std::function<ui::Image()>& paint) override;
  ImTextureID image(std::string_view key, std::uint64_t version, const ui::Image& kept,
                    ui::Rows changed) override;
  std::size_t painted = 0;
  bool failing = false;  ///< every image ends in an exception

 private:
  std::map<std::string, std::uint64_t, std::less<>> versions_;
};

/// Draws frames of an app into nothing.
class Stage {
 public:
  explicit Stage(const core::Scene& scene, core::Catalogue catalogue = tests::catalogue());
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  ui::Requests draw(const core::Result& result, const core::Result* beside = nullptr);
  [[nodiscard]] ui::App& app() { return app_; }
  [[nodiscard]] const NoTextures& textures() const { return textures_; }
  [[nodiscard]] NoTextures& textures() { return textures_; }
  /// Where the last frame put text.
  [[nodiscard]] const ui::TextTrace& trace() const { return trace_; }

 private:
  struct Context {
    Context();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ImGuiContext* context;
  };
  Context context_;
  core::Catalogue catalogue_;
  std::vector<core::DeviceInfo> devices_ = devices();
  NoTextures textures_;
  ui::TextTrace trace_;
  ui::App app_;
  core::View view_;
};

/// An app with a finished run, to press keys at.
class Keys : public testing::Test {
 protected:
  Keys() : Keys(result_of("matmul/tiled", {64, 64, 64}, 8)) {}
  explicit Keys(core::Result result) : result_(std::move(result)), stage_(scene()) {
    stage_.draw(result_);
    stage_.draw(result_);
  }
  core::Scene scene() const {
    core::Scene scene;
    scene.experiment = result_.experiment;
    return scene;
  }
  ui::Requests press(const ui::KeyPress& key) {
    stage_.app().press(key);
    return stage_.draw(result_);
  }

  core::Result result_;
  Stage stage_;
};

}  // namespace tests
