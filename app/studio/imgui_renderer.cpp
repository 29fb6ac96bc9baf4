#include "studio/imgui_renderer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include <glm/vec2.hpp>
#include <shaderc/shaderc.hpp>

namespace studio {
namespace {

constexpr std::uint32_t kMostTextures = 128;

constexpr const char* kVertexShader = R"(#version 450
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 colour;
layout(push_constant) uniform Place { vec2 scale; vec2 shift; };
layout(location = 0) out vec2 out_uv;
layout(location = 1) out vec4 out_colour;
void main() {
  out_uv = uv;
  out_colour = colour;
  gl_Position = vec4(position * scale + shift, 0.0, 1.0);
})";

constexpr const char* kFragmentShader = R"(#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 out_colour;
void main() { out_colour = colour * texture(picture, uv); })";

vk::raii::ShaderModule compile(const vk::raii::Device& device, const char* source,
                               shaderc_shader_kind kind) {
  const shaderc::Compiler compiler;
  const auto result = compiler.CompileGlslToSpv(source, kind, "interface");
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    throw std::runtime_error("the shader that draws the interface does not compile: " +
                             result.GetErrorMessage());
  }
  const std::vector<std::uint32_t> words(result.cbegin(), result.cend());
  return {device, vk::ShaderModuleCreateInfo({}, words)};
}

vk::raii::Sampler make_sampler(const vk::raii::Device& device, vk::Filter magnified) {
  vk::SamplerCreateInfo info;
  info.setMagFilter(magnified).setMinFilter(vk::Filter::eLinear);
  info.setAddressModeU(vk::SamplerAddressMode::eClampToEdge)
      .setAddressModeV(vk::SamplerAddressMode::eClampToEdge)
      .setAddressModeW(vk::SamplerAddressMode::eClampToEdge);
  return {device, info};
}

// Grown by half again, so that a list that grows slowly does not make a new buffer a frame.
void reserve(const Graphics& graphics, Buffer& buffer, std::size_t bytes,
             vk::BufferUsageFlags usage) {
  if (buffer.size < bytes) {
    buffer = graphics.make_buffer(bytes + bytes / 2 + 4096, usage);
  }
}

}  // namespace

ImGuiRenderer::ImGuiRenderer(const Graphics& graphics, const vk::raii::RenderPass& pass)
    : graphics_(graphics) {
  make_layouts();
  make_pipeline(pass);
}

void ImGuiRenderer::make_layouts() {
  const vk::raii::Device& device = graphics_.device();
  sharp_ = make_sampler(device, vk::Filter::eNearest);
  smooth_ = make_sampler(device, vk::Filter::eLinear);
  const vk::DescriptorSetLayoutBinding binding(0, vk::DescriptorType::eCombinedImageSampler, 1,
                                               vk::ShaderStageFlagBits::eFragment);
  set_layout_ = {device, vk::DescriptorSetLayoutCreateInfo({}, binding)};
  const vk::PushConstantRange place(vk::ShaderStageFlagBits::eVertex, 0, 4 * sizeof(float));
  layout_ = {device, vk::PipelineLayoutCreateInfo({}, *set_layout_, place)};
  const vk::DescriptorPoolSize size(vk::DescriptorType::eCombinedImageSampler, kMostTextures);
  sets_ = {device, vk::DescriptorPoolCreateInfo(
                       vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet, kMostTextures, size)};
}

