#!/usr/bin/env python3
"""Records what `tilescope run` and `tilescope check` say of every variant: tests/golden/variants.json.

    tests/golden/record.py build/tilescope > tests/golden/variants.json

Recorded on llvmpipe; on other devices the test is left out, since models choose tiles by the device.
tests/cli/golden_test.cpp runs the same commands and compares. Times and what depends on the device are
left out; what is kept is what a change of the inside must not change: the verdict, whether the answer is
right, how many elements were compared, tiles, invocations, flop and bytes, and the kinds of findings with
their lines. Record anew only where a change of these is meant, and look at the difference.
"""
import json
import subprocess
import sys

# Sizes that tiles do not divide, small enough for a device that a processor plays.
SIZES = {
    "matmul": "70,53,37",
    "transpose": "70,53",
    "nbody": "300",
    "lavamd": "2,20",
    "barrier": "16,6",
    "reduction": "1999",
    "scan": "1999",
    "histogram": "5001",
    "convolution": "45,70,5",
    "attention": "2,70,33",
}


def said(program, command, variant, more=()):
    size = SIZES.get(variant.split("/")[0])
    call = [program, command, variant, "--json", *(["--size", size] if size else []), *more]
    done = subprocess.run(call, capture_output=True, text=True)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.returncode, None


def of_run(status, r):
    if r is None or "correct" not in r:  # refused, in a sentence
        return {"status": status}
    return {
        "status": status,
        "correct": r["correct"],
        "compared": r["check"]["compared"],
        "flops": r["flops"],
        "bytes": r["bytes"],
        "tiles": {k: r["tiles"][k] for k in ("count", "size", "invocations", "useful_invocations",
                                             "whole", "partly_idle", "wholly_idle")},
    }


def of_check(status, r):
    if r is None or "verdict" not in r:
        return {"status": status}
    findings = [" ".join(str(f[k]) for k in ("kind", "hazard", "variable", "line") if f.get(k)) +
                "".join(" %s:%s" % (f[side]["access"], f[side]["line"]) for side in ("first", "second")
                        if f.get(side))
                for f in r["findings"]]
    return {"status": status, "verdict": r["verdict"],
            "workgroups": [r["workgroups"]["total"], r["workgroups"]["checked"]],
            "findings": sorted(findings)}


def main(program):
    catalogue = json.loads(subprocess.run([program, "list", "--json"], capture_output=True, text=True,
                                          check=True).stdout)
    golden = {}
    for workload in catalogue["workloads"]:
        for variant in workload["variants"]:
            name = variant["variant"]
            golden[name] = {
                "size": SIZES.get(workload["workload"]),
                "run": of_run(*said(program, "run", name, ["--repeat", "1"])),
                "check": of_check(*said(program, "check", name)),
            }
    # A variant a line.
    lines = ["  %s: %s" % (json.dumps(name), json.dumps(said_of)) for name, said_of in golden.items()]
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main(sys.argv[1])
