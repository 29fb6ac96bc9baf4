#include "cli/kernel_flags.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

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
      return wrong("--push", text, "32-bit numbers with commas between them");
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

// What stands behind the equals sign is the kernel's business, which knows its buffers.
Expected<std::pair<std::string, std::string>> parse_buffer(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return wrong("--buffer", text, "NAME|SET.BINDING=BYTES[:zero|iota|random|@FILE]");
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

// Puts what was parsed where it belongs, or tells what is wrong with it.
template <class T, class Take>
Expected<void> take(Expected<T> parsed, Take&& put) {
  if (!parsed) {
    return std::unexpected(parsed.error());
  }
  put(std::move(*parsed));
  return {};
}

}  // namespace

void KernelFlags::add_to(const Arguments& arguments) {
  arguments.option("-D", defines, "NAME[=VALUE]: a macro of the kernel's source");
  arguments.option("-I", include_dirs, "a folder to look for includes in, too");
  arguments.option("--entry", entry, "the entry point; the first when left out");
  arguments.option("--groups", groups, "workgroups of the launch, X,Y,Z");
  arguments.option("--items", items,
                   "invocations instead, X,Y,Z: workgroups follow from their size");
  arguments.option("--reference", reference,
                   "a kernel that is run on the same inputs, whose outputs are the right ones");
  arguments.option("--push", push, "push constants, 32-bit words");
  arguments.option("--spec", constants, "ID=VALUE: a specialization constant");
  arguments.option("--buffer", buffers,
                   "NAME|SET.BINDING=BYTES[:zero|iota|random|@FILE]: a buffer and its content");
}

Expected<core::KernelChoices> KernelFlags::choices() const {
  core::KernelChoices choices;
  choices.defines = defines;
  choices.include_dirs = include_dirs;
  choices.entry = entry;
  if (!groups.empty() && !items.empty()) {
    return core::usage_error("--groups and --items both give the launch's size; give one of them");
  }
  for (const auto& [flag, text, to] : {std::tuple("--groups", &groups, &choices.groups),
                                       std::tuple("--items", &items, &choices.items)}) {
    if (text->empty()) {
      continue;
    }
    auto sizes = parse_three(flag, *text);
    if (!sizes) {
      return std::unexpected(sizes.error());
    }
    *to = std::move(*sizes);
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
