#include "capture/files/folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "capture/files/dispatch_text.h"
#include "capture/writer.h"

namespace capture {
namespace {

constexpr std::uint64_t kKeptFree = std::uint64_t{64} << 20U;  // of the disk
constexpr std::uint64_t kMostFolders = 1'000'000;

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

bool write_file(const std::string& path, std::span<const std::byte> bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    return false;
  }
  const bool written = write_all(file, bytes);
  return ::close(file) == 0 && written;
}

std::string write_error() {
  return "the folder can't be written: " +
         std::error_code(errno, std::generic_category()).message();
}

std::span<const std::byte> content_of(const Launch& launch, const BoundResource& resource,
                                      bool after) {
  if (!resource.inline_bytes.empty()) {
    return resource.inline_bytes;
  }
  if (resource.range == BoundResource::kNoRange) {
    return {};
  }
  const CopiedRange& range = launch.ranges[resource.range];
  const auto bytes = (after ? range.after : range.before).bytes();
  return bytes.size() < resource.range_offset + resource.bytes
             ? std::span<const std::byte>()
             : bytes.subspan(resource.range_offset, resource.bytes);
}

// In the order of the components that the folder's format has.
std::vector<std::byte> in_order(std::span<const std::byte> bytes, const BoundResource& resource) {
  std::vector<std::byte> ordered(bytes.begin(), bytes.end());
  if (resource.format != nullptr && resource.format->reversed) {
    for (std::size_t texel = 0; texel + 4 <= ordered.size(); texel += 4) {
      std::swap(ordered[texel], ordered[texel + 2]);
    }
  }
  return ordered;
}

std::uint64_t filter_number(const BoundResource& resource) {
  return !resource.sampler
             ? 0
             : (resource.sampler->nearest ? 1 : 2) + (resource.sampler->unnormalized ? 4 : 0);
}

void add_launch(Hash& hash, const Launch& launch, const std::array<std::uint32_t, 3>& groups,
                bool contents) {
  hash.add(launch.pipeline->hash);
  for (const std::uint32_t count : groups) {
    hash.add(count);
  }
  hash.add(launch.push);
  const auto places = memory_places(launch);
  for (std::size_t i = 0; i < launch.resources.size(); ++i) {
    const BoundResource& resource = launch.resources[i];
    hash.add(resource.set);
    hash.add(resource.binding);
    hash.add(resource.element);
    hash.add(static_cast<std::uint64_t>(resource.type));
    hash.add(resource.bytes);
    hash.add(resource.extent);
    hash.add(resource.format != nullptr ? resource.format->name : std::string_view());
    hash.add(places[i].memory);
    hash.add(places[i].offset);
    hash.add(filter_number(resource));
    if (contents) {
      hash.add(content_of(launch, resource, false));
    }
  }
}

std::array<std::uint32_t, 3> groups_of(const Launch& launch) {
  std::array<std::uint32_t, 3> groups = launch.groups;
  if (launch.indirect) {
    std::memcpy(groups.data(), launch.indirect.bytes().data(), sizeof groups);
  }
  return groups;
}

}  // namespace

void Hash::add(std::uint64_t number) {
  a_ = (a_ ^ number) * 0x9FB21C651E98DF25;
  a_ ^= a_ >> 32U;
  b_ = (b_ + number) * 0xD6E8FEB86659FD93;
  b_ ^= b_ >> 29U;
}

void Hash::add(std::span<const std::byte> bytes) {
  add(bytes.size());
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    add(word);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) {
    std::memcpy(&rest, bytes.data(), bytes.size());
  }
  add(rest);
}

void Hash::add(std::string_view text) {
  add(bytes_of(text));
}

