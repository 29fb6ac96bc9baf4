#include "lab/ready/catalogue_files.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "core/base/files.h"
#include "core/catalogue/workload.h"
#include "core/work/needs.h"
#include "lab/files/toml_text.h"
#include "lab/files/workload_file.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// The `//!` lines with the marker cut off; line numbers stay those of the file.
std::string header_of(const std::string& source) {
  std::istringstream lines(source);
  std::string header;
  for (std::string line; std::getline(lines, line) && line.starts_with("//!");) {
    header += line.substr(3) + "\n";
  }
  return header;
}

// A header's mistake, at its line of the file.
struct HeaderError {
  std::string what;
  int line;
};

template <class T>
T require(const toml::table& table, const std::string& key, const char* kind) {
  const auto value = table[key].value_exact<T>();
  if (!value) {
    const auto* node = table.get(key);
    const int line = node != nullptr ? line_of(*node) : 1;
    throw HeaderError{fmt::format("{} is missing or not {}", key, kind), line};
  }
  return *value;
}

core::Expectation read_expectation(const toml::table& header) {
  const auto* node = header.get("expect");
  if (node == nullptr) {
    return core::Expectation::correct;
  }
  const auto text = require<std::string>(header, "expect", "a string");
  for (const auto known :
       {core::Expectation::correct, core::Expectation::races, core::Expectation::diverges}) {
    if (core::to_string(known) == text) {
      return known;
    }
  }
  throw HeaderError{
      fmt::format("expect is \"{}\", but it must be correct, races or diverges", text),
      line_of(*node)};
}

core::TileRange read_tile(const toml::table& header) {
  core::TileRange range;
  const auto* tile = header["tile"].as_table();
  if (tile == nullptr) {
    return range;
  }
  const int line = line_of(*tile);
  range.constant = require<std::string>(*tile, "constant", "a string");
  if (const auto* values = (*tile)["values"].as_array(); values != nullptr) {
    for (const auto& value : *values) {
      const auto size = value.value<std::int64_t>().value_or(0);
      if (size < 1 || size > 65536 || (!range.values.empty() && size <= range.values.back())) {
        throw HeaderError{"tile.values must be numbers from 1 to 65536 in ascending order", line};
      }
      range.values.push_back(static_cast<std::uint32_t>(size));
    }
  }
  range.preset = static_cast<std::uint32_t>(require<std::int64_t>(*tile, "preset", "a number"));
  range.multiple_of = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>((*tile)["multiple_of"].value_or<std::int64_t>(1), 0, 65536));
  if (std::ranges::find(range.values, range.preset) == range.values.end()) {
    throw HeaderError{"tile.preset must be one of tile.values", line};
  }
  return range;
}

core::Precision read_precision(const toml::node& node) {
  const auto text = node.value_or<std::string>("");
  for (const auto known : core::kPrecisions) {
    if (core::to_string(known) == text) {
      return known;
    }
  }
  throw HeaderError{"inputs.precision must be \"fp32\", \"fp16\" or \"bf16\"", line_of(node)};
}

// Inputs of the workload that are stored another way for this kernel.
void read_inputs(core::Variant& variant, const toml::table& header) {
  const auto* inputs = header["inputs"].as_table();
  if (inputs == nullptr || !variant.work) {
    return;
  }
  const auto buffers = variant.work->buffers(variant.work->default_sizes());
  for (const auto& [key, node] : *inputs) {
    const std::string name(key.str());
    if (name == "precision") {
      variant.precision = read_precision(node);
      continue;
    }
    const bool known = std::ranges::any_of(buffers, [&](const core::BufferSpec& buffer) {
      return buffer.name == name && buffer.role == core::Role::input;
    });
    if (!known || node.value_or<std::string>("") != "transposed") {
      throw HeaderError{fmt::format("inputs.{}: name an input of {}, with the value \"transposed\"",
                                    name, variant.workload),
                        line_of(node)};
    }
    variant.transposed.push_back(name);
  }
}

std::vector<std::string> read_needs(const toml::table& header) {
  std::vector<std::string> needs;
  const auto* list = header["requires"].as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto need = (*list)[i].value_or<std::string>("");
    const auto known = core::known_needs();
    if (std::ranges::find(known, need) == known.end()) {
      throw HeaderError{
          fmt::format("requires \"{}\" is not known; choose from {}", need, fmt::join(known, ", ")),
          line_of(*list)};
    }
    needs.push_back(need);
  }
  return needs;
}

