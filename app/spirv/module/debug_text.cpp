#include "spirv/module/debug_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "spirv/module/constants.h"
#include "spirv/module/emitter.h"
#include "spirv/module/raw.h"
#include "spirv/module/types.h"

namespace spirv {
namespace {

constexpr std::uint32_t op_line_words = 4;

// glslang puts its options before the text, as comments; lines are counted from "#line 1".
std::string without_options(std::string text) {
  constexpr std::string_view kOptions = "// OpModuleProcessed";
  constexpr std::string_view kFirst = "#line 1\n";
  const std::size_t at = text.starts_with(kOptions) ? text.find(kFirst) : std::string::npos;
  return at == std::string::npos ? text : text.substr(at + kFirst.size());
}

// The line of each instruction in an assembly text, from 1. An instruction begins a line with its
// opcode, or with its result and "=".
std::vector<std::uint32_t> lines_of(std::string_view text) {
  std::vector<std::uint32_t> lines;
  std::uint32_t line = 0;
  bool quoted = false;
  while (!text.empty()) {
    ++line;
    const std::string_view all = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), all.size() + 1));
    std::string_view rest = all;
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.front())) != 0) {
      rest.remove_prefix(1);
    }
    const bool opcode = rest.size() > 2 && rest.starts_with("Op") &&
                        std::isupper(static_cast<unsigned char>(rest[2])) != 0;
    const std::size_t name = rest.find_first_of(" \t=");
    const std::size_t equals =
        name == std::string_view::npos ? name : rest.find_first_not_of(" \t", name);
    const bool result =
        rest.starts_with('%') && equals != std::string_view::npos && rest[equals] == '=';
    if (!quoted && (opcode || result)) {
      lines.push_back(line);
    }
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (all[at] == '"') {
        quoted = !quoted;
      } else if (quoted && all[at] == '\\') {
        ++at;
      } else if (!quoted && all[at] == ';') {
        break;
      }
    }
  }
  return lines;
}

bool before_debug_section(Raw i) {
  static constexpr std::array before{spv::Op::OpCapability,     spv::Op::OpExtension,
                                     spv::Op::OpExtInstImport,  spv::Op::OpMemoryModel,
                                     spv::Op::OpEntryPoint,     spv::Op::OpExecutionMode,
                                     spv::Op::OpExecutionModeId};
  return std::ranges::any_of(before, [i](spv::Op op) { return is(i, op); });
}

std::vector<Raw>::const_iterator first_function(const std::vector<Raw>& all) {
  return std::ranges::find_if(all, [](Raw i) { return is(i, spv::Op::OpFunction); });
}

// Names by how variables are kept: counted from 1 for each kind, or by set and binding.
class Naming {
 public:
  Naming(Module& module, Names names)
      : module_(module),
        all_(names == Names::all),
        definitions_(module),
        constants_(definitions_, {}),
        types_(definitions_, constants_) {}

  std::vector<std::pair<Id, std::string>> names() {
    for (const Instruction& i : module_.preamble) {
      look(i);
    }
    for (const Function& function : module_.functions) {
      if (all_ && !is_entry(function.id())) {
        count("function", function.id());
      }
      for (const Block& block : function.blocks) {
        std::ranges::for_each(block.body, [this](const Instruction& i) { look(i); });
      }
    }
    return std::move(names_);
  }

 private:
  void look(const Instruction& i) {
    if (i.op == spv::Op::OpVariable) {
      look_at_variable(i);
    } else if (all_ && i.op == spv::Op::OpTypeStruct && !is_block(i.result)) {
      count("Struct", i.result);
    } else if (const Instruction* number =
                   definitions_.decoration(i.result, spv::Decoration::SpecId);
               all_ && number != nullptr) {
      give(i.result, "spec" + std::to_string(number->word(2)));
    }
  }

