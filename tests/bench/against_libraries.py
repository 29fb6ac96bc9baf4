#!/usr/bin/env python3
"""Tilescope beside the libraries of the same device: a table, as Markdown and as JSON.

    tests/bench/against_libraries.py [--tilescope build/tilescope] [--only matmul,transpose,...] [-o FILE]

Both are measured in the same minutes. The libraries through PyTorch: cuBLAS for products (TF32 is
switched off), the device's copy for transpositions, PyTorch's own kernels for the others. Both are
timed alike, the median of single launches between two timestamps of the device: the library's are
queued ahead, so that what the host takes to launch is not counted. Tilescope's are those of
`tilescope run` as it comes: nothing chosen by hand, its answer compared with the reference. Needs
PyTorch and a CUDA device for the libraries; without them, only Tilescope's column is filled in.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

MATMUL = [(512, 512, 512), (1000, 1000, 1000), (1024, 1024, 1024), (1536, 1536, 1536), (2048, 2048, 2048),
          (3072, 3072, 3072), (4096, 4096, 4096), (8192, 8192, 8192), (4095, 4097, 4093),
          (8192, 64, 8192), (64, 64, 65536)]
TRANSPOSE = [(16384, 16384), (4096, 4096), (16383, 16381)]


def rows(only):
    """(workload, kernel, sizes, unit, amount in units of 1e9, what the peer is, the peer)."""
    for m, n, w in MATMUL:
        yield ('matmul', 'matmul/split', (m, n, w), 'TFLOP/s', 2e-3 * m * n * w * 1e-9, 'cuBLAS',
               lambda t, m=m, n=n, w=w: product(t, m, n, w))
    for r, c in TRANSPOSE:
        yield ('transpose', 'transpose/vectors', (r, c), 'GB/s', 8e-9 * r * c, 'copy',
               lambda t, r=r, c=c: copy(t, r * c))
    for power in (20, 24, 28):
        n = 1 << power
        yield ('reduction', None, (n,), 'GB/s', 4e-9 * n, 'PyTorch sum', lambda t, n=n: total(t, n))
        yield ('scan', None, (n,), 'GB/s', 8e-9 * n, 'PyTorch cumsum', lambda t, n=n: prefix(t, n))
    for heads, length, width in ((16, 4096, 64), (8, 8192, 128)):
        yield ('attention', None, (heads, length, width), 'TFLOP/s', 4e-12 * heads * length**2 * width,
               'PyTorch', lambda t, h=heads, n=length, d=width: attention(t, h, n, d))


def product(torch, m, n, w):
    a = torch.rand(m, w, device='cuda') - 0.5
    b = torch.rand(w, n, device='cuda') - 0.5
    c = torch.empty(m, n, device='cuda')
    return lambda: torch.mm(a, b, out=c)


def copy(torch, n):
    a = torch.rand(n, device='cuda')
    b = torch.empty_like(a)
    return lambda: b.copy_(a)


def total(torch, n):
    a = torch.rand(n, device='cuda')
    return lambda: torch.sum(a)


def prefix(torch, n):
    a = torch.rand(n, device='cuda')
    out = torch.empty_like(a)
    return lambda: torch.cumsum(a, 0, out=out)


def attention(torch, heads, length, width):
    q, k, v = (torch.randn(1, heads, length, width, device='cuda') for _ in range(3))
    return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v)


def library_ms(torch, make, seconds=0.5):
    """A launch's time in ms on the device: the median of launches between two events each. They are
    queued behind a kernel that does nothing for a while, so that the host's part is not counted."""
    call = make(torch)
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        call()
        torch.cuda.synchronize()
    samples = []
    while len(samples) < 40:
        pairs = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(10)]
        torch.cuda._sleep(4_000_000)
        for first, last in pairs:
            first.record()
            call()
            last.record()
        torch.cuda.synchronize()
        samples += [first.elapsed_time(last) for first, last in pairs]
    torch.cuda.empty_cache()
    return statistics.median(samples)


def best_kernel(tilescope, workload):
    """The last kernel of the workload's ladder: the one that it ends with."""
    listing = subprocess.run([tilescope, 'list', '--json'], capture_output=True, text=True, check=False)
    names = []

    def collect(node):
        if isinstance(node, dict):
            name = node.get('id') or node.get('variant') or node.get('name')
            if isinstance(name, str) and name.startswith(workload + '/'):
                names.append(name)
            for value in node.values():
                collect(value)
        elif isinstance(node, list):
            for value in node:
                collect(value)

    collect(json.loads(listing.stdout) if listing.returncode == 0 else [])
    return names[-1] if names else None


def tilescope_result(tilescope, kernel, sizes, device):
    command = [tilescope, 'run', kernel, '--size', ','.join(map(str, sizes)), '--json', '--repeat', '30']
    if device is not None:
        command += ['--device', device]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        print(f'{" ".join(command)}: {done.stderr.strip()}', file=sys.stderr)
        return None


def chosen(result):
    parameters = result['parameters']
    waves = result.get('waves', {}).get('now') or {}
    names = {**waves.get('settings', {})}
    text = f'tile {parameters["tile"]}' if 'tile' in parameters else ''
    for name in ('BN', 'SLICES', 'WHOLE'):
        if name in names and (name != 'WHOLE' or names[name] != '0'):
            text += f' {name}={names[name]}'
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument('--tilescope', default=os.path.join(here, '../../build/tilescope'))
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
    print(f'| | size | unit | library | | Tilescope | ratio | kernel, as it comes |\n'
          f'| --- | --- | --- | --- | --- | --- | --- | --- |')
    for workload, kernel, sizes, unit, amount, peer, make in rows(only):
        if only and workload not in only:
            continue
        kernel = kernel or best_kernel(given.tilescope, workload)
        if kernel is None:
            continue
        there = library_ms(torch, make) if torch else None
        result = tilescope_result(given.tilescope, kernel, sizes, given.device)
        here_ms = result['timing']['median'] if result else None
        rate = [amount / (ms * 1e-3) if ms else None for ms in (there, here_ms)]
        row = {'workload': workload, 'kernel': kernel, 'sizes': sizes, 'unit': unit, 'peer': peer,
               'peer_ms': there, 'peer_rate': rate[0], 'ms': here_ms, 'rate': rate[1],
               'correct': bool(result and result['correct']),
               'device': result['device'] if result else None, 'chosen': chosen(result) if result else None}
        table.append(row)
        cell = lambda value: '–' if value is None else f'{value:.1f}'
        ratio = f'{rate[1] / rate[0]:.3f}' if all(rate) else '–'
        print(f'| {workload} | {"×".join(map(str, sizes))} | {unit} | {peer} | {cell(rate[0])} | '
              f'{cell(rate[1])} | {ratio} | {kernel.split("/")[1]} {row["chosen"] or ""}'
              f'{"" if row["correct"] else " WRONG"} |', flush=True)
    if given.output:
        with open(given.output, 'w', encoding='utf-8') as file:
            json.dump(table, file, indent=1)
    return 0 if table and all(row['correct'] for row in table) else 1


if __name__ == '__main__':
    sys.exit(main())
