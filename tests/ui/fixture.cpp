#include "ui/fixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/base/random.h"
#include "core/model/ceilings.h"
#include "core/model/occupancy.h"
#include "core/work/barrier_trials.h"

namespace tests {
namespace {

constexpr const char* kSource = R"(//! title = "Tiled"
//! claim = "2 barriers a step"
#version 450
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 16;
shared float tile_a[TILE][TILE];

void main() {
  // Beyond the edge a tile holds zeros, which add nothing, and this comment is a rather long line.
  tile_a[row][col] = a[global_row * W + i + col];
  barrier();
  c[global_row * N + global_col] = sum;
}
)";

core::Variant variant(const std::string& workload, const std::string& name,
                      const std::string& title, int order, std::vector<std::uint32_t> tiles) {
  core::Variant v;
  v.workload = workload;
  v.name = name;
  v.title = title;
  v.claim = "2 barriers a step; each element of A and B is read TILE times less from global memory";
  v.order = order;
  v.tile = {"TILE", std::move(tiles), 16};
  v.tile.preset = v.tile.values.empty() ? 0 : v.tile.values[v.tile.values.size() / 2];
  v.source = kSource;
  return v;
}

// The four ways to deal with a size that tiles do not divide.
core::Variant way(const std::string& name, const std::string& title, int order,
                  const std::string& extent) {
  core::Variant v = variant("transpose", name, title, order, {8, 16, 32});
  v.extent = extent;
  if (extent == "divided") {
    v.launches.resize(3);
    v.launches[0].sections = {core::Section::middle};
    v.launches[1].sections = {core::Section::bottom};
    v.launches[2].sections = {core::Section::right, core::Section::corner};
    v.launches[1].kernel = v.launches[2].kernel = "naive";
  }
  return v;
}

void add_timing(core::Result& result) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    result.timing.samples_ms.push_back(1234.0 + 80.0 * core::uniform(1, 2, i));
  }
  result.timing.spread = core::spread_of(result.timing.samples_ms);
  result.timing.launches = 302;
  result.timing.warm_up = 2;
  result.timing.compile_ms = 189.7;
  result.timing.upload_ms = 0.478;
}

void add_ladder(core::Result& result) {
  double speedup = 1.0;
  const core::Catalogue all = catalogue();
  for (const core::Variant& v : all.of(result.variant.workload)) {
    core::Rung rung;
    rung.variant = v.id();
    rung.name = v.name;
    rung.title = v.title;
    rung.tile = v.tile.preset;
    rung.measured = true;
    rung.spread = result.timing.spread;
    rung.speedup = speedup;
    speedup *= 1.7;
    result.ladder.push_back(rung);
  }
}

std::vector<float> noise(const core::BufferSpec& buffer, std::uint64_t stream) {
  std::vector<float> values(buffer.elements());
  core::fill_random(values, buffer.columns, 1, stream);
  return values;
}

void add_particles(core::Result& result, const core::Workload& workload) {
  const core::HostBuffers before = workload.inputs(result.problem);
  core::HostBuffers after = before;
  after.back().resize(result.buffers.back().words());
  core::fill_random(after.back(), result.buffers.back().columns, 1, 2);
  result.particles = workload.particles(result.problem, before, after);
}

void add_data(core::Result& result, const core::Workload& workload) {
  if (workload.chain().empty()) {
    for (std::size_t i = 0; i < result.buffers.size(); ++i) {
      const core::BufferSpec& b = result.buffers[i];
      auto values = noise(b, i);
      result.fields.push_back(
          std::make_shared<const core::Field>(core::reduce(b.name, values, b.rows, b.columns)));
      values.resize(b.words());
      result.contents.push_back(
          {std::make_shared<const std::vector<float>>(std::move(values)), {}});
    }
    add_particles(result, workload);
    return;
  }
  const core::HostBuffers start = workload.inputs(result.problem);
  auto bodies = std::make_shared<core::Bodies>();
  for (std::size_t i = 0; i < start[0].size(); i += 4) {
    bodies->positions.emplace_back(start[0][i], start[0][i + 1], start[0][i + 2], start[0][i + 3]);
    bodies->velocities.emplace_back(start[1][i], start[1][i + 1], start[1][i + 2], 0.0F);
  }
  bodies->step = 1234;
  bodies->time = 4.936;
  bodies->energy = -1.38256;
  bodies->first_energy = -1.38254;
  bodies->drift = {0.0F, 1e-6F, -2e-6F, 3e-6F};
  result.bodies = bodies;
}

}  // namespace

