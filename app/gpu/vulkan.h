// Vulkan-Hpp for this layer's sources and the studio's, and how its exceptions become errors.
// Heavy: include it in few files and in no public header.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include <vulkan/vulkan_raii.hpp>

#include "core/base/error.h"

namespace gpu {

/// The error that a Vulkan exception stands for; `doing` is what was tried, "to create a pipeline".
[[nodiscard]] core::Error vulkan_error(const vk::SystemError& error, const std::string& doing);

/// What a call that also tells of a success's kind has to say. Vulkan-Hpp returns a pair before
/// 1.4.3, and a vk::ResultValue from then on.
template <class Answer>
auto value_of(Answer&& answer) {
  if constexpr (requires { answer.second; }) {
    return std::forward<Answer>(answer).second;
  } else {
    return std::forward<Answer>(answer).value;
  }
}

/// Runs `body`, which may throw Vulkan-Hpp's exceptions, and returns its value or the error.
template <class Body>
auto guard(const std::string& doing, Body&& body) -> core::Expected<decltype(body())> {
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return {};
    } else {
      return body();
    }
  } catch (const vk::SystemError& error) {
    return std::unexpected(vulkan_error(error, doing));
  } catch (const std::bad_alloc&) {
    return core::device_error("not enough memory " + doing);
  } catch (const std::exception& error) {
    return core::device_error("failed " + doing + ": " + error.what());
  }
}

/// Index of a memory type among `allowed` bits with all of `wanted`; throws when there is none.
[[nodiscard]] std::uint32_t memory_type(const vk::PhysicalDeviceMemoryProperties& properties,
                                        std::uint32_t allowed, vk::MemoryPropertyFlags wanted);

}  // namespace gpu