  void look_at_variable(const Instruction& i) {
    const auto storage = static_cast<spv::StorageClass>(i.word(0));
    const Id type = definitions_.of(i.type).word(1);
    switch (storage) {
      case spv::StorageClass::Workgroup:
        return count("shared", i.result);
      case spv::StorageClass::Function:
      case spv::StorageClass::Private:
        return !types_.is_scalar(type) ? count("local", i.result)
               : all_                  ? count("var", i.result)
                                       : void();
      case spv::StorageClass::PushConstant:
        return all_ ? give_with_type(i.result, type, "push") : void();
      case spv::StorageClass::StorageBuffer:
      case spv::StorageClass::Uniform:
      case spv::StorageClass::UniformConstant:
        return place(i.result, type, storage);
      default:
        return;
    }
  }

  void give(Id id, std::string name) {
    if (definitions_.name(id).empty() && named_.insert(id).second) {
      names_.emplace_back(id, std::move(name));
    }
  }

  // A text names a block's type, too.
  void give_with_type(Id variable, Id type, std::string name) {
    if (all_) {
      std::string upper = name;
      upper.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(upper.front())));
      give(type, std::move(upper));
    }
    give(variable, std::move(name));
  }

  bool is_block(Id type) const {
    return definitions_.decoration(type, spv::Decoration::Block) != nullptr ||
           definitions_.decoration(type, spv::Decoration::BufferBlock) != nullptr;
  }

  bool is_entry(Id function) const {
    return std::ranges::any_of(module_.preamble, [function](const Instruction& i) {
      return i.op == spv::Op::OpEntryPoint && i.word(1) == function;
    });
  }

  void count(const char* kind, Id id) { give(id, kind + std::to_string(++counts_[kind])); }

  // A block without an instance has its type's name.
  void place(Id variable, Id type, spv::StorageClass storage) {
    const Instruction* set = definitions_.decoration(variable, spv::Decoration::DescriptorSet);
    const Instruction* binding = definitions_.decoration(variable, spv::Decoration::Binding);
    while (definitions_.op(type) == spv::Op::OpTypeArray ||
           definitions_.op(type) == spv::Op::OpTypeRuntimeArray) {
      type = definitions_.of(type).word(0);
    }
    if (binding == nullptr || (!all_ && !definitions_.name(type).empty())) {
      return;
    }
    const std::string at =
        std::to_string(set == nullptr ? 0 : set->word(2)) + "_" + std::to_string(binding->word(2));
    definitions_.op(type) == spv::Op::OpTypeStruct
        ? give_with_type(variable, type, kind(type, storage) + at)
        : give(variable, kind(type, storage) + at);
  }

  std::string kind(Id type, spv::StorageClass storage) const {
    constexpr std::uint32_t kStorageImage = 2;  // the operand "Sampled" of OpTypeImage
    switch (definitions_.op(type)) {
      case spv::Op::OpTypeImage:
        return definitions_.of(type).word(5) == kStorageImage ? "image" : "texture";
      case spv::Op::OpTypeSampledImage:
        return "texture";
      case spv::Op::OpTypeSampler:
        return "sampler";
      default:
        return storage == spv::StorageClass::StorageBuffer ||
                       definitions_.decoration(type, spv::Decoration::BufferBlock) != nullptr
                   ? "buf"
                   : "uniform";
    }
  }

  Module& module_;
  bool all_;
  Definitions definitions_;
  Constants constants_;
  Types types_;
  std::map<std::string, std::uint32_t> counts_;
  std::vector<std::pair<Id, std::string>> names_;
  std::set<Id> named_;
};

}  // namespace

