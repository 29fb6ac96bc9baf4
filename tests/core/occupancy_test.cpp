#include "core/model/occupancy.h"

#include <gtest/gtest.h>

#include "core/work/result.h"

namespace core {
namespace {

DeviceInfo device(const std::string& name) {
  DeviceInfo info;
  info.name = name;
  info.type = DeviceType::discrete;
  return info;
}

Multiprocessor holds(const std::string& name) {
  return multiprocessor_of(device(name)).value_or(Multiprocessor{});
}

Residency residency(const std::string& name, std::uint32_t invocations, std::uint32_t registers,
                    std::uint64_t shared) {
  return residency_of({.invocations = invocations, .shared_bytes = shared, .registers = registers},
                      holds(name));
}

TEST(Multiprocessor, IsFoundByTheDevicesName) {
  const auto capability = [](const char* name) {
    const auto found = multiprocessor_of(device(name));
    return found ? found->architecture.substr(found->architecture.size() - 4) : "none";
  };
  EXPECT_EQ(capability("NVIDIA H200"), " 9.0");
  EXPECT_EQ(capability("NVIDIA A100-SXM4-80GB"), " 8.0");
  EXPECT_EQ(capability("NVIDIA A10G"), " 8.6");
  EXPECT_EQ(capability("NVIDIA RTX A6000"), " 8.6");
  EXPECT_EQ(capability("NVIDIA GeForce RTX 2050"), " 8.6");
  EXPECT_EQ(capability("NVIDIA GeForce RTX 2080 Ti"), " 7.5");
  EXPECT_EQ(capability("NVIDIA GeForce RTX 4090 Laptop GPU"), " 8.9");
  EXPECT_EQ(capability("NVIDIA RTX 5000 Ada Generation"), " 8.9");
  EXPECT_EQ(capability("NVIDIA L40S"), " 8.9");
  EXPECT_EQ(capability("NVIDIA GeForce RTX 5090"), "12.0");
  EXPECT_EQ(capability("NVIDIA B200"), "10.0");
  EXPECT_EQ(capability("Tesla V100-SXM2-16GB"), " 7.0");
  EXPECT_EQ(capability("AMD Radeon RX 6800 XT (RADV NAVI21)"), "NA 2");
  EXPECT_EQ(capability("AMD Radeon RX 640"), "none");
  EXPECT_EQ(capability("llvmpipe (LLVM 15.0.6, 256 bits)"), "none");
}

TEST(Multiprocessor, IsNotKnownWhereTheDeviceContradictsTheTable) {
  DeviceInfo info = device("NVIDIA H200");
  info.warps_per_multiprocessor = 64;
  EXPECT_TRUE(multiprocessor_of(info));
  info.warps_per_multiprocessor = 48;
  EXPECT_FALSE(multiprocessor_of(info));
}

// Cases from what is published of NVIDIA's calculator: 80 registers let 3 workgroups of 256 onto a
// multiprocessor of 8.9, 64 let 4; 24,576 bytes and the reserved 1,024 let 4 share its 100 KiB.
TEST(Occupancy, AgreesWithPublishedCases) {
  EXPECT_EQ(residency("GeForce RTX 4070", 256, 80, 0).workgroups, 3U);
  EXPECT_EQ(residency("GeForce RTX 4070", 256, 64, 0).workgroups, 4U);
  EXPECT_EQ(residency("GeForce RTX 4070", 128, 32, 24576).workgroups, 4U);
  EXPECT_EQ(residency("GeForce RTX 4070", 128, 32, 24577).workgroups, 3U);
  EXPECT_EQ(residency("GeForce RTX 3090", 32, 16, 4224).resources[3].fit, 19U);
  const Residency full = residency("NVIDIA A100", 256, 32, 0);
  EXPECT_EQ(full.workgroups, 8U);
  EXPECT_EQ(full.share(), 1.0);
  EXPECT_EQ(residency("Tesla T4", 1024, 64, 0).workgroups, 1U);
}

TEST(Occupancy, NamesWhatRunsOutFirst) {
  const auto limiter = [](const Residency& r) { return r.limiter().resource; };
  EXPECT_EQ(limiter(residency("NVIDIA H200", 256, 32, 2048)), SlotResource::warps);
  EXPECT_EQ(limiter(residency("NVIDIA H200", 32, 32, 0)), SlotResource::workgroups);
  EXPECT_EQ(limiter(residency("NVIDIA H200", 1024, 40, 0)), SlotResource::registers);
  EXPECT_EQ(limiter(residency("NVIDIA H200", 256, 32, 48 << 10)), SlotResource::shared_memory);
  EXPECT_EQ(residency("NVIDIA H200", 256, 32, 48 << 10).workgroups, 4U);
  EXPECT_EQ(residency("NVIDIA H200", 32, 32, 0).share(), 0.5);
}

TEST(Occupancy, RegistersAreGivenToWarpsWithinAPartition) {
  // 255 registers are 8,192 a warp: two a partition, eight in all.
  const Residency r = residency("NVIDIA H200", 256, 255, 0);
  EXPECT_EQ(r.workgroups, 1U);
  EXPECT_EQ(r.resources[2].each, 65536U);
  // Five warps ask for registers as eight do; they are given to five.
  EXPECT_EQ(residency("NVIDIA H200", 160, 255, 0).workgroups, 1U);
  EXPECT_EQ(residency("NVIDIA H200", 160, 168, 0).workgroups, 2U);
  EXPECT_EQ(residency("NVIDIA H200", 1024, 72, 0).workgroups, 0U);
}

TEST(Occupancy, WithoutRegistersTheOthersDecide) {
  const Residency r =
      residency_of({.invocations = 256, .shared_bytes = 2048}, holds("NVIDIA H200"));
  EXPECT_FALSE(r.resources[2].known);
  EXPECT_EQ(r.workgroups, 8U);
}

TEST(Occupancy, AWorkgroupOfOneWaveTakesNoBarrierOfAComputeUnit) {
  const Multiprocessor unit = holds("AMD Instinct MI210");
  EXPECT_EQ(residency_of({.invocations = 64, .subgroup_size = 64}, unit).workgroups, 32U);
  EXPECT_EQ(residency_of({.invocations = 128, .subgroup_size = 64}, unit).workgroups, 16U);
}

Occupancy three_tiles() {
  Occupancy o;
  o.multiprocessor = holds("NVIDIA H200");
  for (const std::uint32_t tile : {8U, 16U, 32U, 64U}) {
    TileOccupancy t;
    t.tile = tile;
    t.use = {.invocations = tile * tile, .shared_bytes = std::uint64_t{8} * tile * tile};
    o.tiles.push_back(t);
  }
  o.tiles[3].impossible = "tile 64 needs 4096 invocations per workgroup; this device allows 1024";
  o.tiles[1].use.registers = 40;
  o.tiles[1].compiled = true;
  o.chosen = 1;
  model(o);
  return o;
}

TEST(Occupancy, TilesThatWereNotCompiledTakeTheChosenOnesRegisters) {
  const Occupancy o = three_tiles();
  EXPECT_EQ(o.now().residency->workgroups, 6U);
  EXPECT_EQ(o.of(32)->use.registers, 40U);
  EXPECT_EQ(o.of(32)->residency->workgroups, 1U);
  EXPECT_FALSE(o.of(32)->compiled);
  EXPECT_FALSE(o.of(64)->residency);
  EXPECT_EQ(o.of(12), nullptr);
}

TEST(Occupancy, SaysItInWords) {
  const Occupancy o = three_tiles();
  EXPECT_EQ(headline(*o.now().residency), "6 workgroups per multiprocessor: 48 of 64 warps, 75 %");
  EXPECT_EQ(limit_sentence(*o.now().residency),
            "Registers are the limit: only 6 workgroups fit on a multiprocessor.");
  EXPECT_EQ(rounding_sentence(o.now()), "") << "40 are a multiple of 8";
  Occupancy more = o;
  more.tiles[1].use.registers = 33;
  model(more);
  EXPECT_EQ(rounding_sentence(more.now()),
            "The device allocates 40 registers for the 33 that an invocation needs.");
  EXPECT_EQ(neighbours_sentence(o, 16),
            "Tile 8 would give 24 workgroups, 48 warps (75 %); tile 32 would give 1 workgroup, "
            "32 warps (50 %).");
  EXPECT_EQ(neighbours_sentence(o, 64), "Tile 32 would give 1 workgroup, 32 warps (50 %).");
  DeviceInfo h200 = device("NVIDIA H200");
  EXPECT_EQ(launch_sentence(*o.now().residency, h200, 10), "") << "not told: nothing to say";
  h200.multiprocessors = 132;
  EXPECT_EQ(launch_sentence(*o.now().residency, h200, 792), "");
  EXPECT_EQ(launch_sentence(*o.now().residency, h200, 264),
            "This launch is too small to fill the device: 264 workgroups for 132 multiprocessors, "
            "2.0 each.");
}

TEST(PipelineStatistics, AreKnownByTheirDriversNames) {
  PipelineStatistics s;
  s.all = {{"Code size", "512", "", 512.0},
           {"Register Count", "40", "", 40.0},
           {"Local Memory Size", "68719476736", "", 68719476736.0}};
  pick_known(s);
  EXPECT_EQ(s.registers, 40U);
  EXPECT_FALSE(s.spill_bytes) << "not reported is not 0";
}

}  // namespace
}  // namespace core
