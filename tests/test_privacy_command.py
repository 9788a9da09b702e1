"""`panshuffle privacy` and `panshuffle curve` as their user sees them: values, keys, digits and refusals."""

import csv
import json
from fractions import Fraction
from io import StringIO
from itertools import pairwise, product
from math import comb

import mpmath
import pytest

from panshuffle.catalogue import PROTOCOLS
from panshuffle.main import main

KEYS = {"protocol", "parameters", "quantity", "lower", "upper", "exact", "scope", "background", "paper"}
SMALL = {
    "binomial": "--l 6 --p 1/3",
    "negative-binomial": "--l 6 --p 1/3",
    "skellam": "--lam 3",
    "poisson-binomial": "--n 6 --m 2 --p 1/3",
    "binary-sum": "--n 6 --p 3/4",
    "modular-sum": "--n 6 --m 3",
    "distinct-elements": "--n 6 --q 1/2 --m 2",
    "hashed-distinct-elements": "--n 6 --k 90 --eps 1 --m 2",
    "uniformity": "--lam 3",
    "compressed-uniformity": "--k 6 --k-hat 3 --lam 3",
    "pan-sum": "--lam 6",
    "pan-histogram": "--lam 6",
    "shuffle-histogram": "--n 6 --p 3/4",
    "pan-distinct-elements": "--n 6 --q 1/2 --m 2",
    "pan-uniformity": "--n 6 --lam 3",
    "randomized-or": "--exp-eps 3",
    "two-bit-sum": "--n 6 --p 1/4",
    "geometric-distinct-elements": "--k 4 --exp-eps 3",
}
SHUFFLED = [
    "binary-sum",
    "modular-sum",
    "distinct-elements",
    "hashed-distinct-elements",
    "uniformity",
    "compressed-uniformity",
    "shuffle-histogram",
    "two-bit-sum",
]
POOLS = [
    "distinct-elements",
    "hashed-distinct-elements",
    "uniformity",
    "compressed-uniformity",
    "pan-histogram",
    "shuffle-histogram",
    "two-bit-sum",
]


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


def close(answer, value, digits):
    """Whether the ends enclose an mpmath number that has so many digits right."""
    slack = abs(value) * mpmath.mpf(10) ** -digits
    return mpmath.mpf(answer["lower"]) <= value + slack and value - slack <= mpmath.mpf(answer["upper"])


def binomial_law(l, p):
    return [comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)]


def positive_parts(pairs, factor):
    return sum(a - factor * b for a, b in pairs if a > factor * b)


def test_twenty_coins(capsys):
    answer = privacy(capsys, "binomial --l 20 --p 1/2 --at-exp-eps 2")
    law = binomial_law(20, Fraction(1, 2))
    value = positive_parts(zip([*law, 0], [0, *law], strict=True), 2)
    assert answer["exact"] == str(value) == "4265/262144"
    assert (answer["quantity"], answer["scope"]) == ("delta", "all neighbours")
    assert answer["parameters"] == {"l": "20", "p": "1/2"}


def test_two_bins(capsys):
    answer = privacy(capsys, "pan-histogram --lam 12 --at-exp-eps 9/4 --pair")
    law = [0, *binomial_law(12, Fraction(1, 2)), 0]
    cells = product(range(14), repeat=2)
    value = positive_parts([(law[x] * law[y + 1], law[x + 1] * law[y]) for x, y in cells], Fraction(9, 4))
    assert answer["exact"] == str(value) == "3364315/33554432"


