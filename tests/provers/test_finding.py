"""Statements are found by slug, label, number and words; a typo is answered with the nearest name."""

import json
import subprocess
import sys

import pytest
from panshuffle.proofs.ledger import in_section, named
from panshuffle.proofs.paper import items

from panshuffle.main import main
from tests.conftest import FULL
from tests.every import every
from tests.provers.small_ledgers import LEDGER, ROOT


def asked(capsys, *arguments):
    """Status, standard output and standard error of `panshuffle verify`."""
    with pytest.raises(SystemExit) as end:
        main(["verify", *arguments])
    found = capsys.readouterr()
    return end.value.code, found.out, found.err


NAMES = ["lem:distinct-hash", "lemma a.3", "distinct-hash", "Lemma A.3"]


@pytest.mark.parametrize("text", NAMES if FULL else NAMES[:2])
def test_a_statement_is_found_by_its_label_and_its_printed_number(text, capsys):
    status, out, _ = asked(capsys, text)
    assert status == 0
    assert "hash-collisions" in out
    assert all(named(other) == named(text) for other in NAMES)


@every("item", [item.key for item in items() if item.key != "section-1.3"])
def test_every_label_and_number_of_the_paper_names_statements(item):
    assert named(item) and all(slug in LEDGER for slug in named(item))


def test_a_figure_is_all_its_cells_and_a_section_all_its_statements():
    assert {slug for slug in LEDGER if slug.startswith("figure-")} <= set(named("fig:results"))
    assert named("sec:prelim-ut") == in_section("4.1.1") and set(in_section("4.1.1")) < set(in_section("4"))
    assert set(named("Theorem 3.2")) == set(named("thm:ikos")) >= {"ikos"}


def test_a_typo_is_answered_with_the_nearest_name(capsys):
    for text, near in (
        ("hash-colisions", "hash-collisions"),
        ("lem:partitoin", "lem:partition"),
        ("Theorem 3.21", "3.2"),
    ):
        status, _, err = asked(capsys, text)
        assert status == 2
        assert near in err.split("did you mean")[1]
    for arguments in (("",), (" ",), ("--section", "9"), ("--search", ""), ("--search", "xyzzy")):
        status, out, err = asked(capsys, *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)


def test_words_are_searched_without_checking_anything(capsys):
    status, out, _ = asked(capsys, "--search", "tester", "--json")
    rows = json.loads(out)
    assert status == 0 and len(rows) >= 5
    assert all("verdict" in row and "printed" in row for row in rows)
    assert rows[0]["slug"].find("tester") >= 0
    status, out, _ = asked(capsys, "--list")
    assert status == 0 and len(out.splitlines()) == len(LEDGER) + 1


def test_one_slug_imports_the_sections_of_what_it_rests_on_and_no_solver():
    code = (
        "import sys; from panshuffle.proofs.ledger import named; from panshuffle.proofs.check import closure\n"
        "from panshuffle.proofs.ledger import modules\n"
        "closure(named('markov'))\n"
        "found = [name for name in sys.modules if name.removeprefix('panshuffle.proofs.') in modules().values()]\n"
        "print(found, [name for name in ('sympy', 'z3', 'cvc5', 'panshuffle.symbolic.term') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, timeout=120
    )
    assert done.stdout.strip() == "['panshuffle.proofs.facts'] []"


def test_the_table_has_a_header_and_a_line_for_each_class(capsys):
    status, out, _ = asked(capsys, "markov", "hash-collisions")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "1 of 2 statements need a correction (1 convention)."
    head = next(place for place, line in enumerate(lines) if line.startswith("paper"))
    assert lines[head].split() == ["paper", "statement", "verdict", "here", "kernel", "time"]
    assert lines[head + 1].startswith("not true as printed")
