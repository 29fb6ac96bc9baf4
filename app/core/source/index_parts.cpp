#include "core/source/index_parts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <vector>

#include "core/catalogue/expression.h"

namespace core {
namespace {

constexpr int kDeepest = 8;  // definitions that follow from each other

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Behind the bracket that closes the one at `open`; npos if none does.
std::size_t behind_bracket(const std::string& line, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < line.size(); ++k) {
    depth += line[k] == '[' ? 1 : line[k] == ']' ? -1 : 0;
    if (depth == 0) {
      return k + 1;
    }
  }
  return std::string::npos;
}

// The only index behind the name, without blanks at its ends; empty if there are none or several.
std::string only_index(const std::string& line, const std::string& variable) {
  const std::string name = variable.substr(variable.rfind('.') + 1);
  const auto [first, end] = stretch_of(line, name);
  const std::size_t open = first + name.size();
  if (name.empty() || line.compare(first, name.size(), name) != 0 || open >= end ||
      behind_bracket(line, open) != end) {
    return {};
  }
  std::string index = line.substr(open + 1, end - open - 2);
  index.erase(0, index.find_first_not_of(' '));
  index.erase(index.find_last_not_of(' ') + 1);
  return index;
}

// Computes integers of one invocation from definitions such as "uint i = gl_LocalInvocationID.x;".
class Definer {
 public:
  Definer(const Finding& finding, std::string text, const std::array<std::uint32_t, 3>& local_size)
      : f_(finding), text_(std::move(text)), size_(local_size) {}

  struct Parsed {
    Expression expression;
    std::vector<std::string> names;  // as the source has them
  };
  [[nodiscard]] static std::optional<Parsed> parse(const std::string& text) {
    static const std::regex kName("[A-Za-z_][A-Za-z_0-9]*(\\.[xyz]\\b)?");
    static const std::regex kUnsigned("\\b([0-9]+)[uU]\\b");
    Parsed parsed;
    std::vector<std::string> plain;  // without dots
    std::string rest = std::regex_replace(text, kUnsigned, "$1");
    std::string out;
    for (std::smatch m; std::regex_search(rest, m, kName); rest = m.suffix()) {
      std::string name = m.str();
      if (std::ranges::find(parsed.names, name) == parsed.names.end()) {
        parsed.names.push_back(name);
        std::ranges::replace(name, '.', '_');
        plain.push_back(name);
      }
      name = m.str();
      std::ranges::replace(name, '.', '_');
      out += m.prefix().str() + name;
    }
    auto expression = Expression::parse(out + rest, plain);
    if (!expression) {
      return std::nullopt;
    }
    parsed.expression = std::move(*expression);
    return parsed;
  }

  [[nodiscard]] std::optional<std::int64_t> value(const std::string& name, int depth = 0) const {
    if (const auto known = built_in(name)) {
      return known;
    }
    // A name that is defined by itself has no value.
    const auto [found, is_new] = values_.try_emplace(name);
    if (is_new) {
      const auto computed = computed_value(name, depth);
      values_[name] = computed;
      return computed;
    }
    return found->second;
  }