def test_total_variation(capsys):
    """Four ones and m = 4 against no ones, by listing the 2^3 share vectors of each user as numbers of ones."""
    answer = privacy(capsys, "modular-sum --n 4 --m 4 --tv --ones 4")
    pools = []
    for bit in (1, 0):
        law = {0: Fraction(1)}
        for _ in range(4):
            step = {}
            for x, mass in law.items():
                for bits in product((0, 1), repeat=4):
                    if sum(bits) % 2 == bit:
                        step[x + sum(bits)] = step.get(x + sum(bits), 0) + mass / 8
            law = step
        pools.append(law)
    value = sum(abs(pools[0].get(x, 0) - pools[1].get(x, 0)) for x in range(17)) / 2
    assert answer["exact"] == str(value) == "31/512"
    assert answer["quantity"] == "tv"
    worst = privacy(capsys, "modular-sum --n 4 --m 4 --tv")
    assert Fraction(worst["exact"]) >= value
    assert worst["scope"] == "all inputs"


def test_distinct_elements_at_the_ideal_point(capsys):
    answer = privacy(
        capsys,
        [*words("distinct-elements --n 10 --eps 1 --m 4 --holders 0,0 --digits 30 --at-exp-eps"), "2*exp(1)-1"],
    )
    assert answer["background"] == [0, 0]
    assert answer["scope"] == "this pair"
    with mpmath.workdps(60):
        q = (1 - mpmath.exp(-1)) ** (mpmath.mpf(1) / 10)

        def law(holders):
            masses = [mpmath.mpf(1)]
            for i in range(10):
                odd = mpmath.mpf(1) / 2 if i < holders else (1 - q) / 2
                added = [comb(4, x) * (odd if x % 2 else 1 - odd) / 8 for x in range(5)]
                step = [mpmath.mpf(0)] * (len(masses) + 4)
                for (x, u), (y, v) in product(enumerate(masses), enumerate(added)):
                    step[x + y] += u * v
                masses = step
            return masses

        one, none = law(1), law(0)
        cells = product(range(41), repeat=2)
        value = positive_parts([(one[x] * none[y], none[x] * one[y]) for x, y in cells], 2 * mpmath.e - 1)
        assert mpmath.nstr(value, 29).startswith("0.00026116164507395916388403667262")
        assert close(answer, value, 45)
    assert answer["lower"].startswith("0.00026116164507395916388403667262")


def test_a_poisson_pool(capsys):
    answer = privacy(capsys, "uniformity --lam 10 --at-exp-eps 2 --pool --digits 30")
    with mpmath.workdps(60):
        w = [mpmath.mpf(0), *(mpmath.exp(-5) * mpmath.mpf(5) ** i / mpmath.factorial(i) for i in range(90))]
        cells = product(range(90), repeat=2)
        value = positive_parts([(w[x] * w[y + 1], w[x + 1] * w[y]) for x, y in cells], 2)
        assert close(answer, value, 45)
    assert answer["lower"].startswith("0.070482108599739696537996511125")


def test_eps_at_delta_and_back(capsys):
    """delta at the two ends of the eps that was found, on both sides of the target, by rationals close to e^eps."""
    answer = privacy(capsys, "binomial --l 40 --p 1/2 --at-delta 1e-4 --digits 12")
    law = binomial_law(40, Fraction(1, 2))
    with mpmath.workdps(60):
        deltas = []
        for end in ("lower", "upper"):
            factor = mpmath.exp(mpmath.mpf(answer[end]))
            pairs = zip([*law, Fraction(0)], [Fraction(0), *law], strict=True)
            numbers = [[mpmath.mpf(v.numerator) / v.denominator for v in pair] for pair in pairs]
            deltas.append(positive_parts(numbers, factor))
        assert deltas[0] >= mpmath.mpf(10) ** -4 >= deltas[1]
    assert answer["quantity"] == "eps"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("binomial --l 6 --p 1/3", "inf"),
        ("modular-sum --n 3 --m 3", "inf"),
        ("uniformity --lam 3", "inf"),
        ("pan-histogram --lam 3", "inf"),
        ("two-bit-sum --n 3 --p 0", "inf"),
        ("two-bit-sum --n 3 --p 1/2", 1),
        ("two-bit-sum --n 3 --p 1/4", 9),
        ("two-bit-sum --n 3 --p 1/4 --pool", 3),
        ("randomized-or --exp-eps 3", 3),
        ("geometric-distinct-elements --k 4 --exp-eps 3", 3),
        ("distinct-elements --n 4 --q 1/2 --m 3", 3),
        ("distinct-elements --n 4 --q 1/2 --m 3 --k 1", 1),
    ],
)
def test_pure_eps(capsys, arguments, expected):
    """Closed forms: ((1-p)/p)^2 for two bits, (1+q)/(1-q) for odd m; no finite eps where supports differ."""
    answer = privacy(capsys, f"{arguments} --at-delta 0")
    if expected == "inf":
        assert answer["exact"] == answer["lower"] == answer["upper"] == "inf"
    else:
        with mpmath.workdps(40):
            assert close(answer, mpmath.log(expected), 30)


