#include "lab/read/race_causes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lab {
namespace {

using core::MemoryClass;
using Place = std::pair<std::size_t, std::size_t>;  // block and instruction

// An atomic, a fence or a barrier.
struct Means {
  Place place;
  std::uint32_t line = 0;
  spirv::Semantics semantics;
};

constexpr BarrierWords glsl{"barrier()",
                            "controlBarrier()",
                            "controlBarrier()",
                            "memoryBarrierBuffer()",
                            "memoryBarrierShared()",
                            "memoryBarrierImage()"};
constexpr BarrierWords hlsl{"GroupMemoryBarrierWithGroupSync()",
                            "DeviceMemoryBarrierWithGroupSync()",
                            "AllMemoryBarrierWithGroupSync()",
                            "DeviceMemoryBarrier()",
                            "GroupMemoryBarrier()",
                            "DeviceMemoryBarrier()"};
constexpr BarrierWords wgsl{"workgroupBarrier()", "storageBarrier()",   "storageBarrier()",
                            "storageBarrier()",   "workgroupBarrier()", "textureBarrier()"};

class Causes {
 public:
  Causes(const spirv::Examination& x, const core::Finding& race, MemoryClass memory)
      : program_(x.program), words_(barrier_words(x.program)), race_(race), memory_(memory) {}

  [[nodiscard]] Cause within_workgroup(const RacingAccess& a, const RacingAccess& b) const;
  [[nodiscard]] Cause across(const RacingAccess& a, const RacingAccess& b) const;

 private:
  [[nodiscard]] std::vector<bool> behind(std::size_t block) const;
  [[nodiscard]] std::vector<Place> between(const Place& from, const Place& to) const;
  [[nodiscard]] const spirv::Instruction& at(const Place& place) const {
    return program_.function.blocks[place.first].body[place.second];
  }
  [[nodiscard]] std::string barrier_name(const spirv::Semantics& s) const;
  [[nodiscard]] std::string makes_visible(const spirv::Semantics& s) const;
  [[nodiscard]] std::string fence() const {
    return memory_ == MemoryClass::image ? words_.image_fence : words_.fence;
  }
  [[nodiscard]] Means atomic_at(const Place& place) const;
  [[nodiscard]] std::vector<Means> atomics(const Place& from, const Place& to) const;
  [[nodiscard]] std::vector<Means> fences(const Place& from, const Place& to) const;
  [[nodiscard]] std::string barrier_alone(const Place& from, const Place& to) const;

  const spirv::Program& program_;
  const BarrierWords& words_;
  const core::Finding& race_;
  MemoryClass memory_;
};

// Blocks that are reached from the end of one.
std::vector<bool> Causes::behind(std::size_t block) const {
  std::vector<bool> found(program_.flow.size());
  std::vector<std::size_t> open = program_.flow.successors(block);
  while (!open.empty()) {
    const std::size_t b = open.back();
    open.pop_back();
    if (!found[b]) {
      found[b] = true;
      open.insert(open.end(), program_.flow.successors(b).begin(),
                  program_.flow.successors(b).end());
    }
  }
  return found;
}

// Instructions that may run after one place and before another, in the order of the text.
std::vector<Place> Causes::between(const Place& from, const Place& to) const {
  const std::vector<bool> after = behind(from.first);
  std::vector<Place> found;
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const bool reached = after[b];
    if (!program_.flow.reachable(b) || (!reached && b != from.first)) {
      continue;
    }
    const bool leads = behind(b)[to.first];
    for (std::size_t i = 0; i < program_.function.blocks[b].body.size(); ++i) {
      const bool later = reached || i > from.second;
      const bool earlier = leads || (b == to.first && i < to.second);
      if (later && earlier) {
        found.emplace_back(b, i);
      }
    }
  }
  return found;
}

std::string Causes::barrier_name(const spirv::Semantics& s) const {
  const bool global = s.global_memory || s.image_memory;
  return s.shared_memory && global ? words_.whole_barrier
         : global                  ? words_.global_barrier
                                   : words_.shared_barrier;
}

std::string Causes::makes_visible(const spirv::Semantics& s) const {
  std::vector<std::string> memories;
  if (s.shared_memory) {
    memories.emplace_back("shared memory");
  }
  if (s.global_memory) {
    memories.emplace_back("buffers");
  }
  if (s.image_memory) {
    memories.emplace_back("images");
  }
  return memories.empty() ? "" : fmt::format(", only writes to {}", fmt::join(memories, " and "));
}

