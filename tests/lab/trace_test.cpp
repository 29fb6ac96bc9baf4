// Small kernels whose accesses are known one by one, on whatever device is there.
#include "lab/probe/trace.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/provenance/provenance.h"
#include "core/report/trace_races.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"
#include "tests/lab/specimens.h"

namespace lab {
namespace {

std::shared_ptr<gpu::Driver> driver() {
  static const auto opened = gpu::Driver::open({.validation = false});
  return opened ? *opened : nullptr;
}

class Traces : public testing::Test {
 protected:
  void SetUp() override {
    const auto info = driver() ? driver()->pick("") : core::device_error("none");
    if (!info) {
      GTEST_SKIP() << "no Vulkan device";
    }
    auto opened = gpu::Device::open(driver(), *info, {.robust = true});
    ASSERT_TRUE(opened) << opened.error().message;
    device = std::move(*opened);
  }

  core::Trace trace(const std::string& source, glm::uvec3 workgroup = {},
                    const TraceOptions& options = {}) {
    if (launched.size.empty()) {
      launched.size = {3, 2, 1};
    }
    const auto specimen = ::test::specimen_of(*device, source, "kernel.comp", launched);
    EXPECT_TRUE(specimen) << specimen.error().message;
    auto result = trace_workgroup(*device, **specimen, workgroup, options);
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(core::Trace{});
  }

  std::unique_ptr<gpu::Device> device;
  core::Experiment launched;
};

std::vector<core::TracedAccess> at_line(const core::Trace& t, std::uint32_t line,
                                        core::Access access) {
  std::vector<core::TracedAccess> found;
  std::ranges::copy_if(t.accesses, std::back_inserter(found), [&](const core::TracedAccess& a) {
    return t.sites[a.site].at.line == line && t.sites[a.site].access == access;
  });
  return found;
}

const core::TracedVariable& variable(const core::Trace& t, const std::string& name) {
  const auto found = std::ranges::find(t.variables, name, &core::TracedVariable::name);
  EXPECT_NE(found, t.variables.end()) << name;
  return *found;
}

// Counted by hand; what differs between invocations counts as each made it.
TEST_F(Traces, CountFloatingPointWork) {
  const auto flops = [&](const std::string& body) {
    return trace(
               "#version 450\nlayout(local_size_x = 8) in;\n"
               "layout(set = 0, binding = 0) buffer Data { vec4 v[]; };\n"
               "layout(set = 0, binding = 1) buffer Matrices { mat4 m; };\n"
               "void main() {\n  uint i = gl_LocalInvocationID.x;\n  vec4 a = v[i];\n" +
               body + "\n  v[i + 8] = a;\n}\n")
        .flops;
  };
  EXPECT_EQ(flops(""), 0.0);
  EXPECT_EQ(flops("a = a * v[9] + v[10];"), 8.0 * 8);
  EXPECT_EQ(flops("a = fma(a, v[9], v[10]) / 3.0;"), 8.0 * 12);
  EXPECT_EQ(flops("a.x = dot(a, v[9]);"), 8.0 * 7);
  EXPECT_EQ(flops("a = m * a;"), 8.0 * 28);
  EXPECT_EQ(flops("a = sqrt(abs(a)); a = max(a, -v[9]);"), 8.0 * 4);
  EXPECT_EQ(flops("for (uint k = 0; k < i; ++k) a.x += v[k].y * 2.0;"), 2.0 * 28);
  EXPECT_EQ(flops("if (i > 5) { a.x *= v[20].x; i += 3u; }"), 2.0);
}

TEST_F(Traces, TellEveryAccessOfAReversal) {
  const core::Trace t = trace(R"(#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[8];
void main() {
  uint i = gl_LocalInvocationID.x;
  tile[i] = data[gl_GlobalInvocationID.x] + 100;
  barrier();
  data[gl_GlobalInvocationID.x] = tile[7 - i];
}
)",
                              {2, 0, 0});
  EXPECT_EQ(t.workgroup, (std::array<std::uint32_t, 3>{2, 0, 0}));
  EXPECT_EQ(t.local_size, (std::array<std::uint32_t, 3>{8, 1, 1}));
  ASSERT_EQ(t.phases.size(), 2U);
  EXPECT_EQ(t.phases[1].opened_by, 1U);
  EXPECT_EQ(t.lost, 0U);
  EXPECT_TRUE(t.incomplete.empty());
  ASSERT_EQ(t.accesses.size(), 32U);
  EXPECT_EQ(t.phases[0].last, 16U);
  const auto loads = at_line(t, 9, core::Access::read);
  const auto stores = at_line(t, 7, core::Access::write);
  ASSERT_EQ(loads.size(), 8U);
  ASSERT_EQ(stores.size(), 8U);
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(stores[i].invocation, i);
    EXPECT_EQ(stores[i].offset, 4 * i);
    EXPECT_EQ(stores[i].value, 16 + i + 100);  // iota: element 16 + i of workgroup 2
    EXPECT_EQ(stores[i].moment, 1U);
    EXPECT_EQ(loads[i].phase, 1U);
    EXPECT_EQ(loads[i].offset, 4 * (7 - i));
    EXPECT_EQ(loads[i].value, 16 + 7 - i + 100);
  }
  EXPECT_TRUE(core::find_races(t).empty());
}

