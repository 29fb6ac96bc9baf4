#include "lab/plan/project_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <ranges>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "core/base/files.h"
#include "core/base/numbers.h"
#include "core/base/spelling.h"
#include "lab/files/choices_toml.h"
#include "lab/files/consent.h"
#include "lab/files/dispatch_file.h"
#include "lab/files/toml_text.h"
#include "lab/plan/external_compiler.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/kernel_source.h"
#include "lab/plan/project_values.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

struct ProjectError {
  std::string what;
  int line = 1;
};

// A key of [[launch]] that choices_toml.h reads, and the form of its value.
struct ChoiceKey {
  const char* name;
  const char* form;
};
constexpr std::array kChoiceKeys{
    ChoiceKey{"defines", "a list of strings"},
    ChoiceKey{"include_dirs", "a list of strings"},
    ChoiceKey{"prelude", "a string with the path of a file"},
    ChoiceKey{"language", "a string"},
    ChoiceKey{"entry", "a string"},
    ChoiceKey{"reference", "a string that names a kernel"},
    ChoiceKey{"local_size", "a list of whole numbers of at least 1"},
    ChoiceKey{"groups", "a list of whole numbers of at least 1"},
    ChoiceKey{"items", "a list of whole numbers of at least 1"},
    ChoiceKey{"push", "a list of 32-bit numbers"},
    ChoiceKey{"buffers", "a table of strings NAME = \"BYTES:CONTENT\""},
    ChoiceKey{"spec", "a table of 32-bit numbers ID = VALUE"},
};

std::string unknown_key(const std::string& key, const char* of,
                        const std::vector<std::string>& known) {
  const std::string nearest = core::nearest_of(key, known);
  return fmt::format("unknown key \"{}\" in {}; {}", key, of,
                     nearest.empty() ? fmt::format("choose from {}", fmt::join(known, ", "))
                                     : fmt::format("did you mean {}?", nearest));
}

std::string text_of(const toml::node& node, const char* key) {
  const auto text = node.value_exact<std::string>();
  if (!text) {
    throw ProjectError{fmt::format("{} must be a string", key), line_of(node)};
  }
  return *text;
}

const toml::table& table_of(const toml::node& node, const char* key, const char* form) {
  if (!node.is_table()) {
    throw ProjectError{fmt::format("{} must be a table, {}", key, form), line_of(node)};
  }
  return *node.as_table();
}

// A list of texts; `one`: a text alone is a list of one.
std::vector<Glob> texts_of(const toml::node& node, const char* key, bool one) {
  const char* form = one ? "a string or a list of strings" : "a list of strings";
  if (const auto text = node.value_exact<std::string>(); text && one) {
    return {{*text, line_of(node)}};
  }
  const toml::array* array = node.as_array();
  if (array == nullptr) {
    throw ProjectError{fmt::format("{} must be {}", key, form), line_of(node)};
  }
  std::vector<Glob> texts;
  for (const toml::node& item : *array) {
    const auto text = item.value_exact<std::string>();
    if (!text) {
      throw ProjectError{fmt::format("{} must be {}", key, form), line_of(item)};
    }
    texts.push_back({*text, line_of(item)});
  }
  return texts;
}

std::vector<std::string> plain_texts_of(const toml::node& node, const char* key) {
  std::vector<std::string> texts;
  std::ranges::transform(texts_of(node, key, false), std::back_inserter(texts), &Glob::text);
  return texts;
}

// A value of a table as the text that its flag takes.
std::string value_text(const toml::node& node, const std::string& key) {
  if (const auto* text = node.as_string()) {
    return text->get();
  }
  if (const auto* whole = node.as_integer()) {
    return std::to_string(whole->get());
  }
  if (const auto* real = node.as_floating_point()) {
    return fmt::format("{}", real->get());
  }
  if (const auto* truth = node.as_boolean()) {
    return truth->get() ? "true" : "false";
  }
  throw ProjectError{fmt::format("{} must be a number, a string, true or false", key),
                     line_of(node)};
}

std::string expanded(ProjectValues& values, std::string_view text, const char* key, int line) {
  auto result = values.expand(text);
  if (!result) {
    throw ProjectError{fmt::format("{}: {}", key, result.error().message), line};
  }
  return std::move(*result);
}