def test_eps_zero_where_delta_is_one(capsys):
    for protocol in PROTOCOLS:
        assert privacy(capsys, f"{protocol} {SMALL[protocol]} --at-delta 1")["exact"] == "0"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_answers(capsys, protocol):
    """delta falls in eps, at every share of users that is allowed, and one pool shows no more than the pair."""
    for gamma in ("1", "1/2", "1/3") if protocol in SHUFFLED else (None,):
        share = f" --gamma {gamma}" if gamma else ""
        first = privacy(capsys, f"{protocol} {SMALL[protocol]}{share} --at-eps 0")
        later = privacy(capsys, f"{protocol} {SMALL[protocol]}{share} --at-eps 1/2")
        assert Fraction(later["lower"]) <= Fraction(first["upper"]) <= 1
        if protocol in POOLS:
            pool = privacy(capsys, f"{protocol} {SMALL[protocol]}{share} --at-eps 1/2 --pool")
            assert Fraction(pool["lower"]) <= Fraction(later["upper"])


@pytest.mark.parametrize("protocol", SHUFFLED)
def test_fewer_users_are_not_more_private(capsys, protocol):
    deltas = [
        privacy(capsys, f"{protocol} {SMALL[protocol]} --gamma {g} --at-exp-eps 3/2") for g in ("1", "1/2", "1/3")
    ]
    for more, fewer in pairwise(deltas):
        assert Fraction(more["lower"]) <= Fraction(fewer["upper"])


@pytest.mark.parametrize("gamma", ["1", "1/2", "1/3"])
def test_gamma_is_a_number_of_users(capsys, gamma):
    users = Fraction(gamma) * 6
    law = binomial_law(int(users), Fraction(3, 4))
    up, down = zip([0, *law], [*law, 0], strict=True), zip([*law, 0], [0, *law], strict=True)
    value = max(positive_parts(pairs, Fraction(3, 2)) for pairs in (up, down))
    answer = privacy(capsys, f"binary-sum --n 6 --p 3/4 --gamma {gamma} --at-exp-eps 3/2")
    assert Fraction(answer["exact"]) == value


@pytest.mark.parametrize("direction", ["gain", "lose"])
@pytest.mark.parametrize(
    "protocol", ["binomial --l 6 --p 1/3", "binary-sum --n 6 --p 1/3", "shuffle-histogram --n 6 --p 1/3 --pool"]
)
def test_directions(capsys, protocol, direction):
    """gain: the upper law is the shifted one."""
    law = binomial_law(6, Fraction(1, 3))
    pairs = list(zip([0, *law], [*law, 0], strict=True))
    value = positive_parts(pairs if direction == "gain" else [(b, a) for a, b in pairs], Fraction(3, 2))
    answer = privacy(capsys, f"{protocol} --direction {direction} --at-exp-eps 3/2")
    assert (answer["exact"], answer["scope"]) == (str(value), "this pair")


