#include "lab/files/dispatch_file.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/base/files.h"
#include "core/base/new_folder.h"
#include "lab/files/choices_toml.h"
#include "lab/files/toml_text.h"
#include "lab/ready/contents.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kVersion = 1;

core::Expected<void> write_bytes(const fs::path& file, std::span<const std::byte> bytes) {
  return core::write_file(file, bytes);
}

core::Expected<void> write_text(const fs::path& file, const std::string& text) {
  return write_bytes(file, std::as_bytes(std::span(text)));
}

// Names in the file are of the folder's own files, whatever they say.
fs::path inside(const fs::path& folder, const std::string& name) {
  return folder / fs::path(name).filename();
}

core::Expected<core::KernelModule> read_module(const fs::path& folder, const toml::table& root) {
  core::KernelModule module;
  module.name = root["name"].value_or<std::string>(folder.string());
  module.entry_point = root["entry"].value_or<std::string>("");
  const auto words =
      TRY(core::read_file(inside(folder, root["module"].value_or<std::string>("module.spv"))));
  module.words.resize(words.size() / 4);
  std::memcpy(module.words.data(), words.data(), module.words.size() * 4);
  if (const toml::array* sources = root["sources"].as_array()) {
    for (const toml::node& node : *sources) {
      const toml::table* table = node.as_table();
      if (table == nullptr) {
        continue;
      }
      auto text = core::read_file(inside(folder, (*table)["file"].value_or<std::string>("")));
      if (text) {
        module.sources.push_back({(*table)["path"].value_or<std::string>(""), std::move(*text),
                                  (*table)["decompiled"].value_or(false)});
      }
    }
  }
  return module;
}

// A buffer's file is the folder's. What is a range of another buffer has none.
void place_files(const fs::path& folder, core::KernelChoices& choices) {
  for (auto& [name, text] : choices.buffers) {
    if (choices.buffers.contains(std::string(range_of(text)))) {
      continue;
    }
    if (const std::size_t at = text.find('@'); at != std::string::npos) {
      text = text.substr(0, at + 1) + inside(folder, text.substr(at + 1)).string();
    }
  }
}

// `table` says what one launch is: the file's own, or one of its [[launches]].
core::Expected<SavedLaunch> read_launch(const fs::path& file, const toml::table& table) {
  const fs::path folder = file.parent_path();
  SavedLaunch saved;
  saved.module = TRY(read_module(folder, table));
  if (const toml::table* launch = table["launch"].as_table()) {
    if (const auto ok = read_choices(*launch, saved.choices); !ok) {
      return core::usage_error(
          fmt::format("{}:{}: {}", file.string(), ok.error().line, ok.error().message));
    }
  }
  place_files(folder, saved.choices);
  return saved;
}

core::Expected<SavedDispatch> read_tables(const fs::path& file, const toml::table& root) {
  if (!root.contains("tilescope_dispatch")) {
    return core::usage_error(fmt::format(
        "{} is not a saved launch: the key tilescope_dispatch (the format version) is missing",
        file.string()));
  }
  if (const std::string why = newer_version(root, "tilescope_dispatch", kVersion); !why.empty()) {
    return core::usage_error(file.string() + ": " + why);
  }
  SavedDispatch saved;
  saved.seed = static_cast<std::uint64_t>(root["seed"].value_or<std::int64_t>(1));
  saved.captured = root["captured"].value_or(false);
  const toml::array* notes = root["notes"].as_array();
  for (std::size_t i = 0; notes != nullptr && i < notes->size(); ++i) {
    saved.notes.push_back(notes->get(i)->value_or<std::string>(""));
  }
  std::vector<const toml::table*> tables;
  const toml::array* several = root["launches"].as_array();
  for (std::size_t i = 0; several != nullptr && i < several->size(); ++i) {
    tables.push_back((*several)[i].as_table());
  }
  if (tables.empty()) {
    tables.push_back(&root);
  }
  for (const toml::table* table : tables) {
    auto launch =
        TRY(table != nullptr
                ? read_launch(file, *table)
                : core::usage_error(fmt::format(
                      "{}: the launches must be a list of tables, [[launches]]", file.string())));
    saved.launches.push_back(std::move(launch));
  }
  if (const toml::table* barriers = root["barriers"].as_table()) {
    for (const auto& [number, kind] : *barriers) {
      const auto edit = TRY(core::parse_barrier_edit(
          fmt::format("{}={}", std::string_view(number), kind.value_or<std::string>(""))));
      saved.barriers.insert(edit);
    }
  }
  return saved;
}

