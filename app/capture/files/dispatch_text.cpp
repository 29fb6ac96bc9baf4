#include "capture/files/dispatch_text.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

namespace capture {
namespace {

std::string seconds_text(double seconds) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.6f", seconds);
  return text.data();
}

std::string list_of(const std::vector<std::uint32_t>& numbers) {
  std::string list = "[";
  for (const std::uint32_t number : numbers) {
    list += (list.size() > 1 ? ", " : "") + std::to_string(number);
  }
  return list + "]";
}

std::string groups_text(const std::array<std::uint32_t, 3>& groups) {
  return list_of({groups.begin(), groups.end()});
}

std::vector<std::uint32_t> words_of(const std::vector<std::byte>& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  if (!bytes.empty()) {
    std::memcpy(words.data(), bytes.data(), bytes.size());
  }
  return words;
}

// As `--buffer` takes it (lab/ready/contents.h).
std::string resource_text(const BoundResource& resource, const Contents& contents) {
  const std::string file = contents.before.empty() ? "" : ":@" + contents.before;
  const std::string filter = !resource.sampler           ? ""
                             : resource.sampler->nearest ? "nearest"
                                                         : "linear";
  switch (resource.type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      return filter;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return resource.extent + ":" + std::string(resource.format->name) +
             (filter.empty() ? "" : ":" + filter) + file;
    default:
      return std::to_string(resource.bytes) + file;
  }
}

bool is_buffer(const BoundResource& resource) {
  return (resource.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
          resource.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
          resource.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
          resource.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC) &&
         !resource.array && resource.bytes > 0 && resource.place.memory != VK_NULL_HANDLE;
}

// Returns true if the range of `whole` contains the range of `part`. If both are the same range,
// the first resource contains the later ones.
bool holds(const std::vector<BoundResource>& all, std::size_t whole, std::size_t part) {
  const BoundResource& a = all[whole];
  const BoundResource& b = all[part];
  const bool inside = is_buffer(a) && is_buffer(b) && whole != part &&
                      a.place.memory == b.place.memory && a.place.offset <= b.place.offset &&
                      b.place.offset + b.bytes <= a.place.offset + a.bytes;
  return inside && (a.bytes > b.bytes || whole < part) &&
         (b.place.offset - a.place.offset) % 4 == 0;
}

// "@0.0+256:1024": a buffer whose memory lies inside of that of another one; else empty.
std::string shared_text(const std::vector<BoundResource>& all, std::size_t part) {
  for (std::size_t whole = 0; whole < all.size(); ++whole) {
    const bool own = [&] {
      for (std::size_t other = 0; other < all.size(); ++other) {
        if (holds(all, other, whole)) {
          return false;
        }
      }
      return true;
    }();
    if (own && holds(all, whole, part)) {
      return "@" + place_of(all[whole]) + "+" +
             std::to_string(all[part].place.offset - all[whole].place.offset) + ":" +
             std::to_string(all[part].bytes);
    }
  }
  return {};
}

// A constant of up to 32 bits, as the driver reads it; nothing if it is wider.
bool constant_word(const std::vector<std::byte>& bytes, std::uint32_t& word) {
  if (bytes.size() > 4) {
    return false;
  }
  word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  return true;
}

}  // namespace

std::string place_of(const BoundResource& resource) {
  return std::to_string(resource.set) + "." + std::to_string(resource.binding) +
         (resource.array ? "[" + std::to_string(resource.element) + "]" : "");
}

std::vector<NumberedPlace> memory_places(const Launch& launch) {
  std::map<VkDeviceMemory, std::uint64_t> numbers;
  std::vector<NumberedPlace> places;
  // Offsets count from the first byte that the launch uses of a memory.
  std::map<VkDeviceMemory, VkDeviceSize> first;
  for (const BoundResource& resource : launch.resources) {
    const MemoryPlace& place = resource.place;
    if (place.memory != VK_NULL_HANDLE) {
      const auto [at, added] = first.emplace(place.memory, place.offset);
      at->second = std::min(at->second, place.offset);
    }
  }
  for (const BoundResource& resource : launch.resources) {
    const MemoryPlace& place = resource.place;
    if (place.memory == VK_NULL_HANDLE) {
      places.push_back({});
      continue;
    }
    const auto number = numbers.emplace(place.memory, numbers.size() + 1).first->second;
    places.push_back({number, place.offset - first[place.memory]});
  }
  return places;
}

