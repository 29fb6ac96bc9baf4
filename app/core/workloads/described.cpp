#include "core/workloads/described.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/catalogue/expression.h"
#include "core/work/comparison.h"
#include "core/workloads/references/references.h"

namespace core {
namespace {

constexpr std::array kCorners{"x0", "x1", "y0", "y1", "z0", "z1"};

struct Shape {
  Expression rows, columns;
};

struct RegionFormula {
  std::size_t buffer = 0;
  std::array<std::optional<Expression>, 4> edges;  // first and last row, first and last column
};

std::vector<Number> numbers_of(const Sizes& sizes) {
  return {sizes.begin(), sizes.end()};
}

std::uint32_t random_byte(const std::string& content, std::uint64_t hash) {
  if (content == "same-bytes") {
    return 0x42;
  }
  if (content == "bytes") {
    return hash & 0xFFU;
  }
  std::uint32_t sum = 0;  // of four: a bell, as the central limit theorem has it
  for (int i = 0; i < 4; ++i) {
    sum += hash >> (8 * i) & 0xFFU;
  }
  return sum / 4;
}

std::uint32_t random_bytes(const std::string& content, std::uint64_t hash) {
  std::uint32_t word = 0;
  for (int byte = 0; byte < 4; ++byte) {
    word |= random_byte(content, mix(hash + static_cast<std::uint64_t>(byte))) << (8 * byte);
  }
  return word;
}

// From 1/4 to 1.
float away_from_zero(std::uint64_t hash) {
  return static_cast<float>(0.25 + 0.75 * static_cast<double>(hash >> 12U) * 0x1.0p-52);
}

void fill_rank_one(std::span<float> values, std::size_t columns, std::uint64_t stream) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = away_from_zero(mix(stream + 2 * (i / columns))) *
                away_from_zero(mix(stream + 2 * (i % columns) + 1));
  }
}

float word_at(const std::string& content, bool whole, std::uint64_t stream, std::uint64_t i) {
  if (content == "zero") {
    return 0.0F;
  }
  if (content == "iota") {
    return whole ? std::bit_cast<float>(static_cast<std::uint32_t>(i)) : static_cast<float>(i);
  }
  const std::uint64_t hash = mix(stream + i);
  if (content == "integers") {
    const auto size = static_cast<int>(1 + (hash >> 8U) % 4);
    return static_cast<float>((hash & 1U) != 0 ? size : -size);
  }
  return std::bit_cast<float>(content == "random" ? static_cast<std::uint32_t>(hash)
                                                  : random_bytes(content, hash));
}

class Described final : public Workload {
 public:
  explicit Described(WorkloadDescription description) : d_(std::move(description)) {}

  Expected<void> parse();

  std::string name() const override { return d_.name; }
  std::string title() const override { return d_.title; }
  std::string about() const override { return d_.about; }
  std::vector<std::string> size_names() const override {
    std::vector<std::string> names;
    for (const DescribedSize& size : d_.sizes) {
      names.push_back(size.name);
    }
    return names;
  }
  Sizes default_sizes() const override { return each(&DescribedSize::preset); }
  Sizes largest_sizes() const override { return each(&DescribedSize::largest); }
  std::vector<OptionSpec> options() const override { return d_.options; }
  ItemNames items() const override { return d_.items; }
  std::vector<Sizes> awkward_sizes() const override { return d_.tests; }
  std::string reference_kernel() const override { return d_.reference_kernel; }

  std::vector<BufferSpec> buffers(const Sizes& sizes) const override {
    return buffers_at(sizes).value_or(std::vector<BufferSpec>());
  }
  std::vector<std::uint32_t> push_constants(const Problem& p) const override;
  std::map<std::string, std::uint32_t> facts(const Sizes& sizes) const override;
  glm::uvec3 extent(const Sizes& sizes) const override {
    return extent_at(sizes).value_or(glm::uvec3(1));
  }
  double flops(const Sizes& sizes) const override {
    return to_double(flops_.evaluate(numbers_of(sizes)).value_or(0.0));
  }
  double bytes(const Sizes& sizes) const override {
    return bytes_ ? to_double(bytes_->evaluate(numbers_of(sizes)).value_or(0.0))
                  : Workload::bytes(sizes);
  }
  HostBuffers inputs(const Problem& p) const override;
  Check verify(const Problem& p, const HostBuffers& before, const HostBuffers& after,
               DifferenceRecorder* recorder) const override;
  Check compare_with(const Problem& p, const HostBuffers& want, const HostBuffers& after,
                     DifferenceRecorder* recorder) const override {
    return compare_outputs(buffers(p.sizes), want, after, d_.tolerance, recorder);
  }
  Region writes(const Sizes& sizes, const Box& items) const override;
  std::vector<Region> reads(const Sizes& sizes, const Box& items) const override;

