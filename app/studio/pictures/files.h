// Pictures as files' bytes, and pictures that move as files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "studio/studio.h"

namespace studio {

/// Empty: there is no memory left.
[[nodiscard]] std::vector<std::byte> png_of(const Picture& picture);

/// A file of frames that repeat for ever. It is written whole, or not at all, by finish().
class FilmFile {
 public:
  FilmFile() = default;
  FilmFile(const FilmFile&) = delete;
  FilmFile& operator=(const FilmFile&) = delete;
  virtual ~FilmFile() = default;

  /// Frames are of one size.
  [[nodiscard]] virtual core::Expected<void> add(const Picture& frame, double seconds) = 0;
  [[nodiscard]] virtual core::Expected<void> finish() = 0;
};

/// By its suffix, .webp (exact colours) or .gif (the 255 that tell a frame best).
[[nodiscard]] std::unique_ptr<FilmFile> film_file(const std::filesystem::path& path);

}  // namespace studio
