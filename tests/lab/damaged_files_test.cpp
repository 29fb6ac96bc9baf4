// Files that the program keeps or is given, damaged in two hundred seeded ways each: what is left
// is read, or refused in one line; nothing else happens.
#include <cmath>
#include <fstream>
#include <functional>
#include <random>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/files/capture_file.h"
#include "lab/files/dispatch_file.h"
#include "lab/files/lesson_file.h"
#include "lab/files/scene_file.h"
#include "lab/files/settings.h"
#include "lab/files/workload_file.h"
#include "lab/live/probation.h"
#include "lab/ready/tuning.h"

namespace {

namespace fs = std::filesystem;

const std::vector<core::ViewField> kFields{
    {.key = "zoom", .kind = core::ViewField::Kind::number, .low = 0.05, .high = 1e5},
    {.key = "moment", .kind = core::ViewField::Kind::whole, .low = 0.0, .high = 100.0}};

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// A file's text as it should be, and what reads it: empty, or the sentence that refuses it.
struct Kind {
  const char* name;
  std::string text;
  std::function<std::string(const fs::path&)> read;
};

template <class T>
std::string sentence(const core::Expected<T>& read) {
  return read ? "" : read.error().message;
}

std::string read_settings(const fs::path& file) {
  core::View view;
  const auto read = lab::read_settings(file, kFields, view);
  EXPECT_TRUE(std::isfinite(view.scale) && view.scale >= 0.5F && view.scale <= 4.0F) << view.scale;
  EXPECT_TRUE(view.theme == "dark" || view.theme == "light") << view.theme;
  return sentence(read);
}

std::string read_tunings(const fs::path& file) {
  std::string warning;
  core::DeviceInfo device;
  device.name = "a GPU";
  static_cast<void>(lab::Tunings::read(file, warning).find(device, "matmul/tiled", {64, 64, 64}));
  return warning;
}

std::string read_probation(const fs::path& file) {
  static_cast<void>(lab::ProbationMemory(file).find("key"));
  return "";
}

std::string a_scene() {
  core::Scene scene;
  scene.experiment = {.variant = "nbody/tiled",
                      .size = {4096},
                      .tile = 128,
                      .settings = {{"start", "ball"}, {"dt", "0.01"}},
                      .barriers = {{1, core::BarrierKind::off}}};
  scene.view.settings = {{"zoom", 3.25}, {"moment", std::int64_t{12}}};
  return lab::format_scene(scene);
}

std::string settings_in(const fs::path& file) {
  core::View view;
  view.theme = "light";
  view.scale = 1.5F;
  EXPECT_TRUE(lab::write_settings(file, kFields, view));
  return text_of(file);
}

std::string tunings_in(const fs::path& file) {
  core::DeviceInfo device;
  device.name = "a GPU";
  lab::Tunings tunings;
  tunings.keep(device, "matmul/tiled", {64, 64, 64}, {8, {{"STEP", "2"}}});
  EXPECT_TRUE(tunings.write(file));
  return text_of(file);
}

std::string probation_in(const fs::path& file) {
  const lab::ProbationMemory memory(file);
  memory.keep("key", {"the driver's compiler crashed, signal 11"}, {});
  memory.keep("other", {}, {});
  EXPECT_TRUE(memory.find("key"));
  return text_of(file);
}

std::string a_capture(const fs::path& folder) {
  EXPECT_TRUE(lab::write_capture(folder, {"program", "--flag"}));
  return text_of(folder / lab::kCaptureFile);
}

std::vector<Kind> kinds(const fs::path& folder) {
  const fs::path source = TILESCOPE_SOURCE_DIR;
  // What the dispatch speaks of: the head of a module, and a text.
  std::ofstream(folder / "a.spv", std::ios::binary)
      << std::string("\x03\x02\x23\x07\0\x03\x01\0\0\0\0\0\x01\0\0\0\0\0\0\0", 20);
  std::ofstream(folder / "a.comp") << "void main() {}\n";
  return {
      {"settings.toml", settings_in(folder / "settings.toml"), read_settings},
      {"tuned.toml", tunings_in(folder / "tuned.toml"), read_tunings},
      {"probation.tsv", probation_in(folder / "probation.tsv"), read_probation},
      {"scene.toml", a_scene(),
       [](const fs::path& file) { return sentence(lab::read_scene(file, kFields)); }},
      {"dispatch.toml",
       "tilescope_dispatch = 1\nname = 'a'\nmodule = 'a.spv'\nentry = ''\nseed = 1\n"
       "[barriers]\n1 = 'off'\n[launch]\ngroups = [2, 1, 1]\n[launch.buffers]\n'0.0' = "
       "'65536:random'\n[[sources]]\nfile = 'a.comp'\npath = 'a.comp'\n",
       [](const fs::path& file) { return sentence(lab::read_dispatch(file)); }},
      {"workload.toml", text_of(source / "shaders/reduction/workload.toml"),
       [](const fs::path& file) { return sentence(lab::read_workload_file(file)); }},
      {"lesson.toml", text_of(source / "assets/lessons/hazards.toml"),
       [](const fs::path& file) { return sentence(lab::read_lesson(file)); }},
      {"capture.toml", a_capture(folder),
       [](const fs::path& file) { return sentence(lab::read_capture(file.parent_path())); }},
      {"launches.toml",
       "[[launches]]\nnumber = 1\nprocess = 7\ntime = 0.5\nqueue = \"0.0\"\npipeline = \"a\"\n"
       "groups = [2, 1, 1]\nfolder = \"launch-1\"\n\n[[processes]]\nprocess = 7\nlaunches = 1\n"
       "captured = 1\nbytes = 64\nwaited = 0.0\n\n",
       [](const fs::path& file) {
         a_capture(file.parent_path());
         return sentence(lab::read_capture(file.parent_path()));
       }},
  };
}

// The same numbers from the same seed, whatever the library's distributions do.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : numbers_(seed) {}
  std::size_t roll(std::size_t sides) { return numbers_() % sides; }