void ImGuiRenderer::make_pipeline(const vk::raii::RenderPass& pass) {
  const vk::raii::Device& device = graphics_.device();
  const auto vertex = compile(device, kVertexShader, shaderc_vertex_shader);
  const auto fragment = compile(device, kFragmentShader, shaderc_fragment_shader);
  const std::array stages{
      vk::PipelineShaderStageCreateInfo({}, vk::ShaderStageFlagBits::eVertex, *vertex, "main"),
      vk::PipelineShaderStageCreateInfo({}, vk::ShaderStageFlagBits::eFragment, *fragment, "main")};
  const vk::VertexInputBindingDescription binding(0, sizeof(ImDrawVert));
  const std::array attributes{vk::VertexInputAttributeDescription(0, 0, vk::Format::eR32G32Sfloat,
                                                                  offsetof(ImDrawVert, pos)),
                              vk::VertexInputAttributeDescription(1, 0, vk::Format::eR32G32Sfloat,
                                                                  offsetof(ImDrawVert, uv)),
                              vk::VertexInputAttributeDescription(2, 0, vk::Format::eR8G8B8A8Unorm,
                                                                  offsetof(ImDrawVert, col))};
  const vk::PipelineVertexInputStateCreateInfo input({}, binding, attributes);
  const vk::PipelineInputAssemblyStateCreateInfo assembly({}, vk::PrimitiveTopology::eTriangleList);
  const vk::PipelineViewportStateCreateInfo viewport({}, 1, nullptr, 1, nullptr);
  vk::PipelineRasterizationStateCreateInfo raster;
  raster.setLineWidth(1.0F);
  const vk::PipelineMultisampleStateCreateInfo samples({}, vk::SampleCountFlagBits::e1);
  using Factor = vk::BlendFactor;
  using Channel = vk::ColorComponentFlagBits;
  const vk::PipelineColorBlendAttachmentState over(
      VK_TRUE, Factor::eSrcAlpha, Factor::eOneMinusSrcAlpha, vk::BlendOp::eAdd, Factor::eOne,
      Factor::eOneMinusSrcAlpha, vk::BlendOp::eAdd,
      Channel::eR | Channel::eG | Channel::eB | Channel::eA);
  const vk::PipelineColorBlendStateCreateInfo blend({}, VK_FALSE, vk::LogicOp::eCopy, over);
  const std::array dynamic{vk::DynamicState::eViewport, vk::DynamicState::eScissor};
  const vk::PipelineDynamicStateCreateInfo dynamics({}, dynamic);
  const vk::GraphicsPipelineCreateInfo info({}, stages, &input, &assembly, nullptr, &viewport,
                                            &raster, &samples, nullptr, &blend, &dynamics, *layout_,
                                            *pass);
  pipeline_ = {device, nullptr, info};
}

ImTextureID ImGuiRenderer::id_of(const Texture& texture) const {
  return ui::compat::texture_id(reinterpret_cast<std::uintptr_t>(&texture));
}

ImTextureID ImGuiRenderer::image(std::string_view key, std::uint64_t version,
                                 const std::function<ui::Image()>& paint) {
  Texture& texture = texture_of(key);
  if (texture.version != version) {
    put(texture, paint());
    texture.version = version;
  }
  return id_of(texture);
}

ImTextureID ImGuiRenderer::image(std::string_view key, std::uint64_t version, const ui::Image& kept,
                                 ui::Rows changed) {
  Texture& texture = texture_of(key);
  const bool same = texture.image.extent == vk::Extent2D(kept.width, kept.height);
  if (texture.version + 1 == version && same && texture.smooth == kept.smooth) {
    put_rows(texture, kept.rgba, changed);
  } else if (texture.version != version) {
    put(texture, kept);
  }
  texture.version = version;
  return id_of(texture);
}

ImGuiRenderer::Texture& ImGuiRenderer::texture_of(std::string_view key) {
  const auto found = textures_.find(key);
  return found != textures_.end() ? found->second : textures_[std::string(key)];
}

Texels ImGuiRenderer::texels(std::uintptr_t texture) const {
  const Texture& known = *reinterpret_cast<const Texture*>(texture);
  const vk::Extent2D extent = known.image.extent;
  Texels texels{{extent.width, extent.height, {}}, known.smooth};
  texels.picture.rgba.resize(std::size_t{extent.width} * extent.height);
  std::memcpy(texels.picture.rgba.data(), known.staging.mapped,
              texels.picture.rgba.size() * sizeof(std::uint32_t));
  return texels;
}

void ImGuiRenderer::take_fonts(ImFontAtlas& atlas) {
  ui::compat::take_loaded(atlas, [this](const auto& letters) { return take(letters); });
}

