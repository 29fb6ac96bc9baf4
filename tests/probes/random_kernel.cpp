#include "probes/random_kernel.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "probes/random_maker.h"

namespace test {
namespace {

// A type of shared memory's elements, and what of an element can be accessed by itself.
struct Element {
  std::string type;
  std::string value;               // from a number {0}
  std::string number;              // back from a value {0}
  std::vector<std::string> parts;  // ".x"; {0} is an index
  std::string part_value;
  std::string part_number;
  std::uint32_t part_length = 0;  // of dynamic parts
  bool atomic = false;
};

const std::vector<Element>& elements() {
  static const std::vector<Element> all{
      {"uint", "{0}", "{0}", {}, "", "", 0, true},
      {"uint", "{0}", "{0}", {}, "", "", 0, true},
      {"int", "int({0})", "uint({0})", {}, "", "", 0, true},
      {"float", "float({0})", "uint({0})"},
      {"bool", "(({0}) % 2u == 0u)", "uint({0})"},
      {"uint8_t", "uint8_t({0})", "uint({0})"},
      {"int16_t", "int16_t({0})", "uint({0})"},
      {"uint64_t", "uint64_t({0})", "uint({0})"},
      {"double", "double({0})", "uint({0})"},
      {"vec4", "vec4({0})", "uint({0}.y)", {".x", ".w", "[{0}]"}, "float({0})", "uint({0})", 4},
      {"uvec2", "uvec2({0}, ({0}) / 2u)", "({0}.x)", {".x", ".y", "[{0}]"}, "{0}", "{0}", 2, true},
      {"vec3", "vec3({0})", "uint({0}.z)", {".z", "[{0}]"}, "float({0})", "uint({0})", 3},
      {"mat2", "mat2(float({0}))", "uint({0}[1][1])", {"[0]"}, "vec2({0})", "uint({0}.x)"},
      {"Pair", "Pair({0}, float({0}))", "{0}.first", {".first"}, "{0}", "{0}", 0, true},
      {"Pair", "Pair({0}, float({0}))", "{0}.first", {".second"}, "float({0})", "uint({0})"},
  };
  return all;
}

struct Variable {
  std::string name;
  Element element;
  std::vector<std::uint32_t> lengths;
};

class Maker final : public RandomMaker {
 public:
  explicit Maker(std::uint64_t seed) : RandomMaker(seed, {}) {}
  std::string make();

 private:
  static std::string with(const std::string& pattern, const std::string& what) {
    return fmt::format(fmt::runtime(pattern), what);
  }

  void declare();
  void body();
  void loop(bool uniform, std::uint32_t budget) override;
  void halves(const std::string& k, bool uniform, std::uint32_t budget);
  void access() override;
  void barrier() override;
  std::string condition(bool uniform) override;
  std::string whole(const Variable& v);
  std::string id();
  std::string number();
  std::string index(std::uint32_t length);

