#!/usr/bin/env python3
"""Tilescope beside the libraries of the same device: a table, as Markdown and as JSON.

    tests/bench/against_libraries.py [--tilescope build/tilescope] [--only matmul,transpose,...] [-o FILE]

Both are measured in the same minutes, and timed alike: the median of single launches between two
timestamps of the device. The libraries' launches are queued ahead, so that what the host takes to
launch is not counted. Tilescope's are those of `tilescope run` as it comes: nothing chosen by hand, its
answer compared with the reference in double.

The peers: cuBLAS through PyTorch (TF32 is switched off), the device's copy, CUB and an n-body step in CUDA
C++ (peers.cu beside this file, compiled with nvcc), PyTorch's attention and cuDNN's convolution in float32,
cublasXt from pinned memory. `least` is what the row should reach: a share of the peer (×) or a figure.
A row is short when it does not. Status 1: a wrong answer; 0 otherwise, whatever is short.
Needs PyTorch, nvcc and a CUDA device for the peers; without them only Tilescope's column is filled in.
"""
import argparse
import ctypes
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import typing

HERE = os.path.dirname(os.path.abspath(__file__))
MATMUL = [(512, 512, 512), (1000, 1000, 1000), (1024, 1024, 1024), (1536, 1536, 1536), (2048, 2048, 2048),
          (3072, 3072, 3072), (4096, 4096, 4096), (8192, 8192, 8192), (4095, 4097, 4093),
          (8192, 64, 8192), (64, 64, 65536)]
TRANSPOSE = [(16384, 16384), (8192, 8192), (4096, 4096), (16383, 16381), (8191, 8189)]
STREAM = [(32768, 1, 50.0), (32768, 2, 96.0), (16384, 2, 75.0)]
MULTIPLY_ADDS = 62.9  # TFLOP/s: the ceiling of an NVIDIA H200, measured by `tilescope bench`


@dataclasses.dataclass
class Row:
    workload: str
    kernel: str
    sizes: tuple
    unit: str
    amount: float  # of a launch, in units: amount / seconds is the rate
    peer: str
    make: typing.Callable = None  # of PyTorch: returns what launches the peer
    share: float = 0.0  # of the peer, at least
    least: float = 0.0  # in units, at least
    peer_ms: float = None


def rows():
    for m, n, w in MATMUL:
        yield Row('matmul', 'matmul/split', (m, n, w), 'TFLOP/s', 2e-12 * m * n * w, 'cuBLAS',
                  lambda t, m=m, n=n, w=w: product(t, m, n, w), share=1.0)
    yield Row('fp16', 'matmul/cooperative', (4096, 4096, 4096), 'TFLOP/s', 2e-12 * 4096**3, 'cuBLAS fp16',
              lambda t: product(t, 4096, 4096, 4096, t.float16))
    for r, c in TRANSPOSE:
        yield Row('transpose', 'transpose/vectors', (r, c), 'GB/s', 8e-9 * r * c, 'copy',
                  lambda t, r=r, c=c: copy(t, r * c), share=0.0 if r == 16383 else 0.93,
                  least=3700.0 if r == 16383 else 0.0)
    for power in (20, 24, 28):
        n = 1 << power
        share = 0.95 if power > 20 else 0.0
        yield Row('reduction', 'reduction/vectors', (n,), 'GB/s', 4e-9 * n, 'CUB', share=share)
        yield Row('scan', 'scan/look-back', (n,), 'GB/s', 8e-9 * n, 'CUB', share=share)
        yield Row('histogram', 'histogram/vectors', (n,), 'GB/s', 1e-9 * n, 'CUB', share=share)
    for heads, length, width in ((16, 4096, 64), (8, 8192, 128)):
        yield Row('attention', 'attention/registers', (heads, length, width), 'TFLOP/s',
                  4e-12 * heads * length**2 * width, 'PyTorch',
                  lambda t, h=heads, n=length, d=width: attention(t, h, n, d), share=1.0)
    for k in (3, 7, 15):
        n = 8192
        kernel = 'convolution/strips' if k <= 7 else 'convolution/registers'
        yield Row('convolution', kernel, (n, n, k), 'GB/s', 8e-9 * n * n, 'cuDNN',
                  lambda t, k=k: convolution(t, 8192, k), least={
                      # of the copy's; of the multiply-adds' ceiling
                      3: 0.85 * 4112.0, 15: 0.5 * MULTIPLY_ADDS * 1e12 / (2 * k * k) * 8e-9}.get(k, 0.0))
    for bodies, least in ((4096, 20.0), (262144, 43.0)):
        yield Row('nbody', 'nbody/slices', (bodies,), 'TFLOP/s', 20e-12 * bodies**2, 'CUDA', least=least)


