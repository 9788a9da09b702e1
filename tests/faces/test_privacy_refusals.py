"""`panshuffle privacy`: what is refused, not decided or at the edge of its meaning gets one sentence."""

from fractions import Fraction

import mpmath
import pytest

from panshuffle.main import main
from tests.every import every
from tests.faces.privacy_answers import privacy, refused

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


@every(("arguments", "named"), REFUSALS)
def test_refusals(capsys, arguments, named):
    """One sentence that names what is wrong, status 2, nothing on standard output."""
    refused(capsys, ["privacy", *arguments.split()], named)


@every(
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


@every(
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


@pytest.mark.parametrize("lam", ["42", "500"])
def test_a_huge_factor_leaves_the_limit(capsys, lam):
    """Beyond every finite ratio that matters, delta is the chance that a pool has no noise zeros."""
    answer = privacy(capsys, f"uniformity --lam {lam} --k 3 --at-exp-eps 1e300")
    with mpmath.workdps(40):
        limit = 2 * mpmath.exp(-mpmath.mpf(lam) / 2) - mpmath.exp(-mpmath.mpf(lam))
        assert mpmath.mpf(answer["lower"]) <= limit * (1 + mpmath.mpf(10) ** -9)
        assert limit <= mpmath.mpf(answer["upper"])