 protected:
  Expected<void> check_sizes(const Sizes& sizes) const override;

 private:
  Sizes each(std::uint32_t DescribedSize::* member) const {
    Sizes all;
    for (const DescribedSize& size : d_.sizes) {
      all.push_back(size.*member);
    }
    return all;
  }
  // The first thing that is wrong is kept, and everything after it is read in vain.
  Expression take(const std::string& text, std::span<const std::string> names,
                  const std::string& what);
  void fail(std::string why) { wrong_ = wrong_.empty() ? std::move(why) : wrong_; }
  void take_buffers();
  void take_reference();
  RegionFormula take_region(const DescribedRegion& region, const std::string& what);
  std::size_t buffer_named(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(d_.buffers, name, &DescribedBuffer::name) -
                                    d_.buffers.begin());
  }
  Expected<std::vector<BufferSpec>> buffers_at(const Sizes& sizes) const;
  Expected<glm::uvec3> extent_at(const Sizes& sizes) const;
  Expected<std::vector<std::int64_t>> arguments_at(const Sizes& sizes) const;
  Region region_at(const RegionFormula& formula, const Sizes& sizes, const Box& items) const;

  WorkloadDescription d_;
  std::vector<std::string> names_;         // of the sizes
  std::vector<std::string> option_names_;  // then of options that are numbers
  std::vector<Shape> shapes_;
  std::vector<Expression> factors_, push_, arguments_;
  std::map<std::string, Expression> facts_;
  std::array<Expression, 3> extent_;
  Expression flops_;
  std::optional<Expression> bytes_;
  std::vector<RegionFormula> writes_, reads_;
  const Reference* reference_ = nullptr;
  std::string wrong_;
};

Expression Described::take(const std::string& text, std::span<const std::string> names,
                           const std::string& what) {
  auto parsed = Expression::parse(text, names);
  if (!parsed) {
    fail(what + ": " + parsed.error().message);
    return {};
  }
  return std::move(*parsed);
}

void Described::take_buffers() {
  if (d_.buffers.empty()) {
    fail("a workload needs at least one buffer");
  }
  for (const DescribedBuffer& buffer : d_.buffers) {
    const std::string what = "buffer " + buffer.name;
    shapes_.push_back({take(buffer.rows, names_, what + "'s rows"),
                       take(buffer.columns, names_, what + "'s columns")});
    factors_.push_back(take(buffer.factor, names_, what + "'s factor"));
    const bool option =
        std::ranges::find(d_.options, buffer.content, &OptionSpec::name) != d_.options.end();
    if (!option && std::ranges::find(kContents, buffer.content) == kContents.end()) {
      fail(what + "'s content is \"" + buffer.content +
           "\", which is not a known content and not the name of an option");
    }
    if (buffer.components < 1 || buffer.components > 4 || buffer.drawn >= buffer.components) {
      fail(what + " must have 1 to 4 components and draw one of these");
    }
  }
}

void Described::take_reference() {
  if (!d_.reference_kernel.empty()) {
    if (!d_.reference.empty()) {
      fail("the reference has a name and a kernel; remove one of them");
    }
    return;
  }
  reference_ = reference_named(d_.reference);
  if (reference_ == nullptr) {
    std::string known;
    for (const Reference& reference : references()) {
      known += (known.empty() ? "" : ", ") + reference.name;
    }
    return fail(d_.reference.empty()
                    ? "the reference is missing: give a name (" + known + ") or a kernel"
                    : "unknown reference \"" + d_.reference + "\"; choose from " + known);
  }
  for (const std::string& argument : d_.arguments) {
    arguments_.push_back(take(argument, names_, "the argument of the reference"));
  }
  std::vector<Role> roles;
  for (const DescribedBuffer& buffer : d_.buffers) {
    roles.push_back(buffer.role);
  }
  if (roles != reference_->roles || arguments_.size() != reference_->arguments) {
    fail("the reference " + d_.reference + " takes " + reference_->takes);
  }
}

RegionFormula Described::take_region(const DescribedRegion& region, const std::string& what) {
  RegionFormula formula;
  formula.buffer = buffer_named(region.buffer);
  if (formula.buffer == d_.buffers.size()) {
    fail(what + ": unknown buffer \"" + region.buffer + "\"");
  }
  std::vector<std::string> names = names_;
  names.insert(names.end(), kCorners.begin(), kCorners.end());
  const std::array texts{&region.rows[0], &region.rows[1], &region.columns[0], &region.columns[1]};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]->empty()) {
      formula.edges[i] = take(*texts[i], names, what);
    }
  }
  return formula;
}

