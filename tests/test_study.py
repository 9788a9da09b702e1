"""Studies: files of questions, a store that survives anything, and the same table wherever it is computed."""

import csv
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import comb
from pathlib import Path

import psutil
import pytest
from mpmath import mp

from exact.errors import InputError
from panshuffle.question import Question
from panshuffle.study import sources
from panshuffle.study.answering import OTHER_CODE, StudyOutcome, answer_text, check_questions, outcome
from panshuffle.study.cluster import cluster_at
from panshuffle.study.cost import cost
from panshuffle.study.figure import draw_table, panels_of
from panshuffle.study.session import MOST_DEATHS, Session
from panshuffle.study.sources import Watch, code_version
from panshuffle.study.store import Store
from panshuffle.study.study_file import Entry, read_study
from panshuffle.study.table import check_ending, read_table, row_of, rows_of, write_table
from panshuffle.study.workers import local_workers

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
PANSHUFFLE = [sys.executable, "-m", "panshuffle"]
TIMES = ("seconds",)
SMALL = """
title = "Small"
[[question]]
quantity = "calibrate"
protocol = ["binomial", "pan-sum"]
at-eps = [0.1, "1/2", 1, 2]
at-delta = ["1e-6", "1e-9", 1e-12, 1e-15]
[[question]]
quantity = "calibrate"
protocol = "binary-sum"
n = 10
at-eps = "1/10"
at-delta = "1e-9"
"""


def study(folder, text=SMALL, name="study.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def entry(lines):
    return f'[[question]]\nquantity = "calibrate"\nprotocol = "binomial"\nat-eps = "1"\n{lines}\n'


class Program:
    """The command, run on a copy of the sources, so that nobody changes them while a study runs."""

    def __init__(self, folder):
        for package in sources.PACKAGES:
            shutil.copytree(ROOT / package, folder / package)
        self.more = {"cwd": folder, "env": dict(os.environ, PYTHONPATH=str(folder)), "text": True}

    def run(self, *arguments):
        command = [*PANSHUFFLE, "study", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, check=False, timeout=120, **self.more)

    def start(self, *arguments):
        command = [*PANSHUFFLE, "study", *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **self.more)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("copy"))


def without_times(path):
    return [{name: cell for name, cell in row.items() if name not in TIMES} for row in read_table(str(path))]


def entries(store):
    """The stored answers, each with what changes when it is written anew."""
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in Path(store).glob("??/*.json")}


def found(**more):
    return StudyOutcome(**({"answer": {"x": 1}, "error": None, "seconds": 0.5, "lasting": True, "stop": None} | more))


def asked(kind, subject, options):
    return Entry(Question.of(kind, subject, options))


QUESTIONS = [asked("calibrate", "binomial", {"at-eps": "1", "at-delta": f"1e-{i}"}) for i in range(1, 9)]


class Crew:
    """Answers at once; dies over a question as often as it is told, and remembers what it was asked."""

    capacity = 2

    def __init__(self, deaths=(), made=found):
        self.asked, self.waiting = [], []
        self.deaths, self.made = dict(deaths), made

    def give(self, text):
        self.asked.append(text)
        self.waiting.append(text)

    def take(self, seconds):
        results = []
        for text in self.waiting:
            self.deaths[text] = self.deaths.get(text, 0) - 1
            results.append((text, None if self.deaths[text] >= 0 else self.made()))
        self.waiting = []
        return results


def answered(folder, questions, crew):
    """A session on a store in the folder."""
    store = Store(str(folder), "code")
    session = Session(store)
    left = session.read(questions)
    with store.opened():
        session.answer(left, crew, lambda question: None)
    return session


# The file


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
    '[[question]]\nquantity = "accuracy"\nprotocol = "two-bit-sum"\nn = 2': "two-bit-sum has no error law here",
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


# The answers


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


# The version of the code


def test_changed_sources_are_another_version(tmp_path, monkeypatch):
    package = tmp_path / "exact"
    package.mkdir()
    module = package / "number.py"
    module.write_text("ONE = 1\n", encoding="utf-8")
    monkeypatch.setattr(sources, "folders", lambda: (("exact", package),))
    first, watch = code_version(), Watch()
    assert watch.confirm()
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "number.cpython-311.pyc").write_bytes(b"x")
    assert code_version() == first
    module.write_text("ONE = 2\n", encoding="utf-8")
    assert code_version() != first
    monkeypatch.setitem(sys.modules, "a_module_that_is_loaded_later", sys)
    assert not watch.confirm()
    module.write_text("ONE = 1\n", encoding="utf-8")
    assert not watch.confirm(), "what is loaded may be a mixture"


