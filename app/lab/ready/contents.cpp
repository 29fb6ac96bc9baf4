#include "lab/ready/contents.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "core/base/bytes.h"
#include "core/base/numbers.h"
#include "lab/plan/typed_values.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// Without the index of an element.
std::string whole_array(const std::string& name) {
  return name.ends_with(']') ? name.substr(0, name.rfind('[')) : name;
}

std::string names_of(const std::vector<core::Resource>& resources) {
  std::string all;
  for (const core::Resource& resource : resources) {
    all += fmt::format("{}{}{}", all.empty() ? "" : ", ", resource.place(),
                       resource.is_bound() ? " (" + resource.name + ")" : " (an address)");
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
        fmt::format("--buffer {}: {} is not a regular file", resource.name, file));
  }
  const auto size = fs::file_size(file, failed);
  if (failed || size == 0) {
    return core::usage_error(
        fmt::format("--buffer {}: {} is empty; give a file with content", resource.name, file));
  }
  resource.bytes = resource.bytes == 0 ? size : resource.bytes;
  auto bytes =
      std::make_shared<std::vector<std::byte>>(std::min<std::uint64_t>(size, resource.bytes));
  std::ifstream stream(file, std::ios::binary);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes of a file
  stream.read(reinterpret_cast<char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  if (!stream) {
    return core::usage_error(fmt::format("--buffer {}: cannot read {}", resource.name, file));
  }
  resource.content = {.fill = core::Fill::zero, .bytes = *bytes, .owner = bytes, .file = file};
  return {};
}

constexpr std::uint64_t kMostListedWords = 1U << 16U;

// "1,2,30@0x7": 32-bit words, 30 of them equal. Nothing where it is no such list.
std::optional<std::vector<std::uint32_t>> listed_words(std::string_view text) {
  std::vector<std::uint32_t> words;
  for (;;) {
    std::string_view part = text.substr(0, text.find(','));
    std::uint64_t count = 1;
    if (const std::size_t at = part.find('@'); at != std::string_view::npos) {
      const auto times = core::whole_number<std::uint64_t>(part.substr(0, at));
      if (!times || *times == 0) {
        return std::nullopt;
      }
      count = *times;
      part.remove_prefix(at + 1);
    }
    const auto word = untyped_word(part);
    if (!word || count > kMostListedWords - words.size()) {
      return std::nullopt;
    }
    words.insert(words.end(), count, *word);
    if (text.find(',') == std::string_view::npos) {
      return words;
    }
    text.remove_prefix(text.find(',') + 1);
  }
}

// The list that listed_words() reads; empty where it would be too long to read.
std::string list_of(std::span<const std::byte> bytes) {
  constexpr std::size_t kMostParts = 64;
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  std::string list;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t end = i + 1;
    while (end < words.size() && words[end] == words[i]) {
      ++end;
    }
    list += fmt::format("{}{}{:#x}", list.empty() ? "" : ",",
                        end - i > 1 ? std::to_string(end - i) + "@" : "", words[i]);
    i = end;
    if (++parts > kMostParts) {
      return "";
    }
  }
  return words.size() > kMostListedWords ? "" : list;
}

struct FillName {
  std::string_view name;
  core::Fill fill;
};
constexpr std::array<FillName, 7> kFills{{{"zero", core::Fill::zero},
                                          {"iota", core::Fill::iota},
                                          {"random", core::Fill::random},
                                          {"poison", core::Fill::poison},
                                          {"equal", core::Fill::equal},
                                          {"negative", core::Fill::negative},
                                          {"large", core::Fill::large}}};

// "random", "random=64", "equal=3". Only these two take a number.
std::optional<core::Content> fill_named(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('='));
  const auto* found = std::ranges::find(kFills, name, &FillName::name);
  if (found == kFills.end()) {
    return std::nullopt;
  }
  core::Content content{.fill = found->fill};
  const bool equal = content.fill == core::Fill::equal;
  if (name.size() == text.size()) {
    return equal ? std::nullopt : std::optional(content);
  }
  const auto number = core::whole_number<std::uint32_t>(text.substr(name.size() + 1));
  if (!number || (!equal && content.fill != core::Fill::random)) {
    return std::nullopt;
  }
  content.number = *number;
  return content;
}

