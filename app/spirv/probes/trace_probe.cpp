#include "spirv/probes/trace_probe.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "spirv/analysis/memory/memory_layout.h"
#include "spirv/analysis/memory/texel_access.h"
#include "spirv/probes/flop_count.h"
#include "spirv/probes/insertions.h"
#include "spirv/probes/trace_runtime.h"
#include "spirv/probes/values/value_flow.h"
#include "spirv/probes/values/value_hash.h"

namespace spirv {
namespace {

constexpr std::uint64_t most_scalars = 4096;  // of one access
constexpr std::uint32_t most_words = 16;      // of values, of one record

class Instrumentation {
 public:
  Instrumentation(Examination& examination, const TraceProbeOptions& options)
      : x_(examination),
        options_(options),
        program_(examination.program),
        layout_(program_),
        module_(program_.module),
        emitter_(module_),
        code_(program_, emitter_),
        flops_(program_) {
    // Subgroups came with SPIR-V 1.3.
    module_.version = std::max<std::uint32_t>(module_.version, 0x00010300);
    probe_.layout.invocations = program_.invocations();
    runtime_.emplace(emitter_, probe_.layout, options);
  }

  TraceProbe run();

 private:
  struct Access {
    Id pointer = 0;
    Id value = 0;
    core::Access kind = core::Access::read;
  };
  void find_shared();
  void find_feeds();
  void keep_inside();
  void visit(std::size_t block, std::size_t instruction);
  void count_flops(std::size_t block);
  void visit_copy(const CodePlace& at, const Instruction& i);
  bool mark_barrier(const CodePlace& at, const Instruction& i);
  void note(const CodePlace& at, const Access& access);
  void note_place(const CodePlace& at, const Access& access, const MemoryPlace& where,
                  std::uint32_t touched, const std::vector<Id>& address);
  void note_addressed(const CodePlace& at, const Access& access);
  [[nodiscard]] std::vector<Id> address_of(const CodePlace& at, Id pointer);
  [[nodiscard]] std::uint32_t addressed_variable(Id block, std::optional<std::uint32_t> member);
  void note_flow(const Instruction& i, bool reads, bool writes, Id value, std::size_t first_site);
  void note_texel(const CodePlace& at, const TexelAccess& access);
  [[nodiscard]] std::uint32_t image_variable(const TexelAccess& access, std::uint32_t descriptor,
                                             const core::ImageShape& shape);
  [[nodiscard]] Id texel_offset(const CodePlace& at, const TexelAccess& access,
                                const core::ImageShape& shape);
  [[nodiscard]] Id texel_at(std::vector<Instruction>& code, Id coordinate, std::uint32_t length,
                            bool layer);
  void note_record(const CodePlace& at, TraceRecord record, const std::vector<Id>& where,
                   const std::vector<Id>& words);
  void refuse(const Instruction& i, const std::string& why);

  [[nodiscard]] core::SourcePlace place(const Instruction& i) const;
  [[nodiscard]] std::uint32_t variable(Id id, std::optional<std::uint32_t> member,
                                       std::uint32_t descriptor = 0);
  [[nodiscard]] core::TracedVariable describe(Id id, std::optional<std::uint32_t> member) const;
  [[nodiscard]] core::TracedVariable describe(Id type) const;
  [[nodiscard]] std::string name(Id id, std::optional<std::uint32_t> member) const;
  [[nodiscard]] Id first_scalar(Id type) const;
  [[nodiscard]] core::ScalarKind scalar_kind(Id type) const;
  [[nodiscard]] std::uint32_t site(const core::TracedSite& wanted, std::size_t from);
  [[nodiscard]] Id offset_of(const CodePlace& at, Id pointer, const MemoryPlace& place);
  [[nodiscard]] std::vector<Id> words_of(std::vector<Instruction>& code, Id scalar, Id type);
  [[nodiscard]] std::vector<Id> words_at(std::vector<Instruction>& code, Id value, Id type,
                                         const PlacedScalar& scalar);
  [[nodiscard]] Id narrow_word(std::vector<Instruction>& code, Id wide, Id type);

