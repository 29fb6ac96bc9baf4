#include "lab/plan/external_compiler.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/child.h"
#include "core/base/files.h"
#include "core/base/limits.h"
#include "core/base/lines.h"
#include "core/base/scratch.h"
#include "spirv/module/canonical.h"
#include "spirv/module/module.h"

namespace lab {

CommandWords split_command(const std::string& text) {
  CommandWords words;
  bool open = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      if (!open) {
        words.emplace_back();
        open = true;
      }
    } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      open = false;
    } else {
      if (!open) {
        words.emplace_back();
        open = true;
      }
      words.back() += c;
    }
  }
  return words;
}

std::string join_command(const CommandWords& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \t\"'") == std::string::npos;
    const char* quote = plain ? "" : word.contains('\'') ? "\"" : "'";
    text += (text.empty() ? "" : " ") + std::string(quote) + word + quote;
  }
  return text;
}

std::string replaced(std::string text, std::string_view name, const std::string& value) {
  for (std::size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + value.size())) {
    text.replace(at, name.size(), value);
  }
  return text;
}

namespace {

namespace fs = std::filesystem;

// The arguments with which a known program compiles a compute kernel.
CommandWords usual_arguments(const std::string& program, const std::string& language) {
  const bool hlsl = language == "hlsl";
  if (program.starts_with("glslang")) {
    CommandWords words{"-V", "--target-env", "vulkan1.3", "-g", "-S", "comp"};
    if (hlsl) {
      words.insert(words.end(), {"-D", "-e", "{entry}"});
    }
    words.insert(words.end(), {"-o", "{output}", "{input}"});
    return words;
  }
  if (program.starts_with("glslc")) {
    CommandWords words{"--target-env=vulkan1.3", "-fshader-stage=compute", "-g"};
    if (hlsl) {
      words.insert(words.end(), {"-x", "hlsl", "-fentry-point={entry}"});
    }
    words.insert(words.end(), {"-o", "{output}", "{input}"});
    return words;
  }
  if (program.starts_with("dxc")) {
    return {"-spirv",           "-fspv-target-env=vulkan1.3",
            "-fspv-debug=line", "-T",
            "cs_6_6",           "-E",
            "{entry}",          "-Fo",
            "{output}",         "{input}"};
  }
  if (program.starts_with("slangc")) {
    return {"-target", "spirv", "-stage", "compute",  "-entry",
            "{entry}", "-g",    "-o",     "{output}", "{input}"};
  }
  if (program.starts_with("naga")) {
    return {"{input}", "{output}"};
  }
  return {"-o", "{output}", "{input}"};
}

// The kernel's text with the prelude after the #version line. Line numbers stay those of the
// kernel.
core::Expected<std::string> whole_text(const core::Variant& variant,
                                       const core::KernelChoices& choices) {
  if (choices.prelude.empty()) {
    return variant.source;
  }
  const auto prelude = TRY(core::read_file(choices.prelude));
  const std::string& text = variant.source;
  std::size_t at = text.find("#version");
  at = at == std::string::npos ? 0 : std::min(text.find('\n', at), text.size() - 1) + 1;
  const auto line = 1 + std::ranges::count(std::string_view(text).substr(0, at), '\n');
  return fmt::format("{}{}\n#line {}\n{}", text.substr(0, at), prelude, line, text.substr(at));
}

// The file that the compiler reads: the kernel's own if its text is unchanged, else a copy.
core::Expected<fs::path> input_of(const core::Variant& variant, const core::KernelChoices& choices,
                                  const fs::path& folder) {
  const auto text = TRY(whole_text(variant, choices));
  if (const auto saved = core::read_file(variant.file); saved && *saved == text) {
    return variant.file;
  }
  const fs::path file = folder / variant.file.filename();
  TRY(core::write_file(file, std::as_bytes(std::span(text))));
  return file;
}

bool has_error(std::string line) {
  std::ranges::transform(line, line.begin(), [](unsigned char c) { return std::tolower(c); });
  return line.contains("error");
}

std::string first_error(const std::string& printed) {
  const auto lines = core::lines_of(printed);
  auto found = std::ranges::find_if(lines, has_error);
  if (found == lines.end()) {
    found = std::ranges::find_if(lines, [](const std::string& line) { return !line.empty(); });
  }
  return found == lines.end() ? "it printed no reason" : *found;
}

// Gives the module its sources: the kernel's file by its own name, the prelude and the included
// files that the debug information names.
void name_sources(core::KernelModule& module, const core::Variant& variant,
                  const core::KernelChoices& choices, const fs::path& input) {
  module.sources.push_back({variant.file.string(), variant.source});
  if (!choices.prelude.empty()) {
    module.sources.push_back({choices.prelude, core::read_file(choices.prelude).value_or("")});
  }
  auto parsed = spirv::parse(module.words);
  if (!parsed) {
    return;
  }
  for (spirv::Instruction& i : parsed->preamble) {
    const std::string name = i.op == spv::Op::OpString ? spirv::text(i, 0) : std::string();
    if (name.empty()) {
      continue;
    }
    if (name == input.string()) {
      i.operands = spirv::text_operands(variant.file.string());
    } else if (core::is_file(name) && name != variant.file.string()) {
      if (auto text = core::read_file(name)) {
        module.sources.push_back({name, std::move(*text)});
      }
    }
  }
  module.words = spirv::write(*parsed);
}

}  // namespace

