// Calls of Vulkan that fail (tests/layers/fault_layer.cpp): no command crashes when one fails, and
// each says so in a sentence. TILESCOPE_FAULTS=all walks over every call there is, 3/16 over each
// sixteenth one from the third on, for as many processes side by side.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;

using Environment = std::map<std::string, std::string>;

Environment layered() {
  return {{"VK_LAYER_PATH", (fs::path(TILESCOPE_PROGRAM).parent_path() / "tests/layers").string()},
          {"VK_INSTANCE_LAYERS", "VK_LAYER_TILESCOPE_fault"}};
}

fs::path counts_file() {
  return fs::temp_directory_path() / ("tilescope-faults-" + std::to_string(::getpid()));
}

std::map<std::string, unsigned> counted() {
  const fs::path file = counts_file();
  std::map<std::string, unsigned> counts;
  std::ifstream stream(file);
  std::string name;
  for (unsigned count = 0; stream >> name >> count;) {
    counts[name] = count;
  }
  fs::remove(file);
  return counts;
}

std::map<std::string, unsigned> calls_of(const std::string& command) {
  Environment environment = layered();
  environment["TILESCOPE_FAULT_COUNTS"] = counts_file().string();
  const auto finished = tests::run(command, environment);
  EXPECT_LT(finished.status, 2) << finished.err;
  return counted();
}

bool may_lose(const std::string& function) {
  static const std::set<std::string> all{"vkQueueSubmit",    "vkQueueWaitIdle",
                                         "vkDeviceWaitIdle", "vkWaitForFences",
                                         "vkGetFenceStatus", "vkGetQueryPoolResults",
                                         "vkWaitSemaphores", "vkGetSemaphoreCounterValue"};
  return all.contains(function);
}

const char* walked() {
  return std::getenv("TILESCOPE_FAULTS");  // NOLINT(concurrency-mt-unsafe)
}

bool every_call() {
  return walked() != nullptr;
}

std::vector<unsigned> numbers(unsigned count) {
  if (!every_call()) {
    return {(count + 1) / 2};
  }
  const std::string which = walked();
  const auto slash = which.find('/');
  const bool shared = slash != std::string::npos;
  const unsigned first = shared ? static_cast<unsigned>(std::stoul(which)) : 1;
  const unsigned step = shared ? static_cast<unsigned>(std::stoul(which.substr(slash + 1))) : 1;
  std::vector<unsigned> all;
  for (unsigned number = first; number <= count; number += step) {
    all.push_back(number);
  }
  return all;
}

// One line a function and kind: how often each status came of it. The short form makes the call in
// the middle of each of `some`; none: of all. A picture that the command writes is there where that
// is its status, and else no file is.
void walk(const std::string& command, const std::set<std::string>& some = {},
          const fs::path& picture = {}) {
  if (tests::kSanitized) {
    GTEST_SKIP() << "the loader's layers and the sanitizers do not go together";
  }
  const auto counts = calls_of(command);
  ASSERT_FALSE(counts.empty()) << "the layer is not loaded";
  fmt::print("{}\n", command);
  for (const auto& [function, count] : counts) {
    if (!every_call() && !some.empty() && !some.contains(function)) {
      continue;
    }
    for (const char* kind : {"lost", "host", "device"}) {
      if (std::string(kind) == "lost" ? !may_lose(function)
                                      : may_lose(function) && function != "vkQueueSubmit") {
        continue;
      }
      if (!every_call() && std::string(kind) == "host" && function != "vkAllocateMemory") {
        continue;
      }
      std::map<int, unsigned> outcomes;
      std::string said;
      const auto walked_over = numbers(count);
      for (const unsigned number : walked_over) {
        const std::string fault = fmt::format("{}:{}:{}", function, number, kind);
        SCOPED_TRACE(fault);
        Environment environment = layered();
        environment["TILESCOPE_FAULT"] = fault;
        environment["TILESCOPE_FAULT_COUNTS"] = counts_file().string();
        if (!picture.empty()) {
          fs::remove(picture);
        }
        const auto finished = tests::run(command, environment);
        if (!picture.empty()) {
          EXPECT_EQ(fs::exists(picture), finished.status == 0) << finished.err;
        }
        // How many slices a launch has is a matter of time: the last calls may not come again.
        const auto made = counted();
        if (finished.status == 0 && made.contains(function) && made.at(function) < number) {
          continue;
        }
        ++outcomes[finished.status];
        EXPECT_GE(finished.status, 0) << "a crash\n" << finished.err;
        EXPECT_LE(finished.status, 3) << "a crash, as a shell tells of it\n" << finished.err;
        EXPECT_NE(finished.status, 2) << finished.err;
        if (finished.status == 3) {
          said = finished.err.substr(0, finished.err.find('\n'));
          EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
          EXPECT_TRUE(finished.err.starts_with("tilescope: ")) << finished.err;
        }
        // Only who waits for nothing any more, at the end, need not know.
        if (std::string(kind) == "lost" && function != "vkDeviceWaitIdle") {
          EXPECT_EQ(finished.status, 3);
        }
      }
      std::string tally;
      for (const auto& [status, times] : outcomes) {
        tally += fmt::format(" {}×{}", status < 0 ? "crash" : std::to_string(status), times);
      }
      if (!walked_over.empty()) {
        fmt::print("  {:32} {:7}{:16}  {}\n", function, kind, tally, said);
        std::fflush(stdout);
      }
    }
  }
}

const std::set<std::string> kTelling{"vkQueueSubmit",         "vkWaitForFences",
                                     "vkGetQueryPoolResults", "vkAllocateMemory",
                                     "vkCreateDevice",        "vkCreateGraphicsPipelines"};

TEST(LongFaults, Check) {
  walk("check matmul/tiled --size 32,32,32");
}

TEST(Faults, Run) {
  walk("run transpose/tiled --size 32,32 --repeat 2 --warm-up 0 --probe timeline,trace", kTelling);
}

TEST(LongFaults, Shot) {
  const auto file =
      fs::temp_directory_path() / ("tilescope-faults-" + std::to_string(::getpid()) + ".png");
  walk("shot matmul/tiled --size 32,32,32 --bare --resolution 320x240 -o " + file.string(),
       kTelling, file);
  fs::remove(file);
}

}  // namespace
