// Which accesses to storage buffers provably never meet in a launch, and which must not be proven.
#include "spirv/analysis/memory/buffer_proofs.h"

#include <gtest/gtest.h>

#include "spirv/analysis/examination.h"
#include "spirv/analysis/memory/ticket.h"
#include "spirv/compile.h"
#include "spirv/module/module.h"

namespace {

struct Grid {
  std::array<std::uint32_t, 3> groups{8, 1, 1};
  std::vector<std::uint32_t> push{};
  bool guesses = false;  // tickets, subgroups of 16 in order, counters that begin as 0
};

// Pairs left to check, of a kernel with a buffer, `n` and `m` as push constants, the invocation's
// place `i` in the launch, `l` in its workgroup and the workgroup's number `g`.
std::size_t open_pairs(const std::string& body, const Grid& grid = {},
                       const std::string& size = "local_size_x = 64") {
  const std::string source =
      "#version 450\n#extension GL_EXT_control_flow_attributes : require\n"
      "#extension GL_KHR_shader_subgroup_basic : require\nlayout(" +
      size +
      ") in;\n"
      "shared uint ticket, other;\n"
      "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
      "layout(set = 0, binding = 1) buffer Vectors { uvec4 vectors[]; };\n"
      "layout(set = 0, binding = 1) buffer Words { uint words[]; };\n"
      "layout(set = 0, binding = 2) buffer Parts { uint v[]; } parts[4];\n"
      "layout(set = 0, binding = 6, r32ui) uniform uimage2D images[2];\n"
      "layout(push_constant) uniform Push { uint n; uint m; };\n"
      "void main() {\n"
      "const uint i = gl_GlobalInvocationID.x;\nconst uint l = gl_LocalInvocationID.x;\n"
      "const uint g = gl_WorkGroupID.x;\n" +
      body + "\n}\n";
  const auto any_launch = spirv::Examination::of(test::compile(source), {});
  EXPECT_TRUE(any_launch) << any_launch.error().message;
  std::vector<spirv::BoundBuffer> bound(8, {.bytes = 65536, .words = {}});
  bound[2].descriptors = 4;
  bound[6].descriptors = 2;
  bound[6].lengths = bound[7].lengths = {512, 16, 0};
  const auto examined =
      spirv::Examination::of_canonical(spirv::write((*any_launch)->program.module),
                                       {.groups = grid.groups,
                                        .push_constants = {grid.push.begin(), grid.push.end()},
                                        .buffers = std::move(bound),
                                        .addresses = {}});
  EXPECT_TRUE(examined) << examined.error().message;
  const spirv::Examination& x = **examined;
  spirv::LaunchFacts facts{grid.groups, grid.groups, grid.push, {}};
  if (grid.guesses) {
    facts.ticket = spirv::find_ticket(x.program, x.uniformity);
    facts.subgroup = 16;
    facts.counts_from_zero = true;
    facts.team = spirv::find_team(x.program, x.uniformity, x.buffers, facts);
  }
  return spirv::BufferProofs(x.program, x.uniformity, x.proofs, x.buffers, facts).open().size();
}

TEST(BufferProofs, EverybodyTheirOwn) {
  EXPECT_EQ(open_pairs("data[i] = l;"), 0U);
  EXPECT_EQ(open_pairs("data[i] = data[i] + 1;"), 0U);
  EXPECT_EQ(open_pairs("data[3 * i + 1] = l;"), 0U);
  EXPECT_EQ(open_pairs("vectors[i] = uvec4(l); vectors[i].y = 3;"), 0U);
}

TEST(BufferProofs, WorkgroupsMeet) {
  EXPECT_EQ(open_pairs("data[l] = l;"), 1U);
  EXPECT_EQ(open_pairs("data[l] = l;", {{1, 1, 1}}), 0U);
  EXPECT_EQ(open_pairs("data[i] = l;", {{8, 2, 1}}), 1U) << "another row of workgroups";
  EXPECT_EQ(open_pairs("data[g * 63 + l] = l;"), 1U);
  EXPECT_EQ(open_pairs("data[g * 64 + l] = l;"), 0U);
}

// A guard bounds the sum in its own block alone.
TEST(BufferProofs, ASumBehindTheGuardOfAnotherStore) {
  const std::string store = "[g * 16 + (gl_WorkGroupID.y + l)] = g;";
  const std::string guarded = "if (l < 16u) words" + store;
  EXPECT_EQ(open_pairs(guarded + " data" + store, {}, "local_size_x = 20"), 1U);
  EXPECT_EQ(open_pairs("data" + store + guarded, {}, "local_size_x = 20"), 1U);
  EXPECT_EQ(open_pairs(guarded + " if (l < 16u) data" + store, {}, "local_size_x = 20"), 0U);
  EXPECT_EQ(
      open_pairs("if (l < 16u) { words" + store + " data" + store + " }", {}, "local_size_x = 20"),
      0U);
  // A condition on the sum itself counts where both are behind it.
  EXPECT_EQ(open_pairs("if (gl_WorkGroupID.y + l < 16u) data" + store, {}, "local_size_x = 20"),
            0U);
  EXPECT_EQ(open_pairs("if (gl_WorkGroupID.y + l < 16u) words" + store + " data" + store, {},
                       "local_size_x = 20"),
            1U);
}

TEST(BufferProofs, InvocationsMeet) {
  EXPECT_EQ(open_pairs("data[g * 64 + l / 2] = l;"), 1U);
  EXPECT_EQ(open_pairs("if (l % 2 == 0) data[g * 64 + l / 2] = l;"), 0U);
  EXPECT_EQ(open_pairs("data[g] = l;"), 1U);
  EXPECT_EQ(open_pairs("if (l == 0) data[g] = l;"), 0U);
  EXPECT_GE(open_pairs("data[i ^ 1] = data[i];"), 1U);
}

TEST(BufferProofs, OneOfSeveralBuffersIsChosen) {
  const Grid four{{4, 1, 1}};
  EXPECT_EQ(open_pairs("parts[g].v[l] = l;", four), 0U);
  EXPECT_EQ(open_pairs("parts[g & 1].v[l] = l;", four), 1U);
  EXPECT_EQ(open_pairs("parts[data[0] & 3].v[i] = l;", four), 0U) << "whichever it is";
  EXPECT_EQ(open_pairs("parts[data[0] & 3].v[l] = l;", four), 1U);
  EXPECT_EQ(open_pairs("parts[g].v[l] = parts[3 - g].v[l];", four), 1U);
  EXPECT_EQ(open_pairs("parts[0].v[i] = parts[1].v[l];", four), 0U) << "two buffers";
  EXPECT_EQ(open_pairs("for (uint d = 0; d < 4; ++d) parts[d].v[i] += d;", four), 0U);
  EXPECT_EQ(open_pairs("for (uint d = 0; d < 4; ++d) parts[d].v[l] = d;", four), 1U);
}

TEST(BufferProofs, OneOfSeveralImagesIsChosen) {
  const Grid two{{2, 1, 1}};
  EXPECT_EQ(open_pairs("imageStore(images[g], ivec2(l, 0), uvec4(l));", two), 0U);
  EXPECT_EQ(open_pairs("imageStore(images[m], ivec2(l, 0), uvec4(l));", {{2, 1, 1}, {0, 1}}), 1U);
  EXPECT_EQ(open_pairs("imageStore(images[data[0] & 1], ivec2(i, 0), uvec4(l));", two), 0U);
  EXPECT_EQ(
      open_pairs("imageStore(images[0], ivec2(i, 0), imageLoad(images[1], ivec2(l, 0)));", two), 0U)
      << "two images";
}

TEST(BufferProofs, PhasesOrderAWorkgroupAlone) {
  const std::string fenced = "memoryBarrierBuffer(); barrier();";
  EXPECT_EQ(open_pairs("data[i] = l;" + fenced + "data[1024 + i] = data[g * 64 + 63 - l];"), 2U)
      << "the second store is another part of the buffer only by its bounds";
  EXPECT_EQ(open_pairs("data[g * 128 + l] = l;" + fenced +
                       "data[g * 128 + 64 + l] = data[g * 128 + 63 - l];"),
            0U);
  EXPECT_EQ(open_pairs("data[g * 128 + l] = l; barrier();"
                       "data[g * 128 + 64 + l] = data[g * 128 + 63 - l];"),
            1U);
  EXPECT_GT(open_pairs("data[g * 64 + l] = l;" + fenced + "data[g * 64 + 64 + l] = 1;"), 0U);
}

TEST(BufferProofs, AVectorBesideAnother) {
  const auto two = [](const std::string& guard, const std::string& second) {
    return "const uint at = (gl_WorkGroupID.y * n + 8 * i) / 4; if (8 * i + " + guard +
           " <= n) { vectors[at] = uvec4(0); vectors[" + second + "] = uvec4(1); }";
  };
  EXPECT_EQ(open_pairs(two("8", "at + 1"), {{2, 9, 1}, {800}}), 0U);
  EXPECT_GT(open_pairs(two("8", "at + 2"), {{2, 9, 1}, {800}}), 0U) << "a neighbour's";
  EXPECT_GT(open_pairs(two("4", "at + 1"), {{2, 9, 1}, {804}}), 0U) << "the next row's first";
}

TEST(BufferProofs, VectorsAndTheRestOfARow) {
  const auto rest = [](const std::string& first) {
    return "const uint at = gl_WorkGroupID.y * n + 4 * i; if (4 * i + 4 <= n) "
           "vectors[at / 4] = uvec4(0); else for (uint q = 0; q < 4; ++q) "
           "if (4 * i + q < n) words[at + " +
           first + "] = 1;";
  };
  EXPECT_EQ(open_pairs(rest("q"), {{2, 9, 1}, {404}}), 0U);
  EXPECT_EQ(open_pairs("vectors[i] = uvec4(0); words[4 * i + 3] = 1;"), 0U);
  EXPECT_GT(open_pairs("vectors[i] = uvec4(0); words[4 * i + 4] = 1;"), 0U);
  EXPECT_GT(open_pairs("vectors[i] = uvec4(0); words[i] = 1;"), 0U);
}

TEST(BufferProofs, ConditionsThatTheLaunchDecides) {
  const std::string either =
      "if (n % 4 == 0) vectors[i / 4 * 4 + l % 4] = uvec4(0); else data[i] = 1;";
  EXPECT_EQ(open_pairs(either, {{8, 1, 1}, {7}}), 0U) << "the vectors are never written";
  EXPECT_EQ(open_pairs("if (n < 3) data[g] = l; if (n > 9) data[l] = 1;", {{8, 1, 1}, {5}}), 0U);
  EXPECT_EQ(open_pairs("if (n > 9 && l > 3) data[g] = l;", {{8, 1, 1}, {5}}), 0U);
  EXPECT_GT(open_pairs("if (n > 9 || l > 3) data[g] = l;", {{8, 1, 1}, {5}}), 0U);
  EXPECT_GT(open_pairs("if (n < 6) data[g] = l;", {{8, 1, 1}, {5}}), 0U);
  EXPECT_GT(open_pairs("if (n < 3) data[g] = l;"), 0U) << "n is not known";
}

TEST(BufferProofs, RowsAndColumns) {
  const std::string size = "local_size_x = 16, local_size_y = 16";
  const std::string row = "const uint y = gl_GlobalInvocationID.y;";
  EXPECT_EQ(open_pairs(row + "data[y * n + i] = 1;", {{4, 4, 1}, {64, 64}}, size), 0U);
  EXPECT_EQ(open_pairs(row + "data[y * n + i] = 1;", {{4, 4, 1}, {63, 63}}, size), 1U);
  EXPECT_EQ(open_pairs(row + "if (i < n) data[y * n + i] = 1;", {{4, 4, 1}, {63, 63}}, size), 0U);
  EXPECT_EQ(open_pairs(row + "if (i >= n) return; data[y * n + i] = 1;", {{4, 4, 1}, {63}}, size),
            0U);
  EXPECT_EQ(open_pairs(row + "if (i < n + 1) data[y * n + i] = 1;", {{4, 4, 1}, {62, 63}}, size),
            1U);
  EXPECT_EQ(open_pairs(row + "data[y * n + i] = 1;", {{4, 4, 1}}, size), 1U) << "n is not known";
}

TEST(BufferProofs, StripsOfALoop) {
  EXPECT_EQ(open_pairs("for (uint k = 0; k < 4; ++k) data[g * 256 + k * 64 + l] = k;"), 0U);
  EXPECT_EQ(open_pairs("for (uint k = 0; k < 4; ++k) data[g * 256 + k * 63 + l] = k;"), 1U);
  EXPECT_EQ(open_pairs("for (uint k = 0; k < 4; ++k) data[4 * i + k] = k;"), 0U);
  EXPECT_EQ(open_pairs("for (uint k = 0; k < 5; ++k) data[4 * i + k] = k;"), 1U);
}

TEST(BufferProofs, AVectorOfARow) {
  const std::string body =
      "const uint row = gl_WorkGroupID.y * 4 + l / 16;"
      "const uint col = g * 64 + l % 16 * 4;"
      "if (col < n) vectors[(row * n + col) / 4] = uvec4(1);";
  EXPECT_EQ(open_pairs(body, {{2, 2, 1}, {128}}), 0U);
  EXPECT_EQ(open_pairs(body, {{2, 2, 1}, {100}}), 0U);
  EXPECT_EQ(open_pairs(body, {{2, 2, 1}, {98}}), 1U) << "rows do not begin with a vector";
}

TEST(BufferProofs, ATileOfRegisters) {
  const std::string tile =
      "const uint col_of = l / 32 % 2 * 8 + l % 8; const uint row_of = l / 64 * 4 + l % 32 / 8;"
      "[[unroll]] for (uint a = 0; a < 8; ++a) {"
      "const uint row = gl_WorkGroupID.y * 128 + (a / 4 * 16 + row_of) * 4 + a % 4;"
      "if (row < m) { [[unroll]] for (uint b = 0; b < 4; ++b) {"
      "const uint col = g * 256 + (b * 16 + col_of) * 4;";
  const std::string size = "local_size_x = 256";
  EXPECT_EQ(open_pairs(tile + "if (col < n) vectors[(row * n + col) / 4] = uvec4(1); } } }",
                       {{2, 4, 1}, {512, 512}}, size),
            0U);
  EXPECT_EQ(
      open_pairs(
          tile + "for (uint q = 0; q < 4; ++q) if (col + q < n) data[row * n + col + q] = 1; } } }",
          {{2, 4, 1}, {511, 511}}, size),
      0U);
  EXPECT_EQ(
      open_pairs(
          tile + "for (uint q = 0; q < 5; ++q) if (col + q < n) data[row * n + col + q] = 1; } } }",
          {{2, 4, 1}, {511, 511}}, size),
      1U);
}

TEST(BufferProofs, ALoopOverTheWholeLaunch) {
  const std::string step = "const uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;";
  EXPECT_EQ(
      open_pairs(step + "for (uint k = i; k < n; k += step) data[k] = 1;", {{8, 1, 1}, {5000}}),
      0U);
  EXPECT_EQ(open_pairs("for (uint k = i; k < n; k += gl_WorkGroupSize.x) data[k] = 1;",
                       {{8, 1, 1}, {5000}}),
            1U);
  EXPECT_EQ(open_pairs(step + "for (uint k = i; k < n; k += step) data[k] = 1;",
                       {{3, 1, 1}, {0xFFFFFFFF}}),
            1U)
      << "it wraps around";
}

TEST(BufferProofs, DataDecides) {
  EXPECT_EQ(open_pairs("data[vectors[i].x] = 1;"), 1U);
  EXPECT_EQ(open_pairs("for (uint k = 0; k < vectors[0].x; ++k) data[i + k] = 1;"), 1U);
}

const std::string kDraw = "if (l == 0) ticket = atomicAdd(words[0], 1);\nbarrier();\n";

std::size_t open_by_guesses(const std::string& body,
                            std::array<std::uint32_t, 3> groups = {8, 1, 1},
                            const std::string& size = "local_size_x = 64") {
  return open_pairs(body, {groups, {}, true}, size);
}

TEST(BufferProofs, ABlockByItsTicket) {
  const std::string block = kDraw + "const uint b = ticket;\ndata[b * 64 + l] = l;";
  EXPECT_EQ(open_pairs(block), 1U) << "nobody says what was drawn";
  EXPECT_EQ(open_by_guesses(block), 0U);
  EXPECT_EQ(open_by_guesses(block, {8, 3, 2}), 0U) << "one number for all dimensions";
  EXPECT_EQ(open_by_guesses(kDraw + "const uint b = ticket;\ndata[b * 63 + l] = l;"), 1U);
  EXPECT_EQ(open_by_guesses(kDraw + "const uint b = ticket;\ndata[b * 64 + l / 2] = l;"), 1U);
  EXPECT_EQ(open_by_guesses(kDraw + "const uint b = ticket;\n"
                                    "data[b * 64 + l] = l; data[g * 64 + l] = l;"),
            1U)
      << "another workgroup may have that id";
}

TEST(BufferProofs, WhatIsNoTicket) {
  const auto none = [](const std::string& draw) {
    return open_by_guesses(draw + "data[ticket * 64 + l] = l;");
  };
  EXPECT_EQ(none("if (l == 0) ticket = words[0];\nbarrier();\n"), 1U);
  EXPECT_EQ(none("if (l == 0) ticket = atomicMax(words[0], 1);\nbarrier();\n"), 1U);
  EXPECT_EQ(none("if (l == 0) ticket = atomicAdd(other, 1);\nbarrier();\n"), 1U);
  EXPECT_EQ(none("if (l == 0) ticket = atomicAdd(words[0], 1) / 2;\nbarrier();\n"), 1U);
  EXPECT_EQ(none("if (l == 0) ticket = atomicAdd(words[0], 1);\n"), 1U) << "no barrier";
  EXPECT_EQ(none("ticket = 0;\nbarrier();\n" + kDraw), 1U) << "stored elsewhere, too";
  EXPECT_EQ(none("if (l > 3) return;\n" + kDraw), 1U) << "nobody speaks for the workgroup";
  EXPECT_EQ(open_by_guesses("for (uint k = 0; k < 2; ++k) {\n" + kDraw +
                            "data[ticket * 64 + l] = l;\nbarrier();\n}"),
            1U)
      << "drawn twice";
}

TEST(BufferProofs, LanesOfSubgroups) {
  const std::string rows =
      "const uint first = g * 128 + gl_SubgroupID * gl_SubgroupSize * 2 + "
      "gl_SubgroupInvocationID;\n"
      "data[first] = l; data[first + gl_SubgroupSize] = l;";
  EXPECT_EQ(open_pairs(rows), 3U) << "nobody says how subgroups lie";
  EXPECT_EQ(open_by_guesses(rows), 0U);
  EXPECT_EQ(open_by_guesses("data[g * 64 + gl_SubgroupInvocationID] = l;"), 1U);
  EXPECT_EQ(open_by_guesses("data[g * 64 + gl_SubgroupID + gl_SubgroupInvocationID] = l;"), 1U);
  EXPECT_EQ(open_by_guesses("data[g * gl_NumSubgroups + gl_SubgroupID] = l;"), 1U);
}

// The last workgroup to arrive reads in `data` what all have left there; `words` has the count.
struct LastOne {
  std::string leaves = "data[g] = l;";  // by the first invocation
  std::string before = "memoryBarrierBuffer();";
  std::string arrives = "if (l == 0) ticket = atomicAdd(words[0], 1);";
  std::string meets = "barrier();";
  std::string leave = "if (ticket + 1 < gl_NumWorkGroups.x) return;";
  std::string behind = "memoryBarrierBuffer();";
  std::string goes_on = "if (data[l] > 7) data[0] = l;";
  [[nodiscard]] std::size_t open() const {
    return open_by_guesses("if (l == 0) " + leaves + "\n" + before + "\n" + arrives + "\n" + meets +
                           "\n" + leave + "\n" + behind + "\n" + goes_on);
  }
};

TEST(BufferProofs, TheLastToArrive) {
  EXPECT_EQ(
      LastOne{.goes_on = "if (data[l] > 7) vectors[l].y = l; if (l == 0) words[0] = 0;"}.open(),
      0U);
  const LastOne fits{.goes_on = "if (l == 0 && data[5] > 7) words[0] = 0;"};
  EXPECT_EQ(fits.open(), 0U);
  for (const char* leave :
       {"if (ticket != gl_NumWorkGroups.x - 1) return;", "if (7 > ticket) return;",
        "if (!(ticket + 1 >= gl_NumWorkGroups.x)) return;"}) {
    LastOne one = fits;
    one.leave = leave;
    EXPECT_EQ(one.open(), 0U) << leave;
  }
  EXPECT_EQ((LastOne{.goes_on = "data[l] = 3; data[l + 64] = 4; data[63 - l] = 2;"}.open()), 1U)
      << "within the last one they meet";
}

TEST(BufferProofs, WhoeverIsNotTheLast) {
  const LastOne fits{.goes_on = "if (l == 0 && data[5] > 7) words[0] = 0;"};
  const auto open = [&](std::string LastOne::* part, const std::string& text) {
    LastOne one = fits;
    one.*part = text;
    return one.open();
  };
  EXPECT_NE(open(&LastOne::leave, "if (ticket < 3) return;"), 0U);
  EXPECT_NE(open(&LastOne::leave, "if (ticket + 1 < gl_NumWorkGroups.x - 1) return;"), 0U);
  EXPECT_NE(open(&LastOne::leave, "if (ticket + 1 > gl_NumWorkGroups.x) return;"), 0U);
  EXPECT_NE(open(&LastOne::leave, "if (ticket == 0) return;"), 0U);
  EXPECT_NE(open(&LastOne::before, ""), 0U) << "nothing is released";
  EXPECT_NE(open(&LastOne::before, "memoryBarrierShared();"), 0U);
  EXPECT_NE(open(&LastOne::before, "groupMemoryBarrier();"), 0U) << "in the workgroup alone";
  EXPECT_NE(open(&LastOne::behind, ""), 0U) << "nothing is acquired";
  EXPECT_NE(open(&LastOne::meets, ""), 0U) << "nobody waits for the number";
  EXPECT_NE(open(&LastOne::arrives, "if (l == 0) ticket = atomicAdd(words[0], 2);"), 0U);
  EXPECT_NE(open(&LastOne::arrives, "if (l == 0 && n > 3) ticket = atomicAdd(words[0], 1);"), 0U)
      << "some may not count";
  EXPECT_NE(open(&LastOne::arrives, "if (l < 2) ticket = atomicAdd(words[0], 1);"), 0U);
  EXPECT_NE(
      open(&LastOne::arrives, "if (l == 0) { words[0] = 3; ticket = atomicAdd(words[0], 1); }"), 0U)
      << "somebody else writes the count";
  EXPECT_NE(open(&LastOne::arrives, "if (g == 3) return;\n" + fits.arrives), 0U)
      << "one never counts";
  EXPECT_NE(open(&LastOne::meets, "barrier();\nif (l == 0) data[g] += 1;"), 0U)
      << "behind the count";
}

// Teams of four workgroups: the last one of each adds up what the team has left in `data`.
struct LastOfATeam {
  std::string leaves = "data[g * 64 + l] = l;";
  std::string arrives = "if (l == 0) ticket = atomicAdd(words[team], 1);";
  std::string leave = "if (ticket + 1 < min(4, gl_NumWorkGroups.x - first)) return;";
  std::string goes_on =
      "if (l == 0) words[team] = 0;\nuint sum = 0;\n"
      "for (uint s = 0; s < 4; ++s) sum += data[(first + s) * 64 + l];\n"
      "data[first * 64 + l] = sum;";
  std::array<std::uint32_t, 3> groups{32, 1, 1};
  std::string first = "const uint team = g / 4;\nconst uint first = team * 4;\n";
  [[nodiscard]] std::size_t open() const {
    const std::string body = first + leaves + "\nmemoryBarrierBuffer();\nbarrier();\n" + arrives +
                             "\nbarrier();\n" + leave + "\nmemoryBarrierBuffer();\n" + goes_on;
    return open_by_guesses(body, groups);
  }
};

TEST(BufferProofs, TheLastOfEachTeam) {
  EXPECT_EQ(LastOfATeam().open(), 0U);
  LastOfATeam one;
  one.first += "const uint slices = min(4, gl_NumWorkGroups.x - first);\n";
  one.leave = "if (ticket + 1 < slices) return;";
  EXPECT_EQ(one.open(), 0U);
  one.leaves = "for (uint k = 0; k < 2; ++k) if (l < 32) data[g * 64 + l + k * 32] = l;";
  EXPECT_EQ(one.open(), 0U);
  one.goes_on =
      "if (l == 0) words[team] = 0;\n"
      "for (uint b = l; b < 64 && team * 64 + b < n; b += 64) {\nuint sum = 0;\n"
      "for (uint s = 0; s < slices; s += 2)\n[[unroll]] for (uint k = s; k < s + 2; ++k) "
      "sum += data[(first + min(k, slices - 1)) * 64 + b];\ndata[first * 64 + b] = sum;\n}";
  EXPECT_EQ(one.open(), 0U) << "several at once, the last one again";
  one.groups = {4, 1, 1};
  EXPECT_NE(one.open(), 0U) << "one team alone is not told apart from none";
}

TEST(BufferProofs, TheLastOfEachTeamThatCountsInAWordOfItsOwnRow) {
  LastOfATeam one;
  one.first += "const uint seat = g - min(g, 0) >= 0 ? g % 4 : g;\n";
  one.arrives = "if (l == 0) ticket = atomicAdd(words[g / 4 * 4 * 2 + 2 + seat / 4], 1);";
  one.leave = "if (ticket + 1 != min(4, 4 - seat / 4 * 4)) return;";
  one.goes_on =
      "if (l == 0) words[team * 8 + 2 + seat / 4] = 0;\nuint sum = 0;\n"
      "for (uint s = 0; s < 4; ++s) sum += data[(g - seat + s) * 64 + l];\n"
      "data[first * 64 + l] = sum;";
  EXPECT_EQ(one.open(), 0U);
  LastOfATeam never = one;
  never.first += "if (!(g >= min(n, 0))) { data[l] = 1; return; }\n";
  EXPECT_EQ(never.open(), 0U) << "what no workgroup of this launch comes to";
  never.first = "uint of = 0;\nif (g >= min(n, 0)) of = g / 4;\n" + one.first;
  never.arrives = "if (l == 0) ticket = atomicAdd(words[of * 8 + 2], 1);";
  EXPECT_EQ(never.open(), 0U) << "what is always so";
  never.first = "uint of = 0;\nif (g >= 1) of = g / 4;\n" + one.first;
  EXPECT_NE(never.open(), 0U) << "what is not so of one workgroup";
  LastOfATeam turns = one;
  turns.goes_on =
      "uint sum = 0;\n[[dont_unroll]] for (uint s = 0; s < min(4, 4 - seat / 4 * 4); ++s) "
      "sum += data[(g - seat + s) * 64 + l];\ndata[first * 64 + l] = sum;";
  EXPECT_EQ(turns.open(), 0U) << "as many turns as the text tells";
  turns.goes_on =
      "uint sum = 0;\n[[dont_unroll]] for (uint s = 0; s < min(5, 5 - seat / 4 * 4); ++s) "
      "sum += data[(g - seat + s) * 64 + l];\ndata[first * 64 + l] = sum;";
  EXPECT_NE(turns.open(), 0U) << "one too many";
  LastOfATeam other = one;
  other.goes_on = "if (l == 0) words[team * 8 + 3] = 0;\ndata[first * 64 + l] = 3;";
  EXPECT_NE(other.open(), 0U) << "another word";
  other.goes_on = "if (l == 0) words[team * 4 + 2] = 0;\ndata[first * 64 + l] = 3;";
  EXPECT_NE(other.open(), 0U) << "the next team's, for every second";
  other = one;
  other.arrives = "if (l == 0) ticket = atomicAdd(words[g / 4 * 0x80000000u + 2], 1);";
  EXPECT_NE(other.open(), 0U) << "every second team in one word";
  other.arrives = "if (l == 0) ticket = atomicAdd(words[g / 4 * 8 + seat / 2], 1);";
  EXPECT_NE(other.open(), 0U) << "half a team in a word";
}

TEST(BufferProofs, WhoeverIsNotTheLastOfItsTeam) {
  const auto open = [&](std::string LastOfATeam::* part, const std::string& text) {
    LastOfATeam one;
    one.*part = text;
    return one.open();
  };
  const std::string resets = "if (l == 0) words[team] = 0;\n";
  EXPECT_NE(open(&LastOfATeam::leave, "if (ticket + 1 < 3) return;"), 0U);
  EXPECT_NE(open(&LastOfATeam::leave, "if (ticket + 1 < gl_NumWorkGroups.x) return;"), 0U);
  EXPECT_NE(open(&LastOfATeam::arrives, "if (l == 0) ticket = atomicAdd(words[g / 2], 1);"), 0U);
  EXPECT_NE(open(&LastOfATeam::arrives, "if (l == 0) ticket = atomicAdd(words[g % 8], 1);"), 0U);
  EXPECT_NE(open(&LastOfATeam::arrives, "if (l == 0) ticket = atomicAdd(words[team / 2], 1);"), 0U);
  EXPECT_NE(open(&LastOfATeam::arrives,
                 "if (l == 0) { words[team] = 1; ticket = atomicAdd(words[team], 1); }"),
            0U);
  EXPECT_NE(open(&LastOfATeam::goes_on, resets + "data[first * 64 + l] = data[g * 64 + 64 + l];"),
            0U)
      << "what may be the next team's";
  EXPECT_NE(
      open(&LastOfATeam::goes_on, resets + "for (uint s = 0; s < 8; ++s) data[first * 64 + l] += "
                                           "data[(first + min(s, 4)) * 64 + l];"),
      0U)
      << "one row too many";
  EXPECT_NE(open(&LastOfATeam::goes_on, resets + "data[(first + 5) * 64 + l] = 3;"), 0U);
  EXPECT_NE(
      open(&LastOfATeam::goes_on, "if (l == 0) words[team + 1] = 0;\ndata[first * 64 + l] = 3;"),
      0U)
      << "the next team's count";
  LastOfATeam six;
  six.groups = {30, 1, 1};
  six.first = "const uint team = g / 6;\nconst uint first = team * 6;\nconst uint seat = g % 6;\n";
  six.leave = "if (ticket + 1 < 6) return;";
  six.leaves = "data[(first + seat) * 64 + l] = l;";
  EXPECT_EQ(six.open(), 0U);
  six.leaves = "data[(first + (g & 5)) * 64 + l] = l;";
  EXPECT_NE(six.open(), 0U) << "0 & 5 and 2 & 5 are the same";
  six.leaves = "data[(first + (seat & 5)) * 64 + l] = l;";
  EXPECT_NE(six.open(), 0U);
  LastOfATeam odd;
  odd.groups = {30, 1, 1};
  EXPECT_NE(odd.open(), 0U) << "the last team is smaller";
  odd.groups = {32, 2, 1};
  EXPECT_NE(odd.open(), 0U);
}

TEST(BufferProofs, AllOfAWorkgroupBeforeItCounts) {
  LastOne all{.leaves = "ticket = 0;",
              .before = "data[i] = l;\nmemoryBarrierBuffer();\nbarrier();",
              .arrives = "if (l == 0) other = atomicAdd(words[0], 1);",
              .leave = "if (other + 1 < gl_NumWorkGroups.x) return;",
              .goes_on = "vectors[l].y = data[l * 5];"};
  EXPECT_EQ(all.open(), 0U);
  all.before = "data[i] = l;\nbarrier();\nmemoryBarrierBuffer();";
  EXPECT_EQ(all.open(), 0U) << "a barrier that orders the workgroup, then a fence";
  all.before = "data[i] = l;\nmemoryBarrierBuffer();";
  EXPECT_NE(all.open(), 0U) << "others may be before their fence";
  all.before = "data[i] = l;\nbarrier();";
  EXPECT_NE(all.open(), 0U);
  all.before = "memoryBarrierBuffer();\nbarrier();\ndata[i] = l;";
  EXPECT_NE(all.open(), 0U) << "behind the fence";
}

}  // namespace
