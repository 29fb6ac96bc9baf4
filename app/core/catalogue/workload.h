// A workload: the work that all variants of a folder in shaders/ do. It knows its buffers, sizes,
// inputs, what a right answer is (in double) and how much arithmetic and traffic the answer needs.
// Each is a C++ file in core/workloads/ with a row in workloads.cpp, or a folder's workload.toml
// (core/workloads/described.h).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "core/base/error.h"
#include "core/catalogue/precision.h"
#include "core/catalogue/tile_map.h"
#include "core/work/experiment.h"

namespace core {

class DifferenceRecorder;
struct Particles;
struct Variant;

enum class Role { input, output };

/// A storage buffer of elements, row-major. Its binding (set 0) is its place in the list.
struct BufferSpec {
  std::string name;  ///< "A"
  Role role = Role::input;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  bool transposed = false;  ///< stored column after column: (row, column) at column · rows + row
  std::uint32_t components = 1;    ///< words an element: 4 for a vec4
  std::uint32_t drawn = 0;         ///< the component that heat maps show
  bool whole = false;              ///< words are integers, not floats
  bool is_signed = false;          ///< integers: in two's complement
  std::string drawn_as = "value";  ///< what the drawn component is
  Precision precision = Precision::fp32;
  [[nodiscard]] std::uint64_t elements() const { return std::uint64_t{rows} * columns; }
  [[nodiscard]] std::uint64_t words() const { return elements() * components; }
  [[nodiscard]] std::uint64_t bytes() const { return words() * core::bytes_of(precision); }
  bool operator==(const BufferSpec&) const = default;
};

/// The number that a word of that buffer is, bit for bit as HostBuffers have it.
[[nodiscard]] double number_of(const BufferSpec& spec, float word);

/// A rectangle of elements of one of the workload's buffers.
struct Region {
  std::size_t buffer = 0;                           ///< index into Workload::buffers
  std::uint32_t first_row = 0, last_row = 0;        ///< half-open
  std::uint32_t first_column = 0, last_column = 0;  ///< half-open
  bool operator==(const Region&) const = default;
};

/// One value that a workload lets its users choose beside its sizes.
struct OptionSpec {
  std::string name;                  ///< "start"
  std::string preset;                ///< "galaxies"
  std::vector<std::string> choices;  ///< empty: any number in [low, high]
  double low = 0.0, high = 0.0;
  std::string meaning;  ///< a few words, with the unit
};

/// A run's work: everything but variant, tile and device. All fields are filled in.
struct Problem {
  Sizes sizes;
  Settings options;  ///< each option of the workload, by name
  std::uint64_t seed = 1;
};

/// One host array a buffer, in binding order. For an output before the launch: empty. Integers lie
/// in it bit for bit (std::bit_cast).
using HostBuffers = std::vector<std::vector<float>>;

/// The comparison of an answer with the reference in double.
struct Check {
  bool done = false;
  bool correct = false;
  double max_error = 0.0;      ///< largest |got − reference| over `scale`; infinite for NaN
  double tolerance = 0.0;      ///< what max_error may be
  std::uint64_t compared = 0;  ///< elements compared one by one
  std::uint64_t elements = 0;  ///< elements of the answer
  std::string scale;           ///< what errors are relative to, in words
  std::string method;          ///< how, in words: "every element", "4096 elements and Freivalds"
  std::string worst;           ///< where max_error is, "C[3][7] is 1.5, should be 1.25"
};

/// What a workload calls the work items of a launch.
struct ItemNames {
  std::string one = "work item";
  std::string many = "work items";
  std::array<std::string, 3> axes{"x", "y", "z"};  ///< what a step along them is, "column"
};

/// What is counted as moved: each of them once.
[[nodiscard]] double bytes_of(const std::vector<BufferSpec>& buffers);

class Workload {
 public:
  Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  virtual ~Workload() = default;

  [[nodiscard]] virtual std::string name() const = 0;   ///< folder in shaders/, "matmul"
  [[nodiscard]] virtual std::string title() const = 0;  ///< "Matrix multiplication"
  [[nodiscard]] virtual std::string about() const = 0;  ///< one line: what is computed
  [[nodiscard]] virtual std::vector<std::string> size_names() const = 0;
  [[nodiscard]] virtual Sizes default_sizes() const = 0;
  /// The largest sizes that its 32-bit numbers can count; empty: all can.
  [[nodiscard]] virtual Sizes largest_sizes() const { return {}; }
  [[nodiscard]] virtual std::vector<OptionSpec> options() const { return {}; }

