#include "studio/pictures/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "ui/canvas/imgui_compat.h"

namespace studio {
namespace {

constexpr float kSameLine = 0.1F;   // pixels, between the tops of letters of one stretch
constexpr float kSamePlace = 0.6F;  // between where a pen is and where it was left
constexpr int kMostSpaces = 8;      // more are a gap between two columns

void append(std::string& text, char32_t code) {
  const auto c = static_cast<std::uint32_t>(code);
  const auto byte = [&text](std::uint32_t value) { text += static_cast<char>(value); };
  if (c < 0x80U) {
    byte(c);
  } else if (c < 0x800U) {
    byte(0xC0U | c >> 6U);
    byte(0x80U | (c & 0x3FU));
  } else {
    byte(0xE0U | c >> 12U);
    byte(0x80U | (c >> 6U & 0x3FU));
    byte(0x80U | (c & 0x3FU));
  }
}

// Which letter of which font a piece of the atlas shows.
class Letters {
 public:
  explicit Letters(const ui::Fonts& fonts) {
    const std::array faces{std::pair{fonts.text, Face::text}, std::pair{fonts.title, Face::title},
                           std::pair{fonts.mono, Face::mono}};
    for (const auto& [font, face] : faces) {
      for (const ImFontGlyph& glyph : ui::compat::glyphs(*font)) {
        if (glyph.Visible != 0) {
          known_.push_back({&glyph, font, face, ui::compat::space_width(*font)});
        }
      }
    }
    std::ranges::sort(known_, {}, &Known::order);
  }

  struct Known {
    const ImFontGlyph* glyph = nullptr;
    ImFont* font = nullptr;
    Face face = Face::text;
    float space = 0.0F;
    [[nodiscard]] std::pair<float, float> order() const { return {glyph->V0, glyph->U0}; }
  };

  // Pieces that are cut off at a side are the letter all the same.
  [[nodiscard]] const Known* at(ImVec2 low, ImVec2 high) const {
    const std::pair from{low.y, low.x};
    const auto exact = std::ranges::lower_bound(known_, from, {}, &Known::order);
    if (exact != known_.end() && exact->order() == from) {
      return &*exact;
    }
    const ImVec2 m{0.5F * (low.x + high.x), 0.5F * (low.y + high.y)};
    const auto around = std::ranges::find_if(known_, [m](const Known& k) {
      return k.glyph->U0 <= m.x && m.x <= k.glyph->U1 && k.glyph->V0 <= m.y && m.y <= k.glyph->V1;
    });
    return around != known_.end() ? &*around : nullptr;
  }

 private:
  std::vector<Known> known_;
};

// A fan of triangles around its first corner, which is how ImGui fills what is convex.
using Fan = std::vector<const ImDrawVert*>;

class Reader {
 public:
  Reader(const ImDrawData& data, const ui::Fonts& fonts, const TexelsOf& texels_of)
      : data_(data), texels_of_(texels_of), letters_(fonts) {
    drawing_.size = {data.DisplaySize.x, data.DisplaySize.y};
  }

  Drawing read() {
    for (int i = 0; i < data_.CmdListsCount; ++i) {
      const ImDrawList& list = *data_.CmdLists[i];
      for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.UserCallback == nullptr) {
          read(list, command);
        }
      }
    }
    return std::move(drawing_);
  }

 private:
  void read(const ImDrawList& list, const ImDrawCmd& command) {
    clip_ =
        ui::Rect{{command.ClipRect.x, command.ClipRect.y}, {command.ClipRect.z, command.ClipRect.w}}
            .clipped({{0.0F, 0.0F}, drawing_.size});
    if (clip_.empty()) {
      return;
    }
    const auto texture = ui::compat::texture_value(ui::compat::texture_of(command));
    const bool fonts = texture == ui::compat::texture_value(ui::compat::fonts_texture());
    const auto vertex = [&](unsigned int i) {
      const ImDrawIdx index = list.IdxBuffer[static_cast<int>(command.IdxOffset + i)];
      return &list.VtxBuffer[static_cast<int>(command.VtxOffset + index)];
    };
    fresh_ = true;  // another command's shapes are not of one area with the last one's
    for (unsigned int i = 0; i + 2 < command.ElemCount;) {
      Fan fan{vertex(i), vertex(i + 1), vertex(i + 2)};
      for (i += 3;
           i + 2 < command.ElemCount && vertex(i) == fan.front() && vertex(i + 1) == fan.back();
           i += 3) {
        fan.push_back(vertex(i + 2));
      }
      if (fonts) {
        add(fan);
      } else {
        add_plate(fan, texture);
      }
    }
  }

  void add(const Fan& fan) {
    const ImVec2 low = fan[0]->uv;
    const ImVec2 high = fan[std::min<std::size_t>(2, fan.size() - 1)]->uv;
    if (fan.size() == 4 && (low.x != high.x || low.y != high.y)) {
      if (const Letters::Known* letter = letters_.at(low, high)) {
        add_letter(*letter, *fan[0]);
        return;
      }
    }
    add_polygon(fan);
  }

