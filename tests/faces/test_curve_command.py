"""`panshuffle curve`: its rows are what `privacy` says, as a table, as JSON and as a picture."""

import csv
import json
from fractions import Fraction
from io import StringIO

import pytest

from tests.every import every
from tests.faces.privacy_answers import privacy, refused, run, words


@pytest.mark.parametrize(
    "arguments",
    [
        "binomial --l 30 --p 1/3 --from 0 --to 1 --points 5",
        "pan-sum --lam 900 --from 1/2 --to 3 --points 3 --digits 15",
        "uniformity --lam 3 --pool --from 0 --to 2 --points 3",
        "distinct-elements --n 4 --q 1/2 --m 3 --from 0 --to 3/2 --points 4",
    ],
)
def test_the_rows_of_a_curve_are_what_privacy_says(capsys, arguments):
    table = list(csv.reader(StringIO(run(capsys, f"curve {arguments}"))))
    assert table[0] == ["eps", "lower", "upper", "paper"]
    parts = arguments.split()
    start, stop, points = (parts[parts.index(option) + 1] for option in ("--from", "--to", "--points"))
    assert len(table) == int(points) + 1
    letters = parts[: parts.index("--from")] + parts[parts.index("--points") + 2 :]
    for i, (eps, lower, upper, paper) in enumerate(table[1:]):
        at = Fraction(start) + (Fraction(stop) - Fraction(start)) * i / (int(points) - 1)
        assert abs(Fraction(eps) - at) <= at / 10**11
        answer = privacy(capsys, [*letters, "--at-eps", str(at)])
        assert (lower, upper) == (answer["lower"], answer["upper"])
        assert paper == ("" if answer["paper"] is None else answer["paper"]["value"])


def test_a_curve_goes_to_a_file_or_to_json(capsys, tmp_path):
    arguments = "curve binomial --l 9 --p 1/2 --points 3"
    printed = run(capsys, arguments)
    target = tmp_path / "curve.csv"
    assert run(capsys, [*arguments.split(), "-o", str(target)]) == ""
    assert target.read_text(encoding="utf-8") == printed
    rows = json.loads(run(capsys, f"{arguments} --json"))["rows"]
    assert [list(row.values()) for row in rows] == list(csv.reader(StringIO(printed)))[1:]


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_curve_becomes_a_picture(capsys, tmp_path, ending):
    target = tmp_path / f"curve.{ending}"
    run(capsys, ["curve", *words("binomial --l 9 --p 1/2 --points 4 -o"), str(target)])
    assert target.read_bytes()[:5] in (b"<?xml", b"\x89PNG\r")


@every(
    ("arguments", "named"),
    [
        ("binomial --l 9 -o curve.pdf", "curve.pdf"),
        ("binomial --l 9 -o curve", "output = curve"),
        ("binomial --l 9 -o /nowhere/at/all/curve.csv", "/nowhere/at/all/curve.csv"),
        ("binomial --l 9 --from 2 --to 1", "to = 1"),
        ("binomial --l 9 --from -1", "from = -1"),
        ("binomial --l 9 --from nan", "from = nan"),
        ("binomial --l 9 --points 1", "points = 1"),
        ("binomial --l 9 --points 100000", "points = 100000"),
        ("binomial --l 9 --pool", "pool"),
        ("binomial --l 9 --digits 0", "digits = 0"),
        ("binomial", "--l"),
    ],
)
def test_refusals_of_curve(capsys, arguments, named):
    refused(capsys, ["curve", *arguments.split()], named)
