#include "spirv/reflection/cooperative_matrix.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "spirv/compile.h"

namespace {

constexpr auto kTypeKhr = static_cast<spv::Op>(4456);
constexpr auto kLoadKhr = static_cast<spv::Op>(4457);
constexpr auto kStoreKhr = static_cast<spv::Op>(4458);
constexpr auto kMulAddKhr = static_cast<spv::Op>(4459);

const std::string kMatrixHead = R"(#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { float16_t a[]; };
layout(binding = 1) buffer B { float16_t b[]; };
layout(binding = 2) buffer C { float c[]; };
#define HALF fcoopmatNV<16, gl_ScopeSubgroup, 16, 16>
#define SUM fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>
)";

// B is read by columns, and both pass through arrays.
const std::string kProduct = kMatrixHead + R"(
void main() {
  HALF from_a[2];
  SUM sum[2];
  for (int i = 0; i < 2; ++i) {
    sum[i] = SUM(0.0);
    coopMatLoadNV(from_a[i], a, i * 256, 16, false);
  }
  HALF from_b;
  coopMatLoadNV(from_b, b, 0, 16, true);
  for (int i = 0; i < 2; ++i) sum[i] = coopMatMulAddNV(from_a[i], from_b, sum[i]);
  for (int i = 0; i < 2; ++i) coopMatStoreNV(sum[i], c, i * 256, 16, false);
}
)";

std::vector<spirv::Instruction> all(const spirv::Module& module) {
  std::vector<spirv::Instruction> list = module.preamble;
  for (const spirv::Function& function : module.functions) {
    for (const spirv::Block& block : function.blocks) {
      list.insert(list.end(), block.body.begin(), block.body.end());
    }
  }
  return list;
}

std::ptrdiff_t count(const spirv::Module& module, spv::Op op) {
  return std::ranges::count(all(module), op, &spirv::Instruction::op);
}

const spirv::Instruction& only(const std::vector<spirv::Instruction>& list, spv::Op op) {
  EXPECT_EQ(std::ranges::count(list, op, &spirv::Instruction::op), 1);
  return *std::ranges::find(list, op, &spirv::Instruction::op);
}

// The number that an id is a constant of.
std::uint32_t number(const spirv::Module& module, spirv::Id id) {
  const spirv::Definitions definitions(module);
  EXPECT_EQ(definitions.op(id), spv::Op::OpConstant);
  return definitions.of(id).word(0);
}

// Use of the matrix type that an id's type is.
std::uint32_t use(const spirv::Module& module, spirv::Id id) {
  const spirv::Definitions definitions(module);
  const spirv::Instruction& type = definitions.of(definitions.of(id).type);
  EXPECT_EQ(type.op, kTypeKhr);
  return number(module, type.word(4));
}

TEST(CooperativeMatrix, IsToldWhatItIsUsedAs) {
  spirv::Module module = test::module(kProduct);
  ASSERT_TRUE(spirv::use_khr_cooperative_matrices(module));
  const auto list = all(module);
  const spirv::Instruction& product = only(list, kMulAddKhr);
  EXPECT_EQ(use(module, product.word(0)), 0U);
  EXPECT_EQ(use(module, product.word(1)), 1U);
  EXPECT_EQ(use(module, product.word(2)), 2U);
  EXPECT_EQ(use(module, product.result), 2U);
  EXPECT_EQ(count(module, kTypeKhr), 3);
  EXPECT_EQ(count(module, kLoadKhr), 2);
  for (const spirv::Instruction& i : list) {
    if (i.op == kLoadKhr) {
      EXPECT_EQ(number(module, i.word(1)), use(module, i.result)) << "only B is read by columns";
      EXPECT_EQ(number(module, i.word(2)), 16U);
    }
  }
  const spirv::Instruction& store = only(list, kStoreKhr);
  EXPECT_EQ(use(module, store.word(1)), 2U);
  EXPECT_EQ(number(module, store.word(2)), 0U);
  EXPECT_EQ(number(module, store.word(3)), 16U);
}

TEST(CooperativeMatrix, LeavesNothingOfTheOldKind) {
  spirv::Module module = test::module(kProduct);
  ASSERT_TRUE(spirv::use_khr_cooperative_matrices(module));
  std::map<spirv::Id, int> defined;
  for (const spirv::Instruction& i : all(module)) {
    const auto op = static_cast<std::uint32_t>(i.op);
    EXPECT_FALSE(op >= 5358 && op <= 5362) << "instruction " << op;
    EXPECT_FALSE(i.op == spv::Op::OpCapability && i.word(0) == 5357);
    EXPECT_FALSE(i.op == spv::Op::OpExtension && spirv::text(i, 0) == "SPV_NV_cooperative_matrix");
    defined[i.result] += i.result == 0 ? 0 : 1;
  }
  for (const auto& [id, times] : defined) {
    EXPECT_LE(times, 1) << "id " << id;
    EXPECT_LT(id, module.bound);
  }
  for (const spirv::Instruction& i : all(module)) {
    EXPECT_TRUE(i.type == 0 || defined.contains(i.type)) << "type " << i.type;
  }
}

