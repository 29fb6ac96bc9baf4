#include "lab/ready/kernel_workload.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace lab {
namespace {

constexpr std::uint64_t kShortStrip = 128;  // elements of a strip of one row
constexpr double kStripAspect = 4.0;        // of a longer one, which has several rows

// Columns of a one-dimensional launch: its elements are a strip, in rows of whole workgroups where
// the buffer's length allows that.
std::uint64_t strip_columns(std::uint64_t words, std::uint64_t launched, std::uint64_t workgroup) {
  const std::uint64_t shown = std::min(words, std::max<std::uint64_t>(launched, 1));
  const auto wanted =
      shown <= kShortStrip
          ? shown
          : static_cast<std::uint64_t>(std::sqrt(kStripAspect * static_cast<double>(shown)));
  const auto rank = [&](std::uint64_t columns) {
    const std::uint64_t away = columns > wanted ? columns - wanted : wanted - columns;
    return std::pair(columns % std::max<std::uint64_t>(workgroup, 1) != 0 && away > wanted / 8,
                     away);
  };
  std::uint64_t best = words;
  for (std::uint64_t d = 1; d * d <= words; ++d) {
    if (words % d == 0) {
      best = std::ranges::min({best, d, words / d}, {}, rank);
    }
  }
  return best;
}

// As the launch lies, where there is an element for each work item of it; of one dimension as a
// strip; else as square as its divisors allow.
void lay_out(core::BufferSpec& spec, std::uint64_t words, glm::uvec3 extent,
             std::uint32_t workgroup) {
  if (extent.y == 1 && extent.z == 1) {
    spec.columns = static_cast<std::uint32_t>(strip_columns(words, extent.x, workgroup));
    spec.rows = static_cast<std::uint32_t>(words / spec.columns);
    return;
  }
  const std::uint64_t plane = std::uint64_t{extent.x} * extent.y;
  if (plane > 0 && words % plane == 0 && extent.y > 1) {
    spec.rows = extent.y * static_cast<std::uint32_t>(words / plane);
    spec.columns = extent.x;
    return;
  }
  auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(words)));
  while (rows > 1 && words % rows != 0) {
    --rows;
  }
  spec.rows = static_cast<std::uint32_t>(std::max<std::uint64_t>(rows, 1));
  spec.columns = static_cast<std::uint32_t>(words / spec.rows);
}

core::BufferSpec spec_of(const core::Resource& resource, glm::uvec3 extent,
                         std::uint32_t workgroup) {
  core::BufferSpec spec;
  spec.name = resource.name;
  spec.role = resource.written ? core::Role::output : core::Role::input;
  spec.whole = resource.words != core::Words::floating;
  spec.is_signed = resource.words == core::Words::signed_whole;
  if (resource.has_texels()) {
    const core::ImageShape& image = resource.image;
    const core::ImageFormat* format = core::image_format(image.format);
    spec.rows = image.extent[1] * image.extent[2] * image.layers;
    spec.columns = image.extent[0];
    spec.components = format->components;
    spec.whole = format->whole() || format->numeric == core::Numeric::packed;
    spec.drawn_as = format->components > 1 ? "red" : "value";
    return spec;
  }
  if (resource.kind == core::ResourceKind::sampler) {
    spec.rows = spec.columns = 1;
    return spec;
  }
  lay_out(spec, (std::max<std::uint64_t>(resource.bytes, 16) + 3) / 4, extent, workgroup);
  return spec;
}

}  // namespace

KernelWorkload::KernelWorkload(const Plan& plan)
    : title_(plan.dispatch.module->name),
      resources_(plan.dispatch.resources),
      push_constants_(plan.dispatch.push_constants),
      groups_(plan.dispatch.groups),
      extent_(plan.tiles.extent) {
  for (const core::Resource& resource : resources_) {
    specs_.push_back(spec_of(resource, extent_, plan.tiles.covers.x));
  }
}

std::vector<std::string> KernelWorkload::size_names() const {
  return {"groups x", "groups y", "groups z"};
}

core::Sizes KernelWorkload::default_sizes() const {
  return {groups_.x, groups_.y, groups_.z};
}

std::vector<core::BufferSpec> KernelWorkload::buffers(const core::Sizes& /*sizes*/) const {
  return specs_;
}

std::vector<std::uint32_t> KernelWorkload::push_constants(const core::Problem& /*p*/) const {
  return push_constants_;
}

glm::uvec3 KernelWorkload::extent(const core::Sizes& /*sizes*/) const {
  return extent_;
}

core::HostBuffers KernelWorkload::inputs(const core::Problem& p) const {
  core::HostBuffers all;
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    std::vector<float>& words = all.emplace_back();
    const core::Content& content = resources_[i].content;
    if (content.bytes.empty() && content.fill == core::Fill::poison) {
      continue;
    }
    const auto made = core::initial_words(resources_[i], p.seed, i + 1);
    words.resize(specs_[i].words());
    std::ranges::transform(made, words.begin(),
                           [](std::uint32_t word) { return std::bit_cast<float>(word); });
  }
  return all;
}

core::Check KernelWorkload::verify(const core::Problem& /*p*/, const core::HostBuffers& /*before*/,
                                   const core::HostBuffers& /*after*/,
                                   core::DifferenceRecorder* /*recorder*/) const {
  core::Check check;
  check.method = "not compared, because the kernel has no reference";
  return check;
}

core::Region KernelWorkload::writes(const core::Sizes& /*sizes*/, const core::Box& items) const {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const core::BufferSpec& spec = specs_[i];
    if (spec.role == core::Role::output && spec.columns == extent_.x && spec.rows == extent_.y) {
      return {i, items.first.y, items.last.y, items.first.x, items.last.x};
    }
  }
  // The first output is shown whose places nobody knows.
  const auto output = std::ranges::find(specs_, core::Role::output, &core::BufferSpec::role);
  return {.buffer = output != specs_.end() ? static_cast<std::size_t>(output - specs_.begin()) : 0};
}

std::vector<core::Region> KernelWorkload::reads(const core::Sizes& /*sizes*/,
                                                const core::Box& /*items*/) const {
  return {};
}

}  // namespace lab
