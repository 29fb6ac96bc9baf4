// A dispatch: one launch of one kernel, complete and as plain data. A variant of a workload, a file
// and a saved folder all become dispatches; the plain launch and every probe take nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "core/work/barriers.h"
#include "core/work/image.h"
#include "core/work/source_file.h"

namespace core {

/// A kernel's code.
struct KernelModule {
  std::string name;                  ///< for messages: "matmul/tiled", "my.comp"
  std::vector<std::uint32_t> words;  ///< SPIR-V; barriers as written, nothing specialized
  std::string entry_point;           ///< empty: the first compute entry point
  std::vector<SourceFile> sources;   ///< the kernel's own first, then what it includes; may be none
  bool bfloat16 = false;             ///< the float16 matrices that it multiplies are bfloat16
  bool no_local_size = false;        ///< the source declares no workgroup size: 1,1,1 is used
};

/// What memory holds when a launch begins, where no bytes are given. Iota counts 32-bit words 0, 1,
/// 2, ...; random is uniform in [-1, 1) for floats, any 32 bits for whole numbers; poison is a NaN
/// that no kernel makes by accident. Equal is Content::number everywhere; negative is random in
/// [-1, 0), large is random up to 1e30, for whole numbers below 0 and up to 2^31.
enum class Fill { zero, iota, random, poison, equal, negative, large };

/// How the 32-bit words of a resource are read.
enum class Words { whole, signed_whole, floating };

struct Content {
  Fill fill = Fill::zero;
  std::span<const std::byte> bytes = {};   ///< instead of the fill, where not empty
  std::shared_ptr<const void> owner = {};  ///< of `bytes`
  std::string file = {};                   ///< that the bytes were read from; may be none
  /// Fill::equal: each word has this value. Fill::random: if not 0, values are below this one.
  std::uint32_t number = 0;
};

/// What a resource is. Uniform buffers are bound as storage buffers, which hold the same layouts.
enum class ResourceKind {
  storage_buffer,
  uniform_buffer,
  storage_image,
  sampled_image,   ///< a texture alone
  combined_image,  ///< a texture and how it is sampled
  sampler,
  storage_texels,  ///< a buffer seen as texels
  uniform_texels,
  addressed,  ///< memory that the kernel finds by its address (a buffer reference)
};

/// Where a kernel finds the 64-bit address of a resource: so many bytes into the push constants, or
/// into another resource of the dispatch.
struct AddressPlace {
  static constexpr std::size_t kPushConstants = ~std::size_t{0};
  std::size_t resource = kPushConstants;
  std::uint32_t offset = 0;
};

/// What a descriptor of a kernel is given, or memory that it finds by its address.
struct Resource {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  std::uint32_t element = 0;  ///< of an array of descriptors
  std::string name;           ///< "images[2]" of an array's
  ResourceKind kind = ResourceKind::storage_buffer;
  bool written = false;  ///< launches may change it
  std::uint64_t bytes = 0;
  std::string shape;  ///< for messages, "512×512 floats"; may be empty
  Words words = Words::whole;
  Content content;
  ImageShape image;           ///< of images and texels
  bool nearest = false;       ///< samplers: texels as they are; else linear filtering
  bool compares = false;      ///< samplers: of depth comparisons
  AddressPlace address_at{};  ///< of addressed memory
  /// Place of the resource whose memory this is a range of, and where it begins there, in bytes. A
  /// resource that others are ranges of has memory of its own.
  static constexpr std::size_t kOwnMemory = ~std::size_t{0};
  std::size_t memory_of = kOwnMemory;
  std::uint64_t memory_offset = 0;
  bool members_named = false;  ///< the bytes follow from the launch and from members set by name

  [[nodiscard]] bool is_image() const {
    return kind == ResourceKind::storage_image || kind == ResourceKind::sampled_image ||
           kind == ResourceKind::combined_image;
  }
  [[nodiscard]] bool has_texels() const {
    return is_image() || kind == ResourceKind::storage_texels ||
           kind == ResourceKind::uniform_texels;
  }
  [[nodiscard]] bool has_own_memory() const { return memory_of == kOwnMemory; }
  /// It has a place among the kernel's descriptors.
  [[nodiscard]] bool is_bound() const { return kind != ResourceKind::addressed; }
  /// "0.1", "0.1[2]" of an array's; addressed memory has but its name.
  [[nodiscard]] std::string place() const;
};

/// Returns true if a resource is a range of another one's memory, or another one is a range of its
/// memory.
[[nodiscard]] bool shares_memory(std::span<const Resource> resources, std::size_t number);

/// Specialization constants: SpecId to 32 bits.
using SpecValues = std::map<std::uint32_t, std::uint32_t>;

/// Launch values of a standalone kernel that Tilescope chose because nothing gave them. Resources
/// by their place in the dispatch.
struct ChosenValues {
  std::set<std::size_t> lengths;
  std::set<std::size_t> implied;  ///< lengths that follow from the number of items; in no other set
  std::set<std::size_t> contents;
  std::set<std::string> members;  ///< of push constants and blocks, by name
  bool groups = false;            ///< the number of workgroups
  /// A constant of the kernel that is named like a subgroup's size and is not the device's, with
  /// its value: "WAVE_SIZE 32"; empty: there is none.
  std::string subgroup_constant;
};

struct Dispatch {
  std::shared_ptr<const KernelModule> module;
  SpecValues constants;  ///< the module's own values for what is left out
  BarrierEdits barriers;
  std::vector<std::uint32_t> push_constants;  ///< 32-bit words
  std::vector<Resource> resources;            ///< by set, binding, element; addressed ones last
  glm::uvec3 groups{1};                       ///< workgroups
  ChosenValues chosen;
};

/// What a resource's 32-bit words are at the start, from its content; `stream` tells random
/// resources of one seed apart. Of images: a word a component (decode_texels); iota counts
/// components, in steps that fit where the format is normalized; random ones are in [0, 1) there.
[[nodiscard]] std::vector<std::uint32_t> initial_words(const Resource& resource, std::uint64_t seed,
                                                       std::uint64_t stream);
/// The same as the bytes that the resource holds.
[[nodiscard]] std::vector<std::byte> initial_bytes(const Resource& resource, std::uint64_t seed,
                                                   std::uint64_t stream);

}  // namespace core
