#include "lab/files/lesson_file.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "lab/files/toml_text.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

struct LessonError {
  std::string what;
  int line;
};

std::string text_in(const toml::table& table, const char* key, const std::string& otherwise = {}) {
  const toml::node* node = table.get(key);
  if (node == nullptr) {
    return otherwise;
  }
  const auto text = node->value_exact<std::string>();
  if (!text) {
    throw LessonError{fmt::format("{} must be a string", key), line_of(*node)};
  }
  return *text;
}

std::int64_t number_in(const toml::node& node, const std::string& what, std::int64_t low,
                       std::int64_t high) {
  const auto number = node.value_exact<std::int64_t>();
  if (!number || *number < low || *number > high) {
    throw LessonError{fmt::format("{} must be a whole number from {} to {}", what, low, high),
                      line_of(node)};
  }
  return *number;
}

void read_experiment(const toml::table& table, core::Experiment& e) {
  e.variant = text_in(table, "variant", e.variant);
  e.barriers.clear();
  e.settings.clear();
  if (const auto* size = table.get_as<toml::array>("size")) {
    e.size.clear();
    for (const toml::node& one : *size) {
      e.size.push_back(static_cast<std::uint32_t>(
          number_in(one, "a size", 1, std::numeric_limits<std::uint32_t>::max())));
    }
  }
  if (const toml::node* tile = table.get("tile")) {
    e.tile = static_cast<std::uint32_t>(number_in(*tile, "tile", 0, 65536));
  }
  if (const auto* barriers = table.get_as<toml::table>("barriers")) {
    for (const auto& [number, kind] : *barriers) {
      const auto edit = core::parse_barrier_edit(std::string(std::string_view(number)) + "=" +
                                                 kind.value<std::string>().value_or(""));
      if (!edit) {
        throw LessonError{edit.error().message, line_of(kind)};
      }
      e.barriers.insert(*edit);
    }
  }
  if (const auto* settings = table.get_as<toml::table>("set")) {
    for (const auto& [name, value] : *settings) {
      const auto number = value.value_exact<std::int64_t>();
      const auto text = value.value_exact<std::string>();
      if (!number && !text) {
        throw LessonError{"a setting must be a whole number or a string", line_of(value)};
      }
      e.settings[std::string(std::string_view(name))] = text ? *text : std::to_string(*number);
    }
  }
}

core::ViewSettings read_look(const toml::table& table) {
  core::ViewSettings look;
  if (const auto* settings = table.get_as<toml::table>("look")) {
    for (const auto& [key, value] : *settings) {
      const std::string name(std::string_view{key});
      if (const auto truth = value.value_exact<bool>()) {
        look[name] = *truth;
      } else if (const auto whole = value.value_exact<std::int64_t>()) {
        look[name] = *whole;
      } else if (const auto number = value.value_exact<double>()) {
        look[name] = *number;
      } else if (const auto text = value.value_exact<std::string>()) {
        look[name] = *text;
      } else {
        throw LessonError{"a setting of the view must be a number, a string, true or false",
                          line_of(value)};
      }
    }
  }
  return look;
}

std::vector<core::Replacement> read_replacements(const toml::table& table, const char* key) {
  std::vector<core::Replacement> all;
  const toml::node* node = table.get(key);
  if (node == nullptr) {
    return all;
  }
  const auto* list = node->as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const toml::table* one = list->get(i)->as_table();
    if (one == nullptr) {
      break;
    }
    all.push_back({text_in(*one, "from"), text_in(*one, "to")});
  }
  if (list == nullptr || all.size() != list->size() ||
      std::ranges::any_of(all, &std::string::empty, &core::Replacement::from)) {
    throw LessonError{fmt::format("{} must be a list of {{ from = \"…\", to = \"…\" }}", key),
                      line_of(*node)};
  }
  return all;
}

