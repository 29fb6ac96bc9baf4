#include "lab/plan/kernel_resources.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "core/base/limits.h"
#include "lab/plan/members.h"
#include "lab/ready/contents.h"
#include "spirv/reflection/flat_bindings.h"

namespace lab {
namespace {

constexpr std::uint64_t kLargestDefaultBuffer = std::uint64_t{64} << 20U;
constexpr std::uint64_t kLeastElements = 4096;
constexpr std::uint64_t kMostOfALine = std::uint64_t{1} << 22U;
constexpr std::uint32_t kOfRuntimeArray = 4;  // descriptors
constexpr std::uint32_t kLeastLength = 4;     // texels and layers in directions without a launch

// Narrow and wide integers do not fill one word each.
bool is_signed(const std::string& type) {
  return type.starts_with("ivec") || type == "int" || type.starts_with("int[");
}

core::Words words_of(const std::string& type) {
  return is_signed(type)  ? core::Words::signed_whole
         : is_whole(type) ? core::Words::whole
                          : core::Words::floating;
}

core::Words words_of(const core::ImageFormat& format) {
  return !format.whole()                         ? core::Words::floating
         : format.numeric == core::Numeric::sint ? core::Words::signed_whole
                                                 : core::Words::whole;
}

core::Words words_of(const spirv::Binding& binding) {
  if (binding.runtime_stride != 0) {
    return words_of(binding.runtime_type);
  }
  const auto any_is = [&](bool (*such)(const std::string&)) {
    return std::ranges::any_of(binding.members,
                               [such](const auto& member) { return such(member.type); });
  };
  const auto is_unsigned = [](const std::string& type) { return !is_signed(type); };
  return any_is(is_floating)                              ? core::Words::floating
         : binding.members.empty() || any_is(is_unsigned) ? core::Words::whole
                                                          : core::Words::signed_whole;
}

// One element an invocation, and as many as a square matrix as wide as the launch; of a long line
// of invocations it is not likely that each has so long a row.
std::uint64_t default_bytes(std::uint64_t fixed, std::uint64_t stride, const core::TileMap& tiles) {
  const std::uint64_t wide = tiles.extent.x;
  const std::uint64_t square =
      tiles.extent.y > 1 ? wide * wide : std::min(wide * wide, kMostOfALine);
  const std::uint64_t elements = std::max({tiles.invocations(), square, kLeastElements});
  const std::uint64_t bytes = fixed + elements * stride;
  return std::max<std::uint64_t>(std::min(bytes, fixed + kLargestDefaultBuffer), 16);
}

// Random floats are no indices.
core::Fill fill_of(const core::Resource& resource, bool only_written, bool indexes) {
  return only_written                                          ? core::Fill::poison
         : resource.words == core::Words::floating && !indexes ? core::Fill::random
                                                               : core::Fill::iota;
}

// As the launch lies; a launch in one dimension may go over all of an image.
core::ImageShape shape_of(const spirv::Binding& b, const core::TileMap& tiles) {
  core::ImageShape shape = b.image;
  if (shape.format.empty()) {
    shape.format = b.compares                                       ? "d32f"
                   : b.sampled == spirv::ScalarType::floating       ? "rgba32f"
                   : b.sampled == spirv::ScalarType::signed_integer ? "rgba32i"
                                                                    : "rgba32ui";
  }
  const glm::uvec3 e = tiles.extent;
  const std::uint32_t high = e.y > 1 ? e.y : std::min(e.x, 256U);
  const std::uint32_t deep = std::max(e.z, kLeastLength);
  switch (shape.dimensions) {
    case core::ImageDimensions::one:
      shape.extent = {e.x, 1, 1};
      break;
    case core::ImageDimensions::two:
      shape.extent = {e.x, high, 1};
      break;
    case core::ImageDimensions::three:
      shape.extent = {e.x, high, deep};
      break;
    case core::ImageDimensions::cube:
      shape.extent = {std::max(e.x, e.y), std::max(e.x, e.y), 1};
      break;
    case core::ImageDimensions::buffer:
      shape.extent = {
          static_cast<std::uint32_t>(std::min<std::uint64_t>(tiles.invocations(), 65536)), 1, 1};
      break;
  }
  shape.layers =
      (shape.dimensions == core::ImageDimensions::cube ? 6 : 1) * (shape.arrayed ? deep : 1);
  return shape;
}

// Descriptors that `--buffer NAME[I]` names of an array.
std::uint32_t named_elements(const core::KernelChoices& choices, const spirv::Binding& b) {
  std::uint32_t most = 0;
  const std::string place = fmt::format("{}.{}[", b.set, b.binding);
  for (const auto& [name, text] : choices.buffers) {
    for (const std::string& prefix : {b.name + "[", place}) {
      std::uint32_t index = 0;
      if (name.starts_with(prefix) && name.ends_with(']') &&
          std::from_chars(name.data() + prefix.size(), name.data() + name.size(), index).ec ==
              std::errc{} &&
          index < core::limits::descriptors) {
        most = std::max(most, index + 1);
      }
    }
  }
  return most;
}

class Choosing {
 public:
  Choosing(const core::Experiment& experiment, const spirv::Interface& interface,
           const core::TileMap& tiles, std::set<std::string>& taken)
      : experiment_(experiment),
        interface_(interface),
        tiles_(tiles),
        sizes_(chosen_extent(experiment.choices.tried, tiles)),
        taken_(taken) {}