std::string name_of(const core::Content& content) {
  const auto* found = std::ranges::find(kFills, content.fill, &FillName::fill);
  const bool numbered = content.fill == core::Fill::equal || content.number != 0;
  return std::string(found->name) + (numbered ? fmt::format("={}", content.number) : "");
}

// "64x64" and the like; layers of arrays are the last length.
bool read_extent(std::string_view text, core::ImageShape& image) {
  std::vector<std::uint32_t> lengths;
  while (true) {
    std::uint32_t length = 0;
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (status != std::errc{} || length == 0) {
      return false;
    }
    lengths.push_back(length);
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (text.empty()) {
      break;
    }
    if (text.front() != 'x') {
      return false;
    }
    text.remove_prefix(1);
  }
  const bool cube = image.dimensions == core::ImageDimensions::cube;
  const std::size_t own = image.dimensions == core::ImageDimensions::three         ? 3
                          : image.dimensions == core::ImageDimensions::two || cube ? 2
                                                                                   : 1;
  if (lengths.size() != own + (image.arrayed ? 1 : 0) || (cube && lengths[0] != lengths[1])) {
    return false;
  }
  std::copy_n(lengths.begin(), own, image.extent.begin());
  image.layers = (cube ? 6 : 1) * (image.arrayed ? lengths.back() : 1);
  return true;
}

// As square as so many bytes allow, of one layer.
bool read_image_bytes(std::string_view text, core::ImageShape& image) {
  const auto bytes = bytes_of(text);
  const core::ImageFormat* format = core::image_format(image.format);
  if (!bytes || image.dimensions == core::ImageDimensions::one ||
      image.dimensions == core::ImageDimensions::buffer) {
    return false;
  }
  const std::uint64_t texels = std::max<std::uint64_t>(*bytes / format->texel_bytes(), 1);
  const auto wide = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(texels)));
  const bool cube = image.dimensions == core::ImageDimensions::cube;
  image.layers = cube ? 6 : 1;
  image.extent = {static_cast<std::uint32_t>(wide),
                  static_cast<std::uint32_t>(cube ? wide : texels / wide), 1};
  return texels / wide <= 0xFFFFFFFF;
}

bool same_numbers(const core::ImageFormat& a, const core::ImageFormat& b) {
  return a.whole() == b.whole() && (!a.whole() || a.numeric == b.numeric);
}

core::Expected<void> read_format(const std::string& name, core::Resource& resource) {
  const core::ImageFormat* format = core::image_format(name);
  const core::ImageFormat* own = core::image_format(resource.image.format);
  if (!same_numbers(*format, *own)) {
    return core::usage_error(fmt::format(
        "--buffer {}: the format {} does not have the type of numbers that the kernel reads",
        resource.name, name));
  }
  resource.image.format = name;
  return {};
}

core::Expected<void> wrong(const core::Resource& resource, const std::string& text) {
  const char* takes = resource.kind == core::ResourceKind::sampler ? "nearest or linear"
                      : resource.has_texels()
                          ? "WIDTHxHEIGHT[:FORMAT][:zero|iota|random|@FILE][:nearest|linear]"
                          : "BYTES[:zero|iota|random|words=W,W,...|@FILE]";
  return core::usage_error(
      fmt::format("--buffer {} takes {}, not \"{}\"", resource.name, takes, text));
}

// A part of the text; false: it is none that the resource has.
core::Expected<bool> take_part(const std::string& part, core::Resource& resource) {
  const bool samples = resource.kind == core::ResourceKind::sampler ||
                       resource.kind == core::ResourceKind::combined_image;
  if (samples && (part == "nearest" || part == "linear")) {
    resource.nearest = part == "nearest";
    return true;
  }
  if (resource.kind == core::ResourceKind::sampler) {
    return false;
  }
  if (auto fill = fill_named(part)) {
    resource.content = std::move(*fill);
    return true;
  }
  if (!resource.has_texels() && part.starts_with("words=")) {
    const auto words = listed_words(std::string_view(part).substr(6));
    if (!words) {
      return false;
    }
    auto kept = std::make_shared<std::vector<std::uint32_t>>(*words);
    resource.content = {.fill = core::Fill::zero,
                        .bytes = std::as_bytes(std::span(*kept)),
                        .owner = kept,
                        .file = {}};
    resource.members_named = false;
    return true;
  }
  if (!resource.has_texels()) {
    const auto bytes = bytes_of(part);
    resource.bytes = bytes.value_or(resource.bytes);
    return bytes.has_value();
  }
  if (core::image_format(part) != nullptr) {
    TRY(read_format(part, resource));
    return true;
  }
  return read_extent(part, resource.image) || read_image_bytes(part, resource.image);
}

}  // namespace

