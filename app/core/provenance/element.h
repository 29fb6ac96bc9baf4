// Elements of memory by their names, such as c[18][3].
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/workload.h"
#include "core/report/trace.h"

namespace core {

/// An element by its name: "c[18][3]".
struct ElementName {
  std::string name;
  std::vector<std::uint64_t> index;
};
/// Error: the text is no such name.
[[nodiscard]] Expected<ElementName> parse_element(const std::string& text);

/// A scalar of a variable that a trace has.
struct TracedScalar {
  std::uint32_t variable = 0;  ///< place in Trace::variables
  std::uint64_t offset = 0;    ///< bytes from its start
};

/// The scalar that is called so in a trace: a variable of the kernel (a vector's first component),
/// or an element of a buffer of the workload by row and column. Nothing if the trace has no such
/// name. Usage errors: an index too many or too few, or one that is too large.
[[nodiscard]] Expected<std::optional<TracedScalar>> scalar_named(
    const Trace& trace, std::span<const BufferSpec> buffers, const ElementName& element);

}  // namespace core