void CaptureFolder::append(const std::string& block) {
  if (index_ < 0) {
    index_ = ::open((options_.folder + "/launches.toml").c_str(),
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  if (index_ >= 0) {
    // One call: processes append to one file.
    write_all(index_, bytes_of(block));
  }
}

void CaptureFolder::write(const Submission& submission, const SubmittedLaunch& submitted) {
  const std::scoped_lock lock(mutex_);
  const Launch& launch = *submitted.launch;
  const std::string& refused = submitted.refused.empty() ? launch.refused : submitted.refused;
  const auto groups = groups_of(launch);
  Stored stored;
  if (launch.selected) {
    stored = refused.empty() ? store(launch, groups) : Stored{"", refused};
  }
  captured_ += stored.folder.empty() ? 0 : 1;
  ++launches_;
  append(index_block({.number = submitted.number,
                      .process = static_cast<std::uint64_t>(::getpid()),
                      .seconds = static_cast<double>(submission.time_ns - options_.start_ns) * 1e-9,
                      .family = submission.family,
                      .queue = submission.queue,
                      .groups = groups,
                      .folder = stored.folder,
                      .reason = stored.refused},
                     launch));
}

void CaptureFolder::write_totals(std::uint64_t waited_ns) {
  const std::scoped_lock lock(mutex_);
  if (launches_ == totals_of_) {
    return;
  }
  totals_of_ = launches_;
  append(totals_block(static_cast<std::uint64_t>(::getpid()), launches_, captured_, bytes_,
                      static_cast<double>(waited_ns) * 1e-9));
}

CaptureFolder::Stored CaptureFolder::store(const Launch& launch,
                                           const std::array<std::uint32_t, 3>& groups) {
  if (std::ranges::find(groups, 0U) != groups.end()) {
    return {"", "the dispatch has 0 workgroups"};
  }
  Hash hash;
  add_launch(hash, launch, groups, options_.contents);
  if (const auto found = known_.find(hash.value()); found != known_.end()) {
    return {found->second, ""};
  }
  Stored stored = write_launch(launch, groups);
  if (stored.refused.empty()) {
    known_.emplace(hash.value(), stored.folder);
  }
  return stored;
}

CaptureFolder::Stored CaptureFolder::write_launch(const Launch& launch,
                                                  const std::array<std::uint32_t, 3>& groups) {
  std::uint64_t needed = 0;
  for (const BoundResource& resource : launch.resources) {
    needed +=
        content_of(launch, resource, false).size() + content_of(launch, resource, true).size();
  }
  if (options_.contents && bytes_ + needed > options_.max_bytes) {
    return {"", "--max-bytes is reached"};
  }
  needed += launch.pipeline->module->words.size() * 4;
  struct statvfs disk{};
  if (::statvfs(options_.folder.c_str(), &disk) == 0 &&
      std::uint64_t{disk.f_bavail} * disk.f_frsize < needed + kKeptFree) {
    return {"", "the disk is full"};
  }
  std::string name;
  for (; next_ < kMostFolders; ++next_) {
    name = "launch-" + std::to_string(next_);
    if (::mkdir((options_.folder + "/" + name).c_str(), 0700) == 0) {
      break;
    }
    if (errno != EEXIST) {  // another process has the number
      return {"", write_error()};
    }
  }
  if (next_ == kMostFolders) {
    return {"", "the capture has too many distinct launches"};
  }
  const std::string path = options_.folder + "/" + name + "/";
  const std::vector<std::uint32_t> words = module_words(*launch.pipeline);
  bool written = write_file(path + "module.spv", std::as_bytes(std::span(words)));
  std::vector<Contents> contents(launch.resources.size());
  for (std::size_t i = 0; options_.contents && i < launch.resources.size(); ++i) {
    const BoundResource& resource = launch.resources[i];
    const auto before = content_of(launch, resource, false);
    const auto after = content_of(launch, resource, true);
    if (before.empty()) {
      continue;
    }
    contents[i].before = place_of(resource) + ".bin";
    written = written && write_file(path + contents[i].before, in_order(before, resource));
    bytes_ += before.size();
    // Another binding may have written the same memory.
    if (after.size() == before.size() && !std::ranges::equal(before, after)) {
      contents[i].after = place_of(resource) + ".after.bin";
      written = written && write_file(path + contents[i].after, in_order(after, resource));
      bytes_ += after.size();
    }
  }
  // A folder is a dispatch folder once it has this file.
  const std::string text = dispatch_text(launch, groups, contents);
  written = written && write_file(path + "dispatch.toml.part", bytes_of(text)) &&
            ::rename((path + "dispatch.toml.part").c_str(), (path + "dispatch.toml").c_str()) == 0;
  if (!written) {
    return {"", write_error()};
  }
  return {name, ""};
}

}  // namespace capture
