#include "core/stream/stream_plan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <glm/vec2.hpp>

#include "core/base/bytes.h"
#include "core/base/ceil_div.h"

namespace core {
namespace {

constexpr std::uint32_t kVector = 4;  // columns that a kernel reads at once
constexpr std::uint32_t kStep = 16;   // products a step of a kernel
// Tiles along a side of a job that is tried: fewer end too soon, more come in too late.
constexpr std::uint32_t kLeastTiles = 8, kMostTiles = 48;
// Of the first strip and the first panel, so that there is little to wait for; 0: as all.
constexpr std::array<glm::uvec2, 10> kFirstTiles{
    {{0, 0}, {0, 4}, {0, 6}, {0, 8}, {0, 12}, {11, 12}, {12, 11}, {16, 8}, {22, 6}, {16, 16}}};
// A device does so many while a byte comes in: 25 T/s of an NVIDIA H200, and 30 GB/s that threads
// which pack pieces for two of them keep up (55 GB/s go over the bus).
constexpr double kMultiplyAddsAByte = 830.0;
constexpr double kJob = 0.01;                   // waves that go by between two jobs
constexpr std::uint64_t kMostJobs = 1U << 22U;  // more pieces than that take longer than the work

// Into what the first or the last part of a cut is cut again, where it is.
enum class Ends { whole, halves, doubling };

std::vector<std::uint32_t> lengths(std::uint32_t length, Ends ends) {
  if (ends == Ends::whole || length < 4) {
    return {length};
  }
  const std::uint32_t half = length / 2;
  if (ends == Ends::halves) {
    return {half, length - half};
  }
  return {half / 2, half - half / 2, length - half};
}

// How rows or columns are cut: into parts of one size, the first and the last of them again.
struct Cut {
  std::uint32_t whole, part, head = 0;
  Ends first = Ends::whole, last = Ends::whole;

  // A head, where it is not 0, and parts after it.
  Cut(std::uint32_t count, std::uint32_t size, std::uint32_t front)
      : whole(count), part(size), head(front < count ? front : 0) {}
  Cut(std::uint32_t count, std::uint32_t size, std::uint32_t side, Ends ends)
      : whole(count), part(size) {
    if (size == side && count >= size) {
      first = ends;
      last = count > size && count % size == 0 ? Ends::halves : Ends::whole;
    }
  }

  [[nodiscard]] std::vector<Stretch> from(std::uint32_t at) const {
    std::vector<Stretch> list;
    if (head > 0) {
      list.push_back({at, head});
      at += head;
    }
    for (std::uint32_t done = head; done < whole; done += part) {
      const Ends ends = done == 0 ? first : done + part == whole ? last : Ends::whole;
      for (const std::uint32_t length : lengths(std::min(part, whole - done), ends)) {
        list.push_back({at, length});
        at += length;
      }
    }
    return list;
  }
  [[nodiscard]] std::uint32_t parts() const {
    const auto more = [this](Ends ends) {
      return static_cast<std::uint32_t>(lengths(part, ends).size()) - 1;
    };
    return (head > 0 ? 1 : 0) + ceil_div(whole - head, part) + more(first) + more(last);
  }
};

// What is chosen for a share before its pieces are listed.
struct Shape {
  std::uint32_t strip_rows, width;
  std::uint32_t a, b, c;  // slots
  Ends ends;
  // Where jobs are cut into whole waves: how long the first strip and the first panel are; 0: as
  // all.
  bool waves = false;
  std::uint32_t first_rows = 0, first_columns = 0;
};

class Fitter {
 public:
  Fitter(const StreamWork& work, std::uint32_t rows, const StreamRoom& room)
      : work_(work), rows_(rows), room_(room), w_(round_up(work.w, kStep)) {}

