#include "lab/files/scene_file.h"

#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "core/base/files.h"
#include "core/base/limits.h"
#include "lab/files/choices_toml.h"
#include "lab/files/toml_text.h"

namespace lab {
namespace {

struct SceneError {
  std::string what;
  int line;
};

// Reads one table key by key; what is left over at the end was misspelt.
class TableReader {
 public:
  explicit TableReader(toml::table& table) : table_(table) {}

  void read(const char* key, std::string& value) { take<std::string>(key, value, "a string"); }
  void read(const char* key, bool& value) { take<bool>(key, value, "true or false"); }
  void read(const char* key, float& value, double low, double high) {
    double number = static_cast<double>(value);
    if (take<double>(key, number, "a number") && !(number >= low && number <= high)) {
      throw SceneError{fmt::format("{} must be from {} to {}", key, low, high), line_};
    }
    value = static_cast<float>(number);
  }
  template <class Integer>
  void read_integer(const char* key, Integer& value, std::int64_t low, std::int64_t high) {
    auto number = static_cast<std::int64_t>(value);
    if (take<std::int64_t>(key, number, "a whole number") && (number < low || number > high)) {
      throw SceneError{fmt::format("{} must be from {} to {}", key, low, high), line_};
    }
    value = static_cast<Integer>(number);
  }
  void read(const char* key, core::Sizes& sizes) {
    if (auto* list = table_[key].as_array(); list != nullptr) {
      const int line = line_of(*list);
      for (const auto& entry : *list) {
        const auto size = entry.value<std::int64_t>().value_or(0);
        if (size < 1 || size > std::numeric_limits<std::uint32_t>::max()) {
          throw SceneError{fmt::format("{} must be whole numbers of at least 1", key), line};
        }
        sizes.push_back(static_cast<std::uint32_t>(size));
      }
      table_.erase(key);
    }
  }
  void read(const char* key, core::Settings& settings) {
    if (auto* inner = table_[key].as_table(); inner != nullptr) {
      for (const auto& [name, node] : *inner) {
        const auto text = node.value<std::string>();
        if (!text) {
          throw SceneError{fmt::format("{}.{} must be a string", key, std::string_view(name)),
                           line_of(node)};
        }
        settings[std::string(std::string_view(name))] = *text;
      }
      table_.erase(key);
    }
  }
  void read(const char* key, core::BarrierEdits& edits) {
    if (auto* inner = table_[key].as_table(); inner != nullptr) {
      for (const auto& [number, node] : *inner) {
        const std::string text = std::string(std::string_view(number)) + "=" +
                                 node.value<std::string>().value_or(std::string());
        const auto edit = core::parse_barrier_edit(text);
        if (!edit) {
          throw SceneError{
              fmt::format("{}.{}: the barrier must be a whole number from 1, and its kind off, "
                          "all, global, shared, fence-all, fence-global or fence-shared",
                          key, std::string_view(number)),
              line_of(node)};
        }
        edits.insert(*edit);
      }
      table_.erase(key);
    }
  }
  void read(const core::ViewField& field, core::ViewSettings& settings) {
    const toml::node* node = table_.get(field.key);
    if (node == nullptr) {
      return;
    }
    const core::ViewSetting value = setting(*node, field.kind);
    if (const auto wrong = core::unfit(field, value)) {
      throw SceneError{*wrong, line_of(*node)};
    }
    settings[field.key] = value;
    table_.erase(field.key);
  }
  void finish(const char* where) {
    if (!table_.empty()) {
      const auto first = table_.begin();
      const std::string key(std::string_view((*first).first));
      throw SceneError{fmt::format("\"{}\" is not a key of {}", key, where),
                       line_of((*first).second)};
    }
  }

 private:
  // Of the wanted kind where the node has it: 3 will do for 3.0.
  static core::ViewSetting setting(const toml::node& node, core::ViewField::Kind wanted) {
    const bool number = wanted == core::ViewField::Kind::number;
    if (const auto value = node.value<double>(); number && value) {
      return *value;
    }
    if (const auto value = node.value_exact<bool>()) {
      return *value;
    }
    if (const auto value = node.value_exact<std::int64_t>()) {
      return *value;
    }
    if (const auto value = node.value_exact<double>()) {
      return *value;
    }
    if (const auto value = node.value_exact<std::string>()) {
      return *value;
    }
    // A list or a date is nothing that any setting is.
    return wanted == core::ViewField::Kind::truth ? core::ViewSetting(std::string()) : false;
  }
  template <class T>
  bool take(const char* key, T& value, const char* kind) {
    auto* node = table_.get(key);
    if (node == nullptr) {
      return false;
    }
    line_ = line_of(*node);
    const auto found = node->value<T>();
    if (!found) {
      throw SceneError{fmt::format("{} must be {}", key, kind), line_};
    }
    value = *found;
    table_.erase(key);
    return true;
  }