def test_the_worst_background_is_reported(capsys):
    """With n = 10, eps = 1, m = 3 at e^eps = 8 one other holder of a is worse than none (DESIGN.md)."""
    worst = privacy(capsys, "distinct-elements --n 10 --eps 1 --m 3 --at-exp-eps 8")
    none = privacy(capsys, "distinct-elements --n 10 --eps 1 --m 3 --at-exp-eps 8 --holders 0,0")
    assert worst["background"] == [1, 0]
    for answer, published in ((worst, "9.02e-6"), (none, "5.27e-6")):
        assert abs(Fraction(answer["lower"]) - Fraction(published)) <= Fraction("0.005e-6")


@pytest.mark.parametrize("digits", [1, 2, 17, 60, 300])
@pytest.mark.parametrize(
    "protocol", ["uniformity --lam 3 --pool", "binomial --l 60 --p 1/3", "geometric-distinct-elements --eps 2"]
)
def test_digits_are_respected_and_nested(capsys, protocol, digits):
    few = privacy(capsys, f"{protocol} --at-eps 1 --digits {digits}")
    many = privacy(capsys, f"{protocol} --at-eps 1 --digits {digits + 20}")
    assert Fraction(few["lower"]) <= Fraction(many["lower"]) <= Fraction(many["upper"]) <= Fraction(few["upper"])


def test_printed_bounds_beside_the_answer(capsys):
    answer = privacy(capsys, "pan-sum --lam 2000 --at-eps 1/2")
    with mpmath.workdps(40):
        c = (mpmath.exp(mpmath.mpf(1) / 2) + 1) / (mpmath.exp(mpmath.mpf(1) / 2) - 1)
        printed = 2 * mpmath.exp(-100 / c**2)
        assert 0 <= mpmath.mpf(answer["paper"]["value"]) - printed < printed / 10**5
    assert answer["paper"]["slug"] == "pan-sum"
    assert Fraction(answer["upper"]) < Fraction(answer["paper"]["value"])
    assert privacy(capsys, "pan-sum --lam 20 --at-eps 1/2")["paper"] is None


def test_upper_bounds_say_so(capsys):
    """Of a bound nothing is known from below."""
    for protocol in PROTOCOLS:
        answer = privacy(capsys, f"{protocol} {SMALL[protocol]} --at-exp-eps 2")
        bounded = protocol in ("pan-distinct-elements", "pan-uniformity")
        assert answer["kind"] == ("upper bound" if bounded else "exact")
        assert not bounded or answer["lower"] == "0"


def test_a_bound_that_is_infinite(capsys):
    answer = privacy(capsys, "pan-uniformity --n 9 --lam 20 --k 3 --at-delta 1e-2")
    assert (answer["lower"], answer["upper"], answer["kind"]) == ("0", "inf", "upper bound")


@pytest.mark.parametrize("t", ["0", "1", "2"])
def test_times(capsys, t):
    for protocol in (
        "pan-sum --n 2 --lam 4",
        "pan-distinct-elements --n 6 --q 1/2 --m 2",
        "pan-uniformity --n 6 --lam 2",
    ):
        at, worst = (privacy(capsys, f"{protocol} --at-exp-eps 2 {end}") for end in (f"--t {t}", ""))
        assert Fraction(at["upper"]) <= Fraction(worst["upper"])


def test_the_answer_for_a_person(capsys):
    out = run(capsys, "privacy binomial --l 20 --p 1/2 --at-exp-eps 2")
    assert out.startswith("delta at eps = log(2): 4265/262144 = [0.01626968383, 0.01626968384]\n")
    assert "covers all neighbours (exact)" in out
    assert "eps at delta = 0: inf" in run(capsys, "privacy modular-sum --n 3 --m 3 --at-delta 0")