std::vector<core::SourceFile> embedded_sources(std::span<const std::uint32_t> words) {
  std::unordered_map<Id, std::string> strings;
  std::map<std::string, std::size_t> named;  // lines of a file
  std::vector<core::SourceFile> found;
  bool continues = false;
  for (const Raw i : instructions_of(words)) {
    if (is(i, spv::Op::OpString) && i.size() > 2) {
      strings[i[1]] = text_at(i, 2);
    } else if (is(i, spv::Op::OpLine) && i.size() > 3) {
      ++named[strings[i[1]]];
    } else if (is(i, spv::Op::OpSource) && i.size() > 4) {
      found.push_back({strings[i[3]], text_at(i, 4)});
    } else if (is(i, spv::Op::OpSourceContinued) && continues) {
      found.back().text += text_at(i, 1);
    }
    continues = !found.empty() &&
                (is(i, spv::Op::OpSourceContinued) || (is(i, spv::Op::OpSource) && i.size() > 4));
  }
  for (core::SourceFile& source : found) {
    source.text = without_options(std::move(source.text));
  }
  std::erase_if(found, [](const core::SourceFile& source) { return source.text.empty(); });
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [&](const core::SourceFile& s) { return named[s.path]; });
  return found;
}

bool has_lines(std::span<const std::uint32_t> words) {
  return std::ranges::any_of(instructions_of(words), [](Raw i) {
    return is(i, spv::Op::OpLine) || (is(i, spv::Op::OpExtInstImport) &&
                                      text_at(i, 2).starts_with("NonSemantic.Shader.DebugInfo"));
  });
}

Listing assembly_listing(std::span<const std::uint32_t> words, std::string assembly) {
  const std::vector<Raw> all = instructions_of(words);
  std::vector<std::uint32_t> lines = lines_of(assembly);
  if (all.size() != lines.size()) {
    return {std::move(assembly), {}};
  }
  lines.erase(lines.begin(), lines.begin() + (first_function(all) - all.begin()));
  return {std::move(assembly), std::move(lines)};
}

Words with_lines(std::span<const std::uint32_t> words, std::span<const std::uint32_t> lines,
                 const std::string& name) {
  const std::vector<Raw> all = instructions_of(words);
  const auto first = static_cast<std::size_t>(first_function(all) - all.begin());
  Words result(words.begin(), words.end());
  if (all.empty() || all.size() != first + lines.size()) {
    return result;
  }
  result.resize(header_words);
  const Id file = result[3]++;
  bool named = false;
  bool merges = false;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Raw i = all[n];
    if (!named && !before_debug_section(i)) {
      named = true;
      const std::vector<Operand> text = text_operands(name);
      result.push_back(static_cast<std::uint32_t>(text.size() + 2) << 16U |
                       static_cast<std::uint32_t>(spv::Op::OpString));
      result.push_back(file);
      std::ranges::transform(text, std::back_inserter(result), &Operand::word);
    }
    // No instruction is allowed between a merge and its branch: both get the line of the branch.
    if (n >= first && !merges) {
      merges = is(i, spv::Op::OpSelectionMerge) || is(i, spv::Op::OpLoopMerge);
      const std::uint32_t line = lines[std::min(n - first + (merges ? 1 : 0), lines.size() - 1)];
      if (line != 0) {
        result.insert(
            result.end(),
            {op_line_words << 16U | static_cast<std::uint32_t>(spv::Op::OpLine), file, line, 0});
      }
    } else {
      merges = false;
    }
    result.insert(result.end(), i.begin(), i.end());
  }
  return result;
}

Words with_glsl_as_language(Words words) {
  std::size_t at = header_words;
  for (const Raw i : instructions_of(words)) {
    if (is(i, spv::Op::OpSource) && i.size() > 1) {
      words[at + 1] = static_cast<std::uint32_t>(spv::SourceLanguage::GLSL);
    }
    at += i.size();
  }
  return words;
}

Words with_names(std::span<const std::uint32_t> words, Names kinds) {
  auto module = parse(words);
  if (!module) {
    return {words.begin(), words.end()};
  }
  const auto names = Naming(*module, kinds).names();
  if (names.empty()) {
    return {words.begin(), words.end()};
  }
  std::erase_if(module->preamble, [&](const Instruction& i) {
    return i.op == spv::Op::OpName && text(i, 1).empty() &&
           std::ranges::any_of(names, [&](const auto& name) { return name.first == i.word(0); });
  });
  Emitter emitter(*module);
  for (const auto& [variable, name] : names) {
    emitter.name(variable, name);
  }
  return write(*module);
}

}  // namespace spirv
