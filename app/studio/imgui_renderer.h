// Draws ImGui's lists with Vulkan, user textures included (the backend that Debian packages has
// none). One frame is in flight at a time: record() may be called once the last frame is done.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "studio/graphics.h"
#include "studio/pictures/drawing.h"
#include "ui/canvas/textures.h"

struct ImDrawData;
struct ImFontAtlas;

namespace studio {

class ImGuiRenderer final : public ui::Textures {
 public:
  /// `pass` has one colour attachment.
  ImGuiRenderer(const Graphics& graphics, const vk::raii::RenderPass& pass);

  ImTextureID image(std::string_view key, std::uint64_t version,
                    const std::function<ui::Image()>& paint) override;
  ImTextureID image(std::string_view key, std::uint64_t version, const ui::Image& kept,
                    ui::Rows changed) override;
  /// What was painted last of a texture that image() made.
  [[nodiscard]] Texels texels(std::uintptr_t texture) const;
  /// Takes the letters of fonts that were loaded over as a texture.
  void take_fonts(ImFontAtlas& atlas);

  /// Copies of textures that have changed, and of letters that the frame is the first to show;
  /// outside a render pass.
  void record_uploads(const vk::raii::CommandBuffer& commands);
  /// The lists; inside a render pass of `extent` pixels.
  void record(const vk::raii::CommandBuffer& commands, const ImDrawData& data, vk::Extent2D extent);

 private:
  struct Texture {
    std::uint64_t version = 0;
    Image image;
    vk::raii::DescriptorSet set = nullptr;
    Buffer staging;
    bool fresh = false;  ///< the image has no contents yet
    ui::Rows pending;    ///< of staging, to be copied
    bool smooth = false;
  };

  void make_layouts();
  void make_pipeline(const vk::raii::RenderPass& pass);
  [[nodiscard]] Texture& texture_of(std::string_view key);
  void put(Texture& texture, const ui::Image& pixels);
  static void put_rows(Texture& texture, std::span<const std::uint32_t> rgba, ui::Rows rows);
  ImTextureID take(const ui::compat::Letters& letters);
  void copy(const vk::raii::CommandBuffer& commands, Texture& texture) const;
  void fill_buffers(const ImDrawData& data);
  void bind(const vk::raii::CommandBuffer& commands, const ImDrawData& data,
            vk::Extent2D extent) const;
  [[nodiscard]] ImTextureID id_of(const Texture& texture) const;

  const Graphics& graphics_;
  vk::raii::Sampler sharp_ = nullptr;
  vk::raii::Sampler smooth_ = nullptr;
  vk::raii::DescriptorSetLayout set_layout_ = nullptr;
  vk::raii::PipelineLayout layout_ = nullptr;
  vk::raii::DescriptorPool sets_ = nullptr;
  vk::raii::Pipeline pipeline_ = nullptr;
  std::map<std::string, Texture, std::less<>> textures_;
  Buffer vertices_;
  Buffer indices_;
};

}  // namespace studio