core::Expected<core::KernelModule> compile_externally(const std::string& command,
                                                      const std::string& language,
                                                      const core::Variant& variant,
                                                      const core::KernelChoices& choices) {
  const core::Scratch scratch;
  if (scratch.path().empty()) {
    return core::device_error(
        "cannot create a temporary folder for the output of the compiler; set TMPDIR to a writable "
        "folder");
  }
  const auto input = TRY(input_of(variant, choices, scratch.path()));
  const fs::path output = scratch.path() / "module.spv";
  CommandWords words = split_command(command);
  if (words.empty()) {
    return core::usage_error(fmt::format("--compiler {}=: the command is missing", language));
  }
  const std::string program = fs::path(words.front()).filename().string();
  if (!command.contains("{input}")) {
    std::ranges::move(usual_arguments(program, language), std::back_inserter(words));
  }
  for (std::string& word : words) {
    word = replaced(std::move(word), "{input}", input.string());
    word = replaced(std::move(word), "{output}", output.string());
    word = replaced(std::move(word), "{entry}", choices.entry.empty() ? "main" : choices.entry);
  }
  for (const std::string& define : choices.defines) {
    words.push_back("-D" + define);
  }
  CommandWords folders = choices.include_dirs;
  if (input != variant.file) {
    folders.insert(folders.begin(), fs::absolute(variant.file).parent_path().string());
  }
  if (!program.starts_with("naga")) {
    for (const std::string& folder : folders) {
      words.push_back("-I" + folder);
    }
  }
  const core::ChildLimits limits = core::stranger_limits(core::limits::compile_seconds);
  const auto end = core::run_child({.arguments = words, .environment = {}, .keep_output = true},
                                   limits, "/usr/bin/env");
  if (!end) {
    return std::unexpected(end.error());
  }
  if (!end->exited()) {
    return core::device_error(end->sentence(program, limits));
  }
  if (end->status == 127) {
    return core::usage_error(
        fmt::format("--compiler {}: program {} not found", language, split_command(command)[0]));
  }
  const auto bytes = core::read_file(output);
  if (end->status != 0 || !bytes) {
    const std::string why = first_error(end->out + "\n" + end->err);
    return core::usage_error(fmt::format("{}: {} reports: {}", variant.file.string(), program,
                                         replaced(why, input.string(), variant.file.string())));
  }
  core::KernelModule module;
  module.words.resize(bytes->size() / 4);
  std::memcpy(module.words.data(), bytes->data(), module.words.size() * 4);
  if (const auto valid = spirv::validate(module.words);
      !valid && valid.error().fault == core::Fault::usage) {
    return core::usage_error(fmt::format("{}: the output of {} is not valid SPIR-V: {}",
                                         variant.file.string(), program, valid.error().message));
  }
  name_sources(module, variant, choices, input);
  return module;
}

}  // namespace lab
