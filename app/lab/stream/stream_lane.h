// One accelerator of a streamed multiplication: a device of its own with its kernel and slots, and
// the threads that keep its three streams fed. Matrices lie in pageable memory, which copy engines
// can't reach; threads pack parts of A and B into staging buffers, and spread out what comes back.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include <glm/vec2.hpp>

#include "core/catalogue/catalogue.h"
#include "core/stream/stream.h"
#include "gpu/streams.h"
#include "lab/stream/stream_pieces.h"

namespace lab {

/// Columns and rows of C of a workgroup where a lane's jobs are large; 0 where no kernel runs
/// there.
[[nodiscard]] glm::uvec2 stream_tile(const core::Catalogue& catalogue,
                                     const core::DeviceInfo& device);

class StreamLane {
 public:
  struct Threads {
    std::size_t upload = 1, download = 1;
  };

  /// Opens the device, compiles the kernel and makes slots and staging buffers. `share` must
  /// outlive it and not be empty.
  [[nodiscard]] static core::Expected<std::unique_ptr<StreamLane>> open(
      std::shared_ptr<gpu::Driver> driver, const core::DeviceInfo& info,
      const core::Catalogue& catalogue, const core::StreamShare& share, std::uint32_t padded_w,
      Threads threads);
  /// Stops, and waits for what is under way.
  ~StreamLane();
  StreamLane(const StreamLane&) = delete;
  StreamLane& operator=(const StreamLane&) = delete;

  /// Begins; `zero` is when the spans' clock begins, `matrices` must outlive the lane.
  void start(StreamMatrices& matrices, std::chrono::steady_clock::time_point zero);
  /// Nothing new is begun from now on.
  void stop();
  /// Adds to `lane` what has happened since the last call; or says what went wrong.
  [[nodiscard]] core::Expected<void> look(core::StreamLane& lane);
  /// All of the share is in C. `at`: when that was.
  [[nodiscard]] bool finished() const { return home_ == share_.jobs.size(); }
  [[nodiscard]] std::chrono::steady_clock::time_point finished_at() const;
  /// Device, queues and kernel, nothing done yet.
  [[nodiscard]] core::StreamLane describe() const;
  /// How far the device's clock may be from the host's, by the first reading.
  [[nodiscard]] const gpu::ClockReading& clock() const { return first_; }
  [[nodiscard]] bool calibrated() const { return streams_->calibrated(); }

 private:
  // A staging buffer, and the submission that uses it.
  struct Staging {
    gpu::Buffer buffer;
    std::uint64_t used = 0;
  };
  using Failed = core::Expected<void>;

  StreamLane(const core::StreamShare& share, std::uint32_t padded_w)
      : share_(share), padded_w_(padded_w), pieces_(share, padded_w) {}
  Failed make_kernel(const core::Catalogue& catalogue);
  Failed make_slots();
  Failed make_staging(Threads threads);
  void feed(std::array<Staging, 2>& staging);
  Failed upload(std::uint64_t which, Staging& staging);
  void work();
  Failed compute(std::uint32_t job);
  void fetch(Staging& staging);
  Failed download(std::uint64_t which, Staging& staging);
  /// False: stopped meanwhile.
  bool wait_until_submitted(gpu::Stream stream, std::uint64_t count);
  /// `what`: the piece or the job. Returns how many submissions of the stream that makes.
  core::Expected<std::uint64_t> submit(gpu::Stream stream, std::uint64_t what,
                                       const gpu::Commands& commands,
                                       std::span<const gpu::Reached> after);
  void keep(const Failed& failed);
  Failed read_clocks();
  Failed take_spans(core::StreamLane& lane, gpu::Stream stream);
  [[nodiscard]] double ms_of(std::uint64_t ticks) const;

  const core::StreamShare& share_;
  std::uint32_t padded_w_;
  StreamPieces pieces_;
  std::unique_ptr<gpu::Device> device_;
  std::string kernel_name_;
  gpu::Kernel kernel_;
  glm::uvec2 covers_{1};  // columns and rows of C a workgroup
  std::vector<gpu::Buffer> a_, b_, c_;
  std::vector<gpu::Buffer> scratch_;  // of the kernel's, bound and not used
  std::vector<std::array<Staging, 2>> feeding_;
  std::vector<Staging> fetching_;
  std::unique_ptr<gpu::Streams> streams_;  // after what its submissions use

  StreamMatrices* matrices_ = nullptr;
  std::chrono::steady_clock::time_point zero_;
  gpu::ClockReading first_, last_;
  std::array<std::uint64_t, gpu::kStreams> seen_{};  // submissions whose spans are taken

  mutable std::mutex mutex_;
  std::condition_variable moved_;
  std::array<std::vector<std::uint64_t>, gpu::kStreams> submitted_;  // guarded; pieces or jobs
  std::optional<core::Error> error_;                                 // guarded
  std::vector<std::uint32_t> pieces_home_;                           // guarded; by job
  std::chrono::steady_clock::time_point finished_at_;                // guarded
  std::atomic<std::uint32_t> home_ = 0;                              // jobs
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> next_upload_ = 0, next_download_ = 0;
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace lab
