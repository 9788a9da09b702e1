"""k-ary response behind a shuffler: both ends of eps, their distance, our time and our memory, beside what others say.

`python benchmarks/shuffle.py [--delta D] [--most N]` prints a line a cell: n, k, eps0, both ends of eps, their
distance, seconds, the peak memory so far, and how many times our upper end three other bounds are: the clones of
Feldman, McMillan and Talwar (2021), computed; the same paper's closed formula; and eps0 itself.  A dash: it is silent.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import sys
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
SIZES = tuple(10**i for i in range(2, 9))
KINDS = (2, 4, 16)
LOCAL = ("1/2", "1", "2", "4")
COLUMNS = ("n", "k", "eps0", "lower", "upper", "width", "seconds", "MB", "clones", "formula", "eps0/eps")


def response(k: int, eps0: str) -> str:
    """k-ary response as a text."""
    often, seldom = f"exp({eps0})/(exp({eps0})+{k - 1})", f"1/(exp({eps0})+{k - 1})"
    return json.dumps({str(x): {str(y): often if x == y else seldom for y in range(k)} for x in range(k)})


def formula(n: int, eps0: float, delta: float) -> float | None:
    """The closed bound of Feldman, McMillan and Talwar, theorem 3.1; None beyond its hypothesis."""
    if eps0 > math.log(n / (16 * math.log(2 / delta))):
        return None
    p = math.exp(eps0)
    return math.log1p((p - 1) / (p + 1) * (8 * math.sqrt(p * math.log(4 / delta) / n) + 8 * p / n))


def cell(n: int, k: int, eps0: str, delta: str) -> tuple[str, ...]:
    """One line of the table."""
    from exact.numbers.real import real
    from exact.randomizers.any_local import clones_curve
    from exact.randomizers.randomizer import randomizer_of_text
    from exact.randomizers.shuffled_view import shuffled_view

    start = perf_counter()
    curve = shuffled_view(randomizer_of_text(response(k, eps0)), n).view.curve
    low, high = curve.epsilon(real(delta), 6).enclosure(6)
    seconds = perf_counter() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    width = float(high) / float(low) - 1 if float(low) else math.inf
    clones = float(clones_curve(real(eps0), n).epsilon(real(delta), 5).enclosure(6)[1])
    local = float(real(eps0).constant)
    said = formula(n, local, float(delta))
    others = [clones, said, local]
    ratios = ("-" if other is None else f"{other / float(high):.2f}" for other in others)
    return (str(n), str(k), eps0, low, high, f"{100 * width:.3f}%", f"{seconds:.2f}", f"{megabytes:.0f}", *ratios)


def main() -> None:
    """Parse, measure, print."""
    sys.path.insert(0, str(ROOT))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delta", default="1e-6")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="no n beyond that")
    arguments = parser.parse_args()
    print("  ".join(name.ljust(11) for name in COLUMNS))
    for k in KINDS:
        for eps0 in LOCAL:
            for n in (n for n in SIZES if n <= arguments.most):
                print("  ".join(text.ljust(11) for text in cell(n, k, eps0, arguments.delta)), flush=True)


if __name__ == "__main__":
    main()
