#include "spirv/module/readable.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "spirv/module/raw.h"

namespace spirv {
namespace {

constexpr std::uint32_t last_known_language = 7;

// Instructions of NonSemantic.Shader.DebugInfo.100, and the places of their operands.
enum class Debug : std::uint32_t {
  global_variable = 18,
  function = 20,
  source = 35,
  function_definition = 101,
  line = 103,
  no_line = 104,
};
constexpr std::size_t debug_operands = 5;  // words before them: length, type, result, set, number

std::uint32_t op_of(Raw i) {
  return i[0] & 0xFFFFU;
}

class Translation {
 public:
  explicit Translation(Raw words) : words_(words), instructions_(instructions_of(words)) {}

  Words run() {
    if (instructions_.empty()) {
      return {words_.begin(), words_.end()};
    }
    find_debug_information();
    result_.assign(words_.begin(), words_.begin() + header_words);
    for (const Raw i : instructions_) {
      translate(i);
    }
    return std::move(result_);
  }

 private:
  struct Line {
    Id file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };

  void find_debug_information();
  void note(Raw i);
  void translate(Raw i);
  void name_variables();
  void put(spv::Op op, const std::vector<std::uint32_t>& operands) {
    result_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16U |
                      static_cast<std::uint32_t>(op));
    result_.insert(result_.end(), operands.begin(), operands.end());
  }
  [[nodiscard]] std::optional<Debug> debug(Raw i) const {
    const bool ours = is(i, spv::Op::OpExtInst) && i.size() >= debug_operands && i[3] == set_;
    return ours && set_ != 0 ? std::optional(static_cast<Debug>(i[4])) : std::nullopt;
  }
  [[nodiscard]] std::uint32_t constant(Id id) const {
    const auto found = constants_.find(id);
    return found == constants_.end() ? 0 : found->second;
  }
  [[nodiscard]] Line line(Id source, Id line, Id column) const {
    const auto file = files_.find(source);
    return {file == files_.end() ? 0 : file->second, constant(line), constant(column)};
  }

