#!/usr/bin/env python3
"""Checks sixty small kernels with other tools and with `tilescope check`, and prints a page with the results.

    tests/bench/side_by_side.py build/tilescope > assets/manual/tool-comparison.md
    tests/bench/side_by_side.py build/tilescope --list    (kernels that can be translated)

The kernels have known faults (tests/probes). Each is launched with three workgroups on buffers of 65,536 bytes.
GPU-assisted validation runs below the same Vulkan launch (`tilescope run --validation`, with Debian's
vulkan-validationlayers). Oclgrind (Debian's oclgrind, with --data-races and --uninitialized) runs a translation to
OpenCL C that this script makes word by word. If a tool is not installed, its column says so. All results on the page
come from the run that wrote it.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROBES = Path(__file__).resolve().parent.parent / "probes"
BYTES = 65536


def kernel_named(name):
    return next(PROBES.rglob(f"{name}.comp"))


GROUPS = 3

KERNELS = """
atomic-counter atomic-minimum atomic-minimum-no-start-barrier atomic-or-of-bits or-of-bits-plain
atomic-then-plain-read histogram-atomic histogram-atomic-no-init-barrier histogram-plain ticket
barrier-left-out-in-last-turn barrier-left-out-in-second-turn bounds-halving-start bounds-index-from-data
bounds-index-from-data-masked bounds-private-array bounds-buffer-negative bounds-rows-and-columns
bounds-rows-and-columns-swapped bounds-stencil-at-the-edge bounds-stencil-clamped bounds-unsigned-below-zero
buffer-atomics buffer-atomics-and-write buffer-halves-by-group buffer-halves-by-group-overlap buffer-last-of-group
buffer-neighbour-behind-barrier buffer-next-workgroup buffer-own buffer-transposed-in-group
buffer-transposed-in-group-early columns-of-a-tile columns-of-a-tile-no-barrier diagonal-of-a-square
diagonal-of-a-square-written divergent-break divergent-if divergent-loop-count uniform-continue
uniform-group-returns halving-tree halving-tree-no-barrier init-private-array init-private-array-filled
init-private-array-one-left-out init-second-row init-shared-half init-shared-whole neighbour neighbour-barrier
odd-even-transposition-no-barrier reduction-of-33 reduction-of-33-too-wide ring-neighbours
ring-neighbours-written-back scalar-broadcast scalar-broadcast-no-barrier stop-flag stop-flag-too-early
""".split()

# ---- OpenCL C

REFUSED = re.compile(r"subgroup|image|struct|controlBarrier|gl_Scope|buffer_reference|uniform|constant_id|"
                     r"[^a-z]u?vec[234]|mat[234]|int(8|16|64)|double|Fence|memoryBarrierShared|groupMemory|"
                     r"memoryBarrier\(\)|shared [A-Z]|length\(\)|#define|inout|out ")
ATOMICS = {"atomicAdd": "atomic_add", "atomicMax": "atomic_max", "atomicMin": "atomic_min",
           "atomicOr": "atomic_or", "atomicAnd": "atomic_and", "atomicXor": "atomic_xor",
           "atomicExchange": "atomic_xchg"}
NAMES = {"gl_LocalInvocationIndex": "((uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + "
                                    "get_local_size(1) * get_local_id(2))))"}
for axis, place in zip("xyz", range(3)):
    for built_in, call in (("gl_LocalInvocationID", "get_local_id"), ("gl_WorkGroupID", "get_group_id"),
                           ("gl_GlobalInvocationID", "get_global_id"), ("gl_NumWorkGroups", "get_num_groups"),
                           ("gl_WorkGroupSize", "get_local_size")):
        NAMES[f"{built_in}.{axis}"] = f"((uint){call}({place}))"


def twin(source):
    """The kernel in OpenCL C, its local size and its buffers' types; nothing where words are not known."""
    text = "\n".join(line for line in source.splitlines() if not line.startswith(("//!", "#version", "#extension")))
    text = re.sub(r"//.*", "", text)
    if REFUSED.search(text):
        return None
    size = [1, 1, 1]
    layout = re.search(r"layout\((local_size[^)]*)\) in;", text)
    for axis, value in re.findall(r"local_size_([xyz]) = (\d+)", layout[1]) if layout else ():
        size["xyz".index(axis)] = int(value)
    buffers = {}

    def buffer(found):
        buffers[int(found[1])] = (found[2], found[3])
        return ""

    text = re.sub(r"layout\(set = 0, binding = (\d+)\)[a-z ]* buffer \w+ \{ (uint|int|float) (\w+)\[\]; \};", buffer, text)
    shared = re.findall(r"^shared (.*;)", text, re.M)
    text = re.sub(r"^shared .*;", "", text, flags=re.M)
    text = text.replace(layout[0], "") if layout else text
    main = re.fullmatch(r"\s*void main\(\) \{(.*)\}\s*", text, re.S)
    if not main or not layout or "buffer " in text:
        return None
    body = main[1]
    for name, call in ATOMICS.items():
        body = re.sub(name + r"\(", call + "(&", body)
    for name, call in NAMES.items():
        body = body.replace(name, call)
    for name in ("uint", "int", "float"):
        body = re.sub(rf"\b{name}\(", f"({name})(", body)
    # An unsuffixed number takes the type of what stands beside it in GLSL; min() and max() must be told.
    body = re.sub(r"\b(min|max)\(([^;]*?), (\d+)\)", r"\1((uint)(\2), \3u)", body)
    body = re.sub(r"\b(min|max)\((\d+), ", r"\1(\2u, ", body)
    both = "memoryBarrierBuffer();" in body
    body = body.replace("memoryBarrierBuffer();", "")
    body = body.replace("barrier();", "barrier(CLK_LOCAL_MEM_FENCE" + (" | CLK_GLOBAL_MEM_FENCE" if both else "") + ");")
    if "gl_" in body:
        return None
    arguments = ", ".join(f"global {kind}* {name}" for _, (kind, name) in sorted(buffers.items()))
    local = "".join(f"  local {one}\n" for one in shared)
    return f"kernel void twin({arguments}) {{\n{local}{body}}}\n", size, [kind for _, (kind, _) in sorted(buffers.items())]


