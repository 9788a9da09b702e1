"""Coq, run as a program in a bare environment, and the sources compiled by it.

Nothing that the caller's environment or the project's folder says reaches it: a program of that name inside the
project, a search path of libraries (COQPATH, OCAMLPATH, the folders of XDG) or an initial file is not looked at.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from panshuffle.proofs.kernel.sources import LIBRARY, read_order, required
from panshuffle.proofs.root import closed, digest

AXIOMS = {
    "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
    "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
    "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
    "Coq.Logic.Classical_Prop.classic",
}
"""The axioms under the real numbers of Coq's library, by their full names."""
SECONDS = 900
PROJECT_FOLDER = Path(__file__).resolve().parents[2]
ERROR = re.compile(r'File "[^"]*", line (\d+), characters [^\n]*\n(.*)', re.DOTALL)
ASSUMED = re.compile(r"^([A-Za-z_][\w.']*)(?:\s*:.*)?$")
EXPANDED = re.compile(r"Expands to: Constant ([\w.']+)")
LOADED = re.compile(r"(\S+)\s+has been loaded from file\s+(\S+)")
NOTHING = "Closed under the global context"


def search_path() -> str:
    """The folders in which Coq's programs are looked for: absolute ones that are not part of this project."""
    folders = [Path(entry) for entry in os.environ.get("PATH", os.defpath).split(os.pathsep) if entry]
    kept = [folder for folder in folders if folder.is_absolute() and not is_ours(folder / "coqc")]
    return os.pathsep.join(map(str, kept))


def is_ours(path: Path) -> bool:
    """Whether a file lies in this project, links followed; its virtual environment has no Coq either."""
    return path.resolve().is_relative_to(PROJECT_FOLDER)


def program(name: str) -> str | None:
    """The place of one of Coq's programs, if it is on the machine."""
    return shutil.which(name, path=search_path())


def installed() -> bool:
    """Whether coqc and coqchk are on the machine."""
    return program("coqc") is not None and program("coqchk") is not None


def environment(build: Path) -> dict[str, str]:
    """All that Coq's programs see of the environment."""
    nowhere = str(build / "nowhere")
    names = ("HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS")
    return {"PATH": search_path(), "LC_ALL": "C.UTF-8", **dict.fromkeys(names, nowhere)}


