"""The battery: what every accountant is asked, from the files of the families."""

from __future__ import annotations

from crosscheck.court.family import Case, Problem, modules
from exact.errors import InputError

BATTERY: tuple[Problem, ...] = tuple(problem for module in modules().values() for problem in module.BATTERY)


def chosen(names: list[str] | None, quick: bool) -> list[Case]:
    """The cases of these families or with these names; all, or the quick ones, where nothing is named.

    *Raises* `InputError` for a name that matches nothing.
    """
    offered = [problem.case for problem in BATTERY if problem.quick or not quick]
    if not names:
        return offered
    for name in names:
        if not any(name in (case.family.name, case.name) for case in offered):
            families = ", ".join(dict.fromkeys(case.family.name for case in offered))
            raise InputError(f"problem = {name} is not known: it must be a question's full name or one of {families}")
    return [case for case in offered if case.family.name in names or case.name in names]
