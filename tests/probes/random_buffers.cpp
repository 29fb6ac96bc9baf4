// Kernels that go wrong in storage buffers, within workgroups and between them.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "probes/random_kernel.h"

namespace test {
namespace {

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : seed_(core::mix(seed ^ 0xB0FFE5)) {}
  std::string make();

 private:
  std::uint32_t draw(std::uint32_t below) {
    return static_cast<std::uint32_t>(core::mix(core::mix(seed_) + drawn_++) % below);
  }
  bool chance(std::uint32_t percent) { return draw(100) < percent; }
  std::string one_of(std::initializer_list<std::string> choices) {
    return choices.begin()[draw(static_cast<std::uint32_t>(choices.size()))];
  }
  void line(const std::string& text) {
    text_ += std::string(static_cast<std::size_t>(depth_) * 2, ' ') + text + "\n";
  }
  void statements(bool uniform, std::uint32_t budget);
  void statement(bool uniform, std::uint32_t budget);
  void block(const std::string& head, bool uniform, std::uint32_t budget);
  void loop(bool uniform, std::uint32_t budget);
  void access();
  void barrier();
  std::string place();
  std::string index();
  std::string condition(bool uniform);

  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  std::string text_;
  int depth_ = 0;
  int loops_ = 0;
  std::uint32_t written_ = 0;
  std::uint32_t invocations_ = 1;
  bool atomics_ = false;  // then nothing but workgroups' ends orders buffers
  std::vector<std::string> counters_;
};

std::string Maker::make() {
  static constexpr std::array<std::uint32_t, 6> sizes{4, 8, 16, 32, 33, 64};
  invocations_ = sizes[draw(sizes.size())];
  atomics_ = chance(35);
  line("#version 450");
  line(fmt::format("layout(local_size_x = {}) in;", invocations_));
  line("layout(set = 0, binding = 0) readonly buffer Given { uint given[]; };");
  line("layout(set = 0, binding = 1) buffer Data { uint data[]; };");
  line("layout(set = 0, binding = 2) buffer More { uint head; uvec2 more[]; };");
  line("layout(push_constant) uniform Push { uint n; };");
  line("shared uint own[64];");
  line("void main() {");
  ++depth_;
  line("const uint i = gl_LocalInvocationID.x;");
  line("const uint g = gl_WorkGroupID.x;");
  line("const uint t = gl_GlobalInvocationID.x;");
  line("uint sum = 0;");
  statements(true, 2 + draw(5));
  line("own[i] = sum;");
  --depth_;
  line("}");
  return text_;
}

void Maker::statements(bool uniform, std::uint32_t budget) {
  for (std::uint32_t n = 0; n < budget; ++n) {
    statement(uniform, budget);
  }
}

void Maker::statement(bool uniform, std::uint32_t budget) {
  const std::uint32_t choice = draw(100);
  if (choice < 60 || depth_ > 3) {
    access();
  } else if (choice < 72) {
    uniform ? barrier() : access();
  } else if (choice < 76) {
    block(fmt::format("if ({})", condition(true)), uniform, budget);
  } else if (choice < 86) {
    block(fmt::format("if ({})", condition(false)), false, budget);
  } else {
    loop(uniform, budget);
  }
}

void Maker::block(const std::string& head, bool uniform, std::uint32_t budget) {
  line(head + " {");
  ++depth_;
  statements(uniform, 1 + draw(std::min(budget, 2U)));
  --depth_;
  line("}");
}

void Maker::loop(bool uniform, std::uint32_t budget) {
  const std::string k = fmt::format("k{}", loops_++);
  const bool strides = chance(25);
  const bool even = chance(75);
  if (strides) {
    const std::string from = one_of({"t", "i", "g", "t + 1u"});
    const std::string step =
        one_of({fmt::format("{}u", invocations_), fmt::format("{}u", 3 * invocations_),
                "gl_NumWorkGroups.x * gl_WorkGroupSize.x",
                fmt::format("{}u", 1 + draw(3 * invocations_))});
    line(fmt::format("for (uint {} = {}; {} < {}u; {} += {}) {{", k, from, k,
                     invocations_ * (1 + draw(12)), k, step));
  } else {
    const std::string end = even ? one_of({"2", "3", "4"}) : one_of({"i % 3u", "1 + (g & 1u)"});
    line(fmt::format("for (uint {} = 0; {} < {}; ++{}) {{", k, k, end, k));
  }
  counters_.push_back(k);
  ++depth_;
  statements(uniform && even && !strides, 1 + draw(std::min(budget, 2U)));
  --depth_;
  line("}");
  counters_.pop_back();
}

std::string Maker::index() {
  const std::string w = fmt::format("{}u", invocations_);
  if (!counters_.empty() && chance(55)) {
    const std::string& k = counters_[draw(static_cast<std::uint32_t>(counters_.size()))];
    return one_of({k, k, "t * 4u + " + k, "t + " + k + " * " + w + " * 3u",
                   "(g * 4u + " + k + ") * " + w + " + i", "t + " + k, k + " * 5u + i",
                   "(t / 4u * 4u + " + k + ") * 4u + t % 4u", "t * 3u + " + k,
                   "(g * 4u + " + k + ") * " + w + " + i / 2u * 2u"});
  }
  return one_of({"t", "t", "t", "t", "g * " + w + " + i", "g * " + w + " + " + w + " - 1u - i",
                 fmt::format("g * {}u + i", invocations_ - draw(2)), "t * 2u + 1u", "t ^ 1u",
                 "t + 1u", "t / 2u", "i", "g", fmt::format("{}u", draw(200)), "given[t] % 200u",
                 fmt::format("t * {}u % 256u", 1 + draw(6)),
                 fmt::format("t + {}u", invocations_ * 3 * draw(3))});
}

std::string Maker::place() {
  switch (draw(10)) {
    case 0:
      return "head";
    case 1:
      return "more[" + index() + "].x";
    case 2:
      return "more[" + index() + "].y";
    default:
      return "data[" + index() + "]";
  }
}

std::string Maker::condition(bool uniform) {
  if (uniform) {
    return one_of({"g == 0u", "g != 1u", "gl_NumWorkGroups.x == 3u"});
  }
  return one_of({fmt::format("i < {}u", 1 + draw(invocations_)),
                 fmt::format("i == {}u", draw(invocations_)), "i % 2u == 0u", "t % 3u == 1u",
                 fmt::format("t < {}u", invocations_ * 2), "t == 0u", "g == 0u && i == 0u"});
}

// What is written is no other invocation's value.
void Maker::access() {
  const std::string where = place();
  const std::uint32_t kind = draw(10);
  if (atomics_ && kind < 4) {
    line(fmt::format("sum += atomicAdd({}, 1u);", where));
  } else if (kind < 7) {
    line(fmt::format("{} = t * 64u + {}u;", where, written_++ % 64));
  } else {
    line(fmt::format("sum += {};", where));
  }
}

void Maker::barrier() {
  line(atomics_ ? "barrier();" : "memoryBarrierBuffer(); barrier();");
}

}  // namespace

std::string random_buffer_kernel(std::uint64_t seed) {
  return Maker(seed).make();
}

}  // namespace test
