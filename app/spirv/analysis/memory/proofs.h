// Which pairs of sites provably can't race, so that the device need not look at them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/findings/memory_model.h"
#include "spirv/analysis/flow/phases.h"
#include "spirv/analysis/flow/uniformity.h"
#include "spirv/analysis/memory/sites.h"
#include "spirv/analysis/values/counted_loop.h"
#include "spirv/analysis/values/evaluation.h"
#include "spirv/analysis/values/intervals.h"
#include "spirv/analysis/values/invocation_values.h"

namespace spirv {

using core::Hazard;

/// Two sites that may touch the same cell in the same phase, by different invocations. `first` is
/// what comes first in the program: the write that the other reads (RAW), the read whose value the
/// other overwrites (WAR), or the first of two writes (WAW). They may be the same site.
struct SitePair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  Hazard hazard = Hazard::write_after_write;
};

/// The pair of two sites, the one that comes first in a run first: where that is not told, or both
/// ways, in the order of the text.
template <class AnySite>
[[nodiscard]] SitePair in_order(const AnySite& a, const AnySite& b, bool a_before_b,
                                bool b_before_a) {
  const auto line = [](const AnySite& s) { return std::tuple(s.at.line, s.at.column, s.number); };
  const bool a_first = a_before_b != b_before_a ? a_before_b : line(a) <= line(b);
  const AnySite& first = a_first ? a : b;
  const AnySite& second = a_first ? b : a;
  const Hazard hazard = first.writes && second.writes ? Hazard::write_after_write
                        : first.writes                ? Hazard::read_after_write
                                                      : Hazard::write_after_read;
  return {first.number, second.number, hazard};
}

/// A pair is proven when the sites never share a phase, or when the cells that invocation i touches
/// at one and invocation j at the other are known to differ for all i other than j, worked out for
/// every invocation of the workgroup. Unknown uniform numbers in a place cancel when they are the
/// same during a phase; else only their common divisor counts, or the values of a short loop's
/// counter. Where that is not enough, and indices follow from ids and counters alone by whatever
/// arithmetic, every invocation's cells are worked out for every turn of the loops, with those
/// conditions in front of the site that do: a counter that both sites see the same value of takes
/// one value after the other, any other has all of them at once.
///
/// Assumed, besides what the parts assume (uniformity.h, invocation_values.h, counted_loop.h):
/// - All invocations of a workgroup pass the same workgroup barriers in the same order. Where the
///   text alone does not say so, Uniformity names the barrier as divergent or its branches as
///   undecided, and the kernel is refused or checked for it while it runs.
/// - A place is the sum of index times stride modulo 2^32 scalars, and every index is inside its
///   array. What is not in_bounds() is checked on the device.
/// - An unknown cancels between two sites only when both see the same one value of it: it is
///   uniform at both (not merely where it was computed: a loop that invocations leave at different
///   iterations leaves them with different values), and in each phase that reaches both sites it
///   is either not computed before them, or computed once on every way to both.
/// - A condition whose branch alone leads to a block that dominates a site is what it was in the
///   turn in which the site runs, of every loop around either.
/// - A subgroup has a number of its own in a workgroup of one dimension, and its invocations have
///   places of their own in it: what one of each writes at its subgroup's number is apart.
///   subgroupElect() chooses one where all invocations come to it, as subgroups come together again
///   behind branches.
/// - Invocations in a row, from the first on, are lanes in a row of a subgroup: four of a quad, and
///   so on up to a whole subgroup of the size that the device reports. A store whose value needs
///   what all of them loaded comes after their loads.
/// - A counter has every value of CountedLoop: not its exit value where the site lies behind the
///   loop's test, and that alone behind a loop that only the test leaves.
class Proofs {
 public:
  Proofs(const Program& program, const Phases& phases, const Uniformity& uniformity,
         const Sites& sites);

  /// False: the sites make more pairs than are compared (core::limits), and the rest is unknown. No
  /// site is proven then.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Pairs that are left to check.
  [[nodiscard]] const std::vector<SitePair>& open() const { return open_; }
  /// Pairs that atomics may order, which is for somebody else to follow.
  [[nodiscard]] const std::vector<SitePair>& handed_over() const { return handed_over_; }
  /// Leaves no pair open: all become handed_over().
  void hand_over() { handed_over_ = std::exchange(open_, {}); }
  /// Is every pair of the site proven?
  [[nodiscard]] bool proven(std::uint32_t site) const { return !in_open_[site]; }
  [[nodiscard]] std::uint32_t proven_sites() const;
  /// Invocations that may come to a block, one flag each.
  [[nodiscard]] const std::vector<bool>& may_run(std::size_t block) const { return runs_[block]; }
  /// Is an index of a site inside its array, whoever runs?
  [[nodiscard]] bool in_bounds(const Site& site, const IndexTerm& term);

  /// Can no two different invocations touch the same cell at the two sites in one phase?
  [[nodiscard]] bool disjoint(const Site& a, const Site& b);

