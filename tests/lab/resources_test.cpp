// Everything that a kernel can be given beside buffers: images, texels, samplers, arrays of
// descriptors, and memory that it finds by its address. Each kernel's answer is compared with what
// the host makes of the same contents.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/files/dispatch_file.h"
#include "lab/probe/check.h"
#include "lab/probe/trace.h"
#include "lab/ready/memory.h"
#include "tests/lab/specimens.h"

namespace lab {
namespace {

class Resources : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = gpu::Driver::open({.validation = true});
    if (!opened) {
      opened = gpu::Driver::open({.validation = false});
    }
    const auto info = opened ? (*opened)->pick("") : core::device_error("none");
    if (!info) {
      GTEST_SKIP() << "no Vulkan device";
    }
    driver = *opened;
    auto made = gpu::Device::open(driver, *info, {.robust = true});
    ASSERT_TRUE(made) << made.error().message;
    device = std::move(*made);
  }
  void TearDown() override {
    device.reset();
    if (driver) {
      for (const std::string& message : driver->validation_messages()) {
        ADD_FAILURE() << message;
      }
    }
  }

  // What the resource of that name holds after a launch, as numbers; nothing where the device has
  // no such resources.
  std::vector<float> after(const std::string& source, const std::string& name) {
    const auto made = ::test::specimen_of(*device, source, "kernel.comp", experiment);
    EXPECT_TRUE(made) << made.error().message;
    if (!made) {
      return {};
    }
    specimen = *made;
    const core::Dispatch& dispatch = specimen->dispatch();
    auto memory = Memory::make(*device, dispatch.resources, experiment.seed);
    if (!memory) {
      refused = memory.error().message;
      return {};
    }
    EXPECT_TRUE(memory->fill());
    const auto plain = plain_kernel(dispatch);
    EXPECT_TRUE(plain) << plain.error().message;
    auto kernel = device->kernel(plain->spec());
    EXPECT_TRUE(kernel) << kernel.error().message;
    gpu::Commands commands;
    commands.dispatch(*kernel, memory->buffers(), memory->push_constants(dispatch.push_constants),
                      {0, 0, 0}, dispatch.groups);
    EXPECT_TRUE(device->submit(commands));
    auto words = host_words(*device, *memory->buffers()[index_of(name)]);
    EXPECT_TRUE(words);
    return words.value_or(std::vector<float>{});
  }

  // The same of so many invocations and such contents, on a device that has what they take.
  std::vector<float> after(const core::Sizes& items,
                           const std::map<std::string, std::string>& contents,
                           const std::string& source, const std::string& name) {
    experiment.choices.items = items;
    experiment.choices.buffers = contents;
    auto got = after(source, name);
    EXPECT_TRUE(refused.empty()) << refused;
    return got;
  }

  core::Trace traced(glm::uvec3 workgroup) {
    auto trace = trace_workgroup(*device, *specimen, workgroup, {});
    EXPECT_TRUE(trace) << trace.error().message;
    return trace.value_or(core::Trace{});
  }

  std::size_t index_of(const std::string& name) const {
    const auto& all = specimen->dispatch().resources;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].name == name) {
        return i;
      }
    }
    ADD_FAILURE() << "no resource " << name;
    return 0;
  }

  // What it held before, as numbers.
  std::vector<float> before(const std::string& name) const {
    const std::size_t i = index_of(name);
    const core::Resource& resource = specimen->dispatch().resources[i];
    auto words = core::initial_words(resource, experiment.seed, i + 1);
    if (const auto* format = core::image_format(resource.image.format);
        resource.has_texels() && format != nullptr) {
      words = core::decode_texels(*format, core::initial_bytes(resource, experiment.seed, i + 1));
    }
    std::vector<float> floats;
    for (const std::uint32_t word : words) {
      floats.push_back(std::bit_cast<float>(word));
    }
    return floats;
  }

  core::CheckReport checked() {
    auto report = check(*device, alone(specimen));
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(core::CheckReport{});
  }

  std::shared_ptr<gpu::Driver> driver;
  std::unique_ptr<gpu::Device> device;
  core::Experiment experiment;
  std::shared_ptr<Specimen> specimen;
  std::string refused;
};

