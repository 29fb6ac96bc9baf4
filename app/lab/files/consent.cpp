#include "lab/files/consent.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/base/files.h"
#include "lab/files/toml_text.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConsentVersion = "tilescope_consent";

using Consents = std::map<std::string, std::vector<std::string>>;

std::string consent_key(const fs::path& folder) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(folder, failed);
  return failed ? folder.lexically_normal().string() : real.string();
}

// Control characters could hide a part of a command from the reader.
std::string visible(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return text;
}

// Returns nothing if the file is damaged, and an error if it cannot be read or has a newer version.
core::Expected<std::optional<Consents>> read_consents() {
  const fs::path file = consent_file();
  Consents consents;
  if (file.empty() || !core::is_file(file)) {
    return consents;
  }
  const auto text = TRY(read_toml(file));
  try {
    const toml::table root = toml::parse(text);
    if (const std::string why = newer_version(root, kConsentVersion, 1); !why.empty()) {
      return core::usage_error(file.string() + ": " + why);
    }
    if (const toml::array* folders = root["folder"].as_array()) {
      for (const toml::node& node : *folders) {
        const toml::table* folder = node.as_table();
        const toml::array* commands =
            folder != nullptr ? (*folder)["commands"].as_array() : nullptr;
        const auto path = folder != nullptr ? (*folder)["path"].value<std::string>() : std::nullopt;
        if (!path || commands == nullptr) {
          continue;
        }
        for (const toml::node& command : *commands) {
          consents[*path].push_back(command.value_or(std::string()));
        }
      }
    }
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
  return consents;
}

}  // namespace

fs::path consent_file() {
  return core::user_file("XDG_CONFIG_HOME", ".config", "allowed.toml");
}

bool has_consent(const fs::path& folder, const std::vector<std::string>& commands) {
  const auto consents = read_consents();
  if (!consents || !*consents) {
    return false;
  }
  const auto found = (*consents)->find(consent_key(folder));
  return found != (*consents)->end() && found->second == commands;
}

core::Expected<void> keep_consent(const fs::path& folder,
                                  const std::vector<std::string>& commands) {
  const fs::path file = consent_file();
  if (file.empty()) {
    return core::usage_error("no configuration folder found; set HOME");
  }
  auto consents = TRY(read_consents());
  std::error_code failed;
  if (!consents) {
    fs::rename(file, fs::path(file) += ".damaged", failed);
  }
  Consents all = consents.value_or(Consents());
  all[consent_key(folder)] = commands;
  toml::array folders;
  for (const auto& [path, allowed] : all) {
    toml::array list;
    for (const std::string& command : allowed) {
      list.push_back(command);
    }
    folders.push_back(toml::table{{"path", path}, {"commands", list}});
  }
  std::ostringstream text;
  text << toml::table{{kConsentVersion, 1}, {"folder", folders}} << "\n";
  fs::create_directories(file.parent_path(), failed);
  const std::string written = text.str();
  return core::write_file(file, std::as_bytes(std::span(written)));
}

std::string consent_question(const std::string& file, const std::vector<std::string>& commands) {
  std::string text = fmt::format("{} names commands that compile kernels:\n", visible(file));
  for (const std::string& command : commands) {
    const std::size_t equals = command.find('=');
    text += fmt::format("  {}: {}\n", visible(command.substr(0, equals)),
                        visible(command.substr(equals + 1)));
  }
  return text + "Run them now and later for this folder?";
}

}  // namespace lab
