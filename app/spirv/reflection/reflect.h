// What a kernel's module asks of the outside: its sizes, bindings, constants and barriers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/work/dispatch.h"
#include "spirv/module/constants.h"
#include "spirv/module/module.h"
#include "spirv/reflection/synchronized_words.h"

namespace spirv {

enum class ScalarType { boolean, signed_integer, unsigned_integer, floating };

/// Constants of the same SpecId are listed once, as the first that has a name: `local_size_x_id`
/// makes nameless ones, whose default is 1 whatever the default of the named one is.
struct SpecConstant {
  std::uint32_t id = 0;  ///< SpecId
  std::string name;
  ScalarType type = ScalarType::unsigned_integer;
  std::uint32_t width = 32;         ///< bits; 1 for a boolean
  std::uint64_t default_value = 0;  ///< bits
};

/// What of a launch a number is compared with (compared_members.h): how many there are of them.
struct LaunchExtent {
  enum class Of { nothing, items, workgroups } of = Of::nothing;
  std::uint32_t direction = 0;  ///< 0 to 2; of a vector 0: each component has its own

  bool operator==(const LaunchExtent&) const = default;
};

/// Indices from a block to a member, as of an access chain.
using MemberPath = std::vector<std::uint32_t>;

/// A number, vector, matrix or array of them in a block. Those of structs in it are one each, of
/// short arrays of structs too.
struct BlockMember {
  std::string name;  ///< "n", "camera.fov", "light[1].colour"
  std::string type;
  std::uint32_t offset = 0;  ///< bytes
  std::uint32_t bytes = 0;
  bool address = false;  ///< of memory: a buffer reference
  LaunchExtent extent = {};
  MemberPath path = {};
  bool repeated = false;  ///< of an array of structs
  bool counts = false;    ///< atomics change it: a counter, a ticket, a lock
  bool base = false;      ///< an offset, a shift or a base, by its name or its use: 0 adds nothing
};

struct Binding {
  Id variable = 0;
  Id type = 0;  ///< the block's or the image's
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  std::string name;   ///< the variable's; the block's where the variable has none
  std::string block;  ///< the block's type; empty for other resources
  core::ResourceKind kind = core::ResourceKind::storage_buffer;
  std::string unsupported;  ///< "a multisampled image": what it is where there is no kind for it
  core::ImageShape image;   ///< dimensions and format; no format: the kernel leaves it open
  ScalarType sampled = ScalarType::floating;  ///< what its texels are read as
  bool compares = false;                      ///< depth comparisons
  std::uint64_t descriptors = 1;     ///< length of an array of descriptors; 0: as many as are bound
  bool written = false;              ///< stores or atomics may reach it
  bool read = false;                 ///< loads or atomics may reach it
  bool indexes = false;              ///< an index or a coordinate depends on what it holds
  std::uint64_t bytes = 0;           ///< of the fixed part of a block
  std::uint64_t runtime_stride = 0;  ///< bytes an element of the runtime array at the end; 0: none
  std::string runtime_type;          ///< type of such an element, "float"
  std::string runtime_name;          ///< name of that array
  std::vector<BlockMember> members;  ///< of a block, but for that array
  Touches touches;                   ///< of buffers and images
};

/// A member that is an address: memory that no descriptor names. Members of arrays are one each.
struct AddressMember {
  static constexpr std::size_t kPushConstants = ~std::size_t{0};
  std::string name;
  std::size_t binding = kPushConstants;  ///< place in Interface::bindings of what holds it
  std::size_t parent = kPushConstants;   ///< else the place in Interface::addresses
  std::uint32_t offset = 0;              ///< bytes from the start of what holds it
  bool written = false;                  ///< stores may reach it
  bool known = true;                 ///< what lies there; else it is an integer until it is used
  std::uint64_t bytes = 0;           ///< of the fixed part of the block there
  std::uint64_t runtime_stride = 0;  ///< as of Binding
  std::string runtime_type;
  Id block = 0;
  std::vector<BlockMember> members;  ///< of that block; none where it is no struct
};

struct SharedVariable {
  Id variable = 0;
  std::string name;
  std::string type;         ///< "float[16][17]"
  std::uint64_t bytes = 0;  ///< laid out tightly; devices may pad
};

/// A workgroup barrier. `fence` is which memory it orders: the kinds of `--barrier`.
struct Barrier {
  enum class Fence { all, global, shared, none };
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string file;
  Fence fence = Fence::all;
};

struct Interface {
  std::string entry_point;
  std::uint32_t entry_line = 0;  ///< 0: the module tells no lines
  std::string source_file;       ///< of the entry point
  std::array<std::uint32_t, 3> local_size{1, 1, 1};
  std::vector<std::uint32_t> local_size_ids;  ///< SpecIds of it, by dimension; none: it is fixed
  std::vector<SpecConstant> spec_constants;   ///< by SpecId
  /// The named scalar constants as specialized, those that are computed from others too; bits.
  std::map<std::string, std::uint64_t> constants;
  std::vector<Binding> bindings;  ///< by set, then binding
  std::uint32_t push_constant_bytes = 0;
  std::vector<BlockMember> push_constants;
  std::vector<AddressMember> addresses;  ///< parents before what they lead to
  std::vector<SharedVariable> shared;
  std::uint64_t shared_bytes = 0;
  std::vector<Barrier> barriers;  ///< `--barrier K` is barriers[K - 1]
  /// Its workgroups can do different work: it reads an id, or changes memory atomically that they
  /// share.
  bool tells_workgroups = false;
};

/// Errors: the module has no GLCompute entry point, or a local size that can't be evaluated.
[[nodiscard]] Expected<Interface> reflect(const Module& module, const SpecValues& spec_values);

/// Places of the workgroup barriers (OpControlBarrier of Workgroup execution scope) in source
/// order: the kernel's own file first, others in the order in which they were included, then by
/// line and column.
struct BarrierPlace {
  std::size_t function = 0;
  std::size_t block = 0;
  std::size_t instruction = 0;
};
[[nodiscard]] std::vector<BarrierPlace> barrier_places(const Module& module);

}  // namespace spirv
