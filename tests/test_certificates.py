"""Certificates: accepted without any package, consistent with the exact curves, never accepted where they are false."""

import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import time
from fractions import Fraction
from functools import cache, partial
from math import comb
from pathlib import Path

import pytest
from flint import arb, arb_poly, ctx

from exact.check import (
    CLONES,
    PROTOCOLS,
    Noise,
    Pools,
    PoolTwice,
    Rejected,
    by_ratio,
    enclose,
    pair_event,
    pair_upper,
    pool_event,
    pool_upper,
    product_event,
    rational,
    shift_event,
    verdict,
    weights,
)
from exact.check import main as check_main
from exact.curves.curve import Curve
from exact.errors import InputError, Undecided
from exact.numbers.real import exp, log, real
from exact.pairs.parity_pair_exact import parity_law
from exact.parameters import honest_users
from exact.views import (
    binary_sum,
    binomial,
    compressed_uniformity,
    distinct_elements,
    geometric_distinct_elements,
    pan_distinct_elements,
    pan_histogram,
    pan_sum,
    pan_uniformity,
    randomized_or,
    shuffle_histogram,
    uniformity,
)
from panshuffle.main import main
from tests.conftest import FULL
from tests.histograms import clones_by_definition

ROOT = Path(__file__).parent.parent
CHECKER = ["__init__", "check"]
SMALL = [
    "privacy binomial --l 20 --p 1/2 --at-exp-eps 2",
    "privacy binomial --l 12 --p 1/3 --at-eps 0.3",
    "privacy binomial --l 12 --p 1/3 --at-eps 0.3 --direction gain",
    "privacy binary-sum --n 30 --gamma 1/2 --p 3/4 --at-eps 1/2",
    "privacy pan-sum --lam 30 --at-delta 1e-3",
    "privacy pan-histogram --lam 20 --at-eps 1",
    "privacy pan-histogram --lam 20 --at-eps 1 --pool",
    "privacy shuffle-histogram --n 20 --p 2/3 --at-eps 1/2",
    "privacy shuffle-histogram --n 20 --p 2/3 --at-eps 1/2 --pool --direction lose",
    "privacy uniformity --lam 10 --at-exp-eps 2 --pool",
    "privacy uniformity --lam 2 --at-exp-eps 2",
    "privacy distinct-elements --n 5 --eps 1 --m 3 --at-exp-eps 3",
    "privacy distinct-elements --n 4 --q 1/2 --m 2 --at-exp-eps 3/2",
    "privacy distinct-elements --n 5 --eps 1 --m 3 --at-exp-eps 2 --k 2",
    "privacy distinct-elements --n 5 --eps 1 --m 3 --at-exp-eps 2 --pool",
    "privacy distinct-elements --n 5 --eps 1 --m 4 --at-eps 1 --holders 1,0",
    "privacy compressed-uniformity --k 6 --k-hat 3 --lam 4 --at-exp-eps 2 --pool",
    "privacy compressed-uniformity --k 7 --k-hat 3 --lam 2 --at-exp-eps 2",
    "privacy pan-uniformity --n 9 --k 3 --lam 4 --at-exp-eps 3/2",
    "privacy pan-distinct-elements --n 9 --k 3 --eps 1 --m 3 --at-exp-eps 3/2",
    "privacy hashed-distinct-elements --n 4 --k 9 --eps 1 --m 3 --at-exp-eps 3/2",
    "privacy geometric-distinct-elements --n 4 --k 9 --eps 1 --at-exp-eps 3/2",
    "privacy geometric-distinct-elements --n 4 --k 9 --exp-eps 3 --at-delta 1/7",
    "privacy randomized-or --n 4 --eps 1 --at-exp-eps 3/2",
    "privacy randomized-or --n 4 --exp-eps 3 --at-exp-eps 3/2 --direction lose",
    "privacy local --eps0 log(3) --n 6 --at-exp-eps 3/2",
    "privacy local --eps0 1 --n 8 --gamma 1/2 --at-eps 1/2",
    "calibrate local --eps0 1 --at-eps 1/2 --at-delta 1e-3",
    "calibrate binomial --at-eps 1 --at-delta 1e-6",
    "calibrate distinct-elements --n 10 --eps 1 --at-eps 2 --at-delta 0",
]
LARGE = [
    "privacy binomial --l 1000 --p 1/sqrt(2) --at-eps log(2*exp(1)-1)",
    "privacy binomial --l 10000000 --at-delta 1e-9",
    "privacy binary-sum --n 1000000 --p 0.9 --at-eps 0.02",
    "privacy pan-sum --lam 1000000 --at-eps 0.01",
    "privacy pan-histogram --lam 750807 --at-eps 0.01",
    "privacy shuffle-histogram --n 100000 --p 0.9 --at-eps 0.1",
    "privacy uniformity --lam 200000 --at-eps 0.02 --pool",
    "privacy uniformity --lam 301 --gamma 1/2 --at-eps 1",
    "privacy distinct-elements --n 40 --eps 1 --m 6 --at-eps 1",
    "privacy distinct-elements --n 600000 --k 20 --eps 1 --delta 1e-6 --at-eps 1",
    "privacy distinct-elements --n 1000 --m 2 --eps 1 --at-eps 1 --holders 0,0",
    "privacy local --eps0 1 --n 200 --at-eps 1/4",
    "privacy local-nonadaptive --eps0 1 --n 200 --at-eps 1/4",
    "privacy local --eps0 2 --n 60 --at-delta 1e-3",
    "calibrate pan-histogram --at-eps 0.01 --at-delta 1e-6",
    "calibrate uniformity --k 50 --at-eps 1 --at-delta 1e-6 --gamma 1/2",
    "calibrate binary-sum --n 1000 --at-eps 1/2 --at-delta 1e-6",
]
LARGEST = [
    "privacy binomial --l 1000000000 --p 1/3 --at-eps 3e-4",
    "privacy pan-histogram --lam 1000000000 --at-eps 4e-4",
    "privacy uniformity --lam 24270 --at-eps 0.1",
    "privacy distinct-elements --n 100 --eps 1 --m 20 --at-eps 1",
    "privacy distinct-elements --n 200 --eps 1 --m 10 --at-exp-eps 3",
]
CASES = SMALL + LARGE + (LARGEST if FULL else [])


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The certificates of all cases, written by the command line."""
    folder = tmp_path_factory.mktemp("certificates")

    @cache
    def write(command):
        path = folder / f"{abs(hash(command))}.json"
        with pytest.raises(SystemExit) as stop:
            main([*command.split(), "--certificate", str(path), "--json"])
        assert stop.value.code == 0
        return path

    return write


@pytest.fixture(scope="module")
def isolated(tmp_path_factory):
    """Runs the checker alone: its own files, no site-packages, and a refusal of every import that is not standard."""
    folder = tmp_path_factory.mktemp("checker")
    (folder / "exact").mkdir()
    for name in CHECKER:
        shutil.copy(ROOT / "exact" / f"{name}.py", folder / "exact")
    code = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] not in sys.stdlib_module_names | {'exact'}:\n"
        "            raise ImportError('refused: ' + name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
        f"sys.path.insert(0, {str(folder)!r})\n"
        "from exact.check import main\n"
        "status = main(sys.argv[1:])\n"
        "tops = {name.split('.')[0] for name in sys.modules}\n"
        "strange = tops - set(sys.stdlib_module_names) - {'exact', '__main__', '_distutils_hack'}\n"
        "sys.exit('imported: ' + str(strange) if strange else status)\n"
    )

    def run(path):
        command = [sys.executable, "-I", "-S", "-c", code, str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=300)

    return run


def exact_clones(eps0, users, adaptive):
    """The clones by their definition, in balls: the claims are as sharp as that."""
    by_definition = partial(clones_by_definition, adaptive=adaptive)
    return Curve(lambda e, bits: in_balls(by_definition, bits, exp(eps0), users, e), pure=exp(eps0))


def response(eps0, users):
    """Binary response by the law of the number of ones, in balls, at every background."""
    return Curve(lambda e, bits: in_balls(response_by_definition, bits, exp(eps0), users, e), pure=exp(eps0))


def in_balls(function, bits, p, users, e):
    with ctx.workprec(bits + 64):
        return function(p.ball(bits + 64), users, e.ball(bits + 64))


def response_by_definition(p, users, factor):
    """The largest delta of the number of ones over all backgrounds, one message being the mirror of the other."""
    found = arb(0)
    for ones in range(users):
        right = arb_poly([1, p]) ** ones * arb_poly([p, 1]) ** (users - 1 - ones)
        gain = (right * arb_poly([1, p]) - factor * right * arb_poly([p, 1])).coeffs()
        found = found.max(sum((value.nonnegative_part() for value in gain), arb(0)) / (p + 1) ** users)
    return found


def curve_of(entry):
    """The exact curve that a claim speaks of, from the views and not from the checker."""
    given = {letter: real(text) for letter, text in entry["parameters"].items()}

    def count(letter, default=None):
        value = given.get(letter, default if default is None else real(default)).fraction
        if value.denominator != 1:
            raise InputError(letter)
        return value.numerator

    name, pool, direction = entry["protocol"], entry["view"] == "pool", entry.get("direction")
    gamma, half = given.get("gamma", real(1)), real("1/2")
    if name == "binomial":
        return binomial.view(count("l"), given.get("p", half), direction).curve
    if name == "pan-sum":
        return pan_sum.view(count("lam"), direction).curve
    if name == "pan-histogram":
        return pan_histogram.view(count("k"), count("lam"), pool, direction).curve
    if name == "uniformity":
        return uniformity.view(given["lam"], gamma, count("k", 3), pool).curve
    if name == "compressed-uniformity":
        return compressed_uniformity.view(given["lam"], gamma, count("k"), count("k-hat"), pool).curve
    if name == "pan-uniformity":
        return pan_uniformity.view(count("n"), count("k"), given["lam"]).curve
    if name in ("geometric-distinct-elements", "randomized-or"):
        eps = given["eps"] if "eps" in given else log(given["exp-eps"])
        if name == "randomized-or":
            return randomized_or.view(eps, direction).curve
        return geometric_distinct_elements.view(count("n"), count("k"), eps).curve
    users = honest_users(count("n"), gamma)
    if name in CLONES:
        way = name == "local"
        return exact_clones(given["eps0"], users, way) if entry["kind"] == "upper" else response(given["eps0"], users)
    if name == "binary-sum":
        return binary_sum.view(users, given["p"], direction).curve
    if name == "shuffle-histogram":
        return shuffle_histogram.view(count("k", 3), users, given["p"], pool, direction).curve
    n, holders = count("n"), entry.get("holders")
    eps = -log(1 - given["q"] ** n) if "q" in given else given["eps"] if "eps" in given else log(given["exp-eps"])
    where = None if holders is None else tuple(holders)
    if name == "pan-distinct-elements":
        return pan_distinct_elements.view(n, count("k"), eps, count("m")).curve
    return distinct_elements.view(n, users, count("k", 3), eps, count("m"), pool, direction, where).curve


def is_true(entry):
    """Whether a claim holds, by the exact curves; None where it has no meaning or is too close to call."""
    try:
        ((name, text),) = entry["at"].items()
        exp_eps = real(text) if name == "exp_eps" else exp(real(text))
        sign = curve_of(entry).delta(exp_eps).decide(Fraction(entry["delta"]))
        return {"upper": sign <= 0, "lower": sign >= 0}[entry["kind"]]
    except (InputError, Undecided, KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError, IndexError):
        return None


@pytest.mark.parametrize("command", CASES)
def test_certificates_are_accepted_where_nothing_is_installed(command, written, isolated):
    path = written(command)
    result = isolated(path)
    claims = json.loads(path.read_text())["claims"]
    assert (result.returncode, result.stderr) == (0, "")
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == ["accepted"] * len(claims)
    assert {claim["kind"] for claim in claims} >= {"upper"}


@pytest.mark.parametrize("command", CASES)
def test_accepted_claims_are_true_and_tight(command, written):
    claims = json.loads(written(command).read_text())["claims"]
    for claim in claims:
        assert is_true(claim) is True
    one_law = claims[0]["protocol"] not in CLONES  # else the ends belong to two mechanisms: `test_any_local` has them
    if command.startswith("privacy") and one_law and "--at-delta" not in command and len(claims) == 2:
        upper, lower = (Fraction(claim["delta"]) for claim in claims)
        tolerance = Fraction(1, 100) if "uniformity --lam 301" in command or "24270" in command else Fraction(1, 10**8)
        assert 0 <= upper - lower <= tolerance * upper


def test_both_kinds_of_every_protocol_are_there(written):
    found = {(c["protocol"], c["kind"]) for cmd in CASES for c in json.loads(written(cmd).read_text())["claims"]}
    names = ("binomial", "binary-sum", "pan-sum", "pan-histogram", "shuffle-histogram", "uniformity")
    more = ("distinct-elements", "hashed-distinct-elements", "geometric-distinct-elements", "randomized-or")
    names = (*names, *more, "compressed-uniformity")
    assert found >= {(name, kind) for name in names for kind in ("upper", "lower")}
    assert {name for name, _ in found} == PROTOCOLS.keys()


def test_the_command_reads_one_file(written, tmp_path, capsys):
    assert check_main([str(written(SMALL[0]))]) == 0
    assert capsys.readouterr().out.startswith("accepted: delta <= 4265/262144 at e^eps = 2 for binomial")
    assert check_main([]) == 2
    assert check_main([str(tmp_path / "absent.json")]) == 2
    assert check_main([str(tmp_path)]) == 2
    result = subprocess.run(
        [sys.executable, "-m", "exact.check", str(written(SMALL[0]))], cwd=ROOT, capture_output=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("privacy modular-sum --n 4 --m 3 --at-eps 1", "written for binary-sum"),
        ("privacy pan-histogram --k 1 --lam 4 --at-eps 1", "no two neighbours differ"),
        ("privacy binomial --l 0 --at-eps 1", "whole number from 1"),
        ("privacy binomial --l 20 --at-delta 0", "no finite eps"),
        ("privacy binomial --l 1000000000000 --at-eps 1e-6", "too wide"),
        ("privacy modular-sum --n 4 --m 3 --tv", "--tv"),
    ],
)
def test_what_has_no_certificate_is_one_sentence(arguments, reason, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*arguments.split(), "--certificate", str(tmp_path / "c.json")])
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert reason in err
    assert not (tmp_path / "c.json").exists()


# Mutations: whatever is changed, a claim that the exact curves refute is not accepted.


def leaves(value, path=()):
    """The paths of all texts and whole numbers."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    elif value is not None:
        yield path


