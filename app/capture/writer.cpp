#include "capture/writer.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include <pthread.h>

#include "capture/hooks.h"
#include "capture/layer.h"

namespace capture {
namespace {

constexpr std::uint64_t kPatienceNs =
    5'000'000;  // for the oldest fence, before all are polled again
constexpr auto kLongestWait = std::chrono::seconds(10);
constexpr VkDeviceSize kMostUnread = VkDeviceSize{1} << 30U;

}  // namespace

void Writer::start() {
  if (started_) {
    return;
  }
  // Signals are for the program's threads.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([this] { work(); }).detach();
    started_ = true;
  } catch (const std::exception&) {
    waiting_.clear();  // no thread, no capture
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Writer::push(Submission submission) {
  std::unique_lock lock(mutex_);
  start();
  if (!started_ || stopped_) {
    return;
  }
  for (SubmittedLaunch& submitted : submission.launches) {
    submitted.number = ++submitted_;
  }
  waiting_.push_back(std::move(submission));
  const Submission& taken = waiting_.back();
  unread_bytes_ += taken.bytes;
  for (const SubmittedLaunch& submitted : taken.launches) {
    if (taken.fence != VK_NULL_HANDLE && submitted.launch->has_copies()) {
      submitted.launch->pending.fetch_add(1);
    }
  }
  changed_.notify_all();
  if (unread_bytes_ > kMostUnread) {
    const std::uint64_t begin = now_ns();
    changed_.wait_for(lock, kLongestWait, [&] { return unread_bytes_ <= kMostUnread; });
    waited_ns_ += now_ns() - begin;
  }
}

bool Writer::wait_for(const std::vector<SubmittedLaunch>& launches) {
  const auto read = [&] {
    return std::ranges::all_of(launches, [](const SubmittedLaunch& submitted) {
      return submitted.launch->pending.load() == 0;
    });
  };
  if (read()) {
    return true;
  }
  const std::uint64_t begin = now_ns();
  std::unique_lock lock(mutex_);
  const bool done = changed_.wait_for(lock, kLongestWait, read);
  waited_ns_ += now_ns() - begin;
  return done;
}

void Writer::drain(const Device* device, double seconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
    const bool waiting = std::ranges::any_of(waiting_, [&](const Submission& submission) {
      return device == nullptr || submission.device == device;
    });
    const bool busy = busy_with_ != nullptr && (device == nullptr || busy_with_ == device);
    return !waiting && !busy;
  });
  // The program destroys the device even if its work did not finish. Its submissions are dropped,
  // because their fences become invalid.
  std::erase_if(waiting_, [&](const Submission& submission) {
    const bool left = device != nullptr && submission.device == device;
    unread_bytes_ -= left ? submission.bytes : 0;
    return left;
  });
  const std::uint64_t waited = waited_ns_;
  if (device == nullptr) {
    stopped_ = true;  // the driver is about to be unloaded
    changed_.notify_all();
  }
  lock.unlock();
  folder_.write_totals(waited);
}

bool Writer::is_ready(const Submission& submission, bool& lost) const {
  lost = false;
  if (submission.fence == VK_NULL_HANDLE) {
    return true;
  }
  const VkResult status =
      submission.device->next.GetFenceStatus(submission.device->handle, submission.fence);
  lost = status < 0;
  return status != VK_NOT_READY;
}

void Writer::work() {
  for (;;) {
    Submission submission;
    bool lost = false;
    Device* patient = nullptr;
    VkFence fence = VK_NULL_HANDLE;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || !waiting_.empty(); });
      if (stopped_) {
        return;
      }
      const auto ready = std::ranges::find_if(
          waiting_, [&](const Submission& waiting) { return is_ready(waiting, lost); });
      if (ready != waiting_.end()) {
        submission = std::move(*ready);
        waiting_.erase(ready);
        busy_with_ = submission.device;
      } else {
        patient = waiting_.front().device;
        fence = waiting_.front().fence;
      }
    }
    if (patient != nullptr) {
      patient->next.WaitForFences(patient->handle, 1, &fence, VK_TRUE, kPatienceNs);
      continue;
    }
    hook::guarded([&] { write(submission, lost); });
    for (SubmittedLaunch& submitted : submission.launches) {
      if (submission.fence != VK_NULL_HANDLE && submitted.launch->has_copies()) {
        submitted.launch->pending.fetch_sub(1);
      }
    }
    submission.launches.clear();  // gives chunks back while the device is sure to exist
    if (submission.fence != VK_NULL_HANDLE) {
      hook::guarded([&] { submission.device->give_back_fence(submission.fence); });
    }
    const std::scoped_lock lock(mutex_);
    busy_with_ = nullptr;
    unread_bytes_ -= submission.bytes;
    changed_.notify_all();
  }
}

void Writer::write(Submission& submission, bool lost) {
  for (SubmittedLaunch& submitted : submission.launches) {
    if (lost && submitted.refused.empty()) {
      submitted.refused = "the device was lost";
    }
    folder_.write(submission, submitted);
  }
}

}  // namespace capture