TEST_F(Resources, TexelsOfEveryFormatComeBackAsTheyWere) {
  int looked_at = 0;
  for (const core::ImageFormat& format : core::image_formats()) {
    if (format.name == "d32f" || format.bits == 64 || format.numeric == core::Numeric::packed) {
      continue;  // no storage image, or none of this test's numbers
    }
    const std::string name(format.name);
    const std::string kind = format.numeric == core::Numeric::sint   ? "i"
                             : format.numeric == core::Numeric::uint ? "u"
                                                                     : "";
    const std::string source =
        "#version 450\nlayout(local_size_x = 8, local_size_y = 4) in;\n"
        "layout(binding = 0, " +
        name + ") readonly uniform " + kind + "image2D source;\nlayout(binding = 1, " + name +
        ") writeonly uniform " + kind +
        "image2D copied;\n"
        "void main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
        "imageStore(copied, at, imageLoad(source, at)); }\n";
    experiment.choices.items = {17, 13};
    experiment.choices.buffers = {{"source", "17x13:random"}, {"copied", "17x13"}};
    refused.clear();
    const auto got = after(source, "copied");
    if (!refused.empty()) {
      continue;
    }
    ++looked_at;
    const auto want = before("source");
    ASSERT_EQ(got.size(), 17U * 13U * format.components) << name;
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(want[i]))
          << name << " component " << i;
    }
  }
  EXPECT_GE(looked_at, 12);  // formats that every device has (Vulkan 1.3, table 62)
}

TEST_F(Resources, SamplersVolumesLayersAndTexelBuffers) {
  const auto got = after({20, 6},
                         {{"o", "1920:poison"},
                          {"flat_one", "20x6:nearest"},
                          {"layered", "20x6x3:r32f"},
                          {"texels", "120:r32f"},
                          {"volume", "20x6x2"}},
                         R"(#version 450
layout(local_size_x = 4, local_size_y = 2) in;
layout(binding = 0) uniform sampler2D flat_one;
layout(binding = 1) uniform texture2DArray layered;
layout(binding = 2) uniform sampler how;
layout(binding = 3) uniform samplerBuffer texels;
layout(binding = 4, r32f) readonly uniform image3D volume;
layout(binding = 5) writeonly buffer O { vec4 o[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 uv = (vec2(at) + 0.5) / vec2(textureSize(flat_one, 0));
  o[at.y * 20 + at.x] = vec4(textureLod(flat_one, uv, 0.0).x,
                             textureLod(sampler2DArray(layered, how), vec3(uv, 2.0), 0.0).x,
                             texelFetch(texels, at.y * 20 + at.x).x,
                             imageLoad(volume, ivec3(at, 1)).x);
})",
                         "O");
  ASSERT_EQ(got.size(), 480U);
  const auto flat = before("flat_one"), layered = before("layered"), texels = before("texels"),
             volume = before("volume");
  for (std::size_t i = 0; i < 120; ++i) {
    EXPECT_EQ(got[4 * i], flat[4 * i]) << i;
    EXPECT_NEAR(got[4 * i + 1], layered[240 + i], 1e-2) << i;  // filtered, at a texel's centre
    EXPECT_EQ(got[4 * i + 2], texels[i]) << i;
    EXPECT_EQ(got[4 * i + 3], volume[120 + i]) << i;
  }
}