core::Catalogue catalogue() {
  return core::Catalogue(
      {variant("matmul", "naive", "Naive", 0, {8, 16, 32}),
       variant("matmul", "tiled", "Tiled", 1, {8, 16, 32}),
       variant("matmul", "registers", "Register tiling", 2, {}),
       way("naive", "Naive", 0, "untiled"), variant("transpose", "tiled", "Tiled", 1, {8, 16, 32}),
       way("padded", "Padded extent", 2, "padded"),
       way("truncated", "Truncated extent", 3, "truncated"),
       way("divided", "Divided extent", 4, "divided"),
       variant("nbody", "naive", "Naive", 0, {64, 256, 1024}),
       variant("nbody", "tiled", "Tiled", 1, {64, 128, 256, 512, 1024}),
       variant("lavamd", "naive", "Naive", 0, {32, 64, 128}),
       variant("lavamd", "tiled", "Tiled", 1, {32, 64, 128})},
      core::built_in_workloads());
}

std::vector<core::DeviceInfo> devices() {
  core::DeviceInfo gpu;
  gpu.name = "NVIDIA GeForce RTX 4090 Laptop GPU";
  gpu.type = core::DeviceType::discrete;
  core::DeviceInfo cpu;
  cpu.index = 1;
  cpu.name = "llvmpipe (LLVM 15.0.6, 256 bits)";
  cpu.type = core::DeviceType::cpu;
  return {gpu, cpu};
}

core::Result result_of(const std::string& id, const core::Sizes& sizes, std::uint32_t tile) {
  core::Result result;
  result.variant = *catalogue().find(id);
  const core::Workload& workload = *result.variant.work;
  result.work = result.variant.work;
  result.experiment = {.variant = id, .size = sizes, .tile = tile, .device = "1"};
  result.problem = *workload.resolve(sizes, {}, 1);
  result.device = devices()[1];
  result.buffers = workload.buffers(sizes);
  result.stage = core::Stage::running;
  result.tiles.extent = workload.extent(sizes);
  const bool line = result.tiles.extent.y == 1 || workload.name() == "lavamd";
  result.tiles.local_size = {tile, line ? 1 : tile, 1};
  result.tiles.covers = result.tiles.local_size;
  result.groups_done = result.tiles.group_count();
  result.flops = workload.flops(sizes);
  result.bytes = workload.bytes(sizes);
  result.check = {.done = true, .correct = true, .max_error = 3e-7, .tolerance = 1e-5};
  add_timing(result);
  add_ladder(result);
  add_data(result, workload);
  return result;
}

void add_races(core::Result& result) {
  core::KernelFacts facts;
  facts.barriers = {
      {.at = {12, 3, {}}, .written = core::BarrierKind::shared, .now = core::BarrierKind::shared}};
  facts.phases = {
      {.opened_by = 0, .lines = {9, 10, 11, 12}, .writes_shared = true, .reads_global = true},
      {.opened_by = 1, .lines = {12, 13}, .reads_shared = true}};
  result.facts = std::make_shared<const core::KernelFacts>(facts);
  core::CheckReport report;
  report.verdict = core::Verdict::racy;
  report.workgroups = report.workgroups_checked = result.tiles.group_count();
  report.accesses = 4;
  report.accesses_checked = 3;
  report.accesses_proven = 1;
  core::Finding finding;
  finding.variable = "tile_a";
  finding.index = {3, 7};
  finding.workgroup = {2, 1, 0};
  finding.count = 480;
  finding.first = {11, {}, {7, 3, 0}, core::Access::write};
  finding.second = {13, {}, {5, 0, 0}, core::Access::read};
  report.findings = {finding, finding};
  report.findings[1].workgroup = {0, 2, 0};
  report.racing_groups = {0xFFU};
  result.races = std::make_shared<const core::CheckReport>(report);
}

