"""The reference protocols behind the line protocol of `panshuffle crosscheck --command`.

A request is one line of JSON: {"run": 1, "protocol": NAME, "parameters": {...}, "data": [...], "t": T}.
The answer is one line of JSON, as `panshuffle sample` writes it.  With --bug, every noise bit is flipped once more.
"""

import json
import sys

from panshuffle.protocols.randomness.coins import Coins

from panshuffle.card import Model, card
from panshuffle.output import jsonable
from panshuffle.question import Params


class Biased(Coins):
    """Coins that land on 1 more often than they should."""

    def bernoulli(self, p):
        """Ber(p), or 1 if a second coin says so."""
        return super().bernoulli(p) | super().bernoulli(p)


def answer(request, protocol, record, coins):
    """One run."""
    data = [tuple(row) if isinstance(row, list) else row for row in request["data"]]
    messages = protocol.model is Model.SHUFFLE
    return jsonable(protocol.runner(record).once(data, coins, messages, request.get("t")))


def main():
    """Answers requests until the standard input ends."""
    coins = Biased() if "--bug" in sys.argv[1:] else Coins()
    record = None
    for text in sys.stdin:
        request = json.loads(text)
        protocol = card(request["protocol"])
        record = record or protocol.record_of(Params(protocol.name, dict(request["parameters"])))
        print(json.dumps(answer(request, protocol, record, coins)), flush=True)


if __name__ == "__main__":
    main()