  core::Expected<ChosenResources> run() {
    for (const spirv::Binding& b : spirv::flat_bindings(interface_).resources) {
      const std::uint64_t count =
          b.descriptors == 0 ? std::max(kOfRuntimeArray, named_elements(experiment_.choices, b))
                             : b.descriptors;
      if (count > core::limits::descriptors) {
        return core::device_error(
            fmt::format("{} is an array of {} descriptors; Tilescope supports at most {}", b.name,
                        count, core::limits::descriptors));
      }
      for (std::uint32_t e = 0; e < count; ++e) {
        TRY(add(b, e));
      }
    }
    TRY(add_addressed());
    return std::move(chosen_);
  }

 private:
  core::Expected<void> add(const spirv::Binding& b, std::uint32_t element) {
    core::Resource resource{
        .set = b.set,
        .binding = b.binding,
        .element = element,
        .name = b.descriptors == 1 ? b.name : fmt::format("{}[{}]", b.name, element),
        .kind = b.kind,
        .written = b.written};
    const bool only_written = b.written && !b.read;
    if (resource.kind == core::ResourceKind::sampler) {
      resource.compares = b.compares;
      resource.nearest = samples_whole_numbers();
      resource.bytes = 4;
    } else if (resource.has_texels()) {
      resource.image = shape_of(b, tiles_);
      resource.bytes = resource.image.bytes();
      resource.words = words_of(*core::image_format(resource.image.format));
      resource.compares = b.compares;
      resource.nearest = resource.words != core::Words::floating;
      resource.content.fill = fill_of(resource, only_written, false);
      if (const auto ok = try_and_clear(b, only_written, resource); !ok) {
        return ok;
      }
    } else {
      resource.bytes = default_bytes(b.bytes, b.runtime_stride, tiles_);
      const bool indexes = b.indexes && !is_floating(b.runtime_type);
      resource.words = words_of(b);
      if (indexes && resource.words == core::Words::floating) {
        resource.words = core::Words::whole;
      }
      resource.content.fill = fill_of(resource, only_written, indexes);
      if (const auto ok = try_and_clear(b, only_written, resource); !ok) {
        return ok;
      }
      if (const auto ok = choose_block(b.members, resource, only_written); !ok) {
        return ok;
      }
    }
    chosen_.resources.push_back(std::move(resource));
    return {};
  }

  // Content and length that are tried. Flags, locks and what they guard begin as zeros always: a
  // kernel may take other values for a lock that is held.
  core::Expected<void> try_and_clear(const spirv::Binding& b, bool only_written,
                                     core::Resource& resource) {
    const auto& tried = experiment_.choices.tried.buffers;
    if (const auto text = tried.find(resource.place()); text != tried.end()) {
      if (const auto ok = give_content(text->second, resource); !ok) {
        return ok;
      }
    }
    if (only_written || !b.written || b.touches.synchronized.empty()) {
      return {};
    }
    if (b.touches.plain.empty()) {
      resource.content = {.fill = core::Fill::zero};
    } else if (!resource.has_texels()) {
      auto words = std::make_shared<std::vector<std::uint32_t>>(
          core::initial_words(resource, experiment_.seed, chosen_.resources.size() + 1));
      spirv::clear_synchronized(b.touches, *words);
      resource.content = {.bytes = std::as_bytes(std::span(*words)), .owner = words};
      resource.members_named = true;
    }
    return {};
  }

