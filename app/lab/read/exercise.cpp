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

void add_votes(const spirv::Examination& examination, const spirv::RaceProbe& probe,
               std::span<const spirv::DivergentBarrier> divergent,
               std::span<const std::uint32_t> words, core::CheckReport& report) {
  const auto found_at = [&](const core::Finding& finding) {
    return std::ranges::find_if(report.findings, [&](const core::Finding& f) {
      return f.kind == finding.kind && f.line == finding.line && f.file == finding.file;
    });
  };
  for (std::uint32_t n = 0; n < probe.votes.size(); ++n) {
    const spirv::Vote& vote = probe.votes[n];
    for (std::uint32_t b = 0; b < probe.barriers.size(); ++b) {
      const std::uint32_t count = words[probe.findings.vote(n, b)];
      if (count == 0) {
        continue;
      }
      const spirv::SourceLine& at = probe.barriers[b];
      core::Finding finding = spirv::divergent_finding(examination.program, at, vote.condition);
      finding.observed = true;
      finding.count = count;
      const auto known = found_at(finding);
      if (known == report.findings.end()) {
        report.findings.push_back(finding);
      } else {
        known->count += count;
      }
    }
  }
  const bool apart = std::ranges::any_of(report.findings, [](const core::Finding& f) {
    return f.kind == core::FindingKind::divergent_barrier;
  });
  if (apart) {
    return;  // of a workgroup that has parted, other barriers are not looked at
  }
  for (const spirv::Vote& vote : probe.votes) {
    for (const spirv::SourceLine& barrier : vote.barriers) {
      const core::ConvergedBarrier told{{}, barrier.line, vote.condition.line};
      if (std::ranges::find(report.converged, told) == report.converged.end()) {
        report.converged.push_back(told);
      }
    }
  }
  for (const spirv::DivergentBarrier& text : divergent) {
    if (text.by_launch) {
      core::Finding finding =
          spirv::divergent_finding(examination.program, text.barrier, text.condition);
      finding.other_sizes = true;
      report.findings.push_back(std::move(finding));
    }
  }
}

}  // namespace lab
