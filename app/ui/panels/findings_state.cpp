#include "ui/panels/findings_state.h"

#include <algorithm>

#include "core/base/glossary.h"

namespace ui {
namespace {

using core::FindingKind;

// Between the two lines, and does not order them.
const core::KernelBarrier* idle_barrier(const core::Finding& f, const core::KernelFacts& facts) {
  const auto [first, last] = std::minmax(f.first.line, f.second.line);
  const auto found =
      std::ranges::find_if(facts.barriers, [&, low = first, high = last](const auto& barrier) {
        return !barrier.closes() && barrier.at.line > low && barrier.at.line < high &&
               barrier.at.file == f.first.file && f.first.file == f.second.file;
      });
  return found == facts.barriers.end() ? nullptr : &*found;
}

std::string why_idle(const core::KernelBarrier& barrier) {
  const std::string which = "The barrier at line " + std::to_string(barrier.at.line);
  if (!barrier.now || *barrier.now == core::BarrierKind::off) {
    return which + " between them is off.";
  }
  return core::waits(*barrier.now)
             ? which + " between them makes invocations wait, but orders only global memory."
             : which + " between them is only a fence: no invocation waits there.";
}

std::string race_meaning(const core::Finding& f, const core::KernelFacts* facts) {
  if (f.same_value) {
    return "Both accesses write the same value, so the result is the same in either order. The "
           "race is "
           "still undefined behaviour in the language.";
  }
  const auto& a = f.first.workgroup;
  const auto& b = f.second.workgroup;
  if (f.memory != core::Memory::buffer && f.memory != core::Memory::image) {
    const core::KernelBarrier* idle = facts != nullptr ? idle_barrier(f, *facts) : nullptr;
    return "No barrier decides which access comes first, so the result depends on chance. " +
           (idle != nullptr ? why_idle(*idle) : "A barrier between the two lines orders them.");
  }
  if (a && b && *a != *b) {
    return "Workgroups run in any order, and no barrier orders them, so the result depends on "
           "chance. Give each workgroup its own elements, use an atomic, or split the kernel into "
           "two launches.";
  }
  if (f.memory == core::Memory::image) {
    return "Both are in one workgroup, but nothing orders their accesses to the image, so the "
           "result depends on chance. memoryBarrierImage() and barrier() between the two lines "
           "order them.";
  }
  return "Both are in one workgroup, but nothing orders their accesses to the buffer, so the "
         "result depends on chance. memoryBarrierBuffer() and barrier() between the two lines "
         "order them.";
}

}  // namespace

std::vector<StateField> FindingsState::fields() {
  return {field("finding_kind", kind,
                {"", "race", "divergent-barrier", "out-of-bounds", "unfinished-loop",
                 "uninitialized", "arithmetic", "inactive-lane", "misaligned"})
              .with_flag("--finding-kind", "",
                         "List only findings of this kind, such as race (default: all)")};
}

std::vector<KindCount> kinds_of(const core::CheckReport& report) {
  std::vector<KindCount> kinds;
  for (const core::Finding& f : report.findings) {
    const auto known = std::ranges::find(kinds, f.kind, &KindCount::kind);
    if (known == kinds.end()) {
      kinds.push_back({f.kind, 1});
    } else {
      ++known->count;
    }
  }
  std::ranges::sort(kinds, {}, &KindCount::kind);
  return kinds;
}

std::vector<std::size_t> shown_findings(const FindingsState& state,
                                        const core::CheckReport& report) {
  std::vector<std::size_t> all;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    all.push_back(i);
    if (core::to_string(report.findings[i].kind) == state.kind) {
      chosen.push_back(i);
    }
  }
  return chosen.empty() ? all : chosen;
}

std::string meaning_of(const core::Finding& f, const core::KernelFacts* facts) {
  if (f.kind == FindingKind::race) {
    return race_meaning(f, facts);
  }
  const core::Term* term = core::find_term(core::to_string(f.kind));
  return std::string(term->says) + " " + std::string(term->remedy);
}

}  // namespace ui