  // Slots for two groups of panels (see Lister), so that the next comes in meanwhile, where there
  // is room; then for two panels; then smaller tiles; at last one strip at a time.
  [[nodiscard]] std::optional<Shape> fit() const {
    if (const auto fits = in_waves()) {
      return fits;
    }
    Shape shape{std::min(work_.side, rows_), 0, 0, 5, 3, Ends::doubling};
    shape.width = std::min(work_.width > 0 ? work_.width : work_.side, work_.n);
    if (const auto fits = with_strips(shape, rows_in(shape).parts())) {
      return fits;
    }
    shape.ends = Ends::halves;
    shape.b = 4;
    if (const auto fits = with_strips(shape, 2)) {
      return fits;
    }
    shape.b = shape.c = 2;
    for (;;) {
      if (const auto fits = with_strips(shape, 2)) {
        return fits;
      }
      const bool narrower = work_.width == 0 && shape.width > kVector;
      if (narrower && (shape.width >= shape.strip_rows || shape.strip_rows == 1)) {
        shape.width = std::max(round_up(shape.width / 2, kVector), kVector);
      } else if (shape.strip_rows > 1) {
        shape.strip_rows = (shape.strip_rows + 1) / 2;
      } else {
        break;
      }
    }
    shape.c = 1;
    return with_strips(shape, 1);
  }

  [[nodiscard]] Cut rows_in(const Shape& s) const {
    return s.waves ? Cut{rows_, s.strip_rows, s.first_rows}
                   : Cut{rows_, s.strip_rows, work_.side, s.ends};
  }
  // A width that was asked for is kept.
  [[nodiscard]] Cut columns_in(const Shape& s) const {
    if (s.waves) {
      return {work_.n, s.width, s.first_columns};
    }
    return {work_.n, s.width, work_.width > 0 ? 0 : work_.side, s.ends};
  }

  [[nodiscard]] std::uint64_t bytes(const Shape& s) const {
    return s.a * a_bytes(s) + s.b * b_bytes(s) + s.c * c_bytes(s);
  }

  [[nodiscard]] Error too_small() const {
    const std::uint32_t width = std::min(work_.width > 0 ? work_.width : kVector, work_.n);
    const Shape smallest{1, width, 1, std::min(2U, ceil_div(work_.n, width)), 1, Ends::whole};
    const bool buffer = b_bytes(smallest) > room_.buffer || a_bytes(smallest) > room_.buffer;
    const std::uint64_t needs =
        buffer ? std::max(a_bytes(smallest), b_bytes(smallest)) : bytes(smallest);
    return {Fault::device, (buffer ? "a buffer limit of " + bytes_in_words(room_.buffer)
                                   : "a memory budget of " + bytes_in_words(room_.budget)) +
                               " per device is too small: the smallest chunk, a row of A and " +
                               std::to_string(smallest.b) +
                               (smallest.b == 1 ? " panel" : " panels") + " of " +
                               std::to_string(width) + (width == 1 ? " column" : " columns") +
                               " of B, needs " + bytes_in_words(needs)};
  }

 private:
  [[nodiscard]] std::uint64_t a_bytes(const Shape& s) const {
    return std::uint64_t{4} * s.strip_rows * w_;
  }
  [[nodiscard]] std::uint64_t b_bytes(const Shape& s) const {
    return std::uint64_t{4} * padded_columns(s.width) * w_;
  }
  [[nodiscard]] std::uint64_t c_bytes(const Shape& s) const {
    return std::uint64_t{4} * s.strip_rows * padded_columns(s.width);
  }

  // The shape whose jobs take least, of those of which all strips have room.
  [[nodiscard]] std::optional<Shape> in_waves() const {
    if (room_.multiprocessors == 0 || work_.tile_rows == 0 || work_.width > 0) {
      return std::nullopt;
    }
    std::optional<Shape> best;
    double least = 0.0;
    const std::uint32_t down = std::min(ceil_div(rows_, work_.tile_rows), kMostTiles);
    const std::uint32_t across = std::min(ceil_div(work_.n, work_.tile_columns), kMostTiles);
    for (std::uint32_t rows = std::min(down, kLeastTiles); rows <= down; ++rows) {
      for (std::uint32_t columns = std::min(across, kLeastTiles); columns <= across; ++columns) {
        for (const glm::uvec2 first : kFirstTiles) {
          if (first.x >= rows || first.y >= columns) {
            continue;
          }
          const auto fits = of_tiles({rows, columns}, first);
          const double takes = fits ? waves(*fits) : 0.0;
          if (fits && (!best || takes < least)) {
            best = fits;
            least = takes;
          }
        }
      }
    }
    return best;
  }

  // Of so many tiles a strip and a panel, and so many the first of each.
  [[nodiscard]] std::optional<Shape> of_tiles(glm::uvec2 tiles, glm::uvec2 first) const {
    Shape shape{std::min(tiles.x * work_.tile_rows, rows_),
                std::min(tiles.y * work_.tile_columns, work_.n),
                0,
                5,
                3,
                Ends::whole};
    shape.waves = true;
    shape.first_rows = first.x * work_.tile_rows;
    shape.first_columns = first.y * work_.tile_columns;
    return with_strips(shape, rows_in(shape).parts());
  }