// Line 9 sums what a loop reads, line 10 stores one value of its two reads.
TEST_F(Traces, TellWhatAWrittenValueIsComputedFrom) {
  const core::Trace t = trace(R"(#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer C { float c[]; };
shared float tile[4];
void main() {
  uint i = gl_LocalInvocationID.x;
  float sum = 0.0;
  for (uint k = 0; k < 3; ++k) sum += a[4 * k + i];
  tile[i] = sum;
  barrier();
  float unused = a[i];
  c[i] = tile[3 - i] * 2.0;
}
)");
  const auto fed_by = [&](std::uint32_t line) {
    std::vector<std::pair<std::uint32_t, bool>> lines;
    for (const core::TracedSite& s : t.sites) {
      for (const core::TracedFeed& f : s.at.line == line ? s.fed_by : decltype(s.fed_by)()) {
        lines.emplace_back(t.sites[f.site].at.line, f.carried);
      }
    }
    return lines;
  };
  using Lines = std::vector<std::pair<std::uint32_t, bool>>;
  EXPECT_EQ(fed_by(10), (Lines{{9, true}})) << "iterations carry the sum on";
  EXPECT_EQ(fed_by(13), (Lines{{13, false}}));
  const auto variable = static_cast<std::uint32_t>(
      std::ranges::find(t.variables, "c", &core::TracedVariable::name) - t.variables.begin());
  const auto p = core::provenance_of(t, variable, 4);
  ASSERT_TRUE(p);
  ASSERT_EQ(p->writes.size(), 2U) << "c[1], and tile[2] that it comes from";
  EXPECT_EQ(t.accesses[p->writes[1].access].invocation, 2U);
  EXPECT_EQ(p->writes[1].reads.size(), 3U);
  EXPECT_FALSE(p->strange);
  const auto lines = core::in_words(t, *p);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].text.starts_with("line 13: invocation (1,0,0) wrote c[1] = "))
      << lines[0].text;
  EXPECT_TRUE(lines[2].text.starts_with("line 10: invocation (2,0,0) wrote tile[2] = "));
  EXPECT_TRUE(lines[3].text.starts_with("line 9: read 3 values (a[2] to a[10])")) << lines[3].text;
}

TEST_F(Traces, KeepAccessesOutsideForTheirFinding) {
  const core::Trace t = trace(R"(#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) writeonly buffer C { float c[3]; };
void main() {
  c[gl_LocalInvocationID.x] = 2.0;
}
)");
  EXPECT_EQ(t.accesses.size(), 3U);
  ASSERT_EQ(t.outside.size(), 1U);
  EXPECT_EQ(t.outside[0].invocation, 3U);
  EXPECT_EQ(t.outside[0].offset, 12U);
}

TEST_F(Traces, LayBuffersAndSharedMemoryOut) {
  const core::Trace t = trace(R"(#version 450
layout(local_size_x = 4) in;
struct Particle { vec3 at; float mass; int kind; };
layout(set = 0, binding = 1, std430) buffer Block {
  uint count; layout(row_major) mat2x3 turn; Particle all[];
};
shared Particle near[4];
shared mat2x3 tilted;
void main() {
  uint i = gl_LocalInvocationID.x;
  near[i] = all[i];
  if (i == 0) tilted = turn;
  if (i == 3) all[i].at.y = float(count);
}
)");
  EXPECT_EQ(variable(t, "near").type, "Particle[4]");
  EXPECT_EQ(variable(t, "near").bytes, 80U);
  EXPECT_EQ(variable(t, "tilted").address, 80U);
  EXPECT_EQ(variable(t, "all").address, 32U);
  EXPECT_EQ(variable(t, "turn").address, 8U);
  const auto offsets = [&](std::uint32_t line, core::Access access, std::uint32_t invocation) {
    std::vector<std::uint64_t> all;
    for (const core::TracedAccess& a : at_line(t, line, access)) {
      if (a.invocation == invocation) {
        all.push_back(a.offset);
      }
    }
    return all;
  };
  using Offsets = std::vector<std::uint64_t>;
  EXPECT_EQ(offsets(11, core::Access::read, 2), (Offsets{64, 68, 72, 76, 80}));
  EXPECT_EQ(offsets(11, core::Access::write, 2), (Offsets{40, 44, 48, 52, 56}));
  // Rows of two, eight bytes apart; the columns of a value come one after the other.
  EXPECT_EQ(offsets(12, core::Access::read, 0), (Offsets{0, 8, 16, 4, 12, 20}));
  EXPECT_EQ(offsets(12, core::Access::write, 0), (Offsets{0, 4, 8, 12, 16, 20}));
  EXPECT_EQ(offsets(13, core::Access::write, 3), (Offsets{100}));
}

