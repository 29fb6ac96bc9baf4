#include "spirv/reflection/reflect.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>

#include "spirv/module/operations.h"
#include "spirv/module/types.h"
#include "spirv/reflection/accesses.h"
#include "spirv/reflection/addresses.h"
#include "spirv/reflection/barriers.h"
#include "spirv/reflection/compared_members.h"
#include "spirv/reflection/value_sources.h"

namespace spirv {
namespace {

ScalarType scalar_type(const Instruction& type) {
  return type.op == spv::Op::OpTypeBool    ? ScalarType::boolean
         : type.op == spv::Op::OpTypeFloat ? ScalarType::floating
         : type.word(1) != 0               ? ScalarType::signed_integer
                                           : ScalarType::unsigned_integer;
}

bool compares_depth(spv::Op op) {
  switch (op) {
    case spv::Op::OpImageSampleDrefImplicitLod:
    case spv::Op::OpImageSampleDrefExplicitLod:
    case spv::Op::OpImageSampleProjDrefImplicitLod:
    case spv::Op::OpImageSampleProjDrefExplicitLod:
    case spv::Op::OpImageDrefGather:
      return true;
    default:
      return false;
  }
}

// The dimensions; none: there is no such image for compute kernels here.
std::optional<core::ImageDimensions> dimensions_of(std::uint32_t dim) {
  switch (static_cast<spv::Dim>(dim)) {
    case spv::Dim::Dim1D:
      return core::ImageDimensions::one;
    case spv::Dim::Dim2D:
    case spv::Dim::Rect:
      return core::ImageDimensions::two;
    case spv::Dim::Dim3D:
      return core::ImageDimensions::three;
    case spv::Dim::Cube:
      return core::ImageDimensions::cube;
    case spv::Dim::Buffer:
      return core::ImageDimensions::buffer;
    default:
      return std::nullopt;
  }
}

// Of members in structs: in damaged modules structs lie in themselves.
constexpr std::size_t kDeepestPath = 16;
constexpr std::size_t kMostMembers = 4096;

// Its words, in lower case: "srcOffset_x" is "src", "offset", "x".
std::vector<std::string> words_of_name(const std::string& name) {
  std::vector<std::string> words(1);
  for (std::size_t k = name.rfind('.') + 1; k < name.size(); ++k) {
    const auto c = static_cast<unsigned char>(name[k]);
    const bool upper = std::isupper(c) != 0;
    const bool after_lower = k > 0 && std::islower(static_cast<unsigned char>(name[k - 1])) != 0;
    if ((std::isalpha(c) == 0 || (upper && after_lower)) && !words.back().empty()) {
      words.emplace_back();
    }
    if (std::isalpha(c) != 0) {
      words.back().push_back(static_cast<char>(std::tolower(c)));
    }
  }
  if (words.back().empty()) {
    words.pop_back();
  }
  return words;
}

bool is_named_like_offset(const std::string& name) {
  static constexpr std::array<std::string_view, 19> kOffsets{
      "offset", "offsets", "off", "ofs", "shift", "shifts", "base", "start", "begin", "origin",
      "first",  "level",   "lod", "mip", "layer", "index",  "idx",  "slice", "disp"};
  static constexpr std::array<std::string_view, 11> kSizes{"count",  "size", "width",  "height",
                                                           "length", "len",  "stride", "pitch",
                                                           "num",    "max",  "scale"};
  const auto words = words_of_name(name);
  const auto any = [&](const auto& list) {
    return std::ranges::find_first_of(words, list) != words.end();
  };
  return any(kOffsets) && !any(kSizes);
}

class Reflection {
 public:
  Reflection(const Module& module, const SpecValues& values)
      : module_(module),
        definitions_(module),
        constants_(definitions_, values),
        types_(definitions_, constants_) {}

  Expected<Interface> run() {
    const Instruction* entry = compute_entry(module_);
    if (entry == nullptr) {
      return core::usage_error("the module has no compute entry point");
    }
    result_.entry_point = text(*entry, 2);
    locate_entry(entry->word(1));
    TRY(local_size(entry->word(1)));
    spec_constants();
    named_constants();
    find_touched();
    for (const Instruction& i : module_.preamble) {
      if (i.op == spv::Op::OpVariable) {
        variable(i);
      }
    }
    std::ranges::sort(result_.bindings, {},
                      [](const Binding& b) { return std::tie(b.set, b.binding); });
    result_.addresses = addresses_of(module_, definitions_, types_, push_block_, result_.bindings);
    tell_extents();
    tell_counters();
    tell_sources();
    for (AddressMember& address : result_.addresses) {
      if (types_.is_struct(address.block)) {
        address.members = members_of(address.block);
      }
    }
    barriers();
    return std::move(result_);
  }

