// Sites on storage buffers and images: every place in the text that accesses one, and where in its
// bytes. An image's texels count 4 bytes each, row after row, whatever its format: so a place is
// the sum of its coordinates times strides, as that of an element in an array of arrays is.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/findings/memory_model.h"
#include "spirv/analysis/flow/phases.h"
#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/memory/memory_layout.h"
#include "spirv/analysis/memory/texel_access.h"

namespace spirv {

/// Bytes that an access touches one after the other.
struct ByteRun {
  std::uint64_t offset = 0;  ///< from the start of the access
  std::uint64_t bytes = 0;
};

using core::MemoryScope;

struct BufferSite {
  std::uint32_t number = 0;  ///< place in BufferSites::all()
  std::size_t block = 0;
  std::size_t instruction = 0;  ///< of the block
  std::size_t segment = 0;      ///< of the phases that such memory has
  SourceLine at;
  std::uint32_t memory = 0;  ///< place in BufferSites::memories()
  Id variable = 0;           ///< 0: of memory that is found by its address
  Id whole = 0;              ///< type of the block, of one of an array of buffers
  Id descriptor = 0;         ///< of an array of buffers or images: its index there; 0: it is none
  Id type = 0;               ///< of what is read or written
  bool reads = false;
  bool writes = false;
  bool atomic = false;
  MemoryScope scope = MemoryScope::device;  ///< of atomics
  /// Barriers and atomics can order it with other accesses. Not so in the Vulkan memory model, if
  /// it is private, or never made available or visible.
  bool orderable = true;
  bool copy_source = false;         ///< the reading side of an OpCopyMemory
  std::uint64_t offset = 0;         ///< bytes from the start of the memory, constant part
  std::uint64_t base = 0;           ///< of that, where the buffer begins in its memory
  std::vector<PlaceTerm> terms;     ///< the rest of the place
  std::vector<std::uint32_t> path;  ///< indices behind the member; 0 for those in terms
  std::vector<ByteRun> runs;
};

/// A buffer, divided into cells: the largest pieces that every site accesses whole. Two variables
/// of one binding are two views of one buffer, and so are bindings that the launch says are ranges
/// of one memory. Memory that is found by its address is one where the
/// launch tells which (address_root); its number is its place in Launch::buffers.
///
/// Of an array of buffers or images each is a memory, where the kernel's text says which is meant.
/// Where that is chosen as it runs, all are one memory, one behind the other, each with the room of
/// the largest: the index of the descriptor is the first term of a place.
struct BufferMemory {
  MemoryClass memory = MemoryClass::buffer;
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  std::string name;
  std::uint64_t cell_bytes = 4;
  bool written = false;                   ///< by some site; others race with nobody
  std::vector<std::uint32_t> lengths;     ///< of an image, by coordinate; the largest of several
  std::uint32_t descriptors = 0;          ///< that are one memory; 0: it is of a single one
  std::uint64_t descriptor_bytes = 0;     ///< from the start of one of them to the next one's
  std::vector<std::uint64_t> bytes = {};  ///< of each of them; of an image texels, 4 bytes each

  [[nodiscard]] std::uint64_t texels() const {
    std::uint64_t product = 1;
    for (const std::uint32_t length : lengths) {
      product *= length;
    }
    return product;
  }
};

class BufferSites {
 public:
  /// `phases` are those of buffers; both must outlive this.
  BufferSites(const Program& program, const Phases& phases, const Phases& image_phases);

