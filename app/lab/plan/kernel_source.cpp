#include "lab/plan/kernel_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/files.h"
#include "gpu/compiler.h"
#include "lab/plan/external_compiler.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/launch_size.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

core::Expected<gpu::CompileOptions> options_of(const core::KernelChoices& choices,
                                               const std::string& language) {
  gpu::CompileOptions options;
  options.language = language == "hlsl" ? gpu::Language::hlsl : gpu::Language::glsl;
  for (const std::string& text : choices.defines) {
    auto define = TRY(gpu::parse_define(text));
    options.defines.push_back(std::move(define));
  }
  for (const std::string& folder : choices.include_dirs) {
    if (!core::is_folder(folder)) {
      return core::usage_error(fmt::format("-I {}: folder not found", folder));
    }
    options.include_dirs.emplace_back(folder);
  }
  if (!choices.prelude.empty() && !core::is_file(choices.prelude)) {
    return core::usage_error(fmt::format("--prelude {}: file not found", choices.prelude));
  }
  options.prelude = choices.prelude;
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
  const auto text = TRY(gpu::preprocess({variant.source, variant.file}, options));
  const auto names = hlsl_entries(text);
  const std::string wanted = choices.entry.empty() ? "main" : choices.entry;
  // A text that this scan does not understand is left to the front end.
  if (names.empty() || std::ranges::find(names, wanted) != names.end()) {
    return wanted;
  }
  if (!choices.entry.empty()) {
    return core::usage_error(fmt::format("{}: unknown entry point {}; choose from {}",
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

bool is_single(const spirv::Interface& interface) {
  return interface.local_size == std::array<std::uint32_t, 3>{1, 1, 1} &&
         interface.local_size_ids.empty();
}

// The front end gives a kernel without a local size 1,1,1.
bool declares_local_size(const core::Variant& variant, const gpu::CompileOptions& options,
                         const std::vector<std::uint32_t>& words) {
  const auto interface = interface_of(words);
  if (!interface || !is_single(*interface)) {
    return true;
  }
  const auto text = gpu::preprocess({variant.source, variant.file}, options);
  return !text || text->contains("local_size_") || text->contains("numthreads");
}

core::Expected<core::KernelModule> compile_here(const core::Variant& variant,
                                                const core::KernelChoices& choices,
                                                gpu::CompileOptions options) {
  if (options.language == gpu::Language::hlsl) {
    options.entry = TRY(hlsl_entry(variant, choices, options));
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
  module.no_local_size = !declares_local_size(variant, options, compiled->spirv);
  module.words = std::move(compiled->spirv);
  module.sources = std::move(compiled->sources);
  return module;
}

std::optional<std::string> compiler_of(const std::string& language,
                                       const core::KernelChoices& choices) {
  const std::string prefix = language + "=";
  const auto found = std::ranges::find_if(
      choices.compilers, [&](const std::string& text) { return text.starts_with(prefix); });
  return found == choices.compilers.end() ? std::nullopt
                                          : std::optional(found->substr(prefix.size()));
}

}  // namespace

std::string source_language(const fs::path& file, const core::KernelChoices& choices) {
  if (!choices.language.empty()) {
    return choices.language;
  }
  const std::string end = file.extension().string();
  for (const char* known : {"hlsl", "wgsl", "slang", "spv", "spvasm"}) {
    if (end == std::string(".") + known) {
      return known;
    }
  }
  const bool named = end.size() > 1 && compiler_of(end.substr(1), choices).has_value();
  return named ? end.substr(1) : "glsl";
}

core::Expected<core::KernelModule> compile_source(const core::Variant& variant,
                                                  const core::KernelChoices& choices,
                                                  std::map<std::string, std::string> texts) {
  const std::string language = source_language(variant.file, choices);
  auto options = TRY(options_of(choices, language));
  if (const auto command = compiler_of(language, choices)) {
    return compile_externally(*command, language, variant, choices);
  }
  if (language != "glsl" && language != "hlsl") {
    return core::usage_error(fmt::format(
        "{}: Tilescope has no built-in compiler for {}; name one with --compiler {}=COMMAND",
        variant.file.string(), language, language));
  }
  options.texts = std::move(texts);
  return compile_here(variant, choices, std::move(options));
}

core::Expected<void> give_local_size(core::KernelModule& module, const fs::path& file,
                                     const core::KernelChoices& choices) {
  if (choices.local_size.empty()) {
    return {};
  }
  auto parsed = TRY(spirv::parse(module.words));
  spirv::Module selected = parsed;
  TRY(spirv::select_entry(selected, module.entry_point));
  const auto interface = TRY(spirv::reflect(selected, {}));
  const auto& size = interface.local_size;
  const std::string language = source_language(file, choices);
  const bool known =
      (language == "glsl" || language == "hlsl") && !compiler_of(language, choices).has_value();
  if (known ? !module.no_local_size : !is_single(interface)) {
    return core::usage_error(
        fmt::format("the kernel declares the workgroup size {},{},{}; remove --local-size, which "
                    "is for kernels that declare none",
                    size[0], size[1], size[2]));
  }
  std::array<std::uint32_t, 3> given{1, 1, 1};
  std::copy_n(choices.local_size.begin(), std::min<std::size_t>(choices.local_size.size(), 3),
              given.begin());
  spirv::set_local_size(parsed, interface.entry_point, given);
  module.words = spirv::write(parsed);
  module.no_local_size = false;
  return {};
}

}  // namespace lab
