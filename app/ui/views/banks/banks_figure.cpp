// Shared memory as it lies in its banks: a row of the picture is 32 words, a column is a bank.
// Beside it the same variable with other rows.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "ui/canvas/format.h"
#include "ui/views/banks/banks_view.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

constexpr float kLargestCell = 1.1F;  // in lines of text
constexpr float kLeastLined = 0.3F;
constexpr float kHairline = 0.2F;     // a row that is as low is not told from others
constexpr float kSeen = 0.5F;         // one that is
constexpr float kLeastWidth = 11.0F;  // of one picture, where there are two

// One picture: the variable with so many more columns.
struct Picture {
  std::int32_t columns = 0;
  Rect area;                                  // all of it
  Rect words;                                 // the memory, after layout
  std::uint32_t first = 0;                    // bank of the first word
  std::uint32_t rows = 1;                     // of 32 words
  std::uint32_t wanted = 0, last_wanted = 0;  // rows, the first and the last
  std::uint32_t from = 0, shown = 1;          // rows that are shown: all, or those around `wanted`
  std::vector<core::LaneAccess> lanes;
  core::BankUse use;
  std::uint32_t most_rows = 1;  // of the pictures side by side, which have cells of one size
  std::uint32_t most_wanted = 1;
  std::size_t lines = 1;  // of the sentence below
  const core::SharedSite* site = nullptr;
};

std::uint64_t word_count(const BankScene& scene, std::int32_t columns) {
  const core::TracedVariable& v = scene.variable();
  std::uint64_t bytes = v.bytes;
  if (v.dimensions.size() > 1) {
    const std::uint64_t row = std::uint64_t{v.dimensions.back()} * core::element_bytes(v);
    const std::int64_t more = std::int64_t{columns} * core::element_bytes(v);
    bytes = v.bytes / row * (row + static_cast<std::uint64_t>(more));
  }
  return (bytes + core::kBankBytes - 1) / core::kBankBytes;
}

// From the first one of the picture.
std::uint64_t word_of(const BankScene& scene, const Picture& picture, std::uint64_t address) {
  return address / core::kBankBytes - (scene.variable().address / core::kBankBytes - picture.first);
}

Picture picture_of(const BankScene& scene, std::int32_t columns, const core::SharedSite& site) {
  Picture picture{.columns = columns, .site = &site};
  picture.lanes = core::lane_accesses(scene.trace, scene.report.instructions, scene.now(),
                                      {scene.site().variable, columns});
  picture.use = core::bank_use(picture.lanes, scene.site().access);
  picture.first = core::bank_of(scene.variable().address);
  picture.rows = static_cast<std::uint32_t>(
      (picture.first + word_count(scene, columns) + core::kBanks - 1) / core::kBanks);
  picture.wanted = picture.rows;
  for (const core::LaneAccess& a : picture.lanes) {
    const auto row = [&](std::uint64_t address) {
      return static_cast<std::uint32_t>(word_of(scene, picture, address) / core::kBanks);
    };
    picture.wanted = std::min(picture.wanted, row(a.address));
    picture.last_wanted = std::max(picture.last_wanted, row(a.address + a.bytes - 1));
  }
  picture.shown = picture.rows;
  return picture;
}

// Where all rows would be hairlines, those that the instruction wants and their neighbours. Returns
// the rows that there is to be room for.
std::uint32_t crop(Picture& picture, float room, float line) {
  const auto fit = static_cast<std::uint32_t>(std::max(room / (kSeen * line), 0.0F));
  if (room >= kHairline * line * static_cast<float>(picture.most_rows) ||
      fit < picture.most_wanted) {
    return picture.most_rows;
  }
  picture.shown = std::min(fit, picture.rows);
  const std::uint32_t middle = (picture.wanted + picture.last_wanted + 1) / 2;
  picture.from =
      std::min(middle - std::min(middle, picture.shown / 2), picture.rows - picture.shown);
  return fit;
}

std::string type_with(const core::TracedVariable& v, std::int32_t columns) {
  if (columns == 0 || v.dimensions.size() < 2) {
    return v.type;
  }
  const auto bracket = v.type.rfind('[');
  return fmt::format("{}[{}]", v.type.substr(0, bracket),
                     std::int64_t{v.dimensions.back()} + columns);
}

