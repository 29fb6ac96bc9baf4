// What references answered, kept by problem: an edit of a kernel changes its own answer, not the
// right one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/catalogue/workload.h"
#include "core/report/difference.h"
#include "core/work/dispatch.h"

namespace lab {

/// One answer of a reference kernel, and one of a kernel with the check that it got; those of the
/// problem that was last asked about. Neither is kept beyond `kMostKept` bytes.
class Answers {
 public:
  /// What a check found of an answer.
  struct Judged {
    core::Check check;
    std::optional<core::Differences> differences;  ///< nothing: nobody asked
  };
  static constexpr std::uint64_t kMostKept = std::uint64_t{256} << 20U;

  /// What these launches left behind when they were last asked; null where they are others: another
  /// module, other constants, other contents. `data` is what they work on beside their own.
  [[nodiscard]] const core::HostBuffers* of(const std::vector<core::Dispatch>& launches,
                                            std::uint64_t seed,
                                            const std::shared_ptr<const void>& data) const;
  void keep(std::vector<core::Dispatch> launches, std::uint64_t seed,
            const std::shared_ptr<const void>& data, core::HostBuffers answer);

  /// What was found of an answer to the same problem that is this one, bit for bit.
  [[nodiscard]] const Judged* found(const std::shared_ptr<const void>& data,
                                    const core::HostBuffers& answer) const;
  void keep_found(const std::shared_ptr<const void>& data, core::HostBuffers answer, Judged judged);

 private:
  struct Reference {
    std::vector<core::Dispatch> launches;
    std::uint64_t seed = 0;
    bool has_data = false;
    std::weak_ptr<const void> data;
    core::HostBuffers answer;
  };
  struct Found {
    std::weak_ptr<const void> data;
    core::HostBuffers answer;
    Judged judged;
  };
  std::optional<Reference> reference_;
  std::optional<Found> found_;
};

}  // namespace lab
