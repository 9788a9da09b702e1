"""Studies: files of questions, a store that survives anything, and the same table wherever it is computed."""

import json
import re
import subprocess

import pytest
from panshuffle.exact.errors import InputError

from panshuffle.main import main
from panshuffle.question import Question
from panshuffle.study.engine import check_questions, cost, outcome
from panshuffle.study.pictures import draw_table, panels_of
from panshuffle.study.study_file import read_study
from panshuffle.study.table import read_table, row_of, rows_of, write_table
from tests.conftest import FULL
from tests.faces.small_studies import EXAMPLES, PANSHUFFLE, QUESTIONS, asked, entry, found, study


def test_a_grid_is_the_product_of_its_lists_and_numbers_stay_as_written(tmp_path):
    found = read_study(study(tmp_path)).questions
    points = [(p, e, d) for p in ("binomial", "pan-sum") for e in ("0.1", "1/2", "1", "2") for d in DELTAS]
    assert [(q.subject, q.get("at-eps"), q.get("at-delta")) for q in (one.question for one in found[:-1])] == points
    assert dict(found[-1].question.options) == {"n": "10", "at-eps": "1/10", "at-delta": "1e-9"}


DELTAS = ("1e-6", "1e-9", "1e-12", "1e-15")


def test_equal_questions_are_asked_once_and_flags_may_vary(tmp_path):
    text = entry('at-delta = ["1e-6", "1e-6"]') + entry('at-delta = "1e-6"\npair = [true, false]')
    found = read_study(study(tmp_path, text)).questions
    assert [dict(one.question.options) for one in found] == [
        {"at-eps": "1", "at-delta": "1e-6"},
        {"at-eps": "1", "at-delta": "1e-6", "pair": True},
    ]


AXIS = "[" + ", ".join(f'"1/{i}"' for i in range(1, 1001)) + "]"