// For letters in a word's cell.
bool has_room(glm::vec2 cell, glm::vec2 letters) {
  return cell.x > letters.x + 2.0F && cell.y >= letters.y;
}

Wordings caption_of(const BankScene& scene, const Picture& picture, bool named) {
  const core::TracedVariable& v = scene.variable();
  const std::int32_t columns = picture.columns;
  const std::string type = v.name + ": " + type_with(v, columns);
  if (picture.shown < picture.rows) {
    const std::string rows = fmt::format(", rows {} to {} of {}", picture.from + 1,
                                         picture.from + picture.shown, picture.rows);
    return {type + rows + (columns == 0 ? ", unchanged" : " (modelled)"), type + rows, type};
  }
  const std::string in_words =
      named ? "; number: the lane that uses the word, or the number of such lanes" : "";
  const std::string in_rows = fmt::format(", in rows of {} words, one word per bank", core::kBanks);
  const auto& touched = scene.banks.touched[scene.site().variable];
  const bool whole =
      touched.size() >= word_count(scene, 0) && std::ranges::find(touched, false) == touched.end();
  const std::string grey = whole ? "" : "; grey: unused words";
  return columns == 0 ? Wordings{type + in_rows + grey + in_words, type + in_rows + grey,
                                 type + in_rows, type + ", unchanged", type}
                      : Wordings{type + (columns < 0 ? ", without the padding (modelled)"
                                                     : ", with one more column, grey (modelled)"),
                                 type + " (modelled)"};
}

// A texel a word: rows of the array in turn lighter and darker, so that one sees them shift; words
// that nobody ever touches grey.
Image paint(const BankScene& scene, const Picture& picture) {
  const core::TracedVariable& v = scene.variable();
  const Palette& c = scene.theme().colours;
  const auto& touched = scene.banks.touched[scene.site().variable];
  const std::uint64_t row_bytes =
      std::uint64_t{core::element_bytes(v)} * (v.dimensions.size() > 1 ? v.dimensions.back() : 1U);
  Image image{core::kBanks, picture.shown, {}};
  image.rgba.assign(std::size_t{image.width} * image.height, c.background);
  const std::uint64_t all = word_count(scene, picture.columns);
  const Colour padding = mix(c.background, c.idle, 0.55F);
  const auto texel = [&](std::uint64_t word) {  // null: of a row that is not shown
    const std::uint64_t at = picture.first + word - std::uint64_t{picture.from} * core::kBanks;
    return at < image.rgba.size() ? &image.rgba[at] : nullptr;
  };
  for (std::uint64_t word = 0; word < all; ++word) {
    if (Colour* at = texel(word)) {
      *at = padding;
    }
  }
  for (std::uint64_t word = 0; word < touched.size(); ++word) {
    const std::uint64_t offset = word * core::kBankBytes;
    const std::uint64_t at = core::padded_offset(v, offset, picture.columns) / core::kBankBytes;
    const bool odd = v.dimensions.size() > 1 && offset / row_bytes % 2 == 1;
    if (Colour* seen = texel(at); seen != nullptr && touched[word]) {
      *seen = mix(c.background, c.shared, odd ? 0.26F : 0.14F);
    }
  }
  return image;
}

Rect cell_of(const Picture& picture, std::uint32_t bank, std::uint64_t row) {
  const glm::vec2 size = picture.words.size() / glm::vec2(core::kBanks, picture.shown);
  const float down = static_cast<float>(row) - static_cast<float>(picture.from);
  const glm::vec2 low = picture.words.low + size * glm::vec2(bank, down);
  return {low, low + size};
}

void draw_ground(const BankScene& scene, const Picture& picture) {
  const Theme& theme = scene.theme();
  const std::string key =
      fmt::format("banks {} {} {} {} {}", scene.variable().name, picture.columns, picture.from,
                  picture.shown, theme.dark ? "dark" : "light");
  const std::uint64_t version = scene.frame.cache.version("banks", scene.frame.model.result.banks);
  scene.canvas.image(
      scene.frame.textures.image(key, version, [&] { return paint(scene, picture); }),
      picture.words);
  const glm::vec2 size = cell_of(picture, 0, 0).size();
  const Rect& w = picture.words;
  const Colour line = fade(theme.colours.background, 0.7F);
  const float least = kLeastLined * scene.canvas.line_height();
  for (std::uint32_t b = 1; b < core::kBanks && size.x >= least; ++b) {
    const float x = w.low.x + size.x * static_cast<float>(b);
    scene.canvas.line({x, w.low.y}, {x, w.high.y}, line);
  }
  for (std::uint32_t r = 1; r < picture.shown && size.y >= least; ++r) {
    const float y = w.low.y + size.y * static_cast<float>(r);
    scene.canvas.line({w.low.x, y}, {w.high.x, y}, line);
  }
}