def test_a_worker_of_another_version_refuses(tmp_path):
    refused = answer_text(QUESTIONS[0].text, "other")
    assert (refused["stop"], refused["answer"]) == (OTHER_CODE, None)
    with pytest.raises(InputError, match="other sources"):
        answered(tmp_path / "store", QUESTIONS, Crew(made=lambda: refused))
    assert not entries(tmp_path / "store")


def test_the_key_has_the_question_and_the_code():
    keys = {question.key(code) for question in QUESTIONS for code in ("a", "b")}
    assert len(keys) == 2 * len(QUESTIONS)
    one, same = ({"l": "1", "at-eps": "2"}, {"at-eps": "2", "l": "1"})
    assert asked("privacy", "binomial", one).key("a") == asked("privacy", "binomial", same).key("a")


# The store


def test_the_store_gives_back_what_was_put_for_this_code_only(tmp_path):
    store = Store(str(tmp_path), "code")
    assert store.get(QUESTIONS[0]) is None
    store.put(QUESTIONS[0], found())
    assert store.get(QUESTIONS[0]) == found()
    assert Store(str(tmp_path), "other").get(QUESTIONS[0]) is None


@pytest.mark.parametrize("damage", [lambda c: c[:-9], lambda c: c.replace(b"0.5", b"0.6"), lambda c: b""])
def test_a_damaged_answer_is_noticed_and_computed_again(tmp_path, damage):
    answered(tmp_path, QUESTIONS, Crew())
    store = Store(str(tmp_path), "code")
    path = store.path(QUESTIONS[3])
    path.write_bytes(damage(path.read_bytes()))
    crew = Crew()
    session = answered(tmp_path, QUESTIONS, crew)
    assert crew.asked == [QUESTIONS[3].text]
    assert session.store.damaged == {QUESTIONS[3].text}
    assert store.get(QUESTIONS[3]) == found()