def product(torch, m, n, w, kind=None):
    a = (torch.rand(m, w, device='cuda') - 0.5).to(kind or torch.float32)
    b = (torch.rand(w, n, device='cuda') - 0.5).to(a.dtype)
    c = torch.empty(m, n, device='cuda', dtype=a.dtype)
    return lambda: torch.mm(a, b, out=c)


def copy(torch, n):
    a = torch.rand(n, device='cuda')
    b = torch.empty_like(a)
    return lambda: b.copy_(a)


def attention(torch, heads, length, width):
    q, k, v = (torch.randn(1, heads, length, width, device='cuda') for _ in range(3))
    return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v)


def convolution(torch, n, k):
    image = torch.rand(1, 1, n, n, device='cuda')
    weights = torch.rand(1, 1, k, k, device='cuda')
    return lambda: torch.nn.functional.conv2d(image, weights, padding=k // 2)


def library_ms(torch, make, seconds=0.5):
    """A launch's time in ms on the device: the median of launches between two events each. They are
    queued behind a kernel that does nothing for a while, so that the host's part is not counted."""
    call = make(torch)
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        call()
        torch.cuda.synchronize()
    samples = []
    until = time.perf_counter() + 2.0
    while len(samples) < 40 and (time.perf_counter() < until or len(samples) < 10):
        pairs = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(10)]
        torch.cuda._sleep(4_000_000)
        for first, last in pairs:
            first.record()
            call()
            last.record()
        torch.cuda.synchronize()
        samples += [first.elapsed_time(last) for first, last in pairs]
    del call
    torch.cuda.empty_cache()
    return statistics.median(samples)


