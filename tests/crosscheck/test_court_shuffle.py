"""The court in the shuffle model: both methods against enumeration, what a checkout is, and fair rulings."""

import json
from itertools import product
from math import log

import mpmath
import pytest
from panshuffle.crosscheck.court.accountant import known, with_checkouts
from panshuffle.crosscheck.court.battery import chosen
from panshuffle.crosscheck.court.family import DELTA, EPSILON, family_named, modules
from panshuffle.crosscheck.court.judgment import judgment
from panshuffle.crosscheck.court.ruling import judged
from panshuffle.crosscheck.court.truth import Truth
from panshuffle.exact.errors import InputError

from panshuffle.main import main
from tests.conftest import FULL
from tests.every import every

RESPONSE, LOCAL = family_named("shuffled-response"), family_named("local-randomizer")
CHECKOUTS = [one for one in known().values() if one.checkout is not None]


def histograms(data, k, p):
    """The law of the histogram of all reports, by going through all of them."""
    law = {}
    for reports in product(range(k), repeat=len(data)):
        mass = mpmath.mpf(1)
        for held, said in zip(data, reports, strict=True):
            mass *= (p if held == said else 1) / (p + k - 1)
        key = tuple(sorted(reports))
        law[key] = law.get(key, mpmath.mpf(0)) + mass
    return law


def largest_delta(k, n, eps0, eps):
    """Over all neighbouring datasets, at 40 digits."""
    p, factor, found = mpmath.exp(mpmath.mpf(eps0)), mpmath.exp(mpmath.mpf(eps)), mpmath.mpf(0)
    for others in product(range(k), repeat=n - 1):
        for a, b in product(range(k), repeat=2):
            upper, lower = histograms((a, *others), k, p), histograms((b, *others), k, p)
            found = max(found, mpmath.fsum(max(upper[key] - factor * lower[key], 0) for key in upper))
    return found


@pytest.mark.parametrize(("k", "n"), [(2, 2), (2, 5), (3, 2), (4, 3), (5, 2), *([(3, 4)] if FULL else [])])
@pytest.mark.parametrize(("eps0", "eps"), [(1.0, 0.25), (0.5, 0.125), (3.0, 2.0)])
def test_both_methods_enclose_what_enumeration_gives(k, n, eps0, eps):
    with mpmath.workdps(40):
        expected, slack = largest_delta(k, n, eps0, eps), mpmath.mpf(10) ** -25
    truth = Truth(RESPONSE.case(DELTA, eps, values=k, n=n, eps0=eps0))
    with mpmath.workdps(40):
        for bounds in (truth.value, truth.other):
            assert mpmath.mpf(bounds.lower.str(40, radius=False)) <= expected + slack
            assert mpmath.mpf(bounds.upper.str(40, radius=False)) >= expected - slack
    assert float(truth.value.upper - truth.value.lower) <= 1e-9 * float(expected)
    assert float(truth.other.lower) >= 0.5 * float(expected)
    assert truth.agreed


@pytest.mark.parametrize(("n", "eps0", "eps"), [(2, 1.0, 0.25), (4, 0.5, 0.125), (5, 3.0, 1.0)])
def test_binary_response_is_one_of_the_local_randomizers(n, eps0, eps):
    with mpmath.workdps(40):
        floor = float(largest_delta(2, n, eps0, eps))
    truth = Truth(LOCAL.case(DELTA, eps, n=n, eps0=eps0))
    assert float(truth.value.lower) == pytest.approx(floor, rel=1e-9)
    assert float(truth.value.upper) >= floor
    assert float(truth.other.lower) <= floor * (1 + 1e-12)
    assert truth.agreed