void read_mending(const toml::table& table, core::LessonStep& step) {
  if (const toml::node* mend = table.get("mend")) {
    const auto truth = mend->value_exact<bool>();
    if (!truth) {
      throw LessonError{"mend must be true or false", line_of(*mend)};
    }
    step.mend = *truth;
  }
  step.given = read_replacements(table, "given");
  step.solution = read_replacements(table, "solution");
  step.against = text_in(table, "against");
  if (const toml::node* most = table.get("at-most")) {
    const auto number = most->value<double>();
    if (!number || !(*number > 0.0)) {
      throw LessonError{"at-most must be a number above 0", line_of(*most)};
    }
    step.at_most = *number;
  }
  const bool other = !step.fact.empty() || !step.choices.empty();
  if (step.mend && other) {
    throw LessonError{"a step with mend must not have fact or choices", line_of(table)};
  }
  if (step.mend && step.given.empty() && step.solution.empty()) {
    throw LessonError{
        "a step with mend needs solution (the repair) or given (the change that breaks the kernel)",
        line_of(table)};
  }
  // The ladder would measure the text that is being mended.
  if (step.against.substr(0, step.against.find('@')) == step.experiment.variant) {
    throw LessonError{"against must name a variant other than that of the step", line_of(table)};
  }
  if (step.against.empty() != (step.at_most == 0.0)) {
    throw LessonError{"against and at-most must be given together", line_of(table)};
  }
}

// The window traces a workgroup where a view shows what is in it.
void check_view(const toml::table& table, const core::LessonStep& step) {
  static const std::set<std::string_view> traced{"tile", "banks", "advice"};
  if (core::lesson_needs(step.fact).contains(core::Step::trace) && !traced.contains(step.view)) {
    throw LessonError{fmt::format("{} is a fact about one workgroup, so the view of its step must "
                                  "be tile, banks or advice",
                                  step.fact),
                      line_of(*table.get("fact"))};
  }
  if (const auto on = core::clicked_on(step.fact)) {
    const char* wanted = on->what == core::ClickedOn::What::tiles ? "grid" : "tile";
    if (step.view != wanted) {
      throw LessonError{fmt::format("{} is answered by a click, so the view of its step must be {}",
                                    step.fact, wanted),
                        line_of(*table.get("fact"))};
    }
    if (!step.choices.empty()) {
      throw LessonError{"this fact is answered by a click, so its step must not have choices",
                        line_of(table)};
    }
  }
}

void read_question(const toml::table& table, core::LessonStep& step) {
  step.fact = text_in(table, "fact");
  step.told = text_in(table, "told");
  if (step.asks() && !core::is_lesson_fact(step.fact)) {
    throw LessonError{fmt::format("unknown fact \"{}\"; choose from {}", step.fact,
                                  fmt::join(core::lesson_facts(), ", ")),
                      line_of(*table.get("fact"))};
  }
  if (const toml::node* sealed = table.get("sealed")) {
    step.sealed = sealed->value_exact<bool>();
    if (!step.sealed || step.fact.empty() || core::clicked_on(step.fact)) {
      throw LessonError{
          "sealed must be true or false, and its question must not be answered by a click",
          line_of(*sealed)};
    }
  }
  if (const auto* choices = table.get_as<toml::array>("choices")) {
    for (const toml::node& choice : *choices) {
      step.choices.push_back(choice.value<std::string>().value_or(""));
    }
  }
  if (const auto* means = table.get_as<toml::table>("means")) {
    for (const auto& [value, choice] : *means) {
      step.means[std::string(std::string_view(value))] = static_cast<std::size_t>(
          number_in(choice, "a choice", 1, static_cast<std::int64_t>(step.choices.size())));
    }
  }
  if (!step.choices.empty() && step.means.empty()) {
    throw LessonError{
        "choices need means, which maps each value of the fact to the number of a choice",
        line_of(table)};
  }
}