// [tune]: constants with the values to try, CONSTANT = [1, 2, 4].
std::map<std::string, std::vector<std::uint32_t>> read_tune(const toml::table& header) {
  std::map<std::string, std::vector<std::uint32_t>> tune;
  const auto* table = header["tune"].as_table();
  if (table == nullptr) {
    return tune;
  }
  for (const auto& [key, node] : *table) {
    auto& values = tune[std::string(key.str())];
    const auto* list = node.as_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto value = (*list)[i].value_or<std::int64_t>(-1);
      if (value < 0 || value > 65536) {
        values.clear();
        break;
      }
      values.push_back(static_cast<std::uint32_t>(value));
    }
    if (values.empty()) {
      throw HeaderError{fmt::format("tune.{} must be a list of numbers up to 65536", key.str()),
                        line_of(node)};
    }
  }
  return tune;
}

std::string number_or_name(const toml::node& node) {
  return node.is_integer() ? std::to_string(node.value_or<std::int64_t>(1))
                           : node.value_or<std::string>("");
}

// A number, a name, or a list of them.
core::Factors read_product(const toml::node& node) {
  core::Factors product;
  if (const auto* list = node.as_array(); list != nullptr) {
    for (const toml::node& factor : *list) {
      product.push_back(number_or_name(factor));
    }
  } else {
    product.push_back(number_or_name(node));
  }
  return product;
}

// [constants.NAME]: what a constant may be.
std::map<std::string, core::ConstantRule> read_constants(const toml::table& header) {
  static const std::map<std::string, core::Factors core::ConstantRule::*> products{
      {"least", &core::ConstantRule::least},
      {"most", &core::ConstantRule::most},
      {"multiple_of", &core::ConstantRule::multiple_of},
      {"divides", &core::ConstantRule::divides}};
  std::map<std::string, core::ConstantRule> rules;
  const auto* table = header["constants"].as_table();
  if (header.contains("constants") && table == nullptr) {
    throw HeaderError{"constants must be tables, [constants.NAME]",
                      static_cast<int>(header.get("constants")->source().begin.line)};
  }
  if (table == nullptr) {
    return rules;
  }
  for (const auto& [name, node] : *table) {
    const auto* rule = node.as_table();
    if (rule == nullptr) {
      throw HeaderError{fmt::format("constants.{0} must be a table, [constants.{0}]", name.str()),
                        line_of(node)};
    }
    for (const auto& [key, value] : *rule) {
      const auto known = products.find(std::string(key.str()));
      if (known != products.end()) {
        rules[std::string(name.str())].*(known->second) = read_product(value);
      } else if (key == "power_of_two" && value.is_boolean()) {
        rules[std::string(name.str())].power_of_two = value.value_or(false);
      } else {
        throw HeaderError{
            fmt::format(
                "constants.{}.{}: the keys of a constant are least, most, multiple_of and divides "
                "(each a number, a name or a list of these) and power_of_two (true or false)",
                name.str(), key.str()),
            line_of(value)};
      }
    }
  }
  return rules;
}

// Where the header has no rule of its own.
void limit_tile(core::Variant& variant) {
  if (!variant.has_tile()) {
    return;
  }
  const core::ConstantRule rule{
      .least = {"1"},
      .most = {std::to_string(2 * std::uint64_t{variant.tile.values.back()})},
      .multiple_of = {std::to_string(std::max(1U, variant.tile.multiple_of))},
      .divides = {}};
  variant.constants.try_emplace(variant.tile.constant, rule);
}

std::vector<core::ScratchSpec> read_scratch(const toml::table& header) {
  std::vector<core::ScratchSpec> buffers;
  const auto* list = header["scratch"].as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto* table = (*list)[i].as_table();
    core::ScratchSpec spec{
        table != nullptr ? (*table)["name"].value_or<std::string>("") : "", {}, false};
    spec.for_all = table != nullptr && table->contains("total");
    if (const auto* words =
            table != nullptr ? table->get(spec.for_all ? "total" : "words") : nullptr;
        words != nullptr) {
      spec.words = read_product(*words);
    }
    if (spec.name.empty() || spec.words.empty() ||
        std::ranges::find(spec.words, "") != spec.words.end()) {
      throw HeaderError{
          "[[scratch]] needs a name, and words or total, each a number, an expression or a list of "
          "these",
          line_of(*list)};
    }
    buffers.push_back(std::move(spec));
  }
  return buffers;
}

double number_in(const toml::table& table, const char* key, double otherwise) {
  return table[key].value_or<double>(double{otherwise});
}

