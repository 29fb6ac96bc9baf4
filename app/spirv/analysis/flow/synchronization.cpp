#include "spirv/analysis/flow/synchronization.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace spirv {
namespace {

std::uint32_t classes(const Semantics& s) {
  return (s.shared_memory ? class_bit(MemoryClass::shared) : 0) |
         (s.global_memory ? class_bit(MemoryClass::buffer) : 0) |
         (s.image_memory ? class_bit(MemoryClass::image) : 0);
}

MemoryScope scope_of(const Semantics& s) {
  return s.device_scope      ? MemoryScope::device
         : s.workgroup_scope ? MemoryScope::workgroup
                             : MemoryScope::subgroup;
}

// Atomics by block and instruction; by their memory and their number there.
using Atomics =
    std::map<std::pair<std::size_t, std::size_t>, std::pair<MemoryClass, std::uint32_t>>;

Atomics atomics_of(const Sites& sites, const BufferSites& buffers) {
  Atomics all;
  const auto add = [&all](const auto& s, MemoryClass memory) {
    if (s.atomic) {
      all.try_emplace({s.block, s.instruction}, memory, s.number);
    }
  };
  for (const Site& s : sites.all()) {
    add(s, MemoryClass::shared);
  }
  for (const BufferSite& s : buffers.all()) {
    add(s, buffers.memories()[s.memory].memory);
  }
  return all;
}

}  // namespace

Synchronization::Synchronization(const Program& program, const Sites& sites,
                                 const BufferSites& buffers) {
  const Atomics atomics = atomics_of(sites, buffers);
  for (std::size_t b = 0; b < program.flow.size(); ++b) {
    for (std::size_t i = 0; program.flow.reachable(b) && i < program.function.blocks[b].body.size();
         ++i) {
      const spv::Op op = program.function.blocks[b].body[i].op;
      if (op == spv::Op::OpMemoryBarrier || op == spv::Op::OpControlBarrier) {
        add_fence(program, b, i);
      } else if (const auto s = atomics.find({b, i}); s != atomics.end()) {
        add_atomic(program, b, i, s->second.first, s->second.second);
      }
    }
  }
  leave_silent(program, sites, buffers);
  const auto can = [&](MemoryClass memory) {
    const std::uint32_t bit = class_bit(memory);
    // Between workgroups a fence beside a barrier is as good as any other.
    const auto counts = [&](const SyncSite& s) {
      return !s.fence || memory != MemoryClass::shared ||
             !Phases::beside_barrier(program, program.function.blocks[s.block], s.instruction);
    };
    const auto any = [&](auto member, auto&& which) {
      return std::ranges::any_of(sites_, [&](const SyncSite& s) {
        return (s.*member & bit) != 0 && s.scope != MemoryScope::subgroup && counts(s) && which(s);
      });
    };
    const bool writes =
        std::ranges::any_of(sites_, [](const SyncSite& s) { return !s.fence && s.writes; });
    const auto all = [](const SyncSite&) { return true; };
    return writes && any(&SyncSite::releases, all) && any(&SyncSite::acquires, all);
  };
  for (const MemoryClass memory : {MemoryClass::shared, MemoryClass::buffer, MemoryClass::image}) {
    handed_on_ |= can(memory) ? class_bit(memory) : 0;
  }
  if (handed_on_ == 0) {
    sites_.clear();
  }
}

// Atomics on memory of which no atomic's result is ever used tell nobody anything.
void Synchronization::leave_silent(const Program& program, const Sites& sites,
                                   const BufferSites& buffers) {
  std::set<Id> used;
  for (const Block& block : program.function.blocks) {
    for (const Instruction& i : block.body) {
      for (const Operand& operand : i.operands) {
        if (operand.is_id) {
          used.insert(operand.word);
        }
      }
    }
  }
  using Place = std::pair<MemoryClass, std::uint32_t>;
  const auto place = [&](const SyncSite& s) {
    return Place{s.memory, s.memory == MemoryClass::shared ? sites.all()[s.site].variable
                                                           : buffers.all()[s.site].memory};
  };
  std::set<Place> heard;
  for (const SyncSite& s : sites_) {
    const Instruction& i = program.function.blocks[s.block].body[s.instruction];
    if (!s.fence && s.reads && used.contains(i.result)) {
      heard.insert(place(s));
    }
  }
  std::erase_if(sites_, [&](const SyncSite& s) { return !s.fence && !heard.contains(place(s)); });
  for (std::uint32_t n = 0; n < sites_.size(); ++n) {
    sites_[n].number = n;
  }
}

void Synchronization::add_fence(const Program& program, std::size_t block,
                                std::size_t instruction) {
  const Semantics s =
      semantics(program.constants, program.function.blocks[block].body[instruction]);
  SyncSite site;
  site.number = static_cast<std::uint32_t>(sites_.size());
  site.block = block;
  site.instruction = instruction;
  site.fence = true;
  site.acquires = s.acquires ? classes(s) : 0;
  site.releases = s.releases ? classes(s) : 0;
  site.scope = scope_of(s);
  // A barrier is a fence where it reaches further than the invocations that meet there.
  const bool wide =
      program.function.blocks[block].body[instruction].op == spv::Op::OpMemoryBarrier ||
      (s.device_scope && (s.global_memory || s.image_memory));
  if (wide && (site.acquires != 0 || site.releases != 0)) {
    sites_.push_back(site);
  }
}

void Synchronization::add_atomic(const Program& program, std::size_t block, std::size_t instruction,
                                 MemoryClass memory, std::uint32_t number) {
  const Instruction& i = program.function.blocks[block].body[instruction];
  const auto word = [&](std::size_t k) { return program.constants.scalar(i.word(k)).value_or(0); };
  const Semantics s = semantics(word(1), word(2));
  SyncSite site;
  site.number = static_cast<std::uint32_t>(sites_.size());
  site.block = block;
  site.instruction = instruction;
  site.memory = memory;
  site.site = number;
  site.reads = i.op != spv::Op::OpAtomicStore && i.op != spv::Op::OpAtomicFlagClear;
  site.writes = i.op != spv::Op::OpAtomicLoad;
  site.compares =
      i.op == spv::Op::OpAtomicCompareExchange || i.op == spv::Op::OpAtomicCompareExchangeWeak;
  site.acquires = s.acquires && site.reads ? classes(s) : 0;
  site.releases = s.releases && site.writes ? classes(s) : 0;
  if (site.compares) {
    const Semantics f = semantics(word(1), word(3));
    site.on_failure = f.acquires ? classes(f) : 0;
  }
  site.scope = scope_of(s);
  sites_.push_back(site);
}

}  // namespace spirv