// One part of a line, or several.
std::vector<std::string> read_source(const toml::table& table) {
  const toml::node* node = table.get("source");
  if (node == nullptr) {
    return {};
  }
  std::vector<std::string> parts;
  if (const toml::array* list = node->as_array()) {
    for (const toml::node& part : *list) {
      parts.push_back(part.value<std::string>().value_or(""));
    }
  } else {
    parts.push_back(text_in(table, "source"));
  }
  const auto bad = [](const std::string& part) { return part.empty() || part.contains('\n'); };
  if (parts.empty() || std::ranges::any_of(parts, bad)) {
    throw LessonError{"source must be a part of one line, or a list of such parts", line_of(*node)};
  }
  return parts;
}

core::LessonStep read_step(const toml::table& table, const core::Experiment& before) {
  static const std::set<std::string_view> known{
      "text",  "notes", "variant",   "size",     "tile",    "barriers", "set",
      "view",  "look",  "workgroup", "fact",     "told",    "sealed",   "choices",
      "means", "mend",  "given",     "solution", "against", "at-most",  "source"};
  for (const auto& [key, node] : table) {
    if (!known.contains(std::string_view(key))) {
      throw LessonError{fmt::format("\"{}\" is not a key of a step", std::string_view(key)),
                        line_of(node)};
    }
  }
  core::LessonStep step;
  step.experiment = before;
  step.text = text_in(table, "text");
  if (step.text.empty()) {
    throw LessonError{"a step needs the key text", line_of(table)};
  }
  read_experiment(table, step.experiment);
  step.notes = text_in(table, "notes");
  step.view = text_in(table, "view");
  step.look = read_look(table);
  step.source = read_source(table);
  if (const toml::node* workgroup = table.get("workgroup")) {
    step.workgroup =
        number_in(*workgroup, "workgroup", 0, std::numeric_limits<std::uint32_t>::max());
  }
  read_question(table, step);
  read_mending(table, step);
  check_view(table, step);
  return step;
}

core::Lesson read_tables(const toml::table& root, const std::string& name) {
  if (const std::string why = newer_version(root, "tilescope_lesson", 1); !why.empty()) {
    throw LessonError{why, 1};
  }
  core::Lesson lesson{.name = name,
                      .title = text_in(root, "title"),
                      .about = text_in(root, "about"),
                      .order = 0,
                      .steps = {}};
  const auto* steps = root.get_as<toml::array>("step");
  if (lesson.title.empty() || steps == nullptr) {
    throw LessonError{"a lesson needs a title and steps", 1};
  }
  if (const toml::node* order = root.get("order")) {
    lesson.order = static_cast<int>(number_in(*order, "order", 0, 1000));
  }
  core::Experiment experiment;
  for (const toml::node& node : *steps) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      throw LessonError{"a step must be a table", line_of(node)};
    }
    lesson.steps.push_back(read_step(*table, experiment));
    experiment = lesson.steps.back().experiment;
  }
  return lesson;
}

}  // namespace

core::Expected<core::Lesson> read_lesson(const fs::path& file) {
  try {
    if (!fs::is_regular_file(file)) {
      return core::usage_error(
          fmt::format("cannot read the lesson {}: file not found", file.string()));
    }
    return read_tables(toml::parse_file(file.string()), file.stem().string());
  } catch (const toml::parse_error& error) {
    return core::usage_error(fmt::format("{}:{}: the lesson is damaged: {}", file.string(),
                                         error.source().begin.line, error.description()));
  } catch (const LessonError& error) {
    return core::usage_error(fmt::format("{}:{}: {}", file.string(), error.line, error.what));
  }
}

std::vector<core::Lesson> read_lessons(const fs::path& folder, std::vector<std::string>& warnings) {
  std::vector<core::Lesson> lessons;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".toml") {
      continue;
    }
    if (auto lesson = read_lesson(entry.path())) {
      lessons.push_back(std::move(*lesson));
    } else {
      warnings.push_back(lesson.error().message);
    }
  }
  std::ranges::sort(lessons, {},
                    [](const core::Lesson& lesson) { return std::tie(lesson.order, lesson.name); });
  return lessons;
}

}  // namespace lab