// The lane that wants a word, or how many do.
std::string wanted_by(const Picture& picture, const core::LaneAccess& lane) {
  const auto many = std::ranges::count(picture.lanes, lane.address, &core::LaneAccess::address);
  return many > 1 ? fmt::format("×{}", many) : fmt::format("{}", lane.lane);
}

// The words that the instruction wants; where cells are large enough with the lane that wants them.
void draw_wanted(const BankScene& scene, const Picture& picture) {
  const Canvas& canvas = scene.canvas;
  const Palette& c = scene.theme().colours;
  const glm::vec2 letters = canvas.measure("00", canvas.font(pen::mono));
  const glm::vec2 size = cell_of(picture, 0, 0).size();
  const bool lined = size.x >= kLeastLined * canvas.line_height() && size.y >= 3.0F;
  for (const core::LaneAccess& a : picture.lanes) {
    for (std::uint64_t at = a.address; at < a.address + a.bytes; at += core::kBankBytes) {
      const std::uint64_t word = word_of(scene, picture, at);
      const std::uint32_t bank = core::bank_of(at);
      const bool conflict = picture.use.ways > 1 && bank == picture.use.bank;
      const float gap = lined ? 1.0F : 0.0F;
      const Rect cell = cell_of(picture, bank, word / core::kBanks);
      Rect box = cell.inset(gap, gap);
      box.high = glm::max(box.high, box.low + 1.5F);
      canvas.fill(box, conflict ? c.shared_text : c.shared);
      const std::string by = wanted_by(picture, a);
      const glm::vec2 own = canvas.measure(by, canvas.font(pen::mono));
      if (has_room(size, {std::max(letters.x, own.x), letters.y}) && a.bytes == core::kBankBytes) {
        const glm::vec2 low = cell.centre() - 0.5F * own;
        // Not for the trace of texts: it may lie over another lane's that wants the same word.
        canvas.list().AddText(canvas.font(pen::mono), letters.y, im(low), rgb(0xFFFFFF),
                              by.c_str());
      }
    }
  }
  if (picture.use.ways > 1) {
    const Rect first = cell_of(picture, picture.use.bank, 0);
    const float w = scene.theme().gap.thin;
    canvas.frame(
        Rect{{first.low.x, picture.words.low.y}, {first.high.x, picture.words.high.y}}.inset(-w,
                                                                                             -w),
        c.text, w);
  }
}

// The banks' colours and some of their numbers above the words.
void draw_banks_above(const BankScene& scene, const Picture& picture, const Rect& numbers,
                      const Rect& strip) {
  const float width = scene.canvas.width("00", pen::mono) + 2.0F;
  for (std::uint32_t b = 0; b < core::kBanks; ++b) {
    const Rect cell = cell_of(picture, b, 0);
    scene.canvas.fill({{cell.low.x, strip.low.y}, {cell.high.x, strip.high.y}}, bank_colour(b));
    const bool conflict = picture.use.ways > 1;
    const bool hot = conflict && b == picture.use.bank;
    const float away = static_cast<float>(b) - static_cast<float>(picture.use.bank);
    const bool near = conflict && !hot && std::abs(away) * cell.width() < width + 1.0F;
    if (hot || ((b % 8 == 0 || b == core::kBanks - 1) && !near)) {
      const float x = cell.centre().x - 0.5F * width;
      scene.canvas.write({{x, numbers.low.y}, {x + width, numbers.high.y}}, fmt::format("{}", b),
                         hot ? pen::mono : pen::mono_dim, Align::centre);
    }
  }
}

std::string sentence_of(const BankScene& scene, const Picture& picture) {
  return core::sentence(picture.use, scene.lanes(core::spoken_of(picture.use)));
}

// What matters of it where it would be cut.
Wordings brief_sentences(const BankScene& scene, const Picture& picture) {
  const core::BankUse& use = picture.use;
  return use.ways <= 1 ? Wordings{sentence_of(scene, picture), "1 way, no conflict"}
                       : Wordings{sentence_of(scene, picture),
                                  fmt::format("{} ways: {}", use.ways, core::wanted_text(use)),
                                  fmt::format("{} ways", use.ways)};
}

