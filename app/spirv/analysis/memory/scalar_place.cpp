#include "spirv/analysis/memory/scalar_place.h"

namespace spirv {

std::vector<IndexLink> links_of(const Program& program, Id pointer) {
  std::vector<IndexLink> links;
  for (int depth = 0; depth < 64; ++depth) {
    const Instruction& i = program.definitions.of(pointer);
    if (i.op == spv::Op::OpAccessChain || i.op == spv::Op::OpInBoundsAccessChain) {
      std::vector<IndexLink> own;
      for (std::uint32_t k = 1; k < i.operands.size(); ++k) {
        own.emplace_back(pointer, k);
      }
      links.insert(links.begin(), own.begin(), own.end());
    } else if (i.op != spv::Op::OpCopyObject) {
      break;
    }
    pointer = i.word(0);
  }
  return links;
}

std::optional<ScalarPlace> scalar_place(const Program& program, Id type,
                                        const std::vector<IndexLink>& links,
                                        std::span<const Operand> part) {
  ScalarPlace place;
  const auto enter = [&](std::uint32_t member) {
    const bool is_struct = program.types.is_struct(type);
    for (std::uint32_t m = 0; m < member; ++m) {
      place.offset += program.types.scalars(program.types.element(type, is_struct ? m : 0));
    }
    type = program.types.element(type, is_struct ? member : 0);
  };
  for (std::uint32_t k = 0; k < links.size(); ++k) {
    const Id index = program.definitions.of(links[k].first).word(links[k].second);
    const auto known = program.constants.scalar(index);
    if (program.types.is_struct(type)) {
      if (!known) {
        return std::nullopt;
      }
      enter(static_cast<std::uint32_t>(*known));
      continue;
    }
    const std::uint64_t length = program.types.length(type);
    type = program.types.element(type);
    const std::uint64_t stride = program.types.scalars(type);
    if (known && *known < length) {
      place.offset += *known * stride;
    } else {
      place.terms.push_back({index, stride, length, k, links[k]});
    }
  }
  for (const Operand& member : part) {
    enter(member.word);
  }
  place.width = program.types.scalars(type);
  return place.width > 0 ? std::optional(std::move(place)) : std::nullopt;
}

std::vector<std::uint32_t> index_of_scalar(const Program& program, Id type, std::uint64_t scalar,
                                           std::uint64_t cell) {
  const Types& types = program.types;
  std::vector<std::uint32_t> index;
  while (!types.is_scalar(type) && types.scalars(type) > 0 &&
         !(types.scalars(type) <= cell && scalar == 0 && cell > 1)) {
    std::uint32_t member = 0;
    if (types.is_struct(type)) {
      for (std::uint64_t size = 0; (size = types.scalars(types.element(type, member))) <= scalar;
           ++member) {
        scalar -= size;
      }
      type = types.element(type, member);
    } else {
      type = types.element(type);
      const std::uint64_t stride = types.scalars(type);
      member = static_cast<std::uint32_t>(scalar / stride);
      scalar %= stride;
    }
    index.push_back(member);
  }
  return index;
}

std::string named_place(const Program& program, std::string name, Id type,
                        std::span<const std::uint32_t> index) {
  constexpr std::string_view components = "xyzw";
  for (const std::uint32_t k : index) {
    const bool is_struct = program.types.is_struct(type);
    const std::string member = is_struct ? program.definitions.member_name(type, k) : std::string();
    if (!member.empty()) {
      name += "." + member;
    } else if (program.definitions.op(type) == spv::Op::OpTypeVector && k < components.size()) {
      name += std::string(".") + components[k];
    } else {
      name += "[" + std::to_string(k) + "]";
    }
    type = program.types.element(type, is_struct ? k : 0);
  }
  return name;
}

}  // namespace spirv