// An offer's own keys; all others are constants of the kernel.
core::WaveOffer read_offer(const core::Variant& variant, const toml::table& table) {
  core::WaveOffer offer;
  offer.holds = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(table["holds"].value_or<std::int64_t>(1), 1, 1024));
  offer.alone = number_in(table, "alone", 1.0);
  offer.full = number_in(table, "full", offer.alone);
  offer.start = number_in(table, "start", 0.0);
  const auto* covers = table["covers"].as_array();
  for (std::size_t d = 0; covers != nullptr && d < std::min<std::size_t>(covers->size(), 3); ++d) {
    offer.covers[static_cast<int>(d)] = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>((*covers)[d].value_or<std::int64_t>(1), 1, 65536));
  }
  if (const auto* facts = table["facts"].as_table(); facts != nullptr) {
    for (const auto& [name, value] : *facts) {
      offer.facts[std::string(name.str())] =
          static_cast<std::uint32_t>(value.value_or<std::int64_t>(0));
    }
  }
  static constexpr std::array own{"holds", "alone", "full", "start", "covers", "facts"};
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    const auto number = value.value<std::int64_t>();
    if (std::ranges::find(own, name) != own.end()) {
      continue;
    }
    if (!number || *number < 0 || *number > 65536) {
      throw HeaderError{fmt::format("model.offer.{} must be a number from 0 to 65536", name),
                        line_of(table)};
    }
    if (name == variant.tile.constant) {
      offer.tile = static_cast<std::uint32_t>(*number);
    } else {
      offer.settings[name] = std::to_string(*number);
    }
  }
  if (!(offer.alone > 0.0) || !(offer.full > 0.0) || (offer.tile == 0) == variant.has_tile()) {
    throw HeaderError{
        "a model.offer needs alone and full, both above 0, and a tile if the kernel has a tile "
        "size",
        line_of(table)};
  }
  return offer;
}

// [model]: what core/model/wave_model.h chooses among.
core::WaveOffers read_model(const core::Variant& variant, const toml::table& header) {
  core::WaveOffers model;
  const auto* table = header["model"].as_table();
  if (table == nullptr) {
    return model;
  }
  model.depth = (*table)["depth"].value_or<std::string>("");
  const auto names = variant.work ? variant.work->size_names() : std::vector<std::string>{};
  if (variant.work && !model.depth.empty() &&
      std::ranges::find(names, model.depth) == names.end()) {
    throw HeaderError{fmt::format("model.depth must be a size of {}", variant.workload),
                      line_of(*table)};
  }
  model.slices = (*table)["slices"].value_or<std::string>("");
  model.whole = (*table)["whole"].value_or<std::string>("");
  const auto count = [table](const char* key, std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>((*table)[key].value_or<std::int64_t>(otherwise), 1, 65536));
  };
  model.step = count("step", model.step);
  model.most = count("most", model.most);
  model.word = number_in(*table, "word", 0.0);
  model.meeting = number_in(*table, "meeting", 0.0);
  const auto* offers = (*table)["offer"].as_array();
  for (std::size_t i = 0; offers != nullptr && i < offers->size(); ++i) {
    if (const auto* offer = (*offers)[i].as_table(); offer != nullptr) {
      model.offers.push_back(read_offer(variant, *offer));
    }
  }
  return model;
}

std::array<core::Covers, 3> read_covers(const toml::table& header) {
  std::array<core::Covers, 3> covers;
  const auto* list = header["covers"].as_array();
  for (std::size_t d = 0; list != nullptr && d < std::min<std::size_t>(list->size(), 3); ++d) {
    covers[d] = number_or_name((*list)[d]);
  }
  return covers;
}

std::string read_extent(const toml::table& header) {
  static constexpr std::array known{"untiled", "padded", "truncated", "divided"};
  const auto* node = header.get("extent");
  auto text = node != nullptr ? node->value_or<std::string>("") : std::string();
  if (node != nullptr && std::ranges::find(known, text) == known.end()) {
    throw HeaderError{"extent must be \"untiled\", \"padded\", \"truncated\" or \"divided\"",
                      line_of(*node)};
  }
  return text;
}

// A number or an expression, or a list of at most so many of them.
std::vector<std::string> read_expressions(const toml::node& node, std::size_t most) {
  std::vector<std::string> texts = read_product(node);
  if (texts.size() > most || std::ranges::find(texts, "") != texts.end()) {
    throw HeaderError{
        fmt::format("this key of a launch must be a list of at most {} numbers or expressions",
                    most),
        line_of(node)};
  }
  return texts;
}

