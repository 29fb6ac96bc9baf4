// A thread-safe map from handles of the program to the records of the layer.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace capture {

/// Handles are pointers or 64-bit numbers.
template <class Handle>
std::uint64_t number_of(Handle handle) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,google-readability-casting)
  return reinterpret_cast<std::uint64_t>(handle);
}

/// Objects by handle. Recorded launches share the objects, so that a launch stays complete after
/// the program has destroyed a handle.
template <class Handle, class Object>
class Registry {
 public:
  std::shared_ptr<Object> add(Handle handle, std::shared_ptr<Object> object) {
    const std::unique_lock lock(mutex_);
    objects_[number_of(handle)] = object;
    return object;
  }
  /// Null if the handle is not known.
  [[nodiscard]] std::shared_ptr<Object> find(Handle handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = objects_.find(number_of(handle));
    return found == objects_.end() ? nullptr : found->second;
  }
  /// Forgets the handle and returns its object. Null if it was not known.
  std::shared_ptr<Object> take(Handle handle) {
    const std::unique_lock lock(mutex_);
    const auto node = objects_.extract(number_of(handle));
    return node ? node.mapped() : nullptr;
  }
  void clear() {
    const std::unique_lock lock(mutex_);
    objects_.clear();
  }
  /// Forgets the objects that `which` chooses.
  template <class Which>
  void remove_if(Which which) {
    const std::unique_lock lock(mutex_);
    std::erase_if(objects_, [&](const auto& entry) { return which(*entry.second); });
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Object>> objects_;
};

}  // namespace capture
