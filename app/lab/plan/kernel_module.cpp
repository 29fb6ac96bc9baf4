#include "lab/plan/kernel_module.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

#include "core/base/files.h"
#include "lab/files/capture_file.h"
#include "lab/files/dispatch_file.h"
#include "lab/files/workload_file.h"
#include "lab/plan/debug_text.h"
#include "lab/plan/kernel_source.h"
#include "lab/ready/catalogue_files.h"
#include "spirv/module/assemble.h"
#include "spirv/module/canonical.h"
#include "spirv/reflection/entry_points.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// A driver may do anything with what is not valid. What only this build does not know it may run.
core::Expected<core::KernelModule> if_valid(core::KernelModule module) {
  const auto valid = spirv::validate(module.words);
  if (!valid && valid.error().fault == core::Fault::usage) {
    return std::unexpected(valid.error());
  }
  return module;
}

core::Expected<core::KernelModule> of_words(const fs::path& file, const std::string& bytes,
                                            const std::string& entry) {
  if (bytes.empty() || bytes.size() % 4 != 0) {
    return core::usage_error(
        fmt::format("{} is not SPIR-V: its length of {} bytes is not a multiple of 4",
                    file.string(), bytes.size()));
  }
  core::KernelModule module;
  module.words.resize(bytes.size() / 4);
  std::memcpy(module.words.data(), bytes.data(), bytes.size());
  auto valid = if_valid(std::move(module));
  return valid ? with_debug_text(file, std::move(*valid), entry) : std::move(valid);
}

core::Expected<core::KernelModule> of_assembly(const fs::path& file, const std::string& text) {
  auto words = spirv::assemble(text);
  if (!words) {
    core::Error error = words.error();
    error.message = fmt::format("{}:{}", file.string(), error.message);
    return std::unexpected(std::move(error));
  }
  core::KernelModule module;
  module.words = std::move(*words);
  module.sources.push_back({file.string(), text});
  auto valid = if_valid(std::move(module));
  return valid ? with_debug_text(file, std::move(*valid)) : std::move(valid);
}

constexpr std::string_view kIncluded = "included:";

std::map<std::string, std::string> included_texts(const core::Variant& variant) {
  std::map<std::string, std::string> texts;
  for (const auto& [key, text] : variant.texts) {
    if (is_included(key)) {
      texts[key.substr(kIncluded.size())] = text;
    }
  }
  return texts;
}

core::Expected<core::KernelModule> make(const core::Variant& variant,
                                        const core::KernelChoices& choices) {
  if (variant.file.filename() == kDispatchFile) {
    auto saved = read_dispatch(variant.file);
    return saved ? core::Expected<core::KernelModule>(
                       with_debug_text(variant.file.parent_path() / "module.spv",
                                       std::move(saved->launches.front().module), choices.entry))
                 : std::unexpected(saved.error());
  }
  const std::string language = source_language(variant.file, choices);
  if (language == "spv" || language == "spvasm") {
    if (!choices.defines.empty() || !choices.include_dirs.empty() || !choices.prelude.empty()) {
      return core::usage_error(
          fmt::format("{} is already compiled; remove -D, -I and --prelude, which need source text",
                      variant.file.string()));
    }
    return language == "spv" ? of_words(variant.file, variant.source, choices.entry)
                             : of_assembly(variant.file, variant.source);
  }
  return compile_source(variant, choices, included_texts(variant));
}

// What was asked for; the files that were included are looked at again.
struct Key {
  std::string id;
  std::string file;
  std::string source;
  core::KernelChoices choices;  // those of its compilation
  std::map<std::string, std::string> included;
  bool operator==(const Key&) const = default;
};

core::KernelChoices choices_of_compilation(const core::KernelChoices& choices) {
  core::KernelChoices own;
  own.defines = choices.defines;
  own.include_dirs = choices.include_dirs;
  own.prelude = choices.prelude;
  own.language = choices.language;
  own.compilers = choices.compilers;
  own.local_size = choices.local_size;
  own.entry = choices.entry;
  return own;
}