std::string site_text(const Picture& picture) {
  const core::SharedSite& s = *picture.site;
  return s.extra() == 0 ? fmt::format("all executions: {} transactions", count_text(s.passes))
                        : fmt::format("all executions: {} transactions, {} because of conflicts",
                                      count_text(s.passes), count_text(s.extra()));
}

void point_at(const BankScene& scene, const Picture& picture, const char* id) {
  const Hit mouse = hit(id, picture.words);
  if (!mouse.hovered) {
    return;
  }
  const glm::vec2 at = (vec(ImGui::GetIO().MousePos) - picture.words.low) /
                       (picture.words.size() / glm::vec2(core::kBanks, picture.shown));
  const auto bank = std::min(static_cast<std::uint32_t>(std::max(at.x, 0.0F)), core::kBanks - 1);
  const auto row = picture.from + static_cast<std::uint64_t>(std::max(at.y, 0.0F));
  const std::uint64_t base = scene.variable().address / core::kBankBytes - picture.first;
  const std::uint64_t word = row * core::kBanks + bank + base;
  std::string lanes;
  for (const core::LaneAccess& a : picture.lanes) {
    if (a.address / core::kBankBytes <= word &&
        word * core::kBankBytes < a.address + std::max(a.bytes, core::kBankBytes)) {
      lanes += fmt::format("{}{}", lanes.empty() ? "" : ", ", a.lane);
    }
  }
  tell(fmt::format("bank {}, word {} of shared memory{}{}", bank, word,
                   lanes.empty() ? "" : "\nused by lane ", lanes));
}

void draw_picture(const BankScene& scene, Picture& picture, const char* id) {
  const Canvas& canvas = scene.canvas;
  const Gaps& gap = scene.theme().gap;
  const float line = canvas.line_height();
  Stack stack{canvas, picture.area};
  const std::string sentence = sentence_of(scene, picture);
  if (!stack.has(4.5F)) {  // no room for a picture: the words that matter
    return stack.wrap(sentence);
  }
  Stack head{canvas, stack.lines()};
  const Rect numbers = stack.lines(1.0F, pen::mono);
  const Rect strip = stack.lines(0.25F);
  stack.gap(gap.thin);
  const bool roomy = stack.has(6.0F);
  const auto below = static_cast<float>(picture.lines + (roomy ? 1 : 0));
  Stack words{canvas, stack.rest.cut_bottom(below * line + 1.0F)};
  stack.rest.cut_bottom(gap.small);
  const Rect& rest = stack.rest;
  const float wide = std::floor(std::min(rest.width() / core::kBanks, kLargestCell * line));
  const auto rows = static_cast<float>(crop(picture, rest.height(), line));
  const float high = std::max(std::min(rest.height() / rows, wide), 1.0F);
  picture.words = {rest.low, rest.low + glm::vec2(wide * core::kBanks,
                                                  high * static_cast<float>(picture.shown))};
  picture.words.high.y = std::min(picture.words.high.y, rest.high.y);
  words.rest.low.y = std::min(words.rest.low.y, rest.low.y + high * rows + gap.small);
  const bool named =
      has_room(cell_of(picture, 0, 0).size(), canvas.measure("00", canvas.font(pen::mono)));
  head.fitting(caption_of(scene, picture, named), pen::dim);
  draw_banks_above(scene, picture, numbers, strip);
  draw_ground(scene, picture);
  draw_wanted(scene, picture);
  canvas.frame(picture.words.inset(-1.0F, -1.0F), scene.theme().colours.shared);
  Stack said{canvas, words.lines(static_cast<float>(picture.lines))};
  if (picture.lines == 1) {
    said.fitting(brief_sentences(scene, picture));
  } else {
    said.wrap(sentence);
  }
  if (roomy) {
    words.say(site_text(picture), pen::dim);
  }
  point_at(scene, picture, id);
}

