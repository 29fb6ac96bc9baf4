#include "core/report/check_report.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "core/findings/finding_kinds.h"

namespace core {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& v) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

std::string elements_words(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

// "an image of 16×8".
std::string texels(const std::vector<std::uint32_t>& extent) {
  std::string text = "an image of ";
  for (std::size_t k = 0; k < extent.size(); ++k) {
    text += (k == 0 ? "" : "×") + std::to_string(extent[k]);
  }
  return text;
}

// "line 5", "part.glsl:5".
std::string line_of(const std::string& file, std::uint32_t line) {
  return (file.empty() ? "line " : file + ":") + std::to_string(line);
}

Verdict worse(Verdict a, Verdict b) {
  static constexpr std::array order{Verdict::clean, Verdict::incomplete, Verdict::faulty,
                                    Verdict::racy, Verdict::divergent};
  return std::ranges::find(order, a) < std::ranges::find(order, b) ? b : a;
}

std::string did(const RaceSide& side) {
  const std::string whose = side.workgroup ? " of workgroup " + triple(*side.workgroup) : "";
  return "invocation " + triple(side.invocation) + whose + " " + deed(side.access, "it") +
         " at line " + std::to_string(side.line);
}

}  // namespace

std::string to_string(Access access) {
  switch (access) {
    case Access::write:
      return "write";
    case Access::atomic:
      return "atomic";
    case Access::read:
      break;
  }
  return "read";
}

std::string deed(Access access, const std::string& what) {
  switch (access) {
    case Access::write:
      return "writes " + what;
    case Access::atomic:
      return "changes " + what + " atomically";
    case Access::read:
      break;
  }
  return "reads " + what;
}

std::string to_string(Hazard hazard) {
  switch (hazard) {
    case Hazard::write_after_read:
      return "WAR";
    case Hazard::write_after_write:
      return "WAW";
    case Hazard::read_after_write:
      break;
  }
  return "RAW";
}

std::string to_string(FindingKind kind) {
  return row_of(kind).name;
}

std::string to_string(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::infinity:
      return "infinity";
    case Arithmetic::division_by_zero:
      return "division-by-zero";
    case Arithmetic::shift_past_width:
      return "shift-past-width";
    case Arithmetic::not_a_number:
      break;
  }
  return "nan";
}

std::string to_string(Memory memory) {
  switch (memory) {
    case Memory::buffer:
      return "buffer";
    case Memory::image:
      return "image";
    case Memory::push_constants:
      return "push-constants";
    case Memory::local:
      return "private";
    case Memory::shared:
      break;
  }
  return "shared";
}

std::string to_string(Severity severity) {
  switch (severity) {
    case Severity::warning:
      return "warning";
    case Severity::assumed:
      return "assumed";
    case Severity::note:
      return "note";
    case Severity::error:
      break;
  }
  return "error";
}

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return "clean";
    case Verdict::racy:
      return "racy";
    case Verdict::divergent:
      return "divergent";
    case Verdict::faulty:
      return "faulty";
    case Verdict::incomplete:
      break;
  }
  return "incomplete";
}

namespace {

std::string lines_in_words(const std::vector<std::uint32_t>& lines) {
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(lines[i]);
  }
  return text + (lines.size() == 1 ? " was" : " were") + " not executed by this launch";
}

}  // namespace

std::vector<std::uint32_t> CheckReport::lines_not_executed() const {
  std::set<std::uint32_t> ran;
  std::set<std::uint32_t> not_run;
  for (const AccessRun& site : sites) {
    (site.executed ? ran : not_run).insert(site.line);
  }
  std::vector<std::uint32_t> lines;
  std::ranges::set_difference(not_run, ran, std::back_inserter(lines));
  return lines;
}

std::string CheckReport::not_executed() const {
  const std::vector<std::uint32_t> lines = lines_not_executed();
  return lines.empty() ? "" : lines_in_words(lines);
}

void CheckReport::judge() {
  verdict = incomplete.empty() ? Verdict::clean : Verdict::incomplete;
  for (const Finding& f : findings) {
    if (f.severity() == Severity::error) {
      verdict = worse(verdict, row_of(f.kind).verdict);
    }
  }
}