std::vector<core::Section> read_sections(const toml::node& node) {
  const int line = line_of(node);
  std::vector<core::Section> sections;
  const auto* letters = node.as_array();
  for (std::size_t i = 0; letters != nullptr && i < letters->size(); ++i) {
    const auto section = core::section_named((*letters)[i].value_or<std::string>(""));
    if (!section) {
      throw HeaderError{"launch.sections must be a list of M, R, B and C", line};
    }
    sections.push_back(*section);
  }
  if (!core::is_box(sections)) {
    throw HeaderError{
        "launch.sections must form a rectangle: one section, two that are side by side, or all "
        "four",
        line};
  }
  return sections;
}

core::LaunchPlan read_launch(const toml::table& table) {
  constexpr std::size_t kMostWords = 64;
  core::LaunchPlan plan;
  for (const auto& [key, node] : table) {
    const auto* constants = node.as_table();
    if (key == "kernel" && node.is_string()) {
      plan.kernel = node.value_or<std::string>("");
    } else if (key == "title" && node.is_string()) {
      plan.title = node.value_or<std::string>("");
    } else if (key == "sections") {
      plan.sections = read_sections(node);
    } else if (key == "extent") {
      plan.extent = read_expressions(node, 3);
    } else if (key == "groups") {
      plan.groups = read_expressions(node, 3);
    } else if (key == "push") {
      plan.push = read_expressions(node, kMostWords);
    } else if (key == "constants" && constants != nullptr) {
      for (const auto& [name, value] : *constants) {
        plan.constants[std::string(name.str())] = read_expressions(value, 1).front();
      }
    } else {
      throw HeaderError{fmt::format("launch.{} is not a key of a launch; the keys are kernel, "
                                    "title, sections, extent, groups, push and constants",
                                    key.str()),
                        line_of(node)};
    }
  }
  return plan;
}

// Either every section is launched once, so that the launches together do what one would, or each
// launch has a grid of its own.
std::vector<core::LaunchPlan> read_launches(const toml::table& header) {
  std::vector<core::LaunchPlan> launches;
  std::multiset<core::Section> sections;
  const auto* list = header["launch"].as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const auto* table = (*list)[i].as_table(); table != nullptr) {
      launches.push_back(read_launch(*table));
      sections.insert(launches.back().sections.begin(), launches.back().sections.end());
    }
  }
  const bool complete = sections == std::multiset{core::Section::middle, core::Section::right,
                                                  core::Section::bottom, core::Section::corner};
  if (header.contains("launch") && (launches.empty() || (!sections.empty() && !complete))) {
    throw HeaderError{
        launches.empty()
            ? "launches must be a list of tables, [[launch]]"
            : "the [[launch]] tables must name each of M, R, B and C once, or no sections at all",
        static_cast<int>(header.get("launch")->source().begin.line)};
  }
  return launches;
}

void read_header(core::Variant& variant, const toml::table& header) {
  static constexpr std::array known{"title", "claim",     "expect",  "order",  "covers",
                                    "tile",  "inputs",    "extent",  "launch", "requires",
                                    "tune",  "constants", "scratch", "model",  "tilescope_kernel"};
  if (const std::string why = newer_version(header, "tilescope_kernel", 1); !why.empty()) {
    throw HeaderError{why, 1};
  }
  for (const auto& [key, node] : header) {
    if (std::ranges::find(known, std::string_view(key)) == known.end()) {
      throw HeaderError{
          fmt::format("\"{}\" is not a key of a kernel header", std::string_view(key)),
          line_of(node)};
    }
  }
  variant.title = require<std::string>(header, "title", "a string");
  variant.claim = require<std::string>(header, "claim", "a string");
  variant.expect = read_expectation(header);
  variant.order = static_cast<int>(header["order"].value_or<std::int64_t>(0));
  variant.tile = read_tile(header);
  read_inputs(variant, header);
  variant.needs = read_needs(header);
  variant.tune = read_tune(header);
  variant.constants = read_constants(header);
  limit_tile(variant);
  variant.covers = read_covers(header);
  variant.extent = read_extent(header);
  variant.launches = read_launches(header);
  variant.scratch = read_scratch(header);
  variant.model = read_model(variant, header);
}

std::vector<core::Variant> kernels_in(const fs::path& folder, const core::WorkloadPtr& work) {
  std::vector<core::Variant> variants;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".comp") {
      variants.push_back(read_variant(entry.path(), work));
    }
  }
  return variants;
}

// Nothing can be said of kernels whose workload is not understood.
std::vector<core::Variant> broken_kernels(const fs::path& folder, const core::Error& why) {
  auto variants = kernels_in(folder, nullptr);
  for (core::Variant& variant : variants) {
    variant.broken = why;
  }
  return variants;
}

