"""One SMT solver on SMT-LIB texts from standard input: run as a program, so that it can be ended.

Says sat, unsat or unknown, and for sat a line "name value" for each constant, the value a rational near the model's.
The solver's own count of work limits it, and nothing in it looks at a clock: z3's strategies for a logic do (try-for).
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from functools import partial
from importlib import import_module

from panshuffle.exact.child import in_copy, own_pipes

DIGITS = 40
INFORMED = "; with facts about exp and log"
"""The first line of a text with many facts, of which few are needed: z3 keeps the order of its variables."""
FIRST = "(set-logic QF_NRA)\n(declare-const x Real)\n(assert (< (* x x) 0.0))\n(check-sat)\n"
"""The text that a solver meets before all others, so that every copy of it has been used once."""


def run_z3(text: str, limit: str) -> list[str]:
    """The answer of z3, or unknown once its count of work is above the limit."""
    z3 = import_module("z3")
    reals = "(set-logic QF_NRA)" in text
    tactic = z3.With("qfnra-nlsat", reorder=not text.startswith(INFORMED))
    solver = z3.Then("simplify", "propagate-values", tactic).solver() if reals else z3.SimpleSolver()
    solver.set("rlimit", int(limit))
    solver.from_string(text)
    try:
        answer = str(solver.check())
    except z3.Z3Exception:
        return ["unknown"]
    if answer != "sat":
        return [answer]
    model = solver.model()
    lines = [answer]
    for name in sorted(model.decls(), key=str):
        value = model[name]
        number = value.approx(DIGITS) if z3.is_algebraic_value(value) else value
        if z3.is_rational_value(number) or z3.is_int_value(number):
            lines.append(f"{name.name()} {number}")
    return lines


def run_cvc5(text: str, limit: str) -> list[str]:
    """The answer of cvc5, or unknown once its count of work is above the limit; only rational values are printed."""
    cvc5 = import_module("cvc5")
    solver = cvc5.Solver()
    solver.setOption("rlimit", limit)
    solver.setOption("produce-models", "true")
    if text.startswith(INFORMED):  # coverings don't count their work
        solver.setOption("nl-cov", "false")
        solver.setOption("nl-ext", "full")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "claim")
    symbols = parser.getSymbolManager()
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        if command.getCommandName() != "check-sat":
            command.invoke(solver, symbols)
    result = solver.checkSat()
    if not result.isSat():
        return ["unsat" if result.isUnsat() else "unknown"]
    values = ((term, solver.getValue(term)) for term in symbols.getDeclaredTerms())
    numbers = ((term, value) for term, value in values if value.isRealValue() or value.isIntegerValue())
    return ["sat", *(f"{term} {Fraction(value.getRealValue())}" for term, value in numbers)]


def main(parent: str, solver: str) -> None:
    """Answers the texts on standard input, each in a copy of this process; ends with the process `parent`.

    A request is [text, limit], an answer its lines.
    """
    requests, replies = own_pipes(parent)
    run = {"z3": run_z3, "cvc5": run_cvc5}[solver]
    run(FIRST, "1000")
    for request in requests:
        text, limit = json.loads(request)
        lines, status = in_copy(partial(run, text, str(limit)))
        replies.write(json.dumps([f"exit status {status}"] if status else lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