  [[nodiscard]] virtual std::vector<BufferSpec> buffers(const Sizes& sizes) const = 0;
  /// The 32-bit words of the push constant block, in order.
  [[nodiscard]] virtual std::vector<std::uint32_t> push_constants(const Problem& p) const = 0;
  /// What kernels may be specialized on beyond their own constants, by the name of the constant.
  [[nodiscard]] virtual std::map<std::string, std::uint32_t> facts(const Sizes& /*sizes*/) const {
    return {};
  }
  /// Work items of a launch in x, y, z.
  [[nodiscard]] virtual glm::uvec3 extent(const Sizes& sizes) const = 0;
  [[nodiscard]] virtual ItemNames items() const { return {}; }
  /// Floating-point operations that the answer needs (not: that a variant happens to spend).
  [[nodiscard]] virtual double flops(const Sizes& sizes) const = 0;
  /// Bytes that the answer needs to be moved at least, in float32: each input read once, each
  /// output written once.
  [[nodiscard]] virtual double bytes(const Sizes& sizes) const { return bytes_of(buffers(sizes)); }

  /// Sizes that show what goes wrong at edges, within what the reference can compare in a second;
  /// empty: any will do.
  [[nodiscard]] virtual std::vector<Sizes> awkward_sizes() const { return {}; }

  /// Seeded inputs; outputs are left empty.
  [[nodiscard]] virtual HostBuffers inputs(const Problem& p) const = 0;
  /// Compares the outputs of one launch on `before` with the reference in double. Complete up to a
  /// few hundred million operations; beyond that a seeded sample that includes all corners and
  /// edges. `recorder` notes what is compared; null: nobody does.
  [[nodiscard]] virtual Check verify(const Problem& p, const HostBuffers& before,
                                     const HostBuffers& after,
                                     DifferenceRecorder* recorder = nullptr) const = 0;

  /// A variant of the workload, by its name, whose answer is what others are compared with (see
  /// `compare_with`); empty: `verify` knows the answer.
  [[nodiscard]] virtual std::string reference_kernel() const { return {}; }
  /// Compares the outputs of a launch with those of the reference kernel on the same inputs.
  [[nodiscard]] virtual Check compare_with(const Problem& p, const HostBuffers& want,
                                           const HostBuffers& after,
                                           DifferenceRecorder* recorder = nullptr) const;

  /// Elements that the work items of `items` write.
  [[nodiscard]] virtual Region writes(const Sizes& sizes, const Box& items) const = 0;
  /// Elements that they need to read: a tile's bands, those of a buffer one after the other.
  [[nodiscard]] virtual std::vector<Region> reads(const Sizes& sizes, const Box& items) const = 0;

  /// Its kernels show what to do with sizes that tiles do not divide: what whole tiles leave over
  /// is told apart (core/catalogue/sections.h).
  [[nodiscard]] virtual bool tells_sections() const { return false; }

  /// Buffers to swap after each launch when launches are chained: {input, output} pairs. Empty: a
  /// launch on the same inputs gives the same answer, and can be repeated as it is.
  [[nodiscard]] virtual std::vector<std::pair<std::size_t, std::size_t>> chain() const {
    return {};
  }

  /// It can be streamed over several devices (core/stream/stream.h).
  [[nodiscard]] virtual bool streams() const { return false; }
  /// What the bodies view shows of a workload whose launch leaves particles where they are; null
  /// for others.
  [[nodiscard]] virtual std::shared_ptr<const Particles> particles(
      const Problem& /*p*/, const HostBuffers& /*before*/, const HostBuffers& /*after*/) const {
    return nullptr;
  }

  /// The problem with every option filled in. Errors name the size or option and what it may be.
  [[nodiscard]] Expected<Problem> resolve(const Sizes& sizes, const Settings& options,
                                          std::uint64_t seed) const;

 protected:
  /// What else sizes have to be, each of them from 1 to its largest already.
  [[nodiscard]] virtual Expected<void> check_sizes(const Sizes& /*sizes*/) const { return {}; }
};

/// Bytes that the answer needs to be moved at least, from and to buffers stored like that.
[[nodiscard]] double bytes_of(const Workload& workload, const std::vector<BufferSpec>& stored,
                              const Sizes& sizes);

/// The workload's buffers as this kernel finds them stored.
[[nodiscard]] std::vector<BufferSpec> stored_buffers(const Workload& workload,
                                                     const Variant& variant, const Sizes& sizes);

/// Workloads are shared by the catalogue, variants and results, and never change.
using WorkloadPtr = std::shared_ptr<const Workload>;

/// Those that are written in C++, in the order of menus; always the same objects. A catalogue
/// (core/catalogue/catalogue.h) has these and those of folders, and is what everything else asks.
[[nodiscard]] std::vector<WorkloadPtr> built_in_workloads();
/// Null when there is none of that name.
[[nodiscard]] WorkloadPtr workload_named(std::span<const WorkloadPtr> workloads,
                                         const std::string& name);

}  // namespace core