REFUSALS = [
    ("binomial --l 5 --p 3/2 --at-eps 1", "p = 3/2"),
    ("binomial --l 5 --p -1 --at-eps 1", "p = -1"),
    ("two-bit-sum --n 5 --p 3/4 --at-eps 1", "p = 3/4"),
    ("binomial --l -1 --at-eps 1", "l = -1"),
    ("binomial --l 5/2 --at-eps 1", "l = 5/2"),
    ("binomial --l 5 --at-eps nan", "at-eps = nan"),
    ("binomial --l 5 --at-eps inf", "at-eps = inf"),
    ("binomial --l 5 --at-eps -1", "at-eps = -1"),
    ("binomial --l 5 --at-exp-eps 1/2", "at-exp-eps = 1/2"),
    ("binomial --l 5 --at-delta -1", "at-delta = -1"),
    ("binomial --l 5 --at-delta 2", "at-delta = 2"),
    ("binomial --l 5 --at-eps 1 --digits 0", "digits = 0"),
    ("binomial --l 5 --at-eps 1 --digits 1000000000", "digits = 1000000000"),
    ("binomial --l 5 --at-eps 1 --digits x", "digits = x"),
    ("binomial --l 5 --at-eps 1 --gamma 1/2", "gamma"),
    ("pan-sum --lam 5 --at-eps 1 --gamma 1/2", "gamma"),
    ("pan-histogram --lam 5 --at-eps 1 --gamma 1/2", "gamma"),
    ("randomized-or --eps 1 --at-eps 1 --gamma 1/2", "gamma"),
    ("pan-uniformity --n 6 --lam 5 --at-eps 1 --gamma 1/2", "gamma"),
    ("pan-distinct-elements --n 6 --q 1/2 --m 2 --at-eps 1 --gamma 1/2", "gamma"),
    ("geometric-distinct-elements --eps 1 --at-eps 1 --gamma 1/2", "gamma"),
    ("binary-sum --n 5 --p 1/2 --gamma 1/2 --at-eps 1", "gamma = 1/2"),
    ("binary-sum --n 5 --p 1/2 --gamma 0 --at-eps 1", "gamma = 0"),
    ("binary-sum --n 5 --p 1/2 --gamma 2 --at-eps 1", "gamma = 2"),
    ("uniformity --n 5 --lam 2 --gamma 1/2 --at-eps 1", "gamma = 1/2"),
    ("binomial --l 5 --at-eps 1 --pool", "pool"),
    ("binary-sum --n 5 --p 1/2 --at-eps 1 --pool", "pool"),
    ("modular-sum --n 5 --m 2 --at-eps 1 --pool", "pool"),
    ("pan-distinct-elements --n 6 --q 1/2 --m 2 --at-eps 1 --pool", "pool"),
    ("uniformity --lam 2 --at-eps 1 --pool --pair", "pair"),
    ("uniformity --lam 2 --at-eps 1 --direction gain", "direction"),
    ("pan-histogram --lam 2 --at-eps 1 --direction lose", "direction"),
    ("pan-histogram --lam 2 --at-eps 1 --pool --direction up", "direction"),
    ("distinct-elements --n 4 --q 1/2 --m 2 --at-eps 1 --holders 1", "holders = 1"),
    ("distinct-elements --n 4 --q 1/2 --m 2 --at-eps 1 --holders 1,2,3", "holders = 1,2,3"),
    ("distinct-elements --n 4 --q 1/2 --m 2 --at-eps 1 --holders 1,x", "holders = 1,x"),
    ("distinct-elements --n 4 --q 1/2 --m 2 --at-eps 1 --holders=-1,0", "holders = -1,0"),
    ("distinct-elements --n 4 --q 1/2 --m 2 --at-eps 1 --holders 2,2", "holders"),
    ("distinct-elements --n 4 --k 2 --q 1/2 --m 2 --at-eps 1 --holders 1,1", "holders = 1,1"),
    ("distinct-elements --n 4 --q 1/2 --m 2 --at-eps 1 --holders 4 --pool", "holders = 4"),
    ("distinct-elements --n 4 --q 1/2 --m 2 --at-eps 1 --holders 1,1 --pool", "holders = 1,1"),
    ("uniformity --lam 2 --at-eps 1 --holders 1,1", "holders"),
    ("distinct-elements --n 4 --q 3/2 --m 2 --at-eps 1", "q = 3/2"),
    ("distinct-elements --n 4 --q 1/2 --eps 1 --m 2 --at-eps 1", "say the same thing"),
    ("distinct-elements --n 4 --q 1/2 --m 0 --at-eps 1", "m = 0"),
    ("distinct-elements --q 1/2 --m 2 --at-eps 1", "--n"),
    ("pan-distinct-elements --n 6 --q 1/2 --m 2 --at-eps 1 --t 3", "t = 3"),
    ("pan-distinct-elements --n 6 --q 1/2 --m 2 --at-eps 1 --t -1", "t = -1"),
    ("pan-uniformity --n 6 --lam 2 --at-eps 1 --t 3", "t = 3"),
    ("binary-sum --n 6 --p 1/2 --at-eps 1 --t 1", "--t"),
    ("binomial --l 5 --at-eps 1 --at-exp-eps 2", "at-exp-eps"),
    ("binomial --l 5 --at-eps 1 --at-delta 1/2", "one point"),
    ("binomial --l 5", "one point"),
    ("binomial --l 5 --m 3 --at-eps 1", "--m"),
    ("binomial --l 5 --tv --at-eps 1", "--tv"),
    ("modular-sum --n 4 --m 2 --ones 2", "--ones"),
    ("modular-sum --n 4 --m 2 --tv --ones 5", "ones = 5"),
    ("uniformity --lam 0 --at-eps 1", "lam = 0"),
    ("pan-sum --lam 5/2 --at-eps 1", "lam = 5/2"),
    ("nothing --at-eps 1", "protocol = nothing"),
]


