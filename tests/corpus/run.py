#!/usr/bin/env python3
"""Run `tilescope check` on a list of calls on public kernels and count the outcomes.

    tests/corpus/run.py CALLS CHECKOUTS [--run A,B,C] [--extra 'FLAGS'] [-j N] [-o FILE]

CALLS is a file with one JSON object a line: "file", the path of a kernel below CHECKOUTS (its first
part is the repository's folder), "flags", a list, and optionally "run", the name of a set of calls,
with "rc" and "verdict" of an earlier run. Nothing is fetched. A file that is not there is skipped.

A call is examined if its status is 0 or 1. An alarm is a verdict that is not clean. A rejected kernel
has status 2, or 3 with no workgroup checked. A clean verdict is vacuous if no workgroup ran, if no
access to shared memory was executed, or if nothing was written to any output.
For a kernel with calls in several sets, the summary's last row counts its best call.
Exit status: 0 if all calls ran, 2 if the call is wrong, 3 if no file of the list is there.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

KINDS = ("examined", "clean", "alarms", "rejected", "vacuous", "other")


def read_calls(path):
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                call = json.loads(line)
                yield {"run": "", "flags": [], **call, "file": str(call["file"])}
            except (ValueError, KeyError, TypeError) as error:
                sys.exit(f"{path}:{number}: not a call: {error}")


def is_vacuous(report):
    if report["workgroups"]["checked"] == 0:
        return True
    sites = report["sites"]
    outputs = report.get("outputs", [])
    nothing_executed = sites["total"] > 0 and sites["executed"] == 0
    nothing_written = bool(outputs) and all(o["unwritten"] == o["elements"] for o in outputs)
    return nothing_executed or nothing_written


def check(options, call):
    folder = os.path.join(options.checkouts, call["file"].split("/")[0])
    kernel = os.path.join(options.checkouts, call["file"])
    command = [options.tilescope, "check", "--json", "--timeout", str(options.timeout)]
    command += options.extra + call["flags"] + ["--", kernel]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace",
                           check=False)
    try:
        report = json.loads(ended.stdout)
    except ValueError:
        report = {}
    verdict = report.get("verdict")
    ran = report.get("workgroups", {}).get("checked", 0) > 0
    outcome = set()
    if ended.returncode in (0, 1):
        outcome.add("examined")
        if verdict == "clean":
            outcome.add("clean")
            if is_vacuous(report):
                outcome.add("vacuous")
        else:
            outcome.add("alarms")
    elif ended.returncode == 2 or not ran:
        outcome.add("rejected")
    else:
        outcome.add("other")
    why = report.get("incomplete") or report.get("error") or ended.stderr.strip()
    return {"run": call["run"], "file": call["file"], "flags": call["flags"],
            "rc": ended.returncode, "verdict": verdict, "outcome": sorted(outcome),
            "findings": [f["sentence"] for f in report.get("findings", [])],
            "why": "" if ended.returncode in (0, 1) else why}


def rank(result):
    """A better call of the same kernel is larger."""
    outcome = result["outcome"]
    return ("examined" in outcome, "clean" in outcome and "vacuous" not in outcome,
            "rejected" not in outcome)


def print_table(results):
    rows = collections.defaultdict(list)
    best = {}
    for result in results:
        rows[result["run"]].append(result)
        known = best.get(result["file"])
        if known is None or rank(result) > rank(known):
            best[result["file"]] = result
    print(f"{'run':<6}{'kernels':>9}" + "".join(f"{kind:>10}" for kind in KINDS))
    for name, some in [*sorted(rows.items()), ("best", list(best.values()))]:
        counts = collections.Counter(kind for result in some for kind in result["outcome"])
        print(f"{name:<6}{len(some):>9}" + "".join(f"{counts[kind]:>10}" for kind in KINDS))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calls")
    parser.add_argument("checkouts")
    parser.add_argument("--tilescope", default=os.path.join(here, "..", "..", "build", "tilescope"))
    parser.add_argument("--run", default="", help="names of sets with commas between (default: all)")
    parser.add_argument("--extra", type=shlex.split, default=[],
                        help="flags for each call, such as '--compiler glsl=glslang'")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for a kernel (default: 60)")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("-o", "--output", help="write one JSON object a call into FILE")
    options = parser.parse_args()
    options.tilescope = os.path.abspath(options.tilescope)
    options.checkouts = os.path.abspath(options.checkouts)
    wanted = set(filter(None, options.run.split(",")))
    calls = [call for call in read_calls(options.calls) if not wanted or call["run"] in wanted]
    there = [c for c in calls if os.path.isfile(os.path.join(options.checkouts, c["file"]))]
    print(f"{len(calls)} calls, {len(calls) - len(there)} skipped: their files are not there")
    if not there:
        return 3
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda call: check(options, call), there))
    for result in results:
        known = next((c for c in there if c["file"] == result["file"] and c["run"] == result["run"]
                      and c["flags"] == result["flags"]), {})
        if "rc" in known and known["rc"] != result["rc"]:
            print(f"{result['run']} {result['file']}: status {known['rc']} before, now {result['rc']}"
                  f" {str(result['why'])[:160]}")
        elif "rejected" in result["outcome"]:
            print(f"{result['run']} {result['file']}: rejected: {str(result['why'])[:160]}")
    print_table(results)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(result) + "\n" for result in results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
