#include "lab/ready/answers.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace lab {
namespace {

bool is_small(const core::HostBuffers& answer) {
  return std::accumulate(answer.begin(), answer.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& words) {
                           return sum + words.size() * sizeof(float);
                         }) <= Answers::kMostKept;
}

// Bytes that were given are the same where they lie in the same place: what is kept owns them.
bool same_content(const core::Content& a, const core::Content& b) {
  return a.fill == b.fill && a.bytes.data() == b.bytes.data() && a.bytes.size() == b.bytes.size() &&
         a.owner == b.owner;
}

bool same_resource(const core::Resource& a, const core::Resource& b) {
  return a.set == b.set && a.binding == b.binding && a.element == b.element && a.name == b.name &&
         a.kind == b.kind && a.written == b.written && a.bytes == b.bytes && a.words == b.words &&
         a.image == b.image && a.nearest == b.nearest && a.compares == b.compares &&
         a.address_at.resource == b.address_at.resource &&
         a.address_at.offset == b.address_at.offset && same_content(a.content, b.content);
}

bool same_launch(const core::Dispatch& a, const core::Dispatch& b) {
  return a.module == b.module && a.constants == b.constants && a.barriers == b.barriers &&
         a.push_constants == b.push_constants && a.groups == b.groups &&
         std::ranges::equal(a.resources, b.resources, same_resource);
}

bool same_words(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace

const core::HostBuffers* Answers::of(const std::vector<core::Dispatch>& launches,
                                     std::uint64_t seed,
                                     const std::shared_ptr<const void>& data) const {
  const bool same = reference_ && reference_->seed == seed &&
                    reference_->has_data == (data != nullptr) && reference_->data.lock() == data &&
                    std::ranges::equal(reference_->launches, launches, same_launch);
  return same ? &reference_->answer : nullptr;
}

void Answers::keep(std::vector<core::Dispatch> launches, std::uint64_t seed,
                   const std::shared_ptr<const void>& data, core::HostBuffers answer) {
  reference_.reset();
  if (is_small(answer)) {
    reference_ = {std::move(launches), seed, data != nullptr, data, std::move(answer)};
  }
}

const Answers::Judged* Answers::found(const std::shared_ptr<const void>& data,
                                      const core::HostBuffers& answer) const {
  const bool same = found_ && found_->data.lock() == data &&
                    std::ranges::equal(found_->answer, answer, same_words);
  return same ? &found_->judged : nullptr;
}

void Answers::keep_found(const std::shared_ptr<const void>& data, core::HostBuffers answer,
                         Judged judged) {
  found_.reset();
  if (is_small(answer)) {
    found_ = {data, std::move(answer), std::move(judged)};
  }
}

}  // namespace lab