  Examination& x_;
  const TraceProbeOptions& options_;
  const Program& program_;
  MemoryLayout layout_;
  Module module_;
  Emitter emitter_;
  Insertions code_;
  FlopCount flops_;
  std::optional<TraceRuntime> runtime_;
  TraceProbe probe_;
  // Variable, member (-1: the whole) and descriptor.
  std::map<std::tuple<Id, int, std::uint32_t>, std::uint32_t> variables_;
  struct Kept {
    Id index = 0;    // inside whatever happens
    Id outside = 0;  // whether it would not have been
  };
  std::map<std::pair<Id, std::uint32_t>, Kept> kept_;  // by operand of an access chain
  struct Sites {
    std::uint32_t first = 0, last = 0;
  };
  std::map<Id, Sites> reads_;                    // by the ids of ValueFlow::Source
  std::vector<std::pair<Id, Sites>> stored_in_;  // values, and the sites that write them
};

TraceProbe Instrumentation::run() {
  find_shared();
  code_.tell_launch_size(runtime_->buffer(), {0, 1, 2}, options_.groups);
  keep_inside();
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const auto& body = program_.function.blocks[b].body;
    for (std::size_t i = 0; program_.flow.reachable(b) && i < body.size(); ++i) {
      visit(b, i);
    }
    count_flops(b);
  }
  find_feeds();
  code_.apply();
  code_.wrap_entry(runtime_->begin(), {runtime_->end()}, options_.idle_lanes);
  probe_.words = write(module_);
  return std::move(probe_);
}

void Instrumentation::find_feeds() {
  const ValueFlow flow(program_);
  for (const auto& [value, sites] : stored_in_) {
    std::vector<core::TracedFeed> feeds;
    for (const ValueFlow::Source& source : flow.sources_of(value)) {
      const auto read = reads_.find(source.read);
      for (std::uint32_t s = 0; read != reads_.end() && s < read->second.last; ++s) {
        if (s >= read->second.first) {
          feeds.push_back({s, source.carried});
        }
      }
    }
    for (std::uint32_t s = sites.first; s < sites.last; ++s) {
      probe_.sites[s].fed_by = feeds;
    }
  }
}

// The ids that a read has and that a write gets its value from.
void Instrumentation::note_flow(const Instruction& i, bool reads, bool writes, Id value,
                                std::size_t first_site) {
  const Sites sites{static_cast<std::uint32_t>(first_site),
                    static_cast<std::uint32_t>(probe_.sites.size())};
  const bool copies = i.op == spv::Op::OpCopyMemory;
  if (reads) {
    reads_.emplace(copies ? i.word(1) : i.result, sites);
  }
  if (writes) {
    const bool exchanges = i.op == spv::Op::OpAtomicCompareExchange;
    stored_in_.emplace_back(copies            ? i.word(1)
                            : exchanges       ? i.word(4)
                            : is_atomic(i.op) ? i.word(3)
                                              : value,
                            sites);
  }
}

// All of a block's at once, where it makes the first.
void Instrumentation::count_flops(std::size_t block) {
  const auto& body = program_.function.blocks[block].body;
  std::uint32_t all = 0;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; program_.flow.reachable(block) && i < body.size(); ++i) {
    const auto some = flops_.of(body[i]);
    probe_.counts_flops = probe_.counts_flops && some;
    all += some.value_or(0);
    first = first || some.value_or(0) == 0 ? first : i;
  }
  if (first) {
    code_.call(code_.before({block, *first}), runtime_->count(), {emitter_.constant(all)});
  }
}

core::SourcePlace Instrumentation::place(const Instruction& i) const {
  return {i.at.line, i.at.column, program_.file(i.at)};
}

void Instrumentation::refuse(const Instruction& i, const std::string& why) {
  const std::string text = "line " + std::to_string(i.at.line) + ": " + why;
  if (std::ranges::find(probe_.not_traced, text) == probe_.not_traced.end()) {
    probe_.not_traced.push_back(text);
  }
}

// Every shared variable, touched or not, one behind the other.
void Instrumentation::find_shared() {
  std::uint64_t address = 0;
  for (const Instruction& i : program_.module.preamble) {
    if (i.op != spv::Op::OpVariable || program_.storage(i.result) != spv::StorageClass::Workgroup) {
      continue;
    }
    core::TracedVariable& told = probe_.variables[variable(i.result, std::nullopt)].told;
    told.address = address;
    address = (address + told.bytes + 15) / 16 * 16;
  }
}