  [[nodiscard]] const std::vector<BufferSite>& all() const { return sites_; }
  [[nodiscard]] const std::vector<BufferMemory>& memories() const { return memories_; }
  /// The phases that a site's segment is of.
  [[nodiscard]] const Phases& phases_of(const BufferSite& site) const {
    return memories_[site.memory].memory == MemoryClass::image ? image_phases_ : phases_;
  }
  /// Writes to buffers and images that no site stands for, in words with their lines.
  [[nodiscard]] const std::vector<std::string>& not_understood() const { return problems_; }
  /// The indices of a byte of a buffer as a site's variable sees it, members by their number.
  [[nodiscard]] std::vector<std::uint32_t> index_of(const BufferSite& site,
                                                    std::uint64_t byte) const;
  /// Name of the innermost thing that a site indexes: the member's, or the buffer's.
  [[nodiscard]] std::string name_of(const BufferSite& site) const;
  /// A byte of a buffer as the source names it: "parts[0].prefix".
  [[nodiscard]] std::string element_of(const BufferSite& site, std::uint64_t byte) const;
  /// Which of an array of descriptors a byte of a site's memory is in; nothing where it is no
  /// array.
  [[nodiscard]] std::optional<std::uint32_t> descriptor_of(const BufferSite& site,
                                                           std::uint64_t byte) const;
  /// Of the image there.
  [[nodiscard]] ImageExtent extent_of(const BufferSite& site, std::uint64_t byte) const;

 private:
  void visit(std::size_t block, std::size_t instruction);
  void add(std::size_t block, std::size_t instruction, Id pointer, BufferSite site);
  void add_addressed(const Instruction& i, Id pointer, BufferSite site);
  /// Set and binding of what has the memory; of an array of descriptors the first one's.
  using Home = std::pair<std::uint32_t, std::uint32_t>;
  [[nodiscard]] const BoundBuffer* shared(const Home& at) const;
  void keep(const Instruction& i, BufferSite site, const std::optional<MemoryPlace>& place,
            const std::vector<Id>& indices, const Home& home);
  [[nodiscard]] bool place(BufferSite& site, const MemoryPlace& found,
                           const std::vector<Id>& indices) const;
  void visit_texel(std::size_t block, std::size_t instruction);
  [[nodiscard]] bool place_texel(BufferSite& site, const TexelAccess& access) const;
  [[nodiscard]] bool is_chosen(const BufferSite& site) const;
  [[nodiscard]] std::uint32_t constant_descriptor(const BufferSite& site) const;
  [[nodiscard]] Home home_of(Id variable) const;
  [[nodiscard]] Home memory_of(Id variable) const;
  [[nodiscard]] std::string memory_name(const BufferSite& site, const Home& at) const;
  void find_memories();
  [[nodiscard]] std::uint32_t memory_at(const Home& at, const BufferSite& site);
  void lay_texels();
  void lay_descriptors();
  [[nodiscard]] bool is_image(const BufferSite& site) const {
    return memories_[site.memory].memory == MemoryClass::image;
  }
  [[nodiscard]] std::uint32_t first_index(const BufferSite& site) const;
  [[nodiscard]] bool is_buffer(Id pointer) const;
  void divide_into_cells();
  /// Notes an access that is not checked. `accessed` is a variable, or a pointer; 0: not known.
  void refuse(const Instruction& i, bool writes, const std::string& why, Id accessed);
  [[nodiscard]] std::set<Id> variables_behind(Id pointer) const;
  void report_refused_reads();
  [[nodiscard]] std::optional<std::uint32_t> member_of(const BufferSite& site) const;
  void look_at_memory_model();
  [[nodiscard]] bool is_orderable(const Instruction& i, const BufferSite& site) const;

  const Program& program_;
  const Phases& phases_;
  const Phases& image_phases_;
  MemoryLayout layout_;
  std::vector<BufferSite> sites_;
  std::vector<Home> homes_;  // of each site
  std::vector<BufferMemory> memories_;
  std::vector<std::string> problems_;
  std::vector<std::pair<std::uint32_t, Id>> refused_reads_;  // line, and what refuse() was given
  bool vulkan_model_ = false;
  bool makes_available_ = false;  // some barrier or atomic does
  bool makes_visible_ = false;
  std::uint32_t strayed_ = 0;  // line of a read by an address that leads where is not known
};

/// Can two accesses to the same bytes by invocations of different workgroups, or of one, be a race?
[[nodiscard]] bool hazardous(const BufferSite& a, const BufferSite& b);

}  // namespace spirv
