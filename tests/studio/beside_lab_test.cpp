// Two kernels beside each other share a device: they are measured in alternation.
#include "studio/window/beside_lab.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "lab/ready/catalogue_files.h"

namespace {

using namespace std::chrono_literals;

TEST(BesideLab, TimesOfBothGoOn) {
  const auto catalogue = lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders");
  lab::Lab first(catalogue, {.ladder = false});
  const std::function<std::unique_ptr<lab::Lab>()> make = [&] {
    return std::make_unique<lab::Lab>(catalogue, lab::LabOptions{.ladder = false});
  };
  studio::BesideLab beside(first, make);
  core::Experiment experiment{.variant = "barrier/one-barrier", .size = {16, 8}};
  first.request(experiment);
  const auto until = [&](const std::function<bool()>& there) {
    const auto end = std::chrono::steady_clock::now() + 40s;
    while (!there() && std::chrono::steady_clock::now() < end) {
      if (const auto now = first.latest(); !now->text_only && !now->error) {
        ui::Requests requests;
        requests.beside = now->experiment;
        requests.beside->variant = "barrier/two-barriers";
        beside.follow(requests);
      }
      beside.take_turns(false, catalogue);
      std::this_thread::sleep_for(5ms);
    }
    return there();
  };
  const auto launches = [&] {
    const auto second = beside.latest();
    return std::pair(first.latest()->timing.launches, second ? second->timing.launches : 0);
  };
  ASSERT_TRUE(until([&] {
    const auto second = beside.latest();
    return second && second->races && second->like && second->like->outputs.done &&
           second->timing.samples_ms.size() >= 40;
  })) << (beside.latest() && beside.latest()->error ? beside.latest()->error->message : "");
  for (int round = 0; round < 2; ++round) {
    const auto before = launches();
    EXPECT_TRUE(until([&] {
      const auto now = launches();
      return now.first > before.first && now.second > before.second;
    })) << "round "
        << round;
  }
}

}  // namespace