def test_the_counts_of_many_users_are_listed_right():
    """All others hold a third value: four kinds of letters, against a sum over all four counts."""
    from flint import arb
    from panshuffle.crosscheck.court.families.shuffled_response import background_gain

    k, n, p, factor = 5, 9, mpmath.mpf(3), mpmath.mpf("1.5")
    truth, lie = p / (p + k - 1), 1 / (p + k - 1)
    masses, gains = [lie, lie, truth, 2 * lie], [truth - factor * lie, lie - factor * truth, lie * (1 - factor)]
    total = mpmath.mpf(0)
    for counts in product(range(n + 1), repeat=3):
        last = n - sum(counts)
        if last >= 0:
            ways = mpmath.factorial(n)
            for count, mass in zip((*counts, last), masses, strict=True):
                ways *= mass**count / mpmath.factorial(count)
            value = sum(c * g / w for c, g, w in zip(counts, gains, masses, strict=False)) + last * gains[2] / lie
            total += ways * max(value, 0) / n
    found = background_gain(k, arb(3) / 7, arb(1) / 7, arb("1.5"), 2, n)
    assert float(found) == pytest.approx(float(total), rel=1e-12)


def words(data, chances):
    """The law of the sorted words of bits of all users, a row of chances that a bit is set for each value."""
    law = {(): mpmath.mpf(1)}
    for held in data:
        longer = {}
        for (seen, mass), bits in product(law.items(), product((0, 1), repeat=len(chances(held)))):
            chosen = [chance if bit else 1 - chance for bit, chance in zip(bits, chances(held), strict=True)]
            key = tuple(sorted((*seen, bits)))
            longer[key] = longer.get(key, mpmath.mpf(0)) + mass * mpmath.fprod(chosen)
        law = longer
    return law


def largest_of_words(backgrounds, values, chances, factor):
    """The largest divergence over these backgrounds and all pairs of values."""
    found = mpmath.mpf(0)
    for others, a, b in product(backgrounds, range(values), range(values)):
        upper, lower = words((a, *others), chances), words((b, *others), chances)
        found = max(found, mpmath.fsum(max(upper[key] - factor * lower[key], 0) for key in upper))
    return found


@pytest.mark.parametrize("name", ["symmetric-unary", "optimised-unary"])
@pytest.mark.parametrize(("values", "n"), [(3, 2), (3, 3), (4, 2)])
def test_unary_encodings_are_their_words(name, values, n):
    eps0, eps = 1.5, 0.25
    with mpmath.workdps(40):
        p = mpmath.exp(mpmath.mpf(eps0))
        own, other = {"symmetric-unary": (1 - 1 / (1 + mpmath.sqrt(p)), 1 / (1 + mpmath.sqrt(p)))}.get(
            name, (mpmath.mpf("0.5"), 1 / (1 + p))
        )
        expected = largest_of_words(
            product(range(values), repeat=n - 1),
            values,
            lambda held: [own if bit == held else other for bit in range(values)],
            mpmath.exp(mpmath.mpf(eps)),
        )
    check_truth(Truth(family_named(name).case(DELTA, eps, values=values, n=n, eps0=eps0)), float(expected))


@pytest.mark.parametrize(("n", "f"), [(2, 0.25), (3, 0.125), (4, 0.375)])
def test_flipped_bits_are_words_among_zero_vectors(n, f):
    with mpmath.workdps(40):
        expected = largest_of_words(
            [(None,) * (n - 1)], 2, lambda held: [1 - f if bit == held else f for bit in range(2)], mpmath.exp(0.5)
        )
    check_truth(Truth(family_named("flipped-bits").case(DELTA, 0.5, n=n, f=f)), float(expected))


@pytest.mark.parametrize(("bins", "n"), [(2, 2), (2, 6), (3, 4), (5, 3)])
def test_balls_are_counted(bins, n):
    """The histogram of all balls, thrown one by one."""
    laws = []
    for own in (0, 1):
        law = {}
        for thrown in product(range(bins), repeat=n - 1):
            key = tuple(sorted((own, *thrown)))
            law[key] = law.get(key, mpmath.mpf(0)) + mpmath.mpf(1) / bins ** (n - 1)
        laws.append(law)
    factor = mpmath.exp(mpmath.mpf(0.5))
    expected = mpmath.fsum(max(mass - factor * laws[1].get(key, 0), 0) for key, mass in laws[0].items())
    check_truth(Truth(family_named("balls-into-bins").case(DELTA, 0.5, bins=bins, n=n)), float(expected))