@pytest.mark.parametrize("broken", ["os.write", "os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_ends_the_study_at_once_and_loses_nothing(tmp_path, monkeypatch, broken):
    kept = answered(tmp_path, QUESTIONS[:3], Crew()).outcomes

    def full(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    crew = Crew()
    store = Store(str(tmp_path), "code")
    session = Session(store)
    with store.opened():
        left = session.read(QUESTIONS)
        monkeypatch.setattr(broken, full)
        with pytest.raises(InputError, match="No space left on device"):
            session.answer(left, crew, lambda question: None)
        monkeypatch.undo()
    assert len(crew.asked) <= 2 * crew.capacity
    assert not list(tmp_path.rglob("*.tmp"))
    assert {q.text: store.get(q) for q in QUESTIONS[:3]} == kept
    again = Crew()
    assert len(answered(tmp_path, QUESTIONS, again).outcomes) == len(QUESTIONS)
    assert set(again.asked) == {question.text for question in QUESTIONS[3:]}


def test_what_a_killed_writer_left_is_removed(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (tmp_path / "ab").mkdir()
    left, ours = (tmp_path / "ab" / f".key.{pid}.tmp" for pid in (dead.pid, os.getpid()))
    for path in (left, ours):
        path.write_bytes(b"half")
    with Store(str(tmp_path), "code").opened():
        assert (left.exists(), ours.exists()) == (False, True)


def test_a_claim_is_one_process_at_a_time_and_ends_with_it_however_it_ends(tmp_path):
    code = (
        "import sys, time\n"
        "from panshuffle.study.study_file import Entry\n"
        "from panshuffle.study.store import Store\n"
        "store = Store(sys.argv[1], 'code')\n"
        "with store.opened():\n"
        "    print(store.claim(Entry.of(sys.argv[2])), flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path), QUESTIONS[0].text]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "True\n"
        store = Store(str(tmp_path), "code")
        with store.opened():
            assert not store.claim(QUESTIONS[0])
            assert store.claim(QUESTIONS[1])
            other.kill()
            other.wait()
            assert store.claim(QUESTIONS[0])


# One run


def test_a_worker_that_dies_is_forgiven_and_a_question_that_kills_is_a_row(tmp_path):
    first, second = QUESTIONS[0].text, QUESTIONS[1].text
    crew = Crew({first: MOST_DEATHS - 1, second: 99})
    session = answered(tmp_path, QUESTIONS, crew)
    assert (crew.asked.count(first), crew.asked.count(second)) == (MOST_DEATHS, MOST_DEATHS)
    assert session.outcomes[first] == found()
    assert "died 3 times" in session.outcomes[second]["error"]
    assert session.store.get(QUESTIONS[1]) is None


def test_nothing_that_is_stored_is_asked_again(tmp_path):
    answered(tmp_path, QUESTIONS[:5], Crew())
    crew = Crew()
    session = answered(tmp_path, QUESTIONS, crew)
    assert set(crew.asked) == {question.text for question in QUESTIONS[5:]}
    assert (session.computed, len(session.outcomes)) == (3, 8)


def test_a_worker_that_is_killed_is_replaced():
    code = code_version()
    with local_workers(2, code) as workers:
        workers.give(QUESTIONS[0].text)
        workers.staff[0].child.process.kill()
        workers.staff[1].child.process.kill()
        workers.staff[1].child.process.wait()
        assert workers.take(30) == [(QUESTIONS[0].text, None)]
        for question in QUESTIONS[:2]:
            workers.give(question.text)
        results = []
        while len(results) < 2:
            results += workers.take(30)
    assert {text for text, _ in results} == {question.text for question in QUESTIONS[:2]}
    answers = {result["answer"]["exact"] for _, result in results if result["answer"]}
    assert answers == {str(least_coins(Fraction(1, 10))), str(least_coins(Fraction(1, 100)))}


def least_coins(delta):
    return next(l for l in range(1, 100) if binomial_delta(l, Fraction(1, 2), Fraction(1)) <= delta)


# The table


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


# From outside


def test_killed_three_times_it_goes_on_and_the_table_is_the_same(tmp_path, program):
    path, whole, killed = study(tmp_path), tmp_path / "whole.csv", tmp_path / "killed.csv"
    assert (
        program.run(path, "-o", whole, "--workers", "2").stdout
        == "33 questions: 33 computed, 0 from the store, 1 with an error\n"
    )
    seen = {}
    for goal in (3, 12, 20):
        process = program.start(path, "-o", killed, "--workers", "2")
        while len(entries(f"{killed}.store")) < goal and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = entries(f"{killed}.store")
        assert seen.items() <= now.items(), "a stored answer was computed again"
        seen = now
    assert not killed.exists()
    result = program.run(path, "-o", killed, "--workers", "2", "--json")
    done = json.loads(result.stdout)
    assert (done["computed"], done["stored"]) == (33 - len(seen), len(seen))
    assert seen.items() <= entries(f"{killed}.store").items()
    assert without_times(killed) == without_times(whole)


def test_two_studies_at_once_share_the_work(tmp_path, program):
    path, store = study(tmp_path), tmp_path / "store"
    outs = [tmp_path / f"{name}.jsonl" for name in "ab"]
    both = [program.start(path, "-o", out, "--store", store, "--workers", "1", "--json") for out in outs]
    done = [json.loads(process.communicate(timeout=100)[0]) for process in both]
    assert sum(one["computed"] for one in done) == 33
    assert without_times(outs[0]) == without_times(outs[1])


def test_a_cluster_with_a_killed_worker_gives_the_same_table(tmp_path, program):
    path, here, there = study(tmp_path), tmp_path / "here.parquet", tmp_path / "there.parquet"
    process = program.start(path, "-o", there, "--local-cluster", "2", "--json")
    while len(entries(f"{there}.store")) < 4 and process.poll() is None:
        time.sleep(0.01)
    children = psutil.Process(process.pid).children(recursive=True)
    workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    assert len(workers) == 2
    workers[0].kill()
    output, problems = process.communicate(timeout=100)
    assert json.loads(output)["computed"] == 33, problems
    assert program.run(path, "-o", here, "--workers", "2").returncode == 0
    assert without_times(there) == without_times(here)


def test_places_that_cannot_be_written_are_a_sentence(tmp_path, program):
    path = study(tmp_path, entry('at-delta = "1e-6"'))
    (tmp_path / "full.csv").symlink_to("/dev/full")
    cases = {
        ("-o", tmp_path / "none" / "x.csv"): "the file can't be written (No such file or directory)",
        ("-o", tmp_path / "x.txt"): "output must end in .parquet, .csv, .jsonl",
        ("-o", tmp_path / "x.csv", "--store", "/dev/null/store"): "the folder can't be written (Not a directory)",
        ("-o", tmp_path / "full.csv", "--store", tmp_path / "s"): "the file can't be written (No space left on device)",
        ("-o", tmp_path / "x.csv", "--scheduler", "no where"): "scheduler must be an address such as",
        ("-o", tmp_path / "x.csv", "--workers", "0"): "workers = 0 is not allowed",
        (): "a study needs --output",
    }
    for arguments, sentence in cases.items():
        result = program.run(path, *arguments)
        assert (result.returncode, result.stdout) == (2, "")
        assert sentence in result.stderr
        assert result.stderr.count("\n") == 1
    assert len(entries(tmp_path / "s")) == 1, "what was computed is kept"


def test_the_command_loads_what_it_needs_when_it_needs_it():
    code = (
        "import sys, panshuffle.main as m; m.parser()\n"
        "print([name for name in ('distributed', 'pyarrow', 'matplotlib', 'numpy', 'flint') if name in sys.modules])\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# The kept results


def kept(path):
    return read_table(str(ROOT / "examples" / "results" / f"{path.stem}.csv"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_kept_results_are_those_of_the_study(path, sweep_factor):
    questions, rows = read_study(str(path)).questions, kept(path)
    names = [name for name in rows[0] if name not in ("quantity", "protocol")]
    assert len(rows) == len(questions)
    for question, row in zip(questions, rows, strict=True):
        asked = row_of(question, found(answer=None), names)
        assert all(
            asked[name] == row[name]
            for name in ("quantity", "protocol", *dict(question.question.options))
            if name != "digits"
        )
    quick = [number for number, row in enumerate(rows) if row["seconds"] < 0.5]
    for number in quick[:: max(1, len(quick) // (10 * sweep_factor))]:
        again = row_of(questions[number], outcome(questions[number].question), names)
        assert {name: again[name] for name in COMPARED} == {name: rows[number][name] for name in COMPARED}


COMPARED = ("answer", "lower", "upper", "exact", "kind", "scope", "paper", "paper_slug", "error")


def test_kept_calibrations_of_the_binomial_mechanism_by_fractions():
    """delta(l) = sum of max(0, P - e^eps Q) over both directions, from the masses, with e^eps to 60 digits."""
    checked = 0
    for row in kept(ROOT / "examples" / "paper_against_truth.toml"):
        small = row["protocol"] == "binomial" and int(row["upper"]) < 200
        if small:
            p, eps, delta = (Fraction(row[name]) for name in ("p", "at-eps", "at-delta"))
            least = int(row["exact"])
            assert binomial_delta(least, p, eps) <= delta < binomial_delta(least - 1, p, eps)
            checked += 1
    assert checked > 20


def binomial_delta(l, p, eps):
    with mp.workdps(60):
        growth = Fraction(str(mp.exp(mp.mpf(eps.numerator) / eps.denominator)))
    masses = [Fraction(comb(l, i)) * p**i * (1 - p) ** (l - i) for i in range(l + 1)]
    first, second = [*masses, Fraction(0)], [Fraction(0), *masses]
    pairs = list(zip(first, second, strict=True))
    return max(sum(max(0, a - growth * b) for a, b in pairs), sum(max(0, b - growth * a) for a, b in pairs))


def test_the_kept_results_are_small_and_say_how_they_were_made():
    text = (ROOT / "examples" / "results" / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES:
        assert f"panshuffle study examples/{path.stem}.toml -o examples/results/{path.stem}.csv" in text
        result = ROOT / "examples" / "results" / f"{path.stem}.csv"
        assert result.stat().st_size < 200_000
        with result.open(encoding="utf-8") as stream:
            assert len({len(row) for row in csv.reader(stream)}) == 1


@pytest.mark.parametrize(("module", "extra"), [("pyarrow", "study"), ("distributed", "cluster")])
def test_a_missing_package_is_a_sentence_with_its_extra(monkeypatch, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=re.escape(f"install the extra panshuffle[{extra}]")):
        check_ending("out.parquet") if module == "pyarrow" else cluster_at("tcp://127.0.0.1:1", "code").__enter__()
