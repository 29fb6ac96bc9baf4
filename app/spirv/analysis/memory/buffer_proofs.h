// Which pairs of sites on storage buffers and images provably can't race in a launch, between its
// workgroups and within one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "spirv/analysis/flow/uniformity.h"
#include "spirv/analysis/memory/arrival.h"
#include "spirv/analysis/memory/buffer_sites.h"
#include "spirv/analysis/memory/proofs.h"
#include "spirv/analysis/values/counted_loop.h"
#include "spirv/analysis/values/intervals.h"
#include "spirv/analysis/values/invocation_values.h"

namespace spirv {

/// An index is taken apart into digits, row · N + column, where the column is below N; so is what
/// divides such a sum, and such a one plus a constant that the last digit has room for. Each digit
/// is a number known for every invocation of a workgroup, plus multiples of the workgroup's id,
/// plus counters of short loops, modulo 2^32 or modulo the step of a loop over the whole launch
/// (or, where it is bounded, plus each number of steps that stays below the bound). Two accesses
/// never touch the same bytes where
/// - across workgroups: some digits, told apart, give away each dimension of the workgroup's id, or
///   the ticket that it drew (what a workgroup spans is less than the step from one to the next),
///   and
/// - within a workgroup: no two invocations have all digits in common, worked out for every
///   invocation; or no phase of the buffer reaches both sites; or
/// - one of them never runs in this launch, by a condition that is known before.
/// Where the last workgroup to arrive goes on with what the others left, what lies before and
/// behind is ordered (arrival.h), and of what lies behind one workgroup alone is asked.
///
/// Assumed, besides what the parts assume (invocation_values.h, intervals.h, counted_loop.h):
/// indices times strides do not wrap around beyond the end of the buffer, and different bindings
/// are different memory, but for those that the launch says are ranges of one. What is uniform in a
/// workgroup but neither a workgroup's id nor its ticket nor given with the launch may be anything,
/// and another thing each time. Whoever gives a launch facts that are only guessed (a ticket, how
/// subgroups lie, where counting begins) has to look whether they are so.
class BufferProofs {
 public:
  BufferProofs(const Program& program, const Uniformity& uniformity, const Proofs& runs,
               const BufferSites& sites, const LaunchFacts& launch);

  /// Pairs that are left to check, the first of the text first.
  [[nodiscard]] const std::vector<SitePair>& open() const { return open_; }
  [[nodiscard]] bool ordered_by_barrier(const BufferSite& a, const BufferSite& b) const;
  [[nodiscard]] bool proven(std::uint32_t site) const { return !in_open_[site]; }
  /// The words that workgroups count themselves in; null: none are.
  [[nodiscard]] const Arrival::Words* counted() const {
    return arrival_ ? &arrival_->words() : nullptr;
  }

 private:
  struct Form {
    std::vector<std::uint64_t> known;              // one for all invocations, or one each
    std::array<std::uint64_t, 4> group{};          // factors of the workgroup's id and its ticket
    std::vector<std::vector<std::uint64_t>> more;  // one of each list is added
    std::map<Unknown, std::uint64_t>
        given;  // factors of numbers that the launch or a workgroup shares
    std::uint64_t modulus = std::uint64_t{1} << 32U;
    [[nodiscard]] std::uint64_t in(std::uint32_t n) const {
      return known.size() == 1 ? known.front() : known[n];
    }
  };
  struct Digit {
    std::uint64_t radix = 0;  // the digit is below; 0: the outermost, which has none
    Form form;
    std::uint64_t most = ~std::uint64_t{0};  // the digit is not above, by the text where it is used
  };
  using Digits = std::optional<std::vector<Digit>>;
  struct Extent {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
  };