bool as_they_were(const core::KernelModule& module,
                  const std::map<std::string, std::string>& typed) {
  return std::ranges::all_of(module.sources.begin() + (module.sources.empty() ? 0 : 1),
                             module.sources.end(), [&typed](const core::SourceFile& source) {
                               if (typed.contains(source.path)) {
                                 return true;  // it is part of the key
                               }
                               const auto text = core::read_file(source.path);
                               return text && *text == source.text;
                             });
}

class Cache {
 public:
  Module find(const Key& key) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(
        entries_, key, [](const auto& entry) -> const Key& { return entry.first; });
    return found == entries_.end() ? nullptr : found->second;
  }
  void keep(Key key, Module module) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [&](const auto& entry) { return entry.first == key; });
    if (entries_.size() == kMost) {
      entries_.erase(entries_.begin());
    }
    entries_.emplace_back(std::move(key), std::move(module));
  }

 private:
  static constexpr std::size_t kMost = 64;
  std::mutex mutex_;
  std::vector<std::pair<Key, Module>> entries_;  // the oldest first
};

Cache& cache() {
  static Cache all;
  return all;
}

// "cull.mesh.glsl" and "sky.vert.hlsl" are shaders of another stage.
bool names_another_stage(const fs::path& file) {
  static constexpr std::array kStages{".vert", ".frag",  ".geom", ".tesc",  ".tese",  ".mesh",
                                      ".task", ".rgen",  ".rint", ".rahit", ".rchit", ".rmiss",
                                      ".call", ".rcall", ".vs",   ".ps",    ".gs",    ".hs",
                                      ".ds",   ".ms",    ".as"};
  return std::ranges::find(kStages, file.stem().extension().string()) != kStages.end();
}

// Modules of other stages; a file that is no module is left to be complained of.
bool is_for_another_stage(const std::string& bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  const auto module = spirv::parse(words);
  return module && spirv::compute_entries(*module).empty() &&
         std::ranges::any_of(module->preamble, [](const spirv::Instruction& i) {
           return i.op == spv::Op::OpEntryPoint;
         });
}

}  // namespace

bool is_kernel(const fs::path& file) {
  if (!core::names_a_file(file.string()) || !core::is_file(file) || names_another_stage(file)) {
    return false;
  }
  const std::string end = file.extension().string();
  if (end == ".wgsl" || end == ".slang") {
    return false;  // they need --compiler: a call names them one by one
  }
  const auto text =
      end == ".glsl" || end == ".hlsl" || end == ".spv" ? core::read_file(file) : std::string();
  if (!text) {
    return end != ".glsl";
  }
  if (end == ".spv") {
    return !is_for_another_stage(*text);
  }
  if (end == ".hlsl") {
    return text->contains("numthreads") && !text->contains("outputtopology");
  }
  return end != ".glsl" || (text->contains("void main") && text->contains("local_size") &&
                            !text->contains("_mesh_shader"));
}

namespace {

// The distinct launches of a capture in the order of their first launch.
core::Expected<std::vector<std::string>> launches_in(const fs::path& folder) {
  const auto capture = TRY(read_capture(folder));
  std::vector<std::string> all;
  for (const std::string& launch : capture.distinct()) {
    all.push_back((folder / launch).string());
  }
  return all.empty() ? core::usage_error(
                           fmt::format("{} has no captured launch; `tilescope list {}` says why",
                                       folder.string(), folder.string()))
                     : core::Expected<std::vector<std::string>>(std::move(all));
}

}  // namespace

std::string included_key(const std::string& path) {
  return std::string(kIncluded) + path;
}

bool is_included(const std::string& key) {
  return key.starts_with(kIncluded);
}

core::Variant read_kernel(const fs::path& file) {
  core::Variant variant;
  variant.name = variant.title = file.filename().string();
  variant.file = file;
  auto text = core::read_file(file);
  if (!text) {
    variant.broken = text.error();
  } else {
    variant.source = std::move(*text);
  }
  return variant;
}

core::Expected<core::Variant> find_kernel(const core::Catalogue& catalogue,
                                          const std::string& name) {
  if (core::names_a_file(name) || core::is_file(name)) {
    core::Variant variant = read_kernel(name);
    return variant.broken ? core::Expected<core::Variant>(std::unexpected(*variant.broken))
                          : std::move(variant);
  }
  return catalogue.find(name);
}

