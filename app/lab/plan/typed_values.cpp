#include "lab/plan/typed_values.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace lab {
namespace {

// The component's type of a scalar, a vector or a matrix, and how many there are.
struct Shape {
  std::string scalar;
  std::size_t count = 1;
};

std::size_t digit(char c) {
  return c >= '2' && c <= '4' ? static_cast<std::size_t>(c - '0') : 1;
}

Shape shape_of(const std::string& type) {
  static const std::vector<std::pair<std::string, std::string>> kVectors{
      {"ivec", "int"},  {"uvec", "uint"},      {"bvec", "bool"},      {"dvec", "double"},
      {"vec", "float"}, {"i64vec", "int64_t"}, {"u64vec", "uint64_t"}};
  for (const auto& [prefix, scalar] : kVectors) {
    if (type.size() == prefix.size() + 1 && type.starts_with(prefix)) {
      return {scalar, digit(type.back())};
    }
  }
  if (type.starts_with("mat") && type.size() >= 4) {
    const std::size_t columns = digit(type[3]);
    return {"float", columns * (type.size() == 6 ? digit(type[5]) : columns)};
  }
  return {type, 1};
}

using Words = std::vector<std::uint32_t>;

Words halves(std::uint64_t bits) {
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32U)};
}

std::optional<Words> scalar_words(std::string_view text, const std::string& type) {
  if (text == "true" || text == "false") {
    return Words{text == "true" ? 1U : 0U};
  }
  if (type == "float" || type == "double") {
    const auto value = core::real_number(text);
    if (!value) {
      return std::nullopt;
    }
    return type == "double" ? halves(std::bit_cast<std::uint64_t>(*value))
                            : Words{std::bit_cast<std::uint32_t>(static_cast<float>(*value))};
  }
  if (type == "int64_t" || type == "uint64_t") {
    const auto negative = core::whole_number<std::int64_t>(text);
    const auto value =
        negative ? static_cast<std::uint64_t>(*negative) : core::whole_number<std::uint64_t>(text);
    return value ? std::optional(halves(*value)) : std::nullopt;
  }
  const auto value = core::whole_number<std::int64_t>(text);
  const std::int64_t low = type == "uint" || type == "bool" ? 0 : std::numeric_limits<int>::min();
  const std::int64_t high = type == "int" ? std::numeric_limits<int>::max() : 0xFFFFFFFFLL;
  if (!value || *value < low || *value > high) {
    return std::nullopt;
  }
  return Words{static_cast<std::uint32_t>(*value)};
}

}  // namespace

std::optional<std::uint32_t> untyped_word(std::string_view text) {
  for (const char* type : {"uint", "int", "float"}) {
    if (const auto words = scalar_words(text, type)) {
      return words->front();
    }
  }
  return std::nullopt;
}

core::Expected<Words> typed_value(const std::string& name, const std::string& text,
                                  const std::string& type) {
  const Shape shape = shape_of(type);
  Words words;
  std::string_view rest = text;
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t comma = rest.find(',');
    const auto part = scalar_words(rest.substr(0, comma), shape.scalar);
    if (!part) {
      return core::usage_error(fmt::format("{} is {} {}; \"{}\" is not a value of this type", name,
                                           type.starts_with('i') ? "an" : "a", type, text));
    }
    words.insert(words.end(), part->begin(), part->end());
    more = comma != std::string_view::npos;
    rest.remove_prefix(more ? comma + 1 : rest.size());
  }
  if (count != shape.count) {
    return core::usage_error(fmt::format(
        "{} is a {}, which needs {}; \"{}\" has {}", name, type,
        shape.count == 1 ? "1 number" : fmt::format("{} numbers", shape.count), text, count));
  }
  return words;
}

std::optional<std::string> typed_text(std::span<const std::uint32_t> words,
                                      const std::string& type) {
  const Shape shape = shape_of(type);
  const auto known = {"int", "uint", "bool", "float"};
  if (std::ranges::find(known, shape.scalar) == known.end() || words.size() < shape.count) {
    return std::nullopt;
  }
  std::string text;
  for (const std::uint32_t word : words.first(shape.count)) {
    text += text.empty() ? "" : ",";
    text += shape.scalar == "float" ? fmt::format("{}", std::bit_cast<float>(word))
            : shape.scalar == "int" ? std::to_string(static_cast<std::int32_t>(word))
                                    : std::to_string(word);
  }
  return text;
}

std::uint32_t one_of(const std::string& type, std::uint32_t at) {
  if (type.starts_with("double") || type.starts_with("dvec")) {
    return at % 8 == 0 ? 0U : 0x3FF00000U;
  }
  return type.starts_with("f16") ? 0x3C003C00U : std::bit_cast<std::uint32_t>(1.0F);
}

std::string type_name(const spirv::SpecConstant& constant) {
  switch (constant.type) {
    case spirv::ScalarType::boolean:
      return "bool";
    case spirv::ScalarType::floating:
      return "float";
    case spirv::ScalarType::signed_integer:
      return "int";
    case spirv::ScalarType::unsigned_integer:
      break;
  }
  return "uint";
}

std::string listed(const std::vector<spirv::SpecConstant>& constants) {
  std::string all;
  for (const spirv::SpecConstant& c : constants) {
    all += (all.empty() ? "" : ", ") +
           (c.name.empty() ? std::to_string(c.id) : fmt::format("{} ({})", c.id, c.name));
  }
  return all;
}

std::vector<std::string> names_of(const spirv::Interface& interface) {
  std::vector<std::string> names;
  for (const spirv::SpecConstant& c : interface.spec_constants) {
    names.push_back(c.name);
  }
  for (const spirv::BlockMember& member : interface.push_constants) {
    names.push_back(member.name);
  }
  for (const spirv::Binding& binding : interface.bindings) {
    for (const spirv::BlockMember& member : binding.members) {
      names.push_back(member.name);
    }
  }
  for (const spirv::AddressMember& address : interface.addresses) {
    for (const spirv::BlockMember& member : address.members) {
      names.push_back(member.name);
    }
  }
  std::erase(names, std::string());
  return names;
}

core::Settings with_full_names(const core::Settings& settings, const spirv::Interface& interface) {
  const auto names = names_of(interface);
  const auto last = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
  core::Settings full;
  for (const auto& [name, value] : settings) {
    const auto alike = [&](const std::string& other) { return last(other) == last(name); };
    const bool whole = std::ranges::find(names, name) != names.end();
    const auto only = std::ranges::find_if(names, alike);
    full[whole || std::ranges::count_if(names, alike) != 1 ? name : *only] = value;
  }
  return full;
}

}  // namespace lab
