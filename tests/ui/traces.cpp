#include "ui/traces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace tests {
namespace {

using core::Access;
using core::MemoryKind;

// Writes down accesses; the invocations' own counts are kept here.
class Recorder {
 public:
  explicit Recorder(std::array<std::uint32_t, 3> local_size) {
    trace.workgroup = {3, 2, 0};
    trace.local_size = local_size;
    const std::uint32_t count = local_size[0] * local_size[1] * local_size[2];
    trace.subgroup_size = 8;
    for (std::uint32_t i = 0; i < count; ++i) {
      trace.subgroup.push_back(i / 8);
      trace.lane.push_back(i % 8);
    }
    moments_.resize(count);
    phase(0);
  }
  std::uint32_t variable(std::string name, MemoryKind memory, std::string type,
                         std::vector<std::uint32_t> dimensions, std::uint32_t slices = 1) {
    core::TracedVariable v;
    v.name = std::move(name);
    v.memory = memory;
    v.type = std::move(type);
    v.dimensions = std::move(dimensions);
    v.bytes = 4ULL * slices;
    for (const std::uint32_t d : v.dimensions) {
      v.bytes *= d;
    }
    const auto place = static_cast<std::uint32_t>(trace.variables.size());
    if (memory == MemoryKind::global) {
      v.binding = static_cast<std::uint32_t>(
          std::ranges::count(trace.variables, MemoryKind::global, &core::TracedVariable::memory));
    }
    trace.variables.push_back(std::move(v));
    slices_.push_back(slices);
    return place;
  }
  std::uint32_t site(std::uint32_t line, std::uint32_t variable, Access access) {
    core::TracedSite s;
    s.at.line = line;
    s.variable = variable;
    s.access = access;
    s.writes = access == Access::write;
    s.scalars = slices_[variable];
    trace.sites.push_back(s);
    return static_cast<std::uint32_t>(trace.sites.size() - 1);
  }
  void phase(std::uint32_t opened_by) { trace.phases.push_back({opened_by, 0, 0}); }
  void touch(std::uint32_t invocation, std::uint32_t site, std::uint64_t element, float value) {
    const std::uint32_t slices = trace.sites[site].scalars;
    const std::uint32_t turn = turns_[{invocation, site}]++;
    for (std::uint32_t s = 0; s < slices; ++s) {
      core::TracedAccess a;
      a.invocation = invocation;
      a.phase = static_cast<std::uint32_t>(trace.phases.size() - 1);
      a.moment = moments_[invocation];
      a.turn = turn;
      a.site = site;
      a.scalar = s;
      a.offset = (element * slices + s) * 4;
      a.value = std::bit_cast<std::uint32_t>(value + 0.3F * static_cast<float>(s));
      trace.accesses.push_back(a);
    }
    ++moments_[invocation];
  }
  std::shared_ptr<const core::Trace> done() {
    std::ranges::stable_sort(trace.accesses, [](const auto& a, const auto& b) {
      return std::tuple(a.phase, a.moment, a.invocation, a.scalar) <
             std::tuple(b.phase, b.moment, b.invocation, b.scalar);
    });
    for (std::size_t i = 0; i < trace.accesses.size(); ++i) {
      core::TracedPhase& p = trace.phases[trace.accesses[i].phase];
      p.first = p.last == 0 ? i : p.first;
      p.last = i + 1;
    }
    return std::make_shared<const core::Trace>(std::move(trace));
  }

  core::Trace trace;

 private:
  std::vector<std::uint32_t> moments_, slices_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> turns_;
};

// Made up, and different everywhere.
float value_at(std::uint64_t element) {
  return std::sin(static_cast<float>(element % 7919) * 1.7F);
}

}  // namespace

std::shared_ptr<const core::Trace> matmul_trace(std::uint32_t tile, std::uint32_t turns,
                                                bool first_barrier) {
  const std::uint32_t n = 8 * tile;
  const std::string type = "float[" + std::to_string(tile) + "][" + std::to_string(tile) + "]";
  Recorder r({tile, tile, 1});
  const auto a = r.variable("a", MemoryKind::global, "float[]", {n * n});
  const auto b = r.variable("b", MemoryKind::global, "float[]", {n * n});
  const auto c = r.variable("c", MemoryKind::global, "float[]", {n * n});
  const auto ta = r.variable("tile_a", MemoryKind::shared, type, {tile, tile});
  const auto tb = r.variable("tile_b", MemoryKind::shared, type, {tile, tile});
  const auto read_a = r.site(11, a, Access::read), write_a = r.site(11, ta, Access::write);
  const auto read_b = r.site(11, b, Access::read), write_b = r.site(11, tb, Access::write);
  const auto use_a = r.site(12, ta, Access::read), use_b = r.site(12, tb, Access::read);
  const auto store = r.site(13, c, Access::write);
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    for (std::uint32_t i = 0; i < tile * tile; ++i) {
      const std::uint32_t row = i / tile, col = i % tile;
      const std::uint64_t from_a = std::uint64_t{2 * tile + row} * n + turn * tile + col;
      const std::uint64_t from_b = std::uint64_t{turn * tile + row} * n + 3 * tile + col;
      r.touch(i, read_a, from_a, value_at(from_a));
      r.touch(i, write_a, i, value_at(from_a));
      r.touch(i, read_b, from_b, value_at(from_b));
      r.touch(i, write_b, i, value_at(from_b));
    }
    if (first_barrier) {
      r.phase(1);
    }
    for (std::uint32_t i = 0; i < tile * tile; ++i) {
      for (std::uint32_t k = 0; k < tile; ++k) {
        r.touch(i, use_a, i / tile * tile + k, value_at(i + k));
        r.touch(i, use_b, k * tile + i % tile, value_at(i + k));
      }
    }
    r.phase(2);
  }
  for (std::uint32_t i = 0; i < tile * tile; ++i) {
    r.touch(i, store, std::uint64_t{2 * tile + i / tile} * n + 3 * tile + i % tile, 1.0F);
  }
  return r.done();
}

