#include "lab/ready/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <span>
#include <utility>

namespace lab {
namespace {

constexpr std::uint64_t kLeast = 16;  // bytes of a buffer that is bound

bool holds_addresses(const std::vector<core::Resource>& resources, std::size_t i) {
  return std::ranges::any_of(resources, [i](const core::Resource& r) {
    return !r.is_bound() && r.address_at.resource == i;
  });
}

}  // namespace

std::uint64_t bound_bytes(const core::Resource& resource) {
  return resource.is_image() ? resource.bytes : std::max((resource.bytes + 3) / 4 * 4, kLeast);
}

std::vector<std::uint32_t> by_address(const Buffers& buffers) {
  std::map<std::uint64_t, std::uint32_t> found;
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i] != nullptr && buffers[i]->address() != 0) {
      found[buffers[i]->address()] = i;
    }
  }
  std::vector<std::uint32_t> all;
  for (const auto& [address, resource] : found) {
    all.push_back(resource);
  }
  return all;
}

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
    if (!resource.is_bound() || holds_addresses(resources, i) ||
        core::shares_memory(resources, i)) {
      memory.lent_[i] = nullptr;
    }
    if ((!resource.written && memory.lent_[i] != nullptr) || !resource.has_own_memory()) {
      continue;
    }
    resource.bytes = bound_bytes(resource);
    memory.own_[i] = TRY(device.resource(resource));
  }
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const core::Resource& resource = resources[i];
    if (!resource.has_own_memory()) {
      const core::Resource& whole = resources[resource.memory_of];
      const std::uint64_t room = bound_bytes(whole) - resource.memory_offset;
      memory.own_[i] = TRY(device.range(memory.own_[resource.memory_of], resource.memory_offset,
                                        std::min(bound_bytes(resource), room), resource.name));
    }
  }
  memory.resources_ = std::move(resources);
  memory.find_addresses();
  return memory;
}

void Memory::find_addresses() {
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    if (!resources_[i].is_bound()) {
      addresses_.push_back({resources_[i].address_at, own_[i].address()});
    }
  }
}

Buffers Memory::buffers() const {
  Buffers all = lent_;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    all[i] = own_[i] ? &own_[i] : all[i];
  }
  return all;
}

std::vector<std::uint32_t> Memory::push_constants(std::vector<std::uint32_t> words) const {
  for (const Address& address : addresses_) {
    const bool here = address.at.resource == core::AddressPlace::kPushConstants;
    if (here && address.at.offset / 4 + 2 <= words.size()) {
      std::memcpy(&words[address.at.offset / 4], &address.value, sizeof(address.value));
    }
  }
  return words;
}

// All of it is one 32-bit word, so that the device can fill it.
bool Memory::is_one_word(std::size_t i) const {
  const core::Resource& resource = resources_[i];
  return resource.content.bytes.empty() && !resource.has_texels() &&
         !holds_addresses(resources_, i) &&
         (resource.content.fill == core::Fill::zero || resource.content.fill == core::Fill::poison);
}

// What is given may be shorter than the resource: the rest is zeros.
core::Expected<void> Memory::fill(bool all) {
  gpu::Commands words;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const core::Resource& resource = resources_[i];
    const bool short_bytes = !resource.content.bytes.empty() && !resource.has_texels();
    if (is_due(i, all) && resource.kind != core::ResourceKind::sampler &&
        (is_one_word(i) || short_bytes)) {
      const core::Fill fill = short_bytes ? core::Fill::zero : resource.content.fill;
      words.fill(own_[i], core::initial_words({.bytes = 4, .content = {.fill = fill}}, 0, 0)[0]);
    }
  }
  TRY(device_->submit(words));
  for (std::size_t i = 0; i < own_.size(); ++i) {
    if (is_due(i, all) && resources_[i].kind != core::ResourceKind::sampler && !is_one_word(i)) {
      if (const auto ok = upload(i); !ok) {
        return ok;
      }
    }
  }
  return {};
}

core::Expected<std::vector<float>> host_words(gpu::Device& device, const gpu::Buffer& buffer) {
  std::vector<float> host((buffer.bytes() + 3) / sizeof(float));
  const auto bytes = std::as_writable_bytes(std::span(host)).first(buffer.bytes());
  TRY(device.download(buffer, bytes));
  if (buffer.format() != nullptr) {
    const auto words = core::decode_texels(*buffer.format(), bytes);
    host.resize(words.size());
    std::ranges::transform(words, host.begin(),
                           [](std::uint32_t word) { return std::bit_cast<float>(word); });
  }
  return host;
}

core::Expected<void> Memory::upload(std::size_t i) {
  const core::Resource& resource = resources_[i];
  const auto& given = resource.content.bytes;
  const bool patched = holds_addresses(resources_, i);
  if (!given.empty() && !patched && !resource.has_texels()) {
    return device_->upload(own_[i],
                           given.first(std::min<std::size_t>(given.size(), own_[i].bytes())));
  }
  if (made_[i].empty()) {
    made_[i] = core::initial_bytes(resource, seed_, i + 1);
    for (const Address& address : addresses_) {
      if (address.at.resource == i && address.at.offset + 8 <= made_[i].size()) {
        std::memcpy(made_[i].data() + address.at.offset, &address.value, sizeof(address.value));
      }
    }
  }
  return device_->upload(own_[i], made_[i]);
}

}  // namespace lab