void CheckReport::sort_findings() {
  std::ranges::stable_sort(findings, {}, [](const Finding& f) {
    return std::tuple(f.severity(), f.consequences.empty(), f.kind, f.first.line, f.second.line,
                      f.line, f.file, f.first.file, f.second.file, f.memory, f.variable, f.hazard,
                      f.first.access, f.second.access, f.arithmetic, f.coordinate,
                      f.condition_line);
  });
}

void CheckReport::hide_optional() {
  hidden += static_cast<std::uint32_t>(std::erase_if(findings, &Finding::is_optional));
}

bool CheckReport::counts_as_found(bool notes_ok) const {
  return std::ranges::any_of(findings, [notes_ok](const Finding& f) {
    return !notes_ok || f.severity() == Severity::error;
  });
}

void CheckReport::judge_exercise() {
  accesses_executed =
      static_cast<std::uint32_t>(std::ranges::count(sites, true, &AccessRun::executed));
  const auto none = [&](bool (*of_kind)(const AccessRun&)) {
    return std::ranges::any_of(sites, of_kind) &&
           std::ranges::none_of(
               sites, [&](const AccessRun& site) { return of_kind(site) && site.executed; });
  };
  const bool no_read = none([](const AccessRun& a) { return a.access != Access::write; });
  const bool no_write = none([](const AccessRun& a) { return a.access != Access::read; });
  if (no_read || no_write) {
    const std::string kind = accesses_executed == 0 ? "no access to"
                             : no_write             ? "no write to"
                                                    : "no read of";
    const std::string where = not_executed();
    incomplete.push_back(
        (where.empty() ? "" : where + ": ") + kind +
        " shared memory was executed, so none was checked; try other sizes or values");
    unexercised.push_back(incomplete.back());
  }
  if (verdict == Verdict::clean && !incomplete.empty()) {
    verdict = Verdict::incomplete;
  }
}

bool CheckReport::add_exercise(CheckReport launch) {
  if (unexercised.empty() || !launch.unexercised.empty() ||
      launch.workgroups_checked < launch.workgroups) {
    return false;
  }
  std::erase_if(incomplete, [this](const std::string& why) {
    return std::ranges::find(unexercised, why) != unexercised.end();
  });
  unexercised.clear();
  launch.kernel.clear();  // as in the sites of a single launch
  add_sites(launch, true);
  accesses_executed =
      static_cast<std::uint32_t>(std::ranges::count(sites, true, &AccessRun::executed));
  return true;
}

void CheckReport::add_sites(CheckReport& launch, bool again) {
  if (again) {
    // The same text once more: what one launch did not run another did.
    std::size_t at = 0;
    for (AccessRun& site : sites) {
      if (site.kernel == launch.kernel && at < launch.sites.size()) {
        site.executed = site.executed || launch.sites[at++].executed;
      }
    }
    std::erase_if(never_taken, [&](const NeverTaken& never) {
      return never.kernel == launch.kernel &&
             std::ranges::none_of(launch.never_taken, [&](NeverTaken other) {
               other.kernel = launch.kernel;
               return other == never;
             });
    });
    std::erase_if(unreached, [&](const UnreachedLine& here) {
      return here.kernel == launch.kernel &&
             std::ranges::none_of(launch.unreached, [&](const UnreachedLine& other) {
               return other.line == here.line && other.file == here.file;
             });
    });
    return;
  }
  for (AccessRun& site : launch.sites) {
    site.kernel = launch.kernel;
    sites.push_back(std::move(site));
  }
  for (NeverTaken& never : launch.never_taken) {
    never.kernel = launch.kernel;
    never_taken.push_back(std::move(never));
  }
  for (UnreachedLine& line : launch.unreached) {
    line.kernel = launch.kernel;
    unreached.push_back(std::move(line));
  }
  for (ConvergedBarrier& barrier : launch.converged) {
    barrier.kernel = launch.kernel;
    converged.push_back(std::move(barrier));
  }
}

std::span<const std::uint32_t> CheckReport::racing_on(std::size_t grid) const {
  if (racing_by_grid.empty()) {
    return racing_groups;
  }
  const auto found = racing_by_grid.find(grid);
  return found == racing_by_grid.end() ? std::span<const std::uint32_t>() : found->second;
}