def at(value, path):
    for step in path:
        value = value[step]
    return value


def put(value, path, item):
    at(value, path[:-1])[path[-1]] = item


def nudged(text, source, down):
    """A rational text, a little smaller or larger."""
    value = rational(text)
    by = Fraction(1, 10 ** source.randrange(1, 10))
    return str(value * (1 - by) if down else value * (1 + by))


def forge_delta(claim, source):
    """A sharper delta, and event masses that would give it."""
    upper = claim["kind"] == "upper"
    claim["delta"] = nudged(claim["delta"], source, upper)
    for event in claim["witness"].get("events", []):
        if source.random() < 0.7:
            event["P"] = nudged(event["P"], source, upper)
        if source.random() < 0.5:
            event["Q"] = nudged(event["Q"], source, not upper)


def move_eps(claim, source):
    """Another eps, with an honest enclosure of e^eps, and a claim that it makes false or nearly so."""
    (name,) = claim["at"]
    down = claim["kind"] == "upper"
    claim["at"][name] = nudged(str(enclose(claim["at"][name], 64)[0]), source, down)
    low, high = enclose(f"exp({claim['at'][name]})" if name == "eps" else claim["at"][name], 128)
    claim["witness"]["exp_eps"] = [str(low), str(high)]
    for event in claim["witness"].get("events", []):
        if "ratio_above" in event and source.random() < 0.5:
            event["ratio_above"] = str(high)


