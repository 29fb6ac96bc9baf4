// The window's lab where calls of Vulkan fail (tests/layers/fault_layer.cpp): its device is made
// again, and what answered last goes on.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "lab/live/lab.h"
#include "lab/ready/catalogue_files.h"
#include "tests/cli/process.h"
#include "tests/kernels/live.h"

namespace {

using namespace std::chrono_literals;
using tests::Snapshot;

class LiveFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (tests::kSanitized) {
      GTEST_SKIP() << "the loader's layers and the sanitizers do not go together";
    }
    const auto build = std::filesystem::path(TILESCOPE_PROGRAM).parent_path();
    set("VK_LAYER_PATH", (build / "tests/layers").string());
    set("VK_INSTANCE_LAYERS", "VK_LAYER_TILESCOPE_fault");
  }
  void TearDown() override {
    lab_.reset();
    for (const char* name : {"VK_LAYER_PATH", "VK_INSTANCE_LAYERS", "TILESCOPE_FAULT"}) {
      ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe): the lab's thread has ended
    }
  }

  static void set(const char* name, const std::string& value) {
    ::setenv(name, value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): as above
  }
  void start(const std::string& fault) {
    lab_.reset();
    set("TILESCOPE_FAULT", fault);
    lab_ = std::make_unique<lab::Lab>(
        lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
        lab::LabOptions{.ladder = false});
  }
  Snapshot wait_for(const std::function<bool(const core::Result&)>& there) const {
    return tests::wait_for(*lab_, there);
  }

  std::unique_ptr<lab::Lab> lab_;
};

TEST_F(LiveFaults, ALostDeviceIsMadeAgain) {
  for (const char* fault : {"vkQueueSubmit:1:lost", "vkQueueSubmit:4:lost", "vkQueueSubmit:30:lost",
                            "vkWaitForFences:2:lost", "vkGetQueryPoolResults:5:lost"}) {
    SCOPED_TRACE(fault);
    start(fault);
    lab_->request({.variant = "matmul/tiled", .size = {64, 64, 64}});
    const Snapshot again = wait_for([](const core::Result& r) {
      return r.error && r.timing.launches > 3 && r.stage == core::Stage::running;
    });
    ASSERT_TRUE(again) << (lab_->latest()->error ? lab_->latest()->error->message : "no error");
    EXPECT_NE(again->error->message.find("device was lost"), std::string::npos)
        << again->error->message;
    EXPECT_TRUE(again->check.correct);
  }
}

// What there is no memory for is said, and the next request is answered.
TEST_F(LiveFaults, NoMemoryIsNoEnd) {
  for (const char* fault :
       {"vkAllocateMemory:1:device", "vkAllocateMemory:3:host", "vkAllocateMemory:6:device",
        "vkCreateComputePipelines:1:device", "vkCreateShaderModule:2:host",
        "vkAllocateDescriptorSets:2:device", "vkCreateDevice:1:host"}) {
    SCOPED_TRACE(fault);
    start(fault);
    lab_->request({.variant = "matmul/tiled", .size = {64, 64, 64}});
    ASSERT_TRUE(wait_for(
        [](const core::Result& r) { return r.error || (r.races && r.timing.launches > 0); }));
    lab_->request({.variant = "matmul/tiled", .size = {32, 32, 32}});
    EXPECT_TRUE(wait_for([](const core::Result& r) {
      return !r.error && r.problem.sizes == core::Sizes{32, 32, 32} && r.timing.launches > 3;
    })) << (lab_->latest()->error ? lab_->latest()->error->message : "");
  }
}

}  // namespace
