// The second lab of the compare view: a kernel that is launched as another one is.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/live/lab.h"
#include "lab/ready/catalogue_files.h"
#include "tests/kernels/live.h"

namespace {

using namespace std::chrono_literals;
using tests::Snapshot;

// Members of the push constants and bindings lie in two orders: names decide.
std::string kernel(bool swapped, const std::string& value) {
  return std::string("#version 460\nlayout(local_size_x = ") + (swapped ? "32" : "64") +
         ") in;\nlayout(push_constant) uniform P { uint " + (swapped ? "m; uint n" : "n; uint m") +
         "; };\nlayout(set = 0, binding = " + (swapped ? "1" : "0") +
         ") readonly buffer A { uint a[]; };\nlayout(set = 0, binding = " + (swapped ? "0" : "1") +
         ") buffer C { uint c[]; };\nvoid main() {\n  const uint i = gl_GlobalInvocationID.x;\n"
         "  if (i < n) { c[i] = " +
         value + "; }\n}\n";
}

class LiveBeside : public testing::Test {
 protected:
  LiveBeside()
      : first_(catalogue(), {.ladder = false}),
        second_(catalogue(), {.ladder = false}),
        folder_(std::filesystem::temp_directory_path() /
                ("tilescope-beside-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~LiveBeside() override { std::filesystem::remove_all(folder_); }
  static core::Catalogue catalogue() {
    return lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders");
  }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Snapshot run(const core::Experiment& experiment) {
    first_.request(experiment);
    return tests::wait_for(
        first_,
        [&](const core::Result& r) {
          return r.error || (r.timing.launches > 0 && r.experiment.settings == experiment.settings);
        },
        60s);
  }
  Snapshot beside(const core::Experiment& experiment, const Snapshot& like) {
    second_.request(experiment, like);
    return tests::wait_for(
        second_,
        [&](const core::Result& r) {
          return r.error || (r.like && r.like->experiment == like->experiment &&
                             (r.like->outputs.done || r.like->error));
        },
        60s);
  }
  static bool says(const core::Result& result, const std::string& flag) {
    return std::ranges::find(result.chosen, flag) != result.chosen.end();
  }

  lab::Lab first_, second_;
  std::filesystem::path folder_;
};

TEST_F(LiveBeside, AFileIsLaunchedWithTheSameSizesValuesAndBuffers) {
  core::Experiment a{.variant = file("a.comp", kernel(false, "a[i] * 3u + m"))};
  a.settings = {{"n", "50"}, {"m", "9"}};
  a.choices.groups = {2, 1, 1};
  a.choices.buffers = {{"a", "512:iota"}, {"c", "512:zero"}};
  Snapshot first = run(a);
  ASSERT_TRUE(first);
  ASSERT_FALSE(first->error) << first->error->message;

  const core::Experiment b{.variant = file("b.comp", kernel(true, "m + 3u * a[i]"))};
  Snapshot second = beside(b, first);
  ASSERT_TRUE(second);
  ASSERT_FALSE(second->error) << second->error->message;
  ASSERT_FALSE(second->like->error) << second->like->error->message;
  EXPECT_TRUE(second->like->outputs.correct) << second->like->outputs.worst;
  EXPECT_TRUE(says(*second, "--groups 4,1,1")) << "as many invocations";
  EXPECT_TRUE(says(*second, "--set n=50"));
  EXPECT_TRUE(says(*second, "--set m=9"));
  EXPECT_TRUE(says(*second, "--buffer 0.0=512:words=128@0x0"))
      << "the contents are those of the first kernel";

  a.settings["n"] = "60";
  first = run(a);
  ASSERT_TRUE(first);
  second = beside(b, first);
  ASSERT_TRUE(second);
  EXPECT_TRUE(says(*second, "--set n=60")) << "it follows";

  second = beside({.variant = file("wrong.comp", kernel(true, "m + 4u * a[i]"))}, first);
  ASSERT_TRUE(second);
  ASSERT_FALSE(second->like->error) << second->like->error->message;
  EXPECT_FALSE(second->like->outputs.correct);
}

TEST_F(LiveBeside, AnEditOfTheFirstComparesTheOutputsAnewAndLeavesTheSecondRunning) {
  core::Experiment a{.variant = "matmul/tiled", .size = {64, 64, 64}};
  const Snapshot first = run(a);
  ASSERT_TRUE(first);
  core::Experiment b = first->experiment;
  b.variant = "matmul/naive";
  const Snapshot second = beside(b, first);
  ASSERT_TRUE(second);
  ASSERT_FALSE(second->error);
  EXPECT_TRUE(second->like->outputs.correct) << second->like->outputs.worst;
  ASSERT_TRUE(tests::wait_for(
      second_, [](const core::Result& r) { return r.races && r.timing.launches > 3; }, 60s));

  a.barriers = {{1, core::BarrierKind::fence_all}};
  first_.request(a);
  const Snapshot edited = tests::wait_for(
      first_,
      [&](const core::Result& r) {
        return r.experiment.barriers == a.barriers && r.timing.launches > 0;
      },
      60s);
  ASSERT_TRUE(edited);
  const auto launches = second_.latest()->timing.launches;
  const Snapshot after = beside(b, edited);
  ASSERT_TRUE(after);
  EXPECT_TRUE(after->races) << "nothing of the second is made again";
  EXPECT_GE(after->timing.launches, launches);
}

}  // namespace
