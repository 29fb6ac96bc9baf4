// What checking a kernel found: plain data for the `check` command, the window's badge and tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/findings/memory_model.h"

namespace core {

enum class Access { read, write, atomic };

/// "read", "write", "atomic".
[[nodiscard]] std::string to_string(Access access);
/// What an invocation does to `what`: "reads it", "changes it atomically".
[[nodiscard]] std::string deed(Access access, const std::string& what);
/// "RAW", "WAR", "WAW".
[[nodiscard]] std::string to_string(Hazard hazard);

/// One side of a race. Lines count from 1; 0: the module tells no lines.
struct RaceSide {
  std::uint32_t line = 0;
  std::string file;
  std::array<std::uint32_t, 3> invocation{};  ///< local
  Access access = Access::read;
  /// Of races on buffers, whose sides may be of two workgroups; else both are of the finding's.
  std::optional<std::array<std::uint32_t, 3>> workgroup{};
};

enum class FindingKind {
  race,
  divergent_barrier,
  out_of_bounds,
  unfinished_loop,
  uninitialized,
  arithmetic,
  inactive_lane,
  misaligned,
};

/// What an arithmetic note is about.
enum class Arithmetic { not_a_number, infinity, division_by_zero, shift_past_width };

/// "nan", "infinity", "division-by-zero", "shift-past-width".
[[nodiscard]] std::string to_string(Arithmetic arithmetic);

enum class Memory { shared, buffer, image, push_constants, local };

/// "shared", "buffer", "image", "push-constants", "private": an invocation's own variables.
[[nodiscard]] std::string to_string(Memory memory);

/// "race", "divergent-barrier", "out-of-bounds", "unfinished-loop", "uninitialized", "arithmetic",
/// "inactive-lane", "misaligned".
[[nodiscard]] std::string to_string(FindingKind kind);

/// How much a finding weighs. The verdict is computed from errors alone.
enum class Severity {
  error,
  warning,  ///< not in this launch, but in others of the same kernel
  assumed,  ///< rests on a launch value that Tilescope chose
  note,     ///< defined, or often meant
};

/// "error", "warning", "assumed", "note".
[[nodiscard]] std::string to_string(Severity severity);

/// A line of a source file that a repair replaces, or new lines in front of it.
struct LineEdit {
  std::string file;        ///< empty: the kernel's own
  std::uint32_t line = 0;  ///< from 1
  std::string before;      ///< the line's text; empty: nothing is replaced
  std::string after;       ///< may hold several lines
  bool operator==(const LineEdit&) const = default;
};

/// Which fields mean something depends on the kind; the rest stay as they are here.
struct Finding {
  FindingKind kind = FindingKind::race;
  std::string kernel;      ///< whose it is, where several are launched; empty: the report's own
  std::size_t launch = 0;  ///< of several, from 1; 0: there is but one
  /// Launch values that Tilescope chose and that the finding rests on: "the length of img".
  std::vector<std::string> chosen;
  /// Indices: Vulkan defines the effect, as for texels read outside of an image.
  bool defined = false;
  /// Divergent barriers: the text allows it at other sizes; this launch does not diverge.
  bool other_sizes = false;

  Hazard hazard = Hazard::read_after_write;
  Memory memory = Memory::shared;
  std::string variable;  ///< of races and indices: the shared variable or the buffer
  /// Of the cell in the example; members of structs by their number.
  std::vector<std::uint32_t> index;
  std::string element;  ///< the same cell as the source names it, "parts[0].prefix"; may be empty
  std::array<std::uint32_t, 3> workgroup{};  ///< of the example
  bool same_value = false;                   ///< all values written were equal
  /// Races: cells, in the first phase of each workgroup in which the pair raced; of writes of equal
  /// values in all phases until values differ. Else: invocations.
  std::uint64_t count = 0;
  /// Uninitialized local variables and inactive lanes: `second` is where the value is used, if that
  /// is another line. Loops that wait for a lock: `second` is where its holder took it.
  RaceSide first;
  RaceSide second;
  std::optional<std::uint32_t> descriptor;  ///< of an array of buffers or images: which one
  /// Of an image: below which each coordinate is (columns, rows, slices, then layers); empty for
  /// others.
  std::vector<std::uint32_t> extent;
  std::uint32_t coordinate = 0;  ///< of an image: which one is outside, 0 the first

