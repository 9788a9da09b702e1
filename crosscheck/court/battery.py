"""The battery: what every accountant is asked, from the files of the families."""

from __future__ import annotations

from panshuffle.crosscheck.court.family import Case, Problem, modules
from panshuffle.exact.errors import InputError

BATTERY: tuple[Problem, ...] = tuple(problem for module in modules().values() for problem in module.BATTERY)


def chosen(names: list[str] | None, quick: bool) -> list[Case]:
    """The cases of these groups or families or with these names; all, or the quick ones, where nothing is named.

    *Raises* `InputError` for a name that matches nothing.
    """
    offered = [problem.case for problem in BATTERY if problem.quick or not quick]
    if not names:
        return offered
    for name in names:
        if not any(name in names_of(case) for case in offered):
            families = ", ".join(dict.fromkeys(name for case in offered for name in names_of(case)[:2]))
            raise InputError(f"problem = {name} is not known: it must be a question's full name or one of {families}")
    return [case for case in offered if set(names) & set(names_of(case))]


def names_of(case: Case) -> tuple[str, str, str]:
    """The names by which a case is asked for: of its group, of its family, and its own."""
    return case.family.group, case.family.name, case.name
