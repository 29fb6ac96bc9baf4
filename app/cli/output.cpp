#include "cli/output.h"

#include <span>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/json/result_json.h"
#include "core/base/files.h"

namespace cli {
namespace fs = std::filesystem;

namespace {

core::Expected<void> write_text(const fs::path& file, const std::string& text) {
  return core::write_file(file, std::as_bytes(std::span(text)));
}

}  // namespace

core::Expected<void> check_output(const fs::path& file, const std::vector<std::string>& read) {
  if (file.empty()) {
    return {};
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!core::is_folder(folder)) {
    return core::usage_error(fmt::format("cannot write {}: the folder {} does not exist",
                                         file.string(), folder.string()));
  }
  if (::access(folder.c_str(), W_OK) != 0 || core::is_folder(file)) {
    return core::usage_error(fmt::format(
        "cannot write {}: it is a folder, or its folder is not writable", file.string()));
  }
  for (const std::string& name : read) {
    std::error_code failed;
    if (core::is_file(name) && fs::equivalent(file, name, failed)) {
      return core::usage_error(
          fmt::format("{} is an input of this command and is not overwritten; choose another file",
                      file.string()));
    }
  }
  return {};
}

void add_csv(const Arguments& arguments, std::string& file) {
  arguments.option("--csv FILE", file,
                   "Also write the measurements to FILE as a CSV table (default: not written)");
}

core::Expected<void> write_table(const fs::path& file, const core::MeasurementTable& table) {
  return file.empty() ? core::Expected<void>{} : write_text(file, table.csv());
}

core::Expected<void> write_measurements(const core::Result& result, const fs::path& stem) {
  const std::string date = core::utc_now();
  core::MeasurementTable table(result.device, date);
  table.add_kernel(result);
  if (result.work) {
    table.add_ladder(*result.work, result.problem, result.experiment.settings, result.ladder);
  }
  core::Result measured = result;
  measured.trace.reset();  // instrumented, and millions of accesses
  measured.races.reset();
  auto document = to_json(measured);
  document["date"] = date;
  if (auto written = write_table(stem.string() + ".csv", table); !written) {
    return written;
  }
  return write_text(
      stem.string() + ".json",
      document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace cli