  std::uint32_t invocations_ = 1;
  std::vector<Variable> variables_;
  bool subgroups_ = false;
};

std::string Maker::make() {
  static constexpr std::array<std::array<std::uint32_t, 3>, 9> sizes{{{8, 1, 1},
                                                                      {16, 1, 1},
                                                                      {32, 1, 1},
                                                                      {64, 1, 1},
                                                                      {8, 4, 1},
                                                                      {4, 4, 2},
                                                                      {33, 1, 1},
                                                                      {100, 1, 1},
                                                                      {16, 8, 1}}};
  const auto& size = sizes[draw(sizes.size())];
  invocations_ = size[0] * size[1] * size[2];
  subgroups_ = chance(25);
  line("#version 450");
  line("#extension GL_EXT_shader_explicit_arithmetic_types : require");
  line("#extension GL_KHR_memory_scope_semantics : require");
  line("#extension GL_KHR_shader_subgroup_basic : require");
  line(fmt::format("layout(local_size_x = {}, local_size_y = {}, local_size_z = {}) in;", size[0],
                   size[1], size[2]));
  line("layout(set = 0, binding = 0) readonly buffer Given { uint given[]; };");
  line("layout(set = 0, binding = 1) buffer Answer { uint answer[]; };");
  line("layout(push_constant) uniform Push { uint n; };");
  line("struct Pair { uint first; float second; };");
  declare();
  line("void main() {");
  nested([this] { body(); });
  line("}");
  return text_;
}

void Maker::body() {
  line("const uint i = gl_LocalInvocationIndex;");
  line("const uint x = gl_LocalInvocationID.x;");
  line("const uint y = gl_LocalInvocationID.y;");
  line("uint sum = 0;");
  const std::uint32_t count = 3 + draw(7);
  statements(true, count, count);
  if (chance(10)) {
    line(fmt::format("if ({}) return;", condition(false)));
    statements(false, 1 + draw(2), 2);
  }
  line("answer[gl_GlobalInvocationID.x] = sum;");
}

void Maker::declare() {
  for (std::uint32_t n = 0, count = 1 + draw(3); n < count; ++n) {
    Variable v{fmt::format("s{}", n), elements()[draw(elements().size())], {}};
    switch (draw(8)) {
      case 0:
        break;
      case 1:
        v.lengths = {2 + draw(8), 2 + draw(9)};
        break;
      case 2:
        v.lengths = {1 + draw(5)};
        break;
      case 3:
        v.lengths = {invocations_ + draw(3)};
        break;
      default:
        v.lengths = {std::max(invocations_ / 2, 1U) + draw(invocations_)};
        break;
    }
    std::string lengths;
    for (const std::uint32_t length : v.lengths) {
      lengths += fmt::format("[{}]", length);
    }
    line(fmt::format("shared {} {}{};", v.element.type, v.name, lengths));
    variables_.push_back(std::move(v));
  }
}

// Loops that count with steps that overshoot, that something ends early, that test in their middle,
// and whose counter is used behind them.
void Maker::loop(bool uniform, std::uint32_t budget) {
  const std::string k = new_counter();
  const bool even = chance(70);
  const std::string end = even ? one_of({"2", "3", "4", "5", "min(n, 3u)", "given[2]"})
                               : one_of({"i % 3u", "given[i] % 4u", "1 + (i & 1u)"});
  if (chance(20)) {
    halves(k, uniform, budget);
    return;
  }
  const std::string step = one_of({"1u", "1u", "1u", "2u", "3u"});
  const std::uint32_t form = draw(10);
  const bool outside = form >= 5;
  const bool in_the_middle = form >= 8;
  const bool leaves = chance(25);
  const bool leaves_together = leaves && chance(50);
  const bool alike = uniform && even && (!leaves || leaves_together);
  if (outside) {
    line(fmt::format("uint {};", k));
  }
  counters_.push_back(k);
  line(in_the_middle ? fmt::format("for ({} = 0;; {} += {}) {{", k, k, step)
                     : fmt::format("for ({}{} = 0; {} < {}; {} += {}) {{", outside ? "" : "uint ",
                                   k, k, end, k, step));
  nested([&] {
    const std::uint32_t count = some(budget);
    statements(alike, count, count);
    if (leaves) {
      line(fmt::format("if ({}) break;", leaves_together ? condition(true) : condition(false)));
      statements(alike, 1 + draw(2), 2);
    }
    if (in_the_middle) {
      line(fmt::format("if ({} >= {}) break;", k, end));
      statements(alike, 1, 1);
    }
  });
  line("}");
  if (!outside) {
    counters_.pop_back();  // else it lives on: what it is behind the loop
  }
}

// Loops whose counter is multiplied or divided, as trees of sums have them.
void Maker::halves(const std::string& k, bool uniform, std::uint32_t budget) {
  const std::uint32_t most = 1U << (1 + draw(6));
  const bool down = chance(50);
  const std::string by = one_of({"2u", "2u", "2u", "3u"});
  const bool leaves = chance(15);
  const std::string start = down ? fmt::format("{}u", most) : "1u";
  const std::string test =
      down ? k + one_of({" > 0u", " > 0u", " > 1u"}) : fmt::format("{} < {}u", k, most);
  line(
      fmt::format("for (uint {} = {}; {}; {} {}= {}) {{", k, start, test, k, down ? "/" : "*", by));
  counters_.push_back(k);
  nested([&] {
    const bool alike = uniform && !leaves;
    const std::uint32_t count = some(budget);
    statements(alike, count, count);
    if (chance(70)) {
      block(fmt::format("if ({})", one_of({"i < " + k, "i >= " + k, "i % (2u * " + k + ") == 0u",
                                           "(i & " + k + ") == 0u", "i < 2u * " + k})),
            false, budget);
    }
    if (alike) {
      barrier();
    }
    if (leaves) {
      line(fmt::format("if ({}) break;", condition(false)));
    }
  });
  line("}");
  counters_.pop_back();
}

std::string Maker::id() {
  return one_of({"i", "i", "i", "x", "y", "(i + 1u)", "(i / 2u)", "(i ^ 1u)", "(i * 3u)",
                 "given[i]", "gl_LocalInvocationID.z"});
}

std::string Maker::number() {
  switch (draw(7)) {
    case 0:
      return fmt::format("{}u", draw(5));
    case 1:
      return fmt::format("({} % {}u)", id(), 1 + draw(4));
    case 2:
      return "gl_WorkGroupID.x";
    case 3:
      return counters_.empty() ? "n" : any_counter();
    default:
      return id();
  }
}

std::string Maker::index(std::uint32_t length) {
  const std::uint32_t choice = draw(100);
  std::string base;
  if (choice < 30) {
    base = length >= invocations_ ? "i" : fmt::format("i % {}u", length);
    return base;
  }
  if (choice < 40) {
    return fmt::format("{}u", draw(length));
  }
  if (choice < 43) {
    return id();  // outside, perhaps
  }
  if (choice < 50 && subgroups_) {
    return fmt::format(
        "(gl_SubgroupID * gl_SubgroupSize + (gl_SubgroupInvocationID + {}u) % gl_SubgroupSize) % "
        "{}u",
        draw(4), length);
  }
  if (choice < 58 && length > 1) {
    return fmt::format("{}u - i % {}u", length - 1, length);
  }
  if (!counters_.empty() && choice < 75) {
    const std::string& k = any_counter();
    const std::string e = fmt::format("(i + {} * {}u)", k, 1 + draw(2 * invocations_));
    const std::uint32_t row = 1U << draw(5);
    base = one_of({"i + " + k, "(i ^ " + k + ")", "2u * " + k + " * i + " + k,
                   fmt::format("{} / {}u * {}u + {} % {}u", e, row, row + draw(2), e, row),
                   fmt::format("{} * {}u", e, 1 + draw(9))});
    return fmt::format("({}) % {}u", base, length);
  }
  base = fmt::format("{} * {}u + {}u", id(), 1 + draw(4), draw(5));
  if (!counters_.empty() && chance(40)) {
    base += fmt::format(" + {} * {}u", any_counter(), 1 + draw(invocations_));
  }
  if (chance(10)) {
    base += " + n";
  }
  return fmt::format("({}) % {}u", base, length);
}

std::string Maker::condition(bool uniform) {
  if (uniform) {
    return one_of({"n > 1u", "gl_WorkGroupID.x == 0u", "given[3] == 3u", "gl_NumWorkGroups.x == 3u",
                   "n == 0u"});
  }
  switch (draw(5)) {
    case 0:
      return fmt::format("i < {}u", 1 + draw(invocations_));
    case 1:
      return fmt::format("i % {}u == {}u", 2 + draw(3), draw(2));
    case 2:
      return fmt::format("(i & {}u) != 0u", 1U << draw(4));
    case 3:
      return fmt::format("given[i] % {}u == 0u", 2 + draw(3));
    default:
      return fmt::format("i == {}u", draw(invocations_));
  }
}

std::string Maker::whole(const Variable& v) {
  std::string place = v.name;
  for (const std::uint32_t length : v.lengths) {
    place += "[" + index(length) + "]";
  }
  return place;
}

void Maker::access() {
  const Variable& v = variables_[draw(static_cast<std::uint32_t>(variables_.size()))];
  const Element& e = v.element;
  std::string place = whole(v);
  const bool part = !e.parts.empty() && chance(60);
  if (part) {
    const std::string& pattern = e.parts[draw(static_cast<std::uint32_t>(e.parts.size()))];
    place += with(pattern, e.part_length > 0 ? index(e.part_length) : "");
  }
  if (e.atomic && part == !e.parts.empty() && chance(25)) {
    const std::string type = e.type == "int" ? "int" : "uint";
    const std::string operand = type + "(" + number() + ")";
    const std::string call = one_of({"atomicAdd", "atomicMax", "atomicExchange", "atomicXor"});
    line(fmt::format("sum += uint({}({}, {}));", call, place, operand));
  } else if (chance(12)) {
    line(
        fmt::format("{} = {};", place,
                    place.substr(0, 0) + with(part ? e.part_value : e.value, one_of({"7u", "n"}))));
  } else if (chance(50)) {
    line(fmt::format("{} = {};", place, with(part ? e.part_value : e.value, number())));
  } else {
    line(fmt::format("sum += {};", with(part ? e.part_number : e.number, place)));
  }
}

void Maker::barrier() {
  if (subgroups_ && chance(60)) {
    line(one_of({"subgroupBarrier();", "subgroupBarrier();", "subgroupMemoryBarrierShared();"}));
    return;
  }
  if (chance(60)) {
    line("barrier();");
    return;
  }
  const std::string scopes = "gl_ScopeWorkgroup, gl_ScopeWorkgroup, ";
  line(one_of({
      "memoryBarrierShared(); barrier();",
      "memoryBarrierShared();",
      "groupMemoryBarrier();",
      "controlBarrier(" + scopes + "gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);",
      "controlBarrier(" + scopes + "gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);",
      "controlBarrier(" + scopes + "gl_StorageSemanticsShared, gl_SemanticsAcquire);",
      "controlBarrier(" + scopes + "gl_StorageSemanticsShared, gl_SemanticsRelease);",
      "controlBarrier(" + scopes + "0, 0);",
      "memoryBarrierShared(); controlBarrier(" + scopes + "0, 0); memoryBarrierShared();",
      "memoryBarrierShared(); controlBarrier(" + scopes + "0, 0);",
  }));
}

}  // namespace

std::string random_kernel(std::uint64_t seed) {
  return Maker(seed).make();
}

}  // namespace test
