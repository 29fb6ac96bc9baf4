#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>

#include <fmt/format.h>
#include <gif_lib.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "core/base/files.h"
#include "studio/pictures/files.h"

namespace studio {
namespace {

core::Error no_film(const std::filesystem::path& path, std::string_view why) {
  return {core::Fault::device, fmt::format("cannot create {}: {}", path.string(), why)};
}

// Lossless: text stays sharp, and what does not change from frame to frame costs nothing.
class WebpFile final : public FilmFile {
 public:
  explicit WebpFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~WebpFile() override { WebPAnimEncoderDelete(encoder_); }

  core::Expected<void> add(const Picture& frame, double seconds) override {
    WebPConfig config;
    WebPPicture picture;
    if (WebPConfigInit(&config) == 0 || WebPConfigLosslessPreset(&config, 1) == 0 ||
        WebPPictureInit(&picture) == 0 || !open(frame)) {
      return std::unexpected(no_film(path_, "libwebp failed to start"));
    }
    picture.use_argb = 1;
    picture.width = static_cast<int>(frame.width);
    picture.height = static_cast<int>(frame.height);
    const bool added =
        WebPPictureImportRGBX(&picture, reinterpret_cast<const std::uint8_t*>(frame.rgba.data()),
                              static_cast<int>(frame.width * sizeof(std::uint32_t))) != 0 &&
        WebPAnimEncoderAdd(encoder_, &picture, now_ms(), &config) != 0;
    WebPPictureFree(&picture);
    if (!added) {
      return std::unexpected(no_film(path_, WebPAnimEncoderGetError(encoder_)));
    }
    seconds_ += seconds;
    return {};
  }

  core::Expected<void> finish() override {
    WebPData data;
    WebPDataInit(&data);
    if (encoder_ == nullptr || WebPAnimEncoderAdd(encoder_, nullptr, now_ms(), nullptr) == 0 ||
        WebPAnimEncoderAssemble(encoder_, &data) == 0) {
      return std::unexpected(
          no_film(path_, encoder_ == nullptr ? "no frames" : WebPAnimEncoderGetError(encoder_)));
    }
    auto written = core::write_file(path_, std::as_bytes(std::span(data.bytes, data.size)));
    WebPDataClear(&data);
    return written;
  }

 private:
  bool open(const Picture& frame) {
    WebPAnimEncoderOptions options;
    if (encoder_ == nullptr && WebPAnimEncoderOptionsInit(&options) != 0) {
      encoder_ = WebPAnimEncoderNew(static_cast<int>(frame.width), static_cast<int>(frame.height),
                                    &options);
    }
    return encoder_ != nullptr;
  }
  [[nodiscard]] int now_ms() const { return static_cast<int>(std::lround(1e3 * seconds_)); }

  std::filesystem::path path_;
  WebPAnimEncoder* encoder_ = nullptr;
  double seconds_ = 0.0;
};

// A colour table of a frame, and its texels as places in it.
struct Indexed {
  std::vector<GifColorType> colours;  // a power of two
  std::vector<GifByteType> texels;
};

int distance(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (std::uint32_t shift = 0; shift < 24; shift += 8) {
    const int d = static_cast<int>(a >> shift & 0xFFU) - static_cast<int>(b >> shift & 0xFFU);
    sum += d * d;
  }
  return sum;
}

// The most frequent colours that lie apart: an interface has few areas and many shades between
// them.
std::vector<std::uint32_t> telling(const std::unordered_map<std::uint32_t, std::uint32_t>& counts) {
  constexpr std::size_t kMost = 255;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all(counts.begin(), counts.end());
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    return std::pair(b.second, b.first) < std::pair(a.second, a.first);
  });
  std::vector<std::uint32_t> chosen;
  for (const int apart : {all.size() > kMost ? 200 : 0, 50, 0}) {
    for (const auto& [colour, count] : all) {
      const auto near = [&](std::uint32_t other) {
        return other == colour || distance(other, colour) < apart;
      };
      if (chosen.size() < kMost && std::ranges::none_of(chosen, near)) {
        chosen.push_back(colour);
      }
    }
  }
  return chosen;
}

