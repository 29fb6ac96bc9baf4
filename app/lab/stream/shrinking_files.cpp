#include "lab/stream/shrinking_files.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

#include <sys/mman.h>

namespace lab {
namespace {

// What the signal's handler may read: no lock, no allocation.
struct Watch {
  std::atomic<std::uintptr_t> begin{0};  // 0: free
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> shrank{false};
};

std::array<Watch, 16>& watches() {
  static std::array<Watch, 16> all;
  return all;
}

struct sigaction& before() {
  static struct sigaction action{};
  return action;
}

void on_bus_error(int /*number*/, siginfo_t* told, void* /*context*/) {
  constexpr std::uintptr_t kPage = 4096;
  const auto address = reinterpret_cast<std::uintptr_t>(told->si_addr);
  for (Watch& watch : watches()) {
    const std::uintptr_t begin = watch.begin.load();
    const std::uintptr_t end = watch.end.load();
    if (begin == 0 || address < begin || address >= end) {
      continue;
    }
    watch.shrank = true;
    // All that follows is gone too.
    const std::uintptr_t page = address & ~(kPage - 1);
    if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
      return;
    }
  }
  // Not ours: the same instruction again, under whoever was asked before.
  ::sigaction(SIGBUS, &before(), nullptr);
}

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &before());
  });
}

}  // namespace

ShrinkingFile::ShrinkingFile(const void* pages, std::size_t bytes) {
  static std::mutex one_at_a_time;
  install();
  const std::scoped_lock lock(one_at_a_time);
  for (std::size_t i = 0; i < watches().size() && watch_ < 0; ++i) {
    Watch& watch = watches()[i];
    if (watch.begin.load() == 0) {
      watch_ = static_cast<int>(i);
      watch.shrank = false;
      watch.end = reinterpret_cast<std::uintptr_t>(pages) + bytes;
      watch.begin = reinterpret_cast<std::uintptr_t>(pages);
    }
  }
}

ShrinkingFile::~ShrinkingFile() {
  if (watch_ >= 0) {
    watches()[static_cast<std::size_t>(watch_)].begin = 0;
  }
}

bool ShrinkingFile::shrank() const {
  return watch_ >= 0 && watches()[static_cast<std::size_t>(watch_)].shrank.load();
}

void ShrinkingFile::swap(ShrinkingFile& other) noexcept {
  std::swap(watch_, other.watch_);
}

}  // namespace lab