void add_trials(core::Result& result) {
  auto trials = std::make_shared<core::BarrierTrials>(
      core::plan_trials(static_cast<std::uint32_t>(result.facts->barriers.size())));
  for (core::BarrierTrial& trial : trials->list) {
    const bool clean = !trial.kind || trial.kind == core::BarrierKind::all ||
                       trial.kind == core::BarrierKind::shared;
    auto report = std::make_shared<core::CheckReport>();
    report->verdict = clean ? core::Verdict::clean : core::Verdict::racy;
    if (!clean) {
      report->findings.resize(1);
    }
    trial.report = report;
    trial.spread = core::spread_of(std::vector{1.25, 1.5});
    trial.written = core::spread_of(std::vector{1.25, 1.25});
    trial.done = &trial != &trials->list.back();
  }
  core::derive(*trials);
  result.trials = trials;
}

void add_ceilings(core::Result& result) {
  core::Ceilings ceilings;
  ceilings.copy_gbps = 4290.0;
  ceilings.fma_gflops = 62800.0;
  ceilings.shared_gbps = 33100.0;
  result.ceilings = std::make_shared<const core::Ceilings>(ceilings);
  result.traffic = core::Traffic{.flops = 1e6, .global_bytes = 2.5e5, .shared_bytes = 4e6};
}

void add_occupancy(core::Result& result, bool known) {
  core::Occupancy o;
  core::DeviceInfo device = devices()[0];
  if (known) {
    o.multiprocessor = core::multiprocessor_of(device);
    o.statistics.all = {{"Register Count", "32", "", 32.0}, {"Binary Size", "3328", "", 3328.0}};
  } else {
    o.no_statistics = "not reported by this device";
  }
  std::vector<std::uint32_t> tiles = result.variant.tile.values;
  if (tiles.empty()) {
    tiles.push_back(0);
  }
  for (const std::uint32_t tile : tiles) {
    core::TileOccupancy t;
    t.tile = tile;
    t.use.invocations = std::max(tile * tile, 64U);
    t.use.shared_bytes = std::uint64_t{8} * tile * tile;
    t.compiled = known;
    if (known) {
      t.use.registers = 32;
    }
    o.chosen = tile == result.experiment.tile ? o.tiles.size() : o.chosen;
    o.tiles.push_back(t);
  }
  if (o.tiles.size() > 1) {
    o.tiles.back().impossible =
        "tile 32 needs 1024 invocations per workgroup; this device allows 512; choose a smaller "
        "tile";
  }
  core::model(o);
  result.occupancy = std::make_shared<const core::Occupancy>(o);
}

std::shared_ptr<const core::Timeline> timeline(std::uint64_t tiles, bool told) {
  constexpr std::uint32_t kMultiprocessors = 4;
  constexpr std::size_t kPlaces = 12;
  core::Timeline t;
  t.tells_multiprocessor = told;
  t.multiprocessors = told ? kMultiprocessors : 0;
  t.warps_per_multiprocessor = told ? 64 : 0;
  t.resident_warps = told ? 24 : 0;
  t.zero_is_launch = true;
  std::array<std::uint64_t, kPlaces> free{};
  for (std::uint64_t tile = 0; tile < tiles; ++tile) {
    auto place = std::ranges::min_element(free);
    const auto number = static_cast<std::uint32_t>(place - free.begin());
    const std::uint64_t start = std::max<std::uint64_t>(*place, 900);
    *place = start + 20'000 + core::mix(tile) % 9000;
    t.tiles.push_back({start, *place, told ? number % kMultiprocessors : 0, told ? 8 * number : 0});
    t.length = std::max(t.length, *place + 500);
    *place += 100;
  }
  core::derive(t);
  return std::make_shared<const core::Timeline>(std::move(t));
}

