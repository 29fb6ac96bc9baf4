#include "spirv/analysis/memory/texel_access.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "spirv/analysis/values/extents.h"

namespace spirv {
namespace {

// The variable that an image, or a pointer to one, comes from, and where that is an array, the
// index; 0: not known.
std::pair<Id, Id> image_of(const Program& program, Id id) {
  Id descriptor = 0;
  for (int depth = 0; depth < 16; ++depth) {
    const Instruction& i = program.definitions.of(id);
    switch (i.op) {
      case spv::Op::OpLoad:
      case spv::Op::OpImage:
      case spv::Op::OpSampledImage:
      case spv::Op::OpCopyObject:
        id = i.word(0);
        break;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        if (descriptor != 0 || i.operands.size() != 2) {
          return {};
        }
        descriptor = i.word(1);
        id = i.word(0);
        break;
      case spv::Op::OpVariable:
        return {id, descriptor};
      default:
        return {};
    }
  }
  return {};
}

bool is_cube(const Program& program, Id variable) {
  const Definitions& d = program.definitions;
  Id type = d.of(d.of(variable).type).word(1);
  const bool array =
      d.op(type) == spv::Op::OpTypeArray || d.op(type) == spv::Op::OpTypeRuntimeArray;
  type = array ? d.of(type).word(0) : type;
  type = d.op(type) == spv::Op::OpTypeSampledImage ? d.of(type).word(0) : type;
  return d.of(type).word(1) == static_cast<std::uint32_t>(spv::Dim::Cube);
}

std::optional<TexelAccess> plain(const Program& program, const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpImageRead:
    case spv::Op::OpImageFetch:
      return TexelAccess{i.word(0), i.word(1), i.result};
    case spv::Op::OpImageWrite:
      return TexelAccess{i.word(0), i.word(1), i.word(2), core::Access::write, true};
    case spv::Op::OpImageSampleImplicitLod:
    case spv::Op::OpImageSampleExplicitLod:
    case spv::Op::OpImageSampleDrefImplicitLod:
    case spv::Op::OpImageSampleDrefExplicitLod:
      return TexelAccess{
          .variable = i.word(0), .coordinates = i.word(1), .value = i.result, .sampled = true};
    default:
      break;
  }
  if (!is_atomic(i.op)) {
    return std::nullopt;
  }
  const Instruction& texel = program.definitions.of(i.word(0));
  if (texel.op != spv::Op::OpImageTexelPointer) {
    return std::nullopt;
  }
  const bool store = i.op == spv::Op::OpAtomicStore;
  return TexelAccess{texel.word(0), texel.word(1), store ? i.word(3) : i.result,
                     core::Access::atomic, i.op != spv::Op::OpAtomicLoad};
}

bool not_followed(spv::Op op) {
  switch (op) {
    case spv::Op::OpImageSampleProjImplicitLod:
    case spv::Op::OpImageSampleProjExplicitLod:
    case spv::Op::OpImageSampleProjDrefImplicitLod:
    case spv::Op::OpImageSampleProjDrefExplicitLod:
    case spv::Op::OpImageGather:
    case spv::Op::OpImageDrefGather:
    case spv::Op::OpImageSparseRead:
    case spv::Op::OpImageSparseFetch:
    case spv::Op::OpImageSparseGather:
    case spv::Op::OpImageSparseSampleImplicitLod:
    case spv::Op::OpImageSparseSampleExplicitLod:
      return true;
    default:
      return false;
  }
}

}  // namespace

Expected<std::optional<TexelAccess>> texel_access(const Program& program, const Instruction& i) {
  if (not_followed(i.op)) {
    return core::usage_error(
        "image accesses with projection, gather or sparse residency are not checked");
  }
  auto access = plain(program, i);
  if (!access) {
    return access;
  }
  std::tie(access->variable, access->descriptor) = image_of(program, access->variable);
  if (access->variable == 0) {
    return core::usage_error("an access to an image in an array of arrays is not checked");
  }
  if (access->sampled && is_cube(program, access->variable)) {
    return core::usage_error("a sample of a cube image is not checked");
  }
  return access;
}

std::vector<Id> coordinate_parts(const Program& program, Id coordinates) {
  const Instruction& i = program.definitions.of(coordinates);
  std::vector<Id> parts;
  if (i.op == spv::Op::OpCompositeConstruct || i.op == spv::Op::OpCopyObject) {
    for (const Operand& operand : i.operands) {
      parts.push_back(operand.word);
    }
  }
  const bool words = std::ranges::all_of(parts, [&](Id part) {
    return scalar_width(program.definitions, program.definitions.of(part).type) == 32;
  });
  return words && parts.size() <= 3 ? parts : std::vector<Id>();
}

std::vector<ImageExtent> image_extents(const Program& program, const TexelAccess& access,
                                       std::size_t coordinates) {
  if (coordinates > 3) {
    return {};
  }
  std::vector<ImageExtent> extents;
  for (const BoundBuffer& image : bound_to(program, access.variable, access.descriptor)) {
    const auto end = image.lengths.begin() + static_cast<std::ptrdiff_t>(coordinates);
    if (std::find(image.lengths.begin(), end, 0U) != end) {
      return {};
    }
    extents.emplace_back(image.lengths.begin(), end);
  }
  return extents;
}

}  // namespace spirv