std::shared_ptr<const core::Trace> transpose_trace() {
  Recorder r({32, 8, 1});
  const auto a = r.variable("a", MemoryKind::global, "float[]", {512 * 512});
  const auto at = r.variable("at", MemoryKind::global, "float[]", {512 * 512});
  const auto tile = r.variable("tile", MemoryKind::shared, "float[32][33]", {32, 33});
  const auto read = r.site(11, a, Access::read), fill = r.site(11, tile, Access::write);
  const auto use = r.site(13, tile, Access::read), store = r.site(13, at, Access::write);
  for (std::uint32_t line = 0; line < 32; line += 8) {
    for (std::uint32_t i = 0; i < 256; ++i) {
      const std::uint32_t x = i % 32, y = i / 32 + line;
      const std::uint64_t from = std::uint64_t{64 + y} * 512 + 96 + x;
      r.touch(i, read, from, value_at(from));
      r.touch(i, fill, y * 33 + x, value_at(from));
    }
  }
  r.phase(1);
  for (std::uint32_t line = 0; line < 32; line += 8) {
    for (std::uint32_t i = 0; i < 256; ++i) {
      const std::uint32_t x = i % 32, y = i / 32 + line;
      r.touch(i, use, x * 33 + y, 0.5F);
      r.touch(i, store, std::uint64_t{96 + y} * 512 + 64 + x, 0.5F);
    }
  }
  return r.done();
}

std::shared_ptr<const core::Trace> nbody_trace(std::uint32_t size) {
  Recorder r({size, 1, 1});
  const auto position = r.variable("position", MemoryKind::global, "vec4[]", {4 * size}, 4);
  const auto tile =
      r.variable("tile", MemoryKind::shared, "vec4[" + std::to_string(size) + "]", {size}, 4);
  const auto read = r.site(11, position, Access::read), fill = r.site(11, tile, Access::write);
  const auto use = r.site(13, tile, Access::read);
  for (std::uint32_t turn = 0; turn < 4; ++turn) {
    for (std::uint32_t i = 0; i < size; ++i) {
      r.touch(i, read, turn * size + i, value_at(turn * size + i));
      r.touch(i, fill, i, value_at(turn * size + i));
    }
    r.phase(1);
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t k = 0; k < std::min(size, 64U); ++k) {
        r.touch(i, use, k, value_at(turn * size + k));
      }
    }
    r.phase(2);
  }
  return r.done();
}

std::shared_ptr<const core::Trace> shared_cell_trace(bool written_first) {
  Recorder r({2, 1, 1});
  const std::uint32_t x = r.variable("x", MemoryKind::shared, "float", {});
  const std::uint32_t write = r.site(17, x, Access::write);
  const std::uint32_t read = r.site(20, x, Access::read);
  if (written_first) {
    r.touch(0, write, 0, 1.0F);
  }
  r.touch(1, read, 0, 1.0F);
  if (!written_first) {
    r.touch(0, write, 0, 2.0F);
  }
  return r.done();
}

std::shared_ptr<const core::Trace> two_cells_trace() {
  Recorder r({2, 1, 1});
  const std::uint32_t x = r.variable("x", MemoryKind::shared, "float[2]", {2});
  const std::uint32_t write = r.site(17, x, Access::write);
  const std::uint32_t read = r.site(20, x, Access::read);
  r.touch(0, write, 1, 1.0F);
  r.touch(1, read, 0, 2.0F);
  return r.done();
}

std::shared_ptr<const core::Trace> naive_trace() {
  constexpr std::uint32_t n = 128;
  Recorder r({16, 16, 1});
  const auto a = r.variable("a", MemoryKind::global, "float[]", {n * n});
  const auto b = r.variable("b", MemoryKind::global, "float[]", {n * n});
  const auto c = r.variable("c", MemoryKind::global, "float[]", {n * n});
  const auto read_a = r.site(11, a, Access::read), read_b = r.site(11, b, Access::read);
  const auto store = r.site(13, c, Access::write);
  for (std::uint32_t i = 0; i < 256; ++i) {
    for (std::uint32_t k = 0; k < n; ++k) {
      r.touch(i, read_a, (32 + i / 16) * n + k, 0.25F);
      r.touch(i, read_b, k * n + 48 + i % 16, 0.5F);
    }
    r.touch(i, store, (32 + i / 16) * n + 48 + i % 16, 1.0F);
  }
  return r.done();
}

}  // namespace tests
