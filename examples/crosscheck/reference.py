"""The reference protocols behind the line protocol of `panshuffle crosscheck --command`.

A request is one line of JSON: {"run": 1, "protocol": NAME, "parameters": {...}, "data": [...], "t": T}.
The answer is one line of JSON, as `panshuffle sample` writes it.  With --bug, every noise bit is flipped once more.
"""

import json
import sys

from panshuffle.parameters import Parameters
from panshuffle.recipes import record_of

from panshuffle import views
from panshuffle.output import jsonable
from protocols.randomness.coins import Coins


class Biased(Coins):
    """Coins that land on 1 more often than they should."""

    def bernoulli(self, p):
        """Ber(p), or 1 if a second coin says so."""
        return super().bernoulli(p) | super().bernoulli(p)


def answer(request, record, coins):
    """One run."""
    data = [tuple(row) if isinstance(row, list) else row for row in request["data"]]
    if hasattr(record, "initial"):
        line = views.online_view(record, data, coins, request.get("t"))
    elif hasattr(record, "release"):
        line = {"output": record.release(data, coins)}
    else:
        line = views.shuffle_view(record, data, coins, messages=True)
    return {key: jsonable(value) for key, value in line.items()}


def main():
    """Answers requests until the standard input ends."""
    coins = Biased() if "--bug" in sys.argv[1:] else Coins()
    record = None
    for text in sys.stdin:
        request = json.loads(text)
        record = record or record_of(Parameters(request["protocol"], dict(request["parameters"])))
        print(json.dumps(answer(request, record, coins)), flush=True)


if __name__ == "__main__":
    main()
