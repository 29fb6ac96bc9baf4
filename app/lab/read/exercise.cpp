#include "lab/read/exercise.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "spirv/analysis/values/facts.h"

namespace lab {
namespace {

// Lines of which some instruction is in the text, and none in a block that ran.
std::vector<core::UnreachedLine> unreached_lines(const spirv::Program& program,
                                                 const spirv::Coverage& coverage,
                                                 const std::vector<std::uint32_t>& marks) {
  std::map<std::pair<std::string, std::uint32_t>, bool> ran;
  for (std::size_t b = 0; b < program.flow.size(); ++b) {
    const bool block_ran = program.flow.reachable(b) && coverage.ran(b, marks);
    for (const spirv::Instruction& i : program.function.blocks[b].body) {
      if (program.flow.reachable(b) && i.at.line != 0 && !i.carried && i.op != spv::Op::OpPhi &&
          i.op != spv::Op::OpBranch) {
        bool& line = ran[{program.file(i.at), i.at.line}];
        line = line || block_ran;
      }
    }
  }
  std::vector<core::UnreachedLine> lines;
  for (const auto& [place, executed] : ran) {
    if (!executed) {
      lines.push_back({{}, place.second, place.first});
    }
  }
  return lines;
}

}  // namespace

void add_exercise(const spirv::Examination& examination, const spirv::RaceProbe& probe,
                  std::span<const std::uint32_t> words, const CutLoops& cut,
                  core::CheckReport& report) {
  const spirv::Program& program = examination.program;
  const spirv::Coverage& coverage = *probe.coverage;
  const auto first = words.begin() + probe.findings.mark(0);
  const std::vector<std::uint32_t> marks(first, first + probe.findings.marks);
  for (const spirv::Site& site : examination.sites.all()) {
    core::AccessRun run;
    run.line = site.at.line;
    run.file = program.file(site.at);
    run.variable = examination.sites.variables()[site.variable].name;
    run.access = site.atomic   ? core::Access::atomic
                 : site.writes ? core::Access::write
                               : core::Access::read;
    run.proven = examination.proofs.proven(site.number);
    run.executed = coverage.ran(site.block, marks) && !cut.behind(site.block);
    report.sites.push_back(std::move(run));
  }
  if (cut.any()) {
    return;  // the ways behind the loop were not taken as the kernel would have
  }
  for (const spirv::NeverTaken& never : spirv::never_taken(program, coverage, marks)) {
    const core::NeverTaken told{
        {}, never.branch.line, never.first.line, program.file(never.first), never.loop};
    if (std::ranges::find(report.never_taken, told) == report.never_taken.end()) {
      report.never_taken.push_back(told);
    }
  }
  report.unreached = unreached_lines(program, coverage, marks);
  std::ranges::sort(report.never_taken, {}, &core::NeverTaken::behind);
}

bool add_votes(const spirv::Examination& examination, const spirv::RaceProbe& probe,
               std::span<const std::uint32_t> words, core::CheckReport& report) {
  bool apart = false;
  for (std::uint32_t n = 0; n < probe.votes.size(); ++n) {
    const std::uint32_t count = words[probe.findings.vote(n)];
    for (const spirv::SourceLine& barrier : probe.votes[n].barriers) {
      if (count == 0) {
        const core::ConvergedBarrier told{{}, barrier.line, probe.votes[n].condition.line};
        if (std::ranges::find(report.converged, told) == report.converged.end()) {
          report.converged.push_back(told);
        }
        continue;
      }
      apart = true;
      core::Finding finding =
          spirv::divergent_finding(examination.program, barrier, probe.votes[n].condition);
      finding.observed = true;
      finding.count = count;
      const bool known = std::ranges::any_of(report.findings, [&](const core::Finding& f) {
        return f.kind == finding.kind && f.line == finding.line && f.file == finding.file;
      });
      if (!known) {
        report.findings.push_back(finding);
      }
    }
  }
  return apart;
}

}  // namespace lab