def run(arguments: list[str], build: Path) -> tuple[int, str, str]:
    """The exit status, output and errors of a Coq program in a folder."""
    line = [program(arguments[0]) or arguments[0], *arguments[1:]]
    bare = environment(build)
    try:
        done = subprocess.run(line, cwd=build, env=bare, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return 1, "", f"{arguments[0]} took longer than {SECONDS} seconds"
    return done.returncode, done.stdout, done.stderr


def version(build: Path) -> str:
    """What coqc says it is."""
    return run(["coqc", "--print-version"], build)[1].split()[0]


def library_folder(build: Path) -> Path:
    """The folder of Coq's own library."""
    return Path(run(["coqc", "-where"], build)[1].strip()).resolve()


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


def foreign_axioms(names: Iterable[str], preamble: str, build: Path) -> list[str]:
    """Those assumptions that are not one of the four axioms, in the files of Coq's own library.

    A name as Coq prints it is short; what counts is the full name to which Coq expands it, and the loaded file.
    """
    short = sorted(names)
    if any(not re.fullmatch(r"[\w.']+", name) for name in short):
        return short
    full = ask({name: f"About {name}" for name in short}, preamble, build)
    found = {name: match[1] if (match := EXPANDED.search(text)) else name for name, text in full.items()}
    home = library_folder(build)
    modules = {name: whole.rpartition(".")[0] for name, whole in found.items() if whole in AXIOMS}
    places = ask({name: f"Locate Library {module}" for name, module in modules.items()}, preamble, build)
    known = {name for name, text in places.items() if is_loaded(text, modules[name], home)}
    return [found[name] for name in short if name not in known]


def is_loaded(answer: str, module: str, home: Path) -> bool:
    """Whether a module was loaded from its own place in Coq's library."""
    match = LOADED.search(answer)
    place = home.joinpath("theories", *module.split(".")[1:]).with_suffix(".vo")
    return match is not None and match[1] == module and Path(match[2]).resolve() == place


def path_faults(build: Path) -> list[str]:
    """Folders in which Coq looks for libraries, and that are neither its own nor the one where ours are compiled."""
    printed = ask({"": "Print LoadPath"}, "Set Printing Width 4000.\n", build)[""]
    home, here = library_folder(build), build.resolve()
    folders = [Path(line.split()[-1]).resolve() for line in printed.split("\n")[1:] if line.strip()]
    odd = [folder for folder in folders if not folder.is_relative_to(home) and not folder.is_relative_to(here)]
    return [f"Coq looks for libraries in {folder}, too" for folder in odd]


def namesakes(modules: Iterable[str], build: Path) -> list[str]:
    """Modules of ours that are called as a file of Coq's library."""
    taken = {path.stem for path in library_folder(build).rglob("*.vo")}
    return [f"{module}.v has the name of a file of Coq's library" for module in modules if module in taken]


def checker_faults(modules: Iterable[str], build: Path, alone: bool = False) -> list[str]:
    """What coqchk finds, in these modules and all that they need: an error, a foreign axiom, a switched-off check.

    `alone` is for modules of which all that they need is checked elsewhere, their axioms included.
    """
    names = [part for module in modules for part in (["-norec"] if alone else []) + [f"{LIBRARY}.{module}"]]
    status, output, errors = run(["coqchk", "-silent", "-o", "-Q", ".", LIBRARY, *names], build)
    if status:
        return [f"coqchk says {first_error(errors + output)[1]}"]
    return summary_faults(output + errors, axioms=not alone)


def summary_faults(output: str, axioms: bool = True) -> list[str]:
    """The faults in the summary of `coqchk -o`, with its list of axioms or without."""
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
        return ["coqchk printed no list of axioms"]
    for title, entries in sections.items():
        for entry in entries if axioms or title != "Axioms" else ():
            axiom = title == "Axioms" and entry in AXIOMS
            if not axiom and entry != "<none>" and (title, entry) != ("Theory", "Set is predicative"):
                faults.append(f"coqchk lists {entry} under {title}")
    return faults


# The sources, compiled in a folder of their own: only what changed, in parallel, by digests and not by the clock.

KEY = ".key"
KEPT = "PANSHUFFLE_KERNEL_BUILD"
"""The variable that names a folder in which compiled files are kept between two runs."""


@contextmanager
def build_folder(given: Path | None = None) -> Iterator[Path]:
    """The folder to compile in: the given one, the one that the environment names, or a new one that is taken away.

    What is found there is believed no more than a new file: coqchk checks all of it.
    """
    chosen = given or (Path(os.environ[KEPT]) if os.environ.get(KEPT) else None)
    if chosen is None:
        with TemporaryDirectory() as place:
            yield Path(place)
        return
    chosen.mkdir(parents=True, exist_ok=True)
    yield chosen.resolve()


def compile_sources(
    folder: Path, build: Path, say: Callable[[str], None], only: Collection[str] | None = None
) -> list[str]:
    """Compile the files of a folder in another one, or some and what they require, on the cores there are.

    A file is left alone there if it was compiled by this Coq from this text, on the same texts beneath it, and the
    compiled file is the one that was made then.
    """
    order = read_order(folder)
    texts = {module: (folder / f"{module}.v").read_bytes() for module in order}
    beneath = {module: required(text.decode("utf-8")) for module, text in texts.items()}
    faults = order_faults(order, beneath)
    if faults:
        return faults
    needed = closed(order if only is None else only, beneath.__getitem__)
    wanted = [module for module in order if module in needed]
    keys = keys_of(wanted, texts, beneath, version(build))
    clear(build, order)
    waiting = [module for module in wanted if not is_made(build, module, keys[module])]
    if waiting:
        say(f"coqc: {len(waiting)} of {len(wanted)} files")
    return Making(build, texts, beneath, keys, say).all(waiting)


def order_faults(order: list[str], beneath: dict[str, list[str]]) -> list[str]:
    """What a file requires that the project does not list before it."""
    return [
        f"{module}.v requires {other}, which is not listed before it"
        for place, module in enumerate(order)
        for other in beneath[module]
        if other not in order[:place]
    ]


def keys_of(order: list[str], texts: dict[str, bytes], beneath: dict[str, list[str]], coq: str) -> dict[str, str]:
    """For each file one digest of all that it is compiled from."""
    keys: dict[str, str] = {}
    for module in order:
        keys[module] = digest("\n".join([coq, digest(texts[module]), *(keys[o] for o in beneath[module])]).encode())
    return keys


def is_made(build: Path, module: str, key: str) -> bool:
    """Whether a file is compiled already, as noted beside it."""
    made, note = build / f"{module}.vo", build / f"{module}{KEY}"
    return (
        made.is_file() and note.is_file() and note.read_text(encoding="utf-8") == f"{key} {digest(made.read_bytes())}"
    )


def clear(build: Path, ours: Collection[str]) -> None:
    """Take away compiled files that nobody here has made a note of, so that none of them can be loaded."""
    for path in build.glob("*.vo*"):
        if path.suffix != ".vo" or not (path.stem in ours and (build / f"{path.stem}{KEY}").is_file()):
            path.unlink()


@dataclass(frozen=True)
class Making:
    """Files that are being compiled."""

    build: Path
    texts: dict[str, bytes]
    beneath: dict[str, list[str]]
    keys: dict[str, str]
    say: Callable[[str], None]

    def all(self, modules: list[str]) -> list[str]:
        """Compile them, each as soon as what it requires is there; the faults, at the first of which nothing begins."""
        waiting, running, faults = list(modules), dict[Future[list[str]], str](), list[str]()
        done = 0
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            while running or (waiting and not faults):
                held = {*waiting, *running.values()}
                ready = [] if faults else [one for one in waiting if not held.intersection(self.beneath[one])]
                waiting = [one for one in waiting if one not in ready]
                running |= {pool.submit(self.one, module): module for module in ready}
                for task in wait(running, return_when=FIRST_COMPLETED).done:
                    module, done = running.pop(task), done + 1
                    faults += task.result()
                    self.say(f"coqc {done}/{len(modules)} {module}.v")
        return faults

    def one(self, module: str) -> list[str]:
        """Compile one file and note what from."""
        copy, note = self.build / f"{module}.v", self.build / f"{module}{KEY}"
        copy.write_bytes(self.texts[module])
        for old in (note, copy.with_suffix(".vo")):
            old.unlink(missing_ok=True)
        status, errors = coqc(copy.name, self.build)
        if status:
            line, said = first_error(errors)
            return [f"{module}.v, line {line}: coqc says {said}"]
        note.write_text(f"{self.keys[module]} {digest(copy.with_suffix('.vo').read_bytes())}", encoding="utf-8")
        return []
