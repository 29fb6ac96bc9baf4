#include "spirv/probes/order/order_probe.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "core/base/ceil_div.h"
#include "spirv/analysis/memory/ticket.h"
#include "spirv/probes/race/race_words.h"
#include "spirv/probes/race/shadow.h"
#include "spirv/probes/values/value_hash.h"

namespace spirv {
namespace {

constexpr std::uint32_t most_sites = 256;               // that a stamp tells apart
constexpr std::uint64_t most_invocations = 0xFFFFFFF0;  // of a launch
constexpr std::uint32_t room_for_events = std::uint32_t{1} << 21U;
constexpr std::uint32_t room_for_candidates = std::uint32_t{1} << 20U;
constexpr std::uint32_t unknown_value = empty_word - 1;
constexpr std::uint32_t nowhere = 0x7FFFFFFF;  // the number of no cell

template <class AnySite>
OrderKind kind_of(const AnySite& site) {
  return site.atomic ? (site.writes ? OrderKind::atomic : OrderKind::atomic_load)
                     : (site.writes ? OrderKind::write : OrderKind::read);
}

// Returns bits for the classes of memory that a fence acquires and releases, once for each scope
// that it reaches.
std::uint32_t reach_of(const SyncSite& fence) {
  constexpr std::uint32_t classes = 3;
  const std::uint32_t bits = fence.acquires | (fence.releases << classes);
  return bits | (fence.scope != MemoryScope::subgroup ? bits << (2 * classes) : 0) |
         (fence.scope == MemoryScope::device ? bits << (4 * classes) : 0);
}

// A barrier that hands such memory on within a subgroup alone.
bool orders_lanes(const Program& program, const Instruction& i, MemoryClass memory) {
  const Semantics s = semantics(program.constants, i);
  return i.op == spv::Op::OpControlBarrier && s.acquires && s.releases && s.about(memory) &&
         s.subgroup_scope && (is_subgroup_barrier(program.constants, i) || !s.workgroup_scope);
}

}  // namespace

OrderProbe::OrderProbe(const Examination& examination, const OrderProbeOptions& options)
    : x_(examination), program_(examination.program), options_(options) {
  const bool room = options.groups * program_.invocations() <= most_invocations;
  const auto prove = [this](const LaunchFacts& facts) {
    return std::make_unique<BufferProofs>(program_, x_.uniformity, x_.proofs, x_.buffers, facts);
  };
  auto proofs = prove(options.launch);
  for (const LaunchFacts& facts : room ? guessed() : std::vector<LaunchFacts>()) {
    if (proofs->open().empty()) {
      break;
    }
    if (auto more = prove(facts); more->open().size() < proofs->open().size()) {
      plan_.guesses = {facts.ticket, facts.subgroup, counter_of(*more)};
      proofs = std::move(more);
    }
  }
  plan_.wanted = options.wanted;
  plan_.left = x_.buffers.not_understood();
  plan_.proven.resize(x_.buffers.all().size());
  for (const BufferSite& site : x_.buffers.all()) {
    plan_.proven[site.number] = proofs->proven(site.number);
  }
  plan_.open = proofs->open();
  const bool shared = !x_.proofs.handed_over().empty();
  if (plan_.open.empty() && !shared && !plan_.guesses.probed()) {
    return;
  }
  if (!options.longs) {
    plan_.left.emplace_back("races on buffers were not checked: this device has no 64-bit atomics");
    return;
  }
  if (!room) {
    plan_.left.emplace_back(
        "races on buffers were not checked: the launch has too many invocations");
    return;
  }
  choose_shared();
  choose_buffers(*proofs);
  if (plan_.sites.size() > most_sites) {
    plan_.left.push_back(
        "races on " + std::to_string(plan_.memories.size()) +
        " buffers and images were not checked: " + std::to_string(plan_.sites.size()) +
        " instructions access them, and the sanitizer supports 256");
    return;
  }
  lay_out(options.shadow_bytes);
  plan_.any = !plan_.sites.empty() || plan_.guesses.probed();
  plan_.events = !plan_.sites.empty() && x_.synchronization.any();
  OrderLayout& layout = plan_.layout;
  layout.sites = number(plan_.sites.size());
  layout.groups = number(options.groups);
  layout.candidates = plan_.events ? room_for_candidates : 0;
  layout.events_kept = plan_.events ? room_for_events : 0;
  for (OrderMemory& m : plan_.memories) {
    if (m.memory != MemoryClass::shared) {
      m.racing = layout.cell_bits;
      layout.cell_bits += number((m.cells + 31) / 32);
    }
  }
  const auto& groups = options.launch.groups;
  layout.tickets = plan_.guesses.ticket == 0 ? 0 : groups[0] * groups[1] * groups[2];
}

std::uint32_t OrderProbe::memory_of(MemoryClass memory, std::uint32_t index, std::uint64_t cells) {
  const auto known = std::ranges::find_if(
      plan_.memories, [&](const OrderMemory& m) { return m.memory == memory && m.index == index; });
  if (known != plan_.memories.end()) {
    return number(known - plan_.memories.begin());
  }
  plan_.memories.push_back({.memory = memory, .index = index, .cells = cells, .all = cells});
  return number(plan_.memories.size() - 1);
}

void OrderProbe::choose_shared() {
  std::set<std::uint32_t> sites;
  for (const SitePair& pair : x_.proofs.handed_over()) {
    sites.insert({pair.first, pair.second});
  }
  for (const std::uint32_t s : sites) {
    const Site& site = x_.sites.all()[s];
    const std::uint32_t memory =
        memory_of(MemoryClass::shared, site.variable, x_.sites.variables()[site.variable].cells());
    plan_.sites.push_back({s, memory});
    add_kind(plan_.memories[memory], kind_of(site));
    plan_.memories[memory].narrow |= site.narrow;
    plan_.memories[memory].values = true;
  }
}

void OrderProbe::choose_buffers(const BufferProofs& proofs) {
  std::set<std::uint32_t> sites;
  for (const SitePair& pair : proofs.open()) {
    sites.insert({pair.first, pair.second});
  }
  for (const std::uint32_t s : sites) {
    const BufferSite& site = x_.buffers.all()[s];
    const BufferMemory& buffer = x_.buffers.memories()[site.memory];
    if (buffer.set != 0 || buffer.binding >= options_.bytes.size()) {
      continue;
    }
    const std::uint64_t bytes = buffer.descriptors != 0
                                    ? buffer.descriptors * buffer.descriptor_bytes
                                    : options_.bytes[buffer.binding];
    const std::uint64_t cells = buffer.memory == MemoryClass::image && buffer.descriptors == 0
                                    ? buffer.texels()
                                    : core::ceil_div(bytes, buffer.cell_bytes);
    const std::uint32_t memory = memory_of(buffer.memory, site.memory, cells);
    plan_.sites.push_back({s, memory});
    OrderMemory& m = plan_.memories[memory];
    add_kind(m, kind_of(site));
    m.narrow |= site.atomic && site.scope != MemoryScope::device;
    m.values = true;
  }
}

void OrderProbe::add_kind(OrderMemory& memory, OrderKind kind) const {
  memory.slot[static_cast<std::size_t>(kind)] = 0;
}

// A cell's words, then cells one after the other. What does not fit is left.
void OrderProbe::lay_out(std::uint64_t shadow_bytes) {
  std::uint64_t needed = 0;
  for (OrderMemory& m : plan_.memories) {
    m.values = m.slot[static_cast<std::size_t>(OrderKind::write)].has_value();
    m.words = 0;
    for (std::size_t k = 0; k < m.slot.size(); ++k) {
      if (m.slot[k]) {
        m.slot[k] = m.words;
        m.words += static_cast<OrderKind>(k) == OrderKind::write ? 2 : 3;
      }
    }
    needed += m.memory != MemoryClass::shared ? m.cells * m.words : 0;
  }
  const bool rooms = std::ranges::any_of(
      plan_.memories, [](const OrderMemory& m) { return m.memory == MemoryClass::shared; });
  const std::uint64_t room = shadow_bytes / 8 / (rooms ? 2 : 1);
  for (OrderMemory& m : plan_.memories) {
    if (m.memory == MemoryClass::shared) {
      m.first = plan_.room_words;
      plan_.room_words += m.cells * m.words;
      continue;
    }
    if (needed > room) {
      m.cells = std::min(m.cells, m.cells * room / needed);
      const BufferMemory& buffer = x_.buffers.memories()[m.index];
      const bool image = m.memory == MemoryClass::image;
      const std::uint64_t unit = image ? 1 : buffer.cell_bytes;
      plan_.left.push_back("of " + buffer.name + " only the first " +
                           std::to_string(m.cells * unit) + " of " + std::to_string(m.all * unit) +
                           (image ? " texels" : " bytes") +
                           " were checked, because no memory was left to record more");
    }
    m.first = plan_.cell_words;
    plan_.cell_words += m.cells * m.words;
  }
}

void OrderProbe::instrument(Emitter& emitter, Insertions& code, Id header,
                            const CellOf& shared_cell, const HashesOf& shared_values) {
  if (!plan_.any) {
    return;
  }
  emitter_ = &emitter;
  code_ = &code;
  OrderRuntimeOptions options;
  options.ledger_binding = options_.ledger_binding;
  options.cells_binding = options_.cells_binding;
  options.invocations = program_.invocations();
  options.fences_yield = options_.fences_yield;
  options.compact = options_.compact;
  options.private_accesses =
      std::ranges::any_of(x_.buffers.all(), [](const BufferSite& s) { return !s.orderable; });
  if (!x_.uniformity.parting_branches().empty()) {
    options.muted = emitter.private_word(beyond_name);
  }
  for (const Block& block : program_.function.blocks) {
    for (const Instruction& i : block.body) {
      options.subgroups_shared |= orders_lanes(program_, i, MemoryClass::shared);
      options.subgroups_buffers |= orders_lanes(program_, i, MemoryClass::buffer);
      options.subgroups_images |= orders_lanes(program_, i, MemoryClass::image);
    }
  }
  runtime_ = std::make_unique<OrderRuntime>(emitter, plan_, x_.synchronization, header, options);
  const auto& first = program_.function.blocks[0].body;
  const auto start =
      std::ranges::find_if(first, [](const Instruction& i) { return i.op != spv::Op::OpVariable; });
  const CodePlace entry{0, static_cast<std::size_t>(start - first.begin())};
  code.call(code.before(entry), runtime_->begin(), {});
  for (std::uint32_t n = 0; n < plan_.sites.size(); ++n) {
    if (plan_.memories[plan_.sites[n].memory].memory != MemoryClass::shared) {
      note_buffer(n);
    } else {
      note_shared(n, shared_cell, shared_values);
    }
  }
  if (!plan_.sites.empty()) {
    count_phases();
  }
  if (plan_.events) {
    note_events(shared_cell);
  }
  if (plan_.guesses.ticket != 0) {
    look_at_ticket();
  }
}

std::optional<OrderPlan::Guesses::Words> OrderProbe::counter_of(const BufferProofs& proofs) const {
  const Arrival::Words* words = proofs.counted();
  if (words == nullptr) {
    return std::nullopt;
  }
  const std::uint32_t binding = x_.buffers.memories()[words->memory].binding;
  return OrderPlan::Guesses::Words{binding, words->offset, words->count, words->stride};
}

// What the text asks for and what is likely of it, one way or the other.
std::vector<LaunchFacts> OrderProbe::guessed() const {
  if (!options_.guesses) {
    return {};
  }
  LaunchFacts facts = options_.launch;
  facts.counts_from_zero = true;
  const auto& groups = facts.groups;
  const std::uint64_t layer = std::uint64_t{groups[0]} * groups[1];
  if (options_.longs && layer <= most_invocations && layer * groups[2] <= most_invocations) {
    facts.ticket = find_ticket(program_, x_.uniformity);
  }
  const bool asks = std::ranges::any_of(program_.module.preamble, [&](const Instruction& i) {
    const auto kind = i.op == spv::Op::OpVariable ? program_.built_in(i.result) : std::nullopt;
    return kind == spv::BuiltIn::SubgroupId || kind == spv::BuiltIn::SubgroupLocalInvocationId ||
           kind == spv::BuiltIn::SubgroupSize || kind == spv::BuiltIn::NumSubgroups;
  });
  const bool full = options_.subgroup != 0 && program_.invocations() % options_.subgroup == 0;
  facts.subgroup = options_.longs && asks && full ? options_.subgroup : 0;
  std::vector<LaunchFacts> all{facts};
  if (const auto team = find_team(program_, x_.uniformity, x_.buffers, facts); team != 0) {
    all.push_back(facts);
    all.back().team = team;
    all.back().ticket = 0;  // each team draws the same numbers
  }
  return all;
}

void OrderProbe::look_at_ticket() {
  const std::size_t block = program_.block_of(plan_.guesses.ticket);
  const auto& body = program_.function.blocks[block].body;
  const auto load = std::ranges::find(body, plan_.guesses.ticket, &Instruction::result);
  const CodePlace at{block, static_cast<std::size_t>(load - body.begin())};
  const Id drawn = code_->as_word(code_->after(at), plan_.guesses.ticket);
  code_->call(code_->after(at), runtime_->ticket(), {drawn});
}

Id OrderProbe::buffer_cell(const BufferSite& site, const CodePlace& at) {
  const Id uint = emitter_->uint_type();
  const BufferMemory& memory = x_.buffers.memories()[site.memory];
  const std::uint64_t bytes = memory.cell_bytes;
  auto& code = code_->before(at);
  Id sum = emitter_->constant(number(site.offset / bytes));
  Id outside = 0;  // of an array within the buffer: kept inside, and no other's cell
  const auto leave = [&](Id what, Id length) {
    const Id beyond = code_->emit(code, spv::Op::OpUGreaterThanEqual, emitter_->bool_type(),
                                  {ref(what), ref(length)});
    outside = outside == 0 ? beyond
                           : code_->emit(code, spv::Op::OpLogicalOr, emitter_->bool_type(),
                                         {ref(outside), ref(beyond)});
  };
  const auto in_cells = [&](Id part, std::uint64_t stride) {
    return stride == bytes
               ? part
               : code_->emit(code, spv::Op::OpIMul, uint,
                             {ref(part), ref(emitter_->constant(number(stride / bytes)))});
  };
  const bool chosen = memory.descriptors != 0 && site.descriptor != 0;
  const Id descriptor = chosen ? code_->as_word(code, site.descriptor) : 0;
  for (const PlaceTerm& term : std::span(site.terms).subspan(chosen ? 1 : 0)) {
    const Id part = code_->as_word(code, term.index);
    if (term.length != 0) {
      leave(part, term.lengths.empty() ? emitter_->constant(number(term.length))
                                       : code_->one_of(code, descriptor, term.lengths));
    }
    sum = code_->emit(code, spv::Op::OpIAdd, uint, {ref(sum), ref(in_cells(part, term.stride))});
  }
  if (chosen) {
    std::vector<std::uint64_t> cells = memory.bytes;  // where it may begin
    for (std::uint64_t& own : cells) {
      const std::uint64_t more = site.runs.back().offset + site.runs.back().bytes;
      own = own < more ? 0 : (own - more) / bytes + 1;
    }
    leave(sum, code_->one_of(code, descriptor, cells));
    // Those whose cells have no numbers are left; so large a shadow has no room anyway.
    const std::uint64_t numbered = nowhere / (memory.descriptor_bytes / bytes);
    leave(descriptor,
          emitter_->constant(number(std::min<std::uint64_t>(memory.descriptors, numbered))));
    sum = code_->emit(code, spv::Op::OpIAdd, uint,
                      {ref(sum), ref(in_cells(descriptor, memory.descriptor_bytes))});
  }
  return outside == 0 ? sum
                      : code_->emit(code, spv::Op::OpSelect, uint,
                                    {ref(outside), ref(emitter_->constant(nowhere)), ref(sum)});
}

void OrderProbe::note_cells(const CodePlace& at, std::uint32_t tracked, OrderKind kind, Id first,
                            std::uint64_t cells, const std::vector<Id>& hashes) {
  auto& code = code_->before(at);
  const std::uint32_t memory = plan_.sites[tracked].memory;
  std::uint32_t bits = tracked;
  if (plan_.memories[memory].memory != MemoryClass::shared) {
    const BufferSite& site = x_.buffers.all()[plan_.sites[tracked].site];
    bits |= site.atomic && site.scope == MemoryScope::workgroup  ? OrderStamp::group_atomic
            : site.atomic && site.scope == MemoryScope::subgroup ? OrderStamp::subgroup_atomic
            : !site.orderable                                    ? OrderStamp::unordered
                                                                 : 0;
  }
  const Id who = emitter_->constant(bits);
  const Id unknown = emitter_->constant(unknown_value);
  constexpr std::uint64_t unrolled = 8;
  if (cells > unrolled) {
    code_->call(code, runtime_->note_many(memory, kind),
                {first, emitter_->constant(number(cells)), who, unknown});
    return;
  }
  for (std::uint64_t n = 0; n < cells; ++n) {
    const Id cell = n == 0 ? first
                           : code_->emit(code, spv::Op::OpIAdd, emitter_->uint_type(),
                                         {ref(first), ref(emitter_->constant(number(n)))});
    code_->call(code, runtime_->note(memory, kind),
                {cell, who, n < hashes.size() ? hashes[n] : unknown});
  }
}

void OrderProbe::note_buffer(std::uint32_t tracked) {
  const BufferSite& site = x_.buffers.all()[plan_.sites[tracked].site];
  const std::uint64_t bytes = x_.buffers.memories()[site.memory].cell_bytes;
  const CodePlace at{site.block, site.instruction};
  const Instruction& access = program_.function.blocks[site.block].body[site.instruction];
  const OrderKind kind = kind_of(site);
  const Id base = buffer_cell(site, at);
  const std::uint64_t scalars = program_.types.scalars(site.type);
  const std::uint64_t cells = site.runs.front().bytes / bytes;
  std::vector<Id> hashes;
  const bool texel = access.op == spv::Op::OpImageWrite;
  if (kind == OrderKind::write && (access.op == spv::Op::OpStore || texel) &&
      site.runs.size() == 1 && cells > 0 && scalars % cells == 0) {
    ValueHash hash(program_, *emitter_, code_->before(at));
    hashes = hash.cells(access.word(texel ? 2 : 1), site.type, scalars, scalars / cells);
  }
  for (const ByteRun& run : site.runs) {
    auto& code = code_->before(at);
    const Id first =
        run.offset == 0
            ? base
            : code_->emit(code, spv::Op::OpIAdd, emitter_->uint_type(),
                          {ref(base), ref(emitter_->constant(number(run.offset / bytes)))});
    note_cells(at, tracked, kind, first, run.bytes / bytes, hashes);
  }
}

void OrderProbe::note_shared(std::uint32_t tracked, const CellOf& shared_cell,
                             const HashesOf& shared_values) {
  const Site& site = x_.sites.all()[plan_.sites[tracked].site];
  const std::uint64_t size = x_.sites.variables()[site.variable].cell_scalars;
  const CodePlace at{site.block, site.instruction};
  const Id first = shared_cell(site, at);
  std::vector<Id> hashes;
  if (kind_of(site) == OrderKind::write) {
    hashes = shared_values(site, at);
  }
  note_cells(at, tracked, kind_of(site), first, site.width / size, hashes);
}

void OrderProbe::count_phases() {
  const bool images = plan_.events || std::ranges::any_of(plan_.memories, [](const auto& m) {
                        return m.memory == MemoryClass::image;
                      });
  const auto counts = [images](MemoryClass memory) {
    return memory != MemoryClass::image || images;
  };
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const Block& block = program_.function.blocks[b];
    for (std::size_t i = 0; program_.flow.reachable(b) && i < block.body.size(); ++i) {
      for (const MemoryClass memory :
           {MemoryClass::shared, MemoryClass::buffer, MemoryClass::image}) {
        if (counts(memory) && Phases::closes(program_, block, i, memory)) {
          code_->call(code_->after({b, i}), runtime_->next_phase(memory), {});
        }
      }
    }
  }
}