 private:
  void locate_entry(Id function) {
    for (const Function& f : module_.functions) {
      if (f.id() == function) {
        result_.entry_line = f.header.at.line;
        result_.source_file = file(f.header.at.file);
      }
    }
  }

  std::string file(Id string) const {
    const Instruction& i = definitions_.of(string);
    return i.op == spv::Op::OpString ? text(i, 0) : std::string();
  }

  Expected<void> local_size(Id function);
  void size_id(Id constant);
  void spec_constants();
  void named_constants();
  void find_touched();
  void variable(const Instruction& variable);
  void resource(const Instruction& variable, Id type, bool storage);
  void block(Binding& b) const;
  void image(Binding& b) const;
  void push_constants(Id type);
  void barriers();
  void tell_extents();
  void tell_counters();
  void tell_counter(const Instruction& chain);
  void tell_sources();
  [[nodiscard]] bool tells_workgroups() const;
  [[nodiscard]] Id root(Id pointer) const;
  [[nodiscard]] bool not_writable(const Instruction& variable, Id block) const;

  const Module& module_;
  Definitions definitions_;
  Constants constants_;
  Types types_;
  [[nodiscard]] std::vector<BlockMember> members_of(Id block) const;
  void add_members(const BlockMember& of, Id type, std::vector<BlockMember>& members) const;
  [[nodiscard]] bool add_elements(const BlockMember& array, Id type,
                                  std::vector<BlockMember>& members) const;

