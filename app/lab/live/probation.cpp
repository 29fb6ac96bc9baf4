#include "lab/live/probation.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "core/base/files.h"
#include "core/base/limits.h"
#include "lab/files/scene_file.h"
#include "lab/plan/kernel_module.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLines = 2000;
constexpr std::size_t kMostBytes = 4U << 20U;
constexpr const char* kFile = "file\t";
constexpr const char* kLost = "lost\t";

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) {
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<std::string> lines_of(const fs::path& file) {
  const auto text = core::read_file(file, kMostBytes);
  return text ? split(*text, '\n') : std::vector<std::string>();
}

bool has_break(const std::string& text) {
  return text.find_first_of("\t\n") != std::string::npos;
}

// "name\tfingerprint" pairs from a column on.
Ingredients ingredients_in(const std::vector<std::string>& columns, std::size_t from) {
  Ingredients found;
  for (std::size_t i = from; i + 1 < columns.size(); i += 2) {
    found[columns[i]] = columns[i + 1];
  }
  return found;
}

bool write_text(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  return core::write_file(file, std::as_bytes(std::span(text))).has_value();
}

bool write_candidate(const fs::path& folder, const Candidate& candidate) {
  core::Scene scene;
  scene.experiment = candidate.experiment;
  bool all = write_text(folder / "scene.toml", format_scene(scene));
  all &= write_text(folder / "source", candidate.variant.source);
  std::size_t number = 0;
  std::string included;  // a line each, in the order of the files' numbers
  for (const auto& [name, text] : candidate.variant.texts) {
    if (is_included(name)) {
      all &= write_text(folder / "included" / std::to_string(number++), text);
      included += name + "\n";
    } else {
      all &= write_text(folder / "texts" / name, text);
    }
  }
  if (!included.empty()) {
    all &= write_text(folder / "included" / "names", included);
  }
  return all;
}

bool includes(const core::Variant& variant) {
  const auto has = [](const std::string& text) {
    return text.find("#include") != std::string::npos;
  };
  return has(variant.source) ||
         std::ranges::any_of(variant.texts, [&](const auto& text) { return has(text.second); });
}

Ingredients ingredients_in(const std::string& output) {
  Ingredients found;
  for (const std::string& line : split(output, '\n')) {
    if (const auto columns = split(line, '\t'); line.starts_with(kFile) && columns.size() == 3) {
      found[columns[1]] = columns[2];
    }
  }
  return found;
}

std::string lost_in(const std::string& output) {
  const std::size_t at = output.find(kLost);
  return at == std::string::npos
             ? ""
             : output.substr(at + 5, output.find('\n', at) - at - 5);  // behind the word
}

}  // namespace

bool as_they_were(const Ingredients& ingredients) {
  return std::ranges::all_of(ingredients, [](const auto& file) {
    const auto text = core::read_file(file.first);
    return text && core::fingerprint(*text) == file.second;
  });
}

std::string probation_key(const Candidate& candidate, const core::DeviceInfo& device) {
  core::Scene options;
  options.experiment = candidate.experiment;
  options.experiment.size.clear();
  options.experiment.seed = 1;
  options.experiment.device.clear();
  std::string all =
      fmt::format("{}\n{}\n{}\n{}\n{}\n", device.name, device.driver,
                  candidate.variant.file.string(), format_scene(options), candidate.variant.source);
  for (const auto& [name, text] : candidate.variant.texts) {
    all += name + "\n" + text + "\n";
  }
  return core::fingerprint(all);
}

std::optional<Verdict> ProbationMemory::find(const std::string& key) const {
  if (file_.empty()) {
    return {};
  }
  const auto lines = lines_of(file_);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const auto columns = split(*line + "\t.", '\t');  // what stands last may be empty
    if (columns.size() < 4 || columns[0] != key || (columns[1] == "passed") != columns[2].empty()) {
      continue;
    }
    return as_they_were(ingredients_in(columns, 3)) ? std::optional(Verdict{columns[2], {}})
                                                    : std::nullopt;
  }
  return {};
}

void ProbationMemory::keep(const std::string& key, const Verdict& verdict,
                           const Ingredients& ingredients) const {
  std::string line = key + (verdict.passed() ? "\tpassed\t" : "\tfailed\t") + verdict.sentence;
  bool plain = !has_break(verdict.sentence);
  for (const auto& [file, print] : ingredients) {
    plain &= !has_break(file);
    line += "\t" + file + "\t" + print;
  }
  if (file_.empty() || !plain) {
    return;
  }
  auto lines = lines_of(file_);
  std::erase_if(lines, [&](const std::string& other) { return other.starts_with(key); });
  lines.push_back(std::move(line));
  if (lines.size() > kMostLines) {
    lines.erase(lines.begin(), lines.end() - kMostLines);
  }
  write_text(file_, fmt::format("{}\n", fmt::join(lines, "\n")));
}

