#include "spirv/decompile/code_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace spirv {
namespace {

constexpr std::string_view kDirective = "#line ";
constexpr std::string_view kExtension = "GL_GOOGLE_cpp_style_line_directive";

std::string_view without_indent(std::string_view line) {
  return line.substr(std::min(line.size(), line.find_first_not_of(" \t")));
}

std::size_t indent_of(std::string_view line) {
  return line.size() - without_indent(line).size();
}

bool begins_loop(std::string_view line) {
  return line.starts_with("for (") || line.starts_with("while (") || line == "do";
}

// A line that no instruction stands for.
bool is_frame(std::string_view line) {
  return line.empty() || line == "{" || line == "}" || line == "};" || line == "else";
}

// "float x;": where the value comes from stands elsewhere.
bool is_declaration(std::string_view line) {
  return line.ends_with(';') && !line.contains('=') && !line.contains('(') && line.contains(' ');
}

bool is_choice(std::string_view line) {
  return line.starts_with("if (") || line.starts_with("switch (") || begins_loop(line) ||
         line.starts_with("} while (");
}

}  // namespace

CodeLines::CodeLines(const Module& module) {
  for (const Function& function : module.functions) {
    const std::size_t first_block = blocks_.size();
    entries_.push_back({&function.header, kNone});
    for (const Instruction& parameter : function.parameters) {
      entries_.push_back({&parameter, kNone});
    }
    for (const Block& block : function.blocks) {
      const std::size_t number = blocks_.size();
      block_of_label_[block.label] = number;
      blocks_.push_back({&block, entries_.size(), entries_.size() + block.body.size()});
      entries_.push_back({nullptr, number});
      for (const Instruction& i : block.body) {
        entries_.push_back({&i, number});
      }
    }
    entries_.push_back({nullptr, kNone});
    for (std::size_t b = first_block; b < blocks_.size(); ++b) {
      add_loop(b);
    }
  }
  std::unordered_map<Id, std::size_t> loop_of_header;
  for (std::size_t n = 0; n < loops_.size(); ++n) {
    loop_of_header[blocks_[loops_[n].header].block->label] = n;
  }
  for (const CodeBlock& block : blocks_) {
    for (const Id next : block.block->successors()) {
      const auto loop = loop_of_header.find(next);
      if (loop != loop_of_header.end() &&
          block.first < blocks_[loops_[loop->second].header].first) {
        loops_[loop->second].entries.push_back(block.last);
      }
    }
  }
}

void CodeLines::add_loop(std::size_t header) {
  const auto& body = blocks_[header].block->body;
  if (body.size() < 2 || body[body.size() - 2].op != spv::Op::OpLoopMerge) {
    return;
  }
  const Id merge = body[body.size() - 2].word(0);
  const Id next = body[body.size() - 2].word(1);
  std::vector<std::size_t> own{header};
  if (body.back().op == spv::Op::OpBranch) {
    const auto condition = block_of_label_.find(body.back().word(0));
    if (condition != block_of_label_.end()) {
      const Instruction& last = blocks_[condition->second].block->terminator();
      if (last.op == spv::Op::OpBranchConditional &&
          (last.word(1) == merge || last.word(2) == merge)) {
        own.push_back(condition->second);
      }
    }
  }
  for (const std::size_t block : own) {
    if (blocks_[block].loop == kNone) {
      blocks_[block].loop = loops_.size();
    }
  }
  // The text of a block that is the body, too, stands in the braces.
  bool is_body = next == blocks_[header].block->label;
  for (const std::size_t block : own) {
    const std::vector<Id> successors = blocks_[block].block->successors();
    is_body = is_body || std::ranges::find(successors, next) != successors.end();
  }
  if (const auto last = block_of_label_.find(next);
      last != block_of_label_.end() && blocks_[last->second].loop == kNone) {
    blocks_[last->second].loop = loops_.size();
    blocks_[last->second].is_continue = true;
  }
  loops_.push_back({.header = header,
                    .entries = {},
                    .quiet = next != blocks_[header].block->label,
                    .quiet_continue = !is_body});
}

