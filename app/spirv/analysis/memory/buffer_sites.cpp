#include "spirv/analysis/memory/buffer_sites.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "spirv/analysis/memory/address_sites.h"
#include "spirv/analysis/memory/scalar_place.h"
#include "spirv/analysis/memory/texel_access.h"
#include "spirv/analysis/values/extents.h"
#include "spirv/module/operations.h"
#include "spirv/reflection/accesses.h"
#include "spirv/reflection/addresses.h"

namespace spirv {
namespace {

constexpr std::uint64_t most_accessed = 256;  // of one access
constexpr std::uint64_t texel_bytes = 4;      // as they are counted here

MemoryScope scope_of(const Program& program, const Instruction& atomic) {
  const Semantics s = semantics(program.constants.scalar(atomic.word(1)).value_or(0), 0);
  return s.device_scope      ? MemoryScope::device
         : s.workgroup_scope ? MemoryScope::workgroup
                             : MemoryScope::subgroup;
}

}  // namespace

BufferSites::BufferSites(const Program& program, const Phases& phases, const Phases& image_phases)
    : program_(program), phases_(phases), image_phases_(image_phases), layout_(program) {
  look_at_memory_model();
  for (std::size_t b = 0; b < program.flow.size(); ++b) {
    for (std::size_t i = 0; program.flow.reachable(b) && i < program.function.blocks[b].body.size();
         ++i) {
      visit(b, i);
      visit_texel(b, i);
    }
  }
  const bool written = std::ranges::any_of(
      sites_, [&](const BufferSite& site) { return site.variable == 0 && site.writes; });
  if (strayed_ != 0 && written) {
    problems_.push_back("line " + std::to_string(strayed_) +
                        ": memory is read through a computed address, so races with writes to "
                        "memory are not checked");
  }
  report_refused_reads();
  find_memories();
  lay_texels();
  divide_into_cells();
  lay_descriptors();
}

void BufferSites::look_at_memory_model() {
  constexpr auto vulkan = static_cast<std::uint32_t>(spv::MemoryModel::Vulkan);
  vulkan_model_ = std::ranges::any_of(program_.module.preamble, [](const Instruction& i) {
    return i.op == spv::Op::OpMemoryModel && i.word(1) == vulkan;
  });
  for (const Block& block : program_.function.blocks) {
    for (const Instruction& i : block.body) {
      const std::size_t operand = i.op == spv::Op::OpMemoryBarrier ? 1 : 2;
      if (operand == 1 || i.op == spv::Op::OpControlBarrier || is_atomic(i.op)) {
        const std::uint64_t mask = program_.constants.scalar(i.word(operand)).value_or(0);
        const auto has = [&](spv::MemorySemanticsMask bit) {
          return (mask & static_cast<std::uint32_t>(bit)) != 0;
        };
        makes_available_ = makes_available_ || has(spv::MemorySemanticsMask::MakeAvailable);
        makes_visible_ = makes_visible_ || has(spv::MemorySemanticsMask::MakeVisible);
      }
    }
  }
}

bool BufferSites::is_orderable(const Instruction& i, const BufferSite& site) const {
  if (site.atomic || !vulkan_model_) {
    return true;
  }
  const bool texel = i.op == spv::Op::OpImageWrite || i.op == spv::Op::OpImageRead ||
                     i.op == spv::Op::OpImageFetch;
  const std::size_t operand = !texel                          ? memory_operands(i, site.copy_source)
                              : i.op == spv::Op::OpImageWrite ? 3
                                                              : 2;
  const std::uint32_t mask = i.word(operand);
  const auto has = [&](auto bit) { return (mask & static_cast<std::uint32_t>(bit)) != 0; };
  using Memory = spv::MemoryAccessMask;
  using Texel = spv::ImageOperandsMask;
  const bool shared = texel ? has(Texel::NonPrivateTexel) : has(Memory::NonPrivatePointer);
  const bool available = makes_available_ || (texel ? has(Texel::MakeTexelAvailable)
                                                    : has(Memory::MakePointerAvailable));
  const bool visible =
      makes_visible_ || (texel ? has(Texel::MakeTexelVisible) : has(Memory::MakePointerVisible));
  return shared && (site.writes ? available : visible);
}

void BufferSites::visit(std::size_t block, std::size_t instruction) {
  const Instruction& i = program_.function.blocks[block].body[instruction];
  for (const MemoryAccess& access : memory_accesses(i)) {
    BufferSite site;
    site.reads = access.reads;
    site.writes = access.writes;
    site.atomic = access.atomic;
    site.copy_source = access.copy_source;
    site.scope = access.atomic ? scope_of(program_, i) : MemoryScope::device;
    add(block, instruction, i.word(access.operand), site);
  }
  if (const std::size_t operand = result_pointer(program_.definitions, i);
      operand != 0 && is_buffer(i.word(operand))) {
    refuse(i, true, "frexp or modf writes its second result straight into a buffer", 0);
  }
  if (i.op == spv::Op::OpCooperativeMatrixStoreNV && is_buffer(i.word(0))) {
    refuse(i, true,
           "a subgroup stores a cooperative matrix; which invocation writes which element is not "
           "defined",
           0);
  }
}

// What is only sampled can't be written by the kernel, and races with nobody.
void BufferSites::visit_texel(std::size_t block, std::size_t instruction) {
  const Instruction& i = program_.function.blocks[block].body[instruction];
  const auto texel = texel_access(program_, i);
  if (!texel) {
    refuse(i, i.op == spv::Op::OpImageWrite,
           "an image in an array of arrays is written, so races on its texels are not checked", 0);
    return;
  }
  if (!*texel || (*texel)->sampled) {
    return;
  }
  BufferSite site;
  site.writes = (*texel)->writes;
  site.reads = (*texel)->access != core::Access::write && i.op != spv::Op::OpAtomicStore;
  site.atomic = (*texel)->access == core::Access::atomic;
  site.scope = site.atomic ? scope_of(program_, i) : MemoryScope::device;
  site.block = block;
  site.instruction = instruction;
  site.segment = image_phases_.segment(block, instruction);
  site.at = i.at;
  site.variable = (*texel)->variable;
  site.descriptor = (*texel)->descriptor;
  site.orderable = is_orderable(i, site);
  site.type = program_.definitions.of((*texel)->value).type;
  if (!place_texel(site, **texel)) {
    refuse(i, site.writes,
           "the size of an image is not known, so races on its texels are not checked",
           site.variable);
    return;
  }
  site.number = static_cast<std::uint32_t>(sites_.size());
  homes_.push_back(home_of(site.variable));
  sites_.push_back(std::move(site));
}

// How far a row is from the next one is known once all images of its memory are.
bool BufferSites::place_texel(BufferSite& site, const TexelAccess& access) const {
  const std::vector<Id> parts = coordinate_parts(program_, access.coordinates);
  if (parts.empty() || image_extents(program_, access, parts.size()).empty()) {
    return false;
  }
  for (std::uint32_t k = 0; k < parts.size(); ++k) {
    site.terms.insert(site.terms.begin(), {parts[k], texel_bytes, 0, k + 1});
  }
  site.path.resize(parts.size());
  site.runs = {{0, texel_bytes}};
  return true;
}

bool BufferSites::is_buffer(Id pointer) const {
  const Instruction& type = program_.definitions.of(program_.definitions.of(pointer).type);
  if (type.op != spv::Op::OpTypePointer) {
    return false;
  }
  const auto storage = static_cast<spv::StorageClass>(type.word(0));
  return storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform ||
         storage == spv::StorageClass::PhysicalStorageBuffer;
}

void BufferSites::refuse(const Instruction& i, bool writes, const std::string& why, Id accessed) {
  if (!writes) {
    refused_reads_.push_back({i.at.line, accessed});
    return;
  }
  const std::string text = "line " + std::to_string(i.at.line) + ": " + why;
  if (std::ranges::find(problems_, text) == problems_.end()) {
    problems_.push_back(text);
  }
}

// The variables that a pointer may lead to. Empty if one of them is not known.
std::set<Id> BufferSites::variables_behind(Id pointer) const {
  std::set<Id> variables;
  std::set<Id> seen;
  for (std::vector<Id> left{pointer}; !left.empty();) {
    const Id id = left.back();
    left.pop_back();
    if (!seen.insert(id).second) {
      continue;
    }
    const Instruction& i = program_.definitions.of(id);
    if (i.op == spv::Op::OpVariable) {
      variables.insert(id);
    } else if (i.op == spv::Op::OpSelect) {
      left.insert(left.end(), {i.word(1), i.word(2)});
    } else if (i.op == spv::Op::OpPhi) {
      for (std::size_t k = 0; k < i.operands.size(); k += 2) {
        left.push_back(i.word(k));
      }
    } else if (const Id variable = program_.path(id).variable; variable != 0) {
      variables.insert(variable);
    } else if (i.op == spv::Op::OpAccessChain || i.op == spv::Op::OpInBoundsAccessChain ||
               i.op == spv::Op::OpPtrAccessChain || i.op == spv::Op::OpCopyObject) {
      left.push_back(i.word(0));
    } else {
      return {};
    }
  }
  return variables;
}

// A read races only if the kernel writes the same memory.
void BufferSites::report_refused_reads() {
  std::set<Home> written;
  for (const BufferSite& site : sites_) {
    if (site.writes) {
      written.insert(homes_[site.number]);
    }
  }
  for (const auto& [line, accessed] : refused_reads_) {
    const std::set<Id> read = accessed == 0 ? std::set<Id>() : variables_behind(accessed);
    const bool races = read.empty() ? !written.empty() : std::ranges::any_of(read, [&](Id id) {
      return written.contains(memory_of(id));
    });
    const std::string text = "line " + std::to_string(line) +
                             ": the memory that is read here is not known, so races with writes to "
                             "it are not checked";
    if (races && std::ranges::find(problems_, text) == problems_.end()) {
      problems_.push_back(text);
    }
  }
}

void BufferSites::add(std::size_t block, std::size_t instruction, Id pointer, BufferSite site) {
  if (!is_buffer(pointer)) {
    return;
  }
  const Instruction& i = program_.function.blocks[block].body[instruction];
  site.block = block;
  site.instruction = instruction;
  site.segment = phases_.segment(block, instruction);
  site.at = i.at;
  if (is_address(program_.definitions, pointer)) {
    add_addressed(i, pointer, std::move(site));
    return;
  }
  const PointerPath path = program_.path(pointer);
  const bool several = path.variable != 0 && layout_.is_array_of_blocks(path.variable);
  if (path.variable == 0 || !layout_.is_block(path.variable) || (several && path.indices.empty())) {
    refuse(i, site.writes,
           "a buffer is written through a pointer that is selected at run time, or in an array of "
           "arrays, so races on it are not checked",
           pointer);
    return;
  }
  site.variable = path.variable;
  site.descriptor = several ? path.indices.front() : 0;
  site.whole = layout_.type_of(path.variable, std::nullopt);
  if (is_chosen(site) && bound_to(program_, site.variable).empty()) {
    refuse(i, site.writes,
           "a buffer in an array of unknown length is written, so races on it are not checked",
           pointer);
    return;
  }
  if (const BoundBuffer* range = shared(home_of(path.variable))) {
    site.base = range->memory_offset;
  }
  keep(i, std::move(site), layout_.place(path, most_accessed), path.indices,
       memory_of(path.variable));
}

// The memory of a variable, which may be a range of another one's.
BufferSites::Home BufferSites::memory_of(Id variable) const {
  Home home = home_of(variable);
  if (const BoundBuffer* range = shared(home)) {
    home.second = *range->memory_of;
  }
  return home;
}

// The buffer there, if it is a range of another one's memory.
const BoundBuffer* BufferSites::shared(const Home& at) const {
  const auto& buffers = program_.launch.buffers;
  return at.first == 0 && at.second < buffers.size() && buffers[at.second].memory_of
             ? &buffers[at.second]
             : nullptr;
}

// By an address that is worked out as the kernel runs any memory may be reached that has one.
void BufferSites::add_addressed(const Instruction& i, Id pointer, BufferSite site) {
  const AddressedPath path = program_.addressed_path(pointer);
  const AddressRoot root = address_root(program_, path.base);
  if (!root.buffer || !root.start) {
    if (site.writes) {
      refuse(i, true,
             "memory is written through a computed address, so races on it are not checked", 0);
    } else {
      strayed_ = i.at.line;
    }
    return;
  }
  site.whole = path.block;
  keep(i, std::move(site), layout_.place(path, most_accessed), path.indices, {0, *root.buffer});
}

void BufferSites::keep(const Instruction& i, BufferSite site,
                       const std::optional<MemoryPlace>& place, const std::vector<Id>& indices,
                       const Home& home) {
  if (!place || !this->place(site, *place, indices)) {
    refuse(i, site.writes, "an access of an unsupported type", site.variable);
    return;
  }
  site.orderable = is_orderable(i, site);
  site.number = static_cast<std::uint32_t>(sites_.size());
  homes_.push_back(home);
  sites_.push_back(std::move(site));
}

std::uint32_t BufferSites::first_index(const BufferSite& site) const {
  return site.variable != 0 && layout_.is_array_of_blocks(site.variable) ? 2 : 1;
}

bool BufferSites::place(BufferSite& site, const MemoryPlace& found,
                        const std::vector<Id>& indices) const {
  site.type = found.type;
  site.offset = site.base + found.offset +
                (found.member ? layout_.block_member_offset(site.whole, *found.member) : 0);
  site.terms = found.terms;
  for (std::size_t k = first_index(site); k < indices.size(); ++k) {
    site.path.push_back(
        static_cast<std::uint32_t>(program_.constants.scalar(indices[k]).value_or(0)));
  }
  std::vector<ByteRun> runs;
  for (const PlacedScalar& scalar : found.scalars) {
    const std::uint64_t bytes = (scalar_width(program_.definitions, scalar.type) + 7) / 8;
    runs.push_back({scalar.offset, bytes});
  }
  std::ranges::sort(runs, {}, &ByteRun::offset);
  for (const ByteRun& run : runs) {
    if (!site.runs.empty() && site.runs.back().offset + site.runs.back().bytes == run.offset) {
      site.runs.back().bytes += run.bytes;
    } else {
      site.runs.push_back(run);
    }
  }
  return !site.runs.empty();
}

bool BufferSites::is_chosen(const BufferSite& site) const {
  return site.descriptor != 0 && !program_.constants.scalar(site.descriptor);
}

// One that is outside is kept inside.
std::uint32_t BufferSites::constant_descriptor(const BufferSite& site) const {
  const std::uint64_t known = program_.constants.scalar(site.descriptor).value_or(0);
  const std::size_t count = bound_to(program_, site.variable).size();
  return static_cast<std::uint32_t>(count == 0 ? known : std::min<std::uint64_t>(known, count - 1));
}

BufferSites::Home BufferSites::home_of(Id variable) const {
  const auto number = [&](spv::Decoration d) {
    const Instruction* found = program_.definitions.decoration(variable, d);
    return found != nullptr ? found->word(2) : 0;
  };
  return {number(spv::Decoration::DescriptorSet), number(spv::Decoration::Binding)};
}

std::string BufferSites::memory_name(const BufferSite& site, const Home& at) const {
  if (site.variable == 0) {
    return program_.launch.buffers[at.second].name;
  }
  const std::string name = layout_.is_block(site.variable)
                               ? program_.block_name(site.variable)
                               : program_.definitions.name(site.variable);
  return name.empty() ? "binding " + std::to_string(at.second) : name;
}

// An array of descriptors has as many bindings, one after the other.
void BufferSites::find_memories() {
  std::set<Home> chosen;
  for (const BufferSite& site : sites_) {
    if (is_chosen(site)) {
      chosen.insert(homes_[site.number]);
    }
  }
  for (BufferSite& site : sites_) {
    Home at = homes_[site.number];
    const bool one_of_all = chosen.contains(at);
    if (site.descriptor != 0 && !one_of_all) {
      at.second += constant_descriptor(site);
    }
    site.memory = memory_at(at, site);
    BufferMemory& memory = memories_[site.memory];
    memory.written |= site.writes;
    if (one_of_all) {
      const std::size_t count = bound_to(program_, site.variable).size();
      memory.descriptors = std::max(memory.descriptors, static_cast<std::uint32_t>(count));
    }
  }
}

std::uint32_t BufferSites::memory_at(const Home& at, const BufferSite& site) {
  const auto known = std::ranges::find_if(memories_, [&](const BufferMemory& m) {
    return m.set == at.first && m.binding == at.second;
  });
  if (known != memories_.end()) {
    return static_cast<std::uint32_t>(known - memories_.begin());
  }
  memories_.push_back({.memory = site.variable != 0 && !layout_.is_block(site.variable)
                                     ? MemoryClass::image
                                     : MemoryClass::buffer,
                       .set = at.first,
                       .binding = at.second,
                       .name = memory_name(site, at)});
  return static_cast<std::uint32_t>(memories_.size() - 1);
}

// Row after row, as long as those of the largest image.
void BufferSites::lay_texels() {
  for (const BufferSite& site : sites_) {
    BufferMemory& memory = memories_[site.memory];
    if (!is_image(site)) {
      continue;
    }
    memory.lengths.resize(std::max(memory.lengths.size(), site.terms.size()), 1);
    const auto images = memory.descriptors != 0
                            ? bound_to(program_, site.variable)
                            : bound_to(program_, site.variable, site.descriptor);
    for (const BoundBuffer& image : images) {
      for (std::size_t k = 0; k < site.terms.size(); ++k) {
        memory.lengths[k] = std::max(memory.lengths[k], image.lengths.at(k));
      }
    }
  }
  for (BufferSite& site : sites_) {
    std::uint64_t stride = texel_bytes;
    for (std::size_t k = 0; is_image(site) && k < site.terms.size(); ++k) {
      PlaceTerm& term = site.terms[site.terms.size() - 1 - k];
      term.stride = stride;
      term.length = memories_[site.memory].lengths[k];
      stride *= term.length;
    }
  }
}

void BufferSites::lay_descriptors() {
  for (BufferMemory& memory : memories_) {
    for (std::uint32_t d = 0; d < memory.descriptors; ++d) {
      memory.bytes.push_back(memory.memory == MemoryClass::image
                                 ? memory.texels() * texel_bytes
                                 : program_.launch.buffers.at(memory.binding + d).bytes);
    }
    if (memory.descriptors != 0) {
      const std::uint64_t cells = std::ranges::max(memory.bytes) / memory.cell_bytes + 1;
      memory.descriptor_bytes = cells * memory.cell_bytes;
    }
  }
  for (BufferSite& site : sites_) {
    const BufferMemory& memory = memories_[site.memory];
    if (memory.descriptors == 0 || site.descriptor == 0) {
      continue;
    }
    for (PlaceTerm& term : site.terms) {
      for (const BoundBuffer& image : bound_to(program_, site.variable)) {
        if (is_image(site)) {
          term.lengths.push_back(image.lengths.at(term.operand - 1));
        }
      }
    }
    site.terms.insert(site.terms.begin(),
                      {site.descriptor, memory.descriptor_bytes, memory.descriptors, 0});
  }
}

void BufferSites::divide_into_cells() {
  for (std::uint32_t m = 0; m < memories_.size(); ++m) {
    std::uint64_t common = 0;
    for (const BufferSite& site : sites_) {
      if (site.memory != m) {
        continue;
      }
      for (const ByteRun& run : site.runs) {
        common = std::gcd(std::gcd(common, run.bytes), site.offset + run.offset);
      }
      for (const PlaceTerm& term : site.terms) {
        common = std::gcd(common, term.stride);
      }
    }
    memories_[m].cell_bytes = std::max<std::uint64_t>(common, 1);
  }
}

std::string BufferSites::name_of(const BufferSite& site) const {
  if (is_image(site)) {
    return memories_[site.memory].name;
  }
  const std::string own =
      site.variable == 0 ? std::string() : program_.definitions.name(site.variable);
  if (!own.empty()) {
    return own;
  }
  const std::string& memory = memories_[site.memory].name;
  const auto m = member_of(site);
  const std::string member = m ? program_.definitions.member_name(site.whole, *m) : std::string();
  return member.empty() ? memory : site.variable == 0 ? memory + "." + member : member;
}

// The number of the block's member that contains the access.
std::optional<std::uint32_t> BufferSites::member_of(const BufferSite& site) const {
  for (auto m = static_cast<std::uint32_t>(program_.types.length(site.whole)); m-- > 0;) {
    if (site.base + layout_.block_member_offset(site.whole, m) <= site.offset) {
      return m;
    }
  }
  return std::nullopt;
}

std::string BufferSites::element_of(const BufferSite& site, std::uint64_t byte) const {
  const auto m = is_image(site) ? std::nullopt : member_of(site);
  if (!m) {
    return {};
  }
  std::string name = name_of(site);
  if (const auto descriptor = descriptor_of(site, byte)) {
    name += "[" + std::to_string(*descriptor) + "]";
  }
  // HLSL's buffers have a member that the source does not name.
  const std::string member = program_.definitions.member_name(site.whole, *m);
  const bool named = site.variable != 0 && !program_.definitions.name(site.variable).empty();
  if (named && !member.empty() && !member.starts_with('@')) {
    name += "." + member;
  }
  return named_place(program_, name, program_.types.element(site.whole, *m), index_of(site, byte));
}

std::optional<std::uint32_t> BufferSites::descriptor_of(const BufferSite& site,
                                                        std::uint64_t byte) const {
  const BufferMemory& memory = memories_[site.memory];
  if (site.descriptor == 0) {
    return std::nullopt;
  }
  return memory.descriptors == 0 ? constant_descriptor(site)
                                 : static_cast<std::uint32_t>(byte / memory.descriptor_bytes);
}

ImageExtent BufferSites::extent_of(const BufferSite& site, std::uint64_t byte) const {
  const BufferMemory& memory = memories_[site.memory];
  const auto images = bound_to(program_, site.variable);
  const std::uint32_t at = descriptor_of(site, byte).value_or(0);
  if (!is_image(site) || memory.descriptors == 0 || at >= images.size()) {
    return memory.lengths;
  }
  const auto& lengths = images[at].lengths;
  return {lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(memory.lengths.size())};
}

std::vector<std::uint32_t> BufferSites::index_of(const BufferSite& site, std::uint64_t byte) const {
  std::vector<std::uint32_t> index = site.path;
  // Outermost first, as the site's own indices go: what is left of one goes into the next.
  std::uint64_t rest = byte >= site.offset ? byte - site.offset : 0;
  for (const PlaceTerm& term : site.terms) {
    const std::uint32_t before = first_index(site);
    if (term.operand >= before && term.operand - before < index.size() && term.stride > 0) {
      index[term.operand - before] = static_cast<std::uint32_t>(rest / term.stride);
    }
    rest = term.stride == 0 ? rest : rest % term.stride;
  }
  return index;
}

bool hazardous(const BufferSite& a, const BufferSite& b) {
  const bool atomic =
      a.atomic && b.atomic && a.scope == MemoryScope::device && b.scope == MemoryScope::device;
  return a.memory == b.memory && (a.writes || b.writes) && !atomic;
}

}  // namespace spirv
