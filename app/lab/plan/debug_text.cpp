#include "lab/plan/debug_text.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/spdlog.h>

#include "spirv/decompile/decompile.h"
#include "spirv/module/assemble.h"
#include "spirv/module/debug_text.h"

namespace lab {
namespace {

struct Text {
  spirv::Listing listing;
  bool decompiled = false;
};

Text read_back(const std::string& file, const std::vector<std::uint32_t>& words,
               const std::string& entry) {
  auto glsl = spirv::decompile(words, entry);
  if (glsl) {
    return {std::move(*glsl), true};
  }
  auto assembly = spirv::disassemble(words);
  if (!assembly.empty()) {
    spdlog::info("{} is shown as its disassembly, since it can't be decompiled: {}", file,
                 glsl.error().message);
  }
  return {spirv::assembly_listing(words, std::move(assembly)), false};
}

// The texts of the last modules: a launch is set up again after each edit of a barrier.
std::shared_ptr<const Text> text_of(const std::string& file,
                                    const std::vector<std::uint32_t>& words,
                                    const std::string& entry) {
  struct Known {
    std::vector<std::uint32_t> words;
    std::string entry;
    std::shared_ptr<const Text> text;
  };
  constexpr std::size_t kMost = 16;
  static std::mutex mutex;
  static std::vector<Known> all;  // the oldest first
  const std::scoped_lock lock(mutex);
  for (const Known& known : all) {
    if (known.words == words && known.entry == entry) {
      return known.text;
    }
  }
  auto text = std::make_shared<const Text>(read_back(file, words, entry));
  if (all.size() == kMost) {
    all.erase(all.begin());
  }
  all.push_back({words, entry, text});
  return text;
}

}  // namespace

core::KernelModule with_debug_text(const std::filesystem::path& file, core::KernelModule module,
                                   const std::string& entry) {
  if (module.sources.empty()) {
    module.sources = spirv::embedded_sources(module.words);
  }
  const bool has_lines = spirv::has_lines(module.words);
  const bool is_text = !module.sources.empty() && module.sources.front().path == file.string();
  if (!has_lines && is_text) {
    const auto own = spirv::assembly_listing(module.words, module.sources.front().text);
    module.words = spirv::with_lines(module.words, own.lines, file.string());
  }
  module.words = spirv::with_names(module.words);
  if (has_lines || is_text) {
    return module;
  }
  const auto text =
      text_of(file.string(), module.words, entry.empty() ? module.entry_point : entry);
  if (!text->listing.text.empty()) {
    module.words = spirv::with_lines(
        text->decompiled ? spirv::with_glsl_as_language(std::move(module.words)) : module.words,
        text->listing.lines, file.string());
    module.sources.insert(module.sources.begin(),
                          {file.string(), text->listing.text, text->decompiled});
  }
  return module;
}

}  // namespace lab
