// The files that a kernel includes: found, read once, and within limits.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <shaderc/shaderc.hpp>

#include "core/base/error.h"
#include "core/work/source_file.h"

namespace gpu {

/// The name by which a kernel's text includes its prelude.
inline constexpr std::string_view kPreludeName = "tilescope: --prelude";

/// Where a kernel's includes are looked for. The first folder is the kernel's own.
class IncludeFolders {
 public:
  IncludeFolders(const std::filesystem::path& kernel,
                 const std::vector<std::filesystem::path>& others);

  /// The file that `requested` means in `requesting`, or why there is none. `quoted`: "x", not <x>.
  [[nodiscard]] core::Expected<std::filesystem::path> find(const std::string& requested,
                                                           const std::filesystem::path& requesting,
                                                           bool quoted) const;

 private:
  [[nodiscard]] bool allows(const std::filesystem::path& file) const;

  std::filesystem::path kernel_folder_;
  std::vector<std::filesystem::path> folders_;
};

/// An `#include` that was answered.
struct Lookup {
  std::string requested;
  bool quoted;  ///< "x", not <x>
  std::string requesting;
  std::string path;

  bool operator==(const Lookup&) const = default;
};

/// The files of a kernel: the kernel's own first, then those that it includes, each once, in the
/// order in which they were first met.
struct SourceFiles {
  std::vector<core::SourceFile> files;
  std::vector<Lookup> lookups;  ///< each once, in order
};

/// What shaderc asks for each `#include`. It reads every kernel twice (for the version first), so
/// files are kept: both times see the same text. The limits are those of gpu/compiler.h.
class Includer final : public shaderc::CompileOptions::IncluderInterface {
 public:
  /// `texts`: what stands in place of files, by path. `prelude`: the file of kPreludeName.
  Includer(IncludeFolders folders, SourceFiles& sources,
           std::map<std::string, std::string> texts = {}, std::filesystem::path prelude = {})
      : folders_(std::move(folders)),
        sources_(sources),
        texts_(std::move(texts)),
        prelude_(std::move(prelude)) {}

  shaderc_include_result* GetInclude(const char* requested, shaderc_include_type type,
                                     const char* requesting, std::size_t depth) override;
  void ReleaseInclude(shaderc_include_result* data) override;

  /// Returns the file of an `#include`, read and noted in `sources`, or why there is none.
  core::Expected<const core::SourceFile*> take(const std::string& requested, bool quoted,
                                               const std::string& requesting, std::size_t depth);

 private:
  core::Expected<const core::SourceFile*> read(const std::filesystem::path& path);
  std::string chain() const;

  IncludeFolders folders_;
  SourceFiles& sources_;
  std::map<std::string, std::string> texts_;
  std::filesystem::path prelude_;
  std::map<std::string, core::SourceFile> known_;
  std::vector<std::string> open_;  // the files between the kernel and what is included now
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace gpu