std::uint32_t Instrumentation::variable(Id id, std::optional<std::uint32_t> member,
                                        std::uint32_t descriptor) {
  const std::tuple key(id, member ? static_cast<int>(*member) : -1, descriptor);
  const auto [entry, fresh] =
      variables_.try_emplace(key, static_cast<std::uint32_t>(probe_.variables.size()));
  if (fresh) {
    const Id type = layout_.type_of(id, member);
    probe_.variables.push_back({describe(id, member), program_.types.runtime_stride(type)});
    if (layout_.is_array_of_blocks(id)) {
      core::TracedVariable& told = probe_.variables.back().told;
      told.binding += descriptor;
      const std::string element = "[" + std::to_string(descriptor) + "]";
      const std::string array = program_.definitions.name(id);
      told.name = array.empty() || !member ? told.name + element
                                           : array + element + "." +
                                                 program_.definitions.member_name(
                                                     layout_.type_of(id, std::nullopt), *member);
    }
  }
  return entry->second;
}

std::string Instrumentation::name(Id id, std::optional<std::uint32_t> member) const {
  const std::string whole = program_.definitions.name(id);
  const Id block = layout_.type_of(id, std::nullopt);
  const std::string own = member ? program_.definitions.member_name(block, *member) : "";
  if (own.empty()) {
    return whole.empty() ? program_.definitions.name(block) : whole;
  }
  return whole.empty() || program_.types.length(block) == 1 ? own : whole + "." + own;
}

core::TracedVariable Instrumentation::describe(Id id, std::optional<std::uint32_t> member) const {
  const Id type = layout_.type_of(id, member);
  core::TracedVariable told = describe(type);
  told.name = name(id, member);
  if (program_.storage(id) == spv::StorageClass::Workgroup) {
    told.memory = core::MemoryKind::shared;
  }
  told.bytes =
      layout_.is_block(id) ? program_.types.explicit_bytes(type) : program_.types.bytes(type);
  if (const Instruction* b = program_.definitions.decoration(id, spv::Decoration::Binding)) {
    told.binding = b->word(2);
  }
  told.address = member ? layout_.member_offset(id, *member) : 0;
  return told;
}

// What its type tells.
core::TracedVariable Instrumentation::describe(Id type) const {
  core::TracedVariable told;
  told.memory = core::MemoryKind::global;
  told.type = program_.types.name(type);
  for (Id inner = type;; inner = program_.types.element(inner)) {
    const spv::Op op = program_.definitions.op(inner);
    if (op != spv::Op::OpTypeArray && op != spv::Op::OpTypeRuntimeArray) {
      break;
    }
    told.dimensions.push_back(static_cast<std::uint32_t>(program_.types.length(inner)));
  }
  const Id scalar = first_scalar(type);
  told.scalar = scalar_kind(scalar);
  told.scalar_bytes = static_cast<std::uint32_t>(program_.types.bytes(scalar));
  return told;
}

Id Instrumentation::first_scalar(Id type) const {
  for (int depth = 0; depth < 32 && !program_.types.is_scalar(type); ++depth) {
    type = program_.types.element(type);
  }
  return type;
}

core::ScalarKind Instrumentation::scalar_kind(Id type) const {
  const Instruction& t = program_.definitions.of(type);
  switch (t.op) {
    case spv::Op::OpTypeBool:
      return core::ScalarKind::boolean;
    case spv::Op::OpTypeInt:
      return t.word(1) != 0 ? core::ScalarKind::signed_integer : core::ScalarKind::unsigned_integer;
    case spv::Op::OpTypePointer:
      return core::ScalarKind::unsigned_integer;
    default:
      return core::ScalarKind::floating;
  }
}

// An index outside of a shared array would reach whatever lies there.
void Instrumentation::keep_inside() {
  for (const Site& site : x_.sites.all()) {
    for (const IndexTerm& term : site.terms) {
      const auto link = term.link;
      if (x_.proofs.in_bounds(site, term) || term.length == 0 || kept_.contains(link)) {
        continue;
      }
      const CodePlace at = code_.place_of(link.first);
      auto& code = code_.before(at);
      const Id uint = emitter_.uint_type();
      const Id index = code_.as_word(code, term.index);
      const Id length = emitter_.constant(static_cast<std::uint32_t>(term.length));
      const Id last = emitter_.constant(static_cast<std::uint32_t>(term.length) - 1);
      const Id outside = code_.emit(code, spv::Op::OpUGreaterThanEqual, emitter_.bool_type(),
                                    {ref(index), ref(length)});
      const Id inside =
          code_.emit(code, spv::Op::OpSelect, uint, {ref(outside), ref(last), ref(index)});
      kept_[link] = {inside, outside};
      code_.function().blocks[at.first].body[at.second].operands[link.second] = ref(inside);
    }
  }
}

