// Every row of the catalogue, at each of its tiles, against its reference in double: on random
// data, with poisoned outputs, on awkward sizes, under the validation layers with synchronization
// validation.
#include <cctype>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/needs.h"
#include "core/random.h"
#include "lab/catalogue_files.h"
#include "lab/check.h"
#include "lab/measure.h"
#include "lab/simulation.h"

namespace {

struct Row {
  core::Variant variant;
  std::uint32_t tile;
  friend void PrintTo(const Row& row, std::ostream* out) {
    *out << row.variant.id() << ", tile " << row.tile;
  }
};

std::vector<Row> rows() {
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

// Square and awkward, then the seeds' example, then any.
std::vector<core::Sizes> sizes_of(const std::string& workload, std::uint64_t seed) {
  std::vector<core::Sizes> all;
  const std::size_t count = core::find_workload(workload)->size_names().size();
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

  inline static std::shared_ptr<gpu::Driver> driver_;
  inline static std::unique_ptr<lab::Workbench> bench_;
};

TEST_P(Kernels, IsCorrectAtEverySize) {
  const Row& row = GetParam();
  ASSERT_FALSE(row.variant.broken) << row.variant.broken->message;
  const std::uint64_t seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  fmt::print("seed {}\n", seed);
  if (row.variant.expect != core::Expectation::correct) {
    GTEST_SKIP() << "it does not claim to be";
  }
  for (const core::Sizes& sizes : sizes_of(row.variant.workload, seed)) {
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
    ASSERT_TRUE(setup) << setup.error().message;
    const auto check = bench_->verify(**setup, [](std::uint64_t) { return true; });
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_TRUE(check->correct) << check->worst << "; error " << check->max_error << " of "
                                << check->tolerance;
  }
}

// What a kernel says of itself is what the checker finds, whatever answer it came to.
TEST_P(Kernels, IsJudgedAsItsHeaderSays) {
  const Row& row = GetParam();
  core::Experiment experiment;
  experiment.size = sizes_of(row.variant.workload, 1)[4];
  experiment.tile = row.tile;
  auto setup = bench_->set_up(row.variant, experiment, 1000.0);
  ASSERT_TRUE(setup) << setup.error().message;
  lab::CheckRequest request;
  lab::describe_check(**setup, request);
  const auto report = lab::check(bench_->device(), request);
  ASSERT_TRUE(report) << report.error().message;
  const std::map<core::Expectation, core::Verdict> verdicts{
      {core::Expectation::correct, core::Verdict::clean},
      {core::Expectation::races, core::Verdict::racy},
      {core::Expectation::diverges, core::Verdict::divergent}};
  // What a subgroup loads and stores together is not followed, and never called clean.
  const bool followed = row.variant.needs.empty();
  EXPECT_EQ(
      core::to_string(report->verdict),
      core::to_string(followed ? verdicts.at(row.variant.expect) : core::Verdict::incomplete));
  EXPECT_EQ((*setup)->facts->divergent.empty(), row.variant.expect != core::Expectation::diverges);
}

// The same answer when the launch is cut into many slices.
TEST_P(Kernels, IsCorrectInSlices) {
  const Row& row = GetParam();
  if (row.variant.expect != core::Expectation::correct) {
    GTEST_SKIP() << "it does not claim to be";
  }
  core::Experiment experiment;
  experiment.size = sizes_of(row.variant.workload, 1)[5];
  experiment.tile = row.tile;
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
  EXPECT_EQ(last, (*setup)->tiles.group_count());
  // The first slice is of a few workgroups; smaller launches are one.
  EXPECT_TRUE(slices > 1 || last <= 4) << slices << " slices";
}

// The seed's question: each barrier of tiled matmul is needed, and `wait` can be narrowed to the
// fence of shared memory.
TEST(BarrierKinds, OfTiledMatmul) {
  auto driver = gpu::Driver::open({.validation = true});
  ASSERT_TRUE(driver) << driver.error().message;
  auto bench = lab::Workbench::open(*driver, "");
  ASSERT_TRUE(bench) << bench.error().message;
  const auto variant = lab::read_variant(lab::find_shaders().value() / "matmul/tiled.comp");
  for (const std::uint32_t number : {1U, 2U}) {
    for (const auto kind : {core::BarrierKind::off, core::BarrierKind::all,
                            core::BarrierKind::global, core::BarrierKind::shared}) {
      SCOPED_TRACE(fmt::format("barrier {} {}", number, core::to_string(kind)));
      core::Experiment experiment;
      experiment.size = {64, 48, 80};
      experiment.barriers[number] = kind;
      auto setup = (*bench)->set_up(variant, experiment, 1000.0);
      ASSERT_TRUE(setup) << setup.error().message;
      lab::CheckRequest request;
      lab::describe_check(**setup, request);
      const auto report = lab::check((*bench)->device(), request);
      ASSERT_TRUE(report) << report.error().message;
      const bool right = kind == core::BarrierKind::all || kind == core::BarrierKind::shared;
      EXPECT_EQ(report->verdict, right ? core::Verdict::clean : core::Verdict::racy);
      for (const core::Finding& finding : report->findings) {
        EXPECT_EQ(finding.hazard, number == 1 ? core::RaceHazard::read_after_write
                                              : core::RaceHazard::write_after_read);
      }
    }
  }
  EXPECT_TRUE((*driver)->validation_messages().empty());
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Kernels, testing::ValuesIn(rows()), row_name);

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

TEST(Simulation, KeepsItsEnergyForThousandsOfSteps) {
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