// The value of a key of choices_toml.h with expressions replaced. Numbers may stand for texts in
// tables, and texts with expressions for numbers in lists.
toml::table with_expanded(const char* key, const toml::node& node, ProjectValues& values) {
  toml::table result;
  const std::string_view name = key;
  if (const toml::table* table = node.as_table(); table && (name == "buffers" || name == "spec")) {
    toml::table inner;
    for (const auto& [entry, value] : *table) {
      const std::string place = fmt::format("{}.{}", key, entry.str());
      inner.insert(entry.str(),
                   expanded(values, value_text(value, place), place.c_str(), line_of(value)));
    }
    result.insert(name, inner);
  } else if (const toml::array* array = node.as_array();
             array &&
             (name == "groups" || name == "items" || name == "push" || name == "local_size")) {
    toml::array numbers;
    for (const toml::node& item : *array) {
      const auto text = item.value_exact<std::string>();
      const auto number =
          text ? core::whole_number<std::int64_t>(expanded(values, *text, key, line_of(item)))
               : std::nullopt;
      if (number) {
        numbers.push_back(*number);
      } else {
        numbers.push_back(item);
      }
    }
    result.insert(name, numbers);
  } else {
    result.insert(name, node);
  }
  return result;
}

// A path of the file, as seen from the current folder.
std::string placed(const fs::path& folder, const std::string& path) {
  return path.empty() || fs::path(path).is_absolute() ? path
                                                      : (folder / path).lexically_normal().string();
}

void place_paths(const fs::path& folder, core::KernelChoices& choices) {
  for (std::string& include : choices.include_dirs) {
    include = placed(folder, include);
  }
  choices.prelude = placed(folder, choices.prelude);
  if (core::names_a_file(choices.reference)) {
    choices.reference = placed(folder, choices.reference);
  }
  for (auto& [name, text] : choices.buffers) {
    const std::size_t at = text.starts_with('@') ? 0 : text.find(":@");
    if (at != std::string::npos) {
      const std::size_t path = text.find('@', at) + 1;
      text = text.substr(0, path) + placed(folder, text.substr(path));
    }
  }
}

void read_values(const toml::table& table, ProjectLaunch& launch, ProjectValues& values) {
  for (const char* key : {"sizes", "set"}) {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      continue;
    }
    for (const auto& [name, value] : table_of(*node, key, "{ NAME = VALUE }")) {
      values.add(std::string(name.str()), value_text(value, fmt::format("{}.{}", key, name.str())));
    }
  }
  if (const toml::node* sizes = table.get("sizes")) {
    for (const auto& [name, value] : *sizes->as_table()) {
      // An error of a size is reported even if no expression uses it.
      static_cast<void>(
          expanded(values, fmt::format("{{{}}}", name.str()), "sizes", line_of(value)));
    }
  }
  if (const toml::node* set = table.get("set")) {
    for (const auto& [name, value] : *set->as_table()) {
      const std::string place = fmt::format("set.{}", name.str());
      launch.settings[std::string(name.str())] =
          expanded(values, value_text(value, place), place.c_str(), line_of(value));
    }
  }
}

std::string read_expectation(const toml::node& node) {
  static const std::vector<std::string> verdicts{"clean", "racy", "divergent", "faulty",
                                                 "incomplete"};
  std::string expect = text_of(node, "expect");
  if (std::ranges::find(verdicts, expect) == verdicts.end()) {
    throw ProjectError{
        fmt::format("expect must be one of {}, not \"{}\"", fmt::join(verdicts, ", "), expect),
        line_of(node)};
  }
  return expect;
}

std::vector<core::Allowance> read_allowances(const toml::node& node) {
  std::vector<core::Allowance> all;
  for (const Glob& text : texts_of(node, "allow", true)) {
    auto allowance = core::allowance_of(text.text);
    if (!allowance) {
      throw ProjectError{
          fmt::format("allow must be KIND or KIND on VARIABLE, not \"{}\"; `tilescope explain` "
                      "lists the kinds of findings",
                      text.text),
          text.line};
    }
    all.push_back(std::move(*allowance));
  }
  return all;
}

void read_choice(const ChoiceKey& key, const toml::node& node, ProjectValues& values,
                 core::KernelChoices& choices) {
  if (!read_choices(with_expanded(key.name, node, values), choices)) {
    throw ProjectError{fmt::format("{} must be {}", key.name, key.form), line_of(node)};
  }
}

