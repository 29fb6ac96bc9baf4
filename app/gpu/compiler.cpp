#include "gpu/compiler.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include <shaderc/shaderc.hpp>

#include "core/base/child.h"
#include "core/base/files.h"
#include "core/base/limits.h"
#include "core/base/watched_step.h"
#include "gpu/compile_cache.h"
#include "gpu/compile_error.h"
#include "gpu/includes.h"

namespace gpu {
namespace {

// Past white space, comments and a byte-order mark: where the first directive or word is.
std::size_t first_word(std::string_view text) {
  std::size_t at = text.size() - without_byte_order_mark(text).size();
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at).starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

std::string_view word_at(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  const auto* begin = std::ranges::find_if_not(text, blank);
  const auto* end = std::find_if(begin, text.end(), [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '/';
  });
  return {begin, end};
}

std::string_view after(std::string_view text, std::string_view word) {
  return text.substr(static_cast<std::size_t>(word.data() + word.size() - text.data()));
}

// The first line that is no comment, if it is a #version directive; else empty.
std::string_view version_line(std::string_view text) {
  std::string_view rest = text.substr(first_word(text));
  rest = rest.substr(0, rest.find('\n'));
  return rest.starts_with('#') && word_at(rest.substr(1)) == "version" ? rest : std::string_view();
}

// glslang prints all its built-ins, hundreds of lines, for a version that has no compute shaders;
// and takes one that isn't given for 110.
core::Expected<void> check_version(const Source& source) {
  static constexpr std::array known{"420", "430", "440", "450", "460", "310 es", "320 es"};
  const std::string_view text = source.text;
  const std::size_t at = first_word(text);
  const int line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
  const std::string place = source.file.string() + ":" + std::to_string(line) + ": ";
  std::string_view rest = text.substr(at);
  const bool directive = rest.starts_with('#');
  const std::string_view name = directive ? word_at(rest.substr(1)) : std::string_view();
  if (name != "version") {
    const bool hlsl = text.find("[numthreads(") != std::string_view::npos;
    return core::usage_error(
        place + "the #version line is missing; " +
            (hlsl ? "this looks like HLSL, so name the file .hlsl or use --language hlsl"
                  : "start the kernel with one, such as #version 450"),
        line);
  }
  const std::string_view number = word_at(after(rest, name));
  const std::string_view profile = word_at(after(rest, number));
  const std::string version = std::string(number) + (profile == "es" ? " es" : "");
  if (std::ranges::find(known, version) == known.end()) {
    return core::usage_error(
        place + "#version " + version + " has no compute shaders; use 420 to 460, 310 es or 320 es",
        line);
  }
  return {};
}

std::vector<std::uint32_t> words_of(const std::string& text, bool extended) {
  std::vector<std::uint32_t> words(text.size() / 4 + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::uint32_t above = extended && byte > 0x7F ? 0xFFFFFF00U : 0U;
    words[i / 4] |= (above | byte) << (8U * (i % 4));
  }
  return words;
}

// glslang extends the sign of a byte over those behind it in its word, so that a file's name beyond
// ASCII is neither the name nor text.
void mend_name(std::vector<std::uint32_t>& module, const std::string& name) {
  constexpr std::size_t header = 5;
  constexpr std::uint32_t op_string = 7;
  const auto wrong = words_of(name, true);
  const auto right = words_of(name, false);
  for (std::size_t at = header; wrong != right && at < module.size();) {
    const std::size_t length = std::max(module[at] >> 16U, 1U);
    const auto text = module.begin() + static_cast<std::ptrdiff_t>(std::min(at + 2, module.size()));
    if ((module[at] & 0xFFFFU) == op_string && length == wrong.size() + 2 &&
        at + length <= module.size() && std::equal(wrong.begin(), wrong.end(), text)) {
      std::ranges::copy(right, text);
    }
    at += length;
  }
}

std::atomic<std::uint64_t>& compile_memory() {
  static std::atomic<std::uint64_t> bytes = default_compile_memory;
  return bytes;
}

}  // namespace

void limit_compile_memory(std::uint64_t bytes) {
  compile_memory() = bytes;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

Language language_of(const std::filesystem::path& file) {
  return file.extension() == ".hlsl" ? Language::hlsl : Language::glsl;
}

core::Expected<Define> parse_define(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('='));
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto fits = [&](char c) {
    return letter(c) || c == '_' || std::isdigit(static_cast<unsigned char>(c)) != 0;
  };
  // A macro may take arguments: f(x,y)=x*y.
  const std::string_view word = name.substr(0, name.find('('));
  const std::string_view arguments = name.substr(word.size());
  const bool closed = arguments.empty() ||
                      (arguments.ends_with(')') &&
                       std::ranges::all_of(arguments.substr(1, arguments.size() - 2), [&](char c) {
                         return fits(c) || c == ',' || c == ' ';
                       }));
  if (word.empty() || !std::ranges::all_of(word, fits) || !(letter(word[0]) || word[0] == '_') ||
      !closed) {
    return core::usage_error("-D takes NAME, NAME=VALUE or NAME(X,Y)=VALUE, not \"" +
                             std::string(text) + "\"");
  }
  if (text.find('\n') != std::string_view::npos) {
    return core::usage_error("-D " + std::string(name) + ": the value must be one line");
  }
  return Define(name, name.size() == text.size() ? "1" : text.substr(name.size() + 1));
}

namespace {

constexpr std::uint32_t kTextureRegisters = 100;
constexpr std::uint32_t kWritableRegisters = 200;
constexpr std::uint32_t kSamplerRegisters = 300;

// The text of a prelude that has the #version line of a kernel without one; else empty.
std::string prelude_with_version(const Source& source, const CompileOptions& given) {
  if (given.language != Language::glsl || given.prelude.empty() ||
      !version_line(without_byte_order_mark(source.text)).empty()) {
    return {};
  }
  const auto text = core::read_file(given.prelude);
  return text && !version_line(*text).empty() ? *text : std::string();
}

core::Expected<void> check_source(const Source& source, const CompileOptions& given) {
  if (source.text.size() > core::limits::source_bytes) {
    return core::usage_error(source.file.string() + " is larger than " +
                             std::to_string(core::limits::source_bytes >> 20U) + " MiB");
  }
  if (given.language == Language::glsl) {
    const std::string prelude = prelude_with_version(source, given);
    TRY(check_version(prelude.empty() ? source : Source{prelude, given.prelude}));
    if (given.entry != "main") {
      return core::usage_error(source.file.string() +
                               ": the entry point of a GLSL kernel must be main, not \"" +
                               given.entry + "\"");
    }
  }
  return {};
}

// Line numbers stay those of the kernel's own file.
std::string text_with_prelude(const Source& source, const CompileOptions& given) {
  // glslang takes a byte-order mark for the kernel's first word, and prints its built-ins.
  const std::string text(without_byte_order_mark(source.text));
  if (given.prelude.empty()) {
    return text;
  }
  std::size_t at = 0;
  const std::string prelude = prelude_with_version(source, given);
  const std::string version(version_line(prelude));
  if (given.language == Language::glsl && version.empty()) {
    at = std::min(text.find('\n', first_word(text)), text.size());
    at = std::min(at + 1, text.size());
  }
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return version + (version.empty() ? "" : "\n") + text.substr(0, at) +
         (at > 0 && text[at - 1] != '\n' ? "\n" : "") + "#include \"" + std::string(kPreludeName) +
         "\"\n#line " + std::to_string(line) + "\n" + text.substr(at);
}

std::unique_ptr<Includer> includer_of(const Source& source, const CompileOptions& given,
                                      SourceFiles& sources) {
  sources.files.push_back({source.file.string(), source.text});
  std::vector<std::filesystem::path> folders = given.include_dirs;
  if (!given.prelude.empty()) {
    folders.push_back(given.prelude.parent_path());
  }
  auto texts = given.texts;
  if (std::string prelude = prelude_with_version(source, given); !prelude.empty()) {
    prelude.insert(static_cast<std::size_t>(version_line(prelude).data() - prelude.data()), "//");
    texts[given.prelude.string()] = prelude;  // its #version stands before the kernel
  }
  return std::make_unique<Includer>(IncludeFolders(source.file, folders), sources, std::move(texts),
                                    given.prelude);
}

shaderc::CompileOptions shaderc_options(const CompileOptions& given,
                                        std::unique_ptr<Includer> includer) {
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  options.SetGenerateDebugInfo();
  if (given.language == Language::hlsl) {
    options.SetSourceLanguage(shaderc_source_language_hlsl);
    options.SetAutoBindUniforms(true);
    // Its front end decorates storage buffers with BufferBlock, which later versions do not have.
    options.SetTargetSpirv(shaderc_spirv_version_1_3);
  }
  if (given.register_ranges) {
    options.SetHlslIoMapping(true);
    for (const auto& [kind, base] :
         {std::pair(shaderc_uniform_kind_texture, kTextureRegisters),
          std::pair(shaderc_uniform_kind_image, kWritableRegisters),
          std::pair(shaderc_uniform_kind_storage_buffer, kWritableRegisters),
          std::pair(shaderc_uniform_kind_unordered_access_view, kWritableRegisters),
          std::pair(shaderc_uniform_kind_sampler, kSamplerRegisters)}) {
      options.SetBindingBase(kind, base);
    }
  }
  for (const auto& [name, value] : given.defines) {
    options.AddMacroDefinition(name, value);
  }
  options.SetIncluder(std::move(includer));
  return options;
}

// With the last compiler go glslang's tables of built-ins, which take longer to make than a kernel.
const shaderc::Compiler& front_end() {
  static const shaderc::Compiler compiler;
  return compiler;
}

enum class Step { preprocess, compile };

FrontEndResult bytes_of(const auto& result) {
  const std::span words(result.cbegin(), result.cend());
  const auto bytes = std::as_bytes(words);
  std::string output(bytes.size(), '\0');
  std::ranges::transform(bytes, output.begin(), [](std::byte b) { return static_cast<char>(b); });
  return {std::move(output), result.GetErrorMessage()};
}

// The text that is left of the kernel, for hints about its macros; empty where there is none.
std::string preprocessed_or_empty(const Source& source, const CompileOptions& given) {
  SourceFiles sources;
  const std::string text = text_with_prelude(source, given);
  const auto result = front_end().PreprocessGlsl(
      text.data(), text.size(), shaderc_compute_shader, source.file.string().c_str(),
      shaderc_options(given, includer_of(source, given, sources)));
  return {result.cbegin(), result.cend()};
}

core::Expected<FrontEndResult> call_front_end(Step step, const Source& source,
                                              const CompileOptions& given, SourceFiles& sources) {
  const shaderc::CompileOptions options =
      shaderc_options(given, includer_of(source, given, sources));
  const std::string text = text_with_prelude(source, given);
  const std::string name = source.file.string();
  const auto finish = [&](const auto& result) -> core::Expected<FrontEndResult> {
    if (result.GetCompilationStatus() == shaderc_compilation_status_success) {
      return bytes_of(result);
    }
    return std::unexpected(compile_error(
        result.GetErrorMessage(), sources.files, given.defines,
        step == Step::compile ? preprocessed_or_empty(source, given) : std::string()));
  };
  return step == Step::compile
             ? finish(front_end().CompileGlslToSpv(text.data(), text.size(), shaderc_compute_shader,
                                                   name.c_str(), given.entry.c_str(), options))
             : finish(front_end().PreprocessGlsl(text.data(), text.size(), shaderc_compute_shader,
                                                 name.c_str(), options));
}

// All that a result depends on, except the files that the kernel includes.
std::string call_text(Step step, const Source& source, const CompileOptions& given) {
  std::string call;
  const auto add = [&](std::string_view part) {
    call += std::to_string(part.size()) + " ";
    call += part;
    call += "\n";
  };
  add(step == Step::compile ? "compile" : "preprocess");
  add(source.file.string());
  add(text_with_prelude(source, given));
  add(given.language == Language::hlsl ? "hlsl" : "glsl");
  add(given.entry);
  add(given.register_ranges ? "ranges" : "");
  add(given.prelude.string());
  for (const auto& [name, value] : given.defines) {
    add(name);
    add(value);
  }
  return call;
}

core::Expected<FrontEndResult> take_or_call(Step step, const Source& source,
                                            const CompileOptions& given, SourceFiles& sources) {
  TRY(check_source(source, given));
  const core::WatchedStep watched("compiling", core::limits::compile_seconds);
  const core::MemoryLimit memory(compile_memory());
  const CompileCache cache(call_text(step, source, given));
  if (auto kept = cache.find(*includer_of(source, given, sources))) {
    return std::move(*kept);
  }
  sources = {};
  auto result = TRY(call_front_end(step, source, given, sources));
  cache.keep(result, sources);
  return result;
}

}  // namespace

core::Expected<std::string> preprocess(const Source& source, const CompileOptions& given) {
  SourceFiles sources;
  return TRY(take_or_call(Step::preprocess, source, given, sources)).output;
}

core::Expected<Compiled> compile(const Source& source, const CompileOptions& given) {
  SourceFiles sources;
  const FrontEndResult result = TRY(take_or_call(Step::compile, source, given, sources));
  Compiled compiled;
  compiled.spirv.resize(result.output.size() / sizeof(std::uint32_t));
  std::memcpy(compiled.spirv.data(), result.output.data(), result.output.size());
  for (const auto& file : sources.files) {
    mend_name(compiled.spirv, file.path);
  }
  compiled.sources = std::move(sources.files);
  compiled.warnings = result.warnings;
  return compiled;
}

}  // namespace gpu
