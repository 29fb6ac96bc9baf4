// How long buffers and images are if they are as long as a launch implies: an element for each work
// item where the index is the item's number, M × N where a kernel compares its row with M and its
// column with N.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "core/work/dispatch.h"
#include "spirv/analysis/examination.h"

namespace lab {

/// Work items, and values of block members, of the launch whose buffer lengths are computed.
struct ItemsOfLaunch {
  std::array<std::uint32_t, 3> items{1, 1, 1};
  std::array<std::uint32_t, 3> groups{1, 1, 1};

  /// All invocations of a launch.
  [[nodiscard]] static ItemsOfLaunch of(const spirv::Examination& examination,
                                        const core::Dispatch& dispatch);
};

struct ImpliedLength {
  std::array<std::uint64_t, 3> elements{};  ///< of the runtime array; of an image by coordinate
  /// It follows from a number of items that is given or compared with; else from whole workgroups.
  bool exact = false;
};

/// Buffers and images by their place in the dispatch, but for those with an access for which the
/// text implies no length. Members that the dispatch lists as chosen have the values
/// that such a launch gives them.
using ImpliedLengths = std::map<std::size_t, ImpliedLength>;
[[nodiscard]] ImpliedLengths implied_lengths(const spirv::Examination& examination,
                                             const core::Dispatch& dispatch,
                                             const ItemsOfLaunch& launch);

}  // namespace lab