  // How long a shape's stream takes, in waves: loads come one after the other, each strip meets a
  // panel before the next one comes, and a job begins when its loads are there.
  [[nodiscard]] double waves(const Shape& s) const {
    const auto strips = rows_in(s).from(0);
    const auto panels = columns_in(s).from(0);
    const double wave =
        static_cast<double>(room_.multiprocessors) * work_.tile_rows * work_.tile_columns;
    const double rows_a_wave = wave / kMultiplyAddsAByte / sizeof(float);
    double loaded = 0.0;
    double done = 0.0;
    for (std::size_t j = 0; j < panels.size(); ++j) {
      loaded += panels[j].count / rows_a_wave;
      for (const Stretch& strip : strips) {
        loaded += j == 0 ? strip.count / rows_a_wave : 0.0;
        const std::uint64_t tiles = std::uint64_t{ceil_div(strip.count, work_.tile_rows)} *
                                    ceil_div(panels[j].count, work_.tile_columns);
        done = std::max(done, loaded) + kJob +
               static_cast<double>(ceil_div(tiles, room_.multiprocessors));
      }
    }
    const double home = static_cast<double>(strips.back().count) * panels.back().count / w_;
    return done + home / rows_a_wave;
  }

  // The shape with as many strips as there is room for, no more slots than there are pieces;
  // nothing when `least` strips have no room.
  [[nodiscard]] std::optional<Shape> with_strips(Shape s, std::uint32_t least) const {
    const std::uint32_t strips = rows_in(s).parts();
    const std::uint32_t panels = columns_in(s).parts();
    s.b = std::min(s.b, panels);
    s.c = static_cast<std::uint32_t>(std::min<std::uint64_t>(s.c, std::uint64_t{strips} * panels));
    s.a = 0;
    if (bytes(s) > room_.budget || std::max({a_bytes(s), b_bytes(s), c_bytes(s)}) > room_.buffer) {
      return std::nullopt;
    }
    s.a = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(strips, (room_.budget - bytes(s)) / a_bytes(s)));
    return s.a >= std::min(least, strips) ? std::optional(s) : std::nullopt;
  }

  const StreamWork& work_;
  std::uint32_t rows_;
  const StreamRoom& room_;
  std::uint32_t w_;
};

// The slots of one matrix, taken in turns.
class Ring {
 public:
  Ring(std::uint32_t slots, std::size_t parts)
      : holds_(slots, kNothing), used_by_(slots, 0), slot_of_(parts, kNothing) {}

  // The slot that holds the part; where none does, the next one, which has to be loaded.
  std::uint32_t take(std::uint32_t part, bool& load) {
    load = slot_of_[part] == kNothing;
    if (load) {
      if (holds_[next_] != kNothing) {
        slot_of_[holds_[next_]] = kNothing;
      }
      holds_[next_] = part;
      slot_of_[part] = next_;
      next_ = (next_ + 1) % static_cast<std::uint32_t>(holds_.size());
    }
    return slot_of_[part];
  }
  [[nodiscard]] std::uint32_t used_by(std::uint32_t slot) const { return used_by_[slot]; }
  void use(std::uint32_t slot, std::uint32_t jobs) { used_by_[slot] = jobs; }

 private:
  static constexpr std::uint32_t kNothing = ~0U;
  std::vector<std::uint32_t> holds_;    // part, by slot
  std::vector<std::uint32_t> used_by_;  // jobs up to the last that needs what is there, by slot
  std::vector<std::uint32_t> slot_of_;  // by part
  std::uint32_t next_ = 0;
};

// Lists loads and jobs in their order.
class Lister {
 public:
  explicit Lister(StreamShare& share)
      : share_(share),
        a_(share.a_slots, share.strips.size()),
        b_(share.b_slots, share.panels.size()) {}

