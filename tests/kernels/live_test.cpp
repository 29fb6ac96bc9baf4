// The lab as the window uses it: requests in, snapshots out.
#include <chrono>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "lab/catalogue_files.h"
#include "lab/lab.h"

namespace {

using namespace std::chrono_literals;
using Snapshot = std::shared_ptr<const core::Result>;

class Live : public testing::Test {
 protected:
  Live()
      : lab_(lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
             {.ladder = false}) {}

  Snapshot wait_for(const std::function<bool(const core::Result&)>& there) const {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < end) {
      if (const Snapshot now = lab_.latest(); there(*now)) {
        return now;
      }
      std::this_thread::sleep_for(5ms);
    }
    return nullptr;
  }
  Snapshot wait_for_check(const core::BarrierEdits& barriers) const {
    return wait_for([&](const core::Result& result) {
      return result.races && result.experiment.barriers == barriers;
    });
  }

  lab::Lab lab_;
};

TEST_F(Live, EveryExperimentIsCheckedForRacesInTheBackground) {
  core::Experiment experiment{.variant = "matmul/tiled", .size = {64, 64, 64}};
  lab_.request(experiment);
  const Snapshot clean = wait_for_check({});
  ASSERT_TRUE(clean);
  EXPECT_EQ(clean->races->verdict, core::Verdict::clean);
  EXPECT_FALSE(clean->timing.samples_ms.empty()) << "the plain launch goes first";

  experiment.barriers = {{1, core::BarrierKind::off}};
  lab_.request(experiment);
  const Snapshot racy = wait_for_check(experiment.barriers);
  ASSERT_TRUE(racy);
  EXPECT_EQ(racy->races->verdict, core::Verdict::racy);
  EXPECT_EQ(racy->races->workgroups_checked, racy->tiles.group_count());
  EXPECT_TRUE(racy->races->racing(0));
}

TEST_F(Live, ARequestStopsACheckAndAnotherFollows) {
  core::Experiment experiment{.variant = "matmul/tiled",
                              .size = {512, 512, 512},
                              .barriers = {{1, core::BarrierKind::off}}};
  lab_.request(experiment);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.races_progress > 0.0 || r.races; }));
  experiment.size = {32, 32, 32};
  const auto asked = std::chrono::steady_clock::now();
  lab_.request(experiment);
  const Snapshot small = wait_for(
      [](const core::Result& r) { return r.races && r.problem.sizes == core::Sizes{32, 32, 32}; });
  ASSERT_TRUE(small);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, 20s);
  EXPECT_EQ(small->races->workgroups, 4U);
}

}  // namespace
