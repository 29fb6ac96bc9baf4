#include "cli/project/starter.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/process/each.h"
#include "lab/plan/kernel_files.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
  }
  return result + "\"";
}

std::string toml_key(const std::string& name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  return bare ? name : toml_text(name);
}

std::string toml_value(const std::string& value) {
  const bool whole =
      !value.empty() && value.size() < 10 && (value == "0" || value.front() != '0') &&
      std::ranges::all_of(value, [](unsigned char c) { return std::isdigit(c) != 0; });
  return whole ? value : toml_text(value);
}

// The flags that repeat a launch ("--groups 4,1,1", "--set n=64") as lines of TOML in comments.
std::string commented(const std::vector<std::string>& flags) {
  static const std::map<std::string, std::string> tables{
      {"--set", "set"}, {"--buffer", "buffers"}, {"--spec", "spec"}};
  static const std::map<std::string, std::string> lists{
      {"--groups", "groups"}, {"--local-size", "local_size"}, {"--push", "push"}};
  std::string text;
  std::vector<std::string> defines;
  std::map<std::string, std::vector<std::string>> entries;
  for (const std::string& flag : flags) {
    const std::size_t blank = std::min(flag.find(' '), flag.size());
    const std::string name = flag.substr(0, blank);
    const std::string value = flag.substr(std::min(blank + 1, flag.size()));
    if (const auto list = lists.find(name); list != lists.end()) {
      text += fmt::format("# {} = [{}]\n", list->second, value);
    } else if (const auto table = tables.find(name); table != tables.end()) {
      const std::size_t equals = std::min(value.find('='), value.size());
      const std::string content = value.substr(std::min(equals + 1, value.size()));
      entries[table->second].push_back(
          fmt::format("{} = {}", toml_key(value.substr(0, equals)), toml_value(content)));
    } else if (name == "-D") {
      defines.push_back(toml_text(value));
    }
  }
  if (!defines.empty()) {
    text += fmt::format("# defines = [{}]\n", fmt::join(defines, ", "));
  }
  for (const char* table : {"set", "spec", "buffers"}) {
    if (const auto found = entries.find(table); found != entries.end()) {
      text += fmt::format("# {} = {{ {} }}\n", table, fmt::join(found->second, ", "));
    }
  }
  return text;
}

// The last line of an error, as a comment.
std::string comment_of(const std::string& error) {
  std::string line = last_line_of(error);
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
  return "# not checked: " + line + "\n";
}

// All files below a folder, relative to it, without hidden folders.
std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(folder, skip, failed), end; entry != end && !failed;
       entry.increment(failed)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      if (entry->path().filename().string().starts_with('.')) {
        entry.disable_recursion_pending();
      }
    } else {
      files.push_back(entry->path().lexically_relative(folder).generic_string());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<std::string> include_folders_for(const fs::path& folder,
                                             const std::vector<std::string>& kernels) {
  core::KernelChoices choices;
  std::vector<std::string> folders;
  std::set<std::string> unknown;  // includes that no file of the code base is
  std::vector<std::string> files;
  for (const std::string& kernel : kernels) {
    // Each folder may give files that include others.
    for (bool found = true; found;) {
      found = false;
      for (const std::string& include : lab::files_of_kernel(kernel, choices).missing) {
        if (found || unknown.contains(include)) {
          continue;
        }
        files = files.empty() ? files_below(folder) : std::move(files);
        const auto file = std::ranges::find_if(
            files, [&](const std::string& path) { return path.ends_with("/" + include); });
        if (file == files.end()) {
          unknown.insert(include);
          continue;
        }
        folders.push_back(file->substr(0, file->size() - include.size() - 1));
        choices.include_dirs.push_back((folder / folders.back()).string());
        found = true;
      }
    }
  }
  return folders;
}

std::string starter_text(const std::vector<std::string>& include_folders,
                         const std::vector<KernelStart>& kernels) {
  std::vector<std::string> folders;
  std::ranges::transform(include_folders, std::back_inserter(folders), toml_text);
  std::string text =
      "# The project file of Tilescope. `tilescope check` without a kernel checks these kernels.\n"
      "tilescope_project = 1\n";
  text += folders.empty() ? "# include_dirs = [\"include\"]\n"
                          : fmt::format("include_dirs = [{}]\n", fmt::join(folders, ", "));
  text +=
      "# defines = [\"NAME=VALUE\"]\n\n"
      "# Values in comments are those that `check` chose. Remove the # and write the values of "
      "your\n# application. {EXPRESSION} in a string may use the names of sizes and set.\n";
  for (const KernelStart& kernel : kernels) {
    text += fmt::format("\n[[launch]]\nkernel = {}\n", toml_text(kernel.path));
    if (!kernel.error.empty()) {
      text += comment_of(kernel.error);
    } else if (!kernel.verdict.empty()) {
      text += fmt::format("# check: {}\n", kernel.verdict) + commented(kernel.chosen);
    }
  }
  return text;
}

}  // namespace cli
