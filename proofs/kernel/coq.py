"""Coq, run as a program: compiling a copy of the sources, one file of questions, and the independent checker."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Collection
from pathlib import Path

from proofs.kernel.sources import LIBRARY, Fault, read_order, required

AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
SECONDS = 900
ERROR = re.compile(r'File "[^"]*", line (\d+), characters [^\n]*\n(.*)', re.DOTALL)
ASSUMED = re.compile(r"^([A-Za-z_][\w.']*)(?:\s*:.*)?$")
NOTHING = "Closed under the global context"


def installed() -> bool:
    """Whether coqc is on the machine."""
    return shutil.which("coqc") is not None


def version() -> str:
    """What coqc says it is."""
    return subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True).stdout.split()[0]


def run(arguments: list[str], build: Path) -> tuple[int, str, str]:
    """The exit status, output and errors of a Coq program in a folder."""
    try:
        done = subprocess.run(arguments, cwd=build, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return 1, "", f"{arguments[0]} took longer than {SECONDS} seconds"
    return done.returncode, done.stdout, done.stderr


def coqc(name: str, build: Path) -> tuple[int, str]:
    """The exit status and errors of compiling one file."""
    status, _, errors = run(["coqc", "-q", "-Q", ".", LIBRARY, name], build)
    return status, errors


def first_error(errors: str) -> tuple[int, str]:
    """The line of the first error, and what Coq says in one line of at most 160 characters."""
    found = ERROR.search(errors[errors.rfind('File "') :] if 'File "' in errors else errors)
    line, text = (int(found[1]), found[2]) if found else (0, errors)
    said = " ".join(text.split())
    return line, said if len(said) <= 160 else said[:157] + "..."


def compile_sources(
    folder: Path, build: Path, say: Callable[[str], None], only: Collection[str] | None = None
) -> list[Fault]:
    """Compile the files of a folder in another one, in order, or some and what they require.

    A file is left alone there if nothing under it changed.
    """
    fresh: set[str] = set()
    order = read_order(folder)
    for module in order if only is None else [name for name in order if name in needed(folder, only)]:
        text = (folder / f"{module}.v").read_bytes()
        copy = build / f"{module}.v"
        needs = set(required(text.decode("utf-8")))
        if copy.exists() and copy.read_bytes() == text and copy.with_suffix(".vo").exists() and not needs & fresh:
            continue
        copy.write_bytes(text)
        fresh.add(module)
        say(f"coqc {module}.v")
        status, errors = coqc(copy.name, build)
        if status:
            copy.with_suffix(".vo").unlink(missing_ok=True)
            line, said = first_error(errors)
            return [Fault(f"{module}.v, line {line}: coqc says {said}")]
    return []


def needed(folder: Path, modules: Collection[str]) -> set[str]:
    """The modules and what they require, transitively."""
    found: set[str] = set()
    wanted = set(modules)
    while wanted:
        module = wanted.pop()
        found.add(module)
        wanted |= set(required((folder / f"{module}.v").read_text(encoding="utf-8"))) - found
    return found


def ask(questions: dict[str, str], preamble: str, build: Path) -> dict[str, str]:
    """Coq's answers to questions such as `Print Law.law`, by key.

    Raises: RuntimeError, where Coq does not accept a question.
    """
    answers = build / "answers"
    answers.mkdir(exist_ok=True)
    keys = list(questions)
    asked = [f'Redirect "answers/{number}" {questions[key]}.' for number, key in enumerate(keys)]
    (build / "Questions.v").write_text(preamble + "\n".join(asked) + "\n", encoding="utf-8")
    status, errors = coqc("Questions.v", build)
    if status:
        raise RuntimeError(first_error(errors)[1])
    return {key: (answers / f"{number}.out").read_text(encoding="utf-8") for number, key in enumerate(keys)}


def assumptions(printed: str) -> set[str]:
    """What `Print Assumptions` lists, a line that is not an axiom included as it is."""
    lines = [line for line in printed.split("\n") if line.strip() and not line.startswith((" ", "\t"))]
    if lines == [NOTHING] or not lines:
        return set() if lines else {"no answer from Print Assumptions"}
    if lines[0].strip() != "Axioms:":
        return set(lines)
    names = [ASSUMED.match(line) for line in lines[1:]]
    return {found[1] if found else line for found, line in zip(names, lines[1:], strict=True)}


def checker_faults(modules: list[str], build: Path) -> list[Fault]:
    """What coqchk finds: an error, an axiom that is not one of the four, or a switched-off check."""
    names = [f"{LIBRARY}.{module}" for module in modules]
    status, output, errors = run(["coqchk", "-silent", "-o", "-Q", ".", LIBRARY, *names], build)
    if status:
        return [Fault(f"coqchk says {first_error(errors + output)[1]}")]
    return summary_faults(output + errors)


def summary_faults(output: str) -> list[Fault]:
    """The faults in the summary of `coqchk -o`."""
    sections: dict[str, list[str]] = {}
    title = ""
    for line in output.split("\n"):
        if line.startswith("* "):
            title, _, rest = line[2:].partition(":")
            sections[title] = [rest.strip()] if rest.strip() else []
        elif title and line.strip():
            sections[title].append(line.strip())
    faults = []
    if "Axioms" not in sections:
        return [Fault("coqchk printed no list of axioms")]
    for title, entries in sections.items():
        for entry in entries:
            axiom = title == "Axioms" and entry.startswith("Coq.") and ".".join(entry.split(".")[-2:]) in AXIOMS
            if not axiom and entry != "<none>" and (title, entry) != ("Theory", "Set is predicative"):
                faults.append(Fault(f"coqchk lists {entry} under {title}"))
    return faults
