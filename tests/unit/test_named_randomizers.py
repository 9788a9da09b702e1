"""The named randomizers: laws, exactly eps0-private, and their curves against brute force."""

from fractions import Fraction
from itertools import combinations, permutations

import mpmath
import pytest
from flint import arb, ctx
from panshuffle.exact.errors import InputError
from panshuffle.exact.randomizers.randomizer import NAMED, named_randomizer
from panshuffle.exact.randomizers.shuffled_view import shuffled_view
from panshuffle.exact.real import Real, real

from panshuffle.main import main
from tests.brute_force.histograms import worst_by_force
from tests.every import every


@every("name", NAMED)
@every(("k", "p"), [(2, "4"), (3, "9"), (4, "exp(1)"), (5, "exp(1/2)")])
def test_they_are_laws_and_exactly_private(name, k, p):
    found = named_randomizer(name, k, real(p))
    rows = [[law[letter].ball(200) for letter in found.letters] for law in found.laws]
    with ctx.workprec(200):
        for row in rows:
            assert all(mass > 0 for mass in row)
            assert abs(sum(row, arb(0)) - 1) < arb("1e-50")
        ratios = [a / b for above, below in permutations(rows, 2) for a, b in zip(above, below, strict=True)]
        largest = max(ratios, key=lambda ratio: ratio.mid())
        assert abs(largest - real(p).ball(200)) < arb("1e-50")


@pytest.mark.parametrize("name", NAMED)
def test_their_curves_by_brute_force(name):
    """p = 9 or 81, so that its roots and the masses are rational; k = 2 or 3 inputs, three users."""
    k = 2 if name.startswith("unary") else 3
    found = named_randomizer(name, k, real(81 if name == "truncated-gaussian" else 9))
    rows = [[law[letter].fraction for letter in found.letters] for law in found.laws]
    assert all(mass is not None for row in rows for mass in row)
    for factor in (Fraction(1), Fraction(2), Fraction(5)):
        truth = worst_by_force(rows, 3, factor)
        low, high = (Fraction(end) for end in shuffled_view(found, 3).view.curve.delta(Real(factor)).enclosure(12))
        assert low <= truth <= high


@every(("k", "p", "g"), [(5, "2", 3), (5, "3", 3), (9, "2", 3), (4, "1.5", 2), (6, "7/2", 5), (3, "9", 11)])
def test_a_hashed_message_by_all_functions_of_the_family(k, p, g):
    """Every input's hash agrees with itself, and two inputs collide for fewer than one function in g."""
    found, chance = named_randomizer("hashing-optimised", k, real(p)), Fraction(p)
    names = [name.split(":") for name in found.messages]
    functions = list(dict.fromkeys(function for function, _ in names))
    assert {y for _, y in names} == {str(y) for y in range(g)}
    own = chance / (chance + g - 1) / len(functions)
    hashes = []
    for law in found.laws:
        kept = [names[letter.index(1)] for letter, mass in law.items() if mass.fraction == own]
        assert [function for function, _ in kept] == functions
        assert {mass.fraction for mass in law.values()} == {own, own / chance}
        hashes.append([y for _, y in kept])
    for first, second in combinations(hashes, 2):
        assert sum(a == b for a, b in zip(first, second, strict=True)) * g <= len(functions)
    if k > g:
        size = (g**2 - 1) // (g - 1)
        assert len(functions) == size and len(found.messages) == g * size


def test_the_truncated_gaussian_is_the_discrete_one_given_its_range():
    """k = 4, sigma^2 = (k-1)^2/(2 eps0), from the discrete Gaussian's masses in mpmath."""
    eps0, k = mpmath.mpf("0.75"), 4
    variance = (k - 1) ** 2 / (2 * eps0)
    found = named_randomizer("truncated-gaussian", k, real("exp(3/4)"))
    for x, law in enumerate(found.laws):
        weights = [mpmath.exp(-((x - y) ** 2) / (2 * variance)) for y in range(k)]
        for mass, weight in zip(law.values(), weights, strict=True):
            assert abs(float(mass) - weight / sum(weights)) < 1e-12


@pytest.mark.parametrize(
    ("name", "k", "p", "sentence"),
    [
        ("laplace", 3, "2", "named = laplace is not known"),
        ("k-ary", 1, "2", "k = 1 is not allowed"),
        ("k-ary", 65, "2", "k = 65 is not allowed"),
        ("k-ary", 3, "1", "eps0"),
        ("unary-symmetric", 7, "2", "at most 64 messages"),
        ("hadamard", 64, "2", "at most 64 messages"),
        ("hashing-binary", 33, "2", "at most 64 messages"),
        ("hashing-optimised", 3, "64", "at most 64 messages"),
        ("hashing-optimised", 3, "exp(64)", "eps0"),
    ],
)
def test_what_is_refused(name, k, p, sentence):
    with pytest.raises(InputError, match=sentence):
        named_randomizer(name, k, real(p))


def test_the_command(capsys):
    line = ["privacy", "randomizer", "--named", "k-ary", "--k", "3", "--eps0", "log(3)", "--n", "2", "--at-eps", "0"]
    with pytest.raises(SystemExit) as stop:
        main([*line, "--json"])
    assert stop.value.code == 0
    rows = [[Fraction(3 if x == y else 1, 5) for y in range(3)] for x in range(3)]
    assert f'"exact": "{worst_by_force(rows, 2, Fraction(1))}"' in capsys.readouterr().out
    for wrong, sentence in (
        (["--file", "x.json"], "--named and --file exclude each other"),
        (["--p", "1/3"], "--p has no meaning for randomizer"),
    ):
        with pytest.raises(SystemExit):
            main([*line, *wrong])
        assert sentence in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["privacy", "randomizer", "--file", "x.json", "--k", "3", "--n", "2", "--at-eps", "0"])
    assert "--k has no meaning for randomizer" in capsys.readouterr().err