def move_parameter(claim, source):
    """Another parameter."""
    letter = source.choice(sorted(claim["parameters"]))
    value = enclose(claim["parameters"][letter], 64)[0]
    whole = value.denominator == 1
    claim["parameters"][letter] = str(value + source.choice((-2, -1, 1, 2)) if whole else value * Fraction(98, 100))


def flip(claim, source):
    """Another kind, direction, scope, view or protocol."""
    field = source.choice(("kind", "direction", "scope", "view", "protocol", "holders"))
    claim[field] = {
        "kind": "lower" if claim["kind"] == "upper" else "upper",
        "direction": source.choice(("gain", "lose", None)),
        "scope": source.choice(("all neighbours", "this pair")),
        "view": source.choice(("pool", "pair", "whole")),
        "protocol": source.choice(("binomial", "pan-sum", "pan-histogram", "uniformity", "distinct-elements")),
        "holders": source.choice((None, [0], [0, 0], [1, 0], [0, 1], [9, 9])),
    }[field]
    if field in ("direction", "holders"):
        fixed = claim.get("direction") or claim.get("holders") is not None
        claim["scope"] = "this pair" if fixed else "all neighbours"
    if field == "kind":
        for event in claim["witness"].get("events", []):
            event["ratio_above"] = claim["witness"]["exp_eps"][0]