BAD = {
    'titel = "x"': "the key titel is not known: did you mean title?",
    'title = "x"': "a study needs at least one [[question]]",
    "x = = 1": "this is not TOML",
    '[[question]]\nprotocol = "binomial"': "question 1 has no quantity: it must be one of privacy, calibrate",
    '[[question]]\nquantity = "privcy"': "question 1: quantity = privcy is not known",
    '[[question]]\nquantity = "privacy"': "question 1 (privacy): privacy needs a protocol",
    '[[question]]\nquantity = "privacy"\nprotocol = "binomal"': "binomal is not known: did you mean binomial?",
    '[[question]]\nquantity = "verify"\nslug = ["markov", "nope"]': "slug = nope is not in the ledger",
    entry(
        'at-dleta = "1e-6"'
    ): "question 1 (calibrate binomial): the key at-dleta is not known: did you mean at-delta?",
    entry('at-delta = "1e-6"\nfile = "x"'): "the key file is not known",
    entry("at-delta = []"): "at-delta is an empty list: the grid has no points",
    entry('at-delta = [["1e-6"]]'): "must be a text in exact notation",
    entry("at-delta = 2020-01-01"): "at-delta = 2020-01-01 is not allowed",
    entry('at-delta = "1e-6"\npool = "yes"'): "pool must be true or false",
    entry('at-delta = ["1e-6", "2"]'): "question 1 (calibrate binomial): at-delta = 2 is not allowed: at-delta must be",
    entry('at-delta = "1e-6"')
    + entry('at-delta = "1e-6"\np = "3/2"'): "question 2 (calibrate binomial): p = 3/2 is not",
    entry('at-delta = "1e-6"\nlam = 4'): "--lam has no meaning for binomial",
    entry('at-delta = "1e-6"\ndigits = 0'): "digits = 0 is not allowed",
    entry("at-delta = nan"): "at-delta = nan is not allowed",
    entry(f"at-delta = {AXIS}\np = {AXIS}\nn = {AXIS}"): (
        "question 1 (calibrate) has 1000000000 points: a study has at most 200000 questions"
    ),
    '[[question]]\nquantity = "privacy"\nprotocol = "binomial"\nl = 10\np = "3/2"\nat-eps = 1': "p = 3/2 is not",
    '[[question]]\nquantity = "privacy"\nprotocol = "binomial"\nat-eps = 1': "binomial needs --l",
    '[[question]]\nquantity = "privacy"\nprotocol = "binomial"\nl = 1\nat-eps = 1\ndirection = "up"': "gain or lose",
    '[[question]]\nquantity = "calibrate"\nprotocol = "randomized-or"\nat-eps = 1': "a target is needed",
    '[[question]]\nquantity = "accuracy"\nprotocol = "uniformity"\nk = 7\nm = 9\nlam = 2\npaired = "1/4"': "even, for",
    '[[question]]\nquantity = "accuracy"\nprotocol = "pan-sum"\nlam = "x"\nbeta = "1/4"': "lam = x is not allowed",
    '[[question]]\nquantity = "accuracy"\nprotocol = "two-bit-sum"\nn = 2': "two-bit-sum needs one of --alpha",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_study_is_one_sentence_before_the_work_starts(text, tmp_path):
    path = study(tmp_path, text)
    with pytest.raises(InputError, match=re.escape(BAD[text])) as problem:
        check_questions(path, read_study(path).questions)
    assert str(problem.value).startswith(f"{path}: ")
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_example_is_refused_and_checks_compute_nothing(path):
    questions = read_study(str(path)).questions
    check_questions(str(path), questions)
    assert len(questions) >= (500 if path.stem == "paper_against_truth" else 50)


def test_long_questions_come_first():
    easy = Question.of("calibrate", "binomial", {"at-eps": "2", "at-delta": "1e-3"})
    hard = Question.of("calibrate", "uniformity", {"at-eps": "1/10", "at-delta": "1e-12"})
    assert cost(hard) > 10 * cost(easy) > 0


@pytest.mark.parametrize(
    "question",
    [
        Question.of("privacy", "binomial", {"l": "20", "at-exp-eps": "2", "direction": "gain", "digits": "5"}),
        Question.of("calibrate", "binomial", {"at-eps": "1", "at-delta": "1e-6"}),
        Question.of("accuracy", "uniformity", {"k": "4", "m": "10", "lam": "2", "tau": "-1/2", "uniform": True}),
        Question.of("verify", "markov", {}),
    ],
    ids=lambda question: question.kind,
)
def test_an_answer_is_what_the_command_prints(question):
    command = [*PANSHUFFLE, question.kind, question.subject, *question.arguments, "--json"]
    printed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    answer = outcome(question)["answer"]
    if question.kind == "verify":
        (printed,) = printed
        steps = [step for one in (printed, answer) for kind in ("steps", "twins") for step in one[kind]]
        for one in (printed, answer, *steps):
            one.pop("seconds", None)
    assert answer == printed


def test_refusals_are_rows_and_kept_but_errors_inside_are_not_kept(monkeypatch):
    refused = outcome(Question.of("calibrate", "binary-sum", {"n": "10", "at-eps": "1/10", "at-delta": "1e-9"}))
    assert (refused["error"], refused["answer"], refused["lasting"]) == ("no value meets this target", None, True)
    monkeypatch.setattr("panshuffle.answers.calibrate.resolve", lambda question: 1 // 0)
    broken = outcome(QUESTIONS[0].question)
    assert broken["error"].startswith("an error inside panshuffle: ZeroDivisionError")
    assert not broken["lasting"]


def test_the_three_tables_say_the_same(tmp_path):
    questions = [*QUESTIONS[:2], asked("verify", "markov", {})]
    outcomes = {one.text: outcome(one.question) for one in questions}
    rows = rows_of(questions, outcomes, "code")
    for ending in ("csv", "jsonl", "parquet"):
        path = str(tmp_path / f"t.{ending}")
        write_table(path, rows)
        assert read_table(path) == rows
    assert list(rows[0])[:4] == ["quantity", "protocol", "at-eps", "at-delta"]
    assert (rows[2]["paper_slug"], rows[2]["paper_verdict"]) == ("markov", "proved")
    assert (rows[0]["precision"], rows[2]["precision"]) == (10, None)


def test_pictures_are_lines_beside_the_papers_bound_or_heat_maps(tmp_path):
    rows = []
    for protocol, paper in (("binomial", "50"), ("pan-sum", None)):
        for eps in ("1/10", "1", "2"):
            for delta in ("1e-3", "1e-6", "1e-9"):
                question = asked("calibrate", protocol, {"at-eps": eps, "at-delta": delta})
                answer = {"quantity": "l", "lower": "7", "upper": "8", "exact": None, "scope": "", "kind": ""}
                bound = None if paper is None else {"value": paper, "slug": "s", "verdict": "proved"}
                rows.append(row_of(question, found(answer=answer | {"paper": bound}), ["at-eps", "at-delta"]))
    assert [panel.heat for panel in panels_of(rows, None)] == [False, True]
    assert [panel.heat for panel in panels_of(rows, "heat")] == [True, True]
    assert [panel.varying for panel in panels_of(rows, None)] == [["at-eps", "at-delta"]] * 2
    paths = [tmp_path / name for name in ("one.svg", "two.svg")]
    for path in paths:
        draw_table(str(path), "title", rows)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with pytest.raises(InputError, match="no parameter varies"):
        draw_table(str(paths[0]), "title", rows[:1])


PLANS = {
    "histogram": {"n": "1000", "k": "20", "at-eps": "1", "at-delta": "1e-6"},
    "uniformity": {"k": "10" if FULL else "4", "alpha": "1/2", "at-eps": "1", "at-delta": "1e-6"},
}


@pytest.mark.parametrize("task", PLANS)
def test_a_plan_is_the_protocol_of_choice_with_its_error(task, capsys):
    entry = asked("plan", task, PLANS[task])
    words = [word for name, value in PLANS[task].items() for word in (f"--{name}", value)]
    with pytest.raises(SystemExit) as left:
        main(["plan", task, *words, "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert not left.value.code
    plan, row = printed["plans"][printed["chosen"]], row_of(entry, outcome(entry.question), ["task"])
    value = plan["error"]["m"] if "m" in plan["error"] else plan["error"]["upper"]
    assert (row["task"], row["protocol"], row["upper"]) == (task, printed["choice"], value)
    assert plan["meets"]
    assert plan["protocol"] == printed["choice"]


def test_a_plan_that_nothing_meets_is_an_error():
    target = PLANS["histogram"] | {"alpha": "1/10"}
    entry = asked("plan", "histogram", target)
    row = row_of(entry, outcome(entry.question), ["task"])
    assert (row["protocol"], row["upper"], row["error"]) == (None, None, "no protocol meets the target")