void OrderProbe::note_events(const CellOf& shared_cell) {
  for (const SyncSite& site : x_.synchronization.sites()) {
    const CodePlace at{site.block, site.instruction};
    if (!site.fence) {
      note_event(site, shared_cell);
      continue;
    }
    const bool barrier =
        program_.function.blocks[site.block].body[site.instruction].op == spv::Op::OpControlBarrier;
    code_->call(barrier ? code_->after(at) : code_->before(at), runtime_->fence(),
                {emitter_->constant(site.number), emitter_->constant(reach_of(site))});
  }
}

void OrderProbe::note_event(const SyncSite& site, const CellOf& shared_cell) {
  const CodePlace at{site.block, site.instruction};
  const Instruction& atomic = program_.function.blocks[site.block].body[site.instruction];
  Id cell = 0;
  if (site.memory == MemoryClass::shared) {
    cell = shared_cell(x_.sites.all()[site.site], at);
  } else {
    cell = buffer_cell(x_.buffers.all()[site.site], at);
  }
  if (site.writes) {
    code_->call(code_->before(at), runtime_->announce(), {});
  }
  Id read = emitter_->constant(unknown_value);
  Id wrote = emitter_->constant(site.writes ? 1 : 0);
  const Id written = written_by(atomic, at, read, wrote);
  code_->call(code_->after(at), runtime_->happened(),
              {emitter_->constant(site.number), cell, read, written, wrote});
}