  std::vector<Id> written_;   ///< variables that stores may reach
  std::vector<Id> read_;      ///< variables that loads may reach
  std::vector<Id> compared_;  ///< images and samplers that depth comparisons use
  Id push_block_ = 0;
  Id push_variable_ = 0;
  Interface result_;
};

Expected<void> Reflection::local_size(Id function) {
  // The WorkgroupSize built-in overrides the execution mode (SPIR-V specification, 3.21).
  for (const Instruction& i : module_.preamble) {
    const Instruction* built_in = definitions_.decoration(i.result, spv::Decoration::BuiltIn);
    const bool composite =
        i.op == spv::Op::OpConstantComposite || i.op == spv::Op::OpSpecConstantComposite;
    if (composite && built_in != nullptr &&
        built_in->word(2) == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize)) {
      for (std::uint32_t d = 0; d < 3; ++d) {
        const auto value = constants_.component(i.result, d);
        if (!value) {
          return core::usage_error("the workgroup size is a constant that cannot be evaluated");
        }
        result_.local_size[d] = static_cast<std::uint32_t>(*value);
        size_id(i.word(d));
      }
      return {};
    }
  }
  for (const Instruction& i : module_.preamble) {
    const bool by_id = i.op == spv::Op::OpExecutionModeId;
    if ((!by_id && i.op != spv::Op::OpExecutionMode) || i.word(0) != function) {
      continue;
    }
    const auto mode = static_cast<spv::ExecutionMode>(i.word(1));
    if (mode != spv::ExecutionMode::LocalSize && mode != spv::ExecutionMode::LocalSizeId) {
      continue;
    }
    for (std::uint32_t d = 0; d < 3; ++d) {
      const auto value = by_id ? constants_.scalar(i.word(2 + d)) : i.word(2 + d);
      if (!value) {
        return core::usage_error("the workgroup size is a constant that cannot be evaluated");
      }
      result_.local_size[d] = static_cast<std::uint32_t>(*value);
      if (by_id) {
        size_id(i.word(2 + d));
      }
    }
  }
  return {};
}

void Reflection::size_id(Id constant) {
  if (const Instruction* spec = definitions_.decoration(constant, spv::Decoration::SpecId)) {
    result_.local_size_ids.push_back(spec->word(2));
  }
}

void Reflection::spec_constants() {
  for (const Instruction& i : module_.preamble) {
    const Instruction* spec = definitions_.decoration(i.result, spv::Decoration::SpecId);
    const std::uint32_t width = scalar_width(definitions_, i.type);
    if (spec == nullptr || i.result == 0 || width == 0) {
      continue;
    }
    const std::uint32_t id = spec->word(2);
    const auto known = std::ranges::find(result_.spec_constants, id, &SpecConstant::id);
    if (known != result_.spec_constants.end()) {
      if (!known->name.empty() || definitions_.name(i.result).empty()) {
        continue;
      }
      result_.spec_constants.erase(known);
    }
    result_.spec_constants.push_back({id, definitions_.name(i.result),
                                      scalar_type(definitions_.of(i.type)), width,
                                      Constants(definitions_, {}).scalar(i.result).value_or(0)});
  }
  std::ranges::sort(result_.spec_constants, {}, &SpecConstant::id);
}

Id Reflection::root(Id pointer) const {
  for (int depth = 0; depth < 64; ++depth) {
    const Instruction& i = definitions_.of(pointer);
    switch (i.op) {
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
      case spv::Op::OpPtrAccessChain:
      case spv::Op::OpInBoundsPtrAccessChain:
      case spv::Op::OpCopyObject:
      case spv::Op::OpImageTexelPointer:
      case spv::Op::OpLoad:  // of an image
      case spv::Op::OpImage:
        pointer = i.word(0);
        break;
      default:
        return pointer;
    }
  }
  return pointer;
}

void Reflection::named_constants() {
  for (const Instruction& i : module_.preamble) {
    const std::string name = i.result == 0 ? std::string() : definitions_.name(i.result);
    if (name.empty() || scalar_width(definitions_, i.type) == 0) {
      continue;
    }
    if (const auto value = constants_.scalar(i.result)) {
      result_.constants.try_emplace(name, *value);
    }
  }
}

void Reflection::find_touched() {
  const auto touch = [this](const Instruction& i) {
    const bool atomic = is_atomic(i.op);
    if (i.op == spv::Op::OpStore || i.op == spv::Op::OpCopyMemory ||
        i.op == spv::Op::OpImageWrite || (atomic && i.op != spv::Op::OpAtomicLoad)) {
      written_.push_back(root(i.word(0)));
    } else if (const std::size_t operand = result_pointer(definitions_, i)) {
      written_.push_back(root(i.word(operand)));
    }
    if (compares_depth(i.op)) {
      const Instruction& sampled = definitions_.of(i.word(0));
      compared_.push_back(
          root(sampled.op == spv::Op::OpSampledImage ? sampled.word(0) : i.word(0)));
      compared_.push_back(
          root(sampled.op == spv::Op::OpSampledImage ? sampled.word(1) : i.word(0)));
    }
    // A load of an image reads none of its texels.
    const bool loads =
        i.op == spv::Op::OpLoad && definitions_.of(i.type).op != spv::Op::OpTypeImage;
    if (loads || i.op == spv::Op::OpImageRead || i.op == spv::Op::OpImageSparseRead ||
        (atomic && i.op != spv::Op::OpAtomicStore)) {
      read_.push_back(root(i.word(0)));
    } else if (i.op == spv::Op::OpCopyMemory) {
      read_.push_back(root(i.word(1)));
    } else if (i.op == spv::Op::OpFunctionCall || i.op == spv::Op::OpPhi ||
               i.op == spv::Op::OpSelect) {
      // What becomes of a pointer that is handed on is not followed.
      for (const Operand& operand : i.operands) {
        if (operand.is_id) {
          written_.push_back(root(operand.word));
          read_.push_back(written_.back());
        }
      }
    }
  };
  for (const Function& function : module_.functions) {
    for (const Block& block : function.blocks) {
      std::ranges::for_each(block.body, touch);
    }
  }
  std::ranges::sort(written_);
  std::ranges::sort(read_);
  std::ranges::sort(compared_);
}

void Reflection::variable(const Instruction& variable) {
  const Instruction& pointer = definitions_.of(variable.type);
  const Id type = pointer.word(1);
  switch (static_cast<spv::StorageClass>(variable.word(0))) {
    case spv::StorageClass::Workgroup: {
      const std::uint64_t bytes = types_.bytes(type);
      result_.shared.push_back(
          {variable.result, definitions_.name(variable.result), types_.name(type), bytes});
      result_.shared_bytes += bytes;
      break;
    }
    case spv::StorageClass::PushConstant:
      push_block_ = type;
      push_variable_ = variable.result;
      push_constants(type);
      break;
    case spv::StorageClass::StorageBuffer:
      resource(variable, type, true);
      break;
    case spv::StorageClass::Uniform:
    case spv::StorageClass::UniformConstant:
      resource(variable, type, false);
      break;
    default:
      break;
  }
}

bool Reflection::not_writable(const Instruction& variable, Id block) const {
  if (definitions_.decoration(variable.result, spv::Decoration::NonWritable) != nullptr) {
    return true;
  }
  const std::uint64_t members = types_.is_struct(block) ? types_.length(block) : 0;
  for (std::uint32_t m = 0; m < members; ++m) {
    if (definitions_.decoration(block, m, spv::Decoration::NonWritable) == nullptr) {
      return false;
    }
  }
  return members > 0;
}

void Reflection::resource(const Instruction& variable, Id type, bool storage) {
  Binding b;
  const auto decorated = [&](spv::Decoration decoration) {
    const Instruction* i = definitions_.decoration(variable.result, decoration);
    return i != nullptr ? i->word(2) : 0U;
  };
  b.set = decorated(spv::Decoration::DescriptorSet);
  b.binding = decorated(spv::Decoration::Binding);
  b.descriptors = 1;
  for (int depth = 0; depth < 8; ++depth) {
    const spv::Op op = definitions_.op(type);
    if (op != spv::Op::OpTypeArray && op != spv::Op::OpTypeRuntimeArray) {
      break;
    }
    b.descriptors *= types_.length(type);
    type = types_.element(type);
  }
  b.variable = variable.result;
  b.type = type;
  b.name = definitions_.name(variable.result);
  if (b.name.empty()) {
    b.name = definitions_.name(type);
  }
  b.compares = std::ranges::binary_search(compared_, variable.result);
  switch (definitions_.op(type)) {
    case spv::Op::OpTypeStruct:
      // Before SPIR-V 1.3 a storage buffer is a Uniform variable with a BufferBlock.
      storage = storage || definitions_.decoration(type, spv::Decoration::BufferBlock) != nullptr;
      b.kind = storage ? core::ResourceKind::storage_buffer : core::ResourceKind::uniform_buffer;
      break;
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampledImage:
      image(b);
      break;
    case spv::Op::OpTypeSampler:
      b.kind = core::ResourceKind::sampler;
      break;
    case spv::Op::OpTypeAccelerationStructureKHR:
      b.unsupported = "an acceleration structure";
      break;
    default:
      b.unsupported = "not a buffer, image or sampler";
      break;
  }
  b.written =
      std::ranges::binary_search(written_, variable.result) && !not_writable(variable, type);
  b.read = std::ranges::binary_search(read_, variable.result);
  if (definitions_.op(type) == spv::Op::OpTypeStruct) {
    block(b);
  }
  result_.bindings.push_back(std::move(b));
}

void Reflection::block(Binding& b) const {
  b.block = definitions_.name(b.type);
  b.bytes = types_.explicit_bytes(b.type);
  b.runtime_stride = types_.runtime_stride(b.type);
  b.members = members_of(b.type);
  if (b.runtime_stride != 0) {
    const Id array = definitions_.of(b.type).operands.back().word;
    b.runtime_type = types_.name(types_.element(array));
    b.runtime_name = b.members.back().name;
    b.members.pop_back();
  }
}

void Reflection::image(Binding& b) const {
  const bool combined = definitions_.op(b.type) == spv::Op::OpTypeSampledImage;
  const Instruction& type = definitions_.of(combined ? definitions_.of(b.type).word(0) : b.type);
  const auto dimensions = dimensions_of(type.word(1));
  if (!dimensions || type.word(4) != 0) {
    b.unsupported = type.word(4) != 0 ? "a multisampled image" : "an input attachment";
    return;
  }
  const bool storage = type.word(5) == 2;
  const bool texels = *dimensions == core::ImageDimensions::buffer;
  b.kind = texels
               ? (storage ? core::ResourceKind::storage_texels : core::ResourceKind::uniform_texels)
           : storage  ? core::ResourceKind::storage_image
           : combined ? core::ResourceKind::combined_image
                      : core::ResourceKind::sampled_image;
  b.image.dimensions = *dimensions;
  b.image.arrayed = type.word(3) != 0;
  const std::uint32_t format = type.word(6);
  // The last format of the list is no storage image's.
  if (format != 0 && format < core::image_formats().size()) {
    b.image.format = core::image_formats()[format - 1].name;
  }
  b.sampled = scalar_type(definitions_.of(type.word(0)));
}

std::vector<BlockMember> Reflection::members_of(Id block) const {
  std::vector<BlockMember> members;
  add_members({}, block, members);
  return members;
}

// Of a struct, what lies in it; of anything else, itself.
void Reflection::add_members(const BlockMember& of, Id type,
                             std::vector<BlockMember>& members) const {
  if (members.size() >= kMostMembers) {
    return;
  }
  if (definitions_.op(type) != spv::Op::OpTypeStruct || of.path.size() >= kDeepestPath) {
    if (!add_elements(of, type, members)) {
      members.push_back(of);
    }
    return;
  }
  const Instruction& block = definitions_.of(type);
  for (std::uint32_t m = 0; m < block.operands.size(); ++m) {
    const Id id = block.word(m);
    const Instruction* offset = definitions_.decoration(type, m, spv::Decoration::Offset);
    BlockMember member = of;
    member.name += (of.name.empty() ? "" : ".") + definitions_.member_name(type, m);
    member.type = types_.name(id);
    member.offset += offset != nullptr ? offset->word(3) : 0;
    member.bytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(types_.explicit_bytes(id), 0xFFFFFFFF));
    member.address = definitions_.op(id) == spv::Op::OpTypePointer;
    member.path.push_back(m);
    add_members(member, id, members);
  }
}