core::Expected<void> give_content(const std::string& text, core::Resource& resource) {
  // In a list of words @ repeats a word.
  const std::size_t at = text.starts_with('@')                  ? 0
                         : text.find(":@") == std::string::npos ? std::string::npos
                                                                : text.find(":@") + 1;
  const std::uint64_t before = resource.bytes;
  std::string parts = text.substr(0, at);
  if (parts.ends_with(':')) {
    parts.pop_back();
  }
  while (!parts.empty()) {
    const std::size_t colon = parts.find(':');
    const auto known = take_part(parts.substr(0, colon), resource);
    if (!known || !*known) {
      return known ? wrong(resource, text) : std::unexpected(known.error());
    }
    parts.erase(0, colon == std::string::npos ? colon : colon + 1);
  }
  if (resource.has_texels()) {
    resource.bytes = resource.image.bytes();
  }
  // A length alone leaves what was chosen: of a block the members that there is room for.
  if (resource.content.bytes.size() > resource.bytes) {
    resource.content = {.fill = resource.content.fill, .number = resource.content.number};
  }
  if (at == std::string::npos) {
    return text.empty() ? wrong(resource, text) : core::Expected<void>();
  }
  if (!resource.has_texels() && resource.bytes == before && at == 0) {
    resource.bytes = 0;
  }
  return read_content(text.substr(at + 1), resource);
}

bool is_called(const spirv::Interface& interface, const core::Resource& resource,
               const std::string& name) {
  if (resource.name == name || resource.place() == name) {
    return true;
  }
  if (!resource.is_bound()) {
    return false;
  }
  if (whole_array(resource.name) == name || whole_array(resource.place()) == name) {
    return true;
  }
  return std::ranges::any_of(interface.bindings, [&](const spirv::Binding& b) {
    return b.set == resource.set && b.binding == resource.binding && !name.empty() &&
           (b.name == name || b.block == name || b.runtime_name == name);
  });
}

std::string_view range_of(std::string_view text) {
  if (!text.starts_with('@')) {
    return {};
  }
  text.remove_prefix(1);
  return text.substr(0, text.find('+'));
}

namespace {

bool is_buffer(const core::Resource& resource) {
  return resource.kind == core::ResourceKind::storage_buffer ||
         resource.kind == core::ResourceKind::uniform_buffer;
}

// "+OFFSET:BYTES" of a buffer's memory; nothing of it: all.
core::Expected<void> share(std::string_view range, std::size_t of, core::Resource& resource,
                           std::vector<core::Resource>& resources) {
  const core::Resource& whole = resources[of];
  const std::size_t colon = range.find(':');
  const auto offset =
      range.empty()
          ? std::optional<std::uint64_t>(0)
          : core::whole_number<std::uint64_t>(range.substr(1, std::min(colon, range.size()) - 1));
  const bool known = offset && *offset % 4 == 0 && *offset < whole.bytes;
  const auto rest = known ? whole.bytes - *offset : 0;
  const auto bytes = colon == std::string_view::npos ? std::optional<std::uint64_t>(rest)
                                                     : bytes_of(range.substr(colon + 1));
  if (!known || !bytes || *bytes == 0 || *bytes > rest) {
    return core::usage_error(
        fmt::format("--buffer {}: the range \"{}\" does not fit into {}, which has {} bytes; use "
                    "@{}[+OFFSET[:BYTES]] with an offset that is a multiple of 4",
                    resource.name, range, whole.name, whole.bytes, whole.place()));
  }
  const auto self = static_cast<std::size_t>(&resource - resources.data());
  const bool has_ranges =
      std::ranges::any_of(resources, [&](const core::Resource& r) { return r.memory_of == self; });
  const bool of_array = whole.name.ends_with(']') || resource.name.ends_with(']');
  if (of == self || has_ranges || of_array || !is_buffer(whole) || !is_buffer(resource) ||
      !whole.has_own_memory()) {
    return core::usage_error(fmt::format(
        "--buffer {}: it cannot be a range of {}; both must be buffers outside of arrays, and {} "
        "must have memory of its own",
        resource.name, whole.name, whole.name));
  }
  resource.memory_of = of;
  resource.memory_offset = *offset;
  resource.bytes = *bytes;
  resource.content = {};
  return {};
}

// Lengths are known by now. What one of them writes, all may see.
core::Expected<void> share_memory(const spirv::Interface& interface,
                                  const std::map<std::string, std::string>& buffers,
                                  std::vector<core::Resource>& resources) {
  for (const auto& [name, text] : buffers) {
    const std::string other(range_of(text));
    const auto whole = std::ranges::find_if(resources, [&](const core::Resource& r) {
      return !other.empty() && is_called(interface, r, other);
    });
    for (core::Resource& resource : resources) {
      if (whole == resources.end() || !is_called(interface, resource, name)) {
        continue;
      }
      const auto of = static_cast<std::size_t>(whole - resources.begin());
      const auto ok =
          share(std::string_view(text).substr(1 + other.size()), of, resource, resources);
      if (!ok) {
        return ok;
      }
      whole->written = whole->written || resource.written;
    }
  }
  for (core::Resource& resource : resources) {
    if (!resource.has_own_memory()) {
      resource.written = resources[resource.memory_of].written;
    }
  }
  return {};
}

}  // namespace

