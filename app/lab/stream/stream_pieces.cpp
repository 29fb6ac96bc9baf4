#include "lab/stream/stream_pieces.h"

#include <algorithm>
#include <cstring>

#include "core/stream/streaming_copy.h"

namespace lab {
namespace {

constexpr std::uint64_t kPieceBytes = 8U << 20U;  // where a row is no longer

// Returns how many pieces there are then.
std::uint64_t cut(std::vector<StreamPiece>& pieces, std::uint32_t of, std::uint32_t rows,
                  std::uint64_t row_bytes, std::uint64_t bytes) {
  const auto most = static_cast<std::uint32_t>(std::max<std::uint64_t>(bytes / row_bytes, 1));
  for (std::uint32_t row = 0; row < rows; row += most) {
    pieces.push_back({of, row, std::min(most, rows - row)});
  }
  return pieces.size();
}

const std::byte* bytes_at(std::span<const float> values, std::uint64_t first) {
  return std::as_bytes(values.subspan(first)).data();
}

std::byte* bytes_at(std::span<float> values, std::uint64_t first) {
  return std::as_writable_bytes(values.subspan(first)).data();
}

}  // namespace

// The first load and the last tile, beside which nothing is computed, are cut smaller: threads have
// the first piece ready sooner, and all have something to do at the end. Not much smaller in a
// load: pieces go out one after the other, and on two NVIDIA H200 256 of 1 MiB took 17 ms, 32 of
// 8 MiB 12 ms.
StreamPieces::StreamPieces(const core::StreamShare& share, std::uint32_t padded_w)
    : share_(share), padded_w_(padded_w) {
  for (std::uint32_t i = 0; i < share.loads.size(); ++i) {
    const core::StreamLoad& load = share.loads[i];
    const bool a = load.of == core::StreamLoad::Of::a;
    const std::uint32_t rows = a ? share.strips[load.part].count : padded_w;
    load_ends_.push_back(
        cut(uploads_, i, rows, load_row_bytes(i), i == 0 ? kPieceBytes / 2 : kPieceBytes));
  }
  for (std::uint32_t i = 0; i < share.jobs.size(); ++i) {
    const std::uint32_t rows = share.strips[share.jobs[i].strip].count;
    const bool last = i + 1 == share.jobs.size();
    job_ends_.push_back(
        cut(downloads_, i, rows, job_row_bytes(i), last ? kPieceBytes / 8 : kPieceBytes));
  }
}

std::uint64_t StreamPieces::load_row_bytes(std::uint32_t load) const {
  const core::StreamLoad& l = share_.loads[load];
  return std::uint64_t{4} * (l.of == core::StreamLoad::Of::a
                                 ? padded_w_
                                 : core::padded_columns(share_.panels[l.part].count));
}

std::uint64_t StreamPieces::job_row_bytes(std::uint32_t job) const {
  return std::uint64_t{4} * core::padded_columns(share_.panels[share_.jobs[job].panel].count);
}

std::uint64_t StreamPieces::upload_bytes() const {
  std::uint64_t bytes = 0;
  for (const StreamPiece& piece : uploads_) {
    bytes = std::max(bytes, piece.rows * load_row_bytes(piece.of));
  }
  return bytes;
}

std::uint64_t StreamPieces::download_bytes() const {
  std::uint64_t bytes = 0;
  for (const StreamPiece& piece : downloads_) {
    bytes = std::max(bytes, piece.rows * job_row_bytes(piece.of));
  }
  return bytes;
}

void StreamPieces::pack(const StreamPiece& piece, const StreamMatrices& from,
                        std::span<std::byte> to) const {
  const core::StreamLoad& load = share_.loads[piece.of];
  const bool of_a = load.of == core::StreamLoad::Of::a;
  const HostMatrix& matrix = of_a ? from.a : from.b;
  const std::uint32_t first_row = piece.first_row + (of_a ? share_.strips[load.part].first : 0);
  const core::Stretch columns =
      of_a ? core::Stretch{0, matrix.columns()} : share_.panels[load.part];
  const std::uint64_t row = load_row_bytes(piece.of);
  const std::uint64_t used = std::uint64_t{4} * columns.count;
  std::byte* at = to.data();
  for (std::uint32_t r = first_row; r < first_row + piece.rows; ++r, at += row) {
    if (r >= matrix.rows()) {
      std::memset(at, 0, row);
      continue;
    }
    core::copy_streaming(
        at, bytes_at(matrix.values(), std::uint64_t{r} * matrix.columns() + columns.first), used);
    std::memset(at + used, 0, row - used);
  }
  core::finish_streaming();
}

void StreamPieces::spread(const StreamPiece& piece, std::span<const std::byte> from,
                          StreamMatrices& to) const {
  const core::StreamJob& job = share_.jobs[piece.of];
  const core::Stretch& columns = share_.panels[job.panel];
  const std::uint32_t first_row = share_.strips[job.strip].first + piece.first_row;
  const std::byte* at = from.data();
  for (std::uint32_t r = first_row; r < first_row + piece.rows; ++r) {
    core::copy_streaming(bytes_at(to.c.values(), std::uint64_t{r} * to.c.columns() + columns.first),
                         at, std::uint64_t{4} * columns.count);
    at += job_row_bytes(piece.of);
  }
  core::finish_streaming();
}

}  // namespace lab
