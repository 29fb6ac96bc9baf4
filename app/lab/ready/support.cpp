#include "lab/ready/support.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "gpu/compiler.h"

namespace lab {

core::Expected<gpu::Kernel> support_kernel(gpu::Device& device,
                                           const std::filesystem::path& shaders,
                                           const std::string& name, std::uint32_t buffers,
                                           std::uint32_t push_constant_bytes) {
  const std::filesystem::path file = shaders / "support" / (name + ".comp");
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    return core::usage_error(fmt::format("cannot read {}", file.string()));
  }
  const auto compiled = TRY(gpu::compile({text.str(), file}));
  return device.kernel({.name = "support/" + name,
                        .spirv = compiled.spirv,
                        .bindings = gpu::storage_buffers(buffers),
                        .push_constant_bytes = push_constant_bytes});
}

}  // namespace lab
