"""Lemmas put to `panshuffle.prove`, and to z3, cvc5 and sympy alone, in one run: `python -m benchmarks.prove`.

`benchmarks/claims.txt` has a claim a line: whether it is true, the claim, and the domains of its variables.  z3 and
cvc5 get the SMT-LIB texts of our encoding, in which exp, log and powers with a variable exponent are free symbols.
sympy is asked as its documentation says: `simplify` for an equality, the sign under the symbols' assumptions for an
inequality, and `solveset` where there is one variable.  After `SECONDS` there is no answer.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Any

from panshuffle.symbolic.claim import Claim

CLAIMS = Path(__file__).with_name("claims.txt")
SECONDS = 20
RIGHT = {"true": "proved", "false": "refuted"}


@dataclass(frozen=True)
class Line:
    """A claim with its domains, whether it is true, and who wrote it."""

    true: str
    claim: str
    domains: tuple[str, ...]
    author: str


def claims(text: str) -> list[Line]:
    """The claims of a file; a heading names who wrote those after it."""
    found, author = [], ""
    for line in text.splitlines():
        if line.startswith("#"):
            author = line.strip("# ")
        elif line.strip():
            true, claim, *domains = (part.strip() for part in line.split("|"))
            found.append(Line(true, claim, tuple(domains), author))
    return found


def by_panshuffle(line: Line) -> str:
    """The answer of our provers together."""
    from panshuffle.symbolic.lemma import lemma_of
    from panshuffle.symbolic.prove import proof_of

    return proof_of(lemma_of(line.claim, line.domains)).status


def texts(line: Line) -> list[str]:
    """The SMT-LIB texts of a claim, one for each goal; each is unsatisfiable where the goal holds."""
    from panshuffle.symbolic.lemma import lemma_of
    from panshuffle.symbolic.prove import parts_of
    from panshuffle.symbolic.smt_text import Encoder, NoEncoding, goal_text, goals

    cases = lemma_of(line.claim, line.domains).cases()
    found = ((part, goal) for case in cases for part in parts_of(case) for goal in goals(part))
    try:
        return [goal_text(Encoder(part), goal) for part, goal in found]
    except NoEncoding:
        return ["has no text"]


def joined(line: Line, check: Callable[[str], str]) -> str:
    """What a solver says of all texts of a claim; a model refutes only where no symbol is free."""
    answers = []
    for text in texts(line):
        if "has no text" in text:
            return "undecided"
        answers.append(check(text))
    free = any("stands for" in text for text in texts(line)) or any("1, 2" in one for one in line.domains)
    if "sat" in answers:
        return "undecided" if free else "refuted"
    return "proved" if answers and set(answers) == {"unsat"} else "undecided"


def by_z3(line: Line) -> str:
    """z3 alone."""
    import z3

    def check(text: str) -> str:
        solver = z3.Solver()
        solver.from_string(text.replace("(check-sat)", ""))
        return str(solver.check())

    return joined(line, check)


def by_cvc5(line: Line) -> str:
    """cvc5 alone."""
    import cvc5

    def check(text: str) -> str:
        solver = cvc5.Solver()
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "claim")
        answer = ""
        while not (command := parser.nextCommand()).isNull():
            answer += command.invoke(solver, parser.getSymbolManager())
        return answer.strip()

    return joined(line, check)


def by_sympy(line: Line) -> str:
    """sympy alone."""
    import sympy
    from panshuffle.symbolic.algebra import to_sympy
    from panshuffle.symbolic.lemma import lemma_of
    from panshuffle.symbolic.ranges import ends_of

    answers = []
    for case in lemma_of(line.claim, line.domains).cases():
        names = {}
        for name, domain in case.variables.items():
            low = ends_of(domain)[0]
            positive = (low.value is not None and (low.value > 0 or (low.value == 0 and low.is_open))) or None
            nonnegative = (low.value is not None and low.value >= 0) or None
            names[sympy.Symbol(name)] = sympy.Symbol(
                name, real=True, integer=domain.integer or None, positive=positive, nonnegative=nonnegative
            )
        for one in case.conclusion:
            gap = (to_sympy(one.left) - to_sympy(one.right)).subs(names)
            if one.relation == "=":
                answers.append("proved" if sympy.simplify(gap) == 0 else "undecided")
                continue
            gap = sympy.simplify(gap if one.relation in (">", ">=") else -gap)
            sign = gap.is_positive if one.relation in ("<", ">") else gap.is_nonnegative
            wrong = gap.is_nonpositive if one.relation in ("<", ">") else gap.is_negative
            answers.append("proved" if sign else "refuted" if wrong else by_solveset(gap, one.relation, case))
    return "refuted" if "refuted" in answers else "undecided" if "undecided" in answers or not answers else "proved"


def by_solveset(gap: Any, relation: str, case: Claim) -> str:
    """What `solveset` says of the points where an inequality in one real variable fails."""
    import sympy
    from panshuffle.symbolic.algebra import to_sympy

    (variable, *more) = gap.free_symbols or [None]
    if variable is None or more or case.variables[variable.name].integer:
        return "undecided"
    domain = case.variables[variable.name]
    low = -sympy.oo if domain.lower is None else to_sympy(domain.lower)
    high = sympy.oo if domain.upper is None else to_sympy(domain.upper)
    where = sympy.Interval(low, high, domain.lower_open, domain.upper_open)
    fails = sympy.solveset(gap <= 0 if relation in ("<", ">") else gap < 0, variable, where)
    return "proved" if fails is sympy.S.EmptySet else "refuted" if fails.is_empty is False else "undecided"


PROVERS: dict[str, Callable[[Line], str]] = {
    "panshuffle prove": by_panshuffle, "z3 alone": by_z3, "cvc5 alone": by_cvc5, "sympy alone": by_sympy,
}  # fmt: skip


def serve(prover: str, pipe: Connection) -> None:
    """Answers lines until the pipe closes."""
    while True:
        line = pipe.recv()
        try:
            pipe.send(PROVERS[prover](line))
        except Exception as problem:
            pipe.send(f"no answer: {type(problem).__name__}")


class Worker:
    """A process that answers for one prover, and another one after it was too late."""

    def __init__(self, prover: str) -> None:
        self.prover = prover
        self.start()

    def start(self) -> None:
        """Starts the process."""
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=serve, args=(self.prover, other), daemon=True)
        self.process.start()
        other.close()

    def answer(self, line: Line) -> tuple[str, float]:
        """The answer and its seconds."""
        started = perf_counter()
        self.pipe.send(line)
        try:
            found = self.pipe.recv() if self.pipe.poll(SECONDS) else ""
        except EOFError:
            found = ""
        if not found:
            self.process.kill()
            self.process.join()
            self.start()
        return found or "no answer: too late", perf_counter() - started


def table(lines: list[Line], answers: dict[str, list[tuple[str, float]]]) -> str:
    """The counts by author, as a table of a document."""
    head = ("written by", "prover", "true: proved", "false: refuted", "wrong", "median, slowest")
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for author in dict.fromkeys(line.author for line in lines):
        places = [place for place, line in enumerate(lines) if line.author == author]
        sizes = Counter(lines[place].true for place in places)
        for prover, given in answers.items():
            right = Counter(lines[p].true for p in places if given[p][0] == RIGHT[lines[p].true])
            wrong = sum(given[p][0] in RIGHT.values() and given[p][0] != RIGHT[lines[p].true] for p in places)
            seconds = sorted(given[p][1] for p in places)
            times = f"{seconds[len(seconds) // 2]:.1f} s, {seconds[-1]:.0f} s"
            cells = [f"{right[true]} of {sizes[true]}" for true in RIGHT]
            rows.append(f"| {author} | {prover} | {' | '.join(cells)} | {wrong} | {times} |")
    return "\n".join(rows)


def main(arguments: Iterable[str] | None = None) -> None:
    """Asks all provers for all claims, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", default=str(CLAIMS), help="the file of claims")
    parser.add_argument("--prover", choices=PROVERS, action="append", help="one prover (repeatable; default: all)")
    args = parser.parse_args(None if arguments is None else list(arguments))
    lines = claims(Path(args.claims).read_text(encoding="utf-8"))
    answers: dict[str, list[tuple[str, float]]] = {}
    for prover in args.prover or PROVERS:
        worker, answers[prover] = Worker(prover), []
        for line in lines:
            answers[prover].append(worker.answer(line))
            found = answers[prover][-1][0]
            if prover == "panshuffle prove" and found != RIGHT[line.true]:
                print(f"{found}: {line.true}: {line.claim}  for  {', '.join(line.domains)}", file=sys.stderr)
        worker.process.kill()
    print(table(lines, answers))


if __name__ == "__main__":
    main()