bool CodeLines::is_quiet(const CodeBlock& block) const {
  return block.loop != kNone &&
         (block.is_continue ? loops_[block.loop].quiet_continue : loops_[block.loop].quiet);
}

std::vector<std::uint32_t> CodeLines::numbers() const {
  std::vector<std::uint32_t> numbers(entries_.size());
  for (std::size_t n = 0; n < entries_.size(); ++n) {
    const std::size_t block = entries_[n].block;
    const bool none = block != kNone && is_quiet(blocks_[block]);
    numbers[n] = none ? 0 : static_cast<std::uint32_t>(n + 1);
  }
  return numbers;
}

void CodeLines::take(std::string_view line) {
  if (line.starts_with("#extension") && line.contains(kExtension)) {
    return;
  }
  if (!line.starts_with(kDirective)) {
    text_.emplace_back(line);
    return;
  }
  const auto close = [this] {
    if (open_ == kNone) {
      return;
    }
    Range& range = ranges_[open_];
    const auto says = [&](std::size_t n) { return !is_frame(without_indent(text_[n])); };
    if (range.end > range.begin) {
      return;  // this is its text elsewhere, as that of a continue block may be
    }
    range.end = text_.size();
    bool any = false;
    for (std::size_t n = range.begin; n < range.end && !any; ++n) {
      any = says(n);
    }
    if (!any) {
      ranges_.erase(open_);
    }
  };
  close();
  std::size_t number = 0;
  std::from_chars(line.data() + kDirective.size(), line.data() + line.size(), number);
  open_ = number > 0 && number <= entries_.size() ? number - 1 : kNone;
  if (open_ != kNone) {
    ranges_.try_emplace(open_, Range{text_.size(), text_.size()});
  }
}

void CodeLines::find_loop_lines(Loop& loop) const {
  loop.line = loop.end = 0;
  for (const std::size_t entry : loop.entries) {
    const auto range = ranges_.find(entry);
    if (range == ranges_.end()) {
      continue;
    }
    for (std::size_t n = range->second.begin; n < range->second.end && loop.line == 0; ++n) {
      if (begins_loop(without_indent(text_[n]))) {
        loop.line = static_cast<std::uint32_t>(n + 1);
      }
    }
  }
  if (loop.line == 0 || without_indent(text_[loop.line - 1]) != "do") {
    return;
  }
  const std::size_t indent = indent_of(text_[loop.line - 1]);
  for (std::size_t n = loop.line; n < text_.size() && loop.end == 0; ++n) {
    if (indent_of(text_[n]) == indent && without_indent(text_[n]).starts_with("} while (")) {
      loop.end = static_cast<std::uint32_t>(n + 1);
    }
  }
}

bool CodeLines::read(std::string_view text) {
  text_.clear();
  ranges_.clear();
  open_ = kNone;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    take(line);
  }
  take(std::string(kDirective) + "0");
  while (!text_.empty() && text_.back().empty()) {
    text_.pop_back();
  }
  bool all = true;
  for (Loop& loop : loops_) {
    find_loop_lines(loop);
    const std::string_view statement =
        loop.line == 0 ? std::string_view() : without_indent(text_[loop.line - 1]);
    const bool in_head = statement.starts_with("while (") ||
                         (statement.starts_with("for (") && !statement.contains("(;;)"));
    const bool in_foot = loop.end != 0;
    const bool next_in_braces = in_head ? statement.ends_with("; )") : !in_foot;
    if ((loop.quiet && !in_head) || (loop.quiet_continue && next_in_braces)) {
      all = false;
    }
    loop.quiet = loop.quiet && in_head;
    loop.quiet_continue = loop.quiet_continue && !next_in_braces;
  }
  return all;
}

