// The functions that the trace adds to a kernel: appending a record, the start, the end.
#pragma once

#include <cstdint>
#include <map>

#include "spirv/module/emitter.h"
#include "spirv/probes/trace_probe.h"

namespace spirv {

class TraceRuntime {
 public:
  TraceRuntime(Emitter& emitter, const TraceLayout& layout, const TraceProbeOptions& options);

  /// (scalars told of, then `words` words): appends a record.
  [[nodiscard]] Id append(std::uint32_t words);
  /// (floating-point operations): adds them up.
  [[nodiscard]] Id count() const { return count_; }
  [[nodiscard]] Id begin() const { return begin_; }
  [[nodiscard]] Id end() const { return end_; }
  [[nodiscard]] Id buffer() const { return buffer_; }

 private:
  [[nodiscard]] Id pointer(Code& code, Id word);
  [[nodiscard]] Id row(Code& code);
  [[nodiscard]] Id field(Code& code, Id row, std::uint32_t number);
  void write_begin();
  void write_count();
  void write_end();

  Emitter& e_;
  TraceLayout layout_;
  Id buffer_ = 0;
  Id first_ = 0;  // private words: the invocation's row
  Id room_ = 0;
  Id used_ = 0;
  Id made_ = 0;
  Id flops_ = 0;
  Id count_ = 0;
  Id begin_ = 0;
  Id end_ = 0;
  std::map<std::uint32_t, Id> append_;
};

}  // namespace spirv