@pytest.mark.parametrize(("arguments", "named"), REFUSALS)
def test_refusals(capsys, arguments, named):
    """One sentence that names what is wrong, status 2, nothing on standard output."""
    refused(capsys, ["privacy", *arguments.split()], named)


def refused(capsys, arguments, named):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert err.startswith("panshuffle: ")
    assert err.count("\n") == 1
    assert named in err


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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("binomial --l 5000 --p 1/2 --at-delta 2^-5000", "not decided"),
        ("binomial --l 3 --p 1/3 --at-delta 8/27", "the limit of the curve"),
        ("pan-sum --n 3 --lam 5 --t 99 --at-eps 0", "t = 99"),
        ("binomial --l 5 --pair --at-eps 1", "--pair has no meaning"),
        ("modular-sum --n 2 --m 3 --direction gain --at-eps 1", "--direction has no meaning"),
        ("uniformity --lam 1e30 --at-eps 1", "lam ="),
        ("pan-histogram --lam 1e30 --at-eps 1", "square root"),
        ("modular-sum --n 2 --m 3 --tv --at-eps 1", "exclude each other"),
    ],
)
def test_what_is_not_decided_or_has_no_meaning_is_said(capsys, arguments, sentence):
    with pytest.raises(SystemExit) as end:
        main(["privacy", *arguments.split()])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out, captured.err.count("\n")) == (2, "", 1)
    assert sentence in captured.err


@pytest.mark.parametrize(
    ("arguments", "low", "high"),
    [
        # eps = 1 is the pure point: 1e-1000 below it delta is (1 - e^-1e-1000)/(1 + e^-1), not 0
        ("geometric-distinct-elements --k 5 --eps 1 --at-eps 1-1e-1000", "0.73e-1000", "0.7311e-1000"),
        # (1 - e^-x)/2 for x = 1e-60
        ("randomized-or --eps 1e-60 --at-eps 0", "0.4999e-60", "0.5001e-60"),
        # Ber(1/2) against Ber(1/(2E)) at delta = d: e^eps = (1 - 2d) E
        ("randomized-or --eps 1e-14 --at-delta 1e-15", "0.79999e-14", "0.80001e-14"),
        # the largest finite ratio of the masses is 3, and 5 * 5 for two bins: ln 3 and ln 25
        ("binomial --l 3 --p 1/2 --at-delta 1/8", "1.0986122", "1.0986123"),
        ("pan-histogram --lam 5 --at-delta 63/1024", "3.2188758", "3.2188759"),
        ("geometric-distinct-elements --n 1 --k 5 --exp-eps 2 --at-eps 0", "0", "0"),
        ("hashed-distinct-elements --n 3 --k 1 --eps 1 --m 3 --at-eps 1", "0", "0"),
    ],
)
def test_corners_that_once_were_wrong(capsys, arguments, low, high):
    answer = privacy(capsys, arguments)
    assert Fraction(low) <= Fraction(answer["lower"]) <= Fraction(answer["upper"]) <= Fraction(high)