TEST_F(Resources, ArraysOfBuffersAndOfImages) {
  const auto got = after({64}, {{"many[6]", "256:iota"}, {"images", "64x2"}}, R"(#version 450
layout(local_size_x = 16) in;
layout(binding = 3) readonly buffer I { float x[]; } many[7];
layout(binding = 1) uniform U { float k; } factors[2];
layout(binding = 2, r32f) readonly uniform image2D images[2];
layout(binding = 0) writeonly buffer O { float x[]; } o;
void main() {
  uint i = gl_GlobalInvocationID.x;
  o.x[i] = many[gl_WorkGroupID.x + 3].x[i] * factors[1].k + imageLoad(images[1], ivec2(i, 1)).x;
})",
                         "o");
  ASSERT_GE(got.size(), 64U);
  const auto image = before("images[1]");
  for (std::size_t i = 0; i < 64; ++i) {
    const auto from = before("many[" + std::to_string(i / 16 + 3) + "]");
    EXPECT_FLOAT_EQ(got[i], from[i] + image[64 + i]) << i;
  }
  EXPECT_EQ(before("many[6]")[5], 5.0F);
}

TEST_F(Resources, AreReadAsTheirTypeIs) {
  const auto made = ::test::specimen_of(*device, R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { int a[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 2) buffer C { ivec2 c[64]; };
layout(binding = 3, r16i) uniform iimage1D d;
layout(binding = 4, r16ui) uniform uimage1D e;
layout(binding = 5) buffer F { int f; uint g; };
layout(binding = 6) buffer H { float h[]; };
void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = -4;
  b[i] = i;
  c[i].x = -1;
  imageStore(d, int(i), ivec4(-3));
  imageStore(e, int(i), uvec4(3));
  f = 1;
  g = 2u;
  h[i] = 1.0;
})",
                                        "kernel.comp", experiment);
  ASSERT_TRUE(made) << made.error().message;
  std::vector<core::Words> words;
  for (const core::Resource& resource : (*made)->dispatch().resources) {
    words.push_back(resource.words);
  }
  using enum core::Words;
  EXPECT_EQ((*made)->dispatch().resources[3].content.fill, core::Fill::poison)
      << "unwritten texels are told from data";
  EXPECT_EQ(words,
            (std::vector{signed_whole, whole, signed_whole, signed_whole, whole, whole, floating}));
}

TEST_F(Resources, EachOfAnArrayIsAnOutput) {
  const auto got = after({64}, {{"o[0]", "256"}, {"o[1]", "512"}}, R"(#version 450
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer O { uint x[]; } o[2];
layout(binding = 2, r32ui) readonly uniform uimage2D images[2];
void main() {
  uint i = gl_LocalInvocationIndex;
  o[gl_WorkGroupID.x].x[i] = imageLoad(images[1], ivec2(i, 0)).x;
})",
                         "o[1]");
  ASSERT_FALSE(got.empty());
  const auto report = checked();
  EXPECT_EQ(report.verdict, core::Verdict::clean);
  EXPECT_TRUE(report.not_looked_at.empty()) << report.not_looked_at.front();
  ASSERT_EQ(report.outputs.size(), 2U);
  EXPECT_EQ(report.outputs[0].variable, "o[0]");
  EXPECT_EQ(report.outputs[0].unwritten, 32U);
  EXPECT_EQ(report.outputs[1].unwritten, 96U);
  const core::Trace trace = traced({0, 0, 0});
  EXPECT_TRUE(std::ranges::any_of(trace.variables, [](const core::TracedVariable& variable) {
    return variable.name == "images[1]" && variable.image;
  }));
}

constexpr const char* kAddressed = R"(#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Data { float x[]; };
layout(buffer_reference, std430) readonly buffer Node { Data data; uint n; };
layout(push_constant) uniform P { Data from; Node node; uint n; float k; };
layout(binding = 0) writeonly buffer O { float o[]; };
shared float tile[64];
void main() {
  uint i = gl_GlobalInvocationID.x;
  tile[gl_LocalInvocationIndex] = i < n ? from.x[i] : 0.0;
  barrier();
  if (i < node.n) o[i] = tile[63u - gl_LocalInvocationIndex] * k + node.data.x[i];
})";

