#!/usr/bin/env python3
"""Runs the examples of README and the manual and compares their output.

    tests/project/examples.py build/tilescope             compares; exit status 1 with the differences
    tests/project/examples.py build/tilescope --update    writes the output into the documents

A block ```console with a line "$ tilescope ..." or "$ ./run ..." is an example. A block ```LANGUAGE FILE writes a file for
the examples after it; the first block of a language without a file name is the file that the text before names with
"Save this kernel as `FILE`". Examples of one document share a folder. The device's name is not compared.
"""
import argparse
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["assets/manual/tutorial.md", "README.md", "assets/manual/howto/add-a-workload.md"]
BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>\w+)(?: (?P<file>[\w./-]+))?\n(?P<body>.*?)^(?P=indent)```$", re.S | re.M)


def without_device(text):
    return re.sub(r" on [^:\n]+: (clean|racy|faulty|divergent|incomplete)$", r" on DEVICE: \1", text, flags=re.M)


def output_of(program, command, folder):
    words = shlex.split(command)
    done = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "LANG": "C.UTF-8"})
    return done.stdout


def run_document(program, name, folder, update):
    path = ROOT / name
    text = path.read_text()
    failed = False

    def replaced(match):
        nonlocal failed
        indent, body = match["indent"], match["body"]
        plain = re.sub(f"^{indent}", "", body, flags=re.M)
        file = match["file"]
        if file is None and match["language"] == "glsl":
            before = re.findall(r"Save this kernel as `([\w./-]+)`", text[:match.start()])
            file = before[-1] if before else None
        if file is not None:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(plain)
        if match["language"] != "console":
            return match[0]
        command, _, shown = plain.partition("\n")
        output = output_of(program, command.removeprefix("$ "), folder)
        if without_device(output) != without_device(shown):
            if not update:
                failed = True
                print(f"{name}: {command}")
                print("\n".join(difflib.unified_diff(shown.splitlines(), output.splitlines(), "document", "program", lineterm="")))
            new = "".join(indent + line + "\n" if line else "\n" for line in f"{command}\n{output}".splitlines())
            return f"{indent}```console\n{new}{indent}```"
        return match[0]

    changed = BLOCK.sub(replaced, text)
    if update and changed != text:
        path.write_text(changed)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name in DOCUMENTS:  # README uses the tutorial's kernel
            failed = run_document(str(options.program.resolve()), name, pathlib.Path(folder), options.update) or failed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
