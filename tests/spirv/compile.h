// GLSL to SPIR-V for tests, as the program compiles it: Vulkan 1.2, with debug information.
#pragma once

#include <string>

#include <gtest/gtest.h>
#include <shaderc/shaderc.hpp>

#include "spirv/module/module.h"

namespace test {

inline spirv::Words compile(const std::string& source, bool optimize = false) {
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  options.SetGenerateDebugInfo();
  if (optimize) {
    options.SetOptimizationLevel(shaderc_optimization_level_performance);
  }
  static const shaderc::Compiler compiler;
  const auto result =
      compiler.CompileGlslToSpv(source, shaderc_compute_shader, "kernel.comp", options);
  EXPECT_EQ(result.GetCompilationStatus(), shaderc_compilation_status_success)
      << result.GetErrorMessage();
  return {result.begin(), result.end()};
}

inline spirv::Module module(const std::string& source) {
  const auto parsed = spirv::parse(compile(source));
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? *parsed : spirv::Module{};
}

}  // namespace test
