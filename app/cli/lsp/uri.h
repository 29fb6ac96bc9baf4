// URIs of files.
#pragma once

#include <string>

namespace cli {

/// Returns the absolute path of a "file:" URI. Empty for other URIs.
[[nodiscard]] std::string path_of_uri(const std::string& uri);

}  // namespace cli