ImTextureID ImGuiRenderer::take(const ui::compat::Letters& letters) {
  const std::string key = "fonts " + std::to_string(letters.texture);
  if (letters.rgba == nullptr) {
    textures_.erase(key);
    return {};
  }
  Texture& texture = textures_[key];
  const std::span words(reinterpret_cast<const std::uint32_t*>(letters.rgba),
                        std::size_t{letters.width} * letters.height);
  if (letters.first_row == 0 && letters.last_row == letters.height) {
    put(texture, {letters.width, letters.height, {words.begin(), words.end()}, true});
  } else {
    put_rows(texture, words, {letters.first_row, letters.last_row});
  }
  return id_of(texture);
}

void ImGuiRenderer::put(Texture& texture, const ui::Image& pixels) {
  const vk::Extent2D extent{std::max(pixels.width, 1U), std::max(pixels.height, 1U)};
  const std::size_t bytes = std::size_t{extent.width} * extent.height * sizeof(std::uint32_t);
  if (!*texture.set) {
    texture.set = std::move(vk::raii::DescriptorSets(
        graphics_.device(), vk::DescriptorSetAllocateInfo(*sets_, *set_layout_))[0]);
  }
  if (texture.image.extent != extent || texture.smooth != pixels.smooth) {
    texture.smooth = pixels.smooth;
    texture.image = graphics_.make_image(
        extent, vk::ImageUsageFlagBits::eSampled | vk::ImageUsageFlagBits::eTransferDst);
    texture.fresh = true;
    const vk::DescriptorImageInfo info(texture.smooth ? *smooth_ : *sharp_, *texture.image.view,
                                       vk::ImageLayout::eShaderReadOnlyOptimal);
    const vk::WriteDescriptorSet write(*texture.set, 0, 0,
                                       vk::DescriptorType::eCombinedImageSampler, info);
    graphics_.device().updateDescriptorSets(write, {});
  }
  if (texture.staging.size < bytes) {
    texture.staging = graphics_.make_buffer(bytes, vk::BufferUsageFlagBits::eTransferSrc);
  }
  texture.pending = {};
  put_rows(texture, pixels.rgba, {0, extent.height});
}

void ImGuiRenderer::put_rows(Texture& texture, std::span<const std::uint32_t> rgba, ui::Rows rows) {
  const std::size_t row = texture.image.extent.width;
  const std::size_t first = std::min(rows.first * row, rgba.size());
  const std::size_t last = std::min(rows.last * row, rgba.size());
  if (rows.first >= rows.last) {
    return;
  }
  std::ranges::copy(rgba.subspan(first, last - first),
                    static_cast<std::uint32_t*>(texture.staging.mapped) + first);
  const bool waits = texture.pending.first < texture.pending.last;
  texture.pending = {waits ? std::min(texture.pending.first, rows.first) : rows.first,
                     std::max(texture.pending.last, rows.last)};
}

void ImGuiRenderer::record_uploads(const vk::raii::CommandBuffer& commands) {
  ui::compat::take_drawn([this](const auto& letters) { return take(letters); });
  for (auto& [key, texture] : textures_) {
    if (texture.pending.first < texture.pending.last) {
      copy(commands, texture);
      texture.pending = {};
      texture.fresh = false;
    }
  }
}

void ImGuiRenderer::copy(const vk::raii::CommandBuffer& commands, Texture& texture) const {
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  using Layout = vk::ImageLayout;
  const vk::ImageMemoryBarrier before(
      texture.fresh ? vk::AccessFlags() : Access::eShaderRead, Access::eTransferWrite,
      texture.fresh ? Layout::eUndefined : Layout::eShaderReadOnlyOptimal,
      Layout::eTransferDstOptimal, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED,
      *texture.image.handle, whole_image);
  commands.pipelineBarrier(Stage::eFragmentShader, Stage::eTransfer, {}, {}, {}, before);
  const std::uint32_t width = texture.image.extent.width;
  const ui::Rows rows = texture.pending;
  const vk::DeviceSize start = vk::DeviceSize{rows.first} * width * sizeof(std::uint32_t);
  const vk::BufferImageCopy region(start, 0, 0, {vk::ImageAspectFlagBits::eColor, 0, 0, 1},
                                   {0, static_cast<std::int32_t>(rows.first), 0},
                                   {width, rows.last - rows.first, 1});
  commands.copyBufferToImage(*texture.staging.handle, *texture.image.handle,
                             Layout::eTransferDstOptimal, region);
  const vk::ImageMemoryBarrier after(Access::eTransferWrite, Access::eShaderRead,
                                     Layout::eTransferDstOptimal, Layout::eShaderReadOnlyOptimal,
                                     VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED,
                                     *texture.image.handle, whole_image);
  commands.pipelineBarrier(Stage::eTransfer, Stage::eFragmentShader, {}, {}, {}, after);
}