// Barriers of the workgroup that lie between the accesses, if none of them orders such memory.
Cause Causes::within_workgroup(const RacingAccess& a, const RacingAccess& b) const {
  if (!a.orderable || !b.orderable) {
    return {
        fmt::format("in the Vulkan memory model, barriers do not order accesses to `{0}`, which is "
                    "not coherent; declare `{0}` as `coherent` or `workgroupcoherent`",
                    race_.variable),
        {}};
  }
  Cause cause;
  std::string& text = cause.sentence;
  for (const Place& place : between({a.block, a.instruction}, {b.block, b.instruction})) {
    const spirv::Instruction& i = at(place);
    const bool waits = spirv::is_workgroup_barrier(program_.constants, i);
    if (waits && spirv::Phases::closes(program_, program_.function.blocks[place.first],
                                       place.second, memory_)) {
      return {};
    }
    if (!text.empty() || i.at.line == 0) {
      continue;
    }
    const spirv::Semantics s = spirv::semantics(program_.constants, i);
    if (waits && s.about(memory_) && !s.workgroup_scope) {
      text = fmt::format(
          "the memory scope of the barrier at line {} is smaller than the workgroup; use "
          "gl_ScopeWorkgroup",
          i.at.line);
    } else if (waits && s.about(memory_)) {
      text = fmt::format("{} at line {} {}; it must release and acquire {}", barrier_name(s),
                         i.at.line, s.releases ? "does not acquire" : "does not release",
                         race_.variable);
      cause.remedies.push_back({{{place.first, place.second, s.releases}}});
    } else if (waits) {
      const bool shared = memory_ == MemoryClass::shared;
      text = fmt::format("{} at line {} does not make writes to `{}` visible{}; {} {}",
                         barrier_name(s), i.at.line, race_.variable, makes_visible(s),
                         shared || &words_ == &hlsl ? "use" : "add",
                         shared             ? words_.shared_barrier
                         : &words_ == &hlsl ? words_.global_barrier
                                            : fence());
      cause.remedies.push_back({{{place.first, place.second}}});
    } else if (spirv::is_subgroup_barrier(program_.constants, i)) {
      text = fmt::format("the barrier at line {} waits only for the subgroup; use {}", i.at.line,
                         words_.shared_barrier);
    } else if (i.op == spv::Op::OpMemoryBarrier && s.about(memory_)) {
      text = fmt::format("the fence at line {} does not wait for other invocations; add {}",
                         i.at.line, words_.shared_barrier);
    }
  }
  return cause;
}

Means Causes::atomic_at(const Place& place) const {
  const spirv::Instruction& i = at(place);
  const auto word = [&](std::size_t k) { return program_.constants.scalar(i.word(k)).value_or(0); };
  return {place, i.at.line, spirv::semantics(word(1), word(2))};
}

std::vector<Means> Causes::atomics(const Place& from, const Place& to) const {
  std::vector<Means> found;
  for (const Place& place : between(from, to)) {
    if (spirv::is_atomic(at(place).op)) {
      found.push_back(atomic_at(place));
    }
  }
  return found;
}

std::vector<Means> Causes::fences(const Place& from, const Place& to) const {
  std::vector<Means> found;
  for (const Place& place : between(from, to)) {
    const spirv::Instruction& i = at(place);
    const spirv::Semantics s = spirv::semantics(program_.constants, i);
    if ((i.op == spv::Op::OpMemoryBarrier || i.op == spv::Op::OpControlBarrier) &&
        s.about(memory_)) {
      found.push_back({place, i.at.line, s});
    }
  }
  return found;
}

std::string Causes::barrier_alone(const Place& from, const Place& to) const {
  for (const Place& place : between(from, to)) {
    const spirv::Instruction& i = at(place);
    if (spirv::is_workgroup_barrier(program_.constants, i) && i.at.line != 0) {
      return fmt::format("{} at line {} orders only the accesses of one workgroup",
                         barrier_name(spirv::semantics(program_.constants, i)), i.at.line);
    }
  }
  return {};
}

