// Calls of Vulkan that fail (tests/layers/fault_layer.cpp): no command crashes of one, whichever it
// is; it says so in a sentence. TILESCOPE_FAULTS=all walks over every call there is.
#include <algorithm>
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

std::map<std::string, unsigned> calls_of(const std::string& command) {
  const auto file = fs::temp_directory_path() / ("tilescope-faults-" + std::to_string(::getpid()));
  Environment environment = layered();
  environment["TILESCOPE_FAULT_COUNTS"] = file.string();
  const auto finished = tests::run(command, environment);
  EXPECT_LT(finished.status, 2) << finished.err;
  std::map<std::string, unsigned> counts;
  std::ifstream stream(file);
  std::string name;
  for (unsigned count = 0; stream >> name >> count;) {
    counts[name] = count;
  }
  fs::remove(file);
  return counts;
}

bool may_lose(const std::string& function) {
  static const std::set<std::string> all{"vkQueueSubmit",    "vkQueueWaitIdle",
                                         "vkDeviceWaitIdle", "vkWaitForFences",
                                         "vkGetFenceStatus", "vkGetQueryPoolResults",
                                         "vkWaitSemaphores", "vkGetSemaphoreCounterValue"};
  return all.contains(function);
}

bool every_call() {
  return std::getenv("TILESCOPE_FAULTS") != nullptr;  // NOLINT(concurrency-mt-unsafe)
}

std::vector<unsigned> numbers(unsigned count) {
  if (!every_call()) {
    return {(count + 1) / 2};
  }
  std::vector<unsigned> all(count);
  for (unsigned i = 0; i < count; ++i) {
    all[i] = i + 1;
  }
  return all;
}

// One line a function and kind: how often each status came of it.
void walk(const std::string& command) {
  if (tests::kSanitized) {
    GTEST_SKIP() << "the loader's layers and the sanitizers do not go together";
  }
  const auto counts = calls_of(command);
  ASSERT_FALSE(counts.empty()) << "the layer is not loaded";
  std::string table = command + "\n";
  for (const auto& [function, count] : counts) {
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
      for (const unsigned number : numbers(count)) {
        const std::string fault = fmt::format("{}:{}:{}", function, number, kind);
        SCOPED_TRACE(fault);
        Environment environment = layered();
        environment["TILESCOPE_FAULT"] = fault;
        const auto finished = tests::run(command, environment);
        ++outcomes[finished.status];
        EXPECT_GE(finished.status, 0) << "a crash\n" << finished.err;
        EXPECT_NE(finished.status, 2) << finished.err;
        if (finished.status == 3) {
          said = finished.err.substr(0, finished.err.find('\n'));
          EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
          EXPECT_TRUE(finished.err.starts_with("tilescope: ")) << finished.err;
        }
        if (std::string(kind) == "lost") {
          EXPECT_EQ(finished.status, 3);
        }
      }
      std::string tally;
      for (const auto& [status, times] : outcomes) {
        tally += fmt::format(" {}×{}", status < 0 ? "crash" : std::to_string(status), times);
      }
      table += fmt::format("  {:32} {:7}{:16}  {}\n", function, kind, tally, said);
    }
  }
  fmt::print("{}", table);
}

TEST(Faults, Check) {
  walk("check matmul/tiled --size 32,32,32");
}

TEST(Faults, Run) {
  if (!every_call()) {
    GTEST_SKIP() << "TILESCOPE_FAULTS=all";
  }
  walk("run transpose/tiled --size 32,32 --repeat 2 --probe timeline,trace");
}

TEST(Faults, Shot) {
  if (!every_call()) {
    GTEST_SKIP() << "TILESCOPE_FAULTS=all";
  }
  const auto file =
      fs::temp_directory_path() / ("tilescope-faults-" + std::to_string(::getpid()) + ".png");
  walk("shot matmul/tiled --size 32,32,32 --bare --resolution 320x200 -o " + file.string());
  fs::remove(file);
}

}  // namespace