Expected<void> Described::parse() {
  names_ = size_names();
  if (names_.empty()) {
    fail("a workload needs at least one size");
  }
  option_names_ = names_;
  for (const OptionSpec& option : d_.options) {
    if (option.choices.empty()) {
      option_names_.push_back(option.name);
    }
  }
  take_buffers();
  for (const std::string& word : d_.push) {
    push_.push_back(take(word, option_names_, "push"));
  }
  for (const auto& [fact, text] : d_.facts) {
    facts_[fact] = take(text, names_, "fact " + fact);
  }
  for (std::size_t d = 0; d < 3; ++d) {
    extent_[d] = take(d_.extent[d], names_, "extent");
  }
  flops_ = take(d_.flops, names_, "flop");
  if (!d_.bytes.empty()) {
    bytes_ = take(d_.bytes, names_, "bytes");
  }
  for (const DescribedRegion& region : d_.writes) {
    writes_.push_back(take_region(region, "writes"));
  }
  for (const DescribedRegion& region : d_.reads) {
    reads_.push_back(take_region(region, "reads"));
  }
  take_reference();
  if (!wrong_.empty()) {
    return usage_error(wrong_);
  }
  if (const auto fits = resolve({}, {}, 1); !fits) {
    return usage_error("at the default sizes, " + fits.error().message);
  }
  return {};
}

Expected<std::vector<BufferSpec>> Described::buffers_at(const Sizes& sizes) const {
  const auto numbers = numbers_of(sizes);
  std::vector<BufferSpec> all;
  for (std::size_t i = 0; i < d_.buffers.size(); ++i) {
    const DescribedBuffer& buffer = d_.buffers[i];
    const auto rows = shapes_[i].rows.count(numbers);
    const auto columns = shapes_[i].columns.count(numbers);
    if (!rows || !columns) {
      return usage_error("buffer " + buffer.name + ": " +
                         (rows ? columns.error() : rows.error()).message);
    }
    if (*rows == 0 || *columns == 0) {
      return usage_error("buffer " + buffer.name +
                         " would be empty; its rows and columns must be at least 1");
    }
    all.push_back({.name = buffer.name,
                   .role = buffer.role,
                   .rows = *rows,
                   .columns = *columns,
                   .components = buffer.components,
                   .drawn = buffer.drawn,
                   .whole = buffer.whole,
                   .drawn_as = buffer.drawn_as});
  }
  return all;
}

Expected<glm::uvec3> Described::extent_at(const Sizes& sizes) const {
  const auto numbers = numbers_of(sizes);
  glm::uvec3 extent(1);
  for (int d = 0; d < 3; ++d) {
    const auto count = extent_[static_cast<std::size_t>(d)].count(numbers);
    if (!count || *count == 0) {
      return usage_error(count
                             ? "the extent would be empty; it must be at least 1 in each dimension"
                             : "extent: " + count.error().message);
    }
    extent[d] = *count;
  }
  return extent;
}

Expected<std::vector<std::int64_t>> Described::arguments_at(const Sizes& sizes) const {
  std::vector<std::int64_t> all;
  for (const Expression& argument : arguments_) {
    const auto count = argument.count(numbers_of(sizes));
    if (!count) {
      return usage_error("the argument of the reference: " + count.error().message);
    }
    all.push_back(*count);
  }
  return all;
}

Expected<void> Described::check_sizes(const Sizes& sizes) const {
  const auto buffers = buffers_at(sizes);
  const auto extent = extent_at(sizes);
  const auto arguments = arguments_at(sizes);
  if (!buffers || !extent || !arguments) {
    return std::unexpected(!buffers  ? buffers.error()
                           : !extent ? extent.error()
                                     : arguments.error());
  }
  const auto numbers = numbers_of(sizes);
  for (const auto& [fact, formula] : facts_) {
    if (const auto value = formula.count(numbers); !value) {
      return usage_error("fact " + fact + ": " + value.error().message);
    }
  }
  for (const Expression* formula : {&flops_, bytes_ ? &*bytes_ : &flops_}) {
    TRY(formula->evaluate(numbers));
  }
  if (reference_ != nullptr) {
    if (const std::string why = reference_->misfit(*buffers, *arguments); !why.empty()) {
      return usage_error("the reference " + d_.reference + " does not fit the buffers: " + why);
    }
  }
  return {};
}

