// What can be said of a kernel that belongs to no workload: how its buffers lie, and nothing of
// what they mean. Its sizes are its launch's workgroups; there is no reference, and no count of
// what an answer needs.
#pragma once

#include "core/catalogue/workload.h"
#include "lab/plan/plan.h"

namespace lab {

class KernelWorkload final : public core::Workload {
 public:
  explicit KernelWorkload(const Plan& plan);

  [[nodiscard]] std::string name() const override { return {}; }
  [[nodiscard]] std::string title() const override { return title_; }
  [[nodiscard]] std::string about() const override { return "a standalone kernel"; }
  [[nodiscard]] std::vector<std::string> size_names() const override;
  [[nodiscard]] core::Sizes default_sizes() const override;
  [[nodiscard]] std::vector<core::BufferSpec> buffers(const core::Sizes& sizes) const override;
  [[nodiscard]] std::vector<std::uint32_t> push_constants(const core::Problem& p) const override;
  [[nodiscard]] glm::uvec3 extent(const core::Sizes& sizes) const override;
  [[nodiscard]] double flops(const core::Sizes& /*sizes*/) const override { return 0.0; }
  [[nodiscard]] core::HostBuffers inputs(const core::Problem& p) const override;
  [[nodiscard]] core::Check verify(const core::Problem& p, const core::HostBuffers& before,
                                   const core::HostBuffers& after,
                                   core::DifferenceRecorder* recorder) const override;
  /// Of an output with an element for each work item, those of the items; else nothing of the first
  /// output.
  [[nodiscard]] core::Region writes(const core::Sizes& sizes,
                                    const core::Box& items) const override;
  [[nodiscard]] std::vector<core::Region> reads(const core::Sizes& sizes,
                                                const core::Box& items) const override;

 private:
  std::string title_;
  std::vector<core::Resource> resources_;
  std::vector<core::BufferSpec> specs_;
  std::vector<std::uint32_t> push_constants_;
  glm::uvec3 groups_;
  glm::uvec3 extent_;
};

}  // namespace lab
