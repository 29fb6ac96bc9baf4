// Pieces of a streamed multiplication: the whole of it played on the host, slot by slot.
#include "lab/stream/stream_pieces.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "core/base/random.h"

namespace lab {
namespace {

HostMatrix matrix(const char* name, std::uint32_t rows, std::uint32_t columns,
                  std::uint64_t stream) {
  auto made = HostMatrix::make(name, rows, columns);
  EXPECT_TRUE(made) << made.error().message;
  core::fill_random(made->values(), columns, 7, stream);
  return std::move(*made);
}

// The system would end the program with a signal where the pages of a file are gone.
TEST(HostMatrix, OfAFileThatBecomesShorterIsZerosAndNotWhole) {
  const auto file = std::filesystem::path(testing::TempDir()) / "tilescope-shrinking-test.f32";
  const std::vector<float> ones(std::size_t{64} * 64, 1.0F);
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(ones.data()), static_cast<std::streamsize>(64 * 64 * 4));
  auto mapped = HostMatrix::map(file, "A", 64, 64);
  ASSERT_TRUE(mapped) << mapped.error().message;
  const HostMatrix kept = std::move(*mapped);
  const auto sum = [&] {
    return std::accumulate(kept.values().begin(), kept.values().end(), 0.0F);
  };
  EXPECT_EQ(sum(), 4096.0F);
  EXPECT_TRUE(kept.whole());
  std::filesystem::resize_file(file, 4096);
  EXPECT_EQ(sum(), 1024.0F) << "a page of the four is left";
  EXPECT_FALSE(kept.whole());
  std::filesystem::remove(file);
}

// What a device would hold: a slot's rows, filled piece by piece.
using Slots = std::map<std::uint32_t, std::vector<float>>;

class Player {
 public:
  Player(const core::StreamShare& share, std::uint32_t padded_w, StreamMatrices& matrices)
      : share_(share), w_(padded_w), pieces_(share, padded_w), matrices_(matrices) {}

  void play() {
    std::uint32_t loaded = 0;
    for (std::uint32_t job = 0; job < share_.jobs.size(); ++job) {
      while (loaded < share_.jobs[job].loads) {
        load(loaded++);
      }
      download(job, tile(share_.jobs[job]));
    }
    EXPECT_EQ(loaded, share_.loads.size());
    EXPECT_EQ(uploaded_, pieces_.uploads().size());
    EXPECT_EQ(downloaded_, pieces_.downloads().size());
  }

 private:
  void load(std::uint32_t number) {
    const core::StreamLoad& load = share_.loads[number];
    const bool a = load.of == core::StreamLoad::Of::a;
    std::vector<float>& slot = (a ? a_ : b_)[load.slot];
    const std::uint64_t row = pieces_.load_row_bytes(number);
    slot.assign((a ? share_.strips[load.part].count : w_) * row / 4, -1e9F);
    std::vector<std::byte> staging(pieces_.upload_bytes());
    for (; uploaded_ < pieces_.uploads_until(number); ++uploaded_) {
      const StreamPiece& piece = pieces_.uploads()[uploaded_];
      EXPECT_EQ(piece.of, number);
      ASSERT_LE(piece.rows * row, staging.size());
      pieces_.pack(piece, matrices_, staging);
      std::memcpy(slot.data() + piece.first_row * row / 4, staging.data(), piece.rows * row);
    }
  }