std::vector<std::uint32_t> module_words(const Pipeline& pipeline) {
  std::vector<std::uint32_t> words = pipeline.module->words;
  for (const auto& [id, bytes] : pipeline.constants) {
    const auto found = pipeline.module->scan.constants.find(id);
    if (found != pipeline.module->scan.constants.end() && bytes.size() > 4 &&
        bytes.size() <= found->second.words * 4) {
      std::memcpy(words.data() + found->second.word, bytes.data(), bytes.size());
    }
  }
  return words;
}

std::string dispatch_text(const Launch& launch, const std::array<std::uint32_t, 3>& groups,
                          const std::vector<Contents>& contents) {
  const Pipeline& pipeline = *launch.pipeline;
  std::string text = "tilescope_dispatch = 1\ncaptured = true\n";
  text += "name = " + quoted(pipeline.name) + "\n";
  text += "module = \"module.spv\"\nentry = " + quoted(pipeline.entry) + "\n";
  if (!launch.label.empty()) {
    text += "label = " + quoted(launch.label) + "\n";
  }
  if (pipeline.subgroup_size != 0) {
    text += "subgroup_size = " + std::to_string(pipeline.subgroup_size) + "\n";
  }
  text += "notes = [";
  for (std::size_t i = 0; i < launch.notes.size(); ++i) {
    text += (i > 0 ? ", " : "") + quoted(launch.notes[i]);
  }
  text += "]\n\n[launch]\ngroups = " + groups_text(groups) + "\n";
  if (!launch.push.empty()) {
    text += "push = " + list_of(words_of(launch.push)) + "\n";
  }
  text += "\n[launch.buffers]\n";
  for (std::size_t i = 0; i < launch.resources.size(); ++i) {
    const std::string shared = shared_text(launch.resources, i);
    text += quoted(place_of(launch.resources[i])) + " = " +
            quoted(shared.empty() ? resource_text(launch.resources[i], contents[i]) : shared) +
            "\n";
  }
  text += "\n[launch.spec]\n";
  for (const auto& [id, bytes] : pipeline.constants) {
    std::uint32_t word = 0;
    // A driver ignores values of constants that the module does not have.
    if (pipeline.module->scan.constants.contains(id) && constant_word(bytes, word)) {
      text += quoted(std::to_string(id)) + " = " + quoted(std::to_string(word)) + "\n";
    }
  }
  text += "\n# Where each resource begins. Resources of one memory may overlap.\n[memory]\n";
  const auto places = memory_places(launch);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].memory != 0) {
      text += quoted(place_of(launch.resources[i])) +
              " = { memory = " + std::to_string(places[i].memory) +
              ", offset = " + std::to_string(places[i].offset) + " }\n";
    }
  }
  text += "\n# Contents after the launch, of resources that the launch changed.\n[after]\n";
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (!contents[i].after.empty()) {
      text += quoted(place_of(launch.resources[i])) + " = " + quoted(contents[i].after) + "\n";
    }
  }
  return text;
}

std::string index_block(const IndexEntry& entry, const Launch& launch) {
  std::string text = "[[launches]]\nnumber = " + std::to_string(entry.number);
  text += "\nprocess = " + std::to_string(entry.process);
  text += "\ntime = " + seconds_text(entry.seconds);
  text += "\nqueue = \"" + std::to_string(entry.family) + "." + std::to_string(entry.queue) + "\"";
  text += "\npipeline = " + quoted(launch.pipeline ? launch.pipeline->name : "");
  if (!launch.label.empty()) {
    text += "\nlabel = " + quoted(launch.label);
  }
  text += "\ngroups = " + groups_text(entry.groups);
  if (!entry.folder.empty()) {
    text += "\nfolder = " + quoted(entry.folder);
  } else if (!entry.reason.empty()) {
    text += "\nreason = " + quoted(entry.reason);
  }
  return text + "\n\n";
}

std::string totals_block(std::uint64_t process, std::uint64_t launches, std::uint64_t captured,
                         std::uint64_t bytes, double waited) {
  return "[[processes]]\nprocess = " + std::to_string(process) +
         "\nlaunches = " + std::to_string(launches) + "\ncaptured = " + std::to_string(captured) +
         "\nbytes = " + std::to_string(bytes) + "\nwaited = " + seconds_text(waited) + "\n\n";
}

std::string quoted(std::string_view text) {
  std::string safe = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      safe += '\\';
      safe += c;
    } else if (code < 0x20 || code >= 0x7F) {
      safe += '?';  // names are shown in lists; TOML takes valid UTF-8 alone
    } else {
      safe += c;
    }
  }
  return safe + '"';
}

}  // namespace capture