bool is_plain_folder(const fs::path& path) {
  return core::is_folder(path) && !core::is_file(path / kDispatchFile) &&
         !core::is_file(path / kWorkloadFile);
}

core::Expected<Adopted> adopt(core::Catalogue catalogue, const std::string& name) {
  const fs::path path = name;
  if (core::is_folder(path) && core::is_file(path / kDispatchFile)) {
    return Adopted{std::move(catalogue), (path / kDispatchFile).string()};
  }
  const bool folder = core::is_folder(path) && core::is_file(path / kWorkloadFile);
  const bool member = !core::is_file(path) && core::is_file(path.parent_path() / kWorkloadFile);
  if (is_plain_folder(path) && !catalogue.workload(name)) {
    const auto files = TRY(kernels_in(name));
    const fs::path first = files.front();
    const bool saved = core::is_file(first / kDispatchFile);
    return Adopted{std::move(catalogue), (saved ? first / kDispatchFile : first).string(),
                   files.size()};
  }
  if (!folder && !member) {
    return Adopted{std::move(catalogue), name};
  }
  auto read = TRY(read_workload_folder(folder ? path : path.parent_path()));
  if (read.variants.empty()) {
    return core::usage_error(fmt::format("{} contains no kernel", name));
  }
  std::vector<core::Variant> variants(catalogue.all().begin(), catalogue.all().end());
  std::vector<core::WorkloadPtr> workloads(catalogue.workloads().begin(),
                                           catalogue.workloads().end());
  const std::string workload = read.work->name();
  std::erase_if(variants, [&](const core::Variant& v) { return v.workload == workload; });
  std::erase_if(workloads, [&](const core::WorkloadPtr& w) { return w->name() == workload; });
  std::ranges::move(read.variants, std::back_inserter(variants));
  workloads.push_back(read.work);
  core::Catalogue all(std::move(variants), std::move(workloads));
  std::string id =
      folder ? all.of(workload).front().id() : workload + "/" + path.filename().string();
  return Adopted{std::move(all), std::move(id)};
}

core::Expected<std::vector<std::string>> kernels_in(const std::string& name,
                                                    const std::function<bool()>& go_on) {
  if (is_capture(name)) {
    return launches_in(name);
  }
  if (core::is_folder(name) && !core::is_file(fs::path(name) / kDispatchFile)) {
    std::vector<std::string> files;
    std::error_code failed;
    const auto skip = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(name, skip, failed), end;
         entry != end && !failed && (!go_on || go_on()); entry.increment(failed)) {
      if (core::is_file(entry->path() / kDispatchFile)) {
        entry.disable_recursion_pending();  // its module is no kernel of its own
        files.push_back(entry->path().string());
      } else if (is_kernel(entry->path())) {
        files.push_back(entry->path().string());
      }
    }
    std::ranges::sort(files);
    return files.empty() ? core::usage_error(fmt::format("{} contains no kernel", name))
                         : core::Expected<std::vector<std::string>>(std::move(files));
  }
  const auto shaders = find_shaders();
  if (shaders && name.find('/') == std::string::npos && core::is_folder(*shaders / name)) {
    std::vector<std::string> ids;
    const core::Catalogue catalogue = read_catalogue(*shaders);
    for (const core::Variant& variant : catalogue.of(name)) {
      ids.push_back(variant.id());
    }
    if (!ids.empty()) {
      return ids;
    }
  }
  return std::vector<std::string>{name};
}

core::Expected<Module> load_module(const core::Variant& variant,
                                   const core::KernelChoices& choices) {
  Key key{variant.id(), variant.file.string(), variant.source, choices_of_compilation(choices),
          included_texts(variant)};
  if (const Module known = cache().find(key); known && as_they_were(*known, key.included)) {
    return known;
  }
  auto made = TRY(make(variant, choices));
  made.name = variant.id();
  made.bfloat16 = variant.precision == core::Precision::bf16;
  if (source_language(variant.file, choices) != "hlsl" && !choices.entry.empty()) {
    made.entry_point = choices.entry;
  }
  TRY(give_local_size(made, variant.file, choices));
  Module module = std::make_shared<const core::KernelModule>(std::move(made));
  cache().keep(std::move(key), module);
  return module;
}

}  // namespace lab
