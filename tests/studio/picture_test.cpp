// Pictures without a display, drawn under the validation layers.
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include "studio/studio.h"
#include "ui/fixture.h"

namespace {

namespace fs = std::filesystem;

class Pictures : public testing::Test {
 protected:
  Pictures() : old_(spdlog::default_logger()) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_)));
  }
  ~Pictures() override {
    spdlog::set_default_logger(old_);
    EXPECT_EQ(log_.str(), "") << "the validation layers have something to say";
  }

  studio::Picture draw(const core::Result& result, const core::Scene& scene) {
    const auto picture =
        studio::render_picture({result, catalogue_, devices_}, scene, {.validation = true});
    EXPECT_TRUE(picture) << picture.error().message;
    return picture.value_or(studio::Picture{});
  }

  core::Catalogue catalogue_ = tests::catalogue();
  std::vector<core::DeviceInfo> devices_ = tests::devices();

 private:
  std::ostringstream log_;
  std::shared_ptr<spdlog::logger> old_;
};

core::Scene scene_of(const core::Result& result) {
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.width = 800;
  scene.view.height = 500;
  return scene;
}

TEST_F(Pictures, HaveTheSizeThatWasAskedForAndAreOpaque) {
  const auto result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  const studio::Picture picture = draw(result, scene_of(result));
  EXPECT_EQ(picture.width, 800U);
  EXPECT_EQ(picture.height, 500U);
  ASSERT_EQ(picture.rgba.size(), 400000U);
  for (const std::uint32_t texel : picture.rgba) {
    ASSERT_EQ(texel >> 24U, 0xFFU);
  }
}

TEST_F(Pictures, AreTheSameForTheSameResultAndScene) {
  for (const auto& [variant, sizes] :
       {std::pair<std::string, core::Sizes>{"matmul/tiled", {64, 48, 80}},
        {"nbody/tiled", {500}}}) {
    const auto result = tests::result_of(variant, sizes, variant == "nbody/tiled" ? 64 : 16);
    EXPECT_EQ(draw(result, scene_of(result)).rgba, draw(result, scene_of(result)).rgba) << variant;
  }
}

TEST_F(Pictures, ChangeWithWhatTheyShow) {
  const auto result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  core::Scene scene = scene_of(result);
  const studio::Picture plain = draw(result, scene);
  scene.view.tile = 3;
  EXPECT_NE(plain.rgba, draw(result, scene).rgba);
  scene = scene_of(result);
  scene.view.theme = "light";
  EXPECT_NE(plain.rgba, draw(result, scene).rgba);
  core::Result wrong = result;
  wrong.check.correct = false;
  EXPECT_NE(plain.rgba, draw(wrong, scene_of(result)).rgba);
}

TEST_F(Pictures, FramesAreMeasuredWith65536Tiles) {
  const auto result = tests::result_of("matmul/tiled", {2048, 2048, 8}, 8);
  ASSERT_EQ(result.tiles.group_count(), 65536U);
  const auto frames =
      studio::measure_frames({result, catalogue_, devices_}, scene_of(result), 50, {});
  ASSERT_TRUE(frames) << frames.error().message;
  EXPECT_EQ(frames->ms.count, 50U);
  EXPECT_GT(frames->record_ms.median, 0.0);
  EXPECT_LT(frames->record_ms.median, frames->ms.median);
}

TEST_F(Pictures, AreWrittenAsPngWholeOrNotAtAll) {
  const studio::Picture picture{2, 1, {0xFF0000FFU, 0xFF00FF00U}};
  const fs::path file = fs::temp_directory_path() / "tilescope_picture_test.png";
  ASSERT_TRUE(studio::write_png(file, picture));
  std::ifstream in(file, std::ios::binary);
  std::string magic(8, '\0');
  in.read(magic.data(), 8);
  EXPECT_EQ(magic, "\x89PNG\r\n\x1A\n");
  fs::remove(file);

  const auto failed = studio::write_png("/nowhere/at/all.png", picture);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().fault, core::Fault::usage);
  EXPECT_NE(failed.error().message.find("/nowhere/at/all.png"), std::string::npos);
}

}  // namespace
