#include "cli/kernel_flags.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/base/spelling.h"
#include "lab/plan/typed_values.h"

namespace cli {
namespace {

using core::Expected;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

std::unexpected<core::Error> wrong(const std::string& flag, const std::string& text,
                                   const std::string& form) {
  return core::usage_error(
      fmt::format("{} takes {}, not \"{}\"", flag, form, core::shortened(text)));
}

Expected<core::Sizes> parse_three(const std::string& flag, const std::string& text) {
  const auto parts = split(text, ',');
  if (parts.size() > 3) {
    return wrong(flag, text, "X,Y,Z");
  }
  core::Sizes groups;
  for (const std::string_view part : parts) {
    const auto value = core::whole_number<std::uint32_t>(part);
    if (!value || *value == 0) {
      return wrong(flag, text, "X,Y,Z, each at least 1");
    }
    groups.push_back(*value);
  }
  groups.resize(3, 1);
  return groups;
}

Expected<std::vector<std::uint32_t>> parse_push(const std::string& text) {
  std::vector<std::uint32_t> words;
  for (const std::string_view part : split(text, ',')) {
    const auto value = lab::untyped_word(part);
    if (!value) {
      return wrong("--push", text, "32-bit numbers separated by commas");
    }
    words.push_back(*value);
  }
  return words;
}

Expected<std::pair<std::uint32_t, std::uint32_t>> parse_constant(const std::string& text) {
  const auto sides = split(text, '=');
  const auto id = core::whole_number<std::uint32_t>(sides[0]);
  const auto value = sides.size() == 2 ? lab::untyped_word(sides[1]) : std::nullopt;
  if (!id || !value) {
    return wrong("--spec", text, "ID=VALUE");
  }
  return std::pair(*id, *value);
}

// The text behind the equals sign is read when the kernel's buffers are known.
Expected<std::pair<std::string, std::string>> parse_buffer(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return wrong("--buffer", text, "NAME|SET.BINDING=BYTES[:CONTENT]");
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

// Hands a parsed value to `put`, or returns its error.
template <class T, class Take>
Expected<void> take(Expected<T> parsed, Take&& put) {
  if (!parsed) {
    return std::unexpected(parsed.error());
  }
  put(std::move(*parsed));
  return {};
}

Expected<void> check_languages(const core::KernelChoices& choices) {
  std::vector<std::string> known{"glsl", "hlsl", "spv", "spvasm"};
  for (const std::string& text : choices.compilers) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return wrong("--compiler", text, "LANGUAGE=COMMAND");
    }
    known.push_back(text.substr(0, equals));
  }
  if (!choices.language.empty() && std::ranges::find(known, choices.language) == known.end()) {
    return core::usage_error(
        fmt::format("--language takes {}, not \"{}\"; add other languages with --compiler",
                    fmt::join(known, ", "), core::shortened(choices.language)));
  }
  return {};
}

}  // namespace

void KernelFlags::add_to(const Arguments& arguments) {
  arguments.option("-D NAME[=VALUE]", defines,
                   "Define a macro for the kernel's source; VALUE is 1 if missing (default: none)");
  arguments.option(
      "-I FOLDER", include_dirs,
      "Also search FOLDER for included files (default: only the kernel's own folders)");
  arguments.option("--prelude FILE", prelude,
                   "Insert the text of FILE after the kernel's #version line (default: none)");
  arguments.option("--language NAME", language,
                   "Read the kernel as glsl, hlsl, spv, spvasm or a language of --compiler "
                   "(default: from the extension of the file)");
  arguments.option("--compiler LANGUAGE=COMMAND", compilers,
                   "Compile kernels of LANGUAGE with an installed program; Tilescope replaces "
                   "{input}, {output} and {entry} in COMMAND (default: the built-in compiler)");
  arguments.option("--local-size X,Y,Z", local_size,
                   "Set the workgroup size of a kernel that declares none (default: 1,1,1)");
  arguments.option("--entry NAME", entry, "Run this entry point (default: the first)");
  arguments.option("--groups X,Y,Z", groups,
                   "Launch this number of workgroups (default: Tilescope chooses)");
  arguments.option("--items X,Y,Z", items,
                   "Launch at least this number of invocations, in whole workgroups (default: "
                   "Tilescope chooses)");
  arguments.option("--reference KERNEL", reference,
                   "Compare the outputs with those of KERNEL for the same inputs (default: the "
                   "reference of the workload, if it has one)");
  arguments.option("--push U32,...", push,
                   "Set the push constants as 32-bit words (default: Tilescope chooses)");
  arguments.option("--spec ID=VALUE", constants,
                   "Set a specialization constant by its number (default: the kernel's own)");
  arguments.option("--buffer NAME|SET.BINDING=BYTES[:CONTENT]", buffers,
                   "Set the size and content of a buffer; CONTENT is zero, iota (0, 1, 2, ...), "
                   "random, words=W,W,... or @FILE (default: Tilescope chooses). "
                   "NAME=@OTHER[+OFFSET[:BYTES]] makes it a range of another buffer's memory");
}

Expected<core::KernelChoices> KernelFlags::choices() const {
  core::KernelChoices choices;
  choices.defines = defines;
  choices.include_dirs = include_dirs;
  choices.prelude = prelude;
  choices.language = language;
  choices.compilers = compilers;
  TRY(check_languages(choices));
  choices.entry = entry;
  if (!groups.empty() && !items.empty()) {
    return core::usage_error(
        "--groups and --items both set the size of the launch; remove one of them");
  }
  for (const auto& [flag, text, to] : {std::tuple("--groups", &groups, &choices.groups),
                                       std::tuple("--local-size", &local_size, &choices.local_size),
                                       std::tuple("--items", &items, &choices.items)}) {
    if (text->empty()) {
      continue;
    }
    auto sizes = TRY(parse_three(flag, *text));
    *to = std::move(sizes);
  }
  choices.reference = reference;
  if (!push.empty()) {
    if (auto ok = take(parse_push(push), [&](auto words) { choices.push = std::move(words); });
        !ok) {
      return std::unexpected(ok.error());
    }
  }
  for (const std::string& text : constants) {
    if (auto ok =
            take(parse_constant(text), [&](auto pair) { choices.spec[pair.first] = pair.second; });
        !ok) {
      return std::unexpected(ok.error());
    }
  }
  for (const std::string& text : buffers) {
    if (auto ok =
            take(parse_buffer(text), [&](auto pair) { choices.buffers[pair.first] = pair.second; });
        !ok) {
      return std::unexpected(ok.error());
    }
  }
  return choices;
}

Expected<std::uint64_t> parse_tiles(const std::string& text) {
  if (text == "all" || text.empty()) {
    return 0;
  }
  const auto count = core::whole_number<std::uint64_t>(text);
  if (!count || *count == 0) {
    return wrong("--tiles", text, "all, or a number of at least 1");
  }
  return *count;
}

}  // namespace cli