// The measured rungs of this tile: the variant's own, then those next to it in the ladder.
std::vector<const core::Rung*> rungs_around(const core::Result& result) {
  std::vector<const core::Rung*> rungs;
  for (const core::Rung& rung : result.ladder) {
    if (rung.measured && (rung.tile == result.experiment.tile || rung.tile == 0)) {
      rungs.push_back(&rung);
    }
  }
  const auto own = std::ranges::find(rungs, result.variant.id(), &core::Rung::variant);
  const core::Rung* centre = own == rungs.end() ? nullptr : *own;
  std::ranges::stable_sort(rungs, {}, [centre](const core::Rung* rung) {
    return centre == nullptr ? 0 : std::abs(2 * (rung - centre) - 1);  // the next before the last
  });
  return rungs;
}

// "PAD = 0, K = 3".
std::string settings_text(const core::Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

// What the variants of this tile take: the plain launches, as the ladder timed them.
void draw_times(const BankScene& scene, Strip strip) {
  const core::Result& result = scene.frame.model.result;
  // What other work on the machine has stretched is told from what the kernel takes, where there is
  // room for that.
  const auto words = [&result](const core::Rung& rung) {
    const core::Spread& s = rung.spread;
    const bool own = rung.variant == result.variant.id();
    const std::string brief = fmt::format("{} {}", rung.title, time_text(s.median));
    if (own && !result.experiment.settings.empty()) {
      return Wordings{fmt::format("{} ({}) {}", rung.title,
                                  settings_text(result.experiment.settings), time_text(s.median)),
                      brief};
    }
    return s.unsteady()
               ? Wordings{fmt::format("{} (unsteady: to {})", brief, time_text(s.p95)), brief}
               : Wordings{brief};
  };
  const auto rungs = rungs_around(result);
  const float first = rungs.empty() ? 0.0F : scene.canvas.width(words(*rungs.front()).back());
  const float room = strip.rest.width() - first - 2.0F * scene.theme().gap.large;
  const Wordings heads = result.device.emulated()
                             ? measured_words(result, "measured")
                             : Wordings{"measured, plain launches:", "measured:", ""};
  strip.left(scene.canvas.fitting(heads, room), pen::dim);
  std::size_t left_out = rungs.size();
  for (const core::Rung* rung : rungs) {
    const std::string more = left_out_words(left_out - 1).front();
    const float other = left_out > 1 ? scene.canvas.width(more) + scene.theme().gap.large : 0.0F;
    const std::string said = scene.canvas.fitting(words(*rung), strip.rest.width() - other - 1.0F);
    if (left_out < rungs.size() && scene.canvas.width(said) + other >= strip.rest.width()) {
      break;  // but for the variant's own
    }
    strip.left(said, rung->variant == result.variant.id() ? pen::text : pen::dim);
    --left_out;
  }
  if (left_out > 0) {
    strip.fitting(left_out_words(left_out), pen::dim);
  }
}

}  // namespace

void draw_bank_figure(const BankScene& scene, Stack stack) {
  const core::PaddedSite& other = scene.report.padded[scene.chosen().place];
  const core::SharedSite& site = scene.report.shared[scene.chosen().place];
  const float line = scene.canvas.line_height();
  Rect& rest = stack.rest;
  if (std::ranges::any_of(scene.frame.model.result.ladder, &core::Rung::measured)) {
    draw_times(scene, {scene.canvas, rest.cut_bottom(line)});
    rest.cut_bottom(scene.theme().gap.small);
  }
  std::vector<Picture> pictures{picture_of(scene, 0, site)};
  if (other.columns != 0 && rest.width() >= 2.0F * kLeastWidth * line) {
    const float between = scene.theme().gap.huge;
    pictures.push_back(picture_of(scene, other.columns, other.site));
    pictures[0].area = rest.cut_left(0.5F * (rest.width() - between));
    rest.cut_left(between);
  }
  pictures.back().area = rest;
  std::uint32_t rows = 1, wanted = 1;
  std::size_t lines = 1;
  for (const Picture& p : pictures) {  // alike, so that they can be compared
    rows = std::max(rows, p.rows);
    wanted = std::max(wanted, p.last_wanted + 1 - std::min(p.wanted, p.last_wanted));
    lines = std::max(
        lines,
        scene.canvas.wrap(sentence_of(scene, p), scene.canvas.font(pen::text), p.area.width())
            .size());
  }
  for (Picture& p : pictures) {
    p.most_rows = rows;
    p.most_wanted = wanted;
    p.lines = std::min<std::size_t>(lines, stack.has(7.0F) ? 2 : 1);
    draw_picture(scene, p, p.columns == 0 ? "words" : "other words");
  }
}

}  // namespace ui