// Of an array of structs that is not long.
bool Reflection::add_elements(const BlockMember& array, Id type,
                              std::vector<BlockMember>& members) const {
  constexpr std::size_t kMost = 16;
  if (definitions_.op(type) != spv::Op::OpTypeArray || array.path.size() >= kDeepestPath ||
      definitions_.op(types_.element(type)) != spv::Op::OpTypeStruct) {
    return false;
  }
  const Instruction* stride = definitions_.decoration(type, spv::Decoration::ArrayStride);
  const std::uint64_t length = types_.length(type);
  if (stride == nullptr || length > kMost) {
    return false;
  }
  std::vector<BlockMember> all;
  for (std::uint32_t i = 0; i < length && all.size() <= kMost; ++i) {
    BlockMember element = array;
    element.name += "[" + std::to_string(i) + "]";
    element.offset += i * stride->word(2);
    element.path.push_back(i);
    element.repeated = true;
    add_members(element, types_.element(type), all);
  }
  if (all.size() > kMost) {
    return false;
  }
  std::ranges::move(all, std::back_inserter(members));
  return true;
}

void Reflection::tell_extents() {
  for (const auto& [compared, extent] : compared_members(module_)) {
    const auto& [variable, path] = compared;
    const auto binding = std::ranges::find(result_.bindings, variable, &Binding::variable);
    if (binding == result_.bindings.end() && variable != push_variable_) {
      continue;
    }
    auto& members = binding == result_.bindings.end() ? result_.push_constants : binding->members;
    if (const auto member = std::ranges::find(members, path, &BlockMember::path);
        member != members.end()) {
      member->extent = extent;
    }
  }
}

