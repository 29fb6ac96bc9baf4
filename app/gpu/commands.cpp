#include <algorithm>
#include <cassert>
#include <cstring>
#include <map>

#include "gpu/device_impl.h"
#include "spirv/probes/addresses.h"

namespace gpu {
namespace {

using Stage = vk::PipelineStageFlagBits;
using Access = vk::AccessFlagBits;

// Writes the descriptors of every dispatch of a submission; lives until the submission is done.
class DescriptorSets {
 public:
  /// `owner`: whose tables of addresses its kernels are given; null: they need none.
  DescriptorSets(const vk::raii::Device& device, const Commands& commands, Device::Impl* owner)
      : device_(device), owner_(owner) {
    std::uint32_t sets = 0;
    std::map<vk::DescriptorType, std::uint32_t> counts;
    for (const Commands::Command& command : commands.list()) {
      if (const auto* dispatch = std::get_if<Commands::Dispatch>(&command)) {
        ++sets;
        for (const KernelBinding& binding : dispatch->kernel->impl().bindings) {
          ++counts[descriptor_type(binding.kind)];
        }
        if (dispatch->kernel->impl().address_table) {
          ++counts[vk::DescriptorType::eStorageBuffer];
        }
      }
    }
    std::vector<vk::DescriptorPoolSize> sizes;
    for (const auto& [type, count] : counts) {
      sizes.emplace_back(type, count);
    }
    if (sizes.empty()) {
      sizes.emplace_back(vk::DescriptorType::eStorageBuffer, 1);
    }
    pool_ = vk::raii::DescriptorPool(device, {{}, std::max(sets, 1U), sizes});
  }

  [[nodiscard]] vk::raii::DescriptorPool take() && { return std::move(pool_); }

  // The pool takes its sets along; they are not freed one by one.
  vk::DescriptorSet write(const Commands::Dispatch& dispatch) {
    const Kernel::Impl& kernel = dispatch.kernel->impl();
    assert(dispatch.buffers.size() == kernel.bindings.size());
    const vk::DescriptorSetLayout layout = *kernel.set_layout;
    const vk::DescriptorSet set =
        (*device_).allocateDescriptorSets({*pool_, layout}, *device_.getDispatcher()).front();
    std::vector<Given> given(dispatch.buffers.size());
    std::vector<vk::WriteDescriptorSet> writes;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const KernelBinding& binding = kernel.bindings[i];
      if (binding.kind != core::ResourceKind::addressed) {
        given[i] = given_of(dispatch.buffers[i]->impl());
        writes.emplace_back(set, binding.binding, binding.element, 1, descriptor_type(binding.kind),
                            &given[i].image, &given[i].buffer, &given[i].texels);
      }
    }
    Given table;
    if (kernel.address_table) {
      assert(owner_ != nullptr);
      table = given_of(owner_->address_tables.of(*owner_, dispatch.buffers));
      writes.emplace_back(set, *kernel.address_table, 0, 1, vk::DescriptorType::eStorageBuffer,
                          &table.image, &table.buffer, &table.texels);
    }
    device_.updateDescriptorSets(writes, {});
    return set;
  }

 private:
  // A write looks only at what its type asks for.
  struct Given {
    vk::DescriptorBufferInfo buffer;
    vk::DescriptorImageInfo image;
    vk::BufferView texels;
  };

  static Given given_of(const Buffer::Impl& what) {
    return {{what.handle(), what.offset, what.range_of ? what.bytes : VK_WHOLE_SIZE},
            {*what.sampler, *what.view, vk::ImageLayout::eGeneral},
            *what.texels};
  }

  const vk::raii::Device& device_;
  Device::Impl* owner_;
  vk::raii::DescriptorPool pool_{nullptr};
};

// Records commands one after the other, each waiting for the memory of those before it.
class Recorder {
 public:
  Recorder(const vk::raii::CommandBuffer& commands, DescriptorSets& sets, vk::QueryPool queries,
           bool copies_only = false)
      : commands_(commands), sets_(sets), queries_(queries), copies_only_(copies_only) {}

