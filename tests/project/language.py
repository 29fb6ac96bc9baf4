#!/usr/bin/env python3
"""Checks the language of user-facing texts, lessons and documents.

    tests/project/language.py              checks; exit status 1 with a list of what is wrong
    tests/project/language.py --strings    lists the texts of the program with their locations
    tests/project/language.py --shrink     removes exceptions that are no longer needed

Rules: phrases of PHRASES do not occur; no sentence has more than 40 words; subjects of commits have at
most 72 characters; codespell finds nothing, if it is installed. Exceptions are in language_exceptions.txt:
a file, a rule and how often it is broken there. A number that is too large is an error, so the list only shrinks.
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXCEPTIONS = pathlib.Path(__file__).with_name("language_exceptions.txt")
FIRST_COMMIT = "fef820d"  # subjects of later commits are checked
MOST_WORDS = 40
MOST_SUBJECT = 72

# Turns of phrase that a newcomer has to guess. Whole words, any case.
PHRASES = [
    "nobody", "whoever", "anybody", "somebody", "stranger's", "strangers'", "belied", "handed on", "hands on",
    "is told", "are told", "was told", "it tells", "told of", "tells of", "tell of", "speaks of", "spoken of", "is said so", "are said so", "that is said",
    "it is said", "is said what", "and says so", "and that is said", "no end in sight", "taken instead", "beside which", "comes there",
    "runs by the text", "by the text alone", "in figures", "asked of", "plays it", "plays a gpu", "playing a gpu", "that a processor plays",
    "when left out", "where left out", "left out:", "is left open", "what is left open", "turn of the loop", "turns of the loop", "turns together",
    "a round of the loop", "of whom", "for whom", "who wrote", "who writes", "who reads", "who calls", "written by nobody", "comes to it",
    "all have come", "that never come", "come to the barrier", "a way of the branch", "not exercised", "reached alike", "goes about its work",
    "what there is", "so many", "is there to be", "as it comes", "asks before it shows", "made of nothing", "of whatever", "ended by", "in vain",
    "the thick one", "thick bar", "strange", "will hold", "has held since", "what the launch left", "where that differs from what", "answers after you",
    "is no error", "is no repair", "is no directory", "is no folder", "is no kernel", "point at one", "last good text", "last good kernel",
    "computed from no", "must be a text", "not a text", "list of texts", "table of texts", "in this folder or above", "an answer on the terminal",
    "wait for nothing", "waits for nothing", "would not show", "equal ones once", "those pipelines", "then no more", "exchanges components",
    "in another way than", "endless loop", "endless loops", "came about", "comes about", "each other's references", "leaves none to", "set for the shown",
    "the process that checks it", "is to be captured", "no memory visible", "for the subgroup alone", "on the way that is", "shown for a minute",
    "the manual is", "its other faults", "has such a launch", "makes a ladder", "beside its reference",
]

PHRASE = re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, PHRASES)) + r")(?![\w-])")

# Words in capitals and code stay as they are.
CODESPELL_IGNORE = "numer,wan,nd,ba,ot,inout,parm,mis,hist,te,ue,fo"


def sources():
    return sorted(p for p in (ROOT / "app").rglob("*") if p.suffix in (".cpp", ".h"))


def documents():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "shaders/README.md", ROOT / "tests/README.md"]
    return [p for p in pages + sorted((ROOT / "assets/manual").rglob("*.md")) if p.exists()]


def lessons():
    return sorted((ROOT / "assets/lessons").glob("*.toml"))


TOKENS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)|(?P<raw>R"(?P<mark>[^(]*)\(.*?\)(?P=mark)")"""
    r"""|(?P<text>"(?:\\.|[^"\\])*")|(?P<letter>(?<![0-9a-fA-F])'(?:\\.[^']*|[^'\\])')|(?P<space>\s+)|(?P<code>.)""",
    re.S | re.M)


def strings_of(text):
    """The string literals of C++ code as (line, text); adjacent ones are one."""
    found, line, joined = [], 1, False
    for token in TOKENS.finditer(text):
        if token.lastgroup == "text" or token["text"]:
            value = re.sub(r"\\(.)", lambda m: {"n": " ", "t": " "}.get(m[1], m[1]), token["text"][1:-1])
            if joined:
                found[-1] = (found[-1][0], found[-1][1] + value)
            else:
                found.append((line, value))
            joined = True
        elif not token["space"] and not token["comment"]:
            joined = False
        line += token[0].count("\n")
    return [(number, value) for number, value in found if is_prose(value)]


def is_prose(text):
    """At least two words that are no code."""
    return len(re.findall(r"(?<![\w%{<-])[a-zA-Z]{2,}(?![\w(=;{])", text)) >= 2 and not re.search(r"[;{]\s*$|::|->", text)


