// A kernel's code from where it lies: a variant's or any other GLSL or HLSL file, SPIR-V as words
// or as text.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/variant.h"
#include "core/work/experiment.h"
#include "lab/plan/plan.h"

namespace lab {

/// The catalogue's variant of that id; else a file (`.comp`, `.glsl`, `.hlsl`, `.spv`, `.spvasm`)
/// or a saved dispatch's folder as a variant without a workload, known by its path. The error tells
/// what there is.
[[nodiscard]] core::Expected<core::Variant> find_kernel(const core::Catalogue& catalogue,
                                                        const std::string& name);
/// A folder that says nothing of what lies in it: no saved dispatch and no workload.
[[nodiscard]] bool is_plain_folder(const std::filesystem::path& path);

/// A catalogue that has what a path names, and the id of the kernel there: of a folder with a
/// workload.toml its first kernel, of "FOLDER/NAME" that kernel of it, of a saved dispatch's folder
/// its file, of any other folder the first of its kernels; any other name stays as it is.
struct Adopted {
  core::Catalogue catalogue;
  std::string id;
  std::size_t of = 1;  ///< kernels of a folder that says nothing of them
};
[[nodiscard]] core::Expected<Adopted> adopt(core::Catalogue catalogue, const std::string& name);

/// All kernels that a name stands for: of a workload of the catalogue its variants, of a folder its
/// files and its folders' (what only others include is left out), else the name itself. Errors: a
/// folder without a kernel. A folder's files are searched until `go_on` returns false.
[[nodiscard]] core::Expected<std::vector<std::string>> kernels_in(
    const std::string& name, const std::function<bool()>& go_on = {});

/// Returns true if a file of a folder is a kernel. False for texts that other files include,
/// shaders of other stages, and languages without a built-in compiler.
[[nodiscard]] bool is_kernel(const std::filesystem::path& file);

/// The file of such a variant, read again.
[[nodiscard]] core::Variant read_kernel(const std::filesystem::path& file);

/// Variant::texts has what was typed at files that kernels include, too, under such a key.
[[nodiscard]] std::string included_key(const std::string& path);
[[nodiscard]] bool is_included(const std::string& key);

/// Compiles, or reads. What was compiled before from the same texts with the same options is taken
/// again, whoever asks.
[[nodiscard]] core::Expected<Module> load_module(const core::Variant& variant,
                                                 const core::KernelChoices& choices);

}  // namespace lab
