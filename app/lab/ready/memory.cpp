#include "lab/ready/memory.h"

#include <algorithm>
#include <span>
#include <utility>

namespace lab {
namespace {

constexpr std::uint64_t kLeast = 16;  // bytes of a buffer that is bound

bool one_word(const core::Content& content) {
  return content.bytes.empty() &&
         (content.fill == core::Fill::zero || content.fill == core::Fill::poison);
}

}  // namespace

core::Expected<Memory> Memory::make(gpu::Device& device, std::vector<core::Resource> resources,
                                    std::uint64_t seed, Buffers lent) {
  Memory memory;
  memory.device_ = &device;
  memory.seed_ = seed;
  memory.lent_ = std::move(lent);
  memory.lent_.resize(resources.size());
  memory.own_.resize(resources.size());
  memory.made_.resize(resources.size());
  for (std::size_t i = 0; i < resources.size(); ++i) {
    core::Resource& resource = resources[i];
    if (!resource.written && memory.lent_[i] != nullptr) {
      continue;
    }
    resource.bytes = std::max((resource.bytes + 3) / 4 * 4, kLeast);
    auto buffer = device.buffer(resource.bytes, resource.name);
    if (!buffer) {
      return std::unexpected(buffer.error());
    }
    memory.own_[i] = std::move(*buffer);
  }
  memory.resources_ = std::move(resources);
  return memory;
}

Buffers Memory::buffers() const {
  Buffers all = lent_;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    all[i] = own_[i] ? &own_[i] : all[i];
  }
  return all;
}

// A file may be shorter than the buffer: the rest is zeros.
core::Expected<void> Memory::fill(bool all) {
  gpu::Commands words;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const core::Content& content = resources_[i].content;
    if (is_due(i, all) && (one_word(content) || !content.bytes.empty())) {
      const core::Fill fill = content.bytes.empty() ? content.fill : core::Fill::zero;
      words.fill(own_[i], core::initial_words({.bytes = 4, .content = {.fill = fill}}, 0, 0)[0]);
    }
  }
  if (const auto done = device_->submit(words); !done) {
    return std::unexpected(done.error());
  }
  for (std::size_t i = 0; i < own_.size(); ++i) {
    if (is_due(i, all) && !one_word(resources_[i].content)) {
      if (const auto ok = upload(i); !ok) {
        return ok;
      }
    }
  }
  return {};
}

core::Expected<void> Memory::upload(std::size_t i) {
  const auto& given = resources_[i].content.bytes;
  if (!given.empty()) {
    return device_->upload(own_[i],
                           given.first(std::min<std::size_t>(given.size(), own_[i].bytes())));
  }
  if (made_[i].empty()) {
    made_[i] = core::initial_words(resources_[i], seed_, i + 1);
  }
  return device_->upload(own_[i], std::as_bytes(std::span(made_[i])));
}

}  // namespace lab