  std::uint32_t line = 0;            ///< of the barrier, index or loop
  std::string file;                  ///< of that line; empty: the kernel's own
  std::int64_t outside = 0;          ///< an index that is outside of its array
  std::uint32_t condition_line = 0;  ///< divergent barriers
  std::uint32_t entry_line = 0;      ///< divergent barriers
  bool observed = false;             ///< divergent barriers: seen to differ in this run
  /// The array's length; the iterations allowed; the bits of what is shifted; the alignment.
  std::uint64_t limit = 0;
  Arithmetic arithmetic = Arithmetic::not_a_number;
  /// Indices: what happened because the check kept the index inside its array.
  std::vector<Finding> consequences;
  /// Races: a barrier before this line makes the kernel clean; 0: none that was tried does.
  std::uint32_t mended_before = 0;
  /// Indices: why the array has fewer elements than its bytes suggest; may be empty.
  std::string stride_note;
  /// Found in a launch that was tried after the first one: the condition, "if data contains equal
  /// values"; and the flags that repeat it. Empty if the first launch shows it.
  std::string when;
  std::vector<std::string> flags;
  /// Races: what stands between the accesses, and why it does not order them; empty: nothing does.
  std::string between;
  /// The smallest edit that was tried and removes the finding; empty: none was found.
  std::vector<LineEdit> repair;
  std::string fingerprint;  ///< the same for the same finding of another run; may be empty

  /// The only place that decides how much a finding weighs.
  [[nodiscard]] Severity severity() const;
  /// A kind of note that commands show with --notes alone; the window always shows it.
  [[nodiscard]] bool is_optional() const;
  /// Before the sentence in text: "note: "; empty for errors.
  [[nodiscard]] std::string label() const;

  /// The finding as a sentence: "invocation (5,0,0) read la[3][7] (line 24) while ...".
  [[nodiscard]] std::string sentence() const;

  /// The cell in the example, "la[3][7]".
  [[nodiscard]] std::string place() const;

 private:
  [[nodiscard]] std::string words() const;
  /// The example and how many others there are: "invocation (36,0,0) of workgroup (1,0,0) and 27
  /// others".
  [[nodiscard]] std::string who() const;
  [[nodiscard]] std::string uninitialized_words() const;
  [[nodiscard]] std::string arithmetic_words() const;
  [[nodiscard]] std::string inactive_lane_words() const;
  [[nodiscard]] std::string used_at() const;
  [[nodiscard]] std::string unfinished_words() const;
};

/// An access of the kernel's text to shared memory.
struct AccessRun {
  std::string kernel;  ///< as of Finding
  std::uint32_t line = 0;
  std::string file;
  std::string variable;
  Access access = Access::read;
  bool proven = false;
  bool executed = false;  ///< by some invocation of the workgroups that were run
};

/// A way of a branch that no invocation went.
struct NeverTaken {
  std::string kernel;
  std::uint32_t line = 0;    ///< of the branch
  std::uint32_t behind = 0;  ///< first line of what was not executed
  std::string file;
  bool loop = false;  ///< a loop that never turned
  bool operator==(const NeverTaken&) const = default;
};

/// A line of the text with instructions of which none was executed.
struct UnreachedLine {
  std::string kernel;
  std::uint32_t line = 0;
  std::string file;
  bool operator==(const UnreachedLine&) const = default;
};

/// Where in a buffer invocations raced: pieces of so many bytes, by number, ascending.
struct RacingCells {
  std::string kernel;
  std::string variable;
  std::size_t buffer = 0;  ///< place in the dispatch's resources
  std::uint64_t cell_bytes = 4;
  std::vector<std::uint64_t> cells;
};

/// An output (a buffer that is written and never read), and how much of it nobody wrote: no fault
/// where a kernel means to write a part.
struct OutputCover {
  std::string kernel;
  std::string variable;
  std::uint64_t elements = 0;
  std::uint64_t unwritten = 0;
  std::uint64_t first_unwritten = 0;
};

/// A barrier that the text alone does not say all invocations reach, and that all of them reached
/// in this run.
struct ConvergedBarrier {
  std::string kernel;
  std::uint32_t line = 0;
  std::uint32_t condition_line = 0;
  bool operator==(const ConvergedBarrier&) const = default;
};

enum class Verdict { clean, racy, divergent, incomplete, faulty };

/// "clean", "racy", "divergent", "incomplete", "faulty": an index outside of its memory.
[[nodiscard]] std::string to_string(Verdict verdict);

/// Sites of a line that read a variable, and were not proven to be behind a write of all that they
/// read: looked at as they run.
struct CheckedReads {
  std::string variable;
  std::uint32_t line = 0;
  std::string file;
  std::uint32_t count = 0;
};

/// A launch that was checked after the first one, with other values where none were given.
struct TriedLaunch {
  std::string what;                  ///< "equal values in data"
  std::vector<std::string> flags;    ///< that repeat it
  std::uint32_t errors = 0;          ///< that it shows and launches before it do not
  std::vector<std::string> assumed;  ///< sentences on what depends on the values that were tried
};

struct CheckReport {
  std::string kernel;
  std::string device;
  Verdict verdict = Verdict::incomplete;
  std::uint64_t workgroups = 0;             ///< of the launch
  std::uint64_t workgroups_checked = 0;     ///< run under the probe
  std::uint32_t accesses = 0;               ///< sites in the text that touch shared memory
  std::uint32_t accesses_checked = 0;       ///< on the device
  std::uint32_t accesses_proven = 0;        ///< before it ran
  std::uint32_t accesses_executed = 0;      ///< of all, proven ones too: by some invocation
  std::uint32_t indices = 0;                ///< into arrays of all memories, but constant ones
  std::uint32_t indices_checked = 0;        ///< on the device; the others are inside by proof
  std::uint32_t reads = 0;                  ///< sites that read shared memory or an own array
  std::vector<CheckedReads> reads_checked;  ///< the others are behind a write by proof
  std::vector<AccessRun> sites;             ///< all accesses; empty where nothing was run
  std::vector<NeverTaken> never_taken;
  std::vector<UnreachedLine> unreached;  ///< ascending in each file
  std::vector<ConvergedBarrier> converged;
  std::vector<RacingCells> racing_cells;
  std::uint32_t buffer_accesses = 0;  ///< sites in the text that touch buffers that it writes
  std::uint32_t buffers_proven = 0;   ///< of these: they race with nobody, whatever runs
  std::uint32_t image_accesses = 0;   ///< the same of images
  std::uint32_t images_proven = 0;
  std::vector<OutputCover> outputs;
  std::vector<std::string> incomplete;  ///< what could not be checked, and why
  /// The sentences of `incomplete` on code that did not run; other values may run it.
  std::vector<std::string> unexercised;
  /// What was seen and is no finding: equal values written by several invocations to one place of a
  /// buffer.
  std::vector<std::string> remarks;
  /// Memory that was not looked at, and checks that were not asked for; part of no verdict.
  std::vector<std::string> not_looked_at;
  std::vector<TriedLaunch> tried;      ///< after the first launch
  std::vector<std::string> not_tried;  ///< what there was no time for
  std::uint32_t allowed = 0;           ///< findings that comments in the source silence
  std::uint32_t hidden = 0;            ///< optional notes that hide_optional() took out
  std::uint32_t known = 0;             ///< findings that a baseline lists
  std::vector<Finding> findings;
  /// One bit a workgroup in launch order; may be empty.
  std::vector<std::uint32_t> racing_groups;
  /// The same of each grid by its first launch (Result::grids), where several are launched.
  std::map<std::size_t, std::vector<std::uint32_t>> racing_by_grid;

