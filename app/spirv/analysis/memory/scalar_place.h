// Places in memory without an explicit layout (shared memory, an invocation's own), counted in
// scalars from the start of a variable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// Where an index stands: an instruction and its operand.
using IndexLink = std::pair<Id, std::uint32_t>;

/// A part of an access's place that is known only when the kernel runs.
struct IndexTerm {
  Id index = 0;
  std::uint64_t stride = 0;   ///< scalars; bytes in blocks
  std::uint64_t length = 0;   ///< of the array, vector or matrix indexed
  std::uint32_t operand = 0;  ///< which index of the path
  IndexLink link;
};

struct ScalarPlace {
  std::uint64_t offset = 0;      ///< the constant part
  std::vector<IndexTerm> terms;  ///< the rest
  std::uint64_t width = 0;       ///< scalars accessed, one after the other
};

/// The indices of all access chains that make up a pointer, outermost first.
[[nodiscard]] std::vector<IndexLink> links_of(const Program& program, Id pointer);
/// What indices lead to in a variable of that type; of what is there a `part`, as
/// OpCompositeExtract names it. Nothing for a member that is not known, or a type that has no
/// scalars.
[[nodiscard]] std::optional<ScalarPlace> scalar_place(const Program& program, Id type,
                                                      const std::vector<IndexLink>& links,
                                                      std::span<const Operand> part = {});
/// The indices of a scalar of a variable, "[3][7]", members of structs by their number. Below the
/// size of a cell, in scalars, nothing is told apart.
[[nodiscard]] std::vector<std::uint32_t> index_of_scalar(const Program& program, Id type,
                                                         std::uint64_t scalar, std::uint64_t cell);

/// A part of a variable as the source names it: "parts[0].prefix", "b[2].pos.x". `type` is that of
/// what `name` stands for, and `index` has members of structs by their number.
[[nodiscard]] std::string named_place(const Program& program, std::string name, Id type,
                                      std::span<const std::uint32_t> index);

}  // namespace spirv