  std::vector<float> tile(const core::StreamJob& job) {
    const std::uint32_t rows = share_.strips[job.strip].count;
    const std::uint32_t columns = core::padded_columns(share_.panels[job.panel].count);
    const std::vector<float>& a = a_.at(job.a_slot);
    const std::vector<float>& b = b_.at(job.b_slot);
    std::vector<float> c(std::size_t{rows} * columns);
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < columns; ++j) {
        double sum = 0.0;
        for (std::uint32_t k = 0; k < w_; ++k) {
          sum += static_cast<double>(a[std::size_t{i} * w_ + k]) *
                 static_cast<double>(b[std::size_t{k} * columns + j]);
        }
        c[std::size_t{i} * columns + j] = static_cast<float>(sum);
      }
    }
    return c;
  }

  void download(std::uint32_t job, const std::vector<float>& tile) {
    const std::uint64_t row = pieces_.job_row_bytes(job);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(tile));
    std::uint64_t of_job = 0;
    for (; downloaded_ < pieces_.downloads_until(job); ++downloaded_, ++of_job) {
      const StreamPiece& piece = pieces_.downloads()[downloaded_];
      EXPECT_EQ(piece.of, job);
      EXPECT_LE(piece.rows * row, pieces_.download_bytes());
      pieces_.spread(piece, bytes.subspan(piece.first_row * row, piece.rows * row), matrices_);
    }
    EXPECT_EQ(of_job, pieces_.downloads_of(job));
  }

  const core::StreamShare& share_;
  std::uint32_t w_;
  StreamPieces pieces_;
  StreamMatrices& matrices_;
  Slots a_, b_;
  std::size_t uploaded_ = 0, downloaded_ = 0;
};

void expect_product(const core::StreamWork& work, std::span<const core::StreamRoom> rooms) {
  StreamMatrices matrices{matrix("A", work.m, work.w, 1), matrix("B", work.w, work.n, 2),
                          matrix("C", work.m, work.n, 3)};
  const auto plan = core::plan_stream(work, rooms);
  ASSERT_TRUE(plan) << plan.error().message;
  for (const core::StreamShare& share : plan->shares) {
    Player(share, plan->padded_w, matrices).play();
  }
  for (std::uint32_t i = 0; i < work.m; ++i) {
    for (std::uint32_t j = 0; j < work.n; ++j) {
      double sum = 0.0;
      for (std::uint32_t k = 0; k < work.w; ++k) {
        sum += static_cast<double>(matrices.a.values()[std::size_t{i} * work.w + k]) *
               static_cast<double>(matrices.b.values()[std::size_t{k} * work.n + j]);
      }
      ASSERT_FLOAT_EQ(matrices.c.values()[std::size_t{i} * work.n + j], static_cast<float>(sum))
          << i << ", " << j;
    }
  }
}

TEST(StreamPieces, MakeTheProductOnOneDeviceWithRoom) {
  const std::array rooms{core::StreamRoom{1U << 30U, 1U << 30U}};
  expect_product({.m = 64, .n = 48, .w = 80}, rooms);
}

TEST(StreamPieces, MakeTheProductOfAwkwardSizesInLittleRoom) {
  const std::array rooms{core::StreamRoom{40'000, 40'000}, core::StreamRoom{25'000, 25'000},
                         core::StreamRoom{60'000, 20'000}};
  expect_product({.m = 37, .n = 53, .w = 129, .side = 16}, rooms);
  expect_product({.m = 17, .n = 15, .w = 1, .width = 7}, rooms);
  expect_product({.m = 1, .n = 1, .w = 1}, rooms);
}

// Rows of 40 KB: a load is more than one piece, and the first one's pieces are smaller.
TEST(StreamPieces, ALargeLoadIsCut) {
  const std::array rooms{core::StreamRoom{1U << 30U, 1U << 30U}};
  const core::StreamWork work{.m = 600, .n = 8, .w = 10'000};
  const auto plan = core::plan_stream(work, rooms);
  ASSERT_TRUE(plan);
  const StreamPieces pieces(plan->shares[0], plan->padded_w);
  EXPECT_GT(pieces.uploads_until(0), 5U);
  const std::uint64_t first = pieces.uploads()[0].rows * pieces.load_row_bytes(0);
  EXPECT_LE(first, 4U << 20U);
  EXPECT_GT(first, 3U << 20U) << "each costs a submission";
  EXPECT_LE(pieces.upload_bytes(), 8U << 20U);
  EXPECT_EQ(pieces.uploads_until(static_cast<std::uint32_t>(plan->shares[0].loads.size()) - 1),
            pieces.uploads().size());
}

}  // namespace
}  // namespace lab
