// PDF through Cairo, with the letters of the fonts that the window has.
#include <cstring>
#include <string>
#include <vector>

#include <cairo-pdf.h>
#include <fmt/format.h>

#include "studio/pictures/drawing.h"
#include "studio/pictures/font_shelf.h"

namespace studio {
namespace {

constexpr double kPoint = 0.75;  // points a pixel of 1/96 inch

class Page {
 public:
  Page(const Drawing& drawing, std::string& bytes)
      : surface_(cairo_pdf_surface_create_for_stream(
            [](void* closure, const unsigned char* data, unsigned int length) {
              static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data),
                                                         length);
              return CAIRO_STATUS_SUCCESS;
            },
            &bytes, kPoint * static_cast<double>(drawing.size.x),
            kPoint * static_cast<double>(drawing.size.y))),
        cairo_(cairo_create(surface_)) {
    // What every reader and TeX includes; newer ones pack all that a page is.
    cairo_pdf_surface_restrict_to_version(surface_, CAIRO_PDF_VERSION_1_4);
    cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, drawing.title.c_str());
    cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATOR, "Tilescope");
    cairo_scale(cairo_, kPoint, kPoint);
    cairo_set_fill_rule(cairo_, CAIRO_FILL_RULE_WINDING);
  }
  ~Page() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  void put(const Drawing::Item& item) {
    cairo_save(cairo_);
    outline(item.clip);
    cairo_clip(cairo_);
    std::visit([this](const auto& what) { put(what); }, item.what);
    cairo_restore(cairo_);
  }
  core::Expected<void> finish() {
    cairo_show_page(cairo_);
    cairo_surface_finish(surface_);
    for (const cairo_status_t status : {cairo_status(cairo_), cairo_surface_status(surface_)}) {
      if (status != CAIRO_STATUS_SUCCESS) {
        return core::device_error(
            fmt::format("Cairo cannot create the PDF: {}", cairo_status_to_string(status)));
      }
    }
    return {};
  }

 private:
  void colour(ui::Colour c) {
    const auto part = [c](std::uint32_t shift) {
      return static_cast<double>(c >> shift & 0xFFU) / 255.0;
    };
    cairo_set_source_rgba(cairo_, part(0), part(8), part(16), part(24));
  }
  void outline(const ui::Rect& r) {
    cairo_rectangle(cairo_, static_cast<double>(r.low.x), static_cast<double>(r.low.y),
                    static_cast<double>(r.width()), static_cast<double>(r.height()));
  }

  void put(const Shape& shape) {
    colour(shape.colour);
    for (const auto& polygon : shape.polygons) {
      cairo_new_sub_path(cairo_);
      for (const glm::vec2 corner : polygon) {
        cairo_line_to(cairo_, static_cast<double>(corner.x), static_cast<double>(corner.y));
      }
      cairo_close_path(cairo_);
    }
    cairo_fill(cairo_);
  }

  // Stretches of one font's letters.
  void put(const Words& words) {
    colour(words.colour);
    for (std::size_t i = 0; i < words.letters.size();) {
      const OpenFont* font = font_with(words.face, words.letters[i].code);
      std::size_t end = i + 1;
      while (end < words.letters.size() && font_with(words.face, words.letters[end].code) == font) {
        ++end;
      }
      Words part = words;
      part.letters.assign(words.letters.begin() + static_cast<std::ptrdiff_t>(i),
                          words.letters.begin() + static_cast<std::ptrdiff_t>(end));
      put(part, font);
      i = end;
    }
  }

  void put(const Words& part, const OpenFont* font) {
    const std::string text = part.utf8();
    const float em = font == nullptr ? part.size : font->em(part.size);
    cairo_set_font_size(cairo_, static_cast<double>(em));
    if (font == nullptr) {  // as Cairo finds it
      cairo_select_font_face(cairo_, "sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
      cairo_move_to(cairo_, static_cast<double>(part.letters.front().x),
                    static_cast<double>(part.baseline));
      cairo_show_text(cairo_, text.c_str());
      return;
    }
    cairo_set_font_face(cairo_, font->cairo);
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;
    for (const Words::Letter& letter : part.letters) {
      glyphs.push_back({font->glyph(letter.code), static_cast<double>(letter.x),
                        static_cast<double>(part.baseline)});
      clusters.push_back({letter.code < 0x80 ? 1 : letter.code < 0x800 ? 2 : 3, 1});
    }
    cairo_show_text_glyphs(cairo_, text.data(), static_cast<int>(text.size()), glyphs.data(),
                           static_cast<int>(glyphs.size()), clusters.data(),
                           static_cast<int>(clusters.size()), {});
  }

  void put(const Plate& plate) {
    const Picture& picture = *plate.picture;
    const glm::vec2 part = plate.high - plate.low;
    if (part.x == 0.0F || part.y == 0.0F || picture.rgba.empty()) {
      return;
    }
    cairo_surface_t* image = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, static_cast<int>(picture.width), static_cast<int>(picture.height));
    fill(image, picture);
    const glm::vec2 size = plate.area.size() / part;
    const glm::vec2 low = plate.area.low - plate.low * size;
    outline(plate.area);
    cairo_clip(cairo_);
    cairo_translate(cairo_, static_cast<double>(low.x), static_cast<double>(low.y));
    cairo_scale(cairo_, static_cast<double>(size.x) / picture.width,
                static_cast<double>(size.y) / picture.height);
    cairo_set_source_surface(cairo_, image, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(cairo_),
                             plate.smooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
    cairo_paint(cairo_);
    cairo_surface_destroy(image);
  }

  // Cairo's colours are multiplied by their alpha, blue in the lowest byte.
  static void fill(cairo_surface_t* image, const Picture& picture) {
    cairo_surface_flush(image);
    unsigned char* data = cairo_image_surface_get_data(image);
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image));
    for (std::size_t y = 0; data != nullptr && y < picture.height; ++y) {
      for (std::size_t x = 0; x < picture.width; ++x) {
        const std::uint32_t c = picture.rgba[y * picture.width + x];
        const std::uint32_t alpha = c >> 24U;
        const auto part = [&](std::uint32_t shift) { return (c >> shift & 0xFFU) * alpha / 255U; };
        const std::uint32_t texel = alpha << 24U | part(0) << 16U | part(8) << 8U | part(16);
        std::memcpy(data + y * stride + x * sizeof(texel), &texel, sizeof(texel));
      }
    }
    cairo_surface_mark_dirty(image);
  }

  cairo_surface_t* surface_;
  cairo_t* cairo_;
};

}  // namespace

core::Expected<std::string> to_pdf(const Drawing& drawing) {
  std::string bytes;
  Page page(drawing, bytes);
  for (const Drawing::Item& item : drawing.items) {
    page.put(item);
  }
  TRY(page.finish());
  return bytes;
}

}  // namespace studio