void Instrumentation::visit(std::size_t block, std::size_t instruction) {
  const Instruction& i = program_.function.blocks[block].body[instruction];
  const CodePlace at{block, instruction};
  const auto texel = texel_access(program_, i);
  if (!texel) {
    refuse(i, texel.error().message);
    return;
  }
  if (*texel) {
    note_texel(at, **texel);
    return;
  }
  switch (i.op) {
    case spv::Op::OpLoad:
      note(at, {i.word(0), i.result, core::Access::read});
      return;
    case spv::Op::OpStore:
      note(at, {i.word(0), i.word(1), core::Access::write});
      return;
    case spv::Op::OpCopyMemory:
      visit_copy(at, i);
      return;
    case spv::Op::OpAtomicStore:
      note(at, {i.word(0), i.word(3), core::Access::atomic});
      return;
    default:
      break;
  }
  if (is_atomic(i.op)) {
    note(at, {i.word(0), i.result, core::Access::atomic});
  } else {
    (void)mark_barrier(at, i);
  }
}

// Its value is nowhere: it is loaded once more.
void Instrumentation::visit_copy(const CodePlace& at, const Instruction& i) {
  const Id pointer = program_.definitions.of(i.word(1)).type;
  const Id type = program_.definitions.of(pointer).word(1);
  const Id value = code_.emit(code_.before(at), spv::Op::OpLoad, type, {ref(i.word(1))});
  note(at, {i.word(1), value, core::Access::read});
  note(at, {i.word(0), value, core::Access::write});
}

bool Instrumentation::mark_barrier(const CodePlace& at, const Instruction& i) {
  TraceRecord record;
  record.at = place(i);
  const Block& block = program_.function.blocks[at.first];
  if (Phases::closes(program_, block, at.second)) {
    record.kind = TraceRecord::Kind::barrier;
  } else if (orders_subgroup(program_.constants, i)) {
    record.kind = TraceRecord::Kind::subgroup_barrier;
  } else {
    return false;
  }
  note_record(at, std::move(record), {}, {});
  return true;
}

void Instrumentation::note(const CodePlace& at, const Access& access) {
  const Instruction& i = program_.function.blocks[at.first].body[at.second];
  const Instruction& pointer =
      program_.definitions.of(program_.definitions.of(access.pointer).type);
  const auto storage = static_cast<spv::StorageClass>(pointer.word(0));
  if (storage == spv::StorageClass::PhysicalStorageBuffer) {
    note_addressed(at, access);
    return;
  }
  if (storage != spv::StorageClass::Workgroup && storage != spv::StorageClass::StorageBuffer &&
      storage != spv::StorageClass::Uniform) {
    return;
  }
  const PointerPath path = program_.path(access.pointer);
  if (path.variable == 0) {
    refuse(i, "an access through a pointer that is selected at run time is not traced");
    return;
  }
  const auto where = layout_.place(path, most_scalars);
  if (!where || where->chosen != 0) {
    refuse(i,
           "an access of an unsupported type, of too large a size, or to a buffer that is selected "
           "from an array at run time, is not traced");
    return;
  }
  note_place(at, access, *where, variable(where->variable, where->member, where->descriptor),
             {offset_of(at, access.pointer, *where)});
}

void Instrumentation::note_addressed(const CodePlace& at, const Access& access) {
  const AddressedPath path = program_.addressed_path(access.pointer);
  const auto where = layout_.place(path, most_scalars);
  if (!where) {
    refuse(program_.function.blocks[at.first].body[at.second],
           "an access of an unsupported type or of too large a size is not traced");
    return;
  }
  note_place(at, access, *where, addressed_variable(path.block, where->member),
             address_of(at, access.pointer));
}

