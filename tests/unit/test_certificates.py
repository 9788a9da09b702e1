"""Certificates: accepted without any package, consistent with the exact curves, never accepted where they are false."""

import ast
import copy
import json
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice

import pytest
from panshuffle.exact.check import (
    CLONES,
    PROTOCOLS,
    Rejected,
    enclose,
    rational,
    verdict,
)
from panshuffle.exact.check import main as check_main

from panshuffle.answers import certificate as cards
from panshuffle.card import card, viewed
from panshuffle.main import main
from tests.conftest import FULL
from tests.provers.claims import ROOT, at, certificate, is_true, put

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
    f"privacy uniformity --lam {2 if FULL else '1/2'} --at-exp-eps 2",
    "privacy distinct-elements --n 5 --eps 1 --m 3 --at-exp-eps 3",
    "privacy distinct-elements --n 4 --q 1/2 --m 2 --at-exp-eps 3/2",
    "privacy distinct-elements --n 5 --eps 1 --m 3 --at-exp-eps 2 --k 2",
    "privacy distinct-elements --n 5 --eps 1 --m 3 --at-exp-eps 2 --pool",
    "privacy distinct-elements --n 5 --eps 1 --m 4 --at-eps 1 --holders 1,0",
    "privacy compressed-uniformity --k 6 --k-hat 3 --lam 4 --at-exp-eps 2 --pool",
    f"privacy compressed-uniformity --k 7 --k-hat 3 --lam {2 if FULL else '1/2'} --at-exp-eps 2",
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
    "privacy two-bit-sum --n 4 --p 1/4 --at-exp-eps 2",
    "privacy two-bit-sum --n 8 --gamma 1/2 --p 1/3 --at-eps 1/2 --pool",
    "privacy poisson-binomial --n 4 --m 2 --p 1/4 --at-exp-eps 3/2",
    "privacy modular-sum --n 4 --m 3 --at-eps 1",
    "calibrate two-bit-sum --n 4 --at-eps 1 --at-delta 1/10",
    "calibrate poisson-binomial --n 4 --m 2 --at-eps 1 --at-delta 1/10",
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
    "privacy two-bit-sum --n 40 --p 1/4 --at-eps 1",
    "privacy poisson-binomial --n 60 --m 4 --p 1/3 --at-eps 1/2",
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
    "privacy two-bit-sum --n 150 --p 1/4 --at-eps 1",
]


if not FULL:
    LARGE = LARGE[::2]
CASES = SMALL + LARGE + (LARGEST if FULL else [])


pytestmark = pytest.mark.xdist_group("certificates")  # they are written once


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


def test_certificates_are_accepted_where_nothing_is_installed(written, isolated):
    some = CASES if FULL else CASES[::3]
    result = isolated(*map(written, some))
    assert (result.returncode, result.stderr) == (0, "")
    lines = iter(line.split(":")[0] for line in result.stdout.splitlines())
    for command in some:
        claims = json.loads(written(command).read_text())["claims"]
        assert list(islice(lines, len(claims) + 1)) == [*["accepted"] * len(claims), "status 0"], command
        assert {claim["kind"] for claim in claims} >= {"upper"}, command
    assert not list(lines)


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
    sums = ("two-bit-sum", "poisson-binomial", "modular-sum")
    names = (*names, *more, *sums, "compressed-uniformity")
    assert found >= {(name, kind) for name in names for kind in ("upper", "lower")}
    assert {name for name, _ in found} == PROTOCOLS.keys()


def test_the_command_reads_one_file(written, tmp_path, capsys):
    path = str(written(SMALL[0]))
    capsys.readouterr()  # what writing it has printed
    assert check_main([path]) == 0
    assert capsys.readouterr().out.startswith("accepted: delta <= 4265/262144 at e^eps = 2 for binomial")
    assert check_main([]) == 2
    assert check_main([str(tmp_path / "absent.json")]) == 2
    assert check_main([str(tmp_path)]) == 2
    result = subprocess.run(
        [sys.executable, "-m", "panshuffle.exact.check", path],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("privacy two-bit-sum --n 201 --p 1/4 --at-eps 1", "201 users take part, and every background of at most 200"),
        ("privacy poisson-binomial --n 100 --m 30 --p 1/3 --at-eps 1", "more than 2000 messages"),
        ("privacy two-bit-sum --n 3 --p 1/2 --at-eps 1", "below 1/2"),
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


def test_a_protocol_without_certificates_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(
        cards, "viewed", lambda *asked: replace(viewed(*asked), card=replace(card("binomial"), certificate=None))
    )
    with pytest.raises(SystemExit):
        main(["attack", "binomial", "--l", "20", "--at-eps", "1"])
    assert capsys.readouterr().err.startswith("panshuffle: no certificate: they are written for binary-sum, ")


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
    """Seeded mutations of small certificates; what the exact curves refute, or can't read, is never accepted.

    Of those that are rejected, every fourth (in the full sweep all) is looked at: most were false indeed.
    """
    source = random.Random(20)
    bases = [claim for command in SMALL for claim in json.loads(written(command).read_text())["claims"]]
    refuted = accepted = looked = 0
    for i in range(400 * sweep_factor):
        claim = copy.deepcopy(bases[i % len(bases)])
        mutation = MUTATIONS[i // len(bases) % len(MUTATIONS)]
        try:
            mutation(claim, source)
        except Rejected:
            continue
        good, lines = verdict(json.dumps(certificate(claim)).encode())
        if not good and not FULL and i % 4:
            continue
        truth = is_true(claim) if {"kind", "protocol", "view", "at", "delta", "parameters"} <= {*claim} else None
        looked += 1
        refuted += truth is False
        accepted += good
        assert not good or truth is True, (mutation.__name__, claim, lines)
    assert refuted >= Fraction(3, 8) * looked >= Fraction(3, 8) * 90 * sweep_factor
    assert accepted > 0


@pytest.mark.long
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
    call = [sys.executable, "-m", "panshuffle.exact.check", str(tmp_path / "coins.json")]
    module = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    assert (alone.returncode, alone.stdout, alone.stderr) == (0, module.stdout, "")
    assert alone.stdout.startswith("accepted: delta")
