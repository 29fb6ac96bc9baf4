// Changes of an experiment that a click or a key makes. What no longer applies after a change goes
// back to its default; sizes, device and seed stay wherever they can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/catalogue/catalogue.h"
#include "core/work/experiment.h"
#include "core/work/result.h"

namespace ui {

/// `at` moved by so many of `count`, going round.
[[nodiscard]] std::size_t cycled(std::ptrdiff_t at, std::ptrdiff_t by, std::size_t count);

/// The same work by another variant; a tile that it is not made for becomes its own choice.
[[nodiscard]] core::Experiment with_variant(const core::Experiment& from, const core::Variant& to);
/// The first unbroken variant of another workload, at that workload's own sizes; "tiled" where
/// there is one.
[[nodiscard]] core::Experiment with_workload(const core::Experiment& from,
                                             const core::Catalogue& catalogue,
                                             const std::string& workload);

/// The variant `by` places further in the workload's ladder, going round.
[[nodiscard]] core::Experiment next_variant(const core::Experiment& from,
                                            const core::Catalogue& catalogue, int by);
/// The same for workloads.
[[nodiscard]] core::Experiment next_workload(const core::Experiment& from,
                                             const core::Catalogue& catalogue, int by);
/// The next larger (by = 1) or smaller (−1) tile; the largest and the smallest stay.
[[nodiscard]] core::Experiment next_tile(const core::Experiment& from,
                                         const core::Catalogue& catalogue, int by);
/// All sizes doubled (by = 1) or halved (−1), at least 1.
[[nodiscard]] core::Experiment scaled_size(const core::Experiment& from,
                                           const core::Catalogue& catalogue, int by);

/// Barrier K turned into `kind`; nothing: back to as written.
[[nodiscard]] core::Experiment with_barrier(const core::Experiment& from, std::uint32_t k,
                                            std::optional<core::BarrierKind> kind);
/// Off, or from whatever it was turned into back to as written.
[[nodiscard]] core::Experiment toggled_barrier(const core::Experiment& from, std::uint32_t k);
/// The next kind (by = 1) or the previous one: as written, off, the three waits, the
/// three fences, and again.
[[nodiscard]] core::Experiment next_barrier_kind(const core::Experiment& from, std::uint32_t k,
                                                 int by);
/// The same work by the kernel that stands beside: the experiment's own as it is written, another
/// variant or file with what applies to it too.
[[nodiscard]] core::Experiment beside_of(const core::Experiment& from,
                                         const core::Catalogue& catalogue,
                                         const std::string& kernel);

/// What barrier K is turned into; nothing: as written.
[[nodiscard]] std::optional<core::BarrierKind> barrier_edit(const core::Experiment& experiment,
                                                            std::uint32_t k);

/// The variant of that id; null when there is none.
[[nodiscard]] const core::Variant* variant_of(const core::Experiment& experiment,
                                              const core::Catalogue& catalogue);
/// The experiment's sizes, or the workload's default where it leaves them open.
[[nodiscard]] core::Sizes sizes_of(const core::Experiment& experiment,
                                   const core::Catalogue& catalogue);
/// The experiment's tile, or the variant's preset; 0: the variant has none.
[[nodiscard]] std::uint32_t tile_of(const core::Experiment& experiment,
                                    const core::Catalogue& catalogue);

}  // namespace ui