def check_truth(truth, expected):
    """The first method encloses it closely, the second one does not contradict it and finds most of it."""
    assert float(truth.value.lower) * (1 - 1e-12) <= expected <= float(truth.value.upper) * (1 + 1e-12)
    assert float(truth.value.upper - truth.value.lower) <= 1e-6 * expected
    assert 0.9 * expected <= float(truth.other.lower) <= expected * (1 + 1e-12) <= float(truth.other.upper) * (1 + 1e-9)
    assert truth.agreed


def test_three_values_and_two_users_have_one_part_in_32():
    """The background that holds the changed user's value: 1/4 - 7/4 * 1/8."""
    truth = Truth(RESPONSE.case(DELTA, log(1.75), values=3, n=2, eps0=log(2)))
    assert float(truth.value.lower) == pytest.approx(1 / 32, rel=1e-12)
    assert judged(truth, "somebody", "upper", repr(1 / 64)).verdict == "unsound"
    assert judged(truth, "somebody", "upper", repr(1 / 32 + 1e-9)).verdict == "sound"


def test_a_claim_between_the_ends_is_no_accusation():
    truth = Truth(LOCAL.case(EPSILON, 1e-6, n=100, eps0=1.0))
    between = (float(truth.value.lower) + float(truth.value.upper)) / 2
    ruling = judged(truth, "somebody", "upper", repr(between))
    assert (ruling.verdict, ruling.said) == ("undecided", "the claim lies within the enclosure of the truth")


def test_what_no_double_can_tell_from_nothing_is_rounding():
    truth = Truth(family_named("binomial").case(EPSILON, 0.0, l=2000))
    ruling = judged(truth, "somebody", "upper", "7.601")
    assert ruling.verdict == "within rounding" and "least positive double" in ruling.said


def test_a_group_is_asked_by_its_name():
    names = {case.family.name for case in chosen(["shuffle"], quick=False)}
    assert names == {name for name, module in modules().items() if module.FAMILY.group == "shuffle"} != set()


@every("accountant", CHECKOUTS)
def test_every_checkout_says_what_its_documentation_promises(accountant):
    assert accountant.documented and accountant.checkout.repository.startswith("https://")
    asked = [accountant.script(case) for case in chosen(["shuffle"], quick=False)]
    assert any(asked)
    for program in filter(None, asked):
        compile(program, "the question", "exec")


def test_without_a_checkout_it_is_said_how_to_bring_it():
    found = judgment(chosen(["shuffle"], quick=True)[:1], with_checkouts(CHECKOUTS, ()), shrink=False)
    assert found.rulings == []
    for one in CHECKOUTS:
        assert (
            f"git clone {one.checkout.repository}, then --checkout {one.checkout.name}=FOLDER" in found.how_to_install
        )


def test_a_checkout_is_heard(tmp_path, capsys):
    """A stand-in with the function that the code is called by, and the answer that the formula gives."""
    (tmp_path / "unifiedamplification.py").write_text("def Delta(ep, alpha, r0, r1, n, p):\n    return 1 / 64\n")
    question = chosen(["shuffle"], quick=True)[0].name
    arguments = ["court", "--family", question, "--accountant", "variation-ratio", "--json", "--no-shrink"]
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--checkout", f"variation-ratio={tmp_path}"])
    assert ended.value.code == 0
    (ruling,) = json.loads(capsys.readouterr().out)["questions"][0]["rulings"]
    assert (ruling["verdict"], ruling["claim"], ruling["times"]) == ("unsound", "0.015625", "2")


@pytest.mark.parametrize("text", ["apple", "apple=nowhere", "nobody=.", "apple=."])
def test_what_is_no_checkout_is_refused(text):
    with pytest.raises(InputError, match="checkout = "):
        with_checkouts(CHECKOUTS, [text])
