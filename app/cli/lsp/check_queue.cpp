#include "cli/lsp/check_queue.h"

#include <cstdint>
#include <utility>

namespace cli {

CheckQueue::CheckQueue(std::size_t threads, Work work) : work_(std::move(work)) {
  for (std::size_t n = 0; n < threads; ++n) {
    threads_.emplace_back([this](const std::stop_token& stopped) { run(stopped); });
  }
}

CheckQueue::~CheckQueue() {
  stop();
}

void CheckQueue::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    for (std::jthread& thread : threads_) {
      thread.request_stop();
    }
    for (auto& [name, entry] : entries_) {
      ++entry.number;
    }
  }
  changed_.notify_all();
  threads_.clear();
}

void CheckQueue::want(const std::string& name, std::chrono::milliseconds delay) {
  {
    const std::scoped_lock lock(mutex_);
    if (stopped_) {
      return;
    }
    Entry& entry = entries_[name];
    entry.due = Clock::now() + delay;
    entry.waits = true;
    ++entry.number;
  }
  changed_.notify_all();
}

void CheckQueue::cancel(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    return;
  }
  if (!found->second.runs) {
    entries_.erase(found);
    return;
  }
  found->second.waits = false;
  ++found->second.number;
}

// The name whose work is due, marked as running. Empty if the thread is to stop.
std::string CheckQueue::next(std::unique_lock<std::mutex>& lock, const std::stop_token& stopped) {
  while (!stopped.stop_requested()) {
    auto earliest = entries_.end();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->second.waits && !entry->second.runs &&
          (earliest == entries_.end() || entry->second.due < earliest->second.due)) {
        earliest = entry;
      }
    }
    if (earliest == entries_.end()) {
      changed_.wait(lock);
    } else if (earliest->second.due > Clock::now()) {
      const Clock::time_point due = earliest->second.due;  // the entry may go meanwhile
      changed_.wait_until(lock, due);
    } else {
      earliest->second.waits = false;
      earliest->second.runs = true;
      return earliest->first;
    }
  }
  return "";
}

void CheckQueue::run(const std::stop_token& stopped) {
  std::unique_lock lock(mutex_);
  for (std::string name = next(lock, stopped); !name.empty(); name = next(lock, stopped)) {
    const std::uint64_t number = entries_[name].number;
    lock.unlock();
    work_(name, [this, &name, number, &stopped] {
      const std::scoped_lock guard(mutex_);
      return !stopped.stop_requested() && entries_[name].number == number;
    });
    lock.lock();
    Entry& entry = entries_[name];
    entry.runs = false;
    if (!entry.waits) {
      entries_.erase(name);
    }
    changed_.notify_all();
  }
}

}  // namespace cli
