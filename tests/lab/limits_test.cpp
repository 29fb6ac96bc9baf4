#include "lab/plan/limits.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

core::DeviceInfo small_device() {
  core::DeviceInfo device;
  device.memory_bytes = 1U << 20U;
  device.max_buffer_bytes = 1U << 19U;
  device.shared_memory_bytes = 32768;
  device.max_workgroup_invocations = 1024;
  device.max_workgroup_size = {1024, 1024, 64};
  device.max_workgroup_count = {65535, 65535, 65535};
  return device;
}

std::string why_not(glm::uvec3 extent, glm::uvec3 local, std::uint64_t shared) {
  const auto ok = check_workgroup({extent, local, local}, shared, local.x, small_device());
  return ok ? "it fits" : ok.error().message;
}

TEST(Limits, NameWhatIsNeededAndWhatIsAllowed) {
  EXPECT_EQ(why_not({64, 64, 1}, {16, 16, 1}, 2048), "it fits");
  EXPECT_EQ(why_not({64, 64, 1}, {64, 64, 1}, 32768),
            "tile 64 needs 4096 invocations a workgroup; this device allows 1024");
  EXPECT_EQ(why_not({64, 64, 1}, {32, 32, 1}, 40000),
            "tile 32 needs 40000 bytes of shared memory a workgroup; this device allows 32768");
  EXPECT_EQ(why_not({1, 1, 100}, {1, 1, 100}, 0),
            "tile 1 needs 100 invocations in z; this device allows 64");
  EXPECT_EQ(why_not({1U << 20U, 1, 1}, {8, 1, 1}, 0),
            "tile 8 needs 131072 workgroups in x; this device allows 65535: take a larger tile");
}

TEST(Limits, BuffersMustFitOneByOneAndTogether) {
  const core::Resource fits{.name = "A", .bytes = 256 * 512 * 4};
  const core::Resource large{.name = "B", .bytes = 512 * 512 * 4, .shape = "512×512 floats"};
  EXPECT_TRUE(check_memory({fits, fits}, small_device()));
  EXPECT_EQ(check_memory({fits, large}, small_device()).error().message,
            "B would be 512×512 floats (1.0 MiB); a buffer on this device holds 512.0 KiB");
  EXPECT_EQ(check_memory({fits, fits, fits}, small_device()).error().message,
            "the buffers would take 1.5 MiB; this device has 1.0 MiB");
}

}  // namespace
}  // namespace lab
