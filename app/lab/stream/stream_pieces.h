// A device's loads and tiles of C cut into pieces that one staging buffer holds, and how those are
// filled from the matrices in host memory and emptied into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stream/stream_plan.h"
#include "lab/stream/host_matrix.h"

namespace lab {

/// The matrices of all lanes. C is written to, everywhere once.
struct StreamMatrices {
  HostMatrix a, b, c;
};

/// Some rows of a load, or of a job's tile.
struct StreamPiece {
  std::uint32_t of = 0;  ///< load or job of the share
  std::uint32_t first_row = 0, rows = 0;
};

class StreamPieces {
 public:
  /// `share` must outlive it. Rows on a device are as long as the plan's padded ones.
  StreamPieces(const core::StreamShare& share, std::uint32_t padded_w);

  [[nodiscard]] const std::vector<StreamPiece>& uploads() const { return uploads_; }
  [[nodiscard]] const std::vector<StreamPiece>& downloads() const { return downloads_; }
  /// Pieces up to the last one of a load, or of a job.
  [[nodiscard]] std::uint64_t uploads_until(std::uint32_t load) const { return load_ends_[load]; }
  [[nodiscard]] std::uint64_t downloads_until(std::uint32_t job) const { return job_ends_[job]; }
  [[nodiscard]] std::uint64_t downloads_of(std::uint32_t job) const {
    return job_ends_[job] - (job == 0 ? 0 : job_ends_[job - 1]);
  }

  /// Bytes of a row on the device: of a load, of a job's tile.
  [[nodiscard]] std::uint64_t load_row_bytes(std::uint32_t load) const;
  [[nodiscard]] std::uint64_t job_row_bytes(std::uint32_t job) const;
  /// Of the largest piece.
  [[nodiscard]] std::uint64_t upload_bytes() const;
  [[nodiscard]] std::uint64_t download_bytes() const;

  /// Fills a staging buffer with a piece of A or B, zeros beyond its edges.
  void pack(const StreamPiece& piece, const StreamMatrices& from, std::span<std::byte> to) const;
  /// Writes a piece of C where it belongs.
  void spread(const StreamPiece& piece, std::span<const std::byte> from, StreamMatrices& to) const;

 private:
  const core::StreamShare& share_;
  std::uint32_t padded_w_;
  std::vector<StreamPiece> uploads_, downloads_;
  std::vector<std::uint64_t> load_ends_, job_ends_;
};

}  // namespace lab