  toml::table& table_;
  int line_ = 1;
};

void read_experiment(toml::table& table, core::Experiment& experiment) {
  TableReader reader(table);
  reader.read("variant", experiment.variant);
  reader.read("size", experiment.size);
  reader.read_integer("tile", experiment.tile, 0, 65536);
  reader.read("settings", experiment.settings);
  reader.read("barriers", experiment.barriers);
  reader.read("device", experiment.device);
  reader.read_integer("seed", experiment.seed, 0, std::numeric_limits<std::int64_t>::max());
  if (auto* launch = table["launch"].as_table(); launch != nullptr) {
    if (const auto read = read_choices(*launch, experiment.choices); !read) {
      throw SceneError{read.error().message, line_of(*launch)};
    }
    table.erase("launch");
  }
  reader.finish("[experiment]");
}

void read_view(toml::table& table, std::span<const core::ViewField> fields, core::View& view) {
  TableReader reader(table);
  reader.read("name", view.name);
  reader.read("theme", view.theme);
  reader.read("scale", view.scale, 0.5, 4.0);
  reader.read_integer("width", view.width, 320, 16384);
  reader.read_integer("height", view.height, 240, 16384);
  reader.read("chrome", view.chrome);
  reader.read_integer("launch", view.launch, 0, 1'000'000);
  reader.read_integer("tile", view.tile, -1, std::numeric_limits<std::int64_t>::max());
  reader.read_integer("finding", view.finding, -1, std::numeric_limits<std::int64_t>::max());
  reader.read("beside", view.beside);
  for (const core::ViewField& field : fields) {
    reader.read(field, view.settings);
  }
  reader.finish("[view]");
  if (view.theme != "dark" && view.theme != "light") {
    throw SceneError{"theme must be dark or light", 1};
  }
}

core::Scene read_tables(toml::table root, std::span<const core::ViewField> fields) {
  core::Scene scene;
  if (!root.contains("tilescope_scene")) {
    throw SceneError{"this is not a scene: the key tilescope_scene (the format version) is missing",
                     1};
  }
  if (const std::string why = newer_version(root, "tilescope_scene", core::Scene::version);
      !why.empty()) {
    throw SceneError{why, 1};
  }
  root.erase("tilescope_scene");
  for (const char* name : {"experiment", "view"}) {
    if (auto* table = root[name].as_table(); table != nullptr) {
      std::string_view(name) == "view" ? read_view(*table, fields, scene.view)
                                       : read_experiment(*table, scene.experiment);
      root.erase(name);
    }
  }
  TableReader reader(root);
  reader.read("title", scene.title);
  reader.read("notes", scene.notes);
  reader.read_integer("step", scene.step, 0, core::kMostSteps);
  reader.finish("a scene");
  return scene;
}

}  // namespace

std::string format_scene(const core::Scene& scene) {
  const core::Experiment& e = scene.experiment;
  const core::View& v = scene.view;
  toml::array size;
  for (const std::uint32_t s : e.size) {
    size.push_back(static_cast<std::int64_t>(s));
  }
  toml::table settings;
  for (const auto& [name, value] : e.settings) {
    settings.insert(name, value);
  }
  toml::table barriers;
  for (const auto& [number, kind] : e.barriers) {
    barriers.insert(std::to_string(number), core::to_string(kind));
  }
  const auto number = [](float value) { return static_cast<double>(value); };
  toml::table root{
      {"tilescope_scene", core::Scene::version},
      {"step", static_cast<std::int64_t>(scene.step)},
      {"experiment", toml::table{{"variant", e.variant},
                                 {"size", size},
                                 {"tile", e.tile},
                                 {"settings", settings},
                                 {"barriers", barriers},
                                 {"device", e.device},
                                 {"seed", static_cast<std::int64_t>(e.seed)}}},
      {"view", toml::table{{"name", v.name},
                           {"theme", v.theme},
                           {"scale", number(v.scale)},
                           {"width", v.width},
                           {"height", v.height},
                           {"chrome", v.chrome},
                           {"launch", static_cast<std::int64_t>(v.launch)},
                           {"tile", v.tile},
                           {"finding", v.finding}}},
  };
  if (const toml::table launch = choices_table(e.choices); !launch.empty()) {
    root["experiment"].as_table()->insert("launch", launch);
  }
  toml::table& view = *root["view"].as_table();
  const auto unless_empty = [](toml::table& table, const char* key, const std::string& text) {
    if (!text.empty()) {
      table.insert(key, text);
    }
  };
  unless_empty(root, "title", scene.title);
  unless_empty(root, "notes", scene.notes);
  unless_empty(view, "beside", v.beside);
  for (const auto& [key, value] : v.settings) {
    std::visit([&](const auto& plain) { view.insert(key, plain); }, value);
  }
  std::ostringstream text;
  text << root << "\n";
  return text.str();
}

core::Expected<core::Scene> parse_scene(const std::string& text, const std::string& origin,
                                        std::span<const core::ViewField> fields) {
  if (const int line = too_deep(text); line > 0) {
    return core::usage_error(
        fmt::format("{}:{}: the tables of the scene are nested too deeply; the limit is {}", origin,
                    line, core::limits::toml_parts));
  }
  try {
    return read_tables(toml::parse(text), fields);
  } catch (const toml::parse_error& error) {
    return core::usage_error(fmt::format("{}:{}: the scene is damaged: {}", origin,
                                         error.source().begin.line, error.description()));
  } catch (const SceneError& error) {
    return core::usage_error(fmt::format("{}:{}: {}", origin, error.line, error.what));
  }
}

core::Expected<core::Scene> read_scene(const std::filesystem::path& file,
                                       std::span<const core::ViewField> fields) {
  const auto text = TRY(read_toml(file));
  return parse_scene(text, file.string(), fields);
}

core::Expected<void> write_scene(const std::filesystem::path& file, const core::Scene& scene) {
  const std::string text = format_scene(scene);
  return core::write_file(file, std::as_bytes(std::span(text)));
}

}  // namespace lab