// The address that an access goes to, as two words.
std::vector<Id> Instrumentation::address_of(const CodePlace& at, Id pointer) {
  auto& code = code_.after(at);
  const Id uint = emitter_.uint_type();
  const Id both =
      code_.emit(code, spv::Op::OpBitcast, emitter_.vector_type(uint, 2), {ref(pointer)});
  return {code_.emit(code, spv::Op::OpCompositeExtract, uint, {ref(both), literal(0)}),
          code_.emit(code, spv::Op::OpCompositeExtract, uint, {ref(both), literal(1)})};
}

std::uint32_t Instrumentation::addressed_variable(Id block, std::optional<std::uint32_t> member) {
  const std::tuple key(block, member ? static_cast<int>(*member) : -1, 0U);
  const auto [entry, fresh] =
      variables_.try_emplace(key, static_cast<std::uint32_t>(probe_.variables.size()));
  if (fresh) {
    const Id type = member ? program_.types.element(block, *member) : block;
    TraceVariable variable{describe(type), program_.types.runtime_stride(type),
                           std::max<std::uint64_t>(program_.types.explicit_bytes(block), 1)};
    variable.told.name = member && program_.types.length(block) > 1
                             ? program_.definitions.member_name(block, *member)
                             : std::string();
    variable.told.address = member ? layout_.block_member_offset(block, *member) : 0;
    variable.told.bytes = program_.types.explicit_bytes(type);
    probe_.variables.push_back(std::move(variable));
  }
  return entry->second;
}

void Instrumentation::note_place(const CodePlace& at, const Access& access,
                                 const MemoryPlace& where, std::uint32_t touched,
                                 const std::vector<Id>& address) {
  const Instruction& i = program_.function.blocks[at.first].body[at.second];
  const std::size_t first_site = probe_.sites.size();
  auto& code = code_.after(at);
  TraceRecord record;
  record.at = place(i);
  record.addressed = where.variable == 0;
  std::vector<Id> words;
  for (std::uint32_t n = 0; n < where.scalars.size(); ++n) {
    const PlacedScalar& scalar = where.scalars[n];
    const std::vector<Id> own = words_at(code, access.value, where.type, scalar);
    if (words.size() + own.size() > most_words) {
      note_record(at, record, address, std::exchange(words, {}));
      record.parts.clear();
      record.continues = true;
    }
    const core::TracedSite kind{
        .at = place(i),
        .variable = touched,
        .access = access.kind,
        .writes = access.kind == core::Access::write ||
                  (access.kind == core::Access::atomic && i.op != spv::Op::OpAtomicLoad),
        .scalar = scalar_kind(scalar.type),
        .scalar_bytes = static_cast<std::uint32_t>(program_.types.bytes(scalar.type)),
        .scalars = 0};
    record.parts.push_back({site(kind, first_site), n, static_cast<std::uint32_t>(scalar.offset),
                            static_cast<std::uint32_t>(own.size())});
    words.insert(words.end(), own.begin(), own.end());
  }
  note_record(at, std::move(record), address, words);
  note_flow(i, access.kind != core::Access::write, access.kind != core::Access::read, access.value,
            first_site);
}

std::uint32_t Instrumentation::image_variable(const TexelAccess& access, std::uint32_t descriptor,
                                              const core::ImageShape& shape) {
  const Id id = access.variable;
  const auto [entry, fresh] = variables_.try_emplace(
      std::tuple(id, -1, descriptor), static_cast<std::uint32_t>(probe_.variables.size()));
  if (!fresh) {
    return entry->second;
  }
  const core::ImageFormat& format = *core::image_format(shape.format);
  core::TracedVariable told;
  told.name = program_.definitions.name(id) +
              (access.descriptor == 0 ? "" : "[" + std::to_string(descriptor) + "]");
  told.memory = core::MemoryKind::global;
  told.image = true;
  told.type = shape.words();
  if (shape.layers > 1) {
    told.dimensions.push_back(shape.layers);
  }
  for (std::size_t d = 3; d-- > 0;) {
    if (d == 0 || shape.extent.at(d) > 1) {
      told.dimensions.push_back(shape.extent.at(d));
    }
  }
  told.scalar = format.numeric == core::Numeric::sint   ? core::ScalarKind::signed_integer
                : format.numeric == core::Numeric::uint ? core::ScalarKind::unsigned_integer
                                                        : core::ScalarKind::floating;
  told.bytes = shape.texels() * format.components * told.scalar_bytes;
  told.binding =
      program_.definitions.decoration(id, spv::Decoration::Binding)->word(2) + descriptor;
  probe_.variables.push_back({std::move(told), 0});
  return entry->second;
}