void ImGuiRenderer::fill_buffers(const ImDrawData& data) {
  const auto vertices = static_cast<std::size_t>(data.TotalVtxCount);
  const auto indices = static_cast<std::size_t>(data.TotalIdxCount);
  reserve(graphics_, vertices_, vertices * sizeof(ImDrawVert),
          vk::BufferUsageFlagBits::eVertexBuffer);
  reserve(graphics_, indices_, indices * sizeof(ImDrawIdx), vk::BufferUsageFlagBits::eIndexBuffer);
  auto* vertex = static_cast<ImDrawVert*>(vertices_.mapped);
  auto* index = static_cast<ImDrawIdx*>(indices_.mapped);
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    vertex = std::copy(list.VtxBuffer.begin(), list.VtxBuffer.end(), vertex);
    index = std::copy(list.IdxBuffer.begin(), list.IdxBuffer.end(), index);
  }
}

void ImGuiRenderer::bind(const vk::raii::CommandBuffer& commands, const ImDrawData& data,
                         vk::Extent2D extent) const {
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline_);
  commands.bindVertexBuffers(0, *vertices_.handle, {0});
  commands.bindIndexBuffer(
      *indices_.handle, 0,
      sizeof(ImDrawIdx) == 2 ? vk::IndexType::eUint16 : vk::IndexType::eUint32);
  commands.setViewport(0, vk::Viewport(0.0F, 0.0F, static_cast<float>(extent.width),
                                       static_cast<float>(extent.height), 0.0F, 1.0F));
  const glm::vec2 scale{2.0F / data.DisplaySize.x, 2.0F / data.DisplaySize.y};
  const std::array<float, 4> place{scale.x, scale.y, -1.0F - data.DisplayPos.x * scale.x,
                                   -1.0F - data.DisplayPos.y * scale.y};
  commands.pushConstants<float>(*layout_, vk::ShaderStageFlagBits::eVertex, 0, place);
}

void ImGuiRenderer::record(const vk::raii::CommandBuffer& commands, const ImDrawData& data,
                           vk::Extent2D extent) {
  if (data.TotalVtxCount == 0) {
    return;
  }
  fill_buffers(data);
  bind(commands, data, extent);
  std::uint32_t first_index = 0;
  std::int32_t first_vertex = 0;
  const Texture* bound = nullptr;
  const auto clip = [](float value, std::uint32_t most) {
    return static_cast<std::int32_t>(std::clamp(value, 0.0F, static_cast<float>(most)));
  };
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const std::int32_t x0 = clip(command.ClipRect.x, extent.width);
      const std::int32_t y0 = clip(command.ClipRect.y, extent.height);
      const std::int32_t x1 = clip(command.ClipRect.z, extent.width);
      const std::int32_t y1 = clip(command.ClipRect.w, extent.height);
      if (command.UserCallback != nullptr || x1 <= x0 || y1 <= y0 || command.ElemCount == 0) {
        continue;
      }
      commands.setScissor(0, vk::Rect2D({x0, y0}, {static_cast<std::uint32_t>(x1 - x0),
                                                   static_cast<std::uint32_t>(y1 - y0)}));
      const auto* texture = reinterpret_cast<const Texture*>(
          ui::compat::texture_value(ui::compat::texture_of(command)));
      if (texture != bound) {
        commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, *texture->set,
                                    {});
        bound = texture;
      }
      commands.drawIndexed(command.ElemCount, 1, first_index + command.IdxOffset,
                           first_vertex + static_cast<std::int32_t>(command.VtxOffset), 0);
    }
    first_index += static_cast<std::uint32_t>(list.IdxBuffer.Size);
    first_vertex += list.VtxBuffer.Size;
  }
}

}  // namespace studio
