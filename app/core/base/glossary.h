// The terms that panels use, each in two sentences and in the words of CUDA and of C++ AMP: what a
// tooltip says, and a chapter of the manual (assets/manual/glossary.md; a test holds them
// together).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace core {

struct Term {
  std::string_view word;  ///< "ways"
  std::string_view says;
  std::string_view cuda, amp;  ///< what it is called there; empty: it has no name there
};

[[nodiscard]] std::span<const Term> glossary();
/// The longest term that stands in `words`, in whole words; null: none does.
[[nodiscard]] const Term* term_in(std::string_view words);
/// "Modelled: …" and below it what it is called elsewhere.
[[nodiscard]] std::string explained(const Term& term);
/// All of them, as a chapter.
[[nodiscard]] std::string glossary_chapter();

}  // namespace core
