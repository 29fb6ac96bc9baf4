#include "lab/ready/contents.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "core/base/bytes.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

std::string place_of(const core::Resource& resource) {
  return fmt::format("{}.{}", resource.set, resource.binding);
}

bool is_called(const spirv::Interface& interface, const core::Resource& resource,
               const std::string& name) {
  if (resource.name == name || place_of(resource) == name) {
    return true;
  }
  return std::ranges::any_of(interface.bindings, [&](const spirv::Binding& b) {
    return b.set == resource.set && b.binding == resource.binding && !name.empty() &&
           (b.name == name || b.block == name || b.runtime_name == name);
  });
}

std::string names_of(const std::vector<core::Resource>& resources) {
  std::string all;
  for (const core::Resource& resource : resources) {
    all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", place_of(resource), resource.name);
  }
  return all.empty() ? "none" : all;
}

std::optional<std::uint64_t> bytes_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const int shift = unit.empty()    ? 0
                    : unit == "KiB" ? 10
                    : unit == "MiB" ? 20
                    : unit == "GiB" ? 30
                                    : -1;
  if (status != std::errc{} || shift < 0 || value == 0 || value > (~std::uint64_t{0} >> shift)) {
    return std::nullopt;
  }
  return value << shift;
}

core::Expected<void> read_content(const std::string& file, core::Resource& resource) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) {
    return core::usage_error(
        fmt::format("--buffer {}: {} is no file that can be read", resource.name, file));
  }
  const auto size = fs::file_size(file, failed);
  if (failed || size == 0) {
    return core::usage_error(fmt::format("--buffer {}: {} is empty", resource.name, file));
  }
  resource.bytes = resource.bytes == 0 ? size : resource.bytes;
  auto bytes =
      std::make_shared<std::vector<std::byte>>(std::min<std::uint64_t>(size, resource.bytes));
  std::ifstream stream(file, std::ios::binary);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes of a file
  stream.read(reinterpret_cast<char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  if (!stream) {
    return core::usage_error(fmt::format("--buffer {}: {} can't be read", resource.name, file));
  }
  resource.content = {.fill = core::Fill::zero, .bytes = *bytes, .owner = bytes, .file = file};
  return {};
}

std::optional<core::Fill> fill_named(std::string_view name) {
  return name == "zero"     ? std::optional(core::Fill::zero)
         : name == "iota"   ? std::optional(core::Fill::iota)
         : name == "random" ? std::optional(core::Fill::random)
         : name == "poison" ? std::optional(core::Fill::poison)
                            : std::nullopt;
}

core::Expected<void> give(const std::string& text, core::Resource& resource) {
  const auto wrong = [&] {
    return core::usage_error(fmt::format(
        "--buffer takes NAME|SET.BINDING=BYTES[:zero|iota|random|@FILE], not \"{}\"", text));
  };
  const std::size_t colon = text.starts_with('@') ? std::string::npos : text.find(':');
  if (text.starts_with('@')) {
    resource.bytes = 0;
    return read_content(text.substr(1), resource);
  }
  const auto bytes = bytes_of(std::string_view(text).substr(0, colon));
  if (!bytes) {
    return wrong();
  }
  resource.bytes = *bytes;
  const std::string how = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (how.starts_with('@')) {
    return read_content(how.substr(1), resource);
  }
  const auto fill = how.empty() ? std::optional(resource.content.fill) : fill_named(how);
  if (!fill) {
    return wrong();
  }
  // A length alone leaves what was chosen: of a block the members that there is room for.
  if (!how.empty() || resource.content.bytes.size() > *bytes) {
    resource.content = {.fill = *fill, .bytes = {}, .owner = nullptr, .file = {}};
  }
  return {};
}

}  // namespace

core::Expected<void> give_contents(const spirv::Interface& interface,
                                   const std::map<std::string, std::string>& buffers,
                                   std::vector<core::Resource>& resources) {
  for (const auto& [name, text] : buffers) {
    const auto found = std::ranges::find_if(resources, [&](const core::Resource& resource) {
      return is_called(interface, resource, name);
    });
    if (found == resources.end()) {
      return core::usage_error(
          fmt::format("the kernel has no buffer {}: it has {}", name, names_of(resources)));
    }
    if (const auto ok = give(text, *found); !ok) {
      return ok;
    }
  }
  return {};
}

std::string content_words(const core::Resource& resource) {
  if (!resource.content.file.empty()) {
    return "@" + resource.content.file;
  }
  switch (resource.content.fill) {
    case core::Fill::iota:
      return "iota";
    case core::Fill::random:
      return "random";
    case core::Fill::poison:
      return "poison";
    case core::Fill::zero:
      break;
  }
  return "zero";
}

}  // namespace lab