  double plain_ms = 0.0;    ///< device time of the plain launch; 0: not measured
  double checked_ms = 0.0;  ///< device time of the checked launch

  /// Lines with accesses of which none was executed, ascending; of one kernel, or of all.
  [[nodiscard]] std::vector<std::uint32_t> lines_not_executed() const;
  /// What was not exercised, as one sentence; empty where every access was executed.
  [[nodiscard]] std::string not_executed() const;
  /// Computes the verdict from the errors and from what is incomplete.
  void judge();
  /// Sorts findings by severity and place; those that others follow from come first. The order
  /// depends on the kernel's text alone, not on the invocations that met.
  void sort_findings();
  /// Takes the optional notes out and counts them.
  void hide_optional();
  /// Whether there is an error, or any finding unless `notes_ok`.
  [[nodiscard]] bool counts_as_found(bool notes_ok) const;

  /// Once all launches are in: counts what was executed. Where no access of a kind was (none that
  /// reads, none that writes), nothing was checked of it, and clean becomes incomplete.
  void judge_exercise();
  /// Takes over what another launch of the same kernel ran, if this one left code out of which
  /// that one left nothing. Returns true if it did.
  bool add_exercise(CheckReport launch);

  /// Where a launch is among others.
  struct Place {
    std::size_t number = 0;  ///< from 1
    std::size_t grid = 0;    ///< of its first launch, from 0
    bool again = false;      ///< its kernel's accesses are counted already
  };
  /// Adds the report on a launch that follows.
  void add(CheckReport launch, const Place& place);

  /// The racing workgroups of a grid.
  [[nodiscard]] std::span<const std::uint32_t> racing_on(std::size_t grid) const;
  [[nodiscard]] bool racing(std::uint64_t group, std::size_t grid = 0) const {
    const auto groups = racing_on(grid);
    return group / 32 < groups.size() && ((groups[group / 32] >> (group % 32)) & 1U) != 0;
  }

 private:
  void add_sites(CheckReport& launch, bool again);
};

}  // namespace core