// Of a sampled coordinate: the texel that it lies in, or the nearest layer.
Id Instrumentation::texel_at(std::vector<Instruction>& code, Id coordinate, std::uint32_t length,
                             bool layer) {
  const Id real = emitter_.float_type();
  const auto constant = [&](float value) {
    return code_.emit(code, spv::Op::OpBitcast, real,
                      {ref(emitter_.constant(std::bit_cast<std::uint32_t>(value)))});
  };
  Id at = coordinate;
  if (!layer) {
    at = code_.emit(code, spv::Op::OpFMul, real,
                    {ref(at), ref(constant(static_cast<float>(length)))});
  } else {
    at = code_.emit(code, spv::Op::OpExtInst, real,
                    {ref(emitter_.glsl()), literal(2) /* RoundEven */, ref(at)});
  }
  at = code_.emit(code, spv::Op::OpExtInst, real,
                  {ref(emitter_.glsl()), literal(43) /* FClamp */, ref(at), ref(constant(0.0F)),
                   ref(constant(static_cast<float>(length - 1)))});
  return code_.emit(code, spv::Op::OpConvertFToU, emitter_.uint_type(), {ref(at)});
}

// In bytes of 32-bit components; TraceLayout::outside where there is no such texel.
Id Instrumentation::texel_offset(const CodePlace& at, const TexelAccess& access,
                                 const core::ImageShape& shape) {
  auto& code = code_.after(at);
  const Id uint = emitter_.uint_type();
  const Id given = program_.definitions.of(access.coordinates).type;
  const Instruction& type = program_.definitions.of(given);
  const bool vector = type.op == spv::Op::OpTypeVector;
  std::vector<std::uint32_t> lengths;
  using D = core::ImageDimensions;
  const std::uint32_t own = shape.dimensions == D::three                                  ? 3
                            : shape.dimensions == D::one || shape.dimensions == D::buffer ? 1
                                                                                          : 2;
  lengths.assign(shape.extent.begin(), shape.extent.begin() + own);
  lengths.push_back(shape.layers);
  const std::uint32_t count = std::min<std::uint32_t>(
      vector ? type.word(1) : 1, shape.layers > 1 || shape.arrayed ? own + 1 : own);
  std::uint32_t stride = core::image_format(shape.format)->components * 4;
  Id sum = emitter_.constant(0);
  Id outside = 0;
  for (std::uint32_t d = 0; d < count; ++d) {
    Id index = access.coordinates;
    if (vector) {
      index = code_.emit(code, spv::Op::OpCompositeExtract, type.word(0), {ref(index), literal(d)});
    }
    const Id word = access.sampled ? texel_at(code, index, lengths[d], d >= own)
                    : vector       ? code_.as_word(code, index, type.word(0))
                                   : code_.as_word(code, index);
    const Id beyond = code_.emit(code, spv::Op::OpUGreaterThanEqual, emitter_.bool_type(),
                                 {ref(word), ref(emitter_.constant(lengths[d]))});
    outside = outside == 0 ? beyond
                           : code_.emit(code, spv::Op::OpLogicalOr, emitter_.bool_type(),
                                        {ref(outside), ref(beyond)});
    const Id part =
        code_.emit(code, spv::Op::OpIMul, uint, {ref(word), ref(emitter_.constant(stride))});
    sum = code_.emit(code, spv::Op::OpIAdd, uint, {ref(sum), ref(part)});
    stride *= lengths[d];
  }
  return code_.emit(code, spv::Op::OpSelect, uint,
                    {ref(outside), ref(emitter_.constant(TraceLayout::outside)), ref(sum)});
}