void CheckReport::add(CheckReport launch, const Place& place) {
  const bool again = place.again;
  verdict = worse(verdict, launch.verdict);
  workgroups += launch.workgroups;
  workgroups_checked += launch.workgroups_checked;
  accesses += again ? 0 : launch.accesses;
  accesses_checked += again ? 0 : launch.accesses_checked;
  accesses_proven += again ? 0 : launch.accesses_proven;
  buffer_accesses += again ? 0 : launch.buffer_accesses;
  buffers_proven += again ? 0 : launch.buffers_proven;
  image_accesses += again ? 0 : launch.image_accesses;
  images_proven += again ? 0 : launch.images_proven;
  for (const std::string& remark : launch.remarks) {
    remarks.push_back(launch.kernel + ": " + remark);
  }
  indices += again ? 0 : launch.indices;
  indices_checked += again ? 0 : launch.indices_checked;
  reads += again ? 0 : launch.reads;
  if (!again) {
    std::ranges::copy(launch.reads_checked, std::back_inserter(reads_checked));
  }
  add_sites(launch, again);
  for (RacingCells& cells : launch.racing_cells) {
    cells.kernel = launch.kernel;
    racing_cells.push_back(std::move(cells));
  }
  for (const std::string& why : launch.incomplete) {
    incomplete.push_back(launch.kernel + ": " + why);
  }
  for (Finding& finding : launch.findings) {
    finding.kernel = launch.kernel;
    finding.launch = place.number;
    findings.push_back(std::move(finding));
  }
  std::vector<std::uint32_t>& racing = racing_by_grid[place.grid];
  racing.resize(std::max(racing.size(), launch.racing_groups.size()));
  for (std::size_t i = 0; i < launch.racing_groups.size(); ++i) {
    racing[i] |= launch.racing_groups[i];
  }
  for (OutputCover& output : launch.outputs) {
    output.kernel = launch.kernel;
    outputs.push_back(std::move(output));
  }
  for (const std::string& what : launch.not_looked_at) {
    if (std::ranges::find(not_looked_at, what) == not_looked_at.end()) {
      not_looked_at.push_back(what);
    }
  }
  allowed += launch.allowed;
  hidden += launch.hidden;
  plain_ms += launch.plain_ms;
  checked_ms += launch.checked_ms;
}

Severity Finding::severity() const {
  const bool harmless =
      (kind == FindingKind::race && same_value) || (kind == FindingKind::out_of_bounds && defined);
  if (harmless) {
    return Severity::note;
  }
  if (kind == FindingKind::divergent_barrier && other_sizes) {
    return Severity::warning;
  }
  const Severity most = row_of(kind).severity;
  return most == Severity::error && !chosen.empty() ? Severity::assumed : most;
}

bool Finding::is_optional() const {
  return kind == FindingKind::out_of_bounds && defined;
}

std::string Finding::label() const {
  return severity() == Severity::error ? "" : to_string(severity()) + ": ";
}

std::string Finding::sentence() const {
  std::string text = (kernel.empty() ? "" : kernel + ": ") + words();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    text += (i == 0 ? "; Tilescope chose " : i + 1 == chosen.size() ? " and " : ", ") + chosen[i];
  }
  return text + (when.empty() ? "" : "; this happens " + when);
}

std::string Finding::place() const {
  if (!element.empty()) {
    return element;
  }
  std::string cell = variable;
  if (descriptor) {
    cell += "[" + std::to_string(*descriptor) + "]";
  }
  if (memory == Memory::image && !index.empty()) {
    for (std::size_t k = 0; k < index.size(); ++k) {
      cell += (k == 0 ? "(" : ",") + std::to_string(index[k]);
    }
    return cell + ")";
  }
  for (const std::uint32_t i : index) {
    cell += "[" + std::to_string(i) + "]";
  }
  return cell;
}

std::string Finding::who() const {
  const std::string example =
      "invocation " + triple(first.invocation) + " of workgroup " + triple(workgroup);
  return count < 2 ? example
                   : example + " and " + std::to_string(count - 1) +
                         (count == 2 ? " other invocation" : " other invocations");
}

std::string Finding::uninitialized_words() const {
  return "line " + std::to_string(line) + ": " + place() + " is read before it is written" +
         (memory == Memory::shared ? " in this workgroup: " : used_at() + ": ") + who();
}