void Reflection::tell_counters() {
  for (const Function& function : module_.functions) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.body) {
        const auto accesses = is_atomic(i.op) ? memory_accesses(i) : std::vector<MemoryAccess>();
        for (const MemoryAccess& access : accesses) {
          tell_counter(definitions_.of(i.word(access.operand)));
        }
      }
    }
  }
}

void Reflection::tell_counter(const Instruction& chain) {
  if (chain.op != spv::Op::OpAccessChain && chain.op != spv::Op::OpInBoundsAccessChain) {
    return;
  }
  const auto binding = std::ranges::find(result_.bindings, chain.word(0), &Binding::variable);
  MemberPath path;
  for (std::size_t k = 1; k < chain.operands.size(); ++k) {
    const auto index = constants_.scalar(chain.word(k));
    if (!index) {
      return;
    }
    path.push_back(static_cast<std::uint32_t>(*index));
  }
  if (binding != result_.bindings.end()) {
    const auto member = std::ranges::find(binding->members, path, &BlockMember::path);
    if (member != binding->members.end()) {
      member->counts = true;
    }
  }
}

void Reflection::tell_sources() {
  const ValueOrigins origins(module_);
  const ValueSources indexed = origins.of(index_values(module_));
  const ValueSources shifted = origins.of(shift_amounts(module_));
  const auto touches = touched_words(module_, definitions_, constants_, types_);
  const auto tell = [&](Id variable, std::vector<BlockMember>& members) {
    for (BlockMember& member : members) {
      const bool shifts = std::ranges::any_of(shifted.members, [&](const auto& source) {
        const auto& [from, path] = source;
        return from == variable && path.size() >= member.path.size() &&
               std::equal(member.path.begin(), member.path.end(), path.begin());
      });
      member.base = member.extent.of == LaunchExtent::Of::nothing &&
                    (shifts || is_named_like_offset(member.name));
    }
  };
  for (Binding& b : result_.bindings) {
    b.indexes = indexed.contents.contains(b.variable);
    if (const auto own = touches.find(b.variable); own != touches.end()) {
      b.touches = own->second;
    }
    tell(b.variable, b.members);
  }
  tell(push_variable_, result_.push_constants);
  result_.tells_workgroups = tells_workgroups();
}

