#include "ui/widgets/names.h"

#include <vector>

namespace ui {
namespace {

// Where each of its characters begins, and its end.
std::vector<std::size_t> characters(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      starts.push_back(i);
    }
  }
  starts.push_back(text.size());
  return starts;
}

}  // namespace

std::string shorten_name(const Canvas& canvas, std::string_view name, float width, const Pen& pen) {
  if (canvas.width(name, pen) <= width) {
    return std::string(name);
  }
  const std::vector<std::size_t> at = characters(name);
  for (std::size_t kept = at.size() - 1; kept > 2; --kept) {
    const std::size_t tail = kept / 2;
    const std::string shorter = std::string(name.substr(0, at[kept - tail])) + "…" +
                                std::string(name.substr(at[at.size() - 1 - tail]));
    if (canvas.width(shorter, pen) <= width) {
      return shorter;
    }
  }
  return "…";
}

}  // namespace ui
