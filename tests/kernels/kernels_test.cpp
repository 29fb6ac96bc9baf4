// Every kernel of the catalogue against its reference in double: on random data, with poisoned
// outputs, on awkward sizes, under the validation layers with synchronization validation. Each runs
// at its default tile and at sizes of a few workgroups; `./test --all` takes every tile and larger
// sizes.
#include <algorithm>
#include <cctype>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/work/needs.h"
#include "lab/probe/check.h"
#include "lab/probe/probe_bench.h"
#include "lab/ready/catalogue_files.h"
#include "lab/run/barrier_trials.h"
#include "lab/run/measure.h"
#include "lab/run/simulation.h"

namespace {

struct Row {
  core::Variant variant;
  std::uint32_t tile;
  friend void PrintTo(const Row& row, std::ostream* out) {
    *out << row.variant.id() << ", tile " << row.tile;
  }
};

std::vector<Row> every_row() {
  std::vector<Row> all;
  const core::Catalogue catalogue = lab::read_catalogue(lab::find_shaders().value());
  for (const core::Variant& variant : catalogue.all()) {
    if (variant.has_tile() && !variant.broken) {
      for (const std::uint32_t tile : variant.tile.values) {
        all.push_back({variant, tile});
      }
    } else {
      all.push_back({variant, 0});
    }
  }
  return all;
}

std::vector<Row> default_rows() {
  std::vector<Row> all = every_row();
  std::erase_if(
      all, [](const Row& row) { return row.tile != 0 && row.tile != row.variant.tile.preset; });
  return all;
}

std::string row_name(const testing::TestParamInfo<Row>& info) {
  std::string name = fmt::format("{}_{}", info.param.variant.id(), info.param.tile);
  for (char& c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return name;
}

std::uint32_t draw(std::uint64_t seed, std::uint64_t stream, std::uint32_t most) {
  return 1 + static_cast<std::uint32_t>(core::mix(core::mix(seed) + stream) % most);
}

// Two or three workgroups in each direction: one item, sizes that the tile divides and does not
// divide, and one at random.
std::vector<core::Sizes> few_sizes_of(const core::Variant& variant, std::uint64_t seed) {
  if (auto awkward = variant.work->awkward_sizes(); !awkward.empty()) {
    awkward.resize(std::min<std::size_t>(awkward.size(), 3));
    return awkward;
  }
  switch (variant.work->size_names().size()) {
    case 3:
      return {{1, 1, 1}, {15, 17, 16}, {64, 48, 80}, {draw(seed, 0, 140), draw(seed, 1, 140), 33}};
    case 2:
      return {{1, 1}, {15, 17}, {64, 48}, {draw(seed, 0, 300), draw(seed, 1, 300)}};
    default:
      return {{1}, {17}, {64 + 48 + 80}, {draw(seed, 0, 700)}};
  }
}

// Square and awkward, then the seeds' example, then any.
std::vector<core::Sizes> sizes_of(const core::Variant& variant, std::uint64_t seed) {
  std::vector<core::Sizes> all;
  if (const auto awkward = variant.work->awkward_sizes(); !awkward.empty()) {
    return awkward;
  }
  const std::size_t count = variant.work->size_names().size();
  for (const std::uint32_t s : {1U, 15U, 16U, 17U}) {
    all.emplace_back(count, s);
  }
  if (count == 3) {
    all.push_back({64, 48, 80});
    all.push_back({999, 666, 130});
    all.push_back({draw(seed, 0, 300), draw(seed, 1, 300), draw(seed, 2, 300)});
  } else if (count == 2) {
    all.push_back({64, 48});
    all.push_back({999, 666});
    all.push_back({draw(seed, 0, 900), draw(seed, 1, 900)});
  } else {
    all.push_back({64 + 48 + 80});
    all.push_back({1999});
    all.push_back({draw(seed, 0, 1500)});
  }
  return all;
}

class Kernels : public testing::TestWithParam<Row> {
 protected:
  static void SetUpTestSuite() {
    auto driver = gpu::Driver::open({.validation = true});
    ASSERT_TRUE(driver) << driver.error().message;
    driver_ = *driver;
    auto bench = lab::Workbench::open(driver_, "");
    ASSERT_TRUE(bench) << bench.error().message;
    bench_ = std::move(*bench);
  }
  static void TearDownTestSuite() {
    bench_.reset();
    driver_.reset();
  }
  void SetUp() override {
    ASSERT_TRUE(bench_);
    if (const auto why = core::missing(GetParam().variant, bench_->info())) {
      GTEST_SKIP() << *why;
    }
  }
  void TearDown() override {
    for (const std::string& message : driver_->validation_messages()) {
      ADD_FAILURE() << message;
    }
  }

  void expect_correct(std::vector<core::Sizes> (*sizes_of_row)(const core::Variant& variant,
                                                               std::uint64_t seed));

  inline static std::shared_ptr<gpu::Driver> driver_;
  inline static std::unique_ptr<lab::Workbench> bench_;
};

class LongKernels : public Kernels {};

TEST_P(Kernels, IsCorrect) {
  expect_correct(few_sizes_of);
}
TEST_P(LongKernels, IsCorrectAtEverySize) {
  expect_correct(sizes_of);
}

void Kernels::expect_correct(std::vector<core::Sizes> (*sizes_of_row)(const core::Variant& variant,
                                                                      std::uint64_t seed)) {
  const Row& row = GetParam();
  ASSERT_FALSE(row.variant.broken) << row.variant.broken->message;
  const std::uint64_t seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  fmt::print("seed {}\n", seed);
  if (row.variant.expect != core::Expectation::correct) {
    GTEST_SKIP() << "it does not claim to be";
  }
  for (const core::Sizes& sizes : sizes_of_row(row.variant, seed)) {
    core::Experiment experiment;
    experiment.size = sizes;
    experiment.tile = row.tile;
    experiment.seed = seed;
    if (row.variant.workload == "nbody") {
      // Without structure and with a long step, so that what the forces do decides the answer.
      experiment.settings = {{"start", "random"}, {"dt", "1"}};
    }
    SCOPED_TRACE(fmt::format("seed {}, sizes {}", seed, core::to_string(sizes)));
    auto setup = bench_->set_up(row.variant, experiment, 1000.0);
    if (!setup && setup.error().message.find("this device allows") != std::string::npos) {
      GTEST_SKIP() << setup.error().message;
    }
    ASSERT_TRUE(setup) << setup.error().message;
    const auto check = bench_->verify(**setup, [](std::uint64_t) { return true; });
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_TRUE(check->correct) << check->worst << "; error " << check->max_error << " of "
                                << check->tolerance;
  }
}

// The checker's verdict is the one that the kernel's header states. The default tile is checked by
// the golden tests of the commands.
TEST_P(LongKernels, IsJudgedAsItsHeaderSays) {
  const Row& row = GetParam();
  core::Experiment experiment;
  experiment.size = sizes_of(row.variant, 1)[4];
  experiment.tile = row.tile;
  auto setup = bench_->set_up(row.variant, experiment, 1000.0);
  ASSERT_TRUE(setup) << setup.error().message;
  const auto report = lab::check(bench_->device(), (*setup)->turns());
  ASSERT_TRUE(report) << report.error().message;
  const std::map<core::Expectation, core::Verdict> verdicts{
      {core::Expectation::correct, core::Verdict::clean},
      {core::Expectation::races, core::Verdict::racy},
      {core::Expectation::diverges, core::Verdict::divergent}};
  // What a subgroup loads and stores together is not followed, and never called clean.
  const bool followed = std::ranges::none_of(
      row.variant.needs, [](const std::string& need) { return need.ends_with("_matrix"); });
  EXPECT_EQ(
      core::to_string(report->verdict),
      core::to_string(followed ? verdicts.at(row.variant.expect) : core::Verdict::incomplete));
  EXPECT_EQ((*setup)->divergent().empty(), row.variant.expect != core::Expectation::diverges);
}

// The same answer when the launch is cut into many slices.
TEST_P(LongKernels, IsCorrectInSlices) {
  const Row& row = GetParam();
  if (row.variant.expect != core::Expectation::correct) {
    GTEST_SKIP() << "it does not claim to be";
  }
  core::Experiment experiment;
  experiment.size = sizes_of(row.variant, 1)[5];
  experiment.tile = row.tile;
  for (std::uint32_t& size : experiment.size) {
    size = row.tile > 0 && row.tile < 64 ? (size + 2) / 3 : size;  // some hundred workgroups
  }
  auto setup = bench_->set_up(row.variant, experiment, 1e-6);
  ASSERT_TRUE(setup) << setup.error().message;
  std::uint64_t slices = 0;
  std::uint64_t last = 0;
  const auto check = bench_->verify(**setup, [&](std::uint64_t done) {
    EXPECT_GT(done, last);
    last = done;
    ++slices;
    return true;
  });
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_TRUE(check->correct) << check->worst;
  EXPECT_EQ(last, (*setup)->group_count());
  // The first slice is of a few workgroups; smaller launches are one.
  EXPECT_TRUE(slices > 1 || last <= 4) << slices << " slices";
}

// The seed's questions, each an experiment with its verdict: what does every barrier have to order,
// is a fence enough, can it be left out?
class LongTrials : public testing::Test {
 protected:
  using Kind = core::BarrierKind;
  static constexpr lab::MeasureOptions kOnce{.repeat = 1, .warm_up_ms = 0.0};

  core::BarrierTrials try_out(const core::Experiment& experiment,
                              bool (*wanted)(const core::BarrierTrial&)) {
    auto driver = gpu::Driver::open({.validation = true});
    if (!driver) {  // not every machine has the layers
      driver = gpu::Driver::open({});
    }
    EXPECT_TRUE(driver) << driver.error().message;
    auto bench = lab::Workbench::open(*driver, "");
    EXPECT_TRUE(bench) << bench.error().message;
    const auto file = lab::find_shaders().value() / (experiment.variant + ".comp");
    const core::Variant variant = lab::read_variant(file);
    auto trials = lab::plan_trials(**bench, variant, experiment);
    EXPECT_TRUE(trials) << trials.error().message;
    for (core::BarrierTrial& trial : trials->list) {
      if (!wanted(trial)) {
        continue;
      }
      const auto ok = lab::run_trial(
          **bench, variant, experiment, kOnce, [](std::uint64_t) { return true; }, trial);
      EXPECT_TRUE(ok && trial.done && trial.report) << trial.impossible;
      EXPECT_GT(trial.spread.count, 0U);
    }
    EXPECT_TRUE((*driver)->validation_messages().empty());
    return *trials;
  }

  // Only a wait that orders shared memory keeps the hazard away.
  static void expect_needed(const core::BarrierTrials& trials, std::uint32_t barrier,
                            const std::string& hazard) {
    for (const core::BarrierKind kind : core::barrier_kinds()) {
      const core::BarrierTrial* trial = trials.find(barrier, kind);
      ASSERT_NE(trial, nullptr);
      const bool right = kind == core::BarrierKind::all || kind == core::BarrierKind::shared;
      SCOPED_TRACE(fmt::format("barrier {} {}", barrier, core::to_string(kind)));
      EXPECT_EQ(trial->verdict(), right ? "clean" : "racy");
      EXPECT_EQ(trial->hazards(), right ? "" : hazard);
    }
    EXPECT_EQ(core::conclusion(trials, barrier),
              "needed; a barrier that orders only shared memory is enough");
  }
};

// Nothing but its preparation goes past a limit.
TEST(ProbeCosts, AreNotToldOfWhatWasStopped) {
  auto driver = gpu::Driver::open({});
  ASSERT_TRUE(driver) << driver.error().message;
  const auto bench = lab::Workbench::open(*driver, "");
  ASSERT_TRUE(bench) << bench.error().message;
  const core::Catalogue catalogue = lab::read_catalogue(lab::find_shaders().value());
  std::set<std::string> seen;
  for (lab::ProbeCost& cost : lab::plan_probe_costs((*bench)->info())) {
    if (!seen.insert(cost.probe).second) {
      continue;
    }
    int asked = 0;
    const auto whole = lab::measure_probe_cost(
        **bench, catalogue, [&](std::uint64_t) { return ++asked < 2; }, cost);
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_FALSE(*whole) << cost.probe;
    EXPECT_EQ(asked, 2) << cost.probe << " went on";
  }
  EXPECT_TRUE(seen.contains("races") && seen.contains("trace"));
}

TEST_F(LongTrials, OfTiledMatmul) {
  const auto trials =
      try_out({.variant = "matmul/tiled", .size = {64, 48, 80}}, [](const core::BarrierTrial& t) {
        return t.barrier > 0 || !t.kind || *t.kind == Kind::shared || *t.kind == Kind::fence_all;
      });
  EXPECT_EQ(trials.list.size(), 1U + 3U * 7U);
  EXPECT_EQ(trials.list.front().verdict(), "clean");
  expect_needed(trials, 1, "RAW");
  expect_needed(trials, 2, "WAR");
  EXPECT_EQ(trials.find(0, core::BarrierKind::shared)->verdict(), "clean");
  EXPECT_EQ(trials.find(0, core::BarrierKind::fence_all)->verdict(), "racy");
}

TEST_F(LongTrials, OfTheProducerAndTheConsumer) {
  const auto trials =
      try_out({.variant = "barrier/two-barriers", .size = {5, 4}}, [](const core::BarrierTrial& t) {
        return t.kind == Kind::shared || t.kind == Kind::fence_shared || t.kind == Kind::off;
      });
  for (const std::uint32_t barrier : {0U, 1U, 2U}) {
    EXPECT_EQ(trials.find(barrier, Kind::shared)->verdict(), "clean");
    EXPECT_EQ(trials.find(barrier, Kind::fence_shared)->verdict(), "racy");
    EXPECT_EQ(trials.find(barrier, Kind::off)->hazards(), barrier == 2 ? "WAR" : "RAW");
  }
}

// A barrier that divergent code reaches is refused as any kind of wait; as a fence nobody waits.
TEST_F(LongTrials, OfARefusedKernelFencesRun) {
  auto driver = gpu::Driver::open({.validation = false});
  ASSERT_TRUE(driver) << driver.error().message;
  auto bench = lab::Workbench::open(*driver, "");
  ASSERT_TRUE(bench) << bench.error().message;
  const core::Variant variant =
      lab::read_variant(lab::find_shaders().value() / "barrier/divergent-if.comp");
  for (const auto& [kind, verdict] :
       {std::pair(core::BarrierKind::all, "divergent"), {core::BarrierKind::fence_all, "racy"}}) {
    core::BarrierTrial trial{.barrier = 1, .kind = kind, .edits = {{1, kind}}};
    ASSERT_TRUE(lab::run_trial(
        **bench, variant, {.variant = variant.id(), .size = {5, 4}}, kOnce,
        [](std::uint64_t) { return true; }, trial));
    EXPECT_EQ(trial.verdict(), verdict);
    EXPECT_EQ(trial.spread.count > 0, kind == core::BarrierKind::fence_all) << "refused: not run";
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Kernels, testing::ValuesIn(default_rows()), row_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, LongKernels, testing::ValuesIn(every_row()), row_name);

TEST(Poison, AnOutputThatIsNotWrittenIsWrong) {
  auto driver = gpu::Driver::open();
  ASSERT_TRUE(driver);
  auto bench = lab::Workbench::open(*driver, "");
  ASSERT_TRUE(bench);
  core::Variant lazy = lab::read_variant(lab::find_shaders().value() / "matmul/naive.comp");
  const std::string store = "c[row * N + col] = sum;";
  lazy.source.replace(lazy.source.find(store), store.size(), "if (row != 3) " + store);
  core::Experiment experiment;
  experiment.size = {20, 20, 20};
  auto setup = (*bench)->set_up(lazy, experiment, 1000.0);
  ASSERT_TRUE(setup) << setup.error().message;
  const auto check = (*bench)->verify(**setup, [](std::uint64_t) { return true; });
  ASSERT_TRUE(check);
  EXPECT_FALSE(check->correct);
  EXPECT_TRUE(check->worst.starts_with("C[3]")) << check->worst;
}

TEST(LongSimulation, KeepsItsEnergyForThousandsOfSteps) {
  auto driver = gpu::Driver::open({.validation = true});
  ASSERT_TRUE(driver) << driver.error().message;
  auto bench = lab::Workbench::open(*driver, "");
  ASSERT_TRUE(bench) << bench.error().message;
  const auto shaders = lab::find_shaders().value();
  for (const std::string start : {"galaxies", "ball"}) {
    core::Experiment experiment;
    experiment.variant = "nbody/tiled";
    experiment.size = {256};
    experiment.settings["start"] = start;
    auto setup =
        (*bench)->set_up(lab::read_variant(shaders / "nbody/tiled.comp"), experiment, 1000.0);
    ASSERT_TRUE(setup) << setup.error().message;
    auto simulation = lab::Simulation::start(**bench, **setup, shaders);
    ASSERT_TRUE(simulation) << simulation.error().message;
    double worst = 0.0;
    for (int step = 0; step < 4000; ++step) {
      ASSERT_TRUE((*simulation)->step([](std::uint64_t) { return true; }));
      if (step % 100 == 0) {
        ASSERT_TRUE((*simulation)->weigh());
      }
    }
    const auto bodies = (*simulation)->snapshot();
    ASSERT_TRUE(bodies) << bodies.error().message;
    EXPECT_EQ((*bodies)->step, 4000U);
    EXPECT_LT((*bodies)->first_energy, 0.0) << "a bound system";
    for (const float drift : (*bodies)->drift) {
      worst = std::max(worst, std::abs(static_cast<double>(drift)));
    }
    EXPECT_LT(worst, 0.02) << start;
    EXPECT_GT(worst, 0.0) << start;
  }
  EXPECT_TRUE((*driver)->validation_messages().empty());
}

}  // namespace