// What the folder of a kernel that is read by itself says.
core::WorkloadPtr work_around(const fs::path& file) {
  std::error_code ignored;
  const fs::path description = file.parent_path() / kWorkloadFile;
  if (fs::exists(description, ignored)) {
    auto read = read_workload_file(description);
    return read ? read->work : nullptr;
  }
  return core::workload_named(core::built_in_workloads(), file.parent_path().filename().string());
}

fs::path program_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

core::Expected<fs::path> find_shaders() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  if (const char* given = std::getenv("TILESCOPE_SHADERS"); given != nullptr) {
    if (core::is_folder(given)) {
      return fs::path(given);
    }
    return core::usage_error(fmt::format("TILESCOPE_SHADERS is {}, which is not a folder", given));
  }
  const fs::path here = program_folder();
  // A build folder may lie one or two levels below the source: build/, build/debug/.
  for (const fs::path& place :
       {here / "../shaders", here / "../../shaders", here / "../share/tilescope/shaders"}) {
    if (core::is_folder(place)) {
      return fs::weakly_canonical(place);
    }
  }
  return core::usage_error(fmt::format(
      "folder shaders not found near {}; set TILESCOPE_SHADERS to the folder of the kernels",
      here.string()));
}

core::Variant read_variant(const fs::path& file, core::WorkloadPtr work,
                           std::optional<std::string> given) {
  core::Variant variant;
  variant.workload = file.parent_path().filename().string();
  variant.work = work ? std::move(work) : work_around(file);
  variant.name = file.stem().string();
  variant.file = file;
  auto text = given ? core::Expected<std::string>(std::move(*given)) : core::read_file(file);
  if (!text) {
    variant.broken = text.error();
    return variant;
  }
  variant.source = std::move(*text);
  const std::string header = header_of(variant.source);
  if (const int line = too_deep(header); line > 0) {
    variant.broken = core::Error{
        core::Fault::usage,
        fmt::format("{}:{}: the tables of the header are nested too deeply", file.string(), line),
        line};
    return variant;
  }
  try {
    read_header(variant, toml::parse(header));
  } catch (const toml::parse_error& error) {
    const auto line = static_cast<int>(error.source().begin.line);
    variant.broken = core::Error{core::Fault::usage,
                                 fmt::format("{}:{}: the header is not valid TOML: {}",
                                             file.string(), line, error.description()),
                                 line};
  } catch (const HeaderError& error) {
    variant.broken =
        core::Error{core::Fault::usage,
                    fmt::format("{}:{}: {}", file.string(), error.line, error.what), error.line};
  }
  return variant;
}

core::Expected<WorkloadFolder> read_workload_folder(const fs::path& folder) {
  const fs::path place = fs::absolute(folder).lexically_normal();
  const fs::path named = place.has_filename() ? place : place.parent_path();
  auto file = TRY(read_workload_file(named / kWorkloadFile));
  WorkloadFolder result{file.work, file.order, kernels_in(named, file.work)};
  if (result.variants.empty()) {
    return core::usage_error(fmt::format("{} has no kernels (.comp)", named.string()));
  }
  if (const std::string& kernel = result.work->reference_kernel();
      !kernel.empty() &&
      std::ranges::find(result.variants, kernel, &core::Variant::name) == result.variants.end()) {
    return core::usage_error(fmt::format("{}: the kernel \"{}\" of the reference does not exist",
                                         (named / kWorkloadFile).string(), kernel));
  }
  return result;
}

core::Catalogue read_catalogue(const fs::path& shaders) {
  auto workloads = core::built_in_workloads();
  std::vector<core::Variant> variants;
  for (const core::WorkloadPtr& workload : workloads) {
    std::ranges::move(kernels_in(shaders / workload->name(), workload),
                      std::back_inserter(variants));
  }
  std::vector<WorkloadFolder> folders;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(shaders, ignored)) {
    if (!fs::exists(entry.path() / kWorkloadFile, ignored)) {
      continue;
    }
    if (auto folder = read_workload_folder(entry.path()); folder) {
      folders.push_back(std::move(*folder));
    } else {
      std::ranges::move(broken_kernels(entry.path(), folder.error()), std::back_inserter(variants));
    }
  }
  std::ranges::sort(folders, {}, [](const WorkloadFolder& folder) {
    return std::tuple(folder.order, folder.work->name());
  });
  for (WorkloadFolder& folder : folders) {
    workloads.push_back(folder.work);
    std::ranges::move(folder.variants, std::back_inserter(variants));
  }
  return core::Catalogue(std::move(variants), std::move(workloads));
}

}  // namespace lab
