"""One SMT solver on one SMT-LIB text from standard input: run as a program, so that a time limit really ends it.

Prints sat, unsat or unknown, and for sat a line "name value" for each constant, the value a rational near the model's.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from importlib import import_module
from typing import Any

DIGITS = 40


def run_z3(text: str) -> list[str]:
    """The answer of z3."""
    z3 = import_module("z3")
    logic = text.split("(set-logic ", 1)[1].split(")", 1)[0]
    solver = z3.SolverFor(logic)
    solver.from_string(text)
    answer = str(solver.check())
    if answer != "sat":
        return [answer]
    model = solver.model()
    lines = [answer]
    for name in model.decls():
        value = model[name]
        number = value.approx(DIGITS) if z3.is_algebraic_value(value) else value
        if z3.is_rational_value(number) or z3.is_int_value(number):
            lines.append(f"{name.name()} {number}")
    return lines


def run_cvc5(text: str) -> list[str]:
    """The answer of cvc5; values that are not rational are left out."""
    cvc5 = import_module("cvc5")
    solver = cvc5.Solver()
    solver.setOption("produce-models", "true")
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
    return [
        "sat",
        *(f"{term} {rational(value)}" for term, value in values if value.isRealValue() or value.isIntegerValue()),
    ]


def rational(value: Any) -> Fraction:
    """The rational of a cvc5 value."""
    return Fraction(value.getRealValue())


if __name__ == "__main__":
    sys.stdout.write("\n".join({"z3": run_z3, "cvc5": run_cvc5}[sys.argv[1]](sys.stdin.read())) + "\n")
