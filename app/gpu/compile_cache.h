// Results of the front end, kept on disk from one process to the next: half of the time of a short
// command is the front end's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gpu/includes.h"

namespace gpu {

/// A successful call of the front end.
struct FrontEndResult {
  std::string output;    ///< the bytes of a module, or a text
  std::string warnings;  ///< as shaderc words them
};

/// The result of one call, in the file $XDG_CACHE_HOME/tilescope/compiled/KEY. It is used again if
/// everything that the front end reads is equal, byte by byte: the text, the options, and each
/// included file, which is searched and read again. Files that are damaged, or that another front
/// end wrote, are as good as none.
class CompileCache {
 public:
  /// `call`: all that the result depends on, except included files.
  explicit CompileCache(std::string call);

  /// Reads the included files through `includer`, as the front end would have done.
  [[nodiscard]] std::optional<FrontEndResult> find(Includer& includer) const;
  /// Does nothing if there is no cache folder, or if it cannot be written.
  void keep(const FrontEndResult& result, const SourceFiles& sources) const;

 private:
  std::string call_;
  std::filesystem::path file_;  // empty: no cache
};

}  // namespace gpu