  void add_polygon(const Fan& fan) {
    std::vector<glm::vec2> corners;
    float area = 0.0F;
    for (std::size_t i = 0; i < fan.size(); ++i) {
      const ImVec2 a = fan[i]->pos;
      const ImVec2 b = fan[(i + 1) % fan.size()]->pos;
      area += a.x * b.y - b.x * a.y;
      corners.emplace_back(a.x, a.y);
    }
    if (area == 0.0F || fan.front()->col >> 24U == 0) {
      return;
    }
    if (area < 0.0F) {  // all turn one way, so that overlaps add up and never cancel
      std::ranges::reverse(corners);
    }
    Shape* last = drawing_.items.empty() || fresh_
                      ? nullptr
                      : std::get_if<Shape>(&drawing_.items.back().what);
    if (last == nullptr || last->colour != fan.front()->col) {
      drawing_.items.push_back({Shape{{}, fan.front()->col}, clip_});
      last = &std::get<Shape>(drawing_.items.back().what);
      fresh_ = false;
    }
    last->polygons.push_back(std::move(corners));
  }

  void add_letter(const Letters::Known& known, const ImDrawVert& corner) {
    const float x = corner.pos.x - known.glyph->X0;
    const float baseline = corner.pos.y - known.glyph->Y0 + ui::compat::ascent(*known.font);
    if (!goes_on(known, corner, x, baseline)) {
      Words words;
      words.baseline = baseline;
      words.size = ui::compat::font_size(*known.font);
      words.face = known.face;
      words.colour = corner.col;
      drawing_.items.push_back({std::move(words), clip_});
    }
    auto& words = std::get<Words>(drawing_.items.back().what);
    words.letters.push_back({static_cast<char32_t>(known.glyph->Codepoint), x});
    words.end = x + known.glyph->AdvanceX;
    fresh_ = true;
  }

  // On with the last stretch: at its pen, or so many spaces, which ImGui does not draw, behind it.
  bool goes_on(const Letters::Known& known, const ImDrawVert& corner, float x, float baseline) {
    auto* last = drawing_.items.empty() ? nullptr : std::get_if<Words>(&drawing_.items.back().what);
    if (last == nullptr || last->face != known.face || last->colour != corner.col ||
        std::abs(last->baseline - baseline) > kSameLine || drawing_.items.back().clip != clip_) {
      return false;
    }
    const auto spaces = static_cast<int>(std::lround((x - last->end) / known.space));
    if (spaces < 0 || spaces > kMostSpaces ||
        std::abs(x - last->end - static_cast<float>(spaces) * known.space) > kSamePlace) {
      return false;
    }
    for (int i = 0; i < spaces; ++i) {
      last->letters.push_back({U' ', last->end + static_cast<float>(i) * known.space});
    }
    return true;
  }

  void add_plate(const Fan& fan, std::uintptr_t texture) {
    if (fan.size() < 3) {
      return;
    }
    auto found = std::ranges::find(plates_, texture, &Known::texture);
    if (found == plates_.end()) {
      Texels texels = texels_of_(texture);
      drawing_.pictures.push_back(std::make_unique<Picture>(std::move(texels.picture)));
      plates_.push_back({texture, drawing_.pictures.back().get(), texels.smooth});
      found = std::prev(plates_.end());
    }
    const ImDrawVert& a = *fan[0];
    const ImDrawVert& b = *fan[2];
    Plate plate;
    plate.picture = found->picture;
    plate.area = {{a.pos.x, a.pos.y}, {b.pos.x, b.pos.y}};
    plate.low = {a.uv.x, a.uv.y};
    plate.high = {b.uv.x, b.uv.y};
    plate.smooth = found->smooth;
    drawing_.items.push_back({plate, clip_});
    fresh_ = true;
  }

  struct Known {
    std::uintptr_t texture = 0;
    const Picture* picture = nullptr;
    bool smooth = false;
  };

  const ImDrawData& data_;
  const TexelsOf& texels_of_;
  Letters letters_;
  Drawing drawing_;
  ui::Rect clip_;
  bool fresh_ = true;
  std::vector<Known> plates_;
};

}  // namespace

std::string Words::utf8() const {
  std::string text;
  for (const Letter& letter : letters) {
    append(text, letter.code);
  }
  return text;
}

Drawing drawing_of(const ImDrawData& data, const ui::Fonts& fonts, const TexelsOf& texels_of) {
  return Reader(data, fonts, texels_of).read();
}

void plain_edges() {
  constexpr float kRound = 0.05F;  // pixels that a circle's sides may be off
  ImGuiStyle& style = ImGui::GetStyle();
  style.AntiAliasedLines = style.AntiAliasedLinesUseTex = style.AntiAliasedFill = false;
  style.CircleTessellationMaxError = kRound;
}

}  // namespace studio
