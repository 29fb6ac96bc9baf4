// Workgroups that count themselves when they are done, so that the last one to arrive can go on
// with what all have left (CUDA's threadFenceReduction: "the last block").
#pragma once

#include <optional>
#include <vector>

#include "spirv/analysis/flow/uniformity.h"
#include "spirv/analysis/memory/buffer_sites.h"
#include "spirv/analysis/memory/proofs.h"
#include "spirv/analysis/values/invocation_values.h"

namespace spirv {

/// An atomic addition of 1 to a word of a buffer, by one invocation of every workgroup, once; and
/// blocks that are come to only where it returned one less than the number of workgroups of the
/// launch. If the word was 0 when the launch began, and nothing but that addition writes it before
/// those blocks do, they are run by one workgroup alone, when all others have counted themselves.
///
/// A site is released where every invocation that comes to it has been there before the addition,
/// with a fence of the whole device behind it: its own, and a barrier of the workgroup then; or one
/// between such a barrier, which orders that memory, and the addition, if not the addition's own. A
/// site in those blocks acquires alike. What is released happens before what acquires (the order
/// is that of core/report/happens_before.h, with what is granted there).
///
/// Teams of workgroups (LaunchFacts::team) count themselves alike in a word each, an element at a
/// multiple of the team's number and so many more. What is said above of the launch then holds
/// within each team.
///
/// Assumed: the words begin as 0, which is for whoever uses this to look at; else what Proofs
/// assumes.
class Arrival {
 public:
  struct Teams {
    std::uint64_t count = 1;
    std::uint64_t workgroups = 0;  ///< of each
  };
  /// None: the kernel has none, or not in a way that is known.
  [[nodiscard]] static std::optional<Arrival> of(const Program& program,
                                                 const Uniformity& uniformity, const Proofs& runs,
                                                 const BufferSites& sites, InvocationValues& values,
                                                 const Teams& teams);

  /// The words that are counted in.
  struct Words {
    std::uint32_t memory = 0;  ///< of BufferSites
    std::uint64_t offset = 0;  ///< bytes, of the first
    std::uint64_t count = 1;
    std::uint64_t stride = 0;  ///< bytes
  };
  [[nodiscard]] const Words& words() const { return words_; }
  /// Does one of two sites always happen before the other?
  [[nodiscard]] bool ordered(const BufferSite& a, const BufferSite& b) const {
    return (released_[a.number] && acquires_[b.number]) ||
           (released_[b.number] && acquires_[a.number]);
  }
  /// Is a site run by the last workgroup of a team alone?
  [[nodiscard]] bool of_the_last(const BufferSite& site) const { return last_[site.number]; }

 private:
  friend class ArrivalSearch;
  Words words_;
  std::vector<bool> released_;  // by site
  std::vector<bool> acquires_;
  std::vector<bool> last_;
};

/// How many workgroups side by side count themselves together: what the workgroup's id is divided
/// by in the index of an addition of 1. 0: the launch has no such teams, or not whole ones.
[[nodiscard]] std::uint32_t find_team(const Program& program, const Uniformity& uniformity,
                                      const BufferSites& sites, const LaunchFacts& launch);

}  // namespace spirv