 private:
  struct Place {
    bool known = false;
    InvocationValue value;  // scalars from the start of the variable
  };
  struct Counter {
    CountedLoop counted;
    const ControlFlow::Loop* loop = nullptr;
  };
  void find_counters();
  [[nodiscard]] std::vector<std::uint64_t> values_of(const Counter& counter,
                                                     std::size_t block) const;
  void find_runs();
  void find_guarded();
  void find_open();
  // The block above in the tree of dominators whose branch alone leads to a block.
  [[nodiscard]] std::size_t guard(std::size_t guarded) const {
    return program_.flow.dominator(guarded);
  }
  // The cells of a site where its indices and conditions follow from ids alone: by invocation, the
  // same whatever the other site is.
  struct OwnCells {
    bool known = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;  // invocation, cell
  };
  [[nodiscard]] const OwnCells& own_cells(const Site& site);
  [[nodiscard]] bool apart_by_own_cells(const Site& a, const Site& b);
  void limit_edge(std::size_t from, std::size_t to, std::vector<bool>& runs);
  void limit_by_phi(std::size_t block, bool yes, std::vector<bool>& runs);
  [[nodiscard]] Place place_of(const Site& site);
  // What a place can be besides what is known: each list of amounts is added to it, one of each.
  using Amounts = std::vector<std::vector<std::uint64_t>>;
  [[nodiscard]] std::uint64_t modulus(const Site& a, const Site& b, Amounts& more_a,
                                      Amounts& more_b);
  [[nodiscard]] std::vector<std::uint64_t> cells(const Site& site, std::uint32_t invocation,
                                                 const Amounts& more, std::uint64_t m) const;
  [[nodiscard]] bool steady(Unknown unknown, const Site& a, const Site& b);
  [[nodiscard]] bool steady_value(Id value, const Site& a, const Site& b) const;
  [[nodiscard]] bool apart_by_form(const Site& a, const Site& b);
  [[nodiscard]] bool apart_by_subgroup(const Site& a, const Site& b) const;
  [[nodiscard]] bool is_built_in(Id value, spv::BuiltIn built_in) const;
  [[nodiscard]] bool one_lane(Id condition, std::size_t block) const;
  [[nodiscard]] bool reached_together(std::size_t block, int depth) const;
  /// A site's indices and conditions, to be carried out.
  struct Trial {
    const Site* site = nullptr;
    Evaluation evaluation;
    std::vector<std::pair<std::size_t, std::uint64_t>> terms;  // places, strides
    std::vector<std::pair<std::size_t, bool>> conditions;      // places, what they must be
    std::vector<std::vector<std::uint64_t>> own;  // values of counters; of shared ones none
  };
  [[nodiscard]] Evaluation evaluation();
  [[nodiscard]] std::optional<Trial> trial_of(const Site& site, const Site& other);
  void add_conditions(Trial& trial, const std::vector<Id>& shared);
  [[nodiscard]] std::vector<Id> shared_counters(const Trial& a, const Trial& b,
                                                bool of_all_loops) const;
  /// Each cell is touched by invocations of one group of so many neighbours alone.
  [[nodiscard]] bool apart_by_trial(const Site& a, const Site& b, bool of_all_loops,
                                    std::uint32_t neighbours = 1);
  [[nodiscard]] bool ordered_by_subgroup(const Site& a, const Site& b);
  [[nodiscard]] std::uint64_t turns(const Trial& trial) const;
  using Visit = std::function<bool(std::uint32_t invocation, std::uint64_t cell)>;
  /// Calls `visit` with each cell that each invocation may touch; false: one is not known, or
  /// `visit` said so.
  [[nodiscard]] bool visit_cells(Trial& trial, const std::vector<Id>& shared,
                                 const std::vector<std::uint64_t>& setting,
                                 const Visit& visit) const;
  [[nodiscard]] bool steady_leaf(Id leaf, const Site& a, const Site& b) const;
  [[nodiscard]] std::vector<Id> leaves(Id value) const;
  [[nodiscard]] SitePair ordered(const Site& a, const Site& b) const;

  const Program& program_;
  const Phases& phases_;
  const Uniformity& uniformity_;
  const Sites& sites_;
  InvocationValues values_;
  std::optional<Intervals> intervals_;   // once an index is asked for
  std::vector<std::vector<bool>> runs_;  // [block][invocation]
  std::vector<Place> places_;            // by site
  std::vector<SitePair> open_;
  std::vector<SitePair> handed_over_;
  std::vector<bool> in_open_;
  bool complete_ = true;
  std::map<Id, Counter> counters_;  // of short loops
  std::map<Id, SteppedLoop> stepped_;
  // By block: the nearest one, of itself and those above in the tree of dominators, that only a
  // branch leads to; ControlFlow::none: there is none.
  std::vector<std::size_t> guarded_;
  std::vector<std::optional<OwnCells>> own_cells_;  // by site; worked out when asked for
  std::uint32_t owned_by_ = 0;                      // the site that owners_ is of, plus 1
  std::vector<std::uint32_t> owners_;               // by cell: invocation plus 1; 0: nobody
};

}  // namespace spirv
