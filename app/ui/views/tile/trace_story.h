// A trace told moment by moment: what the shared memory holds, who touches what, and what races.
// Pure. To make one of a long trace takes a while; a moment is worked out when it is looked at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/provenance/traced_values.h"
#include "core/report/check_report.h"
#include "core/report/trace.h"

namespace ui {

/// A phase in a few words.
struct LivedPhase {
  std::string name;  ///< "load", "compute"
  std::uint32_t opened_by = 0;
  std::uint32_t turn = 0;          ///< phases before it that the same barrier opened
  std::uint32_t turns = 1;         ///< phases that this barrier opens
  core::KernelPhase facts;         ///< what it touches
  std::uint64_t shared_reads = 0;  ///< of shared memory, atomics too; scalars
};

/// The elements of a variable: what its innermost array dimension counts. A vec4 is one of four
/// slices.
struct ElementShape {
  std::uint64_t count = 1;
  std::uint32_t bytes = 4;        ///< an element
  std::uint32_t slices = 1;       ///< scalars an element
  std::vector<bool> touched;      ///< shared: each element, at any time
  float low = 0.0F, high = 0.0F;  ///< of all finite values, all phases
};

/// One access of one invocation: all its scalars together.
struct Touch {
  std::uint32_t invocation = 0;
  std::uint32_t site = 0;
  std::uint32_t variable = 0;
  std::uint32_t elements = 1;
  std::uint64_t element = 0;  ///< the first
  std::uint64_t access = 0;   ///< its first scalar in Trace::accesses
  std::uint32_t scalars = 1;
  bool writes = false;
  std::uint32_t moment = 0;  ///< of the phase, from 1
};

/// Two accesses of one phase that race, on one element of a shared variable.
struct RacingPair {
  std::size_t phase = 0;
  std::uint32_t variable = 0;
  std::uint64_t element = 0;
  std::uint64_t first = 0;  ///< places in Trace::accesses
  std::uint64_t second = 0;
  bool operator==(const RacingPair&) const = default;
};

/// A scalar in shared memory.
struct Slice {
  std::uint64_t bits = 0;
  core::ScalarKind kind = core::ScalarKind::floating;
  std::uint32_t bytes = 0;  ///< 0: nothing is known of it yet
};

/// The place in the trace of a finding that is no race.
struct FindingPlace {
  std::size_t phase = 0;
  std::uint32_t moment = 0;  ///< 0: the access was not traced, so it is the phase as a whole
  std::uint32_t invocation = 0;
  std::optional<std::size_t> access;   ///< place in Trace::accesses
  std::optional<std::size_t> outside;  ///< place in Trace::outside
};

struct TouchCount {
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
};

/// How many elements are touched, and how often each of them.
struct TouchSpan {
  std::uint64_t cells = 0;
  std::uint32_t least = UINT32_MAX, most = 0;

  void add(std::uint32_t times) {
    if (times > 0) {
      ++cells;
      least = std::min(least, times);
      most = std::max(most, times);
    }
  }
  /// "256 read 4× each", "256 read 1 to 4×".
  [[nodiscard]] std::string text(const char* done) const;
  /// "256 read"; where that would be less than there is, "read 4×", "read 1 to 4×".
  [[nodiscard]] std::string brief(const char* done) const;
};

/// What an invocation does; several at once.
enum Doing : std::uint8_t {
  reads_shared = 1,
  writes_shared = 2,
  reads_global = 4,
  writes_global = 8
};

/// All that is to be seen at a moment, or in a phase as a whole.
struct Moment {
  std::size_t phase = 0;
  std::uint32_t moment = 0;                     ///< from 1; 0: the whole phase
  std::uint32_t moments = 0;                    ///< of the phase
  std::span<const Touch> touches;               ///< sorted by moment, then invocation
  std::vector<std::vector<Slice>> memory;       ///< of each variable; empty for buffers
  std::vector<std::vector<TouchCount>> counts;  ///< of each element of each shared variable
  std::vector<std::uint8_t> doing;              ///< Doing, of each invocation
  std::uint64_t version = 0;                    ///< another one for each, of any story
};

using core::element_name;
using core::number_of;
using core::value_text;
/// "(5, 0)", with z only where the workgroup has it.
[[nodiscard]] std::string invocation_name(const core::Trace& trace, std::uint32_t invocation);

/// The shared variable of that name, and the element in memory order.
struct SharedCell {
  std::uint32_t variable = 0;
  std::uint64_t element = 0;
};
[[nodiscard]] std::optional<SharedCell> shared_cell(const core::Trace& trace,
                                                    const std::string& name,
                                                    std::span<const std::uint32_t> index);

class TraceStory {
 public:
  explicit TraceStory(std::shared_ptr<const core::Trace> trace);

