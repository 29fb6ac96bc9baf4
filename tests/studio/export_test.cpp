// Pictures that move and pictures that scale, read back with the libraries that others read them
// with.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

#include <gif_lib.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <webp/demux.h>

#include "studio/pictures/drawing.h"
#include "studio/pictures/render.h"
#include "ui/fixture.h"

namespace {

namespace fs = std::filesystem;

class Exports : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    result_.timeline = tests::timeline(12, true);
    scene_.experiment = result_.experiment;
    scene_.view.width = 640;
    scene_.view.height = 400;
    scene_.view.name = "grid";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] ui::Model model() const { return {result_, catalogue_, devices_}; }

  std::string film(const std::string& name, std::size_t frames) {
    const auto stills = ui::film_of("grid").stills({.result = result_, .most = frames});
    EXPECT_EQ(stills.size(), frames);
    const fs::path path = folder_ / name;
    const auto file = studio::film_file(path);
    const auto drawn = studio::render_film(model(), scene_, stills, *file);
    EXPECT_TRUE(drawn) << drawn.error().message;
    return content(path);
  }
  std::string drawing(const std::string& name) {
    const auto drawn = studio::render_drawing(model(), scene_);
    EXPECT_TRUE(drawn) << drawn.error().message;
    const auto written = studio::write_drawing(folder_ / name, *drawn);
    EXPECT_TRUE(written) << written.error().message;
    return content(folder_ / name);
  }
  static std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) / ("tilescope-exports-" + std::to_string(::getpid()));
  core::Catalogue catalogue_ = tests::catalogue();
  std::vector<core::DeviceInfo> devices_ = tests::devices();
  core::Result result_ = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  core::Scene scene_;
};

TEST_F(Exports, AFilmAsWebpHasItsFramesAndTheyDiffer) {
  const std::string bytes = film("a.webp", 16);
  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  WebPAnimDecoderOptions options;
  ASSERT_NE(WebPAnimDecoderOptionsInit(&options), 0);
  WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, &options);
  ASSERT_NE(decoder, nullptr);
  WebPAnimInfo info;
  ASSERT_NE(WebPAnimDecoderGetInfo(decoder, &info), 0);
  EXPECT_EQ(info.canvas_width, 640U);
  EXPECT_EQ(info.canvas_height, 400U);
  EXPECT_EQ(info.loop_count, 0U) << "for ever";
  std::vector<std::vector<std::uint8_t>> frames;
  int before = 0;
  while (WebPAnimDecoderHasMoreFrames(decoder) != 0) {
    std::uint8_t* texels = nullptr;
    int until = 0;
    ASSERT_NE(WebPAnimDecoderGetNext(decoder, &texels, &until), 0);
    EXPECT_GT(until, before);
    before = until;
    frames.emplace_back(texels, texels + std::size_t{640} * 400 * 4);
  }
  WebPAnimDecoderDelete(decoder);
  EXPECT_EQ(before, 9500) << "8 s of the launch and 1.5 s of all of it";
  ASSERT_GE(frames.size(), 3U) << "frames that are alike are one";
  EXPECT_NE(frames[0], frames[1]);
  EXPECT_NE(frames[1], frames.back());
  // Its last frame is the picture of the whole launch, to the bit.
  scene_.view.settings["played"] = -1.0;
  const auto still = studio::render_picture(model(), scene_);
  ASSERT_TRUE(still);
  std::size_t different = 0;
  for (std::size_t i = 0; i < still->rgba.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      different += frames.back()[4 * i + c] != (still->rgba[i] >> (8 * c) & 0xFFU) ? 1 : 0;
    }
  }
  EXPECT_EQ(different, 0U);
}

TEST_F(Exports, AFilmAsGifHasItsFramesAndTheirColours) {
  const std::string bytes = film("a.gif", 3);
  EXPECT_TRUE(bytes.starts_with("GIF89a"));
  EXPECT_NE(bytes.find("NETSCAPE2.0"), std::string::npos) << "for ever";
  int error = 0;
  GifFileType* gif = DGifOpenFileName((folder_ / "a.gif").c_str(), &error);
  ASSERT_NE(gif, nullptr);
  ASSERT_EQ(DGifSlurp(gif), GIF_OK);
  EXPECT_EQ(gif->SWidth, 640);
  EXPECT_EQ(gif->SHeight, 400);
  ASSERT_EQ(gif->ImageCount, 3);
  scene_.view.settings["played"] = -1.0;
  const auto still = studio::render_picture(model(), scene_);
  ASSERT_TRUE(still);
  const SavedImage& last = gif->SavedImages[2];
  double off = 0.0;
  for (std::size_t i = 0; i < still->rgba.size(); ++i) {
    const GifColorType& c = last.ImageDesc.ColorMap->Colors[last.RasterBits[i]];
    off +=
        std::abs(static_cast<double>(c.Green) - static_cast<double>(still->rgba[i] >> 8U & 0xFFU));
  }
  EXPECT_LT(off / static_cast<double>(still->rgba.size()), 1.5) << "of 255, on average";
  DGifCloseFile(gif, &error);
}

TEST_F(Exports, AnSvgHasItsTextAsTextAndItsShapesAsShapes) {
  scene_.view.width = 1280;
  scene_.view.height = 800;
  const std::string svg = drawing("a.svg");
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  const std::regex element("<text [^>]*>([^<]*)</text>");
  std::vector<std::string> words;
  for (std::sregex_iterator it(svg.begin(), svg.end(), element), end; it != end; ++it) {
    words.push_back((*it)[1]);
  }
  for (const char* expected : {"Matrix multiplication", "Time of a launch", "measured"}) {
    EXPECT_NE(std::ranges::find(words, expected), words.end()) << expected;
  }
  EXPECT_NE(svg.find("<path "), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST_F(Exports, APdfIsOnePageOfItsSizeWithFontsInside) {
  const std::string pdf = drawing("a.pdf");
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_NE(pdf.find("%%EOF"), std::string::npos);
  const std::regex page("/Type /Page\\b(?!s)");
  EXPECT_EQ(std::distance(std::sregex_iterator(pdf.begin(), pdf.end(), page), {}), 1);
  EXPECT_NE(pdf.find("[ 0 0 480 300 ]"), std::string::npos) << "640×400 pixels at 96 an inch";
  EXPECT_NE(pdf.find("/FontFile"), std::string::npos);
}

TEST_F(Exports, WhatCannotBeWrittenIsASentence) {
  const auto file = studio::film_file("/nowhere/at/all.gif");
  ASSERT_TRUE(file->add({2, 1, {0xFF0000FFU, 0xFF00FF00U}}, 0.1));
  const auto written = file->finish();
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("/nowhere/at/all.gif"), std::string::npos);
}

}  // namespace
