#include "cli/lsp/hover_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace cli {
namespace {

struct WordMeaning {
  std::string_view word;
  std::string_view says;
};

constexpr std::string_view kWaitsShared =
    "All invocations of the workgroup wait here until each has arrived. Writes to shared memory "
    "before it are visible to all of them after it. All invocations must reach it.";
constexpr std::string_view kWaitsGlobal =
    "All invocations of the workgroup wait here until each has arrived. Writes to buffers and "
    "images before it are visible to the workgroup after it; shared memory is not ordered.";
constexpr std::string_view kWaitsAll =
    "All invocations of the workgroup wait here until each has arrived. Writes to shared memory, "
    "buffers and images before it are visible to the workgroup after it.";
constexpr std::string_view kFence =
    "Orders the memory accesses of this invocation. No invocation waits. Between invocations it "
    "orders accesses only together with an atomic or a barrier.";
constexpr std::string_view kWaitsSubgroup =
    "The invocations of a subgroup wait here for each other. Accesses of different subgroups are "
    "not "
    "ordered.";

constexpr std::array kBarriers{
    WordMeaning{"barrier", kWaitsShared},
    WordMeaning{"controlBarrier",
                "Waits and orders memory as its arguments say: execution scope, memory scope, "
                "storage classes, semantics."},
    WordMeaning{"memoryBarrier", kFence},
    WordMeaning{"memoryBarrierShared", kFence},
    WordMeaning{"memoryBarrierBuffer", kFence},
    WordMeaning{"memoryBarrierImage", kFence},
    WordMeaning{"groupMemoryBarrier", kFence},
    WordMeaning{"subgroupBarrier", kWaitsSubgroup},
    WordMeaning{"subgroupMemoryBarrier", kFence},
    WordMeaning{"subgroupMemoryBarrierShared", kFence},
    WordMeaning{"GroupMemoryBarrierWithGroupSync", kWaitsShared},
    WordMeaning{"DeviceMemoryBarrierWithGroupSync", kWaitsGlobal},
    WordMeaning{"AllMemoryBarrierWithGroupSync", kWaitsAll},
    WordMeaning{"GroupMemoryBarrier", kFence},
    WordMeaning{"DeviceMemoryBarrier", kFence},
    WordMeaning{"AllMemoryBarrier", kFence},
    WordMeaning{"workgroupBarrier", kWaitsShared},
    WordMeaning{"storageBarrier", kWaitsGlobal},
    WordMeaning{"textureBarrier", kWaitsGlobal},
    WordMeaning{"workgroupUniformLoad",
                "All invocations of the workgroup wait, read the same value, and wait again."},
};

constexpr std::string_view kLocal =
    "The position of the invocation in its workgroup. CUDA: threadIdx.";
constexpr std::string_view kLocalIndex =
    "The position of the invocation in its workgroup as one number: x + y * size.x + z * size.x * "
    "size.y.";
constexpr std::string_view kGroup =
    "The position of the workgroup in the launch. CUDA: blockIdx. The same for all invocations of "
    "a workgroup.";
constexpr std::string_view kGlobal =
    "The position of the invocation in the launch: workgroup * workgroup size + local position. "
    "CUDA: blockIdx * blockDim + threadIdx.";
constexpr std::string_view kGroups =
    "The number of workgroups of the launch. CUDA: gridDim. The same for all invocations.";
constexpr std::string_view kLane =
    "The position of the invocation in its subgroup. CUDA: the lane of a warp.";
constexpr std::string_view kSubgroupSize =
    "The number of invocations of a subgroup. It depends on the device: 8 on Mesa's CPU driver, "
    "mostly 32 or 64 on GPUs.";

constexpr std::array kBuiltIns{
    WordMeaning{"gl_LocalInvocationID", kLocal},
    WordMeaning{"gl_LocalInvocationIndex", kLocalIndex},
    WordMeaning{"gl_WorkGroupID", kGroup},
    WordMeaning{"gl_GlobalInvocationID", kGlobal},
    WordMeaning{"gl_NumWorkGroups", kGroups},
    WordMeaning{"gl_WorkGroupSize",
                "The number of invocations of a workgroup in each dimension. CUDA: blockDim. It is "
                "a constant."},
    WordMeaning{"gl_SubgroupSize", kSubgroupSize},
    WordMeaning{"gl_SubgroupInvocationID", kLane},
    WordMeaning{"gl_SubgroupID", "The number of the subgroup in its workgroup. CUDA: the warp."},
    WordMeaning{"gl_NumSubgroups", "The number of subgroups of a workgroup."},
    WordMeaning{"SV_GroupThreadID", kLocal},
    WordMeaning{"SV_GroupIndex", kLocalIndex},
    WordMeaning{"SV_GroupID", kGroup},
    WordMeaning{"SV_DispatchThreadID", kGlobal},
    WordMeaning{"WaveGetLaneIndex", kLane},
    WordMeaning{"WaveGetLaneCount", kSubgroupSize},
    WordMeaning{"local_invocation_id", kLocal},
    WordMeaning{"local_invocation_index", kLocalIndex},
    WordMeaning{"workgroup_id", kGroup},
    WordMeaning{"global_invocation_id", kGlobal},
    WordMeaning{"num_workgroups", kGroups},
    WordMeaning{"subgroup_invocation_id", kLane},
    WordMeaning{"subgroup_size", kSubgroupSize},
};

template <std::size_t Count>
std::string_view meaning_in(const std::array<WordMeaning, Count>& words, std::string_view word) {
  const auto* const found = std::ranges::find(words, word, &WordMeaning::word);
  return found == words.end() ? std::string_view() : found->says;
}

}  // namespace

bool is_barrier_word(std::string_view word) {
  return !meaning_in(kBarriers, word).empty();
}

std::string barrier_words(std::string_view word) {
  return std::string(meaning_in(kBarriers, word));
}

std::string built_in_words(std::string_view word) {
  return std::string(meaning_in(kBuiltIns, word));
}

}  // namespace cli
