// A streamed multiplication as it goes and as it went: plain data that the command prints, that the
// window draws and that JSON holds. Times are measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/workload.h"
#include "core/stream/stream_plan.h"

namespace core {

/// What determines a streamed multiplication.
struct StreamRequest {
  Sizes size;                        ///< M, N, W
  std::uint32_t width = 0;           ///< columns a panel; 0: the plan's own choice
  std::vector<std::string> devices;  ///< indices or names; empty: all that are no CPU
  std::uint32_t emulate = 0;         ///< make so many accelerators of one device; 0: don't
  std::uint64_t memory = 0;          ///< bytes a device; 0: most of what it has
  std::uint64_t seed = 1;
  std::filesystem::path a, b;    ///< float32, little-endian, row-major; empty: seeded random
  std::filesystem::path output;  ///< of C, the same format; empty: C is only verified
};

enum class StreamStage { upload, compute, download };

/// What one queue of a device did at a time.
struct StreamSpan {
  StreamStage stage = StreamStage::upload;
  std::uint32_t part = 0;  ///< load of the share's list; of the other stages, job
  double start_ms = 0.0;   ///< from the stream's start
  double end_ms = 0.0;
  std::uint64_t bytes = 0;  ///< that were copied
};

struct StreamFigures {
  double ms = 0.0;  ///< from the stream's start until the last of C is in host memory
  double upload_ms = 0.0, compute_ms = 0.0, download_ms = 0.0;  ///< sums of spans
  double hidden_ms = 0.0;  ///< of the copies' spans: while the same device computed
  std::uint64_t uploaded = 0, downloaded = 0;  ///< bytes
  double gflops = 0.0;                         ///< the answer's operations over `ms`

  /// Of the copies' time; nothing before the first copy.
  [[nodiscard]] std::optional<double> hidden() const;
};

/// Figures of one device's spans; `ms` and `gflops` are left alone.
[[nodiscard]] StreamFigures figures_of(std::span<const StreamSpan> spans);
/// Those of several devices together.
[[nodiscard]] StreamFigures sum_of(std::span<const StreamFigures> devices);

struct StreamLane {
  std::string device;
  std::uint32_t index = 0;  ///< in the listing of devices
  bool emulated = false;    ///< a CPU plays it
  std::string queues;       ///< which ones it uses, in words
  std::string kernel;       ///< variant and tile
  std::uint64_t budget = 0;
  std::vector<StreamSpan> spans;  ///< a stage after the other, each in order
  std::uint32_t jobs_done = 0;    ///< computed
  std::uint32_t jobs_home = 0;    ///< and downloaded
  StreamFigures figures;
};

enum class StreamPhase { preparing, streaming, verifying, writing, done, failed };

struct StreamReport {
  StreamRequest request;
  StreamPhase phase = StreamPhase::preparing;
  std::shared_ptr<const StreamPlan> plan;  ///< null until it is made
  std::vector<StreamLane> lanes;           ///< one a share of the plan
  std::string clock;                       ///< what spans are measured by, in words
  double progress = 0.0;                   ///< of the jobs, 0 to 1
  double elapsed_ms = 0.0;                 ///< of the stream so far
  std::optional<double> left_ms;           ///< estimated from the pace so far
  StreamFigures figures;                   ///< of all lanes; final when `phase` is past streaming
  Check check;
  std::optional<Error> error;  ///< why it failed

  [[nodiscard]] double flops() const;
  [[nodiscard]] bool over() const {
    return phase == StreamPhase::done || phase == StreamPhase::failed;
  }
};

}  // namespace core