ProjectLaunch read_project_launch(const toml::table& table, const fs::path& folder) {
  ProjectLaunch launch;
  launch.line = line_of(table);
  ProjectValues values;
  read_values(table, launch, values);
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const auto* const choice = std::ranges::find(kChoiceKeys, name, &ChoiceKey::name);
    if (choice != kChoiceKeys.end()) {
      read_choice(*choice, node, values, launch.choices);
    } else if (name == "kernel") {
      launch.kernels = texts_of(node, "kernel", true);
    } else if (name == "name") {
      launch.name = text_of(node, "name");
    } else if (name == "expect") {
      launch.expect = read_expectation(node);
    } else if (name == "allow") {
      launch.allow = read_allowances(node);
    } else if (name != "set" && name != "sizes") {
      std::vector<std::string> known{"kernel", "name", "sizes", "set", "expect", "allow"};
      std::ranges::transform(kChoiceKeys, std::back_inserter(known), &ChoiceKey::name);
      throw ProjectError{unknown_key(name, "a [[launch]]", known), line_of(node)};
    }
  }
  if (launch.kernels.empty()) {
    throw ProjectError{"a [[launch]] needs a kernel: a path or a glob", launch.line};
  }
  if (!launch.choices.groups.empty() && !launch.choices.items.empty()) {
    throw ProjectError{"groups and items both give the launch's size; give one of them",
                       line_of(*table.get("groups"))};
  }
  for (const char* key : {"groups", "items", "local_size"}) {
    const toml::array* list = table[key].as_array();
    if (list != nullptr && (list->empty() || list->size() > 3)) {
      throw ProjectError{fmt::format("{} must have 1 to 3 numbers", key), line_of(*list)};
    }
  }
  for (core::Sizes* three :
       {&launch.choices.groups, &launch.choices.items, &launch.choices.local_size}) {
    three->resize(three->empty() ? 0 : 3, 1);
  }
  place_paths(folder, launch.choices);
  return launch;
}

// A command's program by a path is one of the project's; {project} is the project's folder.
// True for control characters and marks of writing direction. They could hide a part of a command
// from the user who is asked for consent.
bool hides_text(std::string_view text) {
  constexpr std::array<std::string_view, 9> marks{"\u202A", "\u202B", "\u202C", "\u202D", "\u202E",
                                                  "\u2066", "\u2067", "\u2068", "\u2069"};
  return std::ranges::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7F; }) ||
         std::ranges::any_of(marks, [&](auto mark) { return text.contains(mark); });
}

std::vector<std::string> read_compilers(const toml::node& node, const fs::path& folder) {
  std::vector<std::string> compilers;
  const fs::path whole = fs::absolute(folder).lexically_normal();
  for (const auto& [language, command] :
       table_of(node, "compilers", "{ LANGUAGE = \"COMMAND\" }")) {
    const auto text = command.value_exact<std::string>();
    if (!text || text->find_first_not_of(" \t") == std::string::npos) {
      throw ProjectError{
          fmt::format("compilers.{} must be a string with a command", language.str()),
          line_of(command)};
    }
    if (hides_text(*text)) {
      throw ProjectError{
          fmt::format("compilers.{} has a control character; remove it", language.str()),
          line_of(command)};
    }
    CommandWords words = split_command(*text);
    for (std::string& word : words) {
      word = replaced(std::move(word), "{project}", whole.string());
    }
    if (words.front().contains('/') && fs::path(words.front()).is_relative()) {
      words.front() = (whole / words.front()).lexically_normal().string();
    }
    const std::string joined = join_command(words);
    if (split_command(joined) != words) {
      throw ProjectError{
          fmt::format("compilers.{} has a word with both kinds of quotes; use one kind",
                      language.str()),
          line_of(command)};
    }
    compilers.push_back(fmt::format("{}={}", language.str(), joined));
  }
  return compilers;
}