def test_more_users_do_not_raise_the_bound_of_the_two_bit_sum(capsys):
    exact = privacy(capsys, "two-bit-sum --n 12 --p 1/4 --at-eps 1")
    bound = privacy(capsys, "two-bit-sum --n 17 --p 1/4 --at-eps 1")
    assert Fraction(bound["upper"]) <= Fraction(exact["upper"])


def test_the_number_of_messages_is_echoed(capsys):
    answer = privacy(capsys, "distinct-elements --n 10 --eps 1 --delta 1e-2 --at-eps 2")
    assert answer["parameters"]["m"] == "10"


@pytest.mark.parametrize(
    "arguments", ["pan-sum --gamma 1/2", "binomial --k 5", "binomial --pool", "pan-histogram --pool --pair"]
)
def test_calibrate_refuses_what_has_no_meaning(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(["calibrate", *arguments.split(), "--at-eps", "1", "--at-delta", "1e-3"])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out, captured.err.count("\n")) == (2, "", 1)


def test_calibrate_takes_n_where_it_does_not_matter(capsys):
    for arguments in ("uniformity --n 10", "pan-sum --n 10"):
        with pytest.raises(SystemExit) as end:
            main(["calibrate", *arguments.split(), "--at-eps", "1", "--at-delta", "1e-3", "--json"])
        assert end.value.code == 0
        answer = json.loads(capsys.readouterr().out)
        assert Fraction(answer["meets"]["upper"]) <= Fraction(1, 1000) < Fraction(answer["fails"]["lower"])


@pytest.mark.parametrize("lam", ["42", "500"])
def test_a_huge_factor_leaves_the_limit(capsys, lam):
    """Beyond every finite ratio that matters, delta is the chance that a pool has no noise zeros."""
    answer = privacy(capsys, f"uniformity --lam {lam} --k 3 --at-exp-eps 1e300")
    with mpmath.workdps(40):
        limit = 2 * mpmath.exp(-mpmath.mpf(lam) / 2) - mpmath.exp(-mpmath.mpf(lam))
        assert mpmath.mpf(answer["lower"]) <= limit * (1 + mpmath.mpf(10) ** -9)
        assert limit <= mpmath.mpf(answer["upper"])


def test_calibrate_says_where_it_only_bounds(capsys):
    for arguments in ("pan-uniformity --n 9",):
        main_arguments = ["calibrate", *arguments.split(), "--at-exp-eps", "2", "--at-delta", "1e-2", "--digits", "3"]
        with pytest.raises(SystemExit) as end:
            main([*main_arguments, "--json"])
        assert end.value.code == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["kind"] == "upper bound"
        assert "may meet" in answer["note"]