Indexed indexed(const Picture& picture) {
  std::unordered_map<std::uint32_t, std::uint32_t> counts;
  for (const std::uint32_t texel : picture.rgba) {
    ++counts[texel & 0xFFFFFFU];
  }
  const std::vector<std::uint32_t> chosen = telling(counts);
  std::unordered_map<std::uint32_t, GifByteType> place;
  for (const auto& [colour, count] : counts) {
    const auto nearest = std::ranges::min_element(
        chosen, {}, [c = colour](std::uint32_t other) { return distance(c, other); });
    place[colour] = static_cast<GifByteType>(nearest - chosen.begin());
  }
  Indexed result;
  for (const std::uint32_t c : chosen) {
    result.colours.push_back({static_cast<GifByteType>(c & 0xFFU),
                              static_cast<GifByteType>(c >> 8U & 0xFFU),
                              static_cast<GifByteType>(c >> 16U & 0xFFU)});
  }
  result.colours.resize(256);
  result.texels.reserve(picture.rgba.size());
  for (const std::uint32_t texel : picture.rgba) {
    result.texels.push_back(place[texel & 0xFFFFFFU]);
  }
  return result;
}

// GIF89a (CompuServe 1990), each frame with colours of its own, repeated as Netscape 2.0 does.
class GifFile final : public FilmFile {
 public:
  explicit GifFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~GifFile() override { close(); }

  core::Expected<void> add(const Picture& frame, double seconds) override {
    if (file_ == nullptr && !open(frame)) {
      return std::unexpected(no_film(path_, "giflib failed to start"));
    }
    Indexed image = indexed(frame);
    GraphicsControlBlock control{.DisposalMode = DISPOSE_DO_NOT,
                                 .UserInputFlag = false,
                                 .DelayTime = static_cast<int>(std::lround(100.0 * seconds)),
                                 .TransparentColor = NO_TRANSPARENT_COLOR};
    std::array<GifByteType, 4> block{};
    static_cast<void>(EGifGCBToExtension(&control, block.data()));
    ColorMapObject* colours =
        GifMakeMapObject(static_cast<int>(image.colours.size()), image.colours.data());
    bool ok = colours != nullptr &&
              EGifPutExtension(file_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(block.size()),
                               block.data()) == GIF_OK &&
              EGifPutImageDesc(file_, 0, 0, static_cast<int>(frame.width),
                               static_cast<int>(frame.height), false, colours) == GIF_OK;
    GifFreeMapObject(colours);
    for (std::uint32_t y = 0; ok && y < frame.height; ++y) {
      ok = EGifPutLine(file_, image.texels.data() + std::size_t{y} * frame.width,
                       static_cast<int>(frame.width)) == GIF_OK;
    }
    return ok ? core::Expected<void>() : std::unexpected(no_film(path_, "giflib failed"));
  }

  core::Expected<void> finish() override {
    if (file_ == nullptr || !close()) {
      return std::unexpected(no_film(path_, "giflib failed at the end"));
    }
    return core::write_file(path_, std::as_bytes(std::span(bytes_)));
  }

 private:
  bool open(const Picture& frame) {
    int error = 0;
    file_ = EGifOpen(
        &bytes_,
        [](GifFileType* file, const GifByteType* data, int length) {
          static_cast<std::string*>(file->UserData)
              ->append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(length));
          return length;
        },
        &error);
    if (file_ == nullptr) {
      return false;
    }
    EGifSetGifVersion(file_, true);
    constexpr int kBits = 8;
    const std::array<GifByteType, 3> repeat{1, 0, 0};  // for ever
    return EGifPutScreenDesc(file_, static_cast<int>(frame.width), static_cast<int>(frame.height),
                             kBits, 0, nullptr) == GIF_OK &&
           EGifPutExtensionLeader(file_, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file_, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file_, 3, repeat.data()) == GIF_OK &&
           EGifPutExtensionTrailer(file_) == GIF_OK;
  }
  bool close() {
    int error = 0;
    return file_ == nullptr || EGifCloseFile(std::exchange(file_, nullptr), &error) == GIF_OK;
  }

  std::filesystem::path path_;
  std::string bytes_;
  GifFileType* file_ = nullptr;
};

}  // namespace

std::unique_ptr<FilmFile> film_file(const std::filesystem::path& path) {
  if (path.extension() == ".gif") {
    return std::make_unique<GifFile>(path);
  }
  return std::make_unique<WebpFile>(path);
}

}  // namespace studio
