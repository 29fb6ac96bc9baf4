// The terms, findings, verdicts and severities that Tilescope uses, each explained once. `tilescope
// explain`, SARIF files, the window's tooltips and pages of the manual (assets/manual/reference/)
// take their texts from here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace core {

enum class Subject {
  term,  ///< labels of the window that contain it have a tooltip
  word,  ///< a term without a tooltip
  finding,
  verdict,
  severity,
};

struct Term {
  std::string_view word;       ///< "ways", "out-of-bounds"
  std::string_view says;       ///< two sentences: what it is
  std::string_view cuda, amp;  ///< what it is called there; empty if it has no name there
  Subject subject = Subject::term;
  std::string_view remedy{};  ///< findings: what causes it and how to fix it
};

[[nodiscard]] std::span<const Term> glossary();
/// The longest term of the interface that stands in `words`, in whole words. Null if none does.
[[nodiscard]] const Term* term_in(std::string_view words);
/// The entry of this word, in any case and with spaces or hyphens. Null if there is none.
[[nodiscard]] const Term* find_term(std::string_view word);
/// "Modelled: …" and below it what it is called elsewhere.
[[nodiscard]] std::string explained(const Term& term);
/// "CUDA: block · C++ AMP: tile"; empty if it has no name there.
[[nodiscard]] std::string names_elsewhere(const Term& term);
/// All terms, as a page of the manual.
[[nodiscard]] std::string glossary_page();
/// All findings, verdicts and severities, as a page of the manual. Each has its word as heading.
[[nodiscard]] std::string findings_page();

}  // namespace core
