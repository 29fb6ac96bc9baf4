// The child's part of probation.
#include <sstream>

#include <fmt/format.h>

#include "core/base/files.h"
#include "lab/files/scene_file.h"
#include "lab/live/probation.h"
#include "lab/live/worker.h"
#include "lab/plan/kernel_module.h"
#include "lab/probe/check.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/reference.h"
#include "lab/run/steps.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// What its file has by now is no matter.
core::Expected<core::Variant> kernel_of(const core::Catalogue& catalogue, const std::string& id,
                                        const std::string& text) {
  if (!core::names_a_file(id) && !core::is_file(id)) {
    const auto known = catalogue.find(id);
    return known && known->work ? read_variant(known->file, known->work, text) : known;
  }
  core::Variant variant = read_kernel(id);
  variant.source = text;
  variant.broken.reset();
  return variant;
}

core::Expected<core::Variant> candidate_in(const fs::path& folder, const core::Catalogue& catalogue,
                                           const std::string& id) {
  const auto source = TRY(core::read_file(folder / "source"));
  auto variant = kernel_of(catalogue, id, source);
  if (!variant) {
    return variant;
  }
  std::error_code none;
  const fs::path texts = folder / "texts";
  for (fs::recursive_directory_iterator entry(texts, none), end; entry != end && !none;
       entry.increment(none)) {
    if (const auto text = core::read_file(entry->path()); text) {
      variant->texts[entry->path().lexically_relative(texts).string()] = *text;
    }
  }
  std::istringstream names(core::read_file(folder / "included" / "names").value_or(""));
  std::string name;
  for (int i = 0; std::getline(names, name); ++i) {
    if (auto text = core::read_file(folder / "included" / std::to_string(i)); text) {
      variant->texts[name] = std::move(*text);
    }
  }
  return variant->broken ? core::Expected<core::Variant>(std::unexpected(*variant->broken))
                         : variant;
}

void add_sources(const Module& module, Ingredients& all) {
  for (const core::SourceFile& source : module->sources) {
    // A text that is edited is no file's.
    if (const auto text = core::read_file(source.path); text && *text == source.text) {
      all[source.path] = core::fingerprint(source.text);
    }
  }
}

// A reference is launched with it.
Ingredients ingredients_of(const Setup& setup) {
  Ingredients all;
  for (const auto& kernel : setup.kernels) {
    add_sources(kernel->module, all);
  }
  const core::KernelChoices& choices = setup.experiment.choices;
  if (choices.reference.empty()) {
    return all;
  }
  const auto reference = reference_named(choices.reference);
  const auto module =
      reference ? load_module(*reference, choices) : std::unexpected(reference.error());
  if (module) {
    add_sources(*module, all);
  }
  return all;
}

// A slice of each; what a probe can't do is no matter here, what it loses is.
core::Expected<void> launch(Workbench& bench, const Shelf& shelf, Setup& setup) {
  const auto once = [](std::uint64_t) { return false; };
  if (auto ok = look_at_barriers(
          bench.device(), setup.turns(),
          {.seed = setup.experiment.seed, .slice_ms = live_slice_ms, .observer = once});
      !ok) {
    return ok;
  }
  core::Result result = describe(setup, bench.info());
  StepMaker maker(bench, shelf, setup,
                  {.rungs = {}, .tiles = 1, .slice_ms = live_slice_ms, .beside = false}, result);
  for (const core::Step step :
       {core::Step::verify, core::Step::check, core::Step::trace, core::Step::timeline}) {
    const auto done = maker.advance(step, once);
    if (!done && (done.error().device_lost || step == core::Step::verify)) {
      return std::unexpected(done.error());
    }
  }
  return {};
}

}  // namespace

core::Expected<Ingredients> try_out(const std::shared_ptr<gpu::Driver>& driver,
                                    core::Catalogue catalogue, const fs::path& shaders,
                                    const fs::path& folder) {
  const auto scene = TRY(read_scene(folder / "scene.toml", {}));
  auto adopted = TRY(adopt(std::move(catalogue), scene.experiment.variant));
  const auto variant = TRY(candidate_in(folder, adopted.catalogue, adopted.id));
  auto bench = TRY(Workbench::open(driver, scene.experiment.device, {.robust = true}));
  auto setup = TRY(bench->set_up(variant, scene.experiment, live_slice_ms));
  TRY(launch(*bench, {adopted.catalogue, shaders}, *setup));
  return ingredients_of(*setup);
}

std::string format_ingredients(const Ingredients& ingredients) {
  std::string text;
  for (const auto& [file, print] : ingredients) {
    text += fmt::format("file\t{}\t{}\n", file, print);
  }
  return text;
}

}  // namespace lab
