#include "lab/read/order_remarks.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/ceil_div.h"
#include "spirv/reflection/value_sources.h"

namespace lab {
namespace {

class OrderRemarks {
 public:
  OrderRemarks(const spirv::Examination& x, core::CheckReport& report)
      : x_(x), report_(report), origins_(x.program.module) {}

  void add() {
    add_places();
    add_waits();
    add_settings();
    add_lanes();
  }

 private:
  [[nodiscard]] const spirv::Instruction& instruction(const auto& site) const {
    return x_.program.function.blocks[site.block].body[site.instruction];
  }

  void remark(std::string text) {
    if (std::ranges::find(report_.remarks, text) == report_.remarks.end()) {
      report_.remarks.push_back(std::move(text));
    }
  }

  [[nodiscard]] static std::vector<spirv::Id> indices(const auto& site) {
    std::vector<spirv::Id> all;
    for (const auto& term : site.terms) {
      all.push_back(term.index);
    }
    return all;
  }

  void add_places() {
    for (const spirv::BufferSite& site : x_.buffers.all()) {
      const spirv::Instruction& i = instruction(site);
      if (site.atomic || i.op != spv::Op::OpStore || site.at.line == 0 ||
          !origins_.of(indices(site)).atomic || origins_.of(i.word(1)).atomic) {
        continue;
      }
      remark(
          fmt::format("elements of {} may have another order in another run: line {} stores at "
                      "a place that an atomic returned",
                      x_.buffers.name_of(site), site.at.line));
    }
  }

  // Returns the conditions that end a loop.
  [[nodiscard]] std::vector<spirv::Id> exit_conditions(const spirv::ControlFlow::Loop& loop) const {
    std::vector<spirv::Id> found;
    for (std::size_t b = 0; b < loop.contains.size(); ++b) {
      const spirv::Instruction& end = x_.program.function.blocks[b].terminator();
      const auto& next = x_.program.flow.successors(b);
      if (loop.contains[b] && end.op == spv::Op::OpBranchConditional &&
          std::ranges::any_of(next, [&](std::size_t n) { return !loop.contains[n]; })) {
        found.push_back(end.word(0));
      }
    }
    return found;
  }

  void add_waits() {
    for (const spirv::ControlFlow::Loop& loop : x_.program.flow.loops()) {
      for (const spirv::BufferSite& site : x_.buffers.all()) {
        if (!site.atomic || !site.reads || !loop.contains[site.block]) {
          continue;
        }
        const spirv::ValueSources place = origins_.of(indices(site));
        if (place.workgroup && !place.atomic && site.at.line != 0 &&
            origins_.of(exit_conditions(loop)).atomic) {
          remark(fmt::format(
              "the loop at line {} waits for {} of a workgroup that it chooses by its own "
              "workgroup id: no device has to run that workgroup before this one ends; let "
              "workgroups take their numbers from an atomic counter",
              site.at.line, x_.buffers.name_of(site)));
        }
      }
    }
  }

  [[nodiscard]] bool sets(const spirv::Site& site) const {
    const spirv::Instruction& i = instruction(site);
    return i.op == spv::Op::OpAtomicStore ||
           (i.op == spv::Op::OpAtomicExchange && !is_used(i.result));
  }

  [[nodiscard]] bool is_used(spirv::Id value) const {
    return std::ranges::any_of(x_.program.function.blocks, [value](const spirv::Block& block) {
      return std::ranges::any_of(block.body, [value](const spirv::Instruction& i) {
        return std::ranges::any_of(
            i.operands, [value](const spirv::Operand& o) { return o.is_id && o.word == value; });
      });
    });
  }

  // Where both go to the same element of each invocation, the invocation itself orders them.
  void add_settings() {
    const auto& all = x_.sites.all();
    for (const spirv::Site& setting : all) {
      if (!setting.atomic || !sets(setting) || setting.at.line == 0) {
        continue;
      }
      for (const spirv::Site& change : all) {
        const bool other = change.atomic && change.writes && !sets(change) &&
                           change.variable == setting.variable &&
                           instruction(change).op != spv::Op::OpAtomicExchange &&
                           instruction(change).op != spv::Op::OpAtomicCompareExchange;
        if (other && indices(change) != indices(setting) &&
            x_.phases.meet(setting.segment, change.segment)) {
          remark(fmt::format(
              "the result depends on the order of invocations: line {} sets {} and line {} "
              "changes it, with no barrier between them, so what line {} added may be lost",
              setting.at.line, x_.sites.variables()[setting.variable].name, change.at.line,
              change.at.line));
        }
      }
    }
  }

  [[nodiscard]] bool is_built_in(spirv::Id value, spv::BuiltIn built_in) const {
    const auto& definitions = x_.program.definitions;
    const spirv::Instruction& load = definitions.of(value);
    const spirv::Instruction* decoration =
        load.op == spv::Op::OpLoad ? definitions.decoration(load.word(0), spv::Decoration::BuiltIn)
                                   : nullptr;
    return decoration != nullptr && decoration->word(2) == static_cast<std::uint32_t>(built_in);
  }

  void add_lanes() {
    const std::uint32_t lanes = x_.program.launch.subgroup;
    for (const spirv::Block& block : x_.program.function.blocks) {
      for (const spirv::Instruction& i : block.body) {
        const auto compares = [&](std::size_t lane, std::size_t subgroups) {
          return is_built_in(i.word(lane), spv::BuiltIn::SubgroupLocalInvocationId) &&
                 is_built_in(i.word(subgroups), spv::BuiltIn::NumSubgroups);
        };
        if (i.operands.size() != 2 || i.at.line == 0 || lanes == 0 ||
            !(compares(0, 1) || compares(1, 0))) {
          continue;
        }
        const std::uint64_t subgroups = core::ceil_div(x_.program.invocations(), lanes);
        remark(fmt::format(
            "line {} gives each subgroup one lane, which needs at least as many lanes as "
            "subgroups; "
            "here {} subgroups have {} lanes each{}",
            i.at.line, subgroups, lanes,
            subgroups > lanes ? fmt::format(", so subgroups from {} on are left out", lanes)
                              : ", but on devices with smaller subgroups some are left out"));
      }
    }
  }

  const spirv::Examination& x_;
  core::CheckReport& report_;
  spirv::ValueOrigins origins_;
};

}  // namespace

void add_order_remarks(const spirv::Examination& examination, core::CheckReport& report) {
  OrderRemarks(examination, report).add();
}

}  // namespace lab