  void list() {
    const auto strips = static_cast<std::uint32_t>(share_.strips.size());
    const auto panels = static_cast<std::uint32_t>(share_.panels.size());
    for (std::uint32_t chunk = 0; chunk < strips; chunk += share_.a_slots) {
      const std::uint32_t end = std::min(chunk + share_.a_slots, strips);
      const Stretch& last = share_.strips[end - 1];
      const std::uint32_t first = share_.strips[chunk].first;
      share_.chunks.push_back({first, last.first + last.count - first});
      for (std::uint32_t panel = 0, next = 0; panel < panels; panel = next) {
        next = group_end(panel);
        for (std::uint32_t strip = chunk; strip < end; ++strip) {
          for (std::uint32_t p = panel; p < next; ++p) {
            add_job(strip, p);
          }
        }
      }
    }
  }

 private:
  // Each strip meets a group of panels before the next strip comes: while A is on its way in, a
  // strip is worth as many jobs as the group has panels. Two of them, or the parts of the first.
  [[nodiscard]] std::uint32_t group_end(std::uint32_t panel) const {
    const auto panels = static_cast<std::uint32_t>(share_.panels.size());
    if (share_.in_waves) {
      return panel + 1;
    }
    if (share_.b_slots < 4) {
      return std::min(panel + std::max(share_.b_slots / 2, 1U), panels);
    }
    std::uint32_t end = std::min(panel + 2, panels);
    while (end < panels && share_.panels[end].first < share_.width) {
      ++end;
    }
    return end;
  }

  std::uint32_t load(StreamLoad::Of of, std::uint32_t part) {
    Ring& ring = of == StreamLoad::Of::a ? a_ : b_;
    bool needed = false;
    const std::uint32_t slot = ring.take(part, needed);
    if (needed) {
      share_.loads.push_back({of, part, slot, ring.used_by(slot)});
    }
    ring.use(slot, static_cast<std::uint32_t>(share_.jobs.size()) + 1);
    return slot;
  }

  void add_job(std::uint32_t strip, std::uint32_t panel) {
    StreamJob job{strip, panel};
    job.a_slot = load(StreamLoad::Of::a, strip);
    job.b_slot = load(StreamLoad::Of::b, panel);
    job.c_slot = static_cast<std::uint32_t>(share_.jobs.size()) % share_.c_slots;
    job.loads = static_cast<std::uint32_t>(share_.loads.size());
    share_.jobs.push_back(job);
  }

  StreamShare& share_;
  Ring a_;
  Ring b_;
};

Expected<StreamShare> share_of(const StreamWork& work, Stretch rows, const StreamRoom& room) {
  StreamShare share{.rows = rows};
  if (rows.count == 0) {
    return share;
  }
  const Fitter fitter(work, rows.count, room);
  const auto shape = fitter.fit();
  if (!shape) {
    return std::unexpected(fitter.too_small());
  }
  share.in_waves = shape->waves;
  share.strip_rows = shape->strip_rows;
  share.width = shape->width;
  share.a_slots = shape->a;
  share.b_slots = shape->b;
  share.c_slots = shape->c;
  share.bytes = fitter.bytes(*shape);
  const Cut strips = fitter.rows_in(*shape);
  const Cut panels = fitter.columns_in(*shape);
  const std::uint64_t jobs = std::uint64_t{strips.parts()} * panels.parts();
  if (jobs > kMostJobs) {
    return device_error("a memory budget of " + bytes_in_words(room.budget) +
                        " per device cuts the product into " + std::to_string(jobs) +
                        " pieces, which is too many; use a larger budget");
  }
  share.strips = strips.from(rows.first);
  share.panels = panels.from(0);
  Lister(share).list();
  return share;
}

}  // namespace

std::uint32_t padded_columns(std::uint32_t columns) {
  return round_up(columns, kVector);
}

Expected<StreamPlan> plan_stream(const StreamWork& work, std::span<const StreamRoom> rooms) {
  for (const std::uint32_t size : {work.m, work.n, work.w}) {
    if (size > kMostStreamSize) {
      return usage_error("each size of a stream must be at most " +
                         std::to_string(kMostStreamSize) + ", not " + std::to_string(size));
    }
  }
  StreamPlan plan{.work = work, .padded_w = round_up(work.w, kStep)};
  const std::uint64_t devices = rooms.size();
  for (std::uint64_t d = 0; d < devices; ++d) {
    const auto first = static_cast<std::uint32_t>(work.m * d / devices);
    const auto last = static_cast<std::uint32_t>(work.m * (d + 1) / devices);
    auto share = TRY(share_of(work, {first, last - first}, rooms[d]));
    plan.shares.push_back(std::move(share));
  }
  return plan;
}

}  // namespace core