TEST_F(Traces, TellValuesOfAllWidths) {
  const core::Trace t = trace(R"(#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 2) in;
shared uint8_t bytes[2];
shared int16_t shorts[2];
shared uint64_t longs[2];
shared double doubles[2];
shared bool flags[2];
shared f16vec2 halves[2];
void main() {
  uint i = gl_LocalInvocationID.x;
  bytes[i] = uint8_t(200 + i);
  shorts[i] = int16_t(-5 - int(i));
  longs[i] = (uint64_t(7 + i) << 40) + 9;
  doubles[i] = 0.1 + double(i);
  flags[i] = i == 1;
  halves[i] = f16vec2(0.5, 1.0 + float(i));
}
)");
  const auto values = [&](std::uint32_t line) {
    std::vector<std::uint64_t> all;
    for (const core::TracedAccess& a : at_line(t, line, core::Access::write)) {
      all.push_back(a.value);
    }
    return all;
  };
  using Values = std::vector<std::uint64_t>;
  EXPECT_EQ(values(12), (Values{200, 201}));
  EXPECT_EQ(values(13), (Values{0xFFFB, 0xFFFA}));
  EXPECT_EQ(values(14), (Values{(7ULL << 40U) + 9, (8ULL << 40U) + 9}));
  EXPECT_EQ(values(15),
            (Values{std::bit_cast<std::uint64_t>(0.1), std::bit_cast<std::uint64_t>(1.1)}));
  EXPECT_EQ(values(16), (Values{0, 1}));
  EXPECT_EQ(values(17), (Values{0x3800, 0x3C00, 0x3800, 0x4000}));
}

TEST_F(Traces, TellAtomicsAndSubgroupBarriers) {
  const core::Trace t = trace(R"(#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint sum;
void main() {
  if (gl_LocalInvocationIndex == 0) sum = 10;
  barrier();
  uint before = atomicAdd(sum, 3);
  subgroupBarrier();
  data[gl_LocalInvocationIndex] = before;
}
)");
  std::multiset<std::uint64_t> seen;
  for (const core::TracedAccess& a : at_line(t, 9, core::Access::atomic)) {
    EXPECT_EQ(a.subgroup_phase, 0U);
    seen.insert(a.value);
  }
  EXPECT_EQ(seen, (std::multiset<std::uint64_t>{10, 13, 16, 19}));
  for (const core::TracedAccess& a : at_line(t, 11, core::Access::write)) {
    EXPECT_EQ(a.subgroup_phase, 1U);
    EXPECT_EQ(a.phase, 1U);
  }
  ASSERT_EQ(t.subgroup.size(), 4U);
  EXPECT_EQ(std::set<std::uint32_t>(t.lane.begin(), t.lane.end()).size() *
                std::set<std::uint32_t>(t.subgroup.begin(), t.subgroup.end()).size(),
            4U);
}

constexpr const char* kCounting = R"(#version 450
layout(local_size_x = 16) in;
shared uint cells[16];
void main() {
  for (uint k = 0; k < 50; ++k) {
    cells[gl_LocalInvocationIndex] = k * gl_NumWorkGroups.y + gl_WorkGroupID.x;
  }
}
)";

TEST_F(Traces, CountWhatDoesNotFit) {
  const core::Trace t = trace(kCounting, {}, {.most_bytes = std::uint64_t{16} * 10 * 12});
  EXPECT_EQ(t.accesses.size(), 160U);  // three words each
  EXPECT_EQ(t.lost, 640U);
  EXPECT_EQ(t.incomplete.size(), 1U);
  EXPECT_EQ(t.accesses.back().turn, 9U);
}

