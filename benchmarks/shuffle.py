"""k-ary response behind a shuffler: both ends of eps, their distance, our time and our memory, beside what others say.

`python benchmarks/shuffle.py [--delta D] [--n N ...]` prints a line a cell: n, k, eps0,
both ends of eps, their distance, seconds, the peak memory so far, and how many times our upper end three other bounds
are: the clones of Feldman, McMillan and Talwar (2021), computed; the same paper's closed formula; and eps0 itself.
Then, up to 10^4 users, the repositories of others on PYTHONPATH: how many times our upper end their eps is, or that
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
    from panshuffle.crosscheck.accountants.adapters import Accountant
    from panshuffle.crosscheck.accountants.questions import Question
    from panshuffle.crosscheck.accountants.session import Session

ROOT = Path(__file__).resolve().parent.parent
SIZES = tuple(10**i for i in range(2, 9))
KINDS = (2, 4, 16)
LOCAL = ("1/2", "1", "2", "4")
COLUMNS = ("n", "k", "eps0", "lower", "upper", "width", "seconds", "MB", "clones", "formula", "eps0/eps")
LARGEST_ASKED = 10**4
"""Users: beyond, some of the others take minutes a cell."""
PATIENCE = 20.0
"""Seconds that another has for a cell."""


def cell(n: int, k: int, eps0: str, delta: str, others: Sequence[Session]) -> tuple[str, ...]:
    """One line of the table."""
    from panshuffle.crosscheck.accountants.questions import EPSILON, ask
    from panshuffle.exact.randomizers.randomizer import named_randomizer
    from panshuffle.exact.randomizers.shuffled_view import clones_curve, clones_epsilon, shuffled_view
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
    question = ask("shuffled-response", EPSILON, float(delta), values=k, n=n, eps0=float(real(eps0)))
    asked = (said(session, question, (float(low), float(high)), seconds) for session in others)
    ours = (str(n), str(k), eps0, low, high, f"{100 * width:.3f}%", f"{seconds:.2f}", f"{megabytes:.0f}")
    return (*ours, *ratios, *asked)


def said(session: Session, question: Question, ends: tuple[float, float], seconds: float) -> str:
    """How many times our eps and our seconds another's are."""
    if question["n"] > LARGEST_ASKED:
        return "-"
    reply = session.ask(question)
    if "ends" not in reply:
        return str(reply["verdict"])
    if "upper" not in reply["ends"]:
        return "-"
    eps, times = float(reply["ends"]["upper"]), f"{reply['seconds'] / seconds:.2g}"
    return f"too low, {times}" if eps < ends[0] else f"{eps / ends[1]:.3f}, {times}"


def peers() -> list[Accountant]:
    """The repositories that bound k-ary response from above; what is missing is said on stderr."""
    from panshuffle.crosscheck.accountants.adapters import ACCOUNTANTS, UPPER

    found = [one for one in ACCOUNTANTS.values() if "/" in one.source and one.promise == UPPER]
    for way in dict.fromkeys(one.how_to_get for one in found if not one.is_here):
        sys.stderr.write(f"a column is absent; to have it: {way}\n")
    return [one for one in found if one.is_here]


def main() -> None:
    """Parse, measure, print."""
    sys.path.insert(0, str(ROOT))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delta", default="1e-6")
    parser.add_argument("--n", type=int, nargs="+", default=SIZES)
    arguments = parser.parse_args()
    others = peers()
    print("  ".join(name.ljust(11) for name in (*COLUMNS, *(one.name for one in others))))
    with ExitStack() as stack:
        from panshuffle.crosscheck.accountants.session import Session

        asked = [stack.enter_context(Session(one, PATIENCE)) for one in others]
        for k in KINDS:
            for eps0 in LOCAL:
                for n in arguments.n:
                    line = cell(n, k, eps0, arguments.delta, asked)
                    print("  ".join(text.ljust(11) for text in line), flush=True)


if __name__ == "__main__":
    main()