  Raw words_;
  std::vector<Raw> instructions_;
  Words result_;
  Id set_ = 0;
  bool other_sets_ = false;
  bool named_ = false;
  std::unordered_map<Id, std::uint32_t> constants_;
  std::unordered_map<Id, Id> files_;        // DebugSource: OpString
  std::unordered_map<Id, Line> functions_;  // DebugFunction
  std::unordered_map<Id, Line> defined_;    // OpFunction
  std::vector<std::pair<Id, Id>> names_;    // variable, OpString
  std::unordered_map<Id, std::string> strings_;
  std::unordered_set<Id> have_names_;
  std::unordered_set<Id> left_out_;
};

void Translation::find_debug_information() {
  for (const Raw i : instructions_) {
    if (is(i, spv::Op::OpExtInstImport) && i.size() > 2) {
      const std::string name = text_at(i, 2);
      if (name == "NonSemantic.Shader.DebugInfo.100") {
        set_ = i[1];
      } else {
        other_sets_ = other_sets_ || name.starts_with("NonSemantic.");
      }
    }
    note(i);
  }
}

void Translation::note(Raw i) {
  if (is(i, spv::Op::OpConstant) && i.size() == 4) {
    constants_[i[2]] = i[3];
  } else if (is(i, spv::Op::OpString) && i.size() > 2) {
    strings_[i[1]] = text_at(i, 2);
  } else if (is(i, spv::Op::OpName) && i.size() > 2) {
    have_names_.insert(i[1]);
  }
  const auto kind = debug(i);
  const Raw operands = kind ? i.subspan(debug_operands) : Raw{};
  if (kind) {
    left_out_.insert(i[2]);
  }
  if (kind == Debug::source && !operands.empty()) {
    files_[i[2]] = operands[0];
  } else if (kind == Debug::function && operands.size() > 4) {
    functions_[i[2]] = line(operands[2], operands[3], operands[4]);
  } else if (kind == Debug::function_definition && operands.size() > 1) {
    defined_[operands[1]] = functions_[operands[0]];
  } else if (kind == Debug::global_variable && operands.size() > 7) {
    names_.emplace_back(operands[7], operands[0]);
  }
}

void Translation::name_variables() {
  named_ = true;
  for (const auto& [variable, string] : names_) {
    const auto text = strings_.find(string);
    if (text == strings_.end() || text->second.empty() || have_names_.contains(variable)) {
      continue;
    }
    std::vector<std::uint32_t> operands{variable};
    for (const Operand& word : text_operands(text->second)) {
      operands.push_back(word.word);
    }
    put(spv::Op::OpName, operands);
  }
}

// Does the instruction stand before the names of a module, or among them?
bool before_names_end(std::uint32_t op) {
  static constexpr std::array before{
      spv::Op::OpCapability,      spv::Op::OpExtension,       spv::Op::OpExtInstImport,
      spv::Op::OpMemoryModel,     spv::Op::OpEntryPoint,      spv::Op::OpExecutionMode,
      spv::Op::OpExecutionModeId, spv::Op::OpString,          spv::Op::OpSourceExtension,
      spv::Op::OpSource,          spv::Op::OpSourceContinued, spv::Op::OpName,
      spv::Op::OpMemberName};
  return std::ranges::any_of(before,
                             [&](spv::Op o) { return static_cast<std::uint32_t>(o) == op; });
}

void Translation::translate(Raw i) {
  if (!named_ && !before_names_end(op_of(i))) {
    name_variables();
  }
  if (is(i, spv::Op::OpSource) && i.size() > 1 && i[1] > last_known_language) {
    result_.insert(result_.end(), i.begin(), i.end());
    result_[result_.size() - i.size() + 1] = 0;
    return;
  }
  const bool about = is(i, spv::Op::OpName) || is(i, spv::Op::OpDecorate);
  if (about && i.size() > 1 && left_out_.contains(i[1])) {
    return;
  }
  if (set_ != 0) {
    const bool import = is(i, spv::Op::OpExtInstImport) && i.size() > 1 && i[1] == set_;
    const bool extension =
        is(i, spv::Op::OpExtension) && !other_sets_ && text_at(i, 1) == "SPV_KHR_non_semantic_info";
    if (import || extension) {
      return;
    }
    if (const auto kind = debug(i)) {
      const Raw operands = i.subspan(debug_operands);
      if (kind == Debug::line && operands.size() > 3) {
        const Line at = line(operands[0], operands[1], operands[3]);
        if (at.file != 0) {
          put(spv::Op::OpLine, {at.file, at.line, at.column});
        }
      } else if (kind == Debug::no_line) {
        put(spv::Op::OpNoLine, {});
      }
      return;
    }
    if (is(i, spv::Op::OpFunction) && i.size() > 2) {
      const auto at = defined_.find(i[2]);
      if (at != defined_.end() && at->second.file != 0) {
        put(spv::Op::OpLine, {at->second.file, at->second.line, at->second.column});
      }
    }
  }
  result_.insert(result_.end(), i.begin(), i.end());
}

}  // namespace

Words readable(std::span<const std::uint32_t> words) {
  return Translation(words).run();
}

core::Error unreadable(const std::string& prefix, const std::string& message) {
  const std::string unknown = "Invalid capability operand: ";
  const std::size_t at = message.find(unknown);
  if (at == std::string::npos) {
    return {core::Fault::usage, prefix + message, 0};
  }
  return {core::Fault::device,
          "this build does not support the SPIR-V capability " +
              message.substr(at + unknown.size(),
                             message.find_first_not_of("0123456789", at + unknown.size()) -
                                 (at + unknown.size())) +
              " of the module; use a Tilescope built with newer SPIRV-Tools",
          0};
}

}  // namespace spirv
