"""k-ary response behind a shuffler: both ends of eps, their distance, our time and our memory, beside what others say.

`python benchmarks/shuffle.py [--delta D] [--n N ...] [--checkout NAME=FOLDER ...]` prints a line a cell: n, k, eps0,
both ends of eps, their distance, seconds, the peak memory so far, and how many times our upper end three other bounds
are: the clones of Feldman, McMillan and Talwar (2021), computed; the same paper's closed formula; and eps0 itself.
Then, up to 10^4 users, the programs of others that the court knows: how many times our upper end their eps is, or that
it is below our lower end, and how many times our seconds theirs are.  A dash: it is silent.
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from panshuffle.crosscheck.court.accountant import Accountant
    from panshuffle.crosscheck.court.family import Case
    from panshuffle.crosscheck.court.isolation import IsolatedAccountant

ROOT = Path(__file__).resolve().parent.parent
SIZES = tuple(10**i for i in range(2, 9))
KINDS = (2, 4, 16)
LOCAL = ("1/2", "1", "2", "4")
COLUMNS = ("n", "k", "eps0", "lower", "upper", "width", "seconds", "MB", "clones", "formula", "eps0/eps")
LARGEST_ASKED = 10**4
"""Users: beyond, some of the others take minutes a cell."""
PATIENCE = 20.0
"""Seconds that another has for a cell."""
Peers = Sequence[tuple["Accountant", "IsolatedAccountant"]]


def cell(n: int, k: int, eps0: str, delta: str, others: Peers) -> tuple[str, ...]:
    """One line of the table."""
    from panshuffle.crosscheck.court.families.shuffled_response import FAMILY
    from panshuffle.crosscheck.court.family import EPSILON
    from panshuffle.exact.randomizers.bounds import clones_curve, clones_epsilon
    from panshuffle.exact.randomizers.randomizer import named_randomizer
    from panshuffle.exact.randomizers.shuffled_view import shuffled_view
    from panshuffle.exact.real import exp, real

    start = perf_counter()
    curve = shuffled_view(named_randomizer("k-ary", k, exp(real(eps0))), n).view.curve
    low, high = curve.epsilon(real(delta), 6).enclosure(6)
    seconds = perf_counter() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    width = float(high) / float(low) - 1 if float(low) else math.inf
    clones = float(clones_curve(real(eps0), n).epsilon(real(delta), 5).enclosure(6)[1])
    formula = clones_epsilon(real(eps0), n, real(delta))
    bounds = [clones, None if formula is None else float(formula), float(real(eps0))]
    ratios = ("-" if bound is None else f"{bound / float(high):.2f}" for bound in bounds)
    case = FAMILY.case(EPSILON, float(delta), values=k, n=n, eps0=float(real(eps0)))
    asked = (said(one, worker, case, (float(low), float(high)), seconds) for one, worker in others)
    ours = (str(n), str(k), eps0, low, high, f"{100 * width:.3f}%", f"{seconds:.2f}", f"{megabytes:.0f}")
    return (*ours, *ratios, *asked)


def said(one: Accountant, worker: IsolatedAccountant, case: Case, ends: tuple[float, float], seconds: float) -> str:
    """How many times our eps and our seconds another's are."""
    if case["n"] > LARGEST_ASKED or one.script(case) is None:
        return "-"
    reply = worker.ask(case)
    if "claims" not in reply:
        return str(reply["verdict"])
    eps, times = float(reply["claims"]["upper"]), f"{reply['seconds'] / seconds:.2g}"
    return f"too low, {times}" if eps < ends[0] else f"{eps / ends[1]:.3f}, {times}"


def peers(checkouts: Sequence[str]) -> list[Accountant]:
    """The accountants of a checkout that bound k-ary response from above; what is missing is said on stderr."""
    from panshuffle.crosscheck.court.accountant import UPPER_BOUND, known, with_checkouts

    found = [one for one in with_checkouts(known().values(), checkouts) if one.checkout and one.promise == UPPER_BOUND]
    for way in dict.fromkeys(one.how_to_get for one in found if one.folder is None):
        sys.stderr.write(f"a column is absent; to have it: {way}\n")
    return [one for one in found if one.folder is not None]


def main() -> None:
    """Parse, measure, print."""
    sys.path.insert(0, str(ROOT))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delta", default="1e-6")
    parser.add_argument("--n", type=int, nargs="+", default=SIZES)
    parser.add_argument("--checkout", action="append", default=[], metavar="NAME=FOLDER")
    arguments = parser.parse_args()
    others = peers(arguments.checkout)
    names = [f"{one.name} {one.version}" for one in others]
    print("  ".join(name.ljust(11) for name in (*COLUMNS, *names)))
    with ExitStack() as stack:
        from panshuffle.crosscheck.court.isolation import IsolatedAccountant

        asked = [(one, stack.enter_context(IsolatedAccountant(one, PATIENCE))) for one in others]
        for k in KINDS:
            for eps0 in LOCAL:
                for n in arguments.n:
                    line = cell(n, k, eps0, arguments.delta, asked)
                    print("  ".join(text.ljust(11) for text in line), flush=True)


if __name__ == "__main__":
    main()
