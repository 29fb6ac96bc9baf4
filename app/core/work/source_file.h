// A text that a kernel was compiled from.
#pragma once

#include <string>

namespace core {

struct SourceFile {
  std::string path;  ///< as the compiler names it in messages and in debug information
  std::string text;
  bool decompiled = false;  ///< GLSL that was made from the module; `path` is the module's file
  bool operator==(const SourceFile&) const = default;
};

}  // namespace core