def paragraphs_of(text):
    """The prose of a Markdown page as (line, text): paragraphs, items and cells."""
    found, fenced, current, start = [], False, "", 0

    def flush():
        nonlocal current
        if current.strip():
            found.append((start, current.strip()))
        current = ""

    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            fenced = not fenced
            flush()
        elif fenced or (line.startswith("    ") and not current) or stripped.startswith("![") or not stripped:
            flush()
        elif stripped.startswith("|"):
            flush()
            found.extend((number, c.strip()) for c in re.split(r"(?<!\\)\|", stripped.strip("|")) if re.search("[a-z]", c))
        else:
            if re.match(r"(#+|[-*]|\d+\.)\s", stripped):
                flush()
                stripped = re.sub(r"^(#+|[-*]|\d+\.)\s+", "", stripped)
            start = start if current else number
            current += " " + stripped
    flush()
    return [(n, re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", t)) for n, t in found]


def texts_of_lesson(file):
    def walk(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("text", "told", "notes", "about", "title", "choices"):
                    yield from ([value] if isinstance(value, str) else value)
                elif isinstance(value, (dict, list)):
                    yield from walk(value)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value)
    text = file.read_text()
    lines = text.split("\n")
    for value in walk(tomllib.loads(text)):
        start = value.strip().split("\n")[0][:40].replace('"', '\\"')
        yield next((n for n, line in enumerate(lines, 1) if start[:30] in line), 1), value


def sentences_of(text):
    text = re.sub(r"`[^`]*`", "code", text)
    return re.split(r"(?<=[.!?:;])[)”\"]?\s+(?=[A-Z0-9\"“(*`-]|code)|;\s", text)


def words_of(sentence):
    return len([w for w in sentence.split() if re.search(r"\w", w)])


def problems_of(place, line, text):
    plain = " " + re.sub(r"\s+", " ", re.sub(r"`[^`]*`", "code", text)).lower() + " "
    for phrase in sorted(set(PHRASE.findall(plain))):
        yield place, "phrase", f"{place}:{line}: \"{phrase}\" in: {text[:120]}"
    for sentence in sentences_of(text):
        if words_of(sentence) > MOST_WORDS:
            yield place, "length", f"{place}:{line}: {words_of(sentence)} words: {sentence[:120]}…"


def all_texts():
    for file in sources():
        yield from ((file, *one) for one in strings_of(file.read_text()))
    for file in lessons():
        yield from ((file, *one) for one in texts_of_lesson(file))
    for file in documents():
        yield from ((file, *one) for one in paragraphs_of(file.read_text()))


def commit_problems():
    git = ["git", "-C", str(ROOT)]
    if subprocess.run([*git, "cat-file", "-e", FIRST_COMMIT], capture_output=True).returncode != 0:
        return  # no history here
    log = subprocess.run([*git, "log", "--no-merges", "--format=%h %s", f"{FIRST_COMMIT}..HEAD"], capture_output=True, text=True)
    for entry in log.stdout.splitlines():
        commit, _, subject = entry.partition(" ")
        if len(subject) > MOST_SUBJECT:
            yield "commits", "subject", f"commit {commit}: subject of {len(subject)} characters, at most {MOST_SUBJECT}: {subject}"


def spelling_problems():
    if shutil.which("codespell") is None:
        return
    # What the program says, as a text of its own: codespell must not read code.
    text, places = "", []
    for file, line, value in all_texts():
        text += re.sub(r"\s+", " ", value) + "\n"
        places.append((file, line))
    done = subprocess.run(["codespell", "-L", CODESPELL_IGNORE, "-"], input=text, capture_output=True, text=True)
    for number in re.findall(r"^(\d+): ", done.stdout, re.M):
        file, line = places[int(number) - 1]
        yield str(file.relative_to(ROOT)), "spelling", f"{file.relative_to(ROOT)}:{line}: {text.splitlines()[int(number) - 1][:120]}"
    for number, _, wrong in re.findall(r"^(\d+): (.*)\n\t(.*)$", done.stdout, re.M):
        print(f"codespell: {wrong}")


def read_exceptions():
    allowed = {}
    if EXCEPTIONS.exists():
        for line in EXCEPTIONS.read_text().splitlines():
            if line and not line.startswith("#"):
                count, rule, place = line.split(" ", 2)
                allowed[place, rule] = int(count)
    return allowed


def write_exceptions(counts):
    head = "# How often a file may still break a rule of language.py. Numbers only become smaller:\n# tests/project/language.py --shrink writes what is left.\n"
    lines = [f"{count} {rule} {place}\n" for (place, rule), count in sorted(counts.items())]
    EXCEPTIONS.write_text(head + "".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strings", action="store_true")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--first", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.strings:
        for file in sources():
            for line, text in strings_of(file.read_text()):
                print(f"{file.relative_to(ROOT)}:{line}: {text}")
        return 0
    problems = []
    for file, line, text in all_texts():
        problems += problems_of(str(file.relative_to(ROOT)), line, text)
    problems += commit_problems()
    problems += spelling_problems()
    counts = collections.Counter((place, rule) for place, rule, _ in problems)
    allowed = read_exceptions()
    if options.first:
        write_exceptions(counts)
        return 0
    if options.shrink:
        left = {key: min(number, counts[key]) for key, number in allowed.items() if counts[key] > 0}
        write_exceptions(left)
        allowed = left
    failed = False
    for place, rule, message in problems:
        if counts[place, rule] > allowed.get((place, rule), 0):
            print(message)
            failed = True
    for (place, rule), number in allowed.items():
        if counts[place, rule] < number:
            print(f"{place}: {counts[place, rule]} times \"{rule}\", {number} are excepted: tests/project/language.py --shrink")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
