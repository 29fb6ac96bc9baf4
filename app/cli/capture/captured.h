// A list of the launches of a capture, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/files/capture_file.h"

namespace cli {

[[nodiscard]] nlohmann::ordered_json capture_json(const lab::Capture& capture);

/// The sums: launches, distinct ones, and why launches were not captured.
void print_capture_sums(const lab::Capture& capture);
/// A line for each distinct launch.
void print_captured_launches(const lab::Capture& capture);

}  // namespace cli