  [[nodiscard]] static std::optional<std::int64_t> whole(const Expected<Number>& number) {
    return number && std::holds_alternative<std::int64_t>(*number)
               ? std::optional(std::get<std::int64_t>(*number))
               : std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<std::int64_t> computed_value(const std::string& name,
                                                           int depth) const {
    const std::string definition = depth < kDeepest ? defined_as(name) : "";
    const auto parsed = definition.empty() ? std::nullopt : parse(definition);
    std::vector<Number> values;
    for (std::size_t n = 0; parsed && n < parsed->names.size(); ++n) {
      const auto part = value(parsed->names[n], depth + 1);
      if (!part) {
        return std::nullopt;
      }
      values.emplace_back(*part);
    }
    return parsed ? whole(parsed->expression.evaluate(values)) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::int64_t> built_in(const std::string& name) const {
    const auto& at = f_.first.invocation;
    if (name == "gl_LocalInvocationIndex") {
      return (std::int64_t{at[2]} * size_[1] + at[1]) * size_[0] + at[0];
    }
    const std::size_t dot = name.find('.');
    const std::size_t d =
        dot == std::string::npos ? 3 : std::string("xyz").find(name.substr(dot + 1));
    if (d > 2) {
      return std::nullopt;
    }
    const std::string vector = name.substr(0, dot);
    return vector == "gl_LocalInvocationID" ? std::optional<std::int64_t>(at.at(d))
           : vector == "gl_WorkGroupID"     ? std::optional<std::int64_t>(f_.workgroup.at(d))
           : vector == "gl_WorkGroupSize"   ? std::optional<std::int64_t>(size_.at(d))
           : vector == "gl_GlobalInvocationID"
               ? std::optional(std::int64_t{f_.workgroup.at(d)} * size_.at(d) + at.at(d))
               : std::nullopt;
  }
  // The expression that initializes a name, if the source assigns the name only there; else empty.
  [[nodiscard]] std::string defined_as(const std::string& name) const {
    if (name.find('.') != std::string::npos) {
      return {};
    }
    const std::regex given("\\b" + name + "\\s*([-+*/%&|^]|<<|>>)?=[^=]|(\\+\\+|--)\\s*" + name +
                           "\\b|\\b" + name + "\\s*(\\+\\+|--)");
    const std::regex defined("(^|\\W)(uint|int)\\s+" + name + "\\s*=\\s*([^;,]{0,200});");
    const std::regex macro("#define\\s+" + name + "[ \\t]+(.*)");
    std::smatch m;
    const auto times = std::distance(std::sregex_iterator(text_.begin(), text_.end(), given), {});
    if (times == 1 && std::regex_search(text_, m, defined)) {
      return m[3].str();
    }
    return times == 0 && std::regex_search(text_, m, macro) ? m[1].str() : std::string();
  }

  const Finding& f_;
  const std::string text_;
  mutable std::map<std::string, std::optional<std::int64_t>> values_;  // of names; empty: none
  const std::array<std::uint32_t, 3>& size_;
};

// The values of the names, if they give the index; one that no definition gives follows from it.
std::vector<std::string> values_of(const Definer& definer, const std::string& index,
                                   std::int64_t seen) {
  const auto parsed = Definer::parse(index);
  std::vector<Number> values;
  std::optional<std::size_t> open;
  for (std::size_t n = 0; parsed && n < parsed->names.size(); ++n) {
    const auto value = definer.value(parsed->names[n]);
    if (!value && open) {
      return {};
    }
    open = value ? open : n;
    values.emplace_back(value.value_or(0));
  }
  const auto total = [&](std::int64_t with) {
    if (open) {
      values[*open] = with;
    }
    return Definer::whole(parsed->expression.evaluate(values));
  };
  if (!parsed || (parsed->names.size() == 1 && parsed->names.front() == index)) {
    return {};
  }
  if (const auto none = total(0), one = total(1), two = total(2); open) {
    const bool linear = none && one && two && *two - *one == *one - *none && *one != *none;
    if (!linear) {
      return {};
    }
    values[*open] = (seen - *none) / (*one - *none);
  }
  if (total(open ? std::get<std::int64_t>(values[*open]) : 0) != seen) {
    return {};
  }
  std::vector<std::string> parts;
  for (std::size_t n = 0; n < values.size(); ++n) {
    parts.push_back(parsed->names[n] + " = " + std::to_string(std::get<std::int64_t>(values[n])));
  }
  return parts;
}

}  // namespace

std::pair<std::size_t, std::size_t> stretch_of(const std::string& line, const std::string& name) {
  for (std::size_t at = line.find(name); !name.empty() && at != std::string::npos;
       at = line.find(name, at + 1)) {
    std::size_t end = at + name.size();
    if ((at > 0 && in_word(line[at - 1])) || (end < line.size() && in_word(line[end]))) {
      continue;
    }
    for (std::size_t k = end; k < line.size() && line[k] == '[';) {
      k = behind_bracket(line, k);
      end = k == std::string::npos ? end : k;
    }
    return {at, end};
  }
  const std::size_t first = line.find_first_not_of(" \t");
  std::size_t last = line.find_last_not_of(" \t\r");
  if (const std::size_t comment = line.find("//");
      comment != std::string::npos && comment > first) {
    last = line.find_last_not_of(" \t\r", comment - 1);
  }
  return first == std::string::npos || last < first ? std::pair<std::size_t, std::size_t>(0, 0)
                                                    : std::pair(first, last + 1);
}

std::string line_of(std::span<const SourceFile> sources, const std::string& file,
                    std::uint32_t number) {
  const auto source =
      file.empty() ? sources.begin() : std::ranges::find(sources, file, &SourceFile::path);
  if (source == sources.end() || number == 0) {
    return {};
  }
  std::istringstream lines(source->text);
  std::string line;
  for (std::uint32_t n = 0; n < number && std::getline(lines, line); ++n) {
  }
  return lines ? line : std::string();
}

std::string index_parts(const Finding& finding, std::span<const SourceFile> sources,
                        const std::array<std::uint32_t, 3>& local_size) {
  const std::string line = line_of(sources, finding.file, finding.line);
  const std::string index = only_index(line, finding.variable);
  if (finding.kind != FindingKind::out_of_bounds || index.empty()) {
    return {};
  }
  std::string text;
  for (const SourceFile& source : sources) {
    text += source.text;
  }
  const auto values =
      values_of(Definer(finding, std::move(text), local_size), index, finding.outside);
  std::string whole = index + " = " + std::to_string(finding.outside);
  for (std::size_t n = 0; n < values.size(); ++n) {
    whole += (n == 0 ? " (" : ", ") + values[n];
  }
  return values.empty() ? whole : whole + ")";
}

}  // namespace core
