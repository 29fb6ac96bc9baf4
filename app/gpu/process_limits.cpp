#include "gpu/process_limits.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>

#include "core/base/bytes.h"

namespace gpu {
namespace {

namespace fs = std::filesystem;

// A software rasterizer with its compiler; a GPU's driver maps more.
constexpr rlim_t kLeastAddressSpace = rlim_t{3} << 30U;
constexpr std::uintmax_t kLeastDisk = 16U << 20U;

// As many threads at once as drivers make: two a core, and some.
bool can_make_threads() {
  const unsigned count = 2 * std::max(1U, std::thread::hardware_concurrency()) + 4;
  std::atomic<bool> go = false;
  std::vector<std::thread> threads;
  bool all = true;
  try {
    for (unsigned i = 0; i < count; ++i) {
      threads.emplace_back([&go] { go.wait(false); });
    }
  } catch (const std::system_error&) {
    all = false;
  }
  go = true;
  go.notify_all();
  for (std::thread& thread : threads) {
    thread.join();
  }
  return all;
}

fs::path cache_folder() {
  for (const auto& [variable, below] :
       {std::pair("MESA_SHADER_CACHE_DIR", ""), std::pair("XDG_CACHE_HOME", ""),
        std::pair("HOME", ".cache")}) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): before there is another thread
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
      return fs::path(value) / below;
    }
  }
  return {};
}

}  // namespace

core::Expected<void> check_process() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < kLeastAddressSpace) {
    return core::device_error("this process is limited to " + core::bytes_in_words(limit.rlim_cur) +
                              " of address space (ulimit -v); a Vulkan driver needs " +
                              core::bytes_in_words(kLeastAddressSpace));
  }
  // Where nothing is limited, nothing is tried.
  if (::getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < 4096 && !can_make_threads()) {
    return core::device_error(
        "this process cannot start enough threads for a Vulkan driver; raise the limit (ulimit -u "
        "is " +
        std::to_string(limit.rlim_cur) + ")");
  }
  return {};
}

void spare_full_disk() {
  std::error_code failed;
  fs::path folder = cache_folder();
  while (!folder.empty() && folder != folder.root_path() && !fs::exists(folder, failed)) {
    folder = folder.parent_path();
  }
  const fs::space_info space = fs::space(folder, failed);
  if (!failed && space.available < kLeastDisk) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): before there is another thread
    ::setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
  }
}

void tune_allocator() {
#ifdef __GLIBC__
  constexpr int kLarge = 1 << 20;
  constexpr int kGrowth = 8 << 20;
  constexpr int kKept = 64 << 20;
  // NOLINTBEGIN(concurrency-mt-unsafe): before there is another thread
  ::mallopt(M_MMAP_THRESHOLD, kLarge);  // also stops glibc from raising the threshold
  ::mallopt(M_TOP_PAD, kGrowth);
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  // NOLINTEND(concurrency-mt-unsafe)
#endif
}

void return_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace gpu
