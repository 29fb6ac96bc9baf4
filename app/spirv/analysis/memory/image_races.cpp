#include "spirv/analysis/memory/image_races.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "spirv/analysis/memory/texel_access.h"

namespace spirv {
namespace {

// Directions of the global id, by component of the coordinates; none: something else.
using Directions = std::optional<std::vector<std::uint32_t>>;

struct Image {
  bool written = false;
  bool atomics_alone = true;
  bool apart = true;
  Directions directions;
  std::uint32_t line = 0;  // of a write
};

class Images {
 public:
  explicit Images(const Program& program) : program_(program) {}

  std::vector<std::string> run(const std::array<std::uint32_t, 3>& groups) {
    for (std::size_t b = 0; b < program_.flow.size(); ++b) {
      if (program_.flow.reachable(b)) {
        for (const Instruction& i : program_.function.blocks[b].body) {
          visit(i);
        }
      }
    }
    for (auto& [variable, image] : images_) {
      const bool looked_at = image.atomics_alone || (image.apart && covers(image, groups));
      if (image.written && !looked_at) {
        say(program_.definitions.name(variable), image.line);
      }
    }
    return std::move(found_);
  }

 private:
  void visit(const Instruction& i) {
    const auto access = texel_access(program_, i);
    if (!access) {
      if (i.op == spv::Op::OpImageWrite) {
        say("one of an array", i.at.line);
      }
      return;
    }
    if (!*access) {
      return;
    }
    Image& image = images_[(*access)->variable];
    const bool first = !image.directions && image.apart;
    const Directions directions = directions_of((*access)->coordinates, 0);
    image.apart = image.apart && directions && !(*access)->sampled &&
                  (first || image.directions == directions);
    image.directions = directions;
    image.atomics_alone = image.atomics_alone && (*access)->access == core::Access::atomic;
    if ((*access)->writes) {
      image.written = true;
      image.line = i.at.line;
    }
  }

  [[nodiscard]] bool covers(const Image& image, const std::array<std::uint32_t, 3>& groups) const {
    for (std::uint32_t d = 0; d < 3; ++d) {
      const bool longer = program_.interface.local_size.at(d) > 1 || groups.at(d) > 1;
      if (longer && std::ranges::find(*image.directions, d) == image.directions->end()) {
        return false;
      }
    }
    return true;
  }

  void say(const std::string& name, std::uint32_t line) {
    found_.push_back("line " + std::to_string(line) +
                     ": whether invocations race on the texels of " +
                     (name.empty() ? "an image" : name) + " is not looked at");
  }

  Directions directions_of(Id id, int depth) {
    const Instruction& i = program_.definitions.of(id);
    if (depth > 16) {
      return std::nullopt;
    }
    switch (i.op) {
      case spv::Op::OpBitcast:
      case spv::Op::OpCopyObject:
        return directions_of(i.word(0), depth + 1);
      case spv::Op::OpLoad:
        return loaded(i.word(0));
      case spv::Op::OpCompositeExtract: {
        const Directions all = directions_of(i.word(0), depth + 1);
        return all && i.operands.size() == 2 && i.word(1) < all->size()
                   ? Directions(std::vector{(*all)[i.word(1)]})
                   : std::nullopt;
      }
      case spv::Op::OpVectorShuffle: {
        const Directions all = directions_of(i.word(0), depth + 1);
        std::vector<std::uint32_t> some;
        for (std::uint32_t k = 2; all && k < i.operands.size(); ++k) {
          if (i.word(k) >= all->size()) {
            return std::nullopt;
          }
          some.push_back((*all)[i.word(k)]);
        }
        return all ? Directions(some) : std::nullopt;
      }
      case spv::Op::OpCompositeConstruct: {
        std::vector<std::uint32_t> parts;
        for (const Operand& operand : i.operands) {
          const Directions part = directions_of(operand.word, depth + 1);
          if (!part) {
            return std::nullopt;
          }
          parts.insert(parts.end(), part->begin(), part->end());
        }
        return parts;
      }
      default:
        return std::nullopt;
    }
  }

  Directions loaded(Id pointer) {
    const PointerPath path = program_.path(pointer);
    if (path.variable == 0 ||
        program_.built_in(path.variable) != spv::BuiltIn::GlobalInvocationId) {
      return std::nullopt;
    }
    if (path.indices.empty()) {
      return std::vector<std::uint32_t>{0, 1, 2};
    }
    const auto component = program_.constants.scalar(path.indices.front());
    return component ? Directions(std::vector{static_cast<std::uint32_t>(*component)})
                     : std::nullopt;
  }

  const Program& program_;
  std::map<Id, Image> images_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> images_not_looked_at(const Program& program,
                                              const std::array<std::uint32_t, 3>& groups) {
  return Images(program).run(groups);
}

}  // namespace spirv