@pytest.mark.parametrize(
    "arguments",
    [
        "geometric-distinct-elements --n 1 --at-delta 1/10",
        "hashed-distinct-elements --n 4 --k 1 --m 3 --at-delta 1/10",
        "uniformity --k 3 --at-delta 1 --real",
        "pan-distinct-elements --n 2 --m 3 --at-delta 1/20",
    ],
)
def test_calibrate_says_where_every_value_meets(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(["calibrate", *arguments.split(), "--at-exp-eps", "2"])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (2, "")
    assert "every" in captured.err


def outcome(capsys, line):
    """The status, what is printed, and the complaint."""
    with pytest.raises(SystemExit) as end:
        main(line.split())
    captured = capsys.readouterr()
    return end.value.code, captured.out, captured.err


LARGE = [
    "--n 1100 --k 10 --m 2 --eps 1 --at-eps 1",
    "--n 1100 --k 10 --m 2 --eps 1 --at-eps 3",
    "--n 1100 --k 2 --m 2 --eps 1 --at-eps 1",
    "--n 1100 --k 10 --m 2 --eps 1 --at-delta 1e-6",
    "--n 1100 --k 10 --m 2 --eps 1 --at-eps 0.9 --pool",
    "--n 1100 --k 10 --m 2 --eps 1 --at-eps 0.4 --pool --direction lose",
]


@pytest.mark.parametrize("arguments", LARGE)
def test_large_pools_are_known_from_both_sides(capsys, arguments):
    """Never exact; not below what no other holder gives, which is computed by whole laws."""
    answer = json.loads(outcome(capsys, f"privacy distinct-elements {arguments} --json")[1])
    assert answer["kind"] == "two-sided"
    lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
    assert 0 <= lower <= upper < 1 + (answer["quantity"] == "eps")
    holders = "0" if "--pool" in arguments else "0,1099" if "--k 2" in arguments else "0,0"
    alone = privacy(capsys, f"distinct-elements {arguments} --holders {holders}")
    assert upper >= Fraction(alone["lower"])
    assert upper <= max(Fraction(alone["upper"]) * (1 + Fraction(1, 10**8)), Fraction(1, 10**50))


def test_large_pools_beyond_one_user(capsys):
    """delta is 0 from (1+q)/(1-q) on, whatever m is: one user's messages say no more."""
    for m in (6, 7):
        line = f"distinct-elements --n 50000 --k 1000 --eps 0.551878 --m {m} --gamma 9/10 --at-eps 20"
        assert privacy(capsys, line)["upper"] == "0"


def test_calibration_with_two_messages_and_many_users(capsys):
    """What a bound by the ideal sum does not decide is decided by the laws; every smaller m fails."""
    line = "calibrate distinct-elements --n 1000 --k 10 --eps 1 --at-eps 1.5 --at-delta 1e-9 --json"
    found = json.loads(outcome(capsys, line)[1])
    assert (found["exact"], found["kind"], found["fails"]["lower"][:4]) == ("2", "exact", "0.11")
    line = "calibrate distinct-elements --n 1100 --k 10 --m 2 --at-eps 1 --at-delta 1e-6 --digits 3 --json"
    found = json.loads(outcome(capsys, line)[1])
    assert Fraction("0.5") < Fraction(found["lower"]) <= Fraction(found["upper"]) < Fraction("0.65")


def test_a_calibration_that_is_not_decided_claims_no_least_value(capsys, monkeypatch):
    """Without the laws only the ideal sum is left: m = 2 is undecided, and the answer says so."""
    monkeypatch.setattr("exact.pairs.parity_pair.CROPPED_BITS", 0)
    monkeypatch.setattr("exact.pairs.parity_pair.ENUMERATED_USERS", 0)
    line = "calibrate distinct-elements --n 1000 --k 10 --eps 1 --at-eps 1.5 --at-delta 1e-9"
    found = json.loads(outcome(capsys, f"{line} --json")[1])
    assert found["kind"] == "upper bound"
    assert int(found["exact"]) > 2
    assert "need not be the least" in found["note"]
    assert "The least value" not in outcome(capsys, line)[1]
    status, _, complaint = outcome(
        capsys, "calibrate distinct-elements --n 201 --k 10 --m 2 --at-eps 1 --at-delta 1e-6"
    )
    assert status == 2
    assert "is certified to meet" in complaint