def with_oclgrind(source):
    made = twin(source)
    if made is None:
        return None
    text, size, kinds = made
    words = BYTES // 4
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "twin.cl").write_text(text)
        zeros = re.findall(r'zero = "0\.(\d)"', source)
        buffers = "\n".join(f"<size={BYTES} {kind} " + ("fill=0>" if str(n) in zeros else f"range=0:1:{words - 1}>")
                            for n, kind in enumerate(kinds))
        Path(folder, "twin.sim").write_text(
            f"twin.cl\ntwin\n{GROUPS * size[0]} {size[1]} {size[2]}\n{size[0]} {size[1]} {size[2]}\n\n{buffers}\n")
        try:
            done = subprocess.run(["oclgrind-kernel", "--data-races", "--uninitialized", "--max-errors", "2000", "twin.sim"],
                                  cwd=folder, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return {"no end in 120 s"}
    said = done.stdout + done.stderr
    if "error:" in said or "Failed to" in said:
        return None
    found = set()
    for words, kind in (("data race", "race"), ("Invalid read", "bounds"), ("Invalid write", "bounds"),
                        ("Invalid memory", "bounds"), ("Index (", "bounds"),
                        ("divergence detected", "divergent"), ("Uninitialized", "uninitialized")):
        if words in said:
            found.add(kind)
    return found


# ---- Vulkan

def call(program, verb, kernel, *more, **environment):
    source = kernel.read_text()
    zeros = re.findall(r'zero = "(0\.\d)"', source)
    buffers = []
    for binding in re.findall(r"layout\(set = 0, binding = (\d+)\)[a-z ]* buffer", source):
        name = f"0.{binding}"
        buffers += ["--buffer", f"{name}={BYTES}:{'zero' if name in zeros else 'iota'}"]
    return subprocess.run([program, verb, str(kernel), "--groups", f"{GROUPS},1,1", *buffers, *more],
                          capture_output=True, text=True, env={**os.environ, **environment}, timeout=300)


def with_tilescope(program, kernel):
    report = json.loads(call(program, "check", kernel, "--json").stdout)
    names = {"out-of-bounds": "bounds", "divergent-barrier": "divergent"}
    found = {names.get(f["kind"], f["kind"]) for f in report["findings"]}
    return found or ({"incomplete"} if report["verdict"] == "incomplete" else set()), report["device"]


def with_layers(program, kernel):
    said = call(program, "run", kernel, "--repeat", "1", "--validation",
                VK_LAYER_ENABLES="VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT").stderr
    told = [line for line in said.splitlines() if "validation:" in line and "Validation" in line]
    out = [line for line in told if "out of bounds" in line]
    return ({"bounds"} if out else set()) | ({"else"} if len(out) < len(told) else set())


# ---- the page

LABELS = {"racy": "race", "note": "race", "clean": None}


def label_of(kernel):
    label = re.search(r'expect = "(.*?)"', kernel.read_text())[1]
    return LABELS.get(label, label)


# The kernels whose fault this version of GPU-AV checks for: an index outside a whole buffer. The other kernels with
# the label "bounds" have an index outside an array in shared or private memory.
CHECKED_BY = {"GPU-AV": {"bounds-buffer-negative"}}


def checks(tool, name):
    return tool not in CHECKED_BY or name in CHECKED_BY[tool]


def words(tool, name, found, label):
    """Bold: the fault is missed although the tool checks for it, or there is a report on a correct kernel."""
    if found is None:
        return "not run"
    text = ", ".join(sorted(found))
    if label is None:
        return f"**{text}**" if found else "nothing"
    if label in found:
        return text
    missed = "**missed**" if checks(tool, name) else "not checked"
    return f"{missed}, {text}" if found else missed


def version(command, pattern):
    try:
        return re.search(pattern, subprocess.run(command, capture_output=True, text=True).stdout)[1]
    except (OSError, TypeError):
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for kernel in sorted(PROBES.rglob("*.comp")):
            found = with_oclgrind(kernel.read_text())
            if found is not None:
                print(kernel.stem, "is", label_of(kernel) or "right;", "Oclgrind:", ", ".join(sorted(found)) or "nothing")
        return
    layers = version(["dpkg-query", "-W", "vulkan-validationlayers"], r"\s(\S+)")
    oclgrind = version(["oclgrind-kernel", "--version"], r"Oclgrind (\S+)") if shutil.which("oclgrind-kernel") else None
    rows, counts, device = [], {}, ""
    for name in KERNELS:
        kernel = kernel_named(name)
        label = label_of(kernel)
        ours, device = with_tilescope(options.program, kernel)
        found = {"Tilescope": ours,
                 "Oclgrind": with_oclgrind(kernel.read_text()) if oclgrind else None,
                 "GPU-AV": with_layers(options.program, kernel) if layers else None}
        for tool, what in found.items():
            count = counts.setdefault(tool, [0, 0, 0, 0])  # ran, faults checked for, faults found, correct ones without a report
            count[0] += what is not None
            count[1] += what is not None and label is not None and checks(tool, name)
            count[2] += what is not None and label is not None and label in what
            count[3] += what is not None and label is None and not what
        rows.append(f"| {name} | {label or 'none'} | " + " | ".join(words(tool, name, what, label) for tool, what in found.items()) + " |")
    faults = sum(label_of(kernel_named(name)) is not None for name in KERNELS)
    right = len(KERNELS) - faults
    print(f"""# Comparison of three tools

Three tools examine {len(KERNELS)} small kernels of `tests/probes`: {faults} with a known fault, and {right} correct ones. Each kernel is
launched with {GROUPS} workgroups on buffers of {BYTES:,} bytes. `tests/bench/side_by_side.py` writes this page in one run.

- **Tilescope**: `tilescope check` on {device}.
- **Oclgrind** {oclgrind or '(not installed)'} (`--data-races --uninitialized`) simulates an OpenCL device. The script translates each kernel to OpenCL C, word by
  word. In OpenCL, a barrier must say which memory it orders: local, global or both. The translation takes this from the
  barrier in the GLSL.
- **GPU-AV** is GPU-assisted validation, a part of the Vulkan validation layers (Debian's package {layers or '(not installed)'}). The kernels
  run without Tilescope's checks. This version of GPU-AV finds only an index outside a whole buffer. It does not check arrays inside
  a buffer, in shared memory or in private memory. Later versions check more.

The kernels are Tilescope's own tests, so its column shows only that these tests still pass. compute-sanitizer and GPUVerify were
not run: the first is for CUDA, the second is not in Debian.

The cells of the second table show what a tool reported:

| cell | meaning |
| --- | --- |
| race, bounds, divergent, uninitialized | The tool reports a race, an index out of bounds, a divergent barrier, or a read of uninitialized memory. |
| nothing | The kernel is correct, and the tool reports nothing. |
| not checked | The tool does not check for the fault of this kernel. |
| missed | The tool checks for the fault of this kernel, but does not report it. |

Bold marks a wrong result: a missed fault, or any report on a correct kernel. Further reports on a faulty kernel are not bold, because a
fault can cause others. For example, a value from outside an array may also count as uninitialized.

| | Tilescope | Oclgrind | GPU-AV |
| --- | --- | --- | --- |
| kernels that ran | {' | '.join(str(counts[t][0]) for t in counts)} |
| faults that the tool checks for, of {faults} | {' | '.join(str(counts[t][1]) for t in counts)} |
| faults found, of {faults} | {' | '.join(str(counts[t][2]) for t in counts)} |
| correct kernels without a report, of {right} | {' | '.join(str(counts[t][3]) for t in counts)} |

| kernel | known fault | Tilescope | Oclgrind | GPU-AV |
| --- | --- | --- | --- | --- |""")
    print("\n".join(rows))


if __name__ == "__main__":
    sys.exit(main())
