// Queues: a submission's launches go to the writer, with a fence behind them.
#include <algorithm>
#include <set>

#include "capture/hooks.h"
#include "capture/layer.h"

namespace capture::hook {
namespace {

// The launches of the command buffers in the order of their execution.
std::vector<SubmittedLaunch> launches_of(Device& device,
                                         const std::vector<VkCommandBuffer>& buffers) {
  std::vector<SubmittedLaunch> all;
  std::set<const Launch*> seen;
  for (const VkCommandBuffer buffer : buffers) {
    const auto commands = device.commands.find(buffer);
    if (!commands) {
      continue;
    }
    for (const auto& launch : commands->launches) {
      SubmittedLaunch submitted{launch, {}};
      if (launch->has_copies() && !seen.insert(launch.get()).second) {
        submitted.refused = "the launch's command buffer runs several times in one submission";
        for (SubmittedLaunch& earlier : all) {
          if (earlier.launch == launch) {
            earlier.refused = submitted.refused;
          }
        }
      }
      for (const auto& [set, version] : launch->watched) {
        const std::scoped_lock lock(set->mutex);
        if (set->version != version) {
          submitted.refused =
              "the launch's descriptors were updated after the command buffer was recorded";
        }
      }
      all.push_back(std::move(submitted));
    }
  }
  return all;
}

bool has_copies(const std::vector<SubmittedLaunch>& launches) {
  return std::ranges::any_of(
      launches, [](const SubmittedLaunch& submitted) { return submitted.launch->has_copies(); });
}

// Prepares a submission before it is made: copies must not be overwritten while they are read.
Submission prepare(Device& device, VkQueue queue, const std::vector<VkCommandBuffer>& buffers) {
  Submission submission;
  submission.device = &device;
  submission.launches = launches_of(device, buffers);
  submission.time_ns = now_ns();
  if (const auto known = device.queues.find(queue)) {
    submission.family = known->family;
    submission.queue = known->index;
  }
  if (!has_copies(submission.launches)) {
    return submission;
  }
  const bool free = layer().writer.wait_for(submission.launches);
  submission.fence = device.get_fence();
  for (SubmittedLaunch& submitted : submission.launches) {
    if (!free && submitted.launch->has_copies()) {
      submitted.refused =
          "the launch's command buffer was submitted again before the first copies were read";
    }
  }
  return submission;
}

void finish(Device& device, VkQueue queue, Submission submission, VkResult result) {
  if (submission.launches.empty()) {
    return;
  }
  if (result != VK_SUCCESS) {
    for (SubmittedLaunch& submitted : submission.launches) {
      submitted.refused = "the submission failed";
    }
  }
  const bool copies = has_copies(submission.launches);
  if (copies && submission.fence != VK_NULL_HANDLE &&
      (result != VK_SUCCESS ||
       device.next.QueueSubmit(queue, 0, nullptr, submission.fence) != VK_SUCCESS)) {
    device.give_back_fence(submission.fence);
    submission.fence = VK_NULL_HANDLE;
  }
  for (SubmittedLaunch& submitted : submission.launches) {
    if (!submitted.launch->has_copies()) {
      continue;
    }
    if (submission.fence == VK_NULL_HANDLE) {
      submitted.refused = submitted.refused.empty() ? "the layer's fence could not be submitted"
                                                    : submitted.refused;
    } else {
      submission.bytes += submitted.launch->copied_bytes();
    }
  }
  layer().writer.push(std::move(submission));
}

template <class Call>
VkResult submit(VkQueue queue, const std::vector<VkCommandBuffer>& buffers, Call call) {
  Device& device = known_device(queue);
  Submission submission;
  guarded([&] { submission = prepare(device, queue, buffers); });
  const VkResult result = call(device.next);
  guarded([&] { finish(device, queue, std::move(submission), result); });
  return result;
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL GetDeviceQueue(VkDevice device, std::uint32_t family,
                                          std::uint32_t index, VkQueue* queue) {
  Device& known = known_device(device);
  known.next.GetDeviceQueue(device, family, index, queue);
  guarded([&] { known.queues.add(*queue, std::make_shared<Queue>(Queue{family, index})); });
}

VKAPI_ATTR void VKAPI_CALL GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2* info,
                                           VkQueue* queue) {
  Device& known = known_device(device);
  known.next.GetDeviceQueue2(device, info, queue);
  guarded([&] {
    known.queues.add(*queue,
                     std::make_shared<Queue>(Queue{info->queueFamilyIndex, info->queueIndex}));
  });
}

VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit(VkQueue queue, std::uint32_t count,
                                           const VkSubmitInfo* submits, VkFence fence) {
  std::vector<VkCommandBuffer> buffers;
  guarded([&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      buffers.insert(buffers.end(), submits[i].pCommandBuffers,
                     submits[i].pCommandBuffers + submits[i].commandBufferCount);
    }
  });
  return submit(queue, buffers, [&](const NextDevice& next) {
    return next.QueueSubmit(queue, count, submits, fence);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit2(VkQueue queue, std::uint32_t count,
                                            const VkSubmitInfo2* submits, VkFence fence) {
  std::vector<VkCommandBuffer> buffers;
  guarded([&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      for (std::uint32_t b = 0; b < submits[i].commandBufferInfoCount; ++b) {
        buffers.push_back(submits[i].pCommandBufferInfos[b].commandBuffer);
      }
    }
  });
  return submit(queue, buffers, [&](const NextDevice& next) {
    return next.QueueSubmit2(queue, count, submits, fence);
  });
}

}  // namespace capture::hook
