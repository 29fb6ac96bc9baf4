#include "core/provenance/element.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <numeric>

#include "core/model/instructions.h"
#include "core/provenance/traced_values.h"

namespace core {
namespace {

std::string text_of(const ElementName& element) {
  std::string text = element.name;
  for (const std::uint64_t index : element.index) {
    text += "[" + std::to_string(index) + "]";
  }
  return text;
}

// The place of an element in an array of these dimensions; one index alone counts all elements.
Expected<std::uint64_t> place_in(const ElementName& element,
                                 const std::vector<std::uint64_t>& dimensions) {
  const auto& index = element.index;
  const std::uint64_t count =
      std::accumulate(dimensions.begin(), dimensions.end(), std::uint64_t{1}, std::multiplies<>());
  const bool flat = index.size() == 1 && dimensions.size() > 1;
  if (!flat && index.size() != dimensions.size()) {
    return usage_error(
        text_of(element) + ": " + element.name + " has " + std::to_string(dimensions.size()) +
        (dimensions.size() == 1 ? " index" : " indices") + ", not " + std::to_string(index.size()));
  }
  std::uint64_t place = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    const std::uint64_t length = flat ? count : dimensions[d];
    if (index[d] >= length) {
      return usage_error(text_of(element) + ": index " + std::to_string(index[d]) + " is outside " +
                         element.name + ", which has " + std::to_string(length) + " elements");
    }
    place = place * length + index[d];
  }
  return place;
}

}  // namespace

Expected<ElementName> parse_element(const std::string& text) {
  ElementName element;
  const auto refused = [&] {
    return usage_error("\"" + text +
                       "\" is not an element; give a name and its indices, such as c[18][3]");
  };
  std::size_t at = std::min(text.find('['), text.size());
  element.name = text.substr(0, at);
  const bool named = !element.name.empty() && std::ranges::all_of(element.name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
  while (named && at < text.size() && text[at] == '[') {
    const std::size_t end = text.find(']', at);
    std::uint64_t index = 0;
    if (end == std::string::npos) {
      return refused();
    }
    const auto read = std::from_chars(text.data() + at + 1, text.data() + end, index);
    if (read.ec != std::errc() || read.ptr != text.data() + end) {
      return refused();
    }
    element.index.push_back(index);
    at = end + 1;
  }
  return named && at == text.size() ? Expected<ElementName>(std::move(element)) : refused();
}

Expected<std::optional<TracedScalar>> scalar_named(const Trace& trace,
                                                   std::span<const BufferSpec> buffers,
                                                   const ElementName& element) {
  const auto variable = std::ranges::find(trace.variables, element.name, &TracedVariable::name);
  if (variable != trace.variables.end()) {
    std::vector<std::uint64_t> dimensions(variable->dimensions.begin(), variable->dimensions.end());
    const auto place = TRY(place_in(element, dimensions));
    return TracedScalar{static_cast<std::uint32_t>(variable - trace.variables.begin()),
                        place * element_bytes(*variable)};
  }
  const auto spec = std::ranges::find(buffers, element.name, &BufferSpec::name);
  if (spec == buffers.end()) {
    return std::nullopt;
  }
  const auto binding = static_cast<std::uint32_t>(spec - buffers.begin());
  const auto place = TRY(place_in(element, {spec->rows, spec->columns}));
  const std::uint64_t row = place / spec->columns;
  const std::uint64_t column = place % spec->columns;
  const std::uint64_t stored = spec->transposed ? column * spec->rows + row : place;
  const std::uint64_t byte = stored * spec->components * bytes_of(spec->precision);
  const auto in = std::ranges::find_if(trace.variables, [&](const TracedVariable& v) {
    return v.memory == MemoryKind::global && v.binding == binding && byte >= v.address &&
           byte - v.address < v.bytes;
  });
  return in == trace.variables.end()
             ? std::optional<TracedScalar>()
             : TracedScalar{static_cast<std::uint32_t>(in - trace.variables.begin()),
                            byte - in->address};
}

}  // namespace core
