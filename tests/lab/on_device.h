// A workbench on whatever device is there, with Vulkan's validation, which has to stay silent.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "lab/probe/timeline.h"
#include "lab/read/timeline_reader.h"
#include "lab/ready/workbench.h"

namespace lab::test {

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = gpu::Driver::open({.validation = true});
    if (!opened) {
      opened = gpu::Driver::open({});
    }
    if (!opened) {
      GTEST_SKIP() << "no Vulkan device";
    }
    driver = *opened;
    auto workbench = Workbench::open(driver, "");
    ASSERT_TRUE(workbench) << workbench.error().message;
    bench = std::move(*workbench);
  }
  void TearDown() override {
    if (driver) {
      EXPECT_TRUE(driver->validation_messages().empty()) << driver->validation_messages().front();
    }
  }
  /// A launch's timeline, recorded and read.
  static core::Expected<core::Timeline> recorded(gpu::Device& device, const Turns& turns,
                                                 const TimelineOptions& options = {}) {
    const auto record = record_launch(device, turns, options);
    return record ? core::Expected<core::Timeline>(read_timeline(*record))
                  : std::unexpected(record.error());
  }

  std::shared_ptr<gpu::Driver> driver;
  std::unique_ptr<Workbench> bench;
};

}  // namespace lab::test