  void operator()(const Commands::Dispatch& dispatch) {
    const Kernel::Impl& kernel = dispatch.kernel->impl();
    commands_.bindPipeline(vk::PipelineBindPoint::eCompute, *kernel.pipeline);
    commands_.bindDescriptorSets(vk::PipelineBindPoint::eCompute, *kernel.layout, 0,
                                 sets_.write(dispatch), {});
    if (!dispatch.push_constants.empty()) {
      commands_.pushConstants<std::uint32_t>(*kernel.layout, vk::ShaderStageFlagBits::eCompute, 0,
                                             dispatch.push_constants);
    }
    const auto& [b, c] = std::pair(dispatch.base, dispatch.count);
    commands_.dispatchBase(b.x, b.y, b.z, c.x, c.y, c.z);
    barrier();
  }

  void operator()(const Commands::Copy& copy) {
    const Buffer::Impl& from = copy.from->impl();
    const Buffer::Impl& to = copy.to->impl();
    commands_.copyBuffer(
        from.handle(), to.handle(),
        vk::BufferCopy{from.offset + copy.piece.from, to.offset + copy.piece.to, copy.piece.bytes});
    if (copy.to->impl().mapped != nullptr) {
      commands_.pipelineBarrier(Stage::eTransfer, Stage::eHost, {},
                                vk::MemoryBarrier{Access::eTransferWrite, Access::eHostRead}, {},
                                {});
    }
    barrier();
  }

  void operator()(const Commands::Fill& fill) {
    const Buffer::Impl& to = fill.buffer->impl();
    commands_.fillBuffer(to.handle(), to.offset, to.range_of ? to.bytes : VK_WHOLE_SIZE, fill.word);
    barrier();
  }

  void operator()(Commands::BeginTimed) { stamp(); }
  void operator()(Commands::EndTimed) { stamp(); }

 private:
  void stamp() { commands_.writeTimestamp(Stage::eBottomOfPipe, queries_, next_query_++); }

  void barrier() {
    if (copies_only_) {
      const vk::MemoryBarrier copies{Access::eTransferWrite,
                                     Access::eTransferRead | Access::eTransferWrite};
      commands_.pipelineBarrier(Stage::eTransfer, Stage::eTransfer, {}, copies, {}, {});
      return;
    }
    const vk::MemoryBarrier all{Access::eShaderWrite | Access::eTransferWrite,
                                Access::eShaderRead | Access::eShaderWrite | Access::eTransferRead |
                                    Access::eTransferWrite};
    const auto stages = Stage::eComputeShader | Stage::eTransfer;
    commands_.pipelineBarrier(stages, stages, {}, all, {}, {});
  }

  const vk::raii::CommandBuffer& commands_;
  DescriptorSets& sets_;
  vk::QueryPool queries_;
  bool copies_only_;
  std::uint32_t next_query_ = 0;
};

std::uint32_t count_stamps(const Commands& commands) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(commands.list(), [](const Commands::Command& command) {
        return std::holds_alternative<Commands::BeginTimed>(command) ||
               std::holds_alternative<Commands::EndTimed>(command);
      }));
}

std::vector<std::uint64_t> read_stamps(const vk::raii::QueryPool& queries, std::uint32_t stamps) {
  if (stamps == 0) {
    return {};
  }
  return value_of(queries.getResults<std::uint64_t>(
      0, stamps, stamps * sizeof(std::uint64_t), sizeof(std::uint64_t),
      vk::QueryResultFlagBits::e64 | vk::QueryResultFlagBits::eWait));
}

}  // namespace

