// A Vulkan device for compute: buffers, kernels, and lists of commands that are submitted and
// timed. One thread at a time may use a device and what was made from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <glm/vec3.hpp>

#include "core/base/device_info.h"
#include "core/base/error.h"
#include "core/model/pipeline_statistics.h"
#include "core/work/dispatch.h"
#include "gpu/driver.h"

namespace gpu {

/// A resource that a descriptor refers to: a storage buffer, by default in device memory, or an
/// image, texels or a sampler (Device::resource). It can be moved, and it frees its memory.
class Buffer {
 public:
  Buffer();
  Buffer(Buffer&&) noexcept;
  Buffer& operator=(Buffer&&) noexcept;
  ~Buffer();

  /// Of an image: its texels, one after the other.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Of addressed memory; else 0.
  [[nodiscard]] std::uint64_t address() const;
  /// Of an image or texels; null for others.
  [[nodiscard]] const core::ImageFormat* format() const;
  /// A host buffer's content; empty for one in device memory.
  [[nodiscard]] std::span<std::byte> host() const;
  [[nodiscard]] explicit operator bool() const { return impl_ != nullptr; }

  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  friend class Device;
  explicit Buffer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Where a kernel finds what it is given: a descriptor of set 0. Memory that is addressed has none.
struct KernelBinding {
  std::uint32_t binding = 0;
  core::ResourceKind kind = core::ResourceKind::storage_buffer;
  std::uint32_t element = 0;  ///< of an array of descriptors
};

/// Storage buffers 0, 1, 2, ...
[[nodiscard]] std::vector<KernelBinding> storage_buffers(std::size_t count);

/// What a compute pipeline is made from.
struct KernelSpec {
  std::string name;  ///< for messages
  std::span<const std::uint32_t> spirv;
  std::string entry_point = "main";
  std::map<std::uint32_t, std::uint32_t> constants;  ///< SpecId to 32-bit value
  std::vector<KernelBinding> bindings;               ///< in the order in which they are given
  std::uint32_t push_constant_bytes = 0;
  /// The float16 matrices that it multiplies are bfloat16 (DeviceInfo::bfloat16_matrix): GLSL of
  /// Debian 12 has no word for them.
  bool bfloat16 = false;
  /// It is kept inside its memory as on a robust device (DeviceOptions), wherever it runs: without
  /// its barriers as they were written it may take anything for an index.
  bool inside = false;
  /// What it reaches by addresses is kept inside the memory that it is given (spirv/probes/
  /// addresses.h) wherever it runs; on a robust device that is emulated it always is.
  bool addresses_kept = false;
  /// Its module does that itself, with the table at this binding.
  std::optional<std::uint32_t> address_table;
};

/// A compute pipeline and its layout. Moves; frees itself.
class Kernel {
 public:
  Kernel();
  Kernel(Kernel&&) noexcept;
  Kernel& operator=(Kernel&&) noexcept;
  ~Kernel();

  [[nodiscard]] explicit operator bool() const { return impl_ != nullptr; }

  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  friend class Device;
  explicit Kernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A list of commands, as plain data; submitting it records and runs it. Commands run in order,
/// each after the memory of the one before has become visible, unless `overlap` was asked for.
class Commands {
 public:
  /// `buffers` go to the kernel's bindings in their order. Workgroups [base, base + count).
  void dispatch(const Kernel& kernel, std::vector<const Buffer*> buffers,
                std::vector<std::uint32_t> push_constants, glm::uvec3 base, glm::uvec3 count);
  void copy(const Buffer& from, const Buffer& to);
  /// So many bytes, from one offset to another.
  struct Piece {
    std::uint64_t from = 0, to = 0, bytes = 0;
  };
  void copy(const Buffer& from, const Buffer& to, const Piece& piece);
  /// Every 32-bit word of the buffer becomes `word`.
  void fill(const Buffer& buffer, std::uint32_t word);
  /// Device timestamps around what is recorded between the two; sections don't nest.
  void begin_timed();
  void end_timed();

