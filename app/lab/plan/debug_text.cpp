#include "lab/plan/debug_text.h"

#include <string>
#include <utility>

#include "spirv/module/assemble.h"
#include "spirv/module/debug_text.h"

namespace lab {

core::KernelModule with_debug_text(const std::filesystem::path& file, core::KernelModule module) {
  if (module.sources.empty()) {
    module.sources = spirv::embedded_sources(module.words);
  }
  if (!spirv::has_lines(module.words)) {
    const bool is_text = !module.sources.empty() && module.sources.front().path == file.string();
    std::string assembly = is_text ? module.sources.front().text : spirv::disassemble(module.words);
    if (!assembly.empty()) {
      module.words = spirv::with_lines_of(module.words, assembly, file.string());
    }
    if (!assembly.empty() && !is_text) {
      module.sources.insert(module.sources.begin(), {file.string(), std::move(assembly)});
    }
  }
  module.words = spirv::with_names(module.words);
  return module;
}

}  // namespace lab