def turn_event(claim, source):
    """An event with another direction, cut or background."""
    for event in claim["witness"].get("events", []):
        for key in ("at_most", "at_least"):
            if key in event:
                event[key] += source.choice((-3, -1, 1, 2))
        if source.random() < 0.3 and "direction" in event:
            event["direction"] = "gain" if event["direction"] == "lose" else "lose"
            event["at_most"] = event["at_least"] = event.pop("at_most", event.pop("at_least", 3))
        if "holders" in event:
            event["holders"][0] += source.choice((-1, 1))
    claim["delta"] = nudged(claim["delta"], source, claim["kind"] == "upper")


def shrink_witness(claim, source):
    """Fewer bits or nodes, and a sharper delta."""
    claim["witness"]["bits"] = source.choice((32, 40, 64, 2048, 31))
    for holder in (claim["witness"], *claim["witness"].get("events", [])):
        for key in ("nodes", "cuts"):
            if key in holder and source.random() < 0.8:
                del holder[key][source.randrange(len(holder[key]))]
    claim["delta"] = nudged(claim["delta"], source, claim["kind"] == "upper")


def change_leaf(claim, source):
    """One digit of one number."""
    path = source.choice(list(leaves(claim)))
    value = at(claim, path)
    if isinstance(value, int):
        put(claim, path, value + source.choice((-1, 1)) * 10 ** source.randrange(3))
        return
    places = [i for i, letter in enumerate(value) if letter.isdigit()]
    if places:
        i = source.choice(places)
        put(claim, path, value[:i] + source.choice("0123456789") + value[i + 1 :])


