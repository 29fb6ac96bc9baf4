#include "spirv/module/line_repair.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace spirv {
namespace {

using Lines = std::vector<std::string>;

std::map<Id, Lines> sources(const Module& module) {
  std::map<Id, std::string> texts;
  Id file = 0;
  for (const Instruction& i : module.preamble) {
    if (i.op == spv::Op::OpSource && i.operands.size() > 3) {
      file = i.word(2);
      texts[file] = text(i, 3);
    } else if (i.op == spv::Op::OpSourceContinued && file != 0) {
      texts[file] += text(i, 0);
    }
  }
  std::map<Id, Lines> result;
  for (const auto& [id, whole] : texts) {
    // shaderc puts lines of its own in front, and resets the count with #line.
    Lines& lines = result[id];
    std::size_t begin = 0;
    while (begin <= whole.size()) {
      const std::size_t end = std::min(whole.find('\n', begin), whole.size());
      lines.push_back(whole.substr(begin, end - begin));
      if (lines.back().starts_with("#line 1")) {
        lines.clear();
      }
      begin = end + 1;
    }
  }
  return result;
}

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool mentions(const std::string& line, const std::string& name) {
  for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1)) {
    const bool starts = at == 0 || !in_name(line[at - 1]);
    const bool ends = at + name.size() >= line.size() || !in_name(line[at + name.size()]);
    if (starts && ends) {
      return true;
    }
  }
  return false;
}

class Repair {
 public:
  explicit Repair(Module& module) : sources_(sources(module)), definitions_(module) {}

  void run(Function& function) const {
    std::vector<Instruction*> all;
    for (Block& block : function.blocks) {
      for (Instruction& i : block.body) {
        all.push_back(&i);
      }
    }
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (all[n]->op == spv::Op::OpLoad) {
        repair(all, n);
      }
    }
  }

 private:
  void repair(const std::vector<Instruction*>& all, std::size_t n) const {
    const SourceLine told = all[n]->at;
    const std::string name = definitions_.name(all[n]->word(0));
    const auto source = sources_.find(told.file);
    if (name.empty() || source == sources_.end() || told.line == 0) {
      return;
    }
    // Up to the next line that is told for certain.
    std::size_t last = n;
    while (last < all.size() && all[last]->at == told) {
      ++last;
    }
    const std::uint32_t limit =
        last < all.size() && all[last]->at.file == told.file ? all[last]->at.line : told.line;
    const Lines& lines = source->second;
    const auto has = [&](std::uint32_t line) {
      return line >= 1 && line <= lines.size() && mentions(lines[line - 1], name);
    };
    if (!all[n]->carried && has(told.line)) {
      return;
    }
    for (std::uint32_t line = told.line + 1; line <= limit; ++line) {
      if (has(line)) {
        for (std::size_t k = n; k < last; ++k) {
          all[k]->at.line = line;
        }
        return;
      }
    }
  }

  std::map<Id, Lines> sources_;
  Definitions definitions_;
};

}  // namespace

void repair_lines(Module& module) {
  const Repair repair(module);
  for (Function& function : module.functions) {
    repair.run(function);
  }
}

void repair_lines_of_parts(Module& module) {
  for (Function& function : module.functions) {
    for (Block& block : function.blocks) {
      // Behind some line: what stands before the first one that is told is not of the optimizer.
      const auto told = [](const Instruction& i) { return i.at.line != 0; };
      const auto first = std::ranges::find_if(block.body, told);
      for (auto i = block.body.end(); i != first;) {
        --i;
        const bool reads = i->op == spv::Op::OpLoad || i->op == spv::Op::OpAccessChain ||
                           i->op == spv::Op::OpInBoundsAccessChain;
        if (reads && !told(*i)) {
          i->at = std::next(i)->at;
        }
      }
    }
  }
}

}  // namespace spirv