  void find_counters();
  [[nodiscard]] std::optional<Form> form_of(Id value, std::size_t block, int depth);
  [[nodiscard]] std::optional<Form> by_operation(const Instruction& i, std::size_t block,
                                                 int depth);
  [[nodiscard]] static std::vector<std::uint64_t> up_to(std::uint64_t most);
  [[nodiscard]] std::vector<std::uint64_t> up_to_limit(Id value);
  [[nodiscard]] static Form scaled(Form form, std::uint64_t factor);
  [[nodiscard]] std::optional<Form> by_loop(const Instruction& phi, std::size_t block, int depth);
  [[nodiscard]] static std::optional<Form> turn_by_turn(Form start, std::uint64_t step,
                                                        std::uint64_t least, std::uint64_t most);
  [[nodiscard]] Form known_form(const InvocationValue& value, std::size_t block);
  /// What a counter of a short loop, a number worked out from one, or one with a limit can be in a
  /// block; none: not known.
  [[nodiscard]] std::vector<std::uint64_t> values_of(Id value, std::size_t block);
  [[nodiscard]] Id counter_in(Id value, int depth) const;
  [[nodiscard]] std::optional<std::uint64_t> value_at(Id value, Id counter, std::uint64_t at,
                                                      int depth);
  [[nodiscard]] std::optional<Form> divided(Form form, std::uint64_t by, std::size_t block) const;
  [[nodiscard]] std::optional<std::uint64_t> divisor_of(const Instruction& i);
  [[nodiscard]] std::optional<std::uint64_t> most_of(const Form& form, std::size_t block) const;
  [[nodiscard]] std::uint64_t bound_of_sum(std::vector<Id> parts, const Form& form,
                                           std::size_t block);
  [[nodiscard]] std::optional<Form> form_of_sum(const std::vector<Id>& parts, std::size_t block);
  [[nodiscard]] static Form sum_of(const Form& a, const Form& b);
  [[nodiscard]] std::uint64_t bound(Id value, std::size_t block);
  [[nodiscard]] std::uint64_t most_by_text(Id value, std::size_t block) const {
    return intervals_.of(value, block).high;
  }
  [[nodiscard]] Digits digits_of(Id index, std::size_t block, int depth);
  [[nodiscard]] Digits flat(Id index, std::size_t block);
  [[nodiscard]] Digits with_constant(const Instruction& sum, std::size_t block, int depth);
  struct Way {
    bool apart = true;        // an index is taken apart
    bool descriptors = true;  // which descriptor of an array it is counts
  };
  [[nodiscard]] Digits digits_of(const BufferSite& site, const Way& way);
  [[nodiscard]] static Digits in_units(Digits digits, const BufferSite& site, std::uint64_t unit);
  void addends(Id value, std::vector<Id>& found, int depth) const;
  [[nodiscard]] Id strip(Id value) const;

  /// All accesses to a memory at once, where they go by one pattern.
  [[nodiscard]] bool all_apart(const std::vector<const BufferSite*>& sites);
  [[nodiscard]] bool proven(const BufferSite& a, const BufferSite& b);
  enum class Handed : std::uint8_t {
    no,
    to_the_last,  ///< between workgroups of a team, and within one
    of_the_last,  ///< between workgroups of a team alone: one of them runs both
  };
  [[nodiscard]] Handed by_arrival(const BufferSite& a, const BufferSite& b) const;
  [[nodiscard]] bool by_one(const BufferSite& a, const BufferSite& b) const;
  [[nodiscard]] std::vector<Digit> of_any_seat(std::vector<Digit> digits) const;
  struct Placed {
    const BufferSite* site = nullptr;
    std::vector<Digit> digits;
  };
  [[nodiscard]] static bool comparable(const std::vector<Digit>& x, const std::vector<Digit>& y);
  [[nodiscard]] bool groups_apart(const std::vector<Placed>& sites, bool teams = false) const;
  [[nodiscard]] bool invocations_apart(const std::vector<Placed>& sites) const;
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> places(const std::vector<Digit>& digits,
                                                               std::uint32_t invocation) const;
  [[nodiscard]] std::uint64_t work(const std::vector<Digit>& digits) const;
  [[nodiscard]] Extent extent(const Form& form, std::size_t block) const;
  [[nodiscard]] SitePair ordered(const BufferSite& a, const BufferSite& b) const;

  const Program& program_;
  const BufferSites& sites_;
  const Proofs& runs_;
  InvocationValues values_;
  Intervals intervals_;
  struct Counter {
    CountedLoop counted;
    const ControlFlow::Loop* loop = nullptr;
  };
  std::map<Id, Counter> counters_;
  std::array<std::uint64_t, 4> counts_{};  // ids are below, and tickets; 0: not known
  Id ticket_ = 0;
  std::optional<Arrival> arrival_;
  std::uint64_t teams_ = 1;  // that count themselves, each for itself
  std::vector<SitePair> open_;
  std::vector<bool> in_open_;
  bool turns_told_ =
      false;  // counters with a start of their own: value by value, not by their step
};

}  // namespace spirv
