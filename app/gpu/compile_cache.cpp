#include "gpu/compile_cache.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/files.h"

namespace gpu {
namespace {

constexpr std::size_t kMostResults = 1000;
constexpr std::string_view kFrontEnd = TILESCOPE_FRONT_END;  // another one has other results

// Texts of any bytes behind each other: the length of each, a line's end, the text.
void append(std::string& file, std::string_view text) {
  file += std::to_string(text.size()) + "\n";
  file += text;
}

// Returns nothing if the file is not such texts.
std::optional<std::vector<std::string_view>> texts_of(std::string_view file) {
  std::vector<std::string_view> texts;
  while (!file.empty()) {
    std::size_t length = 0;
    const auto [end, failed] = std::from_chars(file.data(), file.data() + file.size(), length);
    const auto digits = static_cast<std::size_t>(end - file.data());
    if (failed != std::errc() || digits == file.size() || *end != '\n' ||
        length > file.size() - digits - 1) {
      return std::nullopt;
    }
    texts.push_back(file.substr(digits + 1, length));
    file.remove_prefix(digits + 1 + length);
  }
  return texts;
}

// A result's file: front end, fingerprint of what follows, call, output, warnings; then five
// texts for each lookup of an included file.
constexpr std::size_t kHead = 5;
constexpr std::size_t kOfLookup = 5;

}  // namespace

CompileCache::CompileCache(std::string call)
    : call_(std::move(call)), file_(core::cache_file("compiled")) {
  if (!file_.empty()) {
    file_ /= core::fingerprint(call_);
  }
}

std::optional<FrontEndResult> CompileCache::find(Includer& includer) const {
  const auto content = file_.empty() ? core::usage_error("") : core::read_file(file_);
  const auto texts = content ? texts_of(*content) : std::nullopt;
  if (!texts || texts->size() < kHead || (texts->size() - kHead) % kOfLookup != 0 ||
      (*texts)[0] != kFrontEnd || (*texts)[2] != call_ ||
      (*texts)[1] !=
          core::fingerprint(std::string_view(
              (*texts)[2].data(), content->data() + content->size() - (*texts)[2].data()))) {
    return std::nullopt;
  }
  for (std::size_t at = kHead; at < texts->size(); at += kOfLookup) {
    const auto* const text = &(*texts)[at];
    const auto file =
        includer.take(std::string(text[0]), text[1] == "quoted", std::string(text[2]), 1);
    if (!file || (*file)->path != text[3] || (*file)->text != text[4]) {
      return std::nullopt;
    }
  }
  return FrontEndResult{std::string((*texts)[3]), std::string((*texts)[4])};
}

void CompileCache::keep(const FrontEndResult& result, const SourceFiles& sources) const {
  if (file_.empty()) {
    return;
  }
  std::string body;
  append(body, call_);
  const std::size_t start = body.size() - call_.size();
  append(body, result.output);
  append(body, result.warnings);
  for (const Lookup& lookup : sources.lookups) {
    const auto file = std::find_if(sources.files.begin() + 1, sources.files.end(),
                                   [&](const auto& f) { return f.path == lookup.path; });
    append(body, lookup.requested);
    append(body, lookup.quoted ? "quoted" : "angled");
    append(body, lookup.requesting);
    append(body, file->path);
    append(body, file->text);
  }
  std::string content;
  append(content, kFrontEnd);
  append(content, core::fingerprint(std::string_view(body).substr(start)));
  content += body;
  std::error_code failed;
  std::filesystem::create_directories(file_.parent_path(), failed);
  if (core::write_file(file_, std::as_bytes(std::span(content)))) {
    core::keep_newest(file_.parent_path(), kMostResults);
  }
}

}  // namespace gpu
