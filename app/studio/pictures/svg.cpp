// SVG 1.1 (W3C 2011): paths, text and embedded pictures. Cairo's own SVG has letters as outlines.
#include <array>
#include <map>
#include <span>

#include <fmt/format.h>

#include "studio/pictures/drawing.h"
#include "studio/pictures/files.h"
#include "studio/pictures/font_shelf.h"

namespace studio {
namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

// As few digits as show a hundredth of a pixel.
std::string number(float value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string fill(ui::Colour colour) {
  const std::uint32_t alpha = colour >> 24U;
  std::string text = fmt::format(R"(fill="#{:02x}{:02x}{:02x}")", colour & 0xFFU,
                                 colour >> 8U & 0xFFU, colour >> 16U & 0xFFU);
  if (alpha != 0xFFU) {
    text += fmt::format(R"( fill-opacity="{:.3f}")", static_cast<double>(alpha) / 255.0);
  }
  return text;
}

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group =
          group << 8U | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 0x3FU] : '=';
    }
  }
  return text;
}

class Writer {
 public:
  explicit Writer(const Drawing& drawing) : drawing_(drawing) {}

  std::string write() {
    for (const Drawing::Item& item : drawing_.items) {
      clip_to(item.clip);
      std::visit([this](const auto& what) { put(what); }, item.what);
    }
    if (open_) {
      body_ += "</g>\n";
    }
    const std::string width = number(drawing_.size.x);
    const std::string height = number(drawing_.size.y);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n<title>{2}</title>\n"
        "<style>text{{white-space:pre;font-kerning:none}}"
        ".text{{font-family:Inter,\"DejaVu Sans\",sans-serif}}"
        ".title{{font-family:Inter,\"DejaVu Sans\",sans-serif;font-weight:600}}"
        ".mono{{font-family:\"JetBrains Mono\",\"DejaVu Sans Mono\",monospace;"
        "font-variant-ligatures:none}}"
        "</style>\n"
        "<defs>\n{3}</defs>\n{4}</svg>\n",
        width, height, escaped(drawing_.title), definitions_, body_);
  }

 private:
  std::string clip_path(const ui::Rect& rect) {
    const std::string shape =
        fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}"/>)", number(rect.low.x),
                    number(rect.low.y), number(rect.width()), number(rect.height()));
    const auto [found, fresh] = clips_.try_emplace(shape, clips_.size());
    if (fresh) {
      definitions_ += fmt::format("<clipPath id=\"c{}\">{}</clipPath>\n", found->second, shape);
    }
    return fmt::format("url(#c{})", found->second);
  }

  void clip_to(const ui::Rect& clip) {
    if (open_ && clip == clip_) {
      return;
    }
    body_ += fmt::format("{}<g clip-path=\"{}\">\n", open_ ? "</g>\n" : "", clip_path(clip));
    clip_ = clip;
    open_ = true;
  }

  void put(const Shape& shape) {
    body_ += "<path " + fill(shape.colour) + " d=\"";
    for (const auto& polygon : shape.polygons) {
      char command = 'M';
      for (const glm::vec2 corner : polygon) {
        body_ += fmt::format("{}{} {}", command, number(corner.x), number(corner.y));
        command = 'L';
      }
      body_ += 'Z';
    }
    body_ += "\"/>\n";
  }

  // As long as it was laid out, whichever font the reader has.
  void put(const Words& words) {
    constexpr std::array kClasses{"text", "title", "mono"};
    const float x = words.letters.front().x;
    const OpenFont* font = font_with(words.face, words.letters.front().code);
    const float em = font == nullptr ? words.size : font->em(words.size);
    body_ += fmt::format(
        "<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\" "
        "xml:space=\"preserve\" {}>{}</text>\n",
        kClasses.at(static_cast<std::size_t>(words.face)), number(x), number(words.baseline),
        number(em), number(words.end - x), fill(words.colour), escaped(words.utf8()));
  }

  // All of the picture, clipped to the part of it that is seen.
  void put(const Plate& plate) {
    const glm::vec2 part = plate.high - plate.low;
    if (part.x == 0.0F || part.y == 0.0F || plate.picture->rgba.empty()) {
      return;
    }
    const glm::vec2 size = plate.area.size() / part;
    const glm::vec2 low = plate.area.low - plate.low * size;
    const auto [found, fresh] = pictures_.try_emplace(plate.picture, pictures_.size());
    if (fresh) {
      definitions_ += fmt::format(
          "<image id=\"p{}\" width=\"1\" height=\"1\" preserveAspectRatio=\"none\"{} "
          "xlink:href=\"data:image/png;base64,{}\"/>\n",
          found->second,
          plate.smooth ? ""
                       : " image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\"",
          base64(png_of(*plate.picture)));
    }
    body_ += fmt::format(
        "<g clip-path=\"{}\"><use xlink:href=\"#p{}\" transform=\"matrix({} 0 0 {} {} "
        "{})\"/></g>\n",
        clip_path(plate.area), found->second, number(size.x), number(size.y), number(low.x),
        number(low.y));
  }

  const Drawing& drawing_;
  std::string definitions_, body_;
  std::map<std::string, std::size_t> clips_;
  std::map<const Picture*, std::size_t> pictures_;
  ui::Rect clip_;
  bool open_ = false;
};

}  // namespace

std::string to_svg(const Drawing& drawing) {
  return Writer(drawing).write();
}

}  // namespace studio
