// Shadow state of the race check, and the buffer that it reports into: where every word lies. The
// probe writes code against it and the lab reads results by it.
//
// For every cell and every site that needs checking the shadow keeps the two smallest invocations
// that came to the cell through the site since the last barrier: one word, the smaller in the high
// half. Two sites conflict on a cell when both have an invocation and not both have only the same
// one. What a word ends up as does not depend on the order in which invocations came, so neither
// does the verdict. Words are compared and cleared at the barrier that closes the phase (and at the
// end of the kernel), where all invocations stand anyway: no stamp can overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/analysis/memory/proofs.h"

namespace spirv {

inline constexpr std::uint32_t no_invocation = 0xFFFF;
inline constexpr std::uint32_t empty_word = 0xFFFFFFFF;
inline constexpr std::uint32_t no_values = 0xFFFFFFFF;

/// Words of one workgroup's shadow, by site, cell and pair.
class ShadowLayout {
 public:
  /// `open` are the pairs that are left to check.
  ShadowLayout(const Sites& sites, const std::vector<SitePair>& open, bool subgroups);

  /// Sites of a variable that some open pair names, and the variable's open pairs.
  [[nodiscard]] const std::vector<std::uint32_t>& tracked(std::uint32_t variable) const {
    return tracked_[variable];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& pairs(std::uint32_t variable) const {
    return pairs_[variable];
  }
  [[nodiscard]] bool is_tracked(std::uint32_t site) const { return invocations_[site].has_value(); }
  /// First word of a site's column: one word a cell follows. Who came, in the workgroup.
  [[nodiscard]] std::uint32_t invocations(std::uint32_t site) const { return *invocations_[site]; }
  /// What was written; only for sites that another write may meet.
  [[nodiscard]] std::optional<std::uint32_t> values(std::uint32_t site) const {
    return values_[site];
  }
  /// Who came, since the last subgroup barrier; only in kernels that have any.
  [[nodiscard]] std::optional<std::uint32_t> lanes(std::uint32_t site) const {
    return lanes_[site];
  }
  /// Words that accesses outside of their array are noted in, instead of in a cell's.
  [[nodiscard]] std::uint32_t outside() const { return outside_; }
  /// A word that stays empty: what such accesses find of others.
  [[nodiscard]] std::uint32_t untouched() const { return untouched_; }
  /// Five words a pair: how often, whether values differed, and an example: cell, and both words.
  [[nodiscard]] std::uint32_t tally(std::uint32_t pair) const { return tallies_ + 5 * pair; }
  /// How often a pair was found for the first time, or first with values that differed.
  [[nodiscard]] std::uint32_t news() const { return news_; }
  /// Words that start empty; the tallies and what is behind them start as zeros.
  [[nodiscard]] std::uint32_t cell_words() const { return tallies_; }
  [[nodiscard]] std::uint64_t words() const { return words_; }

 private:
  std::vector<std::vector<std::uint32_t>> tracked_;
  std::vector<std::vector<std::uint32_t>> pairs_;
  std::vector<std::optional<std::uint32_t>> invocations_;
  std::vector<std::optional<std::uint32_t>> values_;
  std::vector<std::optional<std::uint32_t>> lanes_;
  std::uint32_t outside_ = 0;
  std::uint32_t untouched_ = 0;
  std::uint32_t tallies_ = 0;
  std::uint32_t news_ = 0;
  std::uint64_t words_ = 0;
};

/// The buffer of findings, in 32-bit words. All start as 0 but the header.
struct FindingsLayout {
  static constexpr std::uint32_t grid_x = 0;  ///< header: workgroups of the whole launch
  static constexpr std::uint32_t grid_y = 1;
  static constexpr std::uint32_t first_group = 2;  ///< header: launch position of the slice
  static constexpr std::uint32_t grid_z = 3;
  static constexpr std::uint32_t turns = 4;  ///< header: of the loop that tries whether loops turn
  static constexpr std::uint32_t given = 5;  ///< words of the header that are given
  static constexpr std::uint32_t stuck = 5;  ///< invocations in which loops did not turn any more
  static constexpr std::uint32_t overflowed = 6;  ///< too many subgroup barriers in one phase
  static constexpr std::uint32_t same_names = 7;  ///< two invocations in one lane of one subgroup
  static constexpr std::uint32_t header = 16;
  static constexpr std::uint32_t examples = 16;  ///< kept a pair
  static constexpr std::uint32_t pair_words = 4 + 4 * examples;

  std::uint32_t loops = 0;  ///< loops that are bounded
  std::uint32_t told = 0;   ///< things that invocations tell of, one word each
  std::uint32_t pairs = 0;
  std::uint32_t lane_ids = 0;  ///< words of the table from subgroup and lane to invocation
  std::uint32_t marks = 0;     ///< words of Coverage's marks
  std::uint32_t votes = 0;     ///< branches that are voted on
  std::uint32_t barriers = 0;  ///< that these votes are about

  static constexpr std::uint32_t example_words = 4;
  static constexpr std::uint32_t tell_words = 2 * example_words;

  /// Invocations that hit a loop's bound.
  [[nodiscard]] std::uint32_t loop(std::uint32_t n) const { return header + n; }
  /// Four words: the number of invocations that reported it; and of the first of them the reported
  /// word, its index in its workgroup, and the workgroup's position. Then the same four words for
  /// the launch's first workgroup alone.
  [[nodiscard]] std::uint32_t tell(std::uint32_t n) const {
    return header + loops + tell_words * n;
  }
  [[nodiscard]] std::uint32_t lane_id(std::uint32_t n) const { return tell(told) + n; }
  [[nodiscard]] std::uint32_t mark(std::uint32_t n) const { return lane_id(lane_ids) + n; }
  /// Invocations that came to a barrier without the others, having parted at a branch.
  [[nodiscard]] std::uint32_t vote(std::uint32_t branch, std::uint32_t barrier) const {
    return mark(marks) + branch * barriers + barrier;
  }
  /// A pair: how often; whether values differed; 2^32 − 1 − the first workgroup; examples given;
  /// then four words an example: workgroup, cell, and the two sites' words.
  [[nodiscard]] std::uint32_t pair(std::uint32_t n) const {
    return vote(votes, 0) + n * pair_words;
  }
  /// One bit a workgroup: something was found in it.
  [[nodiscard]] std::uint32_t groups() const { return pair(pairs); }
  [[nodiscard]] std::uint64_t words(std::uint64_t group_count) const {
    return groups() + (group_count + 31) / 32;
  }
};

}  // namespace spirv