std::string Finding::inactive_lane_words() const {
  return "line " + std::to_string(line) + ": " + variable +
         " reads a lane of the subgroup that is not active" + used_at() + ": " + who();
}

std::string Finding::unfinished_words() const {
  std::string text = "the loop at line " + std::to_string(line) + " did not finish within " +
                     std::to_string(limit) + " iterations in " + std::to_string(count) +
                     " invocations";
  if (!variable.empty()) {
    text += "; the loop waits for " + place();
  }
  if (second.line != 0) {
    text += ", which invocation " + triple(second.invocation) + " of workgroup " +
            triple(second.workgroup.value_or(workgroup)) + " locked at " +
            line_of(second.file, second.line) + " and did not unlock";
  }
  return text;
}

// Words for the line that uses an undefined value; empty if it is the line that reads it.
std::string Finding::used_at() const {
  return second.line == 0 || (second.line == line && second.file == file)
             ? ""
             : ", and the value is used at " + line_of(second.file, second.line);
}

std::string Finding::arithmetic_words() const {
  const std::string at = "line " + std::to_string(line) + ": ";
  switch (arithmetic) {
    case Arithmetic::infinity:
      return at + "infinity is stored in " + variable + ": " + who();
    case Arithmetic::division_by_zero:
      return at + "an integer is divided by zero: " + who();
    case Arithmetic::shift_past_width:
      return at + "a " + std::to_string(limit) + "-bit number is shifted by " +
             std::to_string(outside) + " bits: " + who();
    case Arithmetic::not_a_number:
      break;
  }
  return at + "NaN (not a number) is stored in " + variable + ": " + who();
}

std::string Finding::words() const {
  const std::string cell = place();
  switch (kind) {
    case FindingKind::divergent_barrier:
      if (other_sizes && !observed) {
        return "in this launch, all invocations reach the barrier at " + line_of(file, line) +
               " together; at other sizes, the condition at " +
               line_of(first.file, condition_line) +
               " may differ between invocations (the kernel starts at line " +
               std::to_string(entry_line) + ")";
      }
      return "not all invocations reach the barrier at " + line_of(file, line) +
             ": the condition at " + line_of(first.file, condition_line) +
             (observed ? " differed" : " can differ") +
             " between invocations (the kernel starts at line " + std::to_string(entry_line) + ")";
    case FindingKind::out_of_bounds:
      if (!extent.empty()) {
        return "line " + std::to_string(line) + ": coordinate " + std::to_string(coordinate + 1) +
               " of " + std::to_string(extent.size()) + " into " + variable + " is " +
               std::to_string(outside) + ", outside " + texels(extent) + ": " + who();
      }
      return "line " + std::to_string(line) + ": index " + std::to_string(outside) +
             " is outside " + variable + ", which has " + std::to_string(limit) +
             (limit == 1 ? " element" : " elements") +
             (memory == Memory::buffer ? " (in a buffer" : "") +
             (stride_note.empty() ? "" : "; " + stride_note) +
             (memory == Memory::buffer ? "): " : ": ") + who();
    case FindingKind::unfinished_loop:
      return unfinished_words();
    case FindingKind::uninitialized:
      return uninitialized_words();
    case FindingKind::arithmetic:
      return arithmetic_words();
    case FindingKind::inactive_lane:
      return inactive_lane_words();
    case FindingKind::misaligned:
      return "line " + std::to_string(line) + ": the address of " + variable + " is " +
             std::to_string(outside) + " bytes above a multiple of " + std::to_string(limit) +
             ", but its type requires a multiple of " + std::to_string(limit) + ": " + who();
    case FindingKind::race:
      break;
  }
  if (memory != Memory::shared) {
    const std::string where = memory == Memory::image ? texels(extent) : "a buffer";
    return to_string(hazard) + " on " + cell + ", in " + where + ": " + did(first) + ", and " +
           did(second) + "; " + (between.empty() ? "nothing orders these accesses" : between) +
           " (" + elements_words(count) + (same_value ? ", always the same value)" : ")");
  }
  return to_string(hazard) + " on " + cell + " in workgroup " + triple(workgroup) + ": " +
         did(first) + ", and " + did(second) +
         (between.empty() ? ", with no barrier between them (" : "; " + between + " (") +
         elements_words(count) + (same_value ? ", always the same value)" : ")");
}

}  // namespace core