bool Reflection::tells_workgroups() const {
  for (const Instruction& i : module_.preamble) {
    const Instruction* built_in = i.op == spv::Op::OpVariable
                                      ? definitions_.decoration(i.result, spv::Decoration::BuiltIn)
                                      : nullptr;
    if (built_in == nullptr || !std::ranges::binary_search(read_, i.result)) {
      continue;
    }
    const auto which = static_cast<spv::BuiltIn>(built_in->word(2));
    if (which == spv::BuiltIn::WorkgroupId || which == spv::BuiltIn::GlobalInvocationId) {
      return true;
    }
  }
  for (const Function& function : module_.functions) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.body) {
        const Instruction& to = definitions_.of(is_atomic(i.op) ? root(i.word(0)) : 0);
        if (is_atomic(i.op) &&
            (to.op != spv::Op::OpVariable ||
             static_cast<spv::StorageClass>(to.word(0)) != spv::StorageClass::Workgroup)) {
          return true;
        }
      }
    }
  }
  return false;
}

void Reflection::push_constants(Id type) {
  result_.push_constant_bytes =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(types_.explicit_bytes(type), 0xFFFFFFFF));
  result_.push_constants = members_of(type);
}

void Reflection::barriers() {
  for (const BarrierPlace& place : barrier_places(module_)) {
    const Instruction& i =
        module_.functions[place.function].blocks[place.block].body[place.instruction];
    result_.barriers.push_back(
        {i.at.line, i.at.column, file(i.at.file), fence_of(semantics(constants_, i))});
  }
}

}  // namespace

Expected<Interface> reflect(const Module& module, const SpecValues& spec_values) {
  return Reflection(module, spec_values).run();
}

std::vector<BarrierPlace> barrier_places(const Module& module) {
  const Definitions definitions(module);
  const Constants constants(definitions, {});
  // The kernel's own file is what the entry point's lines name.
  Id own = 0;
  if (const Instruction* entry = compute_entry(module)) {
    for (const Function& f : module.functions) {
      own = f.id() == entry->word(1) ? f.header.at.file : own;
    }
  }
  std::vector<BarrierPlace> places;
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    for (std::size_t b = 0; b < module.functions[f].blocks.size(); ++b) {
      const Block& block = module.functions[f].blocks[b];
      for (std::size_t i = 0; i < block.body.size(); ++i) {
        if (is_workgroup_barrier(constants, block.body[i])) {
          places.push_back({f, b, i});
        }
      }
    }
  }
  const auto key = [&](const BarrierPlace& p) {
    const SourceLine& at = module.functions[p.function].blocks[p.block].body[p.instruction].at;
    return std::tuple(at.file != own, at.file, at.line, at.column);
  };
  std::ranges::stable_sort(places, {}, key);
  return places;
}

}  // namespace spirv