std::vector<std::uint32_t> Described::push_constants(const Problem& p) const {
  auto numbers = numbers_of(p.sizes);
  for (std::size_t i = names_.size(); i < option_names_.size(); ++i) {
    const std::string& text = p.options.at(option_names_[i]);
    double value = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    numbers.emplace_back(value);
  }
  std::vector<std::uint32_t> words;
  for (const Expression& word : push_) {
    const Number value = word.evaluate(numbers).value_or(Number());
    const auto* whole = std::get_if<std::int64_t>(&value);
    words.push_back(whole != nullptr
                        ? static_cast<std::uint32_t>(*whole)
                        : std::bit_cast<std::uint32_t>(static_cast<float>(to_double(value))));
  }
  return words;
}

std::map<std::string, std::uint32_t> Described::facts(const Sizes& sizes) const {
  std::map<std::string, std::uint32_t> all;
  for (const auto& [fact, formula] : facts_) {
    all[fact] = formula.count(numbers_of(sizes)).value_or(0);
  }
  return all;
}

HostBuffers Described::inputs(const Problem& p) const {
  const auto specs = buffers(p.sizes);
  HostBuffers host(specs.size());
  for (std::size_t b = 0; b < specs.size(); ++b) {
    const DescribedBuffer& described = d_.buffers[b];
    if (described.role != Role::input) {
      continue;
    }
    std::vector<float>& values = host[b];
    values.resize(specs[b].words());
    const auto option = p.options.find(described.content);
    const std::string& content = option != p.options.end() ? option->second : described.content;
    const std::uint64_t stream = mix(mix(p.seed) + b);
    const std::size_t columns = std::size_t{specs[b].columns} * specs[b].components;
    if (content == "rank-one") {
      fill_rank_one(values, columns, stream);
    } else if (content != "random" || described.whole) {
      parallel_for(values.size(), std::size_t{1} << 18U, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          values[i] = word_at(content, described.whole, stream, i);
        }
      });
    } else {
      fill_random(values, columns, p.seed, b);
      const auto factor = static_cast<float>(
          to_double(factors_[b].evaluate(numbers_of(p.sizes)).value_or(Number(1.0))));
      std::ranges::for_each(values, [factor](float& value) { value *= factor; });
    }
  }
  return host;
}

Check Described::verify(const Problem& p, const HostBuffers& before, const HostBuffers& after,
                        DifferenceRecorder* recorder) const {
  if (reference_ == nullptr) {
    return {};
  }
  const auto specs = buffers(p.sizes);
  const auto arguments = arguments_at(p.sizes).value_or(std::vector<std::int64_t>());
  return reference_->verify({specs, arguments, before, after, p.seed, recorder});
}

Region Described::region_at(const RegionFormula& formula, const Sizes& sizes,
                            const Box& items) const {
  const auto specs = buffers(sizes);
  const BufferSpec& spec = specs[formula.buffer];
  auto numbers = numbers_of(sizes);
  for (int d = 0; d < 3; ++d) {
    numbers.emplace_back(std::int64_t{items.first[d]});
    numbers.emplace_back(std::int64_t{items.last[d]});
  }
  const auto edge = [&](std::size_t i, std::uint32_t otherwise, std::uint32_t most) {
    if (!formula.edges[i]) {
      return otherwise;
    }
    const double value = to_double(formula.edges[i]->evaluate(numbers).value_or(Number(0.0)));
    return static_cast<std::uint32_t>(std::clamp(value, 0.0, static_cast<double>(most)));
  };
  return {formula.buffer, edge(0, 0, spec.rows), edge(1, spec.rows, spec.rows),
          edge(2, 0, spec.columns), edge(3, spec.columns, spec.columns)};
}

Region Described::writes(const Sizes& sizes, const Box& items) const {
  if (!writes_.empty()) {
    return region_at(writes_.front(), sizes, items);
  }
  RegionFormula all;  // of the first output
  all.buffer = static_cast<std::size_t>(
      std::ranges::find(d_.buffers, Role::output, &DescribedBuffer::role) - d_.buffers.begin());
  return region_at({all.buffer % d_.buffers.size(), {}}, sizes, items);
}

std::vector<Region> Described::reads(const Sizes& sizes, const Box& items) const {
  std::vector<Region> regions;
  for (const RegionFormula& formula : reads_) {
    regions.push_back(region_at(formula, sizes, items));
  }
  return regions;
}

}  // namespace

Expected<WorkloadPtr> make_workload(WorkloadDescription description) {
  auto workload = std::make_shared<Described>(std::move(description));
  TRY(workload->parse());
  return workload;
}

}  // namespace core
