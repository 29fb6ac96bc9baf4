// What a benchmark says where --timeout left no time for all of it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "cli/process/deadline.h"

namespace cli {

/// Of JSON the document's "stopped": the sentence, that ends in `words`, and the figures behind it.
/// Of text the sentence, on a line of its own.
void tell_stopped(const Common& common, const Deadline& deadline, const std::string& words,
                  const nlohmann::ordered_json& figures, nlohmann::ordered_json& document);

}  // namespace cli