void read_project_tables(const toml::table& root, Project& project) {
  if (!root.contains("tilescope_project")) {
    throw ProjectError{
        "tilescope_project, the format version, is missing; add tilescope_project = 1"};
  }
  if (const std::string why = newer_version(root, "tilescope_project", 1); !why.empty()) {
    throw ProjectError{why, line_of(*root.get("tilescope_project"))};
  }
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (name == "kernels") {
      project.kernels = texts_of(node, "kernels", false);
    } else if (name == "include_dirs") {
      project.all.include_dirs = plain_texts_of(node, "include_dirs");
    } else if (name == "defines") {
      project.all.defines = plain_texts_of(node, "defines");
    } else if (name == "compilers") {
      project.compilers = read_compilers(node, project.folder);
    } else if (name == "launch") {
      const toml::array* launches = node.as_array();
      if (launches == nullptr || !launches->is_array_of_tables()) {
        throw ProjectError{"launch must be a list of tables; write [[launch]]", line_of(node)};
      }
      for (const toml::node& launch : *launches) {
        project.launches.push_back(read_project_launch(*launch.as_table(), project.folder));
      }
    } else if (name != "tilescope_project") {
      throw ProjectError{unknown_key(name, "a project",
                                     {"tilescope_project", "kernels", "include_dirs", "defines",
                                      "compilers", "launch"}),
                         line_of(node)};
    }
  }
  place_paths(project.folder, project.all);
}

std::unexpected<core::Error> wrong_project(const Project& project, int line,
                                           const std::string& what) {
  return core::usage_error(fmt::format("{}:{}: {}", project.file.string(), line, what), line);
}

// A kernel's path in its project.
std::string path_in(const Project& project, const fs::path& kernel) {
  std::error_code failed;
  const fs::path file = fs::absolute(kernel, failed).lexically_normal();
  const fs::path folder = fs::absolute(project.folder, failed).lexically_normal();
  return file.lexically_relative(folder / "").generic_string();
}

bool matches_any(const std::string& path, const std::vector<Glob>& globs) {
  return std::ranges::any_of(globs,
                             [&](const Glob& glob) { return matches_glob(path, glob.text); });
}

bool has_compiler(const Project& project, const std::string& language) {
  return std::ranges::any_of(project.compilers, [&](const std::string& compiler) {
    return compiler.starts_with(language + "=");
  });
}

// Kernels, and files that the project has a compiler for.
bool may_be_kernel(const Project& project, const fs::path& file) {
  const std::string end = file.extension().string();
  return is_kernel(file) || (end.size() > 1 && has_compiler(project, end.substr(1)));
}

std::vector<fs::path> files_in(const Project& project) {
  std::vector<fs::path> files;
  std::error_code failed;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(project.folder, skip, failed), end;
       entry != end && !failed; entry.increment(failed)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      if (entry->path().filename().string().starts_with('.') ||
          core::is_file(entry->path() / kProjectFile)) {
        entry.disable_recursion_pending();
      }
    } else if (may_be_kernel(project, entry->path())) {
      files.push_back(entry->path().lexically_normal());
    }
  }
  std::ranges::sort(files);
  return files;
}

// Kernels that are each other's references would all be right.
core::Expected<void> check_references(const Project& project, const std::vector<fs::path>& files) {
  std::map<std::string, std::pair<std::string, int>> references;
  for (const fs::path& file : files) {
    const std::string path = path_in(project, file);
    for (const ProjectLaunch& launch : project.launches) {
      if (core::names_a_file(launch.choices.reference) && matches_any(path, launch.kernels)) {
        references.try_emplace(path, path_in(project, launch.choices.reference), launch.line);
      }
    }
  }
  for (const auto& [first, to] : references) {
    std::vector<std::string> chain{first};
    for (auto at = references.find(first); at != references.end();
         at = references.find(chain.back())) {
      chain.push_back(at->second.first);
      if (chain.back() == first) {
        return wrong_project(
            project, to.second,
            chain.size() == 2
                ? fmt::format("{} is its own reference; name another kernel", first)
                : fmt::format("the references form a cycle: {}", fmt::join(chain, " → ")));
      }
      if (chain.size() > references.size()) {
        break;  // a cycle that does not have `first`
      }
    }
  }
  return {};
}

}  // namespace