// Hashes of what an atomic wrote and read, and whether a comparison wrote.
Id OrderProbe::written_by(const Instruction& i, const CodePlace& at, Id& read, Id& wrote) {
  auto& code = code_->after(at);
  const auto hashed = [&](Id value, Id type) {
    ValueHash hash(program_, *emitter_, code);
    return hash.cells(value, type, 1, 1).front();
  };
  const auto extended = [&](std::uint32_t instruction) {
    return code_->emit(
        code, spv::Op::OpExtInst, i.type,
        {ref(emitter_->glsl()), literal(instruction), ref(i.result), ref(i.word(3))});
  };
  const auto combined = [&](spv::Op op) {
    return code_->emit(code, op, i.type, {ref(i.result), ref(i.word(3))});
  };
  const Id unknown = emitter_->constant(unknown_value);
  if (i.result != 0 && program_.types.is_scalar(i.type) &&
      program_.definitions.op(i.type) != spv::Op::OpTypeBool) {
    read = hashed(i.result, i.type);
  }
  switch (i.op) {
    case spv::Op::OpAtomicStore:
      return hashed(i.word(3), program_.definitions.of(i.word(3)).type);
    case spv::Op::OpAtomicExchange:
      return hashed(i.word(3), i.type);
    case spv::Op::OpAtomicCompareExchange: {
      const Id same = code_->emit(code, spv::Op::OpIEqual, emitter_->bool_type(),
                                  {ref(i.result), ref(i.word(5))});
      wrote = code_->emit(code, spv::Op::OpSelect, emitter_->uint_type(),
                          {ref(same), ref(emitter_->constant(1)), ref(emitter_->constant(0))});
      return hashed(i.word(4), i.type);
    }
    case spv::Op::OpAtomicIAdd:
      return hashed(combined(spv::Op::OpIAdd), i.type);
    case spv::Op::OpAtomicISub:
      return hashed(combined(spv::Op::OpISub), i.type);
    case spv::Op::OpAtomicAnd:
      return hashed(combined(spv::Op::OpBitwiseAnd), i.type);
    case spv::Op::OpAtomicOr:
      return hashed(combined(spv::Op::OpBitwiseOr), i.type);
    case spv::Op::OpAtomicXor:
      return hashed(combined(spv::Op::OpBitwiseXor), i.type);
    case spv::Op::OpAtomicUMin:
      return hashed(extended(38), i.type);
    case spv::Op::OpAtomicSMin:
      return hashed(extended(39), i.type);
    case spv::Op::OpAtomicUMax:
      return hashed(extended(41), i.type);
    case spv::Op::OpAtomicSMax:
      return hashed(extended(42), i.type);
    default:
      return unknown;
  }
}

}  // namespace spirv
