// Kernels that compute one index in several places, behind guards that differ.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "probes/random_kernel.h"
#include "probes/random_maker.h"

namespace test {
namespace {

class GuardMaker final : public RandomMaker {
 public:
  explicit GuardMaker(std::uint64_t seed)
      : RandomMaker(
            core::mix(seed ^ 0x60A7D5),
            {.accesses = 45, .barriers = 12, .together = 4, .apart = 28, .deepest = 3, .most = 3}) {
  }
  std::string make();

 private:
  void sums();
  void functions();
  void body();
  void halo();
  void loop(bool uniform, std::uint32_t budget) override;
  void access() override;
  void barrier() override;
  std::string condition(bool uniform) override;
  std::string column();
  std::string index();
  std::string narrow(const std::string& value);

  std::uint32_t width_ = 1;
  std::uint32_t height_ = 1;
  std::uint32_t row_ = 16;
  std::uint32_t written_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::string> sums_;
  std::vector<std::string> functions_;
  bool narrow_ = false;
  bool images_ = false;
  bool halo_ = false;
};

std::string GuardMaker::make() {
  static constexpr std::array<std::array<std::uint32_t, 2>, 9> sizes{
      {{8, 1}, {16, 1}, {20, 1}, {32, 1}, {33, 1}, {64, 1}, {8, 8}, {18, 4}, {10, 10}}};
  const auto& size = sizes[draw(sizes.size())];
  width_ = size[0];
  height_ = size[1];
  row_ = std::array<std::uint32_t, 5>{8, 10, 16, 18, 32}[draw(5)];
  narrow_ = chance(45);
  images_ = chance(30);
  halo_ = chance(25);
  line("#version 450");
  line("#extension GL_EXT_shader_explicit_arithmetic_types : require");
  line(fmt::format("layout(local_size_x = {}, local_size_y = {}) in;", width_, height_));
  line("layout(set = 0, binding = 0) readonly buffer Given { uint given[]; };");
  line("layout(set = 0, binding = 1) buffer Data { uint data[]; };");
  line("layout(set = 0, binding = 2) buffer More { uint head; uint more[]; };");
  if (images_) {
    line("layout(set = 0, binding = 3, r32ui) uniform uimageBuffer texels;");
    line("layout(set = 0, binding = 4, r32ui) uniform uimage2D image;");
  }
  const bool known = chance(60);
  line(fmt::format("layout(push_constant) uniform Push {{ uint {}; uint pitch; }};",
                   known ? "first" : "given_first"));
  if (!known) {
    line("#define first given[1]");
  }
  line("shared uint own[256];");
  line(fmt::format("shared uint tile[{}][{}];", height_ + 2, width_ + 2));
  sums();
  functions();
  line("void main() {");
  nested([this] { body(); });
  line("}");
  return text_;
}

std::string GuardMaker::column() {
  return one_of({"x", "x", "x + 1u", "x ^ 1u", "x * 2u", "y", "i", "x + n", "min(x, 7u)", "x & 15u",
                 "(x < 5u ? x : 2u)", "max(x, 3u) - 3u"});
}

// A few sums, each of which is written down at several places.
void GuardMaker::sums() {
  for (std::uint32_t n = 0; n < 2; ++n) {
    columns_.push_back(chance(60) ? fmt::format("(first + ({}))", column()) : column());
  }
  const std::string row = one_of({"g", "y", "g + y", "i / 8u", "g * 4u + y"});
  const std::string stride = chance(70) ? fmt::format("{}u", row_) : "pitch";
  for (const std::string& c : columns_) {
    sums_.push_back(fmt::format("({}) * {} + ({})", row, stride, c));
  }
  sums_.push_back(columns_.front());
  sums_.push_back(fmt::format("t + {}u", draw(3)));
  sums_.emplace_back("t");
}

std::string GuardMaker::narrow(const std::string& value) {
  const std::string type = one_of({"int8_t", "uint8_t", "int16_t", "uint16_t", "int"});
  const std::string moved = one_of({"", "", " + 100u", " - 3u", " + 120u", " + 65530u"});
  return fmt::format("{}({}{})", type, value, moved);
}

std::string GuardMaker::index() {
  std::string at = one_of({sums_[0], sums_[0], sums_[1], sums_[2], sums_[3], sums_[4]});
  if (!counters_.empty() && chance(50)) {
    const std::string& k = any_counter();
    at = one_of({k, sums_[0] + " + " + k, fmt::format("({} + {}) * {}u + x", "g", k, row_),
                 "t + " + k + " * " + fmt::format("{}u", width_ * height_ * 3)});
  }
  return at;
}

// What is passed to a function is guarded by some callers, and by others not.
void GuardMaker::functions() {
  const std::uint32_t count = draw(4);
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::string name = fmt::format("f{}", n);
    const std::string at =
        one_of({fmt::format("a * {}u + (first + b)", row_), "a * pitch + (first + b)",
                fmt::format("a * {}u + b", row_), "first + b"});
    const std::string guard = one_of({"", "", fmt::format("if (b < {}u) ", row_),
                                      fmt::format("if (first + b < {}u) ", row_), "if (a == 0u) ",
                                      fmt::format("if (b >= {}u) return; ", row_)});
    const std::string what = chance(60) ? "data" : "more";
    line(fmt::format("void {}(uint a, uint b) {{ {}{}[{}] = a * 256u + b + {}u; }}", name, guard,
                     what, at, 4096 * (1 + n)));
    functions_.push_back(name);
  }
  line(fmt::format("bool fits(uint b) {{ return b < {}u; }}", row_));
  line("uint both(uint a, uint b) { return first + a + b; }");
}

void GuardMaker::body() {
  line("const uint x = gl_LocalInvocationID.x;");
  line("const uint y = gl_LocalInvocationID.y;");
  line("const uint i = gl_LocalInvocationIndex;");
  line("const uint g = gl_WorkGroupID.x;");
  line(fmt::format("const uint t = g * {}u + i;", width_ * height_));
  line("const uint n = given[0] & 3u;");
  line("uint sum = 0;");
  if (halo_) {
    halo();
  }
  const std::uint32_t count = 3 + draw(5);
  statements(true, count, count);
  line("if (sum == 0x12345u) own[i % 256u] = sum;");
}

// A tile with a halo, part of which may be left out; read at once or behind a barrier.
void GuardMaker::halo() {
  line("tile[y + 1u][x + 1u] = t;");
  const std::string left =
      one_of({"if (x == 0u) tile[y + 1u][0] = t;", "", "if (x < 1u) tile[y + 1u][x] = t;"});
  const std::string right =
      one_of({fmt::format("if (x == {}u) tile[y + 1u][{}] = t;", width_ - 1, width_ + 1),
              fmt::format("if (x + 1u >= {}u) tile[y + 1u][x + 2u] = t;", width_),
              fmt::format("if (x < 2u) tile[y + 1u][x + {}u] = t;", width_)});
  const std::string top =
      one_of({"if (y == 0u) tile[0][x + 1u] = t;", "if (y < 1u) tile[y][x] = t;"});
  line(left);
  line(right);
  line(top);
  if (chance(70)) {
    line("barrier();");
  }
  line(one_of({"sum += tile[y + 1u][x] + tile[y + 1u][x + 2u];", "sum += tile[y][x + 1u];",
               "sum += tile[y + 2u][x + 1u];",
               fmt::format("if (x > 0u && x + 1u < {}u) sum += tile[y + 1u][x] + tile[y + 1u][x + "
                           "2u];",
                           width_)}));
  if (chance(60)) {
    line("barrier();");
  }
}

void GuardMaker::loop(bool uniform, std::uint32_t budget) {
  const std::string k = new_counter();
  const std::uint32_t kind = draw(4);
  const bool alike = uniform && kind < 2;
  if (kind < 2) {
    line(fmt::format("for (uint {} = 0; {} < {}; ++{}) {{", k, k,
                     one_of({"2u", "3u", "4u", "min(pitch, 3u)"}), k));
  } else if (kind == 2) {
    line(fmt::format("for (uint {} = {}; {} < {}u; {} += {}u) {{", k, one_of({"x", "i", "t"}), k,
                     width_ * height_ * (1 + draw(4)), k,
                     one_of({fmt::format("{}", width_), fmt::format("{}", width_ * height_),
                             fmt::format("{}", width_ * height_ * 3)})));
  } else {
    const std::string type = one_of({"int8_t", "uint8_t", "int16_t", "uint16_t"});
    line(
        fmt::format("for ({} w{} = {}(x); w{} < {}({}); w{} += {}({})) {{ const uint {} = "
                    "uint(w{});",
                    type, k, type, k, type, 20 + draw(40), k, type, 9 + draw(24), k, k));
  }
  counters_.push_back(k);
  nested([&] {
    const std::uint32_t count = some(budget);
    statements(alike, count, count);
  });
  line("}");
  counters_.pop_back();
}

std::string GuardMaker::condition(bool uniform) {
  if (uniform) {
    return one_of({"g == 0u", "g != 1u", "first == 0u", "pitch > 3u"});
  }
  const std::string limit = one_of({fmt::format("{}u", row_), fmt::format("{}u", row_ / 2), "8u",
                                    "16u", "pitch", fmt::format("{}u", 1 + draw(width_))});
  const std::string what = "(" +
                           one_of({"x", "x", "y", "i", columns_[0], columns_[0], columns_[1],
                                   sums_[0], "t", "n", "both(x, 1u)"}) +
                           ")";
  switch (draw(6)) {
    case 0:
      return fmt::format("x < {} && y < {}u", limit, 1 + draw(height_));
    case 1:
      return fmt::format("fits({})", what);
    case 2:
      return fmt::format("{} >= {} || y == 1u", what, limit);
    case 3:
      return fmt::format("int({}) < int({})", what, limit);
    case 4:
      return fmt::format("{} % 2u == 0u", what);
    default:
      return fmt::format("{} < {}", what, limit);
  }
}

// What is written is no other invocation's value.
void GuardMaker::access() {
  const std::uint32_t kind = draw(100);
  std::string at = index();
  if (kind < 15 && !functions_.empty()) {
    line(fmt::format("{}({}, {});", functions_[draw(static_cast<std::uint32_t>(functions_.size()))],
                     one_of({"g", "y", "g + y"}),
                     one_of({"x", "x + 1u", columns_[0], "min(x, 7u)"})));
    return;
  }
  const std::string value = fmt::format("t * 64u + {}u", written_++ % 64);
  if (images_ && kind < 45) {
    const bool flat = chance(50);
    const std::string place =
        flat ? fmt::format("texels, int({})", at)
             : fmt::format("image, ivec2({})",
                           one_of({"x, g * " + fmt::format("{}u", height_) + " + y",
                                   columns_[0] + ", y", "first + x, g", "t, 0"}));
    line(chance(60) ? fmt::format("imageStore({}, uvec4({}));", place, value)
                    : fmt::format("sum += imageLoad({}).x;", place));
    return;
  }
  at = narrow_ && chance(40) ? narrow(at) : at;
  const std::uint32_t where = draw(10);
  const std::string place = where < 5   ? fmt::format("data[{}]", at)
                            : where < 7 ? fmt::format("more[{}]", at)
                                        : fmt::format("own[{}]", at);
  line(chance(65) ? fmt::format("{} = {};", place, value) : fmt::format("sum += {};", place));
}

void GuardMaker::barrier() {
  line(chance(50) ? "memoryBarrierBuffer(); barrier();" : "barrier();");
}

}  // namespace

std::string random_guarded_kernel(std::uint64_t seed) {
  return GuardMaker(seed).make();
}

}  // namespace test
