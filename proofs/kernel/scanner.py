"""The few commands that a Coq file of ours may use, by sentence: what is not known here is refused.

Coq is the judge of proofs; this refuses what could change the meaning of a pin, hide an assumption, or reach out of
the file, so that a reader of a statement need not look for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from panshuffle.proofs.kernel.sources import LIBRARY, SENTENCE, Fault, line_of, uncommented

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


def source_faults(module: str, text: str) -> list[Fault]:
    """The commands that a file must not use, with their lines."""
    clean = uncommented(text)
    found = [(match.start(), f"the character {match[0]!a}") for match in STRANGE.finditer(text)]
    found += [(match.start(), f"{match[0]}") for match in re.finditer('"', clean)]
    found += [(match.start(), match[0]) for match in FORBIDDEN.finditer(clean)]
    faults = [Fault(f"{module}.v, line {line_of(text, place)}: {what} is not allowed") for place, what in found]
    return faults + [
        Fault(f"{module}.v, line {line_of(clean, place)}: {what}") for place, what in sentence_faults(clean)
    ]


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
