#include "lab/files/workload_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/workloads/described.h"
#include "lab/files/toml_text.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

struct WorkloadError {
  std::string what;
  int line = 1;
};

// A table whose keys are all asked for: what is left over at the end is a mistake.
class Keys {
 public:
  Keys(const toml::table& table, std::string what) : table_(table), what_(std::move(what)) {}

  const toml::node* get(const char* key) {
    asked_.emplace_back(key);
    return table_.get(key);
  }
  std::string text(const char* key, std::string otherwise) {
    const auto* node = get(key);
    if (node == nullptr) {
      return otherwise;
    }
    const auto value = node->value_exact<std::string>();
    return value ? *value : wrong<std::string>(key, *node, "a string");
  }
  std::string required(const char* key) {
    std::string value = text(key, "");
    if (value.empty()) {
      throw WorkloadError{fmt::format("{} needs {}", what_, key), line_of(table_)};
    }
    return value;
  }
  // An expression, or a number that is one.
  std::string formula(const char* key, std::string otherwise) {
    const auto* node = get(key);
    return node == nullptr ? otherwise : formula_of(*node, key);
  }
  std::int64_t whole(const char* key, std::int64_t otherwise, std::int64_t low, std::int64_t high) {
    const auto* node = get(key);
    if (node == nullptr) {
      return otherwise;
    }
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < low || *value > high) {
      throw WorkloadError{
          fmt::format("{} of {} must be a whole number from {} to {}", key, what_, low, high),
          line_of(*node)};
    }
    return *value;
  }
  double real(const char* key, double otherwise) {
    const auto* node = get(key);
    const auto value = node != nullptr ? node->value<double>() : otherwise;
    return value ? *value : wrong<double>(key, *node, "a number");
  }
  std::vector<std::string> formulas(const char* key) {
    std::vector<std::string> all;
    for (const toml::node* node : list(key)) {
      all.push_back(formula_of(*node, key));
    }
    return all;
  }
  std::vector<const toml::node*> list(const char* key) {
    std::vector<const toml::node*> nodes;
    if (const auto* node = get(key); node != nullptr) {
      if (!node->is_array()) {
        wrong<int>(key, *node, "a list");
      }
      for (const toml::node& each : *node->as_array()) {
        nodes.push_back(&each);
      }
    }
    return nodes;
  }
  // Tables of [[key]], or of the one [key].
  std::vector<const toml::table*> tables(const char* key) {
    std::vector<const toml::table*> all;
    const auto* node = get(key);
    if (node != nullptr && node->is_table()) {
      return {node->as_table()};
    }
    const auto* nodes = node != nullptr ? node->as_array() : nullptr;
    for (std::size_t i = 0; nodes != nullptr && i < nodes->size(); ++i) {
      all.push_back((*nodes)[i].as_table());
    }
    if ((node != nullptr && nodes == nullptr) || std::ranges::count(all, nullptr) > 0) {
      wrong<int>(key, *node, "a table");
    }
    return all;
  }
  void done() const {
    for (const auto& [key, node] : table_) {
      if (std::ranges::find(asked_, std::string_view(key)) == asked_.end()) {
        throw WorkloadError{fmt::format("\"{}\" is not a key of {}", std::string_view(key), what_),
                            line_of(node)};
      }
    }
  }

 private:
  template <class T>
  [[noreturn]] T wrong(const char* key, const toml::node& node, const char* kind) {
    throw WorkloadError{fmt::format("{} of {} must be {}", key, what_, kind), line_of(node)};
  }
  std::string formula_of(const toml::node& node, const char* key) {
    if (const auto whole = node.value_exact<std::int64_t>()) {
      return std::to_string(*whole);
    }
    if (const auto real = node.value_exact<double>()) {
      return fmt::format("{}", *real);
    }
    const auto value = node.value_exact<std::string>();
    return value ? *value : wrong<std::string>(key, node, "an expression");
  }

  const toml::table& table_;
  std::string what_;
  std::vector<std::string> asked_;
};

core::DescribedSize read_size(const toml::table& table) {
  Keys keys(table, "a [[size]]");
  constexpr std::int64_t kMost = UINT32_MAX;
  core::DescribedSize size;
  size.name = keys.required("name");
  size.largest = static_cast<std::uint32_t>(keys.whole("largest", kMost, 1, kMost));
  size.preset = static_cast<std::uint32_t>(keys.whole("default", 1, 1, size.largest));
  keys.done();
  return size;
}

core::OptionSpec read_option(const toml::table& table) {
  Keys keys(table, "an [[option]]");
  core::OptionSpec option;
  option.name = keys.required("name");
  option.preset = keys.formula("default", "");
  option.meaning = keys.text("meaning", "");
  option.choices = keys.formulas("choices");
  if (const auto range = keys.list("range"); range.size() == 2) {
    option.low = range[0]->value<double>().value_or(0.0);
    option.high = range[1]->value<double>().value_or(0.0);
  } else if (!range.empty() || option.choices.empty()) {
    throw WorkloadError{
        fmt::format("option {} needs choices or a range of two numbers", option.name),
        line_of(table)};
  }
  keys.done();
  return option;
}

// One of two words.
bool second_of(Keys& keys, const char* key, const char* first, const char* second,
               const toml::table& table) {
  const std::string value = keys.text(key, first);
  if (value != first && value != second) {
    throw WorkloadError{
        fmt::format("{} must be \"{}\" or \"{}\", not \"{}\"", key, first, second, value),
        line_of(table)};
  }
  return value == second;
}