void Instrumentation::note_texel(const CodePlace& at, const TexelAccess& access) {
  const Instruction& i = program_.function.blocks[at.first].body[at.second];
  const auto descriptor = access.descriptor == 0 ? 0 : program_.constants.scalar(access.descriptor);
  if (!descriptor) {
    refuse(i, "an access to an image that is selected from an array at run time is not traced");
    return;
  }
  const Instruction* binding =
      program_.definitions.decoration(access.variable, spv::Decoration::Binding);
  const auto number = static_cast<std::uint32_t>(*descriptor);
  const auto shape =
      binding != nullptr ? options_.images.find(binding->word(2) + number) : options_.images.end();
  if (shape == options_.images.end() || access.value == 0) {
    refuse(i, "an access to an image of unknown size is not traced");
    return;
  }
  const core::ImageFormat& format = *core::image_format(shape->second.format);
  const std::size_t first_site = probe_.sites.size();
  core::TracedSite kind{.at = place(i),
                        .variable = image_variable(access, number, shape->second),
                        .access = access.access,
                        .writes = access.writes,
                        .scalar = core::ScalarKind::floating,
                        .scalar_bytes = 4,
                        .scalars = 0,
                        .stored_bytes = std::max(format.bits / 8, 1U)};
  kind.scalar = probe_.variables[kind.variable].told.scalar;
  const Id offset = texel_offset(at, access, shape->second);
  auto& code = code_.after(at);
  const Instruction& type = program_.definitions.of(program_.definitions.of(access.value).type);
  const bool vector = type.op == spv::Op::OpTypeVector;
  const Id scalar = vector ? type.word(0) : program_.definitions.of(access.value).type;
  const std::uint32_t components = std::min(vector ? type.word(1) : 1, format.components);
  TraceRecord record;
  record.at = place(i);
  std::vector<Id> words;
  for (std::uint32_t c = 0; c < components; ++c) {
    const Id value = vector ? code_.emit(code, spv::Op::OpCompositeExtract, scalar,
                                         {ref(access.value), literal(c)})
                            : access.value;
    const std::vector<Id> own = words_of(code, value, scalar);
    record.parts.push_back(
        {site(kind, first_site), c, 4 * c, static_cast<std::uint32_t>(own.size())});
    words.insert(words.end(), own.begin(), own.end());
  }
  note_record(at, std::move(record), {offset}, words);
  note_flow(i, !access.writes, access.writes, access.value, first_site);
}

// The site of an access's scalars of one kind; those from `from` on are the access's.
std::uint32_t Instrumentation::site(const core::TracedSite& wanted, std::size_t from) {
  auto& sites = probe_.sites;
  const auto own = sites.begin() + static_cast<std::ptrdiff_t>(from);
  auto found = std::find_if(own, sites.end(), [&](const core::TracedSite& s) {
    return s.scalar == wanted.scalar && s.scalar_bytes == wanted.scalar_bytes;
  });
  if (found == sites.end()) {
    found = sites.insert(sites.end(), wanted);
  }
  ++found->scalars;
  return static_cast<std::uint32_t>(found - sites.begin());
}

void Instrumentation::note_record(const CodePlace& at, TraceRecord record,
                                  const std::vector<Id>& where, const std::vector<Id>& words) {
  const auto scalars = static_cast<std::uint32_t>(record.parts.size());
  std::vector<Id> arguments{emitter_.constant(scalars),
                            emitter_.constant(static_cast<std::uint32_t>(probe_.records.size()))};
  arguments.insert(arguments.end(), where.begin(), where.end());
  arguments.insert(arguments.end(), words.begin(), words.end());
  const Id append = runtime_->append(static_cast<std::uint32_t>(arguments.size()) - 1);
  code_.call(code_.after(at), append, arguments);
  probe_.records.push_back(std::move(record));
}

Id Instrumentation::offset_of(const CodePlace& at, Id pointer, const MemoryPlace& place) {
  auto& code = code_.after(at);
  const Id uint = emitter_.uint_type();
  Id sum = emitter_.constant(static_cast<std::uint32_t>(place.offset));
  std::vector<Id> outside;
  for (const PlaceTerm& term : place.terms) {
    const auto kept = kept_.find(links_of(program_, pointer)[term.operand]);
    Id part = kept != kept_.end() ? kept->second.index : code_.as_word(code, term.index);
    const Id stride = emitter_.constant(static_cast<std::uint32_t>(term.stride));
    part = code_.emit(code, spv::Op::OpIMul, uint, {ref(part), ref(stride)});
    sum = code_.emit(code, spv::Op::OpIAdd, uint, {ref(sum), ref(part)});
    if (kept != kept_.end()) {
      outside.push_back(kept->second.outside);
    }
  }
  for (const Id flag : outside) {
    sum = code_.emit(code, spv::Op::OpSelect, uint,
                     {ref(flag), ref(emitter_.constant(TraceLayout::outside)), ref(sum)});
  }
  return sum;
}