const Buffer::Impl& AddressTables::of(const Device::Impl& device,
                                      const std::vector<const Buffer*>& buffers) {
  using Flag = vk::MemoryPropertyFlagBits;
  using spirv::AddressTable;
  Ranges ranges;
  for (const Buffer* buffer : buffers) {
    if (buffer != nullptr && buffer->address() != 0) {
      ranges[buffer->address()] = buffer->bytes();
    }
  }
  const auto host = Flag::eHostVisible | Flag::eHostCoherent;
  if (!sink_) {
    sink_ = device.make_buffer(2 * spirv::kAddressSink, host,
                               vk::BufferUsageFlagBits::eShaderDeviceAddress);
    std::memset(sink_->mapped, 0, sink_->bytes);
  }
  auto& table = tables_[ranges];
  if (!table) {
    const std::size_t rows = AddressTable::row_count(static_cast<std::uint32_t>(ranges.size()));
    std::vector<std::uint64_t> words(AddressTable::rows + AddressTable::row_words * rows,
                                     ~std::uint64_t{0});
    words[AddressTable::zeros] = sink_->address;
    words[AddressTable::lost] = sink_->address + spirv::kAddressSink;
    std::size_t at = AddressTable::rows;
    const auto add = [&](std::uint64_t begin, std::uint64_t bytes) {
      words[at + AddressTable::begin] = begin;
      words[at + AddressTable::bytes] = bytes;
      at += AddressTable::row_words;
    };
    add(0, 0);
    for (const auto& [begin, bytes] : ranges) {
      add(begin, bytes);
    }
    table = device.make_buffer(words.size() * sizeof(words[0]), host);
    std::memcpy(table->mapped, words.data(), table->bytes);
  }
  return *table;
}

void AddressTables::tidy() {
  constexpr std::size_t kMost = 64;
  if (tables_.size() > kMost) {
    tables_.clear();
  }
}

vk::raii::DescriptorPool record(const vk::raii::Device& device,
                                const vk::raii::CommandBuffer& buffer, const Commands& commands,
                                bool copies_only) {
  DescriptorSets sets(device, commands, nullptr);
  Recorder recorder(buffer, sets, {}, copies_only);
  for (const Commands::Command& command : commands.list()) {
    std::visit(recorder, command);
  }
  return std::move(sets).take();
}

void Commands::dispatch(const Kernel& kernel, std::vector<const Buffer*> buffers,
                        std::vector<std::uint32_t> push_constants, glm::uvec3 base,
                        glm::uvec3 count) {
  list_.emplace_back(Dispatch{&kernel, std::move(buffers), std::move(push_constants), base, count});
}

void Commands::copy(const Buffer& from, const Buffer& to) {
  copy(from, to, {.bytes = std::min(from.bytes(), to.bytes())});
}

void Commands::copy(const Buffer& from, const Buffer& to, const Piece& piece) {
  list_.emplace_back(Copy{&from, &to, piece});
}

void Commands::fill(const Buffer& buffer, std::uint32_t word) {
  list_.emplace_back(Fill{&buffer, word});
}

void Commands::begin_timed() {
  list_.emplace_back(BeginTimed{});
}
void Commands::end_timed() {
  list_.emplace_back(EndTimed{});
}

core::Expected<std::vector<double>> Device::submit(const Commands& commands) {
  const auto stamps = TRY(submit_stamped(commands));
  std::vector<double> ms;
  for (std::size_t i = 0; i + 1 < stamps.size(); i += 2) {
    ms.push_back(static_cast<double>(stamps[i + 1] - stamps[i]) * impl_->info.timestamp_period_ns *
                 1e-6);
  }
  return ms;
}

core::Expected<std::vector<std::uint64_t>> Device::submit_stamped(const Commands& commands) {
  return guard("to run on " + impl_->info.name, [&] {
    const std::uint32_t stamps = count_stamps(commands);
    const vk::raii::QueryPool queries(impl_->device,
                                      {{}, vk::QueryType::eTimestamp, std::max(stamps, 1U)});
    impl_->address_tables.tidy();
    DescriptorSets sets(impl_->device, commands, impl_.get());
    impl_->run([&](const vk::raii::CommandBuffer& buffer) {
      buffer.resetQueryPool(*queries, 0, std::max(stamps, 1U));
      Recorder recorder(buffer, sets, *queries);
      for (const Commands::Command& command : commands.list()) {
        std::visit(recorder, command);
      }
    });
    return read_stamps(queries, stamps);
  });
}

}  // namespace gpu