Cause Causes::across(const RacingAccess& a, const RacingAccess& b) const {
  const Place whole{0, 0};
  const bool swapped = !a.writes;
  const RacingAccess& writer = swapped ? b : a;
  const RacingAccess& other = swapped ? a : b;
  const core::RaceSide& reader = swapped ? race_.first : race_.second;
  const Place write{writer.block, writer.instruction};
  const Place read{other.block, other.instruction};
  // Ways out of the kernel end where nothing follows; any place behind the write counts.
  std::vector<Means> after;
  std::vector<Means> before = atomics(whole, read);
  std::vector<Means> releases;
  std::vector<Means> acquires = fences(whole, read);
  for (std::size_t e = 0; e < program_.flow.size(); ++e) {
    if (program_.flow.reachable(e) && program_.flow.successors(e).empty()) {
      const Place end{e, program_.function.blocks[e].body.size()};
      for (const Means& m : atomics(write, end)) {
        after.push_back(m);
      }
      for (const Means& m : fences(write, end)) {
        releases.push_back(m);
      }
    }
  }
  const auto group = reader.workgroup.value_or(race_.workgroup);
  const auto too_narrow = [&](const Means& atomic) -> Cause {
    return {fmt::format("the atomic at line {} has scope {}, but the other access is in "
                        "workgroup ({},{},{}); use gl_ScopeDevice",
                        atomic.line, atomic.semantics.workgroup_scope ? "Workgroup" : "Subgroup",
                        group[0], group[1], group[2]),
            {}};
  };
  if (race_.first.access == core::Access::atomic && race_.second.access == core::Access::atomic) {
    for (const Place& place : {write, read}) {
      const Means atomic = atomic_at(place);
      if (!atomic.semantics.device_scope) {
        return too_narrow(atomic);
      }
    }
  }
  if (after.empty() || before.empty()) {
    return {barrier_alone(write, read), {}};
  }
  const auto reaches = [&](const Means& from, const Means& to) {
    return (from.place.first == to.place.first && from.place.second < to.place.second) ||
           behind(from.place.first)[to.place.first];
  };
  const auto narrow = [&](const Means& m, bool acts) {
    return acts && m.semantics.about(memory_) && !m.semantics.device_scope;
  };
  for (const Means& m : after) {
    if (narrow(m, m.semantics.releases || m.semantics.acquires)) {
      return too_narrow(m);
    }
  }
  for (const std::vector<Means>& all : {releases, acquires}) {
    for (const Means& m : all) {
      if (narrow(m, m.semantics.releases || m.semantics.acquires) &&
          at(m.place).op == spv::Op::OpMemoryBarrier) {
        return {fmt::format("the scope of the fence at line {} is smaller than the device, but "
                            "the other access is in workgroup ({},{},{}); use gl_ScopeDevice",
                            m.line, group[0], group[1], group[2]),
                {}};
      }
    }
  }
  const auto wide = [&](const Means& m, bool acts) {
    return acts && m.semantics.about(memory_) && m.semantics.device_scope;
  };
  const auto released = [&](const Means& atomic) {
    return wide(atomic, atomic.semantics.releases) ||
           std::ranges::any_of(releases, [&](const Means& f) {
             return wide(f, f.semantics.releases) && reaches(f, atomic);
           });
  };
  const auto acquired = [&](const Means& atomic) {
    return wide(atomic, atomic.semantics.acquires) ||
           std::ranges::any_of(acquires, [&](const Means& f) {
             return wide(f, f.semantics.acquires) && reaches(atomic, f);
           });
  };
  const bool release = std::ranges::any_of(after, released);
  const bool acquire = std::ranges::any_of(before, acquired);
  const Remedy::Fence in_front{after.empty() ? 0 : after.front().place.first,
                               after.empty() ? 0 : after.front().place.second};
  const Remedy::Fence behind_it{before.back().place.first, before.back().place.second, true};
  if (!release && !acquire && after.front().line == before.back().line) {
    return {fmt::format("the atomic at line {} is relaxed; add {} before it, to release the "
                        "write, and after it, to acquire the value",
                        after.front().line, fence()),
            {{{in_front, behind_it}}}};
  }
  if (!release) {
    return {fmt::format("the atomic at line {} is relaxed, so it does not release the write; add "
                        "{} before it",
                        after.front().line, fence()),
            {{{in_front}}, {{in_front, behind_it}}}};
  }
  if (!acquire) {
    return {fmt::format("the atomic at line {} is relaxed, so it does not acquire the value; add "
                        "{} after it",
                        before.back().line, fence()),
            {{{behind_it}}}};
  }
  return {};
}

}  // namespace

const BarrierWords& barrier_words(const spirv::Program& program) {
  for (const spirv::Instruction& i : program.module.preamble) {
    if (i.op == spv::Op::OpSource) {
      constexpr auto source_hlsl = static_cast<std::uint32_t>(spv::SourceLanguage::HLSL);
      constexpr std::uint32_t source_wgsl = 10;  // newer than the headers
      constexpr std::uint32_t source_slang = 11;
      return i.word(0) == source_hlsl || i.word(0) == source_slang ? hlsl
             : i.word(0) == source_wgsl                            ? wgsl
                                                                   : glsl;
    }
  }
  return glsl;
}

Cause why_unordered(const spirv::Examination& examination, const core::Finding& race,
                    MemoryClass memory, const RacingAccess& first, const RacingAccess& second) {
  const Causes causes(examination, race, memory);
  if (memory != MemoryClass::shared && race.first.workgroup != race.second.workgroup) {
    return causes.across(first, second);
  }
  Cause forward = causes.within_workgroup(first, second);
  return forward.sentence.empty() &&
                 (first.block != second.block || first.instruction != second.instruction)
             ? causes.within_workgroup(second, first)
             : forward;
}

}  // namespace lab