def drop_field(claim, source):
    """A field that is missing, empty or of another type."""
    path = source.choice([*leaves(claim), ("witness",), ("parameters",), ("at",), ("witness", "bits")])
    choice = source.randrange(3)
    if choice == 0 and isinstance(path[-1], str):
        del at(claim, path[:-1])[path[-1]]
    else:
        put(claim, path, source.choice((None, True, "", "1/0", "nan", [], {}, -1, [1], "0")))


MUTATIONS = [
    forge_delta,
    forge_delta,
    move_eps,
    move_parameter,
    flip,
    turn_event,
    shrink_witness,
    change_leaf,
    drop_field,
]


def test_false_claims_are_rejected(written, sweep_factor):
    """Seeded mutations of small certificates; what the exact curves refute, or can't read, is never accepted."""
    source = random.Random(20)
    bases = [claim for command in SMALL for claim in json.loads(written(command).read_text())["claims"]]
    refuted = accepted = 0
    for i in range(400 * sweep_factor):
        claim = copy.deepcopy(bases[i % len(bases)])
        mutation = MUTATIONS[i // len(bases) % len(MUTATIONS)]
        try:
            mutation(claim, source)
        except Rejected:
            continue
        good, lines = verdict(json.dumps(certificate(claim)).encode())
        truth = is_true(claim) if {"kind", "protocol", "view", "at", "delta", "parameters"} <= {*claim} else None
        refuted += truth is False
        accepted += good
        assert not good or truth is True, (mutation.__name__, claim, lines)
    assert refuted >= 150 * sweep_factor
    assert accepted > 0


def certificate(*claims):
    return {"format": "panshuffle certificate", "version": 1, "claims": [*claims]}


def test_a_sharper_delta_is_rejected_at_large_parameters(written):
    for command in LARGE:
        for claim in json.loads(written(command).read_text())["claims"]:
            upper = claim["kind"] == "upper"
            events = claim["witness"].get("events", [])
            factor = Fraction(98, 100) if upper else Fraction(102, 100)
            claim["delta"] = str(Fraction(claim["delta"]) * factor)
            assert is_true(claim) in (False, None)
            good, (reason, *_) = verdict(json.dumps(certificate(claim)).encode())
            assert not good, reason
            for event in events:
                event["P"] = str(Fraction(event["P"]) * factor)
            assert not verdict(json.dumps(certificate(claim)).encode())[0]


# Hostile files.

VALID = {
    "kind": "upper",
    "protocol": "binomial",
    "parameters": {"l": "20", "p": "1/2"},
    "view": "whole",
    "scope": "all neighbours",
    "at": {"exp_eps": "2"},
    "delta": "4265/262144",
    "witness": {
        "bits": 64,
        "exp_eps": ["2", "2"],
        "events": [{"direction": "lose", "at_most": 7, "P": "137980/1048576", "Q": "60460/1048576"}],
    },
}


def changed(path, item):
    claim = copy.deepcopy(VALID)
    put(claim, path, item)
    return json.dumps(certificate(claim)).encode()


def claim_with(**changes):
    claim = copy.deepcopy(VALID) | changes
    return json.dumps(certificate(claim)).encode()


def pair_claim(**witness):
    full = {"bits": 64, "exp_eps": ["2", "2"], **witness}
    return claim_with(protocol="uniformity", parameters={"k": "3", "lam": "1000000000"}, view="pair", witness=full)


def distinct_claim(parameters, bits=64, **changes):
    witness = {"bits": bits, "exp_eps": ["2", "2"]}
    return claim_with(protocol="distinct-elements", parameters=parameters, view="pair", witness=witness, **changes)


HOSTILE = {
    "empty": b"",
    "not JSON": b"delta <= 1",
    "not UTF-8": b"\xff\xfe\x00",
    "null": b"null",
    "a list": b"[]",
    "deep": b"[" * 500_000,
    "deep objects": b'{"a":' * 150_000,
    "too long": b" " * (1 << 20) + b"{}",
    "a long integer": b'{"version": ' + b"9" * 900_000 + b"}",
    "a float": b'{"format": "panshuffle certificate", "version": 1.0, "claims": []}',
    "nan": b'{"format": "panshuffle certificate", "version": NaN, "claims": []}',
    "infinity": b'{"format": "panshuffle certificate", "version": -Infinity, "claims": []}',
    "the same key twice": b'{"version": 1, "version": 1}',
    "another version": json.dumps({"format": "panshuffle certificate", "version": 2, "claims": [VALID]}).encode(),
    "no claim": json.dumps(certificate()).encode(),
    "many claims": json.dumps(certificate(*[VALID] * 5)).encode(),
    "its own law": claim_with(law=["1/2", "1/2"]),
    "an unknown field": changed(("witness", "trust"), "me"),
    "huge exponent": changed(("delta",), "1e999999999"),
    "huge exponent, written out": changed(("delta",), "1e-99999"),
    "delta above 1": changed(("delta",), "2"),
    "delta below 0": changed(("delta",), "-1/2"),
    "a tower": changed(("at",), {"eps": "9^9^9^9^9"}),
    "exponentials": changed(("at",), {"eps": "exp(exp(exp(exp(9))))"}),
    "negative eps": changed(("at",), {"eps": "-1"}),
    "two places": changed(("at",), {"eps": "1", "exp_eps": "2"}),
    "parentheses": changed(("at",), {"eps": "(" * 400}),
    "a long expression": changed(("at",), {"eps": "1+" * 300_000 + "1"}),
    "many logarithms": changed(("at",), {"eps": "log(" * 49 + "9" + ")" * 49}),
    "a line break": changed(("at",), {"exp_eps": "2\n"}),
    "division by zero": changed(("parameters", "p"), "1/(1-1)"),
    "p = 0": changed(("parameters", "p"), "0"),
    "p > 1": changed(("parameters", "p"), "3/2"),
    "l = 0": changed(("parameters", "l"), "0"),
    "l negative": changed(("parameters", "l"), "-20"),
    "l is huge": changed(("parameters", "l"), "10^15"),
    "l is enormous": changed(("parameters", "l"), "10^4000"),
    "l is no number": changed(("parameters", "l"), "l"),
    "parameters are numbers": changed(("parameters", "l"), 20),
    "bits is huge": changed(("witness", "bits"), 10**9),
    "bits is true": changed(("witness", "bits"), True),
    "bits is a text": changed(("witness", "bits"), "64"),
    "a wrong enclosure": changed(("witness", "exp_eps"), ["3", "4"]),
    "an enclosure upside down": changed(("witness", "exp_eps"), ["3", "1"]),
    "a long enclosure": changed(("witness", "exp_eps"), [f"{10**4000}/{10**4000 + 1}"[:4999], "2"]),
    "no events": changed(("witness", "events"), []),
    "events are texts": changed(("witness", "events"), ["x"]),
    "a cut that is huge": changed(("witness", "events", 0, "at_most"), 10**17),
    "a cut that is negative": changed(("witness", "events", 0, "at_most"), -1),
    "a mass that is an object": changed(("witness", "events", 0, "P"), {}),
    "a direction that is a list": changed(("witness", "events", 0, "direction"), ["lose"]),
    "only one direction": claim_with(parameters={"l": "20", "p": "1/3"}),
    "nodes for wide noise": pair_claim(nodes=[str(i) for i in range(1, 4000)]),
    "nodes that fall": pair_claim(nodes=["2", "1"]),
    "nodes of one digit less": pair_claim(nodes=["1"] * 3),
    "too many nodes": pair_claim(nodes=["1"] * 6000),
    "a pool that is too large": distinct_claim({"k": "3", "n": "2001", "m": "1", "q": "1/2"}),
    "too many users": distinct_claim({"k": "3", "n": "1000", "m": "2", "q": "1/2"}),
    "too many bits": distinct_claim({"k": "3", "n": "200", "m": "10", "eps": "1"}, bits=2048),
    "two ways to say q": distinct_claim({"k": "3", "n": "2", "m": "1", "q": "1/2", "eps": "1"}),
    "q above 1": distinct_claim({"k": "3", "n": "2", "m": "1", "q": "3/2"}),
    "other holders of whom": distinct_claim(
        {"k": "3", "n": "2", "m": "1", "q": "1/2"}, holders=[1, 1], scope="this pair"
    ),
    "n is huge": distinct_claim({"k": "3", "n": "10^15", "m": "1", "gamma": "10^-15", "eps": "1"}, delta="0"),
}


def test_the_valid_claim_is_accepted():
    assert verdict(claim_with())[0]
    assert not verdict(changed(("witness", "events", 0, "at_most"), 6))[0]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_rejected_in_time(name):
    start = time.perf_counter()
    good, (line,) = verdict(HOSTILE[name])
    assert not good
    assert line.startswith("rejected: ")
    assert "broke off" not in line
    assert line.isprintable()
    assert len(line) < 300
    assert time.perf_counter() - start < 20


def test_checker_is_one_file_of_the_standard_library():
    tree = ast.parse((ROOT / "exact" / "check.py").read_text())
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert all(node in tree.body and not (isinstance(node, ast.ImportFrom) and node.level) for node in nodes)
    names = {getattr(node, "module", None) or alias.name for node in nodes for alias in node.names}
    assert names <= set(sys.stdlib_module_names) | {"collections.abc"}


def test_checker_runs_in_its_place(written):
    """Its folder has modules whose names are those of the standard library's."""
    path = written("privacy randomized-or --n 4 --eps 1 --at-exp-eps 3/2")
    command = [sys.executable, str(ROOT / "exact" / "check.py"), str(path)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (found.returncode, found.stderr, found.stdout.count("accepted: ")) == (0, "", 2)


@pytest.mark.parametrize("command", SMALL[:2] + SMALL[11:12] + ["privacy uniformity --lam 2 --at-exp-eps 2"])
def test_checker_runs_alone_from_a_copy(tmp_path, written, command):
    """`python check.py coins.json` in a folder that has nothing else, without what is installed."""
    shutil.copy(ROOT / "exact" / "check.py", tmp_path)
    shutil.copy(written(command), tmp_path / "coins.json")
    call = [sys.executable, "-I", "-S", "check.py", "coins.json"]
    alone = subprocess.run(call, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
    call = [sys.executable, "-m", "exact.check", str(tmp_path / "coins.json")]
    module = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    assert (alone.returncode, alone.stdout, alone.stderr) == (0, module.stdout, "")
    assert alone.stdout.startswith("accepted: delta")


def test_memory_and_time_stay_bounded(tmp_path, isolated):
    """The widest noise and the largest pools that are not refused at once, with less than a gigabyte of memory."""
    code = (
        "import resource, sys, time\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from exact.check import verdict\n"
        "for path in sys.argv[1:]:\n"
        "    good, lines = verdict(open(path, 'rb').read())\n"
        "    assert not good and 'MemoryError' not in lines[0], lines\n"
    )
    files = {"wide": claim_with(parameters={"l": "1000000000", "p": "1/3"}), "huge": HOSTILE["l is huge"]}
    if FULL:
        files["bits"] = distinct_claim({"k": "3", "n": "200", "m": "10", "eps": "1"}, bits=256, delta="1/1000")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    command = [sys.executable, "-I", "-S", "-c", code, *(str(tmp_path / name) for name in files)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (result.returncode, result.stderr) == (0, "")


def test_random_bytes_are_rejected():
    source = random.Random(3)
    data = claim_with()
    for _ in range(300):
        broken = bytearray(data)
        for _ in range(source.randrange(1, 4)):
            broken[source.randrange(len(broken))] = source.randrange(256)
        good, lines = verdict(bytes(broken))
        if good:
            assert is_true(json.loads(bytes(broken))["claims"][0]) is True
        assert "broke off" not in lines[0]


# The checker's arithmetic against second constructions.


def expression(source, depth=0):
    kind = source.random()
    if depth > 3 or kind < 0.3:
        return source.choice(["1", "2", "0.1", "3/7", "12.5e-1", "1e-6", ".5", "7.", "0.333"])
    if kind < 0.6:
        return f"({expression(source, depth + 1)}{source.choice('+-*/^')}{expression(source, depth + 1)})"
    if kind < 0.9:
        return f"{source.choice(['exp', 'log', 'sqrt'])}({expression(source, depth + 1)})"
    return f"-{expression(source, depth + 1)}"


def test_expressions_are_enclosed():
    """Against the balls of `exact.numbers.real`, which has its own parser."""
    source, compared = random.Random(5), 0
    for _ in range(600):
        text = expression(source)
        try:
            low, high = enclose(text, 96)
            value = real(text)
            difference = (value - low).sign(), (value - high).sign()
        except (Rejected, InputError, Undecided):
            continue
        assert difference[0] >= 0 >= difference[1], text
        assert high - low <= abs(high) * Fraction(1, 2**40) + Fraction(1, 2**40)
        compared += 1
    assert compared > 300


def binomial_masses(l, p):
    return {x: comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)}


@pytest.mark.parametrize("interval", [False, True])
def test_shift_and_product_events_by_enumeration(interval):
    l, p, ratio = 9, Fraction(2, 7), Fraction(3, 2)
    theta = p / (1 - p)
    spread = Fraction(1, 10**30) if interval else 0
    noise = Noise(l, (theta - spread, theta + spread))
    law, b = weights(noise, 64), binomial_masses(l, p)
    for cut in range(l + 1):
        event = shift_event(law, cut)
        enclosed(event[:2], sum(b[x] for x in range(cut + 1)), not interval)
        enclosed(event[2:], sum(b[x] for x in range(cut)), not interval)
    mass = {(x, y): (b.get(x - 1, 0) * b.get(y, 0), b.get(x, 0) * b.get(y - 1, 0)) for x in b for y in b}
    mass |= {(l + 1, y): (b[l] * b[y], 0) for y in b}
    cells = [(upper, lower) for upper, lower in mass.values() if upper > ratio * lower]
    event = product_event(noise, law, ratio)
    enclosed(event[:2], sum(upper for upper, _ in cells), not interval)
    enclosed(event[2:], sum(lower for _, lower in cells), not interval)


def enclosed(ends, value, equal=False):
    low, high = ends
    assert low <= value <= high
    assert high - low <= (0 if equal else Fraction(1, 10**15))


def test_parity_events_by_enumeration():
    users, m, q, ratio = 4, 2, Fraction(1, 3), Fraction(5, 4)
    laws = [parity_law(users, holders, m, q) for holders in range(users + 1)]
    for share in ((q, q), (q - Fraction(1, 10**40), q + Fraction(1, 10**40))):
        pools = Pools(users, m, share, 96)
        assert pools.exact == (share[0] == share[1])
        more, fewer = laws[2], laws[1]
        cells = [(p, r) for p, r in zip(more, fewer, strict=True) if p > ratio * r]
        event = pool_event(pools.gain(1), ratio, pools.total)
        enclosed(event[:2], sum(p for p, _ in cells), pools.exact)
        enclosed(event[2:], sum(r for _, r in cells), pools.exact)
        delta = sum(p - ratio * r for p, r in cells)
        enclosed((delta, pool_upper(pools.gain(1), ratio, pools.total)), delta)
        pairs = [
            (a * d, b * c) for a, b in zip(laws[2], laws[1], strict=True) for c, d in zip(laws[1], laws[0], strict=True)
        ]
        cells = [(p, r) for p, r in pairs if p > ratio * r]
        first, second = by_ratio(pools.gain(1)), by_ratio(pools.lose(0), falling=False)
        event = pair_event(first, second, ratio, pools.total)
        enclosed(event[:2], sum(p for p, _ in cells), pools.exact)
        delta = sum(p - ratio * r for p, r in cells)
        enclosed((delta, pair_upper(first, second, ratio, pools.total)), delta)


def test_two_poisson_pools_by_enumeration():
    """All cells of a small mean, summed in fractions with e^-mu as a symbol that cancels, against the grid."""
    mu, exp_eps, size = Fraction(1, 2), Fraction(3, 2), 14
    weight = [mu**x / factorial(x) for x in range(size + 1)]
    total = sum(weight)
    b = [w / total for w in weight] + [Fraction(0)]
    pool = [(b[x - 1] * b[y] if x else Fraction(0), b[x] * b[y - 1] if y else Fraction(0))
            for x in range(size + 2) for y in range(size + 2)]  # fmt: skip
    pool = [(p, r) for p, r in pool if p or r]
    delta = sum(max(p * u - exp_eps * r * v, 0) for p, r in pool for u, v in pool)
    nodes = sorted({Fraction(x, y) for x in range(1, 20) for y in range(1, 20)})
    pools = PoolTwice(Noise(None, (mu, mu)), 64, nodes)
    upper = pools.delta_upper(exp_eps)
    event = pools.event([exp_eps / node for node in [*nodes[1:], 2 * nodes[-1]]])
    assert abs(upper - delta) < Fraction(1, 10**9)
    assert abs(event.p_low - exp_eps * event.q_high - delta) < Fraction(1, 10**9)
    coarse = PoolTwice(Noise(None, (mu, mu)), 64, nodes[::20])
    assert coarse.delta_upper(exp_eps) >= upper
    cuts = [exp_eps / node for node in coarse.nodes]
    assert coarse.event(cuts).p_low - exp_eps * coarse.event(cuts).q_high <= delta


def factorial(x):
    return 1 if x < 2 else x * factorial(x - 1)


def hostile_claim(protocol, parameters, view, delta, witness):
    claim = {"kind": "upper", "protocol": protocol, "parameters": parameters, "view": view, "scope": "all neighbours"}
    claim |= {"at": {"exp_eps": "1"}, "delta": delta, "witness": {"exp_eps": ["1", "1"], **witness}}
    return json.dumps({"format": "panshuffle certificate", "version": 1, "claims": [claim]}).encode()


@pytest.mark.parametrize(
    "data",
    [
        hostile_claim(
            "distinct-elements", {"k": "3", "n": "200", "m": "10", "q": "1/1048575"}, "pair", "1/1000000", {"bits": 32}
        ),
        hostile_claim(
            "distinct-elements", {"k": "3", "n": "200", "m": "10", "q": "1/1048575"}, "pool", "1", {"bits": 32}
        ),
        hostile_claim(
            "uniformity",
            {"k": "3", "lam": "1e4500*1e4400"},
            "pool",
            "1",
            {"bits": 200, "events": [{"P": "1", "Q": "0"}]},
        ),
    ],
)
def test_long_numbers_in_a_short_file_cost_what_they_are(tmp_path, data):
    """True or not, they are decided within the documented time, which a process of its own is held to."""
    file = tmp_path / "c.json"
    file.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-m", "exact.check", str(file)], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert done.returncode in (0, 1) and not done.stderr


def test_a_pipe_is_not_waited_for(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = subprocess.run(
        [sys.executable, "-m", "exact.check", str(pipe)], cwd=ROOT, capture_output=True, timeout=20, check=False
    )
    assert done.returncode == 2