TEST_F(Resources, MemoryBehindAddresses) {
  experiment.settings = {{"k", "2"}};
  const auto got = after({128}, {{"node.data", "1024:iota"}}, kAddressed, "O");
  ASSERT_GE(got.size(), 128U);
  const auto from = before("from");
  for (std::size_t i = 0; i < 128; ++i) {
    const std::size_t mirrored = i / 64 * 64 + 63 - i % 64;
    EXPECT_FLOAT_EQ(got[i], 2.0F * from[mirrored] + static_cast<float>(i)) << i;
  }
}

TEST_F(Resources, ProbesFindTheSameMemory) {
  ASSERT_FALSE(after({128}, {}, kAddressed, "O").empty());
  EXPECT_EQ(checked().verdict, core::Verdict::clean);
  const core::Trace trace = traced({1, 0, 0});
  EXPECT_FALSE(trace.accesses.empty());
  experiment.barriers = {{1, core::BarrierKind::off}};
  ASSERT_FALSE(after(kAddressed, "O").empty());
  EXPECT_EQ(checked().verdict, core::Verdict::racy);
}

TEST_F(Resources, TheTraceFollowsAddresses) {
  const std::string source = R"(#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Data { float x[]; };
layout(buffer_reference, std430) buffer Pair { vec2 xy; };
layout(buffer_reference, std430) readonly buffer Node { Data data; uint n; };
layout(push_constant) uniform P { Data from; Node node; Pair list; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  from.x[i] = node.data.x[i + 1u] + list[i % 16u].xy.y;
})";
  const auto got = after({128}, {{"node.data", "1024:iota"}, {"list", "256:iota"}}, source, "from");
  ASSERT_GE(got.size(), 128U);
  const auto list = before("list"), data = before("node.data");
  const core::Trace trace = traced({1, 0, 0});
  EXPECT_TRUE(trace.incomplete.empty()) << trace.incomplete.front();
  std::map<std::string, std::size_t> seen;
  for (const core::TracedAccess& a : trace.accesses) {
    const core::TracedVariable& variable = trace.variables[trace.sites[a.site].variable];
    const std::uint32_t i = 64 + a.invocation;
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(a.value));
    ++seen[variable.name + (trace.sites[a.site].writes ? " written" : "")];
    if (variable.name == "from") {
      EXPECT_EQ(a.offset, 4 * i);
      EXPECT_EQ(value, got[i]);
    } else if (variable.name == "node.data" && a.offset >= 256) {
      EXPECT_EQ(a.offset, 4 * (i + 1));
      EXPECT_EQ(value, data[i + 1]);
    } else if (variable.name == "list") {
      EXPECT_EQ(a.offset, 16 * (i % 16) + 4);  // aligned to 16 bytes
      EXPECT_EQ(value, list[4 * (i % 16) + 1]);
    }
  }
  for (const core::TracedVariable& variable : trace.variables) {
    EXPECT_FALSE(variable.name.empty()) << "met nowhere, and shown";
  }
  EXPECT_EQ(seen["from written"], 64U);
  EXPECT_EQ(seen["list"], 64U);
  EXPECT_EQ(seen["node.data"], 2U * 64U);  // the address, and what lies there
}