std::shared_ptr<const core::StreamReport> stream(const core::Sizes& sizes, std::uint32_t lanes,
                                                 bool half) {
  auto report = std::make_shared<core::StreamReport>();
  report->request.size = sizes;
  const core::StreamWork work{.m = sizes[0], .n = sizes[1], .w = sizes[2], .side = 256};
  const std::vector<core::StreamRoom> rooms(lanes, {1ULL << 30U, 1ULL << 30U});
  report->plan = std::make_shared<const core::StreamPlan>(*core::plan_stream(work, rooms));
  for (const core::StreamShare& share : report->plan->shares) {
    core::StreamLane lane{.device = "Some Real Graphics Card 4000",
                          .queues = "copy engines for uploads and downloads",
                          .kernel = "matmul/registers"};
    const auto jobs = static_cast<std::uint32_t>(share.jobs.size() / (half ? 2 : 1));
    for (std::uint32_t job = 0; job < jobs; ++job) {
      const double start = 1.0 + job;
      lane.spans.push_back({core::StreamStage::upload, job, start - 1.0, start - 0.5, 1U << 20U});
      lane.spans.push_back({core::StreamStage::compute, job, start, start + 0.95, 0});
      lane.spans.push_back({core::StreamStage::download, job, start + 1.0, start + 1.2, 1U << 18U});
    }
    lane.jobs_done = lane.jobs_home = jobs;
    lane.figures = core::figures_of(lane.spans);
    report->elapsed_ms = std::max(report->elapsed_ms, jobs + 1.2);
    report->lanes.push_back(std::move(lane));
  }
  std::vector<core::StreamFigures> figures;
  for (const core::StreamLane& lane : report->lanes) {
    figures.push_back(lane.figures);
  }
  report->figures = core::sum_of(figures);
  report->figures.ms = report->elapsed_ms;
  report->figures.gflops = 46'000.0;
  report->progress = half ? 0.5 : 1.0;
  report->phase = half ? core::StreamPhase::streaming : core::StreamPhase::done;
  if (half) {
    report->left_ms = report->elapsed_ms;
  } else {
    report->check = {.done = true, .correct = true, .max_error = 1.2e-6, .tolerance = 4.4e-5};
    report->check.scale = "the sum of the magnitudes of the products of the element";
    report->check.method = "4096 elements, and every row with Freivalds' randomized check";
  }
  return report;
}

bool shows(const ui::TextTrace& trace, const std::string& part) {
  return std::ranges::any_of(trace.entries, [&](const ui::TextTrace::Entry& entry) {
    return entry.text.find(part) != std::string::npos;
  });
}

bool draws(ui::Colour colour, const ui::Rect& there) {
  const ImDrawData& drawn = *ImGui::GetDrawData();
  for (int i = 0; i < drawn.CmdListsCount; ++i) {
    for (const ImDrawVert& corner : drawn.CmdLists[i]->VtxBuffer) {
      if (corner.col == colour && there.contains(ui::vec(corner.pos))) {
        return true;
      }
    }
  }
  return false;
}

ImTextureID NoTextures::image(std::string_view key, std::uint64_t version,
                              const std::function<ui::Image()>& paint) {
  if (failing) {
    throw std::bad_function_call();
  }
  std::uint64_t& known = versions_[std::string(key)];
  if (known != version) {
    known = version;
    ++painted;
    static_cast<void>(paint());
  }
  return ui::compat::texture_id(1);
}

ImTextureID NoTextures::image(std::string_view key, std::uint64_t version, const ui::Image& kept,
                              ui::Rows) {
  return image(key, version, [&kept] { return kept; });
}

namespace {

ImTextureID take_letters(const ui::compat::Letters&) {
  return ui::compat::texture_id(1);
}

}  // namespace

// Beside another stage the context that was made is not the current one.
Stage::Context::Context() : context(ImGui::CreateContext()) {
  ImGui::SetCurrentContext(context);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().MousePos = {-1e6F, -1e6F};
  ImGui::GetIO().BackendFlags |= ui::compat::renderer_flags();
}

Stage::Context::~Context() {
  ImGui::DestroyContext(context);
}

Stage::Stage(const core::Scene& scene, core::Catalogue catalogue)
    : catalogue_(std::move(catalogue)), app_(scene, textures_), view_(scene.view) {
  app_.settle(true);
  app_.trace(&trace_);
}

Stage::~Stage() = default;

ui::Requests Stage::draw(const core::Result& result, const core::Result* beside) {
  ImGui::SetCurrentContext(context_.context);  // there may be another stage
  ImGuiIO& io = ImGui::GetIO();
  if (app_.prepare(*io.Fonts)) {
    ui::compat::take_loaded(*io.Fonts, take_letters);
  }
  io.DisplaySize = {static_cast<float>(view_.width), static_cast<float>(view_.height)};
  io.DeltaTime = 1.0F / 60.0F;
  trace_.entries.clear();
  ImGui::NewFrame();
  const ui::Requests requests = app_.draw({result, catalogue_, devices_, beside});
  ImGui::Render();
  ui::compat::take_drawn(take_letters);
  return requests;
}

}  // namespace tests
