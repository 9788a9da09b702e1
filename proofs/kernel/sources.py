"""The Coq files: their order and digests, the few commands that they may use, and the audit of `Paper.v`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from panshuffle.proofs.kernel.pins import PINS, read_claims
from panshuffle.proofs.root import digest

PROJECT = "_CoqProject"
LIBRARY = "PanshuffleKernel"
SENTENCE = re.compile(r"(.*?)\.(?=\s|$)", re.DOTALL)
REQUIRED = re.compile(rf"From {LIBRARY} Require (?:Import )?([\w\s]+)")
DEFINED = re.compile(r"(?:Definition|Fixpoint)\s+([A-Za-z_][\w']*)")


def read_order(folder: Path) -> list[str]:
    """The modules in the order in which they compile, as the project file lists them.

    Raises: ValueError, where the project file and the folder do not list the same files.
    """
    lines = (folder / PROJECT).read_text(encoding="utf-8").split("\n")
    listed = [line.strip() for line in lines if line.strip().endswith(".v")]
    present = sorted(path.name for path in folder.glob("*.v"))
    if sorted(listed) != present:
        odd = sorted(set(listed) ^ set(present)) or ["a file twice"]
        raise ValueError(f"{PROJECT} and the folder disagree on {', '.join(odd)}")
    return [name.removesuffix(".v") for name in listed]


def digests(folder: Path) -> dict[str, str]:
    """The sha256 of every Coq file, of the project file and of the pins."""
    names = [*(f"{module}.v" for module in read_order(folder)), PROJECT, PINS]
    return {name: digest((folder / name).read_bytes()) for name in names}


def required(text: str) -> list[str]:
    """The modules of ours that a file requires."""
    return [module for group in REQUIRED.findall(uncommented(text)) for module in group.split()]


def defined(text: str) -> list[str]:
    """The names that a file defines."""
    sentences = [sentence[1].strip() for sentence in SENTENCE.finditer(uncommented(text))]
    return [found[1] for found in map(DEFINED.match, sentences) if found]


def uncommented(text: str) -> str:
    """The text with its comments and what is in strings blanked out, line by line as long as before.

    The marks of a string outside of comments stay.
    """
    out: list[str] = []
    depth, quoted = 0, False
    for token in re.findall(r"\(\*|\*\)|.", text, re.DOTALL):
        before, quoted = depth, quoted != (token == '"')
        if not quoted:
            depth += (token == "(*") - (token == "*)" and depth > 0)
        hidden = before > 0 or depth > 0 or (quoted and token != '"')
        out.append(re.sub(r"[^\n]", " ", token) if hidden else token)
    return "".join(out)


def line_of(text: str, position: int) -> int:
    """The number of the line at a position, from 1."""
    return text.count("\n", 0, position) + 1


# The few commands that a Coq file of ours may use, by sentence: what is not known here is refused.
#
# Coq is the judge of proofs; this refuses what could change the meaning of a pin, hide an assumption, or reach out of
# the file, so that a reader of a statement need not look for it.

NAMES = r"[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*"
OUTSIDE = {
    "From": re.compile(rf"From (?:Coq|Coquelicot|{LIBRARY}) Require (?:Import )?{NAMES}(?:\s+{NAMES})*"),
    "Notation": re.compile(rf"Notation [A-Za-z_][\w']* := [A-Z]\w*\.{NAMES}"),  # another name for one of ours, no more
    "Import": re.compile(rf"Import {NAMES}"),
    "Open": re.compile(rf"Open Scope {NAMES}"),
    "Arguments": re.compile(rf"Arguments {NAMES}[\w\s{{}}']*"),  # which arguments are implicit
    "Section": re.compile(rf"Section {NAMES}"),
    "End": re.compile(rf"End {NAMES}"),
    "Ltac": re.compile(r"Ltac\s.*:=.*", re.DOTALL),  # what a tactic makes is checked like any proof
    "Fixpoint": re.compile(r"Fixpoint\s.*:=.*", re.DOTALL),
    "Inductive": re.compile(r"Inductive\s.*:=.*", re.DOTALL),
    "Record": re.compile(r"Record\s.*:=.*", re.DOTALL),
    **{
        name: re.compile(rf"{name}\s.*", re.DOTALL)
        for name in ("Definition", "Lemma", "Theorem", "Corollary", "Instance")
    },
}
"""What a sentence outside of proofs looks like, by its first word."""
OPENERS = {"Lemma", "Theorem", "Corollary", "Instance"}
IN_SECTIONS = {"Variable", "Variables", "Hypothesis", "Hypotheses", "Context", "Let"}
FORBIDDEN = re.compile(
    r"\b(admit|give_up|Admitted|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort|Save|bypass_check|native_compute"
    r"|native_cast_no_check|Unset|Infix|Coercion|Canonical|Load|Declare|Global|Local|Export|Primitive"
    r"|Register|Redirect|Extraction|Module|Include|Program|Polymorphic|Cumulative|Private"
    r"|Reserved|Ltac2|Hint|Opaque|Transparent|Strategy|Typing|Guard|Positivity|where)\b|:>"
)
VERNACULAR = re.compile(rf"\b({'|'.join(sorted({*OUTSIDE, *IN_SECTIONS, 'Require', 'Proof', 'Qed', 'Defined'}))})\b")
ATTRIBUTE = "#[local]"
STRANGE = re.compile(r"[^\n -~]")
FOCUS = re.compile(r"\A(?:[-+*{}\s]|(?:\d+|all|!|\[[\w']+\])\s*:\s*(?=\{))*")
TACTIC = re.compile(r"[a-z_0-9(\[!>]|[A-Z]\w*\.[a-z]")


def source_faults(module: str, text: str) -> list[str]:
    """The commands that a file must not use, with their lines."""
    clean = uncommented(text)
    found = [(match.start(), f"the character {match[0]!a}") for match in STRANGE.finditer(text)]
    found += [(match.start(), f"{match[0]}") for match in re.finditer('"', clean)]
    found += [(match.start(), match[0]) for match in FORBIDDEN.finditer(clean)]
    faults = [f"{module}.v, line {line_of(text, place)}: {what} is not allowed" for place, what in found]
    return faults + [f"{module}.v, line {line_of(clean, place)}: {what}" for place, what in sentence_faults(clean)]


def sentence_faults(clean: str) -> Iterator[tuple[int, str]]:
    """What is wrong with the sentences of a file, in order: the place, and the reason."""
    sections, state, end = 0, "outside", 0
    for sentence in SENTENCE.finditer(clean):
        text, end = sentence[1].strip(), sentence.end()
        if state == "proving":
            text = FOCUS.sub("", text, count=1)
            if text in ("Qed", "Defined"):
                state = "outside"
            else:
                yield from ((sentence.end(1), what) for what in tactic_faults(text))
        elif state == "announced":
            state = "proving"
            if text != "Proof":
                yield sentence.end(1), "what is announced has to be followed by Proof and a proof"
        else:
            text = text.removeprefix(ATTRIBUTE).lstrip()
            command = text.split()[0] if text else "an empty sentence"
            sections += {"Section": 1, "End": -1}.get(command, 0)
            yield from ((sentence.end(1), what) for what in command_faults(command, text, sections))
            opens = command in OPENERS or (command == "Definition" and ":=" not in text)
            state = "announced" if opens else state
    if clean[end:].strip() or state != "outside" or sections:
        yield len(clean), "the file ends within a sentence, a proof or a section"


def command_faults(command: str, text: str, sections: int) -> Iterator[str]:
    """What is wrong with a sentence outside of proofs."""
    if "#" in text:
        yield f"an attribute that is not {ATTRIBUTE} is not allowed"
    if command in IN_SECTIONS:
        if sections == 0:
            yield f"{command} is not allowed outside of a section"
    elif command not in OUTSIDE:
        yield f"{command} is not one of the allowed commands"
    elif not OUTSIDE[command].fullmatch(text):
        yield f"{command} is not in the form that is allowed"


def tactic_faults(text: str) -> Iterator[str]:
    """What is wrong with a sentence inside a proof."""
    first = text.split(maxsplit=1)[0] if text else "an empty sentence"
    hidden = VERNACULAR.search(text)
    if hidden or not TACTIC.match(text):
        yield f"{hidden[1] if hidden else first} is not allowed inside a proof"


# The audit of `Paper.v`, the file of statements: each is proved, refuted and repaired, cited, or listed as open.
#
# A person who reads `Paper.v` and trusts Coq must not have to look for what is missing: the pins' file decides every closed
# definition of type Prop by exactly one theorem, of exactly that type or its negation.

PAPER = "Paper"
MOST_LINES = 700
REPAIRED = "_repaired"
CLOSED = re.compile(r"\bDefinition\s+([A-Za-z_][\w']*)\s*:\s*Prop\s*:=")
NAMED = re.compile(r"\b(?:Definition|Fixpoint|Record)\s+([A-Za-z_][\w']*)")
PROVING = re.compile(r"\b(Proof|Qed|Defined|Theorem|Lemma|Corollary|Instance|Ltac|Axiom|Section|Variable|Hypothesis)\b")
STATEMENT = re.compile(rf"(~ )?{PAPER}\.([A-Za-z_][\w']*)")


@dataclass(frozen=True)
class Audit:
    """The statements of the file by what decides them, in its order, and what is wrong."""

    proved: tuple[str, ...]
    refuted: tuple[str, ...]
    cited: tuple[str, ...]
    open: tuple[str, ...]
    faults: tuple[str, ...]

    def summary(self) -> str:
        """The counts in one line, and what is open by name."""
        left = f"; open, and in no count: {', '.join(self.open)}" if self.open else ""
        counts = f"{len(self.proved)} proved, {len(self.refuted)} refuted and repaired, {len(self.cited)} cited"
        return f"{PAPER}.v: {counts}{left}"


def audit(folder: Path) -> Audit:
    """What the pins of a folder decide of the statements of its file."""
    text = (folder / f"{PAPER}.v").read_text(encoding="utf-8")
    names = closed_statements(text)
    decided, wrong = decisions(folder)
    cited, left = listed(folder)
    refuted = {name: repair for name, (negated, repair) in decided.items() if negated}
    proved = [name for name in names if name in decided and name not in refuted]
    faults = [*text_faults(text), *wrong]
    for name in names:
        ways = [name in decided, name in cited, name in left]
        if sum(ways) != 1:
            faults.append(f"{PAPER}.{name} is decided {sum(ways)} times: by a pin, cited or open, and only once")
    for name in [*decided, *cited, *left]:
        if name not in names:
            faults.append(f"{PINS} decides {PAPER}.{name}, which is not a statement of {PAPER}.v")
    for name, repair in refuted.items():
        if (repair or name + REPAIRED) not in proved:
            faults.append(f"{PAPER}.{name} is refuted, and {repair or name + REPAIRED} is not proved in its place")
    return Audit(
        tuple(proved),
        tuple(name for name in names if name in refuted),
        tuple(name for name in names if name in cited),
        tuple(name for name in names if name in left),
        tuple(faults),
    )


def closed_statements(text: str) -> list[str]:
    """The closed definitions of type Prop, in the order of the file.

    >>> closed_statements("Definition a : Prop := True. (* Definition b : Prop := c. *) Definition d (n : nat) : Prop := e.")
    ['a']
    """
    return CLOSED.findall(uncommented(text))


def definition(name: str, folder: Path = Path(__file__).parent) -> str:
    """The definition of a name in the file of statements, as it stands there; empty where it has none."""
    clean = (folder / f"{PAPER}.v").read_text(encoding="utf-8")
    found = re.search(rf"^(?:Definition|Fixpoint|Record|Inductive) {re.escape(name)}\b.*?\.(?=\s)", clean, re.M | re.S)
    return found[0] if found else ""


def text_faults(text: str) -> list[str]:
    """What is wrong with the file itself: too long, a proof in it, another file of ours behind it, something unused."""
    clean = uncommented(text)
    lines = text.count("\n")
    faults = [f"{PAPER}.v has {lines} lines, more than {MOST_LINES}"] if lines > MOST_LINES else []
    faults += [f"{PAPER}.v has statements only, no {found}" for found in sorted(set(PROVING.findall(clean)))]
    faults += [f"{PAPER}.v requires {module}: it has to stand alone" for module in required(text)]
    names = NAMED.findall(clean)
    faults += [f"{PAPER}.v defines {name} twice" for name in sorted({name for name in names if names.count(name) > 1})]
    helpers = [name for name in names if name not in CLOSED.findall(clean)]
    unused = [name for name in helpers if len(re.findall(rf"(?<![\w']){re.escape(name)}(?![\w'])", clean)) < 2]
    return faults + [f"{PAPER}.{name} is neither a statement nor used by one" for name in unused]


def decisions(folder: Path) -> tuple[dict[str, tuple[bool, str]], list[str]]:
    """For each statement that a pin decides, whether it is refuted and what is named as its repair; and what is wrong."""
    found: dict[str, tuple[bool, str]] = {}
    faults = []
    for claim in read_claims(folder).values():
        match = STATEMENT.fullmatch(claim.statement)
        if match is None:
            continue
        if match[2] in found:
            faults.append(f"{PAPER}.{match[2]} is decided by two pins")
        found[match[2]] = (match[1] is not None, claim.repair.removeprefix(f"{PAPER}."))
    return found, faults


def listed(folder: Path) -> tuple[list[str], list[str]]:
    """The statements that the pins' file lists as cited, each with what is taken from where, and as open.

    Raises: ValueError, where a citation does not say what is taken.
    """
    rows = tomllib.loads((folder / PINS).read_text(encoding="utf-8"))
    for row in rows.get("cited", []):
        if not row["source"] or not row["takes"]:
            raise ValueError(f"{PINS}: {row['statement']} is cited without what is taken, or from where")
    cited = [str(row["statement"]).removeprefix(f"{PAPER}.") for row in rows.get("cited", [])]
    return cited, [str(name).removeprefix(f"{PAPER}.") for name in rows.get("open", [])]