// What is declared once stands before what it is used by: the order of types is the module's.
TEST(CooperativeMatrix, TypesStandBeforeTheirUses) {
  spirv::Module module = test::module(kProduct);
  ASSERT_TRUE(spirv::use_khr_cooperative_matrices(module));
  std::map<spirv::Id, bool> seen;
  for (const spirv::Instruction& i : module.preamble) {
    const bool type = i.op == kTypeKhr || i.op == spv::Op::OpTypeArray ||
                      i.op == spv::Op::OpTypePointer || i.op == spv::Op::OpConstant;
    for (const spirv::Operand& operand : i.operands) {
      EXPECT_TRUE(!type || !operand.is_id || seen[operand.word]) << "id " << operand.word;
    }
    seen[i.result] = true;
  }
}

// The floats of the matrix type that an id's type is.
const spirv::Instruction& component(const spirv::Definitions& definitions, spirv::Id id) {
  return definitions.of(definitions.of(definitions.of(id).type).word(0));
}

TEST(CooperativeMatrix, HalvesMayBeBfloat16) {
  spirv::Module module = test::module(kProduct);
  ASSERT_TRUE(spirv::use_khr_cooperative_matrices(module, spirv::Halves::bfloat16));
  const auto list = all(module);
  const spirv::Definitions definitions(module);
  const spirv::Instruction& product = only(list, kMulAddKhr);
  for (const int factor : {0, 1}) {
    const spirv::Instruction& halves = component(definitions, product.word(factor));
    EXPECT_EQ(halves.word(0), 16U);
    ASSERT_EQ(halves.operands.size(), 2U) << "with its encoding";
    EXPECT_EQ(halves.word(1), 0U) << "BFloat16KHR";
  }
  const spirv::Instruction& sums = component(definitions, product.result);
  EXPECT_EQ(sums.word(0), 32U);
  EXPECT_EQ(sums.operands.size(), 1U);
  std::set<std::uint32_t> capabilities;
  std::set<std::string> extensions;
  for (const spirv::Instruction& i : list) {
    if (i.op == spv::Op::OpCapability) {
      capabilities.insert(i.word(0));
    } else if (i.op == spv::Op::OpExtension) {
      extensions.insert(spirv::text(i, 0));
    }
  }
  EXPECT_TRUE(capabilities.contains(5116) && capabilities.contains(5118) &&
              capabilities.contains(6022));
  EXPECT_TRUE(extensions.contains("SPV_KHR_bfloat16"));
}

void is_left_alone(const std::string& source, spirv::Halves halves = spirv::Halves::float16) {
  spirv::Module module = test::module(source);
  const spirv::Words before = spirv::write(module);
  EXPECT_FALSE(spirv::use_khr_cooperative_matrices(module, halves));
  EXPECT_EQ(spirv::write(module), before);
}

// 0.5 in float16 is another number in bfloat16.
TEST(CooperativeMatrix, NumbersOfTheKernelsOwnAreNotTakenForBfloat16) {
  const std::string source = kMatrixHead + R"(
void main() {
  HALF x = HALF(0.5);
  HALF y;
  coopMatLoadNV(y, b, 0, 16, false);
  coopMatStoreNV(coopMatMulAddNV(x, y, SUM(0.0)), c, 0, 16, false);
}
)";
  is_left_alone(source, spirv::Halves::bfloat16);
  spirv::Module module = test::module(source);
  EXPECT_TRUE(spirv::use_khr_cooperative_matrices(module));
}

TEST(CooperativeMatrix, AModuleWithoutOneStaysAsItIs) {
  is_left_alone("#version 450\nvoid main() {}\n");
}

TEST(CooperativeMatrix, AMatrixThatIsTwoThingsStaysAsItIs) {
  is_left_alone(kMatrixHead + R"(
void main() {
  HALF both;
  coopMatLoadNV(both, a, 0, 16, false);
  coopMatStoreNV(coopMatMulAddNV(both, both, SUM(0.0)), c, 0, 16, false);
}
)");
}

TEST(CooperativeMatrix, AMatrixThatAFunctionTakesStaysAsItIs) {
  is_left_alone(kMatrixHead + R"(
SUM times(HALF x, HALF y) { return coopMatMulAddNV(x, y, SUM(0.0)); }
void main() {
  HALF x;
  HALF y;
  coopMatLoadNV(x, a, 0, 16, false);
  coopMatLoadNV(y, b, 0, 16, false);
  coopMatStoreNV(times(x, y), c, 0, 16, false);
}
)");
}

TEST(CooperativeMatrix, ALengthThatIsAskedForStaysAsItIs) {
  is_left_alone(kMatrixHead + R"(
void main() {
  HALF x;
  HALF y;
  coopMatLoadNV(x, a, 0, 16, false);
  coopMatLoadNV(y, b, 0, 16, false);
  SUM sum = coopMatMulAddNV(x, y, SUM(0.0));
  for (int i = 0; i < sum.length(); ++i) sum[i] *= 2.0;
  coopMatStoreNV(sum, c, 0, 16, false);
}
)");
}

}  // namespace
