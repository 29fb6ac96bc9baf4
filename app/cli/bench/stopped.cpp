#include "cli/bench/stopped.h"

#include <fmt/format.h>

namespace cli {

void tell_stopped(const Common& common, const Deadline& deadline, const std::string& words,
                  const nlohmann::ordered_json& figures, nlohmann::ordered_json& document) {
  const std::string sentence = fmt::format("{}: {}", deadline.sentence(), words);
  if (!common.json) {
    fmt::print("\n{}\n", sentence);
    return;
  }
  document["stopped"]["sentence"] = sentence;
  document["stopped"].update(figures);
}

}  // namespace cli
