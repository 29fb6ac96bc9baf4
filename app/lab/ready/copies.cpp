#include "lab/ready/copies.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lab {
namespace {

constexpr std::uint32_t kPoison = 0x7FC0DEAD;

}  // namespace

core::Expected<void> Copies::make(const spirv::Interface& interface) {
  const Data& data = *setup_.data;
  const auto originals = setup_.buffers();
  copies_.resize(originals.size());
  for (const spirv::Binding& binding : interface.bindings) {
    const bool chained = std::ranges::any_of(data.workload->chain(), [&](const auto& pair) {
      return static_cast<std::uint32_t>(pair.first) == binding.binding;
    });
    if ((!binding.written && !chained) || copies_[binding.binding]) {
      continue;
    }
    auto copy = bench_.device().buffer(originals[binding.binding]->bytes(), binding.name);
    if (!copy) {
      return std::unexpected(copy.error());
    }
    copies_[binding.binding] = std::move(*copy);
  }
  return {};
}

std::vector<const gpu::Buffer*> Copies::buffers() const {
  std::vector<const gpu::Buffer*> all = setup_.buffers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = copies_[i] ? &copies_[i] : all[i];
  }
  return all;
}

core::Expected<void> Copies::fill() const {
  gpu::Commands poison;
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    if (!copies_[i]) {
      continue;
    }
    if (i >= setup_.data->buffers.size()) {
      poison.fill(copies_[i], 0);
      continue;
    }
    const auto input = setup_.data->content(i);
    if (input.empty()) {
      poison.fill(copies_[i], kPoison);
    } else if (auto ok = bench_.device().upload(copies_[i], input); !ok) {
      return ok;
    }
  }
  const auto done = bench_.device().submit(poison);
  return done ? core::Expected<void>{} : std::unexpected(done.error());
}

}  // namespace lab
