#include "spirv/analysis/values/facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "spirv/analysis/memory/texel_access.h"

namespace spirv {
namespace {

core::SourcePlace place(const Program& program, const SourceLine& at) {
  return {at.line, at.column, program.file(at)};
}

std::optional<BarrierKind> kind_of(Barrier::Fence fence) {
  switch (fence) {
    case Barrier::Fence::all:
      return BarrierKind::all;
    case Barrier::Fence::global:
      return BarrierKind::global;
    case Barrier::Fence::shared:
      return BarrierKind::shared;
    case Barrier::Fence::none:
      break;
  }
  return std::nullopt;
}

class Facts {
 public:
  Facts(const Interface& interface, const BarrierEdits& edits, const Examination& examination)
      : interface_(interface), edits_(edits), x_(examination) {}

  core::KernelFacts run() {
    facts_.file = interface_.source_file;
    barriers();
    phases();
    accesses();
    constants();
    for (const DivergentBarrier& b : x_.uniformity.divergent_barriers()) {
      facts_.divergent.push_back(divergent_finding(x_.program, b.barrier, b.condition));
    }
    return std::move(facts_);
  }

 private:
  void barriers();
  void phases();
  void accesses();
  void constants();
  [[nodiscard]] std::uint32_t opener(const Segment& segment) const;
  void note(const Block& block, const Segment& segment, core::KernelPhase& phase,
            std::map<std::string, std::set<std::uint32_t>>& lines) const;
  void note_access(const Instruction& i, core::KernelPhase& phase) const;

  const Interface& interface_;
  const BarrierEdits& edits_;
  const Examination& x_;
  core::KernelFacts facts_;
};

void Facts::barriers() {
  for (const Barrier& b : interface_.barriers) {
    core::KernelBarrier barrier{{b.line, b.column, b.file}, kind_of(b.fence), kind_of(b.fence)};
    const auto edit = edits_.find(static_cast<std::uint32_t>(facts_.barriers.size() + 1));
    if (edit != edits_.end()) {
      barrier.now = edit->second;
    }
    facts_.barriers.push_back(barrier);
  }
}

std::uint32_t Facts::opener(const Segment& segment) const {
  const Block& block = x_.program.function.blocks[segment.block];
  if (segment.first == 0) {
    return 0;
  }
  const core::SourcePlace at = place(x_.program, block.body[segment.first - 1].at);
  const auto found = std::ranges::find(facts_.barriers, at, &core::KernelBarrier::at);
  return found == facts_.barriers.end()
             ? 0
             : static_cast<std::uint32_t>(found - facts_.barriers.begin() + 1);
}

// A barrier that a function brings to several places opens one phase: the text has it once.
void Facts::phases() {
  std::map<std::uint32_t, core::KernelPhase> phases;
  std::map<std::uint32_t, std::map<std::string, std::set<std::uint32_t>>> lines;
  for (std::size_t p = 0; p < x_.phases.openings().size(); ++p) {
    const std::uint32_t by = opener(x_.phases.segments()[x_.phases.openings()[p]]);
    phases[by].opened_by = by;
    const std::vector<bool> reached = x_.phases.reached_in_turns(x_.program, p);
    for (std::size_t s = 0; s < x_.phases.segments().size(); ++s) {
      if (reached[s]) {
        const Segment& segment = x_.phases.segments()[s];
        note(x_.program.function.blocks[segment.block], segment, phases[by], lines[by]);
      }
    }
  }
  for (auto& [by, phase] : phases) {
    for (const auto& [file, reached] : lines[by]) {
      auto& of = file == facts_.file ? phase.lines : phase.included[file];
      of.assign(reached.begin(), reached.end());
    }
    facts_.phases.push_back(std::move(phase));
  }
}

void Facts::note(const Block& block, const Segment& segment, core::KernelPhase& phase,
                 std::map<std::string, std::set<std::uint32_t>>& lines) const {
  const bool end = &block == &x_.program.function.blocks.back();
  for (std::size_t n = segment.first; n < segment.last; ++n) {
    const Instruction& i = block.body[n];
    // What the text has no words for has the line of what stands before.
    const bool unwritten = i.op == spv::Op::OpBranch || (end && i.op == spv::Op::OpReturn);
    if (i.at.line != 0 && !unwritten) {
      lines[x_.program.file(i.at)].insert(i.at.line);
    }
    note_access(i, phase);
  }
}

void Facts::note_access(const Instruction& i, core::KernelPhase& phase) const {
  if (const auto texel = texel_access(x_.program, i); !texel || *texel) {
    phase.note(core::MemoryKind::global, texel ? (*texel)->access : core::Access::read,
               texel && (*texel)->writes);
    return;
  }
  const bool atomic = is_atomic(i.op);
  const bool writes = i.op == spv::Op::OpStore || (atomic && i.op != spv::Op::OpAtomicLoad);
  if (i.op != spv::Op::OpLoad && !atomic && !writes) {
    return;
  }
  const core::Access access = atomic   ? core::Access::atomic
                              : writes ? core::Access::write
                                       : core::Access::read;
  const spv::StorageClass storage = x_.program.storage(x_.program.path(i.word(0)).variable);
  if (storage == spv::StorageClass::Workgroup) {
    phase.note(core::MemoryKind::shared, access, writes);
  } else if (storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform) {
    phase.note(core::MemoryKind::global, access, writes);
  }
}

void Facts::accesses() {
  for (const Site& site : x_.sites.all()) {
    facts_.accesses.push_back({place(x_.program, site.at), x_.sites.variables()[site.variable].name,
                               site.atomic   ? core::Access::atomic
                               : site.writes ? core::Access::write
                                             : core::Access::read,
                               x_.proofs.proven(site.number)});
  }
}

// As GLSL writes it; nothing: of a width that it is not told of here.
std::optional<std::string> value_text(const SpecConstant& constant, std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  if (constant.type == ScalarType::boolean) {
    return bits != 0 ? "true" : "false";
  }
  if (constant.width != 32) {
    return std::nullopt;
  }
  if (constant.type == ScalarType::floating) {
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), std::bit_cast<float>(low));
    return std::string(digits.data(), end.ptr);
  }
  return constant.type == ScalarType::signed_integer
             ? std::to_string(static_cast<std::int32_t>(low))
             : std::to_string(low);
}

void Facts::constants() {
  for (const SpecConstant& constant : interface_.spec_constants) {
    const auto value = interface_.constants.find(constant.name);
    if (value == interface_.constants.end() || value->second == constant.default_value) {
      continue;
    }
    if (auto text = value_text(constant, value->second)) {
      facts_.chosen[constant.name] = std::move(*text);
    }
  }
}

}  // namespace

Expected<core::KernelFacts> facts_of(std::span<const std::uint32_t> words,
                                     const SpecValues& spec_values, const BarrierEdits& edits,
                                     const Examination& examination) {
  const auto module = TRY(parse(words));
  const auto interface = TRY(reflect(module, spec_values));
  return Facts(interface, edits, examination).run();
}

core::Finding divergent_finding(const Program& program, const SourceLine& barrier,
                                const SourceLine& condition) {
  const auto included = [&](const SourceLine& at) {
    const std::string file = program.file(at);
    return file == program.interface.source_file ? std::string() : file;
  };
  core::Finding finding;
  finding.kind = core::FindingKind::divergent_barrier;
  finding.line = barrier.line;
  finding.file = included(barrier);
  finding.condition_line = finding.first.line = condition.line;
  finding.first.file = included(condition);
  finding.entry_line = program.interface.entry_line;
  return finding;
}

}  // namespace spirv