core::DescribedBuffer read_buffer(const toml::table& table) {
  Keys keys(table, "a [[buffer]]");
  core::DescribedBuffer buffer;
  buffer.name = keys.required("name");
  buffer.role =
      second_of(keys, "role", "input", "output", table) ? core::Role::output : core::Role::input;
  buffer.rows = keys.formula("rows", "1");
  buffer.columns = keys.formula("columns", "1");
  buffer.whole = second_of(keys, "type", "float", "uint", table);
  buffer.components = static_cast<std::uint32_t>(keys.whole("components", 1, 1, 4));
  buffer.drawn = static_cast<std::uint32_t>(keys.whole("drawn", 0, 0, 3));
  buffer.drawn_as = keys.text("drawn_as", "value");
  buffer.content = keys.text("content", "random");
  buffer.factor = keys.formula("factor", "1");
  keys.done();
  return buffer;
}

std::array<std::string, 2> read_edges(Keys& keys, const char* key, const toml::table& table) {
  const auto edges = keys.formulas(key);
  if (edges.empty()) {
    return {};
  }
  if (edges.size() != 2) {
    throw WorkloadError{
        fmt::format("{} of a region must be two numbers: the first and the last one", key),
        line_of(table)};
  }
  return {edges[0], edges[1]};
}

std::vector<core::DescribedRegion> read_regions(Keys& keys, const char* key) {
  std::vector<core::DescribedRegion> regions;
  for (const toml::table* table : keys.tables(key)) {
    Keys region(*table, fmt::format("[[{}]]", key));
    regions.push_back({.buffer = region.required("buffer"),
                       .rows = read_edges(region, "rows", *table),
                       .columns = read_edges(region, "columns", *table)});
    region.done();
  }
  return regions;
}

void read_items(core::ItemNames& items, Keys& keys) {
  for (const toml::table* table : keys.tables("items")) {
    Keys names(*table, "[items]");
    items.one = names.text("one", items.one);
    items.many = names.text("many", items.many);
    const auto axes = names.formulas("axes");
    std::ranges::copy_n(axes.begin(),
                        static_cast<std::ptrdiff_t>(std::min(axes.size(), items.axes.size())),
                        items.axes.begin());
    names.done();
  }
}

void read_reference(core::WorkloadDescription& description, Keys& keys) {
  for (const toml::table* table : keys.tables("reference")) {
    Keys reference(*table, "[reference]");
    description.reference = reference.text("name", "");
    description.reference_kernel = reference.text("kernel", "");
    description.arguments = reference.formulas("arguments");
    description.tolerance = reference.real("tolerance", description.tolerance);
    reference.done();
  }
}

void read_tests(core::WorkloadDescription& description, Keys& keys) {
  for (const toml::table* table : keys.tables("tests")) {
    Keys tests(*table, "[tests]");
    for (const toml::node* row : tests.list("sizes")) {
      core::Sizes sizes;
      const auto* numbers = row->as_array();
      for (std::size_t i = 0; numbers != nullptr && i < numbers->size(); ++i) {
        sizes.push_back(static_cast<std::uint32_t>((*numbers)[i].value_or<std::int64_t>(0)));
      }
      if (sizes.size() != description.sizes.size()) {
        throw WorkloadError{"the sizes in [tests] must be one number for each [[size]]",
                            line_of(*row)};
      }
      description.tests.push_back(std::move(sizes));
    }
    tests.done();
  }
}

core::WorkloadDescription read_description(const toml::table& root, int& order) {
  if (const std::string why = newer_version(root, "tilescope_workload", 1); !why.empty()) {
    throw WorkloadError{why};
  }
  Keys keys(root, "a workload");
  keys.whole("tilescope_workload", 1, 1, 1);
  core::WorkloadDescription description;
  description.title = keys.required("title");
  description.about = keys.required("about");
  order = static_cast<int>(keys.whole("order", 100, 0, 1000));
  for (const toml::table* table : keys.tables("size")) {
    description.sizes.push_back(read_size(*table));
  }
  for (const toml::table* table : keys.tables("option")) {
    description.options.push_back(read_option(*table));
  }
  for (const toml::table* table : keys.tables("buffer")) {
    description.buffers.push_back(read_buffer(*table));
  }
  const auto extent = keys.formulas("extent");
  if (extent.empty() || extent.size() > 3) {
    throw WorkloadError{"a workload needs an extent of 1 to 3 expressions"};
  }
  std::ranges::copy(extent, description.extent.begin());
  description.push = keys.formulas("push");
  description.flops = keys.formula("flop", "0");
  description.bytes = keys.formula("bytes", "");
  for (const toml::table* facts : keys.tables("facts")) {
    Keys names(*facts, "[facts]");
    for (const auto& [key, node] : *facts) {
      const std::string name(key.str());
      description.facts[name] = names.formula(name.c_str(), "");
    }
  }
  read_items(description.items, keys);
  description.writes = read_regions(keys, "writes");
  description.reads = read_regions(keys, "reads");
  read_reference(description, keys);
  read_tests(description, keys);
  keys.done();
  return description;
}

}  // namespace

core::Expected<WorkloadFile> read_workload_file(const fs::path& file) {
  const auto text = TRY(read_toml(file));
  try {
    WorkloadFile result;
    auto description = read_description(toml::parse(text), result.order);
    description.name = fs::absolute(file).parent_path().filename().string();
    auto work = core::make_workload(std::move(description));
    if (!work) {
      return core::usage_error(fmt::format("{}: {}", file.string(), work.error().message));
    }
    result.work = std::move(*work);
    return result;
  } catch (const toml::parse_error& error) {
    const auto line = static_cast<int>(error.source().begin.line);
    return core::usage_error(fmt::format("{}:{}: the file is not valid TOML: {}", file.string(),
                                         line, error.description()),
                             line);
  } catch (const WorkloadError& error) {
    return core::usage_error(fmt::format("{}:{}: {}", file.string(), error.line, error.what),
                             error.line);
  }
}

}  // namespace lab