TEST_F(Traces, RunTheWorkgroupAsInTheWholeLaunch) {
  const core::Trace t = trace(kCounting, {1, 1, 0});
  EXPECT_EQ(t.accesses.size(), 800U);
  EXPECT_EQ(t.accesses.back().value, 49U * 2 + 1);
}

TEST_F(Traces, KeepIndicesInsideAndSaySo) {
  const core::Trace t = trace(R"(#version 450
layout(local_size_x = 8) in;
shared uint cells[6];
void main() { cells[gl_LocalInvocationIndex] = 1; }
)");
  EXPECT_EQ(t.accesses.size(), 6U);
  EXPECT_EQ(t.incomplete.size(), 1U);
}

TEST_F(Traces, RefuseWhatCanNotBeTraced) {
  const auto error = [&](const std::string& source, glm::uvec3 workgroup) {
    launched.size = {3, 2, 1};
    const auto specimen = ::test::specimen_of(*device, source, "kernel.comp", launched);
    const auto result = trace_workgroup(*device, **specimen, workgroup);
    EXPECT_FALSE(result);
    return result ? core::Error{} : result.error();
  };
  EXPECT_NE(error(kCounting, {3, 0, 0}).message.find("3×2×1"), std::string::npos);
  const core::Error refused = error(R"(#version 450
layout(local_size_x = 8) in;
void main() { if (gl_LocalInvocationIndex > 2) barrier(); }
)",
                                    {});
  EXPECT_EQ(refused.fault, core::Fault::usage);
}

TEST_F(Traces, FindTheRacingCells) {
  const core::Trace t = trace(R"(#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i] = i;
  data[i] = tile[i + 1];
}
)");
  const auto races = core::find_races(t);
  ASSERT_EQ(races.size(), 1U);
  EXPECT_EQ(races.front().count, 3U);
  const auto cells = core::racing_cells(t);
  ASSERT_EQ(cells.size(), 3U);
  for (std::uint32_t n = 0; n < 3; ++n) {
    EXPECT_EQ(cells[n].offset, 4 * (n + 1));
    EXPECT_EQ(t.accesses[cells[n].first].invocation, n + 1);  // wrote its own
    EXPECT_EQ(t.accesses[cells[n].second].invocation, n);     // read its neighbour's
  }
}

// Values of a tile are those of the matrix, and products add up to what is stored.
TEST_F(Traces, AgreeWithATiledProduct) {
  const auto shaders = find_shaders();
  ASSERT_TRUE(shaders);
  const core::Catalogue catalogue = read_catalogue(*shaders);
  Workbench bench(std::move(device));
  core::Experiment experiment{.variant = "matmul/tiled", .size = {40, 24, 20}, .tile = 8};
  auto setup = bench.set_up(*catalogue.find("matmul/tiled"), experiment, 1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  const auto result = trace_workgroup(bench.device(), *(*setup)->kernel().specimen, {1, 2, 0});
  ASSERT_TRUE(result) << result.error().message;
  const core::Trace& t = *result;
  constexpr std::uint32_t tile = 8, width = 20, columns = 24, steps = 3;
  EXPECT_EQ(t.phases.size(), 2 * steps + 1);
  const auto& a = (*setup)->data->inputs[0];
  std::map<std::string, std::uint64_t> counts;
  std::map<std::uint32_t, std::pair<float, float>> sums;  // by invocation: a's factor, the sum
  for (const core::TracedAccess& access : t.accesses) {
    const core::TracedSite& site = t.sites[access.site];
    const std::string& name = t.variables[site.variable].name;
    ++counts[name + (site.writes ? " written" : " read")];
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(access.value));
    const std::uint32_t row = 2 * tile + access.invocation / tile;
    if (name == "tile_a" && site.writes) {
      const std::uint32_t column = access.phase / 2 * tile + access.invocation % tile;
      EXPECT_EQ(value, column < width ? a[row * width + column] : 0.0F);
    } else if (name == "tile_a") {
      sums[access.invocation].first = value;
    } else if (name == "tile_b" && !site.writes) {
      sums[access.invocation].second += sums[access.invocation].first * value;
    } else if (name == "c") {
      EXPECT_EQ(access.offset, 4 * (row * columns + tile + access.invocation % tile));
      EXPECT_NEAR(value, sums[access.invocation].second, 1e-5);
    }
  }
  EXPECT_EQ(counts["tile_a read"], tile * tile * tile * steps);
  EXPECT_EQ(counts["tile_b read"], tile * tile * tile * steps);
  EXPECT_EQ(counts["tile_a written"], tile * tile * steps);
  EXPECT_EQ(counts["a read"], tile * width);
  EXPECT_EQ(counts["c written"], tile * tile);
}

}  // namespace
}  // namespace lab