core::Expected<void> give_contents(const spirv::Interface& interface,
                                   const std::map<std::string, std::string>& buffers,
                                   std::vector<core::Resource>& resources) {
  for (const auto& [name, text] : buffers) {
    bool any = false;
    const std::string other(range_of(text));
    const bool range = !other.empty() && std::ranges::any_of(resources, [&](const auto& r) {
      return is_called(interface, r, other);
    });
    for (core::Resource& resource : resources) {
      if (is_called(interface, resource, name)) {
        any = true;
        if (range) {
          continue;
        }
        if (const auto ok = give_content(text, resource); !ok) {
          return ok;
        }
      }
    }
    if (!any) {
      return core::usage_error(
          fmt::format("the kernel has no buffer {}; it has {}", name, names_of(resources)));
    }
  }
  return share_memory(interface, buffers, resources);
}

std::string resource_text(const core::Resource& resource, const std::string& content) {
  const char* filter = resource.nearest ? "nearest" : "linear";
  if (resource.kind == core::ResourceKind::sampler) {
    return filter;
  }
  if (content.empty() && resource.content.file.empty() && !resource.content.bytes.empty() &&
      !resource.has_texels()) {
    // The members of a storage buffer follow from the launch; those of a uniform buffer that can't
    // be named are listed.
    const std::string list =
        resource.members_named ? std::string() : list_of(resource.content.bytes);
    return std::to_string(resource.bytes) + (list.empty() ? "" : ":words=" + list);
  }
  const std::string how = !content.empty()                 ? content
                          : !resource.content.file.empty() ? "@" + resource.content.file
                                                           : name_of(resource.content);
  if (!resource.has_texels()) {
    return fmt::format("{}:{}", resource.bytes, how);
  }
  const core::ImageShape& image = resource.image;
  std::string extent = std::to_string(image.extent[0]);
  using D = core::ImageDimensions;
  if (image.dimensions != D::one && image.dimensions != D::buffer) {
    extent += fmt::format("x{}", image.extent[1]);
  }
  if (image.dimensions == D::three) {
    extent += fmt::format("x{}", image.extent[2]);
  }
  if (image.arrayed) {
    extent += fmt::format("x{}", image.layers / (image.dimensions == D::cube ? 6 : 1));
  }
  const bool samples = resource.kind == core::ResourceKind::combined_image;
  return fmt::format("{}:{}{}{}:{}", extent, image.format, samples ? ":" : "",
                     samples ? filter : "", how);
}

std::string resource_text(std::span<const core::Resource> resources, std::size_t number,
                          const std::string& content) {
  const core::Resource& resource = resources[number];
  return resource.has_own_memory() ? resource_text(resource, content)
                                   : fmt::format("@{}+{}:{}", resources[resource.memory_of].place(),
                                                 resource.memory_offset, resource.bytes);
}

}  // namespace lab
