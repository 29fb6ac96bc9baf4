// Passes and sectors of whole kernels against what hardware counted.
//
// The kernels' accesses were written in CUDA, each by an instruction of its own and one access site
// at a time, and one workgroup of each was counted on an NVIDIA H200 by the counters that Nsight
// Compute reads (there, a pass of shared memory is a wavefront):
//   l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum
//   l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}.sum
// Here the GLSL kernels are traced, on whatever device is there.
#include <gtest/gtest.h>

#include "core/report/banks.h"
#include "lab/probe/trace.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"

namespace lab {
namespace {

struct Counted {
  const char* variant;
  std::uint32_t tile;
  core::Sizes sizes;
  glm::uvec3 workgroup;
  std::vector<std::uint64_t> passes;   // by shared site, in the order of the text
  std::vector<std::uint64_t> sectors;  // by global site
};

// matmul: tile_a and tile_b written, then read; a, b, c. transpose: tile written, then read; a, at.
// Sizes that are no multiples of the tile: workgroups at the edge, and rows that begin anywhere.
const Counted kCounted[] = {
    {"matmul/tiled", 16, {128, 128, 64}, {1, 2, 0}, {32, 32, 512, 512}, {128, 128, 32}},
    {"matmul/b-transposed", 16, {128, 128, 64}, {1, 2, 0}, {32, 32, 512, 512}, {128, 512, 32}},
    {"matmul/b-transposed-coalesced",
     16,
     {128, 128, 64},
     {1, 2, 0},
     {32, 32, 512, 4096},
     {128, 128, 32}},
    {"matmul/b-transposed-padded", 16, {99, 66, 33}, {4, 6, 0}, {24, 48, 384, 384}, {19, 12, 3}},
    {"transpose/tiled", 16, {128, 128}, {1, 2, 0}, {8, 64}, {32, 32}},
    {"transpose/tiled", 32, {99, 66}, {2, 3, 0}, {3, 6}, {3, 2}},
    {"transpose/tiled-padded", 16, {128, 128}, {1, 2, 0}, {16, 16}, {32, 32}},
    {"transpose/tiled-padded", 32, {99, 66}, {1, 1, 0}, {32, 32}, {152, 156}},
};

TEST(BanksCounted, EverySiteTakesWhatTheHardwareCounted) {
  const auto driver = gpu::Driver::open({});
  auto bench = driver ? Workbench::open(*driver, "") : std::unexpected(driver.error());
  if (!bench) {
    GTEST_SKIP() << "no Vulkan device";
  }
  const auto catalogue = read_catalogue(find_shaders().value());
  for (const Counted& counted : kCounted) {
    SCOPED_TRACE(testing::Message() << counted.variant << ", tile " << counted.tile);
    const core::Variant variant = *catalogue.find(counted.variant);
    const auto setup = (*bench)->set_up(
        variant, {.variant = variant.id(), .size = counted.sizes, .tile = counted.tile}, 1e9);
    ASSERT_TRUE(setup) << setup.error().message;
    const auto trace =
        trace_workgroup((*bench)->device(), *(*setup)->kernel().specimen, counted.workgroup);
    ASSERT_TRUE(trace) << trace.error().message;
    const core::BankReport report = core::bank_report(*trace);
    std::vector<std::uint64_t> passes;
    for (const core::SharedSite& site : report.of_32->shared) {
      passes.push_back(site.passes);
    }
    std::vector<std::uint64_t> sectors;
    for (const core::GlobalSite& site : report.of_32->global) {
      sectors.push_back(site.sectors);
    }
    EXPECT_EQ(passes, counted.passes);
    EXPECT_EQ(sectors, counted.sectors);
  }
}

}  // namespace
}  // namespace lab