// The line of the text that is the instruction's; 0: there is none.
std::uint32_t CodeLines::own_line(std::size_t number) const {
  const Instruction* instruction = entries_[number].instruction;
  // SPIRV-Cross writes the first line after OpFunction, that of a parameter or a label, before the
  // function's head.
  const bool is_function = instruction != nullptr && instruction->op == spv::Op::OpFunction;
  const auto range = ranges_.find(is_function ? number + 1 : number);
  if (range == ranges_.end() || instruction == nullptr) {
    return 0;
  }
  const bool chooses =
      instruction->op == spv::Op::OpBranchConditional || instruction->op == spv::Op::OpSwitch;
  const bool first = is_function || is_terminator(instruction->op);
  std::uint32_t line = 0;
  bool only_declared = false;
  for (std::size_t n = range->second.begin; n < range->second.end; ++n) {
    const std::string_view words = without_indent(text_[n]);
    if (is_frame(words)) {
      continue;
    }
    if (chooses && is_choice(words)) {
      return static_cast<std::uint32_t>(n + 1);
    }
    if (line == 0 || !first || only_declared) {
      line = static_cast<std::uint32_t>(n + 1);
      only_declared = is_declaration(words);
    }
  }
  return line;
}

std::uint32_t CodeLines::loop_line(std::size_t number) const {
  const std::size_t block = entries_[number].block;
  if (block == kNone || !is_quiet(blocks_[block])) {
    return 0;
  }
  const Loop& loop = loops_[blocks_[block].loop];
  return blocks_[block].is_continue && loop.end != 0 ? loop.end : loop.line;
}

Listing CodeLines::listing() const {
  Listing listing;
  for (const std::string& line : text_) {
    listing.text += line + "\n";
  }
  listing.lines.resize(entries_.size());
  // A block ends with the copies of values that the next block's OpPhi chooses from.
  std::unordered_map<std::size_t, std::vector<Id>> copied;  // by terminator
  for (const Entry& entry : entries_) {
    const Instruction* i = entry.instruction;
    for (std::size_t n = 0; i != nullptr && i->op == spv::Op::OpPhi && n < i->operands.size();
         n += 2) {
      if (const auto from = block_of_label_.find(i->word(n + 1)); from != block_of_label_.end()) {
        copied[blocks_[from->second].last].push_back(i->word(n));
      }
    }
  }
  std::unordered_map<Id, std::uint32_t> used;  // the line of the first user after the instruction
  for (std::size_t n = entries_.size(); n-- > 0;) {
    std::uint32_t& line = listing.lines[n];
    const Instruction* i = entries_[n].instruction;
    line = own_line(n);
    if (line == 0) {
      line = loop_line(n);
    }
    if (i == nullptr) {
      continue;
    }
    const bool merges = i->op == spv::Op::OpSelectionMerge || i->op == spv::Op::OpLoopMerge;
    if (line == 0 && merges && n + 1 < entries_.size()) {
      line = listing.lines[n + 1];
    }
    if (const auto user = used.find(i->result); line == 0 && i->result != 0 && user != used.end()) {
      line = user->second;
    }
    if (line == 0) {
      continue;
    }
    for (const Operand& operand : i->operands) {
      if (operand.is_id && i->op != spv::Op::OpPhi) {
        used[operand.word] = line;
      }
    }
    if (const auto values = copied.find(n); values != copied.end()) {
      for (const Id value : values->second) {
        used[value] = line;
      }
    }
  }
  fill(listing.lines);
  return listing;
}

// Instructions that are still without a line get that of the one before in their block, else that
// of the one behind, else that of the block before. A function that the text does not have keeps
// none.
void CodeLines::fill(std::vector<std::uint32_t>& lines) const {
  for (const CodeBlock& block : blocks_) {
    std::uint32_t line = block.first > 0 ? lines[block.first - 1] : 0;
    for (std::size_t n = block.last; n > block.first; --n) {
      const spv::Op op = entries_[n].instruction->op;
      line = lines[n] != 0 && op != spv::Op::OpVariable && op != spv::Op::OpPhi ? lines[n] : line;
    }
    for (std::size_t n = block.first; n <= block.last; ++n) {
      line = lines[n] != 0 && n > block.first ? lines[n] : line;
      lines[n] = line;
    }
  }
}

}  // namespace spirv