def compiled_peers():
    """ms by (name, n), of peers.cu; nothing where it can't be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'peers')
        try:
            subprocess.run(['nvcc', '-O3', '-std=c++17', '-arch=native', '-o', program,
                            os.path.join(HERE, 'peers.cu')], check=True, capture_output=True)
            lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            print(f'peers.cu: {error} {getattr(error, "stderr", "")!s:.400}', file=sys.stderr)
            return {}
    return {(row['name'], row['n']): row['ms'] for row in map(json.loads, lines.splitlines())}


def cublas_xt_ms(torch, n, devices, block=8192):
    """A product of pinned matrices in host memory, the better of two after a smaller one."""
    import glob
    library = None
    for name in glob.glob(os.path.join(os.path.dirname(torch.__file__), '../nvidia/*/lib/libcublas.so.*')) + [
            'libcublas.so.13', 'libcublas.so.12', 'libcublas.so']:
        try:
            library = ctypes.CDLL(name)
            break
        except OSError:
            continue
    if library is None or torch.cuda.device_count() < devices:
        return None
    handle = ctypes.c_void_p()
    ids = (ctypes.c_int * devices)(*range(devices))
    if library.cublasXtCreate(ctypes.byref(handle)) != 0 or \
            library.cublasXtDeviceSelect(handle, devices, ids) != 0:
        return None
    library.cublasXtSetBlockDim(handle, block)
    one, zero = ctypes.c_float(1.0), ctypes.c_float(0.0)
    a, b, c = (torch.empty(n, n, pin_memory=True) for _ in range(3))
    a.uniform_(-1.0, 1.0)
    b.uniform_(-1.0, 1.0)
    c.zero_()
    best = None
    for side in (8192, n, n):
        size, pointer = ctypes.c_size_t(side), lambda t: ctypes.c_void_p(t.data_ptr())
        stride = ctypes.c_size_t(n)
        start = time.perf_counter()
        failed = library.cublasXtSgemm(handle, 0, 0, size, size, size, ctypes.byref(one), pointer(b), stride,
                                       pointer(a), stride, ctypes.byref(zero), pointer(c), stride)
        torch.cuda.synchronize()
        ms = (time.perf_counter() - start) * 1e3
        if failed != 0:
            return None
        if side == n:
            best = min(ms, best or ms)
    library.cublasXtDestroy(handle)
    return best


def answer_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        print(f'{" ".join(command)}: {done.stderr.strip()}', file=sys.stderr)
        return None


def tilescope_result(tilescope, kernel, sizes, device):
    command = [tilescope, 'run', kernel, '--size', ','.join(map(str, sizes)), '--json', '--repeat', '30']
    return answer_of(command + (['--device', device] if device is not None else []))


def chosen(result):
    parameters = result['parameters']
    waves = result.get('waves', {}).get('now') or {}
    settings = waves.get('settings', {})
    text = f'tile {parameters["tile"]}' if 'tile' in parameters else ''
    for name in ('BN', 'SLICES', 'WHOLE'):
        if name in settings and (name != 'WHOLE' or settings[name] != '0'):
            text += f' {name}={settings[name]}'
    return text


def verdict(row, here, there):
    """'' if there is no target or no figure, else PASS or short with the target."""
    if here is None or (row.share > 0 and there is None) or (row.share == 0 and row.least == 0):
        return ''
    asked = max(row.least, row.share * (there or 0.0))
    words = ' and '.join(([f'{row.share:g} ×'] if row.share > 0 else []) +
                         ([f'{row.least:.0f}'] if row.least > 0 else []))
    return f'{"PASS" if here >= asked else "short"} (≥ {words})'


def cell(value):
    return '–' if value is None else f'{value:.1f}'


def print_row(table, row, here, there, words, correct=True):
    ratio = f'{here / there:.3f}' if here and there else '–'
    said = verdict(row, here, there)
    table.append({'workload': row.workload, 'kernel': row.kernel, 'sizes': row.sizes, 'unit': row.unit,
                  'peer': row.peer, 'peer_rate': there, 'rate': here, 'verdict': said, 'chosen': words,
                  'correct': correct})
    print(f'| {row.workload} | {"×".join(map(str, row.sizes))} | {row.unit} | {row.peer} | {cell(there)} | '
          f'{cell(here)} | {ratio} | {said} | {row.kernel.split("/")[1]} {words}'
          f'{"" if correct else " WRONG"} |', flush=True)


def measure_launches(given, torch, table, wanted):
    compiled = compiled_peers() if torch and any(
        row.make is None and wanted(row.workload) for row in rows()) else {}
    for row in rows():
        if not wanted(row.workload):
            continue
        ms = library_ms(torch, row.make) if torch and row.make else compiled.get((row.workload, row.sizes[0]))
        result = tilescope_result(given.tilescope, row.kernel, row.sizes, given.device)
        here = row.amount / (result['timing']['median'] * 1e-3) if result else None
        print_row(table, row, here, row.amount / (ms * 1e-3) if ms else None,
                  chosen(result) if result else '', bool(result and result['correct']))


def measure_streams(given, torch, table):
    for n, devices, least in STREAM:
        row = Row('stream', 'matmul/stream', (n, n, n), 'TFLOP/s', 2e-12 * n**3,
                  f'cublasXt, {devices} GPU{"s" if devices > 1 else ""}', least=least)
        ms = cublas_xt_ms(torch, n, devices) if torch else None
        if torch:
            torch._C._host_emptyCache()
        result = answer_of([given.tilescope, 'stream', '--size', f'{n},{n},{n}', '--devices',
                            ','.join(map(str, range(devices))), '--json'])
        # 'check' is the comparison with double
        print_row(table, row, result['tflops'] if result else None,
                  row.amount / (ms * 1e-3) if ms else None, f'on {devices}',
                  bool(result and result.get('correct', True)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tilescope', default=os.path.join(HERE, '../../build/tilescope'))
    parser.add_argument('--device', help="Tilescope's: index or part of the name")
    parser.add_argument('--only', default='', help='workloads, with commas between them')
    parser.add_argument('-o', '--output', help='JSON too, to this file')
    given = parser.parse_args()
    only = [name for name in given.only.split(',') if name]
    try:
        import torch
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        if not torch.cuda.is_available():
            torch = None
    except ImportError:
        torch = None
    table = []
    print(f'{torch.cuda.get_device_name() if torch else "no CUDA device"}, {time.strftime("%Y-%m-%d")}\n\n'
          '| | size | unit | library | | Tilescope | ratio | target | kernel, unmodified |\n'
          '| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
    measure_launches(given, torch, table, lambda name: not only or name in only)
    if not only or 'stream' in only:
        measure_streams(given, torch, table)
    if given.output:
        with open(given.output, 'w', encoding='utf-8') as file:
            json.dump(table, file, indent=1)
    short = [row for row in table if row['verdict'].startswith('short')]
    print(f'\n{len(table)} rows, {len(short)} below their target')
    return 0 if table and all(row['correct'] for row in table) else 1


if __name__ == '__main__':
    sys.exit(main())
