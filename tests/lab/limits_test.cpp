// What constants of a kernel may be, and what a device allows.
#include "lab/plan/limits.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "gpu/compiler.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/constant_limits.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

core::Variant variant() {
  core::Variant variant{.workload = "nbody", .name = "mine"};
  variant.constants["SHARES"] = {
      .least = {"1"}, .most = {"64"}, .multiple_of = {}, .divides = {"INVOCATIONS"}};
  variant.constants["TILE"] = {
      .least = {"INVOCATIONS"}, .most = {}, .multiple_of = {"UNROLL", "SHARES"}, .divides = {}};
  variant.constants["BM"] = {
      .least = {}, .most = {"256"}, .multiple_of = {}, .divides = {}, .power_of_two = true};
  return variant;
}

std::string why_not(const ConstantValues& values) {
  const auto ok = check_constants(variant(), values);
  return ok ? "fine" : ok.error().message;
}

TEST(ConstantLimits, SayWhatWouldDo) {
  EXPECT_EQ(why_not({{"INVOCATIONS", 128}, {"SHARES", 4}, {"UNROLL", 8}, {"TILE", 256}}), "fine");
  EXPECT_EQ(why_not({{"INVOCATIONS", 128}, {"SHARES", 0}}),
            "SHARES of nbody/mine must be 1 to 64, not 0");
  EXPECT_EQ(why_not({{"INVOCATIONS", 128}, {"SHARES", 60}}),
            "SHARES of nbody/mine must divide INVOCATIONS (128), not 60");
  EXPECT_EQ(why_not({{"INVOCATIONS", 128}, {"SHARES", 4}, {"UNROLL", 8}, {"TILE", 64}}),
            "TILE of nbody/mine must be at least INVOCATIONS (128), not 64");
  EXPECT_EQ(why_not({{"INVOCATIONS", 1}, {"SHARES", 1}, {"UNROLL", 4294967295}, {"TILE", 64}}),
            "TILE of nbody/mine must be a multiple of UNROLL·SHARES (4294967295), not 64");
  EXPECT_EQ(why_not({{"INVOCATIONS", 1}, {"SHARES", 1}, {"UNROLL", 0}, {"TILE", 64}}),
            "TILE of nbody/mine must be a multiple of UNROLL·SHARES (0), not 64");
  EXPECT_EQ(why_not({{"BM", 96}}), "BM of nbody/mine must be a power of two, not 96");
  EXPECT_EQ(why_not({{"BM", 0}}), "BM of nbody/mine must be a power of two, not 0");
  EXPECT_EQ(why_not({{"BM", 512}}), "BM of nbody/mine must be at most 256, not 512");
}

// Bounds are said before what hangs on them.
TEST(ConstantLimits, ZeroIsWrongWhereItIs) {
  EXPECT_EQ(why_not({{"INVOCATIONS", 0}, {"SHARES", 0}, {"UNROLL", 8}, {"TILE", 8}}),
            "SHARES of nbody/mine must be 1 to 64, not 0");
}

std::string all_of(const core::Factors& factors) {
  std::string text;
  for (const std::string& factor : factors) {
    text += factor + " ";
  }
  return text;
}

// What sizes a kernel's memory, workgroup or loops must not be left to chance: every constant that
// can be set has a rule, every name in a rule is one of the kernel's, and what the header offers
// (tiles, values to tune) is allowed.
TEST(ConstantLimits, TheCatalogueSaysWhatItsConstantsMayBe) {
  const auto catalogue = read_catalogue(std::filesystem::path(TILESCOPE_SOURCE_DIR) / "shaders");
  ASSERT_FALSE(catalogue.all().empty());
  for (const core::Variant& kernel : catalogue.all()) {
    SCOPED_TRACE(kernel.id());
    ASSERT_FALSE(kernel.broken) << kernel.broken->message;
    const auto compiled = gpu::compile({kernel.source, kernel.file});
    ASSERT_TRUE(compiled) << compiled.error().message;
    const auto module = spirv::parse(compiled->spirv);
    ASSERT_TRUE(module);
    const auto interface = spirv::reflect(*module, {});
    ASSERT_TRUE(interface);
    for (const spirv::SpecConstant& constant : interface->spec_constants) {
      const bool fact = kernel.work->facts(kernel.work->default_sizes()).contains(constant.name);
      EXPECT_TRUE(fact || kernel.constants.contains(constant.name)) << constant.name;
    }
    const ConstantValues values(interface->constants.begin(), interface->constants.end());
    for (const auto& [name, rule] : kernel.constants) {
      EXPECT_TRUE(values.contains(name)) << name;
      for (const core::Factors* factors :
           {&rule.least, &rule.most, &rule.multiple_of, &rule.divides}) {
        for (const std::string& factor : *factors) {
          EXPECT_TRUE(values.contains(factor) || std::atoi(factor.c_str()) > 0)
              << name << ": " << all_of(*factors);
        }
      }
    }
    for (const std::uint32_t tile : kernel.tile.values) {
      ConstantValues given = values;
      for (const auto& [name, rule] : kernel.constants) {
        if (given.contains(name) && std::ranges::none_of(interface->spec_constants,
                                                         [&](const spirv::SpecConstant& constant) {
                                                           return constant.name == name;
                                                         })) {
          given.erase(name);  // it follows from the others
        }
      }
      given[kernel.tile.constant] = tile;
      const auto ok = check_constants(kernel, given);
      EXPECT_TRUE(ok) << ok.error().message;
    }
  }
}

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
            "tile 64 needs 4096 invocations per workgroup; this device allows 1024; choose a "
            "smaller tile");
  EXPECT_EQ(why_not({64, 64, 1}, {32, 32, 1}, 40000),
            "tile 32 needs 40000 bytes of shared memory per workgroup; this device allows 32768; "
            "choose a smaller tile");
  EXPECT_EQ(why_not({1, 1, 100}, {1, 1, 100}, 0),
            "tile 1 needs 100 invocations in z; this device allows 64; choose a smaller tile");
  EXPECT_EQ(why_not({1U << 20U, 1, 1}, {8, 1, 1}, 0),
            "tile 8 needs 131072 workgroups in x; this device allows 65535; choose a larger tile");
}

TEST(Limits, BuffersMustFitOneByOneAndTogether) {
  const core::Resource fits{.name = "A", .bytes = 256 * 512 * 4};
  const core::Resource large{.name = "B", .bytes = 512 * 512 * 4, .shape = "512×512 floats"};
  EXPECT_TRUE(check_memory({fits, fits}, small_device()));
  EXPECT_EQ(
      check_memory({fits, large}, small_device()).error().message,
      "B needs 512×512 floats (1.0 MiB); a buffer on this device has at most 512.0 KiB; choose "
      "smaller sizes");
  EXPECT_EQ(check_memory({fits, fits, fits}, small_device()).error().message,
            "the buffers need 1.5 MiB; this device has 1.0 MiB; choose smaller sizes");
}

}  // namespace
}  // namespace lab