  struct Dispatch {
    const Kernel* kernel;
    std::vector<const Buffer*> buffers;
    std::vector<std::uint32_t> push_constants;
    glm::uvec3 base;
    glm::uvec3 count;
  };
  struct Copy {
    const Buffer* from;
    const Buffer* to;
    Piece piece;
  };
  struct Fill {
    const Buffer* buffer;
    std::uint32_t word;
  };
  struct BeginTimed {};
  struct EndTimed {};
  using Command = std::variant<Dispatch, Copy, Fill, BeginTimed, EndTimed>;
  [[nodiscard]] std::span<const Command> list() const { return list_; }

 private:
  std::vector<Command> list_;
};

struct DeviceOptions {
  /// Out-of-bounds buffer accesses are harmless; a little slower. For kernels that are not trusted.
  /// On a device that a driver plays in this process's memory (DeviceInfo::emulated) so are those
  /// to shared memory and to local arrays (spirv/probes/inside.h).
  bool robust = false;
  /// There, what may reach outside all the same is refused: Device::kernel is Fault::device.
  bool contained = false;
  /// Queues of their own for uploads, computation and downloads, where it has them (gpu/streams.h).
  bool streams = false;
};

class Device {
 public:
  [[nodiscard]] static core::Expected<std::unique_ptr<Device>> open(std::shared_ptr<Driver> driver,
                                                                    const core::DeviceInfo& info,
                                                                    DeviceOptions options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const core::DeviceInfo& info() const;
  [[nodiscard]] const std::shared_ptr<Driver>& driver() const;

  /// Fault::device when the memory is not there, with the size in words.
  [[nodiscard]] core::Expected<Buffer> buffer(std::uint64_t bytes, const std::string& name);
  /// What a dispatch's resource asks for; images have every texel undefined. Fault::device where
  /// the device has no such images, with the format or the extent in words.
  [[nodiscard]] core::Expected<Buffer> resource(const core::Resource& resource);
  /// A part of another buffer's memory, which must outlive it. Fault::device where the device can't
  /// bind a buffer that begins there.
  [[nodiscard]] core::Expected<Buffer> range(const Buffer& whole, std::uint64_t offset,
                                             std::uint64_t bytes, const std::string& name);
  /// In memory that the host sees (Buffer::host) and the device copies to and from at full speed.
  [[nodiscard]] core::Expected<Buffer> host_buffer(std::uint64_t bytes, const std::string& name);
  /// Fault::device where the device does not have what the module needs, with its name in words.
  [[nodiscard]] core::Expected<Kernel> kernel(KernelSpec spec);
  /// The feature of Vulkan that a module's capabilities take and this device does not have; null:
  /// it has them all.
  [[nodiscard]] const char* lacking(std::span<const std::uint32_t> spirv) const;
  /// Compiles the kernel once more, with the driver's statistics captured, and forgets it. Fault::
  /// device where the device reports none (DeviceInfo::executable_statistics).
  [[nodiscard]] core::Expected<core::PipelineStatistics> statistics(KernelSpec spec);

  /// From the start of the buffer; through a staging buffer, in pieces. Images: all their texels.
  [[nodiscard]] core::Expected<void> upload(const Buffer& to, std::span<const std::byte> data);
  [[nodiscard]] core::Expected<void> download(const Buffer& from, std::span<std::byte> data);

  /// Runs the commands and waits for them. One duration in milliseconds a timed section.
  [[nodiscard]] core::Expected<std::vector<double>> submit(const Commands& commands);
  /// The same, but what the timestamps around timed sections say, in ticks of
  /// DeviceInfo::timestamp_period_ns: two a section.
  [[nodiscard]] core::Expected<std::vector<std::uint64_t>> submit_stamped(const Commands& commands);

  struct Impl;
  [[nodiscard]] Impl& impl() const { return *impl_; }

 private:
  explicit Device(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpu
