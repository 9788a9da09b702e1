"""Q_P on P_DE: (I_t, output), bounded by the two batches of messages before and after the intrusion."""

from __future__ import annotations

from exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, View, worse
from exact.numbers.real import Real
from exact.views import distinct_elements
from exact.views.pan_uniformity import batches

WHY = (
    "The output is computed from I_t and the messages after t, so the view is bounded by those two independent "
    "batches.  The changed element is in one of them.  A batch is P_DE with as many users as it has executions; "
    "the bound covers every background, those without the dummies too, and fewer users are never more private, "
    "since a further user's messages are post-processing."
)


def view(n: int, k: int, eps: Real, m: int, t: int | None = None) -> View:
    """An upper bound on the joint view at time t, or at the worst time."""
    if k == 1 or n < 3:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 or n < 3 there is only one stream.")
    parts = [distinct_elements.view(n, users, k, eps, m) for users in batches(n, t)]
    return View(worse(*(part.curve for part in parts)), ALL_NEIGHBOURS, WHY, upper_bound=True)