  [[nodiscard]] const core::Trace& trace() const { return *trace_; }
  [[nodiscard]] const std::shared_ptr<const core::Trace>& shared_trace() const { return trace_; }
  /// Of no other story: a trace may come to lie where another one lay.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const std::vector<LivedPhase>& phases() const { return phases_; }
  [[nodiscard]] const std::vector<ElementShape>& shapes() const { return shapes_; }
  /// One a racing element and phase, in the order of the phases.
  [[nodiscard]] const std::vector<RacingPair>& races() const { return races_; }
  /// The two accesses that a finding names, where this trace is of their workgroup; null: it has
  /// them not.
  [[nodiscard]] const RacingPair* pair_of(const core::Finding& finding);
  /// Returns nothing for races and for findings in other workgroups.
  [[nodiscard]] std::optional<FindingPlace> place_of(const core::Finding& finding);
  /// The finding that is told of until the next one: its phase is the one to be shown first.
  void follow(const core::Finding* finding) {
    followed_ = finding != nullptr ? pair_of(*finding) : nullptr;
  }
  [[nodiscard]] const RacingPair* followed() const { return followed_; }
  /// The same race by two invocations that stand far apart, where there are such: easier to see.
  [[nodiscard]] const RacingPair* told_apart(const RacingPair& race);
  [[nodiscard]] std::uint32_t invocations() const;
  [[nodiscard]] bool has_shared() const;

  /// The first of the phases that read shared memory most, which its copies are made for; else the
  /// first with accesses.
  [[nodiscard]] std::size_t telling_phase() const;
  /// Moments of a phase.
  [[nodiscard]] std::uint32_t moments(std::size_t phase);
  /// Valid until it is asked for another one.
  [[nodiscard]] const Moment& at(std::size_t phase, std::uint32_t moment);

 private:
  // Variable and element, then line and invocation of both sides.
  using Named = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t,
                           std::uint32_t, std::uint32_t>;

  const std::uint64_t number_;

  void scan();
  void name_phases();
  void find_races();
  [[nodiscard]] std::optional<RacingPair> find_pair(const Named& named) const;
  [[nodiscard]] std::uint32_t invocation_of(const std::array<std::uint32_t, 3>& id) const;
  [[nodiscard]] std::uint32_t moment_of(const core::TracedAccess& access);
  void open(std::size_t phase);
  void replay(std::size_t phase, std::vector<std::vector<Slice>>& memory) const;
  void apply(const core::TracedAccess& access, std::vector<std::vector<Slice>>& memory) const;
  [[nodiscard]] std::vector<Touch> gather(std::size_t phase) const;

  std::shared_ptr<const core::Trace> trace_;
  std::vector<LivedPhase> phases_;
  std::vector<ElementShape> shapes_;
  std::vector<RacingPair> races_;
  std::map<Named, std::optional<RacingPair>> pairs_;  // that were asked for
  const RacingPair* followed_ = nullptr;
  RacingPair apart_, apart_of_;
  std::vector<std::vector<Slice>> before_;  // memory when before_phase_ begins
  std::size_t before_phase_ = 0;
  std::optional<std::size_t> opened_;  // the phase that touches_ and starts_ are of
  std::vector<Touch> touches_;
  std::vector<std::size_t> starts_;  // of each moment in touches_, and the end
  Moment moment_;
  bool made_ = false;
};

}  // namespace ui