// The words of a scalar within a value; zeros where the module may not take the value apart.
std::vector<Id> Instrumentation::words_at(std::vector<Instruction>& code, Id value, Id type,
                                          const PlacedScalar& scalar) {
  if (scalar.path.empty()) {
    return words_of(code, value, scalar.type);
  }
  std::vector<Operand> operands{ref(value)};
  std::ranges::transform(scalar.path, std::back_inserter(operands), literal);
  const WideVector wide = widened(program_, emitter_, code, value, type);
  if (wide.scalar != 0) {
    operands[0] = ref(wide.value);
    const Id part = code_.emit(code, spv::Op::OpCompositeExtract, wide.scalar, std::move(operands));
    return {narrow_word(code, part, scalar.type)};
  }
  if (!may_extract(program_, type)) {
    return {emitter_.constant(0)};
  }
  return words_of(code,
                  code_.emit(code, spv::Op::OpCompositeExtract, scalar.type, std::move(operands)),
                  scalar.type);
}

// The word of an 8- or 16-bit scalar, converted to 32 bits.
Id Instrumentation::narrow_word(std::vector<Instruction>& code, Id wide, Id type) {
  const Id uint = emitter_.uint_type();
  const Instruction& t = program_.definitions.of(type);
  if (t.op == spv::Op::OpTypeFloat) {
    const Id real = emitter_.float_type();
    const Id pair = code_.emit(code, spv::Op::OpCompositeConstruct, emitter_.vector_type(real, 2),
                               {ref(wide), ref(emitter_.null(real))});
    return code_.emit(code, spv::Op::OpExtInst, uint,
                      {ref(emitter_.glsl()), literal(58) /* PackHalf2x16 */, ref(pair)});
  }
  if (t.word(1) == 0) {
    return wide;
  }
  const Id bits = code_.emit(code, spv::Op::OpBitcast, uint, {ref(wide)});
  const Id mask =
      emitter_.constant((std::uint32_t{1} << scalar_width(program_.definitions, type)) - 1);
  return code_.emit(code, spv::Op::OpBitwiseAnd, uint, {ref(bits), ref(mask)});
}

std::vector<Id> Instrumentation::words_of(std::vector<Instruction>& code, Id scalar, Id type) {
  const Id uint = emitter_.uint_type();
  const Instruction& t = program_.definitions.of(type);
  const std::uint32_t width = scalar_width(program_.definitions, type);
  if (t.op == spv::Op::OpTypeBool) {
    return {code_.emit(code, spv::Op::OpSelect, uint,
                       {ref(scalar), ref(emitter_.constant(1)), ref(emitter_.constant(0))})};
  }
  if (width == 32) {
    return {type == uint ? scalar : code_.emit(code, spv::Op::OpBitcast, uint, {ref(scalar)})};
  }
  if (width == 64) {
    const Id both =
        code_.emit(code, spv::Op::OpBitcast, emitter_.vector_type(uint, 2), {ref(scalar)});
    return {code_.emit(code, spv::Op::OpCompositeExtract, uint, {ref(both), literal(0)}),
            code_.emit(code, spv::Op::OpCompositeExtract, uint, {ref(both), literal(1)})};
  }
  const bool real = t.op == spv::Op::OpTypeFloat;
  const Id wide = real ? emitter_.float_type()
                       : emitter_.type(spv::Op::OpTypeInt, {literal(32), literal(t.word(1))});
  const spv::Op convert = real             ? spv::Op::OpFConvert
                          : t.word(1) != 0 ? spv::Op::OpSConvert
                                           : spv::Op::OpUConvert;
  return {narrow_word(code, code_.emit(code, convert, wide, {ref(scalar)}), type)};
}

}  // namespace

TraceProbe make_trace_probe(Examination& examination, const TraceProbeOptions& options) {
  return Instrumentation(examination, options).run();
}

}  // namespace spirv
