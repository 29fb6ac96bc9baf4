// Accesses to images and texel buffers, as the text has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "spirv/analysis/flow/program.h"

namespace spirv {

struct TexelAccess {
  Id variable = 0;     ///< the image's
  Id coordinates = 0;  ///< a whole number or a vector of them; where it is sampled, of floats
  Id value = 0;        ///< read, written, or there before an atomic
  core::Access access = core::Access::read;
  bool writes = false;
  bool sampled = false;  ///< coordinates are in [0, 1), but for an array's layer
  Id descriptor = 0;     ///< the index that chooses one of an array of images; 0: it is no array
};

/// Nothing for instructions that access no texels. The error says what it is that can't be
/// followed: cubes, projections, gathers, images of arrays of arrays.
[[nodiscard]] Expected<std::optional<TexelAccess>> texel_access(const Program& program,
                                                                const Instruction& i);

/// The coordinates of an access that is not sampled, one after the other; none where the module was
/// not brought into canonical form (spirv/module/coordinates.h).
[[nodiscard]] std::vector<Id> coordinate_parts(const Program& program, Id coordinates);

/// Below which each of so many coordinates of an image is.
using ImageExtent = std::vector<std::uint32_t>;
/// The same in the launch of each image that an access may choose, one after the other; none where
/// that is not known of all.
[[nodiscard]] std::vector<ImageExtent> image_extents(const Program& program,
                                                     const TexelAccess& access,
                                                     std::size_t coordinates);

}  // namespace spirv