// One row of `can` for each part of the glob, from its end: whether the path from a position on
// matches the rest of the glob.
bool matches_glob(std::string_view path, std::string_view glob) {
  std::vector<std::string_view> parts;
  while (!glob.empty()) {
    const std::size_t length = glob.starts_with("**/") ? 3 : glob.starts_with("**") ? 2 : 1;
    parts.push_back(glob.substr(0, length));
    glob.remove_prefix(length);
  }
  std::vector<bool> can(path.size() + 1);
  can.back() = true;
  for (const std::string_view part : std::views::reverse(parts)) {
    std::vector<bool> now(path.size() + 1);
    bool in_folder = false;  // the rest matches from the start of a later folder or file
    for (std::size_t at = path.size() + 1; at-- > 0;) {
      const bool more = at < path.size();
      if (part == "**/") {
        now[at] = can[at] || in_folder;
        in_folder = in_folder || (can[at] && at > 0 && path[at - 1] == '/');
      } else if (part == "**") {
        now[at] = can[at] || (more && now[at + 1]);
      } else if (part == "*") {
        now[at] = can[at] || (more && path[at] != '/' && now[at + 1]);
      } else {
        const bool same = more && (part == "?" ? path[at] != '/' : path[at] == part.front());
        now[at] = same && can[at + 1];
      }
    }
    can = std::move(now);
  }
  return can.front();
}

core::Expected<Project> read_project(const fs::path& file) {
  const auto text = TRY(read_toml(file));
  Project project;
  project.file = file;
  try {
    std::error_code failed;
    project.folder = fs::proximate(fs::absolute(file).parent_path(), failed);
    project.file = (project.folder / file.filename()).lexically_normal();
    read_project_tables(toml::parse(text), project);
    return project;
  } catch (const toml::parse_error& error) {
    return wrong_project(project, static_cast<int>(error.source().begin.line),
                         fmt::format("the file is not valid TOML: {}", error.description()));
  } catch (const ProjectError& error) {
    return wrong_project(project, error.line, error.what);
  }
}

fs::path find_project(const fs::path& folder) {
  std::error_code failed;
  for (fs::path at = fs::absolute(folder / ".", failed).lexically_normal();
       !failed && at.has_relative_path(); at = at.parent_path()) {
    if (core::is_file(at / kProjectFile)) {
      return at / kProjectFile;
    }
  }
  return {};
}

fs::path project_file_of(const std::string& kernel) {
  const fs::path file = kernel;
  return core::is_file(file) && file.filename() != kDispatchFile ? find_project(file.parent_path())
                                                                 : fs::path();
}

core::Expected<std::vector<std::string>> kernels_of(const Project& project) {
  const std::vector<fs::path> files = files_in(project);
  std::vector<std::string> paths;
  std::ranges::transform(files, std::back_inserter(paths),
                         [&](const fs::path& file) { return path_in(project, file); });
  const auto check_globs = [&](const std::vector<Glob>& globs,
                               const char* key) -> core::Expected<void> {
    for (const Glob& glob : globs) {
      if (std::ranges::none_of(
              paths, [&](const std::string& path) { return matches_glob(path, glob.text); })) {
        return wrong_project(project, glob.line,
                             fmt::format("{}: \"{}\" matches no kernel", key, glob.text));
      }
    }
    return {};
  };
  auto ok = check_globs(project.kernels, "kernels");
  for (const ProjectLaunch& launch : project.launches) {
    ok = ok ? check_globs(launch.kernels, "kernel") : std::move(ok);
  }
  ok = ok ? check_references(project, files) : std::move(ok);
  if (!ok) {
    return std::unexpected(ok.error());
  }
  std::vector<std::string> kernels;
  for (std::size_t n = 0; n < files.size(); ++n) {
    // "a.comp.spv" beside "a.comp" is the same kernel once more.
    const bool copy = files[n].extension() == ".spv" &&
                      core::is_file(fs::path(files[n]).replace_extension()) &&
                      std::ranges::none_of(project.launches, [&](const ProjectLaunch& launch) {
                        return matches_any(paths[n], launch.kernels);
                      });
    if (project.kernels.empty() ? !copy : matches_any(paths[n], project.kernels)) {
      kernels.push_back(files[n].string());
    }
  }
  return kernels.empty() ? core::usage_error(fmt::format("{}: no kernel found in its folder",
                                                         project.file.string()))
                         : core::Expected<std::vector<std::string>>(std::move(kernels));
}