  // Members of a block are chosen one by one; arrays in storage buffers are filled as a whole.
  core::Expected<void> choose_block(std::vector<spirv::BlockMember> members,
                                    core::Resource& resource, bool only_written) {
    if (resource.kind != core::ResourceKind::uniform_buffer) {
      std::erase_if(members, [](const auto& m) {
        return m.repeated || m.type.find('[') != std::string::npos;
      });
    }
    if (members.empty() || only_written) {
      return {};
    }
    auto words = std::make_shared<std::vector<std::uint32_t>>(
        core::initial_words(resource, experiment_.seed, chosen_.resources.size() + 1));
    choose_members(members, sizes_, *words);
    if (const auto ok = set_members(experiment_.settings, members, *words, taken_); !ok) {
      return ok;
    }
    std::vector<std::string> said;
    resource.members_named =
        say_members(members, *words, said) || resource.kind != core::ResourceKind::uniform_buffer;
    if (resource.element == 0) {
      std::ranges::move(said, std::back_inserter(chosen_.members));
    }
    resource.content.bytes = std::as_bytes(std::span(*words));
    resource.content.owner = words;
    return {};
  }

  // Linear filters are for floats.
  [[nodiscard]] bool samples_whole_numbers() const {
    return std::ranges::any_of(interface_.bindings, [](const spirv::Binding& b) {
      return b.kind == core::ResourceKind::sampled_image &&
             b.sampled != spirv::ScalarType::floating;
    });
  }

  core::Expected<void> add_addressed() {
    std::vector<std::size_t> places;  // of the addresses, among the resources
    for (const spirv::AddressMember& a : interface_.addresses) {
      if (!a.known && experiment_.settings.contains(a.name)) {
        places.push_back(0);  // a number after all; nothing lies behind it
        continue;
      }
      core::Resource resource{
          .name = a.name.empty() ? fmt::format("address{}", places.size()) : a.name,
          .kind = core::ResourceKind::addressed,
          .written = a.written};
      resource.bytes = default_bytes(a.bytes, a.runtime_stride, tiles_);
      resource.words = words_of(a.runtime_type);
      resource.content.fill = fill_of(resource, false, false);
      resource.address_at.offset = a.offset;
      const std::size_t holder = a.parent != spirv::AddressMember::kPushConstants ? places[a.parent]
                                 : a.binding != spirv::AddressMember::kPushConstants
                                     ? first_of(a.binding)
                                     : core::AddressPlace::kPushConstants;
      resource.address_at.resource = holder;
      auto members = a.members;
      if (a.runtime_stride != 0 && !members.empty()) {
        members.pop_back();  // the array
      }
      if (const auto ok = choose_block(std::move(members), resource, false); !ok) {
        return ok;
      }
      places.push_back(chosen_.resources.size());
      chosen_.resources.push_back(std::move(resource));
    }
    return {};
  }

  [[nodiscard]] std::size_t first_of(std::size_t binding) const {
    const spirv::Binding& b = interface_.bindings[binding];
    const auto found = std::ranges::find_if(chosen_.resources, [&](const core::Resource& r) {
      return r.is_bound() && r.set == b.set && r.binding == b.binding;
    });
    return static_cast<std::size_t>(found - chosen_.resources.begin());
  }

  const core::Experiment& experiment_;
  const spirv::Interface& interface_;
  const core::TileMap& tiles_;
  const core::TileMap sizes_;  // that members are chosen for
  std::set<std::string>& taken_;
  ChosenResources chosen_;
};

}  // namespace

core::Expected<ChosenResources> choose_resources(const core::Experiment& experiment,
                                                 const spirv::Interface& interface,
                                                 const core::TileMap& tiles,
                                                 std::set<std::string>& taken) {
  return Choosing(experiment, interface, tiles, taken).run();
}

}  // namespace lab
