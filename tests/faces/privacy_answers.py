"""`panshuffle privacy` and `calibrate` without a process, and the ends of their answers."""

import json
from fractions import Fraction

import pytest

from panshuffle.main import main

KEYS = {"protocol", "parameters", "quantity", "lower", "upper", "exact", "scope", "background", "paper"}


def words(arguments):
    return arguments if isinstance(arguments, list) else arguments.split()


def run(capsys, arguments):
    """Standard output of a command that succeeds."""
    with pytest.raises(SystemExit) as stop:
        main(words(arguments))
    out, err = capsys.readouterr()
    assert (stop.value.code, err) == (0, "")
    return out


def privacy(capsys, arguments):
    """The JSON object, whose keys and ends are checked."""
    arguments = words(arguments)
    answer = json.loads(run(capsys, ["privacy", *arguments, "--json"]))
    assert {*answer} >= KEYS
    assert answer["protocol"] == arguments[0]
    assert answer["scope"] in ("all neighbours", "this pair", "all inputs")
    assert answer["paper"] is None or {*answer["paper"]} == {"value", "slug", "verdict"}
    digits = int(arguments[arguments.index("--digits") + 1]) if "--digits" in arguments else 10
    check_ends(answer, digits)
    return answer


def check_ends(answer, digits):
    """lower <= upper, not too many digits, not too far apart; equal to exact or around it."""
    lower, upper, exact = answer["lower"], answer["upper"], answer["exact"]
    if exact == "inf":
        assert (lower, upper) == ("inf", "inf")
        return
    if answer.get("kind") == "upper bound":
        assert lower == "0"
        assert upper == "inf" or Fraction(upper) >= 0
        return
    low, high = Fraction(lower), Fraction(upper)
    assert 0 <= low <= high
    assert high - low <= high * 2 / 10 ** (digits - 1)
    for text in (lower, upper):
        assert len(text.split("e")[0].replace(".", "").strip("0")) <= digits
    if exact is not None:
        assert low <= Fraction(exact) <= high


def refused(capsys, arguments, named):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert err.startswith("panshuffle: ")
    assert err.count("\n") == 1
    assert named in err


def outcome(capsys, line):
    """The status, what is printed, and the complaint."""
    with pytest.raises(SystemExit) as end:
        main(line.split())
    captured = capsys.readouterr()
    return end.value.code, captured.out, captured.err
