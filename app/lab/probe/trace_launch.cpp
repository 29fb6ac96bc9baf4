#include "lab/probe/trace_launch.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "lab/read/trace_reader.h"
#include "spirv/module/canonical.h"
#include "spirv/probes/trace_probe.h"

namespace lab {
namespace {

using spirv::TraceLayout;

constexpr std::uint64_t kSpareWords = 256;  // an invocation

class Tracing {
 public:
  Tracing(gpu::Device& device, const TraceJob& job) : device_(device), job_(job) {}

  core::Expected<core::Trace> run();

 private:
  core::Expected<void> make_probe();
  [[nodiscard]] std::vector<TracedMemory> memories() const;
  core::Expected<std::vector<std::uint32_t>> launch(const gpu::Buffer& records,
                                                    const std::vector<std::uint32_t>& header);
  [[nodiscard]] const core::Dispatch& dispatch() const { return job_.specimen.dispatch(); }
  [[nodiscard]] std::vector<std::uint32_t> header(const std::vector<std::uint32_t>& counted) const;

  gpu::Device& device_;
  const TraceJob& job_;
  spirv::TraceProbe probe_;
  gpu::Kernel kernel_;
  double device_ms_ = 0.0;
};

core::Expected<core::Trace> Tracing::run() {
  TRY(make_probe());
  const TraceLayout& layout = probe_.layout;
  std::vector<std::uint32_t> words = header({});
  for (const bool counts : {true, false}) {
    const std::uint64_t regions =
        counts ? 0
               : words[layout.row(layout.invocations - 1) + TraceLayout::begin] +
                     words[layout.row(layout.invocations - 1) + TraceLayout::room];
    const auto records =
        TRY(device_.buffer(std::max<std::uint64_t>(regions, layout.records()) * 4, "the trace"));
    auto written = TRY(launch(records, words));
    words = counts ? header(written) : std::move(written);
  }
  core::Trace trace =
      read_trace(probe_, job_.specimen.facts()->barriers, job_.specimen.loops(), memories(), words);
  trace.device_ms = device_ms_;
  trace.workgroup = {job_.workgroup.x, job_.workgroup.y, job_.workgroup.z};
  trace.local_size = job_.examination.program.interface.local_size;
  return trace;
}

std::vector<TracedMemory> Tracing::memories() const {
  std::vector<TracedMemory> all;
  const Buffers buffers = job_.memory.buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const core::Resource& resource = dispatch().resources[i];
    all.push_back(
        {buffers[i]->bytes(), resource.is_bound() ? 0 : buffers[i]->address(), resource.name});
  }
  return all;
}

core::Expected<void> Tracing::make_probe() {
  const auto binding = static_cast<std::uint32_t>(dispatch().resources.size());
  spirv::TraceProbeOptions options{.set = 0,
                                   .binding = binding,
                                   .images = {},
                                   .groups = {},
                                   .idle_lanes = device_.info().emulated()};
  for (std::size_t d = 0; d < 3; ++d) {
    options.groups[d] = dispatch().groups[static_cast<int>(d)];
  }
  for (std::uint32_t i = 0; i < binding; ++i) {
    const core::Resource& resource = dispatch().resources[i];
    if (resource.has_texels()) {
      options.images[i] = resource.image;
    }
  }
  probe_ = spirv::make_trace_probe(job_.examination, options);
  if (const auto valid = spirv::validate(probe_.words); !valid) {
    return core::device_error("the kernel instrumented for the trace is not valid SPIR-V: " +
                              valid.error().message);
  }
  kernel_ = TRY(job_.specimen.probe_kernel(device_, probe_.words, "traced", 1));
  return {};
}

// The header that gives every invocation the room that it was counted to need, and some more, since
// a kernel that races need not do the same again; when that is more than there may be, nobody gets
// more than an even share. Nothing counted: no room.
std::vector<std::uint32_t> Tracing::header(const std::vector<std::uint32_t>& counted) const {
  const TraceLayout& layout = probe_.layout;
  std::vector<std::uint32_t> words(layout.records());
  for (std::uint32_t d = 0; d < 3; ++d) {
    words[TraceLayout::grid + d] = dispatch().groups[static_cast<int>(d)];
  }
  std::vector<std::uint64_t> needs(layout.invocations);
  for (std::uint32_t i = 0; i < layout.invocations && !counted.empty(); ++i) {
    needs[i] = counted[layout.row(i) + TraceLayout::used];
  }
  const std::uint64_t most = job_.most_bytes / 4;
  const std::uint64_t sum = std::accumulate(needs.begin(), needs.end(), std::uint64_t{0});
  const std::uint64_t share = sum > most ? most / layout.invocations : TraceLayout::most_used;
  const std::uint64_t spare =
      counted.empty() || sum > most ? 0 : std::min((most - sum) / layout.invocations, kSpareWords);
  std::uint64_t at = layout.records();
  for (std::uint32_t i = 0; i < layout.invocations; ++i) {
    words[layout.row(i) + TraceLayout::begin] = static_cast<std::uint32_t>(at);
    const std::uint64_t room = std::min(needs[i] + spare, share);
    words[layout.row(i) + TraceLayout::room] = static_cast<std::uint32_t>(room);
    at += room;
  }
  return words;
}

core::Expected<std::vector<std::uint32_t>> Tracing::launch(
    const gpu::Buffer& records, const std::vector<std::uint32_t>& header) {
  TRY(job_.lead_in.prepare(job_.memory));
  gpu::Commands clear;
  clear.fill(records, 0xFFFFFFFF);
  TRY(device_.submit(clear));
  TRY(device_.upload(records, std::as_bytes(std::span(header))));
  std::vector<const gpu::Buffer*> buffers = job_.memory.buffers();
  buffers.push_back(&records);
  gpu::Commands commands;
  commands.begin_timed();
  commands.dispatch(kernel_, buffers, job_.memory.push_constants(dispatch().push_constants),
                    job_.workgroup, {1, 1, 1});
  commands.end_timed();
  const auto done = TRY(device_.submit(commands));
  device_ms_ += done.front();
  std::vector<std::uint32_t> words(records.bytes() / 4);
  TRY(device_.download(records, std::as_writable_bytes(std::span(words))));
  return words;
}

}  // namespace

core::Expected<core::Trace> run_trace(gpu::Device& device, const TraceJob& job) {
  return Tracing(device, job).run();
}

}  // namespace lab
