#include "cli/bundle.h"

#include <span>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/json/answer.h"
#include "cli/process/guard.h"
#include "core/base/files.h"
#include "core/base/new_folder.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

core::Expected<void> write_json(const fs::path& file, const Json& json) {
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return core::write_file(file, std::as_bytes(std::span(text)));
}

core::Expected<void> make_folder(const fs::path& folder) {
  core::NewFolder made;
  auto ok = made.make(folder);
  made.keep();  // the caller removes the bundle if it is not complete
  return ok;
}

}  // namespace

fs::path launch_of_bundle(const fs::path& folder) {
  return folder / "launch";
}

core::Expected<void> write_bundle(const fs::path& folder, const std::string& kernel,
                                  const fs::path& file, const core::DeviceInfo* device,
                                  const Json& report) {
  if (auto ok = make_folder(folder); !ok) {
    return ok;
  }
  std::error_code ignored;
  const bool launched = core::is_folder(launch_of_bundle(folder));
  Json call{{"schema_version", kSchemaVersion},
            {"tilescope", TILESCOPE_VERSION},
            {"arguments", call_arguments()},
            {"folder", fs::current_path(ignored).string()},
            {"kernel", kernel},
            {"file", file.string()},
            {"repeat", launched ? Json("tilescope check launch") : Json()},
            {"device", Json()}};
  if (device != nullptr) {
    call["device"] = {
        {"name", device->name}, {"driver", device->driver}, {"vulkan", device->vulkan_version}};
  }
  if (auto ok = write_json(folder / "call.json", call); !ok) {
    return ok;
  }
  const auto text = launched
                        ? core::Expected<std::string>(core::usage_error("the kernel is in launch/"))
                        : core::read_file(file);
  if (text) {
    if (auto ok = make_folder(folder / "source"); !ok) {
      return ok;
    }
    if (auto ok =
            core::write_file(folder / "source" / file.filename(), std::as_bytes(std::span(*text)));
        !ok) {
      return ok;
    }
  }
  return write_json(folder / "report.json", report);
}

}  // namespace cli
