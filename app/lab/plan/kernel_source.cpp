#include "lab/plan/kernel_source.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/compiler.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

core::Expected<gpu::CompileOptions> options_of(const fs::path& file,
                                               const core::KernelChoices& choices) {
  gpu::CompileOptions options;
  options.language = gpu::language_of(file);
  for (const std::string& text : choices.defines) {
    auto define = gpu::parse_define(text);
    if (!define) {
      return std::unexpected(define.error());
    }
    options.defines.push_back(std::move(*define));
  }
  for (const std::string& folder : choices.include_dirs) {
    if (!fs::is_directory(folder)) {
      return core::usage_error(fmt::format("-I {}: there is no such folder", folder));
    }
    options.include_dirs.emplace_back(folder);
  }
  return options;
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The names of the functions with [numthreads(...)] in HLSL that is preprocessed.
std::vector<std::string> hlsl_entries(std::string_view text) {
  constexpr std::string_view attribute = "numthreads";
  std::vector<std::string> names;
  for (std::size_t at = text.find(attribute); at != std::string_view::npos;
       at = text.find(attribute, at + 1)) {
    std::size_t end = text.find(']', at);
    // Other attributes may follow.
    for (std::size_t next = end; next != std::string_view::npos;) {
      next = text.find_first_not_of(" \t\r\n", next + 1);
      if (next == std::string_view::npos || text[next] != '[') {
        break;
      }
      end = next = text.find(']', next);
    }
    const std::size_t open = end == std::string_view::npos ? end : text.find('(', end);
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t last = text.find_last_not_of(" \t\r\n", open - 1);
    std::size_t first = last + 1;
    while (first > 0 && in_word(text[first - 1])) {
      --first;
    }
    names.emplace_back(text.substr(first, last + 1 - first));
  }
  return names;
}

core::Expected<std::string> hlsl_entry(const core::Variant& variant,
                                       const core::KernelChoices& choices,
                                       const gpu::CompileOptions& options) {
  const auto text = gpu::preprocess({variant.source, variant.file}, options);
  if (!text) {
    return std::unexpected(text.error());
  }
  const auto names = hlsl_entries(*text);
  const std::string wanted = choices.entry.empty() ? "main" : choices.entry;
  // A text that this scan does not understand is left to the front end.
  if (names.empty() || std::ranges::find(names, wanted) != names.end()) {
    return wanted;
  }
  if (!choices.entry.empty()) {
    return core::usage_error(fmt::format("{}: there is no entry point {}; it has {}",
                                         variant.file.string(), wanted, fmt::join(names, ", ")));
  }
  if (names.size() > 1) {
    return core::usage_error(fmt::format("{} has {} entry points, {}; choose one with --entry",
                                         variant.file.string(), names.size(),
                                         fmt::join(names, ", ")));
  }
  return names.front();
}

core::Expected<spirv::Interface> interface_of(const std::vector<std::uint32_t>& words) {
  auto module = spirv::parse(words);
  return module ? spirv::reflect(*module, {}) : std::unexpected(module.error());
}

// Registers of different kinds have one number: b0 and t0 would be one binding.
bool shares_bindings(const std::vector<std::uint32_t>& words) {
  const auto interface = interface_of(words);
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  return interface && std::ranges::any_of(interface->bindings, [&](const spirv::Binding& b) {
           return !places.insert({b.set, b.binding}).second;
         });
}

core::Expected<core::KernelModule> compile_here(const core::Variant& variant,
                                                const core::KernelChoices& choices,
                                                gpu::CompileOptions options) {
  if (options.language == gpu::Language::hlsl) {
    auto entry = hlsl_entry(variant, choices, options);
    if (!entry) {
      return std::unexpected(entry.error());
    }
    options.entry = std::move(*entry);
  }
  auto compiled = gpu::compile({variant.source, variant.file}, options);
  if (compiled && options.language == gpu::Language::hlsl && shares_bindings(compiled->spirv)) {
    options.register_ranges = true;
    compiled = gpu::compile({variant.source, variant.file}, options);
  }
  if (!compiled) {
    return std::unexpected(compiled.error());
  }
  core::KernelModule module;
  module.words = std::move(compiled->spirv);
  module.sources = std::move(compiled->sources);
  return module;
}

}  // namespace

core::Expected<core::KernelModule> compile_source(const core::Variant& variant,
                                                  const core::KernelChoices& choices,
                                                  std::map<std::string, std::string> texts) {
  auto options = options_of(variant.file, choices);
  if (!options) {
    return std::unexpected(options.error());
  }
  options->texts = std::move(texts);
  return compile_here(variant, choices, std::move(*options));
}

}  // namespace lab