Probation::Probation(std::string program, bool validation, std::function<void()> ended)
    : program_(std::move(program)),
      validation_(validation),
      ended_(std::move(ended)),
      memory_(core::cache_file("probation.tsv")) {}

Probation::~Probation() {
  stop();
}

std::optional<Verdict> Probation::known(const Candidate& candidate,
                                        const core::DeviceInfo& device) const {
  return program_.empty() ? Verdict{} : memory_.find(probation_key(candidate, device));
}

void Probation::begin(Candidate candidate, const core::DeviceInfo& device) {
  stop();
  candidate_ = std::move(candidate);
  candidate_->experiment.device = std::to_string(device.index);
  thread_ = std::jthread([this, tried = *candidate_, key = probation_key(*candidate_, device)](
                             const std::stop_token& stopped) { run(stopped, tried, key); });
}

void Probation::stop() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  candidate_.reset();
  verdict_.reset();
}

std::optional<std::pair<Candidate, Verdict>> Probation::take() {
  {
    const std::scoped_lock lock(mutex_);
    if (!verdict_) {
      return {};
    }
  }
  thread_.join();
  std::pair<Candidate, Verdict> tried{std::move(*candidate_), std::move(*verdict_)};
  candidate_.reset();
  verdict_.reset();
  return tried;
}

void Probation::run(const std::stop_token& stopped, const Candidate& candidate,
                    const std::string& key) {
  static std::atomic<unsigned> number = 0;
  std::error_code ignored;
  fs::path folder = core::cache_file("probation");
  if (folder.empty()) {
    folder = fs::temp_directory_path(ignored) / "tilescope-probation";
  }
  folder /= fmt::format("{}-{}", ::getpid(), number++);
  Verdict verdict;
  // Where it can't be tried (a full disk, no process) it is not held back for that.
  if (write_candidate(folder, candidate)) {
    core::ChildCall call{
        .arguments = {"probation", folder.string()}, .environment = {}, .keep_output = true};
    call.go_on = [&] { return !stopped.stop_requested(); };
    if (validation_) {
      call.arguments.emplace_back("--validation");
    }
    const core::ChildLimits limits = core::stranger_limits(core::limits::trial_seconds);
    if (const auto end = core::run_child(call, limits, program_); end) {
      verdict = judge(*end, limits, candidate, key, folder);
    }
  }
  fs::remove_all(folder, ignored);
  if (!stopped.stop_requested()) {
    {
      const std::scoped_lock lock(mutex_);
      verdict_ = std::move(verdict);
    }
    ended_();
  }
}

// An exit with an error is no reason: whoever makes it next gets the same, with its line.
Verdict Probation::judge(const core::ChildEnd& end, const core::ChildLimits& limits,
                         const Candidate& candidate, const std::string& key,
                         const fs::path& folder) const {
  using enum core::ChildEnd::Why;
  const Ingredients from = ingredients_in(end.out);
  if (end.exited()) {
    const std::string lost = lost_in(end.out);
    if (end.status == 0) {
      memory_.keep(key, {}, from);
    }
    return {lost.empty() ? "" : candidate.variant.id() + ": " + lost, from};
  }
  Verdict verdict{end.sentence(candidate.variant.id(), limits), from};
  // What it includes is not known, and may have been mended the next time.
  const bool again = end.why == signal || end.why == step_limit;
  if (again && !includes(candidate.variant)) {
    memory_.keep(key, verdict, from);
  }
  if (end.why == signal) {
    std::error_code failed;
    const fs::path crash =
        folder.parent_path().parent_path() / "crashes" / ("window-" + key.substr(0, 16));
    fs::create_directories(crash.parent_path(), failed);
    fs::remove_all(crash, failed);
    fs::copy(folder, crash, fs::copy_options::recursive, failed);
    if (!failed &&
        write_text(crash / "call.txt", fmt::format("{}\n\ntilescope probation {}\n\n{}",
                                                   verdict.sentence, crash.string(), end.err))) {
      verdict.sentence += "; " + crash.string() + " has everything needed to repeat the crash";
    }
  }
  return verdict;
}

}  // namespace lab