// Two includes may have one name.
std::string unused(std::string name, std::set<std::string>& used) {
  while (!used.insert(name).second) {
    name = "_" + name;
  }
  return name;
}

core::Expected<toml::array> write_sources(const fs::path& folder,
                                          const std::vector<core::SourceFile>& sources,
                                          std::set<std::string>& used) {
  toml::array list;
  for (const core::SourceFile& source : sources) {
    const std::string name = unused(fs::path(source.path).filename().string(), used);
    TRY(write_text(folder / name, source.text));
    toml::table entry{{"file", name}, {"path", source.path}};
    if (source.decompiled) {
      entry.insert("decompiled", true);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// Buffers are the run's: the first launch has them all.
core::Expected<core::KernelChoices> write_choices(const fs::path& folder,
                                                  const core::Dispatch& dispatch, bool buffers) {
  core::KernelChoices choices;
  choices.groups = {dispatch.groups.x, dispatch.groups.y, dispatch.groups.z};
  choices.push = dispatch.push_constants;
  choices.spec = dispatch.constants;
  for (std::size_t i = 0; buffers && i < dispatch.resources.size(); ++i) {
    const core::Resource& resource = dispatch.resources[i];
    const std::string place = resource.place();
    std::string content;
    if (!resource.content.bytes.empty()) {
      content = "@" + place + ".bin";
      TRY(write_bytes(folder / (place + ".bin"), resource.content.bytes));
    }
    choices.buffers[place] = resource_text(dispatch.resources, i, content);
  }
  return choices;
}

core::Expected<toml::table> write_launch(const fs::path& folder, const core::Dispatch& dispatch,
                                         bool buffers, std::set<std::string>& used) {
  const std::string file = unused("module.spv", used);
  const auto module = write_bytes(folder / file, std::as_bytes(std::span(dispatch.module->words)));
  const auto sources = write_sources(folder, dispatch.module->sources, used);
  const auto choices = write_choices(folder, dispatch, buffers);
  if (!module || !sources || !choices) {
    return std::unexpected(!module ? module.error() : !sources ? sources.error() : choices.error());
  }
  return toml::table{{"name", dispatch.module->name},
                     {"module", file},
                     {"entry", dispatch.module->entry_point},
                     {"sources", *sources},
                     {"launch", choices_table(*choices)}};
}

}  // namespace

core::Expected<SavedDispatch> read_dispatch(const fs::path& file) {
  const auto text = TRY(read_toml(file));
  try {
    return read_tables(file, toml::parse(text));
  } catch (const toml::parse_error& error) {
    return core::usage_error(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
}

core::Expected<void> write_dispatch(const fs::path& folder,
                                    std::span<const core::Dispatch* const> launches,
                                    const core::BarrierEdits& edits, std::uint64_t seed) {
  core::NewFolder made;
  TRY(made.make(folder));
  toml::table barriers;
  for (const auto& [number, kind] : edits) {
    barriers.insert(std::to_string(number), core::to_string(kind));
  }
  toml::table root{{"tilescope_dispatch", kVersion},
                   {"seed", static_cast<std::int64_t>(seed)},
                   {"barriers", barriers}};
  std::set<std::string> used{kDispatchFile};
  toml::array several;
  for (const core::Dispatch* dispatch : launches) {
    auto table = TRY(write_launch(folder, *dispatch, dispatch == launches.front(), used));
    several.push_back(std::move(table));
  }
  if (several.size() > 1) {
    root.insert("launches", std::move(several));
  } else {
    for (auto&& [key, node] : std::move(*several.front().as_table())) {
      root.insert(key, std::move(node));
    }
  }
  std::ostringstream text;
  text << root << "\n";
  const auto written = write_text(folder / kDispatchFile, text.str());
  if (written) {
    made.keep();
  }
  return written;
}

}  // namespace lab