core::Expected<std::vector<ProjectLaunch>> launches_of(const Project& project,
                                                       const fs::path& kernel) {
  const std::string path = path_in(project, kernel);
  std::vector<ProjectLaunch> launches;
  for (const ProjectLaunch& launch : project.launches) {
    if (matches_any(path, launch.kernels)) {
      launches.push_back(launch);
    }
  }
  for (std::size_t n = 0; launches.size() > 1 && n < launches.size(); ++n) {
    std::string& name = launches[n].name;
    name = name.empty() ? std::to_string(n + 1) : name;
    const auto end = launches.begin() + static_cast<std::ptrdiff_t>(n);
    if (std::find_if(launches.begin(), end,
                     [&](const ProjectLaunch& other) { return other.name == name; }) != end) {
      return wrong_project(project, launches[n].line,
                           fmt::format("{} has two launches with the name \"{}\"", path, name));
    }
  }
  if (launches.empty()) {
    launches.emplace_back();
  }
  const std::string language = source_language(kernel, {});
  if (language == "spv" || language == "spvasm") {
    return launches;  // compiled already
  }
  for (ProjectLaunch& launch : launches) {
    launch.choices.include_dirs.insert(launch.choices.include_dirs.begin(),
                                       project.all.include_dirs.begin(),
                                       project.all.include_dirs.end());
    launch.choices.defines.insert(launch.choices.defines.begin(), project.all.defines.begin(),
                                  project.all.defines.end());
  }
  return launches;
}

core::Expected<ProjectLaunch> launch_of(const Project& project, const fs::path& kernel,
                                        const std::string& name) {
  auto launches = TRY(launches_of(project, kernel));
  const auto found =
      name.empty() ? launches.begin() : std::ranges::find(launches, name, &ProjectLaunch::name);
  if (found == launches.end()) {
    return core::usage_error(fmt::format("{} has no launch \"{}\" for {}", project.file.string(),
                                         core::shortened(name), kernel.string()));
  }
  return std::move(*found);
}

core::Expected<void> add_compilers(const Project& project, const fs::path& kernel, bool allowed,
                                   core::KernelChoices& choices) {
  if (project.compilers.empty()) {
    return {};
  }
  if (!allowed && !has_consent(project.folder, project.compilers)) {
    // A command of the call needs no consent.
    const auto given = choices.compilers;
    core::KernelChoices all = choices;
    all.compilers.insert(all.compilers.end(), project.compilers.begin(), project.compilers.end());
    const std::string prefix = source_language(kernel, all) + "=";
    const auto is_for = [&](const std::string& compiler) { return compiler.starts_with(prefix); };
    const auto command = std::ranges::find_if(project.compilers, is_for);
    if (command == project.compilers.end() || std::ranges::any_of(given, is_for)) {
      return {};
    }
    return core::usage_error(
        fmt::format("{} compiles {} with the command \"{}\", which needs your consent; use "
                    "--allow-commands, or run `tilescope check {}` in a terminal and answer its "
                    "question",
                    project.file.string(), kernel.filename().string(),
                    command->substr(prefix.size()), kernel.string()));
  }
  choices.compilers.insert(choices.compilers.end(), project.compilers.begin(),
                           project.compilers.end());
  return {};
}

std::optional<Project> project_to_allow(const std::string& name) {
  const bool folder = core::is_folder(name);
  const fs::path file = folder ? find_project(name) : project_file_of(name);
  auto project = file.empty() ? core::usage_error("") : read_project(file);
  if (!project || project->compilers.empty() || has_consent(project->folder, project->compilers)) {
    return std::nullopt;
  }
  core::KernelChoices choices;
  const bool needs = folder || !add_compilers(*project, name, false, choices);
  return needs ? std::optional(std::move(*project)) : std::nullopt;
}

core::Expected<std::optional<core::Experiment>> experiment_of_project(const std::string& kernel) {
  const fs::path file = project_file_of(kernel);
  if (file.empty()) {
    return std::nullopt;
  }
  const auto project = read_project(file);
  auto launch = TRY(project ? launch_of(*project, kernel, {}) : std::unexpected(project.error()));
  core::Experiment experiment;
  experiment.variant = kernel;
  experiment.settings = std::move(launch.settings);
  experiment.choices = std::move(launch.choices);
  TRY(add_compilers(*project, kernel, false, experiment.choices));
  return experiment;
}

}  // namespace lab
