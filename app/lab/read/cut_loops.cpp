#include "lab/read/cut_loops.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "lab/read/race_findings.h"

namespace lab {

CutLoops::CutLoops(const spirv::Examination& examination, const spirv::RaceProbe& probe,
                   std::span<const spirv::BoundedLoop> loops, std::span<const std::uint32_t> words)
    : program_(examination.program), x_(examination), behind_(examination.program.flow.size()) {
  std::vector<std::size_t> headers;
  for (std::uint32_t n = 0; n < loops.size(); ++n) {
    if (const std::uint32_t count = words[probe.findings.loop(n)]; count != 0) {
      const std::size_t header = program_.flow.index(loops[n].header);
      const auto loop =
          std::ranges::find(program_.flow.loops(), header, &spirv::ControlFlow::Loop::header);
      cut_.push_back({loops[n].at, count, loop == program_.flow.loops().end() ? nullptr : &*loop});
      headers.push_back(header);
    }
  }
  ended_by_device_ = words[spirv::FindingsLayout::stuck];
  by_device_ = ended_by_device_ != 0;
  any_ = by_device_ || !cut_.empty();
  // Of a loop that is not found, every loop stands for it.
  const bool every = by_device_ || std::ranges::any_of(headers, [&](std::size_t header) {
                       return std::ranges::none_of(program_.flow.loops(), [&](const auto& loop) {
                         return loop.header == header;
                       });
                     });
  for (const spirv::ControlFlow::Loop& loop : program_.flow.loops()) {
    if (every || std::ranges::find(headers, loop.header) != headers.end()) {
      add_exits(loop);
    }
  }
}

void CutLoops::add_exits(const spirv::ControlFlow::Loop& loop) {
  std::vector<std::size_t> work;
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    for (const std::size_t next : program_.flow.successors(b)) {
      if (loop.contains[b] && !loop.contains[next]) {
        work.push_back(next);
      }
    }
  }
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    if (!behind_[b]) {
      behind_[b] = true;
      const auto& next = program_.flow.successors(b);
      work.insert(work.end(), next.begin(), next.end());
    }
  }
}

// The variable whose value, read by an atomic in the loop, decides whether the loop goes on. Empty
// if there is none.
std::string CutLoops::lock_of(const spirv::ControlFlow::Loop& loop) const {
  std::vector<spirv::Id> open;
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    const spirv::Instruction& end = program_.function.blocks[b].terminator();
    if (loop.contains[b] &&
        (end.op == spv::Op::OpBranchConditional || end.op == spv::Op::OpSwitch)) {
      open.push_back(end.word(0));
    }
  }
  std::set<spirv::Id> seen(open.begin(), open.end());
  while (!open.empty()) {
    const spirv::Id value = open.back();
    open.pop_back();
    const std::size_t block = program_.block_of(value);
    if (block >= loop.contains.size() || !loop.contains[block]) {
      continue;
    }
    const spirv::Instruction& i = program_.definitions.of(value);
    if (spirv::is_atomic(i.op)) {
      const auto here = [&](const auto& site) {
        return site.block == block &&
               program_.function.blocks[block].body[site.instruction].result == value;
      };
      const auto& buffers = x_.buffers.all();
      if (const auto site = std::ranges::find_if(buffers, here); site != buffers.end()) {
        return x_.buffers.name_of(*site);
      }
      const auto& shared = x_.sites.all();
      if (const auto site = std::ranges::find_if(shared, here); site != shared.end()) {
        return x_.sites.variables()[site->variable].name;
      }
      return {};
    }
    for (const spirv::Operand& operand : i.operands) {
      if (operand.is_id && seen.insert(operand.word).second) {
        open.push_back(operand.word);
      }
    }
  }
  return {};
}

void CutLoops::add_findings(std::uint32_t limit, bool emulated, core::CheckReport& report) const {
  for (const Cut& cut : cut_) {
    core::Finding finding;
    finding.kind = core::FindingKind::unfinished_loop;
    finding.line = cut.at.line;
    const std::string file = program_.file(cut.at);
    finding.file = file == program_.interface.source_file ? std::string() : file;
    finding.limit = limit;
    finding.count = cut.invocations;
    finding.variable = cut.loop == nullptr ? std::string() : lock_of(*cut.loop);
    add_finding(report, finding);
    report.incomplete.push_back(fmt::format(
        "the loop at line {} did not finish within {} iterations in {} invocations: {}",
        cut.at.line, limit, cut.invocations,
        emulated ? "this device ends all loops of an invocation after 65535 iterations in total"
                 : "it was stopped there, so the code after it was not checked"));
  }
  if (by_device_ && cut_.empty()) {
    report.incomplete.push_back(
        fmt::format("this device ends all loops of an invocation after 65535 iterations in total, "
                    "including loops of the check; {} invocations reached this limit, so the code "
                    "after it was not checked",
                    ended_by_device_));
  }
}

}  // namespace lab
