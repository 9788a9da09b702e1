"""The words of the ledger: no verdict says more than was shown, nothing unnamed is used, conventions are no errors."""

import ast
import re
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from panshuffle.exact.real import real
from panshuffle.proofs.classes import CLASSES, CONVENTION, class_of
from panshuffle.proofs.facts import fair_bits_upper_tail
from panshuffle.proofs.kernel.pins import claims
from panshuffle.proofs.ledger import modules, statements
from panshuffle.proofs.pins import pins
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import REPAIRED, SEVERITIES, needs, supports
from panshuffle.proofs.verdict import COLUMN, HERE, HOLDS, INSTANCES, NONE, RECORDED, WRONG, coverage

from tests.every import every

ROOT = Path(__file__).parents[2]
LEDGER = statements()
PINS = pins()
INEQUALITIES = ("markov", "chebyshev", "cantelli", "hoeffding")
SHORTEST_ARGUMENT = 60
NEAR = Fraction(1, 20)
NOT_CONSTANTS = ("definition", "prose", "figure", "algorithm", "worst neighbour")


def texts_of(statement):
    """Everything that a statement says in words."""
    repair = statement.repair
    steps = [*statement.steps, *statement.near_misses, *(repair.steps if repair else ())]
    texts = [statement.printed, statement.reading, statement.argument, statement.why, statement.survives]
    texts += [
        statement.referee,
        statement.checked,
        *statement.hypotheses,
        *(step.says for step in steps if step.prover != "kernel"),
    ]
    texts += [constant.slack for constant in statement.constants]
    return " ".join([*texts, *([repair.says, repair.argument, repair.checked] if repair else [])])


@every("slug", LEDGER)
def test_a_severity_is_said_of_what_is_not_true_as_printed_and_of_nothing_else(slug):
    assert (LEDGER[slug].severity in SEVERITIES) == (PINS[slug]["verdict"] in WRONG)
    assert LEDGER[slug].severity == PINS[slug]["severity"]


