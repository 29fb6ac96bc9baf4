#include "lab/run/outputs.h"

#include <algorithm>
#include <span>

#include "core/base/limits.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

// No kernel makes these by accident: a hash of the place (Steele, Lea, Flood 2014, "Fast Splittable
// Pseudorandom Number Generators", the finalizer).
std::uint32_t pattern(std::uint64_t place) {
  std::uint64_t z = place * 0x9E3779B97F4A7C15ULL + 0x7469'6C65ULL;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return static_cast<std::uint32_t>(z >> 32U);
}

std::vector<std::uint32_t> patterns(std::uint64_t words) {
  std::vector<std::uint32_t> all(words);
  for (std::uint64_t n = 0; n < words; ++n) {
    all[n] = pattern(n);
  }
  return all;
}

// The words of a texel, where it is made of whole ones; else 0.
std::uint64_t texel_words(const core::Resource& image) {
  const core::ImageFormat* format = core::image_format(image.image.format);
  return format == nullptr || format->texel_bytes() % 4 != 0 ? 0 : format->texel_bytes() / 4;
}

}  // namespace

Outputs::Outputs(Specimen& specimen) {
  if (const auto x = specimen.bounded(); x && !specimen.dispatch().chosen.lengths.empty()) {
    implied_ =
        implied_lengths(**x, specimen.dispatch(), ItemsOfLaunch::of(**x, specimen.dispatch()));
  }
  const auto& chosen = specimen.dispatch().chosen.lengths;
  const auto& resources = specimen.dispatch().resources;
  const auto& bindings = specimen.bindings();
  for (const spirv::Binding& binding : bindings) {
    const bool whole = binding.bytes == 0 || binding.runtime_stride == 0;
    const bool read = std::ranges::any_of(
        bindings, [&](const spirv::Binding& b) { return b.binding == binding.binding && b.read; });
    for (std::size_t n = binding.binding;
         n < resources.size() && resources[n].element == n - binding.binding; ++n) {
      const bool known = !chosen.contains(n) || implied_.contains(n);
      if (binding.written && !read && whole && known && !core::shares_memory(resources, n)) {
        add(binding, n, resources[n]);
      }
    }
  }
}

void Outputs::add(const spirv::Binding& binding, std::size_t number,
                  const core::Resource& resource) {
  const bool texels =
      resource.kind == core::ResourceKind::storage_image && texel_words(resource) > 0;
  if ((resource.kind != core::ResourceKind::storage_buffer && !texels) ||
      resource.bytes > core::limits::output_bytes || resource.bytes < 4) {
    return;
  }
  Output output;
  output.resource = number;
  // HLSL's structured buffers have no members: the compiler calls their array "@data".
  const bool nameless = binding.runtime_name.empty() || binding.runtime_name.starts_with('@');
  output.name = nameless || binding.descriptors != 1 ? resource.name : binding.runtime_name;
  output.element_words = std::max<std::uint64_t>(binding.runtime_stride / 4, 1);
  const std::uint64_t bytes = binding.runtime_stride == 0 ? binding.bytes : resource.bytes;
  output.words = bytes / 4 / output.element_words * output.element_words;
  if (const auto implied = implied_.find(number);
      implied != implied_.end() && binding.runtime_stride != 0) {
    output.words = std::min(output.words, implied->second.elements[0] * output.element_words);
  }
  if (texels) {
    output.element_words = texel_words(resource);
    output.words = resource.bytes / 4;
  }
  outputs_.push_back(std::move(output));
}

core::Expected<void> Outputs::fill(gpu::Device& device, const Memory& memory) const {
  const Buffers buffers = memory.buffers();
  for (const Output& output : outputs_) {
    const gpu::Buffer& buffer = *buffers[output.resource];
    const auto words = patterns(buffer.bytes() / 4);
    if (const auto ok = device.upload(buffer, std::as_bytes(std::span(words))); !ok) {
      return ok;
    }
  }
  return {};
}

core::Expected<void> Outputs::read(gpu::Device& device, const Memory& memory,
                                   core::CheckReport& report) const {
  const Buffers buffers = memory.buffers();
  for (const Output& output : outputs_) {
    std::vector<std::uint32_t> words(buffers[output.resource]->bytes() / 4);
    const auto bytes = std::as_writable_bytes(std::span(words));
    if (const auto ok = device.download(*buffers[output.resource], bytes); !ok) {
      return ok;
    }
    core::OutputCover cover;
    cover.variable = output.name;
    cover.elements = output.words / output.element_words;
    for (std::uint64_t n = 0; n < cover.elements; ++n) {
      bool unwritten = true;
      for (std::uint64_t w = n * output.element_words; w < (n + 1) * output.element_words; ++w) {
        unwritten = unwritten && words[w] == pattern(w);
      }
      cover.first_unwritten = unwritten && cover.unwritten == 0 ? n : cover.first_unwritten;
      cover.unwritten += unwritten ? 1 : 0;
    }
    report.outputs.push_back(std::move(cover));
  }
  return {};
}

}  // namespace lab