TEST_F(Resources, TheTraceHasTexelsWithTheirPlacesAndValues) {
  ASSERT_EQ(after({16, 8}, {{"from", "16x8:nearest"}, {"to", "16x8x2:r32f:zero"}}, R"(#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) uniform sampler2D from;
layout(binding = 1, r32f) uniform image2DArray to;
layout(binding = 2, r32ui) uniform uimage1D counts;
layout(binding = 3) readonly buffer B { float x[]; } many[2];
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 uv = (vec2(at) + 0.5) / vec2(textureSize(from, 0));
  imageStore(to, ivec3(at, 1), vec4(textureLod(from, uv, 0.0).z + many[1].x[at.x]));
  imageAtomicAdd(counts, at.x, 2u);
  if (at.x == 9) imageStore(to, ivec3(99, at.y, 0), vec4(0.0));
})",
                  "to")
                .size(),
            256U);
  const auto from = before("from"), other = before("many[1]");
  const core::Trace trace = traced({1, 1, 0});
  std::map<std::string, std::size_t> seen;
  for (const core::TracedAccess& a : trace.accesses) {
    const core::TracedVariable& variable = trace.variables[trace.sites[a.site].variable];
    const std::uint32_t x = 8 + a.invocation % 8;
    const std::uint32_t y = 4 + a.invocation / 8;
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(a.value));
    ++seen[variable.name];
    if (variable.name == "from") {
      EXPECT_EQ(a.offset, 16 * (y * 16 + x) + 4 * a.scalar);
      EXPECT_EQ(value, from[4 * (y * 16 + x) + a.scalar]);
    } else if (variable.name == "to") {
      EXPECT_EQ(a.offset, 4 * (128 + y * 16 + x));
      EXPECT_FLOAT_EQ(value, from[4 * (y * 16 + x) + 2] + other[x]);
    } else if (variable.name == "counts") {
      EXPECT_EQ(a.offset, 4 * x);
    } else {
      EXPECT_EQ(variable.name, "many[1].x");
      EXPECT_EQ(value, other[x]);
    }
  }
  EXPECT_EQ(seen, (std::map<std::string, std::size_t>{
                      {"from", 128}, {"to", 32}, {"counts", 32}, {"many[1].x", 32}}));
  ASSERT_EQ(trace.incomplete.size(), 1U);  // no such texel
  EXPECT_NE(trace.incomplete.front().find("4 accesses outside to"), std::string::npos);
}

TEST_F(Resources, ASavedDispatchHasImagesAndAddressesAgain) {
  const std::string source = R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform texture2D other;
layout(binding = 2) uniform sampler how;
layout(binding = 3) writeonly buffer O { float o[]; };
void main() { o[gl_GlobalInvocationID.x] = texelFetch(picture, ivec2(gl_GlobalInvocationID.x, 0), 0).y; })";
  const auto first = after({64}, {{"picture", "64x3:rgba16f:random"}}, source, "O");
  const auto folder = std::filesystem::temp_directory_path() / "tilescope-resources-test";
  const core::Dispatch* const alone = &specimen->dispatch();
  ASSERT_TRUE(write_dispatch(folder, std::span(&alone, 1), {}, 1));
  const auto saved = read_dispatch(folder / kDispatchFile);
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(saved->launches.front().choices.buffers.at("0.0"), "64x3:rgba16f:linear:random");
  experiment.choices = saved->launches.front().choices;
  const auto again = after(source, "O");
  ASSERT_GE(again.size(), 64U);
  EXPECT_TRUE(std::equal(again.begin(), again.begin() + 64, first.begin()));
  std::filesystem::remove_all(folder);
}

TEST_F(Resources, WhatIsWrongIsOneSentence) {
  const std::string source = R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0, r32ui) uniform uimage2D counts;
void main() { imageAtomicAdd(counts, ivec2(gl_GlobalInvocationID.x, 0), 1u); })";
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"64y64", "WIDTHxHEIGHT"},
           {"64x64x64", "WIDTHxHEIGHT"},
           {"64x64:rgba8", "type of numbers"},
           {"64x64:linear", "WIDTHxHEIGHT"},
           {"64x64:@/nowhere", "not a regular file"}}) {
    experiment.choices.buffers = {{"counts", text}};
    const auto made = ::test::specimen_of(*device, source, "kernel.comp", experiment);
    ASSERT_FALSE(made) << text;
    EXPECT_NE(made.error().message.find(part), std::string::npos) << made.error().message;
  }
  experiment.choices.buffers = {{"counts", "1000000x1000000"}};
  after(source, "counts");
  EXPECT_NE(refused.find("allows"), std::string::npos) << refused;
}

}  // namespace
}  // namespace lab
