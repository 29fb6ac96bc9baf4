#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "core/base/glossary.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainFlags {
  Common common;
  std::string word;
};

const char* name_of(const core::Term& term) {
  switch (term.subject) {
    case core::Subject::verdict:
      return "verdict";
    case core::Subject::severity:
      return "severity";
    case core::Subject::finding:
      return "finding";
    case core::Subject::term:
    case core::Subject::word:
      break;
  }
  return term.remedy.empty() ? "term" : "finding";
}

// At most 90 columns, as the text of --help.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kColumns = 90;
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > 0 && column + 1 + end > kColumns) {
      out += "\n";
      column = 0;
    }
    out += column > 0 ? " " : "";
    out += text.substr(0, end);
    column += end + (column > 0 ? 1 : 0);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Json term_json(const core::Term& term) {
  return {{"word", term.word},  {"kind", name_of(term)}, {"text", term.says},
          {"fix", term.remedy}, {"cuda", term.cuda},     {"cpp_amp", term.amp}};
}

void print_text(const core::Term& term) {
  fmt::print("{} ({})\n\n{}\n", term.word, name_of(term), wrapped(term.says));
  if (!term.remedy.empty()) {
    fmt::print("\n{}\n", wrapped(term.remedy));
  }
  if (const std::string other = core::names_elsewhere(term); !other.empty()) {
    fmt::print("\n{}\n", other);
  }
}

void print_list() {
  for (const char* kind : {"finding", "verdict", "severity", "term"}) {
    std::string words;
    for (const core::Term& term : core::glossary()) {
      if (kind == std::string_view(name_of(term))) {
        words += (words.empty() ? "" : ", ") + std::string(term.word);
      }
    }
    fmt::print("{}\n", wrapped(fmt::format("{}: {}", kind, words)));
  }
}

Outcome explain(const ExplainFlags& flags) {
  if (flags.word.empty()) {
    if (!flags.common.json) {
      print_list();
      return ok;
    }
    Json all = Json::array();
    std::ranges::transform(core::glossary(), std::back_inserter(all), term_json);
    print({{"words", all}});
    return ok;
  }
  const core::Term* term = core::find_term(flags.word);
  if (term == nullptr) {
    return core::usage_error(
        fmt::format("unknown word \"{}\"; `tilescope explain` lists all words", flags.word));
  }
  if (flags.common.json) {
    print(term_json(*term));
  } else {
    print_text(*term);
  }
  return ok;
}

}  // namespace

void add_explain(CLI::App& app) {
  auto flags = std::make_shared<ExplainFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments = add_command(app, "explain", "Explain a finding, a verdict or a term",
                                          common, [flags] { return explain(*flags); });
  arguments.option(
      "KIND", flags->word,
      "A finding, a verdict or a term, such as race, incomplete or RAW (default: list all)");
}

}  // namespace cli
