// The folder of `check --save-report`: everything that is needed to repeat a verdict elsewhere.
//   call.json     the call, its folder, Tilescope's version, the device and its driver
//   report.json   the report, or why there is none
//   launch/       the launch as a dispatch folder: module, sources, contents, values
//   source/       the kernel's file, if there is no launch
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/device_info.h"
#include "core/base/error.h"

namespace cli {

/// Writes call.json and report.json. `kernel` is the name that the call gives, `file` its file.
/// `device` is null if none was opened. The launch is written by save_dispatch().
[[nodiscard]] core::Expected<void> write_bundle(const std::filesystem::path& folder,
                                                const std::string& kernel,
                                                const std::filesystem::path& file,
                                                const core::DeviceInfo* device,
                                                const nlohmann::ordered_json& report);

/// The folder in a bundle that the launch is written to.
[[nodiscard]] std::filesystem::path launch_of_bundle(const std::filesystem::path& folder);

}  // namespace cli