 private:
  std::mt19937_64 numbers_;
};

void damage(std::string& text, Dice& dice) {
  static const std::vector<std::string> odd{std::string(1, '\0'),
                                            "\xff\xfe",
                                            "\"",
                                            "[",
                                            "]]",
                                            "= = ",
                                            "'''",
                                            "\n\n[a.b]\n",
                                            "-1",
                                            "nan",
                                            "inf",
                                            "1e99",
                                            "{",
                                            "\t",
                                            "99",
                                            "9223372036854775808",
                                            "\xe2\x80",
                                            "true",
                                            "\\u",
                                            "#",
                                            "= [",
                                            "\r",
                                            "0",
                                            "1979-05-27"};
  const std::size_t at = dice.roll(text.size() + 1);
  const std::size_t length = dice.roll(1 + std::min<std::size_t>(text.size() - at, 40));
  switch (dice.roll(5)) {
    case 0:
      text.resize(at);
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, odd[dice.roll(odd.size())]);
      break;
    case 3:
      text.insert(dice.roll(text.size() + 1), text.substr(at, length));
      break;
    default:
      if (at < text.size()) {
        text[at] = static_cast<char>(dice.roll(256));
      }
  }
}

class DamagedFiles : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // What reading the text says.
  std::string read(const Kind& kind, const std::string& text) {
    const fs::path file = folder_ / kind.name;
    std::ofstream(file, std::ios::binary) << text;
    return kind.read(file);
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) / ("tilescope-damaged-files-" + std::to_string(::getpid()));
};

TEST_F(DamagedFiles, AreReadOrRefusedInOneLine) {
  for (const Kind& kind : kinds(folder_)) {
    ASSERT_FALSE(kind.text.empty()) << kind.name;
    ASSERT_EQ(read(kind, kind.text), "") << kind.name << " as it should be";
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Dice dice(seed);
      std::string text = kind.text;
      for (std::uint64_t n = dice.roll(3); n < 3; ++n) {
        damage(text, dice);
      }
      const std::string said = read(kind, text);
      refused += said.empty() ? 0 : 1;
      EXPECT_EQ(said.find('\n'), std::string::npos) << kind.name << ", seed " << seed << ":\n"
                                                    << said << "\nof\n"
                                                    << text;
    }
    EXPECT_TRUE(refused > 0 || std::string(kind.name) == "probation.tsv")
        << kind.name << " was never refused: is it read at all?";
  }
}

// What a later version may write: its number, and what this one does not know.
TEST_F(DamagedFiles, FromTheFutureAreReadOrRefusedInOneLine) {
  const std::regex version("(tilescope_[a-z]+ = )1");
  int versions = 0;
  for (const Kind& kind : kinds(folder_)) {
    SCOPED_TRACE(kind.name);
    const std::string later = std::regex_replace(kind.text, version,
                                                 "$01"
                                                 "99");
    const std::string said = read(kind, later);
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    if (later != kind.text) {
      ++versions;
      EXPECT_NE(said.find("version"), std::string::npos) << said;
    }
    const std::string more =
        read(kind, kind.text + "\n[of_the_future]\nwhat = { is = [1, 2.0, 'that'] }\n");
    EXPECT_EQ(more.find('\n'), std::string::npos) << more;
  }
  EXPECT_GE(versions, 3) << "settings, scenes and dispatches have a number";
}

// These formats have a version too, which is 1 if it is missing.
TEST_F(DamagedFiles, NewerWorkloadsAndLessonsAreRefused) {
  for (const Kind& kind : kinds(folder_)) {
    const std::string name = fs::path(kind.name).stem();
    if (name != "workload" && name != "lesson") {
      continue;
    }
    const std::string key = "tilescope_" + name + " = ";
    EXPECT_EQ(read(kind, key + "1\n" + kind.text), "");
    EXPECT_NE(read(kind, key + "2\n" + kind.text).find(key.substr(0, key.size() - 3) + " is 2"),
              std::string::npos);
    EXPECT_NE(read(kind, key + "'1'\n" + kind.text), "");
  }
}

TEST_F(DamagedFiles, OfAHundredMegabytesAreNotRead) {
  for (const Kind& kind : kinds(folder_)) {
    const fs::path file = folder_ / kind.name;
    std::ofstream(file, std::ios::binary) << kind.text;
    fs::resize_file(file, 100'000'000);
    const std::string said = kind.read(file);
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    if (std::string(kind.name) != "probation.tsv") {
      EXPECT_NE(said, "") << kind.name;
    }
  }
}

}  // namespace
