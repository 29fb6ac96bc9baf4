#include "ui/widgets/names.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string lines_name(const std::vector<core::SourcePlace>& places, std::string_view own) {
  const std::string alone = std::filesystem::path(own).filename().string();
  std::map<std::string, std::set<std::uint32_t>> files;
  for (const core::SourcePlace& at : places) {
    const std::string file = std::filesystem::path(at.file).filename().string();
    files[file == alone ? "" : file].insert(at.line);
  }
  std::vector<std::string> texts;
  for (const auto& [file, lines] : files) {
    texts.push_back(fmt::format("{}{}line{} {}", file, file.empty() ? "" : " ",
                                lines.size() == 1 ? "" : "s", fmt::join(lines, ", ")));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string invocation_name(const std::array<std::uint32_t, 3>& invocation,
                            const std::array<std::uint32_t, 3>& local_size) {
  const auto& [x, y, z] = invocation;
  if (local_size[2] > 1) {
    return fmt::format("({}, {}, {})", x, y, z);
  }
  return local_size[1] > 1 ? fmt::format("({}, {})", x, y) : fmt::format("{}", x);
}

}  // namespace ui
