#include "core/model/multiprocessor.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace core {
namespace {

constexpr std::uint32_t kKiB = 1024;

// NVIDIA: warps, workgroups, registers and shared memory of a multiprocessor are in the CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability"; 1 KiB of each workgroup is
// reserved from 8.0 on (the same guide, "Shared Memory" of each capability). Units of allocation
// and the four partitions are those of cuda_occupancy.h of the CUDA Toolkit 13
// (cudaOccRegAllocationGranularity, cudaOccSMemAllocationGranularity,
// cudaOccSubPartitionsPerMultiprocessor, cudaOccMaxBlocksPerMultiprocessor).
constexpr std::uint32_t kNvidiaRegisters = 65536;

Multiprocessor nvidia(const char* architecture, std::uint32_t warps, std::uint32_t workgroups,
                      std::uint32_t shared_kib, bool reserves) {
  return {.architecture = architecture,
          .warps = warps,
          .workgroups = workgroups,
          .registers = kNvidiaRegisters,
          .shared_bytes = shared_kib * kKiB,
          .shared_unit = reserves ? 128U : 256U,
          .shared_reserved = reserves ? kKiB : 0U};
}

// AMD: a compute unit, which is what a workgroup shares in CU mode; in WGP mode a workgroup spreads
// over two of them, with the same proportions. SIMDs and their waves, vector registers and the unit
// they are given out in, and the 16 barriers are those of LLVM's AMDGPUBaseInfo.cpp (getEUsPerCU,
// getMaxWavesPerEU, getTotalNumVGPRs, getVGPRAllocGranule, getMaxWorkGroupsPerCU), there per lane
// of a wave; the unit of LDS is that of Mesa's ac_gpu_info.c (lds_alloc_granularity).
Multiprocessor amd(const char* architecture, std::uint32_t simds, std::uint32_t waves_a_simd,
                   std::uint32_t registers_a_simd, std::uint32_t register_unit,
                   std::uint32_t shared_unit) {
  return {.architecture = architecture,
          .partitions = simds,
          .warps = simds * waves_a_simd,
          .workgroups = 16,
          .registers = simds * registers_a_simd,
          .register_unit = register_unit,
          .shared_bytes = 64 * kKiB,
          .shared_unit = shared_unit,
          .slots_are_barriers = true};
}

struct Row {
  std::vector<std::string_view> names;  // parts of a device's name, any of them
  Multiprocessor holds;
};

// The first row that fits counts: "RTX 5000 Ada" is before "RTX 50", "Quadro RTX" before "RTX".
const std::vector<Row>& table() {
  static const std::vector<Row> rows{
      {{"B300", "GB300"}, nvidia("Blackwell Ultra, compute capability 10.3", 64, 32, 228, true)},
      {{"B200", "B100", "GB200"}, nvidia("Blackwell, compute capability 10.0", 64, 32, 228, true)},
      {{"RTX PRO", "GeForce RTX 50"},
       nvidia("Blackwell, compute capability 12.0", 48, 24, 100, true)},
      {{"H100", "H200", "H800", "H20", "GH200"},
       nvidia("Hopper, compute capability 9.0", 64, 32, 228, true)},
      {{"Ada Generation", "GeForce RTX 40", "NVIDIA L4", "NVIDIA L40"},
       nvidia("Ada Lovelace, compute capability 8.9", 48, 24, 100, true)},
      {{"A100", "A800", "NVIDIA A30"}, nvidia("Ampere, compute capability 8.0", 64, 32, 164, true)},
      {{"GeForce RTX 30", "GeForce RTX 2050", "GeForce MX570", "RTX A", "NVIDIA A2", "NVIDIA A10",
        "NVIDIA A16", "NVIDIA A40"},
       nvidia("Ampere, compute capability 8.6", 48, 16, 100, true)},
      {{"GeForce RTX 20", "GeForce GTX 16", "Quadro RTX", "TITAN RTX", "Tesla T4", "NVIDIA T4",
        "NVIDIA T1000", "NVIDIA T600", "NVIDIA T500"},
       nvidia("Turing, compute capability 7.5", 32, 16, 64, false)},
      {{"V100", "TITAN V", "GV100"}, nvidia("Volta, compute capability 7.0", 64, 32, 96, false)},

      {{"NAVI21", "NAVI22", "NAVI23", "NAVI24", "RX 6400", "RX 6500", "RX 6600", "RX 6650",
        "RX 6700", "RX 6750", "RX 6800", "RX 6900", "RX 6950"},
       amd("RDNA 2", 2, 16, 1024 * 32, 16 * 32, kKiB)},
      {{"NAVI31", "NAVI32", "RX 7900", "RX 7800", "RX 7700 XT"},
       amd("RDNA 3", 2, 16, 1536 * 32, 24 * 32, kKiB)},
      {{"NAVI33", "RX 7600"}, amd("RDNA 3, small register files", 2, 16, 1024 * 32, 16 * 32, kKiB)},
      {{"MI200", "MI210", "MI250"}, amd("CDNA 2", 4, 8, 512 * 64, 8 * 64, kKiB / 2)},
      {{"MI300", "MI325"}, amd("CDNA 3", 4, 8, 512 * 64, 8 * 64, kKiB / 2)},
  };
  return rows;
}

bool same_letter(char a, char b) {
  return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
}

// "A10" is no part of "A100": a name ends where its digits do, but "RTX 40" stands for a series.
bool contains(std::string_view text, std::string_view part) {
  const bool series =
      part.find("RTX ") != std::string_view::npos || part.find("GTX ") != std::string_view::npos;
  for (auto at = text.begin(); at != text.end();) {
    const auto found = std::search(at, text.end(), part.begin(), part.end(), same_letter);
    if (found == text.end()) {
      return false;
    }
    const auto after = found + static_cast<std::ptrdiff_t>(part.size());
    const bool starts =
        found == text.begin() || std::isalnum(static_cast<unsigned char>(*(found - 1))) == 0;
    const bool ends =
        series || after == text.end() || std::isdigit(static_cast<unsigned char>(*after)) == 0;
    if (starts && ends) {
      return true;
    }
    at = found + 1;
  }
  return false;
}

}  // namespace

std::optional<Multiprocessor> multiprocessor_of(const DeviceInfo& device) {
  if (device.emulated()) {
    return std::nullopt;
  }
  const auto row = std::ranges::find_if(table(), [&device](const Row& r) {
    return std::ranges::any_of(r.names,
                               [&](std::string_view part) { return contains(device.name, part); });
  });
  if (row == table().end()) {
    return std::nullopt;
  }
  const std::uint32_t told = device.warps_per_multiprocessor;
  return told == 0 || told == row->holds.warps ? std::optional(row->holds) : std::nullopt;
}

}  // namespace core