@every("slug", LEDGER)
def test_every_statement_that_the_words_name_is_rested_on(slug):
    statement = LEDGER[slug]
    used = re.sub(r"\bsee [a-z0-9-]+", "", texts_of(statement))  # a pointer to what else is known
    named = {word for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", used) if word in LEDGER}
    named |= {name for name in INEQUALITIES if re.search(rf"(?<![\w-]){name}\b", used, re.IGNORECASE)}
    assert named - {slug} <= {*supports(statement), *statement.above}


@every("slug", LEDGER)
def test_what_is_rested_on_exists_and_is_asked_for_in_the_form_that_holds(slug):
    for name in needs(LEDGER[slug]):
        below = PINS[name.removesuffix(REPAIRED)]
        assert below["verdict"] in HOLDS
        assert name.endswith(REPAIRED) == (below["verdict"] == "repaired")
    assert set(LEDGER[slug].above) <= LEDGER.keys()
    assert not set(LEDGER[slug].above) & set(supports(LEDGER[slug]))


@every("slug", LEDGER)
def test_nothing_is_proved_on_a_finite_check(slug):
    statement, pin = LEDGER[slug], PINS[slug]
    held = statement.repair if pin["verdict"] == "repaired" else statement
    if pin["verdict"] in ("proved", "repaired") and pin["kernel"] == NONE:
        assert coverage(held) != INSTANCES and not held.checked
    for part in (statement, *([statement.repair] if statement.repair else [])):
        if part.argument:
            assert len(part.argument) >= SHORTEST_ARGUMENT
            assert part.steps or statement.steps


@every("slug", LEDGER)
def test_the_columns_are_never_mixed(slug):
    """No theorem of the kernel is a step, and nothing that is run here stands among the theorems."""
    statement = LEDGER[slug]
    for part in (statement, *([statement.repair] if statement.repair else [])):
        assert "kernel" not in {step.prover for step in part.steps}
        assert {step.prover for step in part.kernel} <= {"kernel"}


def test_every_theorem_of_the_kernel_is_evidence_for_a_statement():
    """What decides a statement of `Paper.v` is asked for by the audit of that file, and used here, too."""
    used = set()
    for statement in LEDGER.values():
        repair = statement.repair.kernel if statement.repair else ()
        steps = (*statement.kernel, *statement.near_misses, *repair)
        used |= {re.search(r"kernel theorem ([a-z0-9-]+)", step.says)[1] for step in steps if step.prover == "kernel"}
    assert used == claims().keys()


@every("slug", LEDGER)
def test_a_statement_says_that_its_theorem_is_for_finite_laws(slug):
    statement = LEDGER[slug]
    steps = (*statement.kernel, *(statement.repair.kernel if statement.repair else ()))
    if PINS[slug]["kernel"] == RECORDED and all("finite laws" in step.text for step in steps):
        assert "finite" in texts_of(statement)


@every("slug", LEDGER)
def test_a_constant_has_a_near_miss_within_five_percent_or_its_slack_is_said(slug):
    statement = LEDGER[slug]
    for constant in statement.constants:
        assert bool(constant.by) != bool(constant.slack)
        if constant.by:
            assert constant.near_miss < len(statement.near_misses)
            printed, by = (real(text) for text in (constant.printed, constant.by))
            assert real(1 - NEAR) <= by / printed <= real(1 + NEAR)
            assert by != printed


def test_constants_are_declared():
    """Statements that hold and print a number above 2, or a decimal, say how near to it they fail."""
    missing = []
    for slug, statement in LEDGER.items():
        if PINS[slug]["verdict"] not in ("proved", "repaired") or statement.kind in NOT_CONSTANTS:
            continue
        text = plain(statement.repair.says if statement.repair else statement.printed)
        text = re.sub(r"[Ss]ections? [\d.]+|Figure \d|\b[A-Z]\.\d|\w*_\w+|[nmkN] = \d+", "", text)
        if re.search(r"(?<![\w.^/(-])(?:[3-9]|[1-9]\d+|\d+\.\d+)(?![\w.])", text) and not statement.constants:
            missing.append(slug)
    assert missing == []


def test_the_readme_has_the_counts():
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("What the ledger holds, in all:\n\n")[1]
    rows = [re.split(r" *\| *", line)[1:-1] for line in table.split("\n\n")[0].splitlines()]
    counts = Counter()
    for pin in PINS.values():
        on_record = pin["verdict"] in ("proved", "repaired") and pin["here"] in (INSTANCES, NONE)
        columns = ("statements", f"here: {pin['here']}", *["on a recorded run alone"] * on_record)
        counts.update((pin["verdict"], pin["severity"] or "—", column) for column in columns)
    written = {
        (*row[:2], name): int(n) for row in rows[2:] for name, n in zip(rows[0], row, strict=True) if n.isdigit()
    }
    assert written == counts


def test_the_table_of_errata_in_the_readme_has_every_error_with_its_severity():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z ]+) \| .* \| (`[a-z0-9-]+`(?:, `[a-z0-9-]+`)*) \|$", readme, re.MULTILINE)
    listed = {(slug.strip("`"), severity) for severity, slugs in rows for slug in slugs.split(", ")}
    errors = {
        (slug, pin["severity"])
        for slug, pin in PINS.items()
        if pin["verdict"] in WRONG and pin["severity"] != CONVENTION
    }
    assert errors <= listed
    assert {(slug, severity) for slug, severity in listed if severity in SEVERITIES} == errors


def test_conventions_are_not_counted_as_errors():
    page = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    counts = Counter(pin["severity"] for pin in PINS.values() if pin["verdict"] in WRONG)
    found = [name for name in SEVERITIES if counts[name]]
    assert f"entries: {', '.join(f'{counts[name]} {name}' for name in found)}. " in page
    headings = [line.removeprefix("## ").partition(":")[0].lower() for line in page.splitlines() if line[:3] == "## "]
    assert headings[:-1] == found


def test_every_class_and_grade_is_known():
    assert {class_of(pin["verdict"], pin["severity"]) for pin in PINS.values()} <= set(CLASSES) - {"open"}
    assert {pin["here"] for pin in PINS.values()} <= HERE.keys()
    assert {pin["kernel"] for pin in PINS.values()} <= COLUMN.keys()


def calls_of_computed():
    """(file, call) for every step that a function beside a statement computes, the scope of a text apart."""
    for path in sorted(ROOT / "proofs" / f"{name}.py" for name in set(modules().values())):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "computed"
            if called and not any(isinstance(a, ast.Constant) and a.value == "scope" for a in node.args):
                yield path.name, node


def test_what_a_function_computes_names_the_second_way_in_which_it_was_tested():
    found = list(calls_of_computed())
    assert len(found) >= 5
    assert [name for name, call in found if len(call.args) < 4 and "second" not in {k.arg for k in call.keywords}] == []


@pytest.mark.parametrize(("k", "above"), [(20, 3), (21, 4), (100, 30), (7, 0)])
def test_the_tail_of_hoeffdings_near_miss_is_a_sum_of_binomial_coefficients(k, above):
    assert fair_bits_upper_tail(k, above) == sum(comb(k, x) for x in range(k // 2 + above, k + 1))
