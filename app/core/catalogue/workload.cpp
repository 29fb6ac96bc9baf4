#include "core/catalogue/workload.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "core/catalogue/variant.h"
#include "core/work/comparison.h"

namespace core {
namespace {

Expected<void> check_option(const OptionSpec& option, const std::string& value) {
  if (!option.choices.empty()) {
    if (std::ranges::find(option.choices, value) != option.choices.end()) {
      return {};
    }
    std::string known;
    for (const std::string& choice : option.choices) {
      known += (known.empty() ? "" : ", ") + choice;
    }
    return usage_error("\"" + value + "\" is not a value of " + option.name + "; choose from " +
                       known);
  }
  double number = 0.0;
  const char* end = value.data() + value.size();
  const auto [rest, status] = std::from_chars(value.data(), end, number);
  if (status != std::errc{} || rest != end || !(number >= option.low && number <= option.high)) {
    return usage_error(option.name + " must be a number from " + std::to_string(option.low) +
                       " to " + std::to_string(option.high) + ", not \"" + value + "\"");
  }
  return {};
}

}  // namespace

WorkloadPtr workload_named(std::span<const WorkloadPtr> workloads, const std::string& name) {
  const auto found =
      std::ranges::find(workloads, name, [](const WorkloadPtr& w) { return w->name(); });
  return found == workloads.end() ? nullptr : *found;
}

double bytes_of(const std::vector<BufferSpec>& buffers) {
  double total = 0.0;
  for (const BufferSpec& buffer : buffers) {
    total += static_cast<double>(buffer.bytes());
  }
  return total;
}

double bytes_of(const Workload& workload, const std::vector<BufferSpec>& stored,
                const Sizes& sizes) {
  const double plain = bytes_of(workload.buffers(sizes));  // in float32
  return plain > 0.0 ? workload.bytes(sizes) * bytes_of(stored) / plain : bytes_of(stored);
}

std::vector<BufferSpec> stored_buffers(const Workload& workload, const Variant& variant,
                                       const Sizes& sizes) {
  auto buffers = workload.buffers(sizes);
  for (BufferSpec& buffer : buffers) {
    if (buffer.role == Role::input) {
      buffer.transposed =
          std::ranges::find(variant.transposed, buffer.name) != variant.transposed.end();
      buffer.precision = variant.precision;
    }
  }
  return buffers;
}

double number_of(const BufferSpec& spec, float word) {
  const auto bits = std::bit_cast<std::uint32_t>(word);
  return !spec.whole      ? static_cast<double>(word)
         : spec.is_signed ? static_cast<double>(static_cast<std::int32_t>(bits))
                          : static_cast<double>(bits);
}

Check Workload::compare_with(const Problem& p, const HostBuffers& want, const HostBuffers& after,
                             DifferenceRecorder* recorder) const {
  return compare_outputs(buffers(p.sizes), want, after, 1e-5, recorder);
}

Expected<Problem> Workload::resolve(const Sizes& sizes, const Settings& given,
                                    std::uint64_t seed) const {
  Problem problem{.sizes = sizes.empty() ? default_sizes() : sizes, .options = {}, .seed = seed};
  const auto names = size_names();
  if (problem.sizes.size() != names.size()) {
    std::string wanted;
    for (const std::string& name : names) {
      wanted += (wanted.empty() ? "" : ",") + name;
    }
    return usage_error(name() + " takes " + std::to_string(names.size()) +
                       (names.size() == 1 ? " size" : " sizes") + " (" + wanted + "), not " +
                       std::to_string(problem.sizes.size()));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (problem.sizes[i] == 0) {
      return usage_error("size " + names[i] + " is 0; it must be at least 1");
    }
  }
  const Sizes largest = largest_sizes();
  for (std::size_t i = 0; i < largest.size(); ++i) {
    if (problem.sizes[i] > largest[i]) {
      return usage_error("size " + names[i] + " must be at most " + std::to_string(largest[i]));
    }
  }
  TRY(check_sizes(problem.sizes));
  for (const OptionSpec& option : options()) {
    const auto set = given.find(option.name);
    const std::string& value = set == given.end() ? option.preset : set->second;
    TRY(check_option(option, value));
    problem.options[option.name] = value;
  }
  return problem;
}

}  // namespace core
