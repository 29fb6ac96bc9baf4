// Kernels that go wrong in storage buffers, within workgroups and between them.
#include <array>
#include <string>

#include <fmt/format.h>

#include "core/base/random.h"
#include "probes/random_kernel.h"
#include "probes/random_maker.h"

namespace test {
namespace {

class BufferMaker final : public RandomMaker {
 public:
  explicit BufferMaker(std::uint64_t seed)
      : RandomMaker(
            core::mix(seed ^ 0xB0FFE5),
            {.accesses = 60, .barriers = 12, .together = 4, .apart = 10, .deepest = 3, .most = 2}) {
  }
  std::string make();

 private:
  void body();
  void loop(bool uniform, std::uint32_t budget) override;
  void access() override;
  void barrier() override;
  std::string condition(bool uniform) override;
  std::string place();
  std::string index();

  std::uint32_t written_ = 0;
  std::uint32_t invocations_ = 1;
  bool atomics_ = false;  // then nothing but workgroups' ends orders buffers
};

std::string BufferMaker::make() {
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
  nested([this] { body(); });
  line("}");
  return text_;
}

void BufferMaker::body() {
  line("const uint i = gl_LocalInvocationID.x;");
  line("const uint g = gl_WorkGroupID.x;");
  line("const uint t = gl_GlobalInvocationID.x;");
  line("uint sum = 0;");
  const std::uint32_t count = 2 + draw(5);
  statements(true, count, count);
  line("own[i] = sum;");
}

void BufferMaker::loop(bool uniform, std::uint32_t budget) {
  const std::string k = new_counter();
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
  nested([&] {
    const std::uint32_t count = some(budget);
    statements(uniform && even && !strides, count, count);
  });
  line("}");
  counters_.pop_back();
}

std::string BufferMaker::index() {
  const std::string w = fmt::format("{}u", invocations_);
  if (!counters_.empty() && chance(55)) {
    const std::string& k = any_counter();
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

std::string BufferMaker::place() {
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

std::string BufferMaker::condition(bool uniform) {
  if (uniform) {
    return one_of({"g == 0u", "g != 1u", "gl_NumWorkGroups.x == 3u"});
  }
  return one_of({fmt::format("i < {}u", 1 + draw(invocations_)),
                 fmt::format("i == {}u", draw(invocations_)), "i % 2u == 0u", "t % 3u == 1u",
                 fmt::format("t < {}u", invocations_ * 2), "t == 0u", "g == 0u && i == 0u"});
}

// What is written is no other invocation's value.
void BufferMaker::access() {
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

void BufferMaker::barrier() {
  line(atomics_ ? "barrier();" : "memoryBarrierBuffer(); barrier();");
}

}  // namespace

std::string random_buffer_kernel(std::uint64_t seed) {
  return BufferMaker(seed).make();
}

}  // namespace test
