"""A study as a program: killed, shared, on a cluster, with nowhere to write."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from fractions import Fraction

import psutil
import pytest
from panshuffle.exact.errors import InputError

from panshuffle.main import main
from panshuffle.study import sources
from panshuffle.study.answering import answer_text
from panshuffle.study.cluster import cluster_at
from panshuffle.study.session import MOST_DEATHS
from panshuffle.study.sources import code_version
from panshuffle.study.table import check_ending, read_table
from panshuffle.study.workers import local_workers
from tests.conftest import FULL
from tests.faces.small_studies import (
    PANSHUFFLE,
    QUESTIONS,
    ROOT,
    Crew,
    answered,
    binomial_delta,
    entries,
    entry,
    found,
    study,
)
from tests.programs import started

TIMES = ("seconds",)


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
        return started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **self.more)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("copy"))


def without_times(path):
    return [{name: cell for name, cell in row.items() if name not in TIMES} for row in read_table(str(path))]


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
        deadline = time.monotonic() + 120
        while len(results) < 2 and time.monotonic() < deadline:
            results += workers.take(30)
    assert {text for text, _ in results} == {question.text for question in QUESTIONS[:2]}
    answers = {result["answer"]["exact"] for _, result in results if result["answer"]}
    assert answers == {str(least_coins(Fraction(1, 10))), str(least_coins(Fraction(1, 100)))}


def least_coins(delta):
    return next(l for l in range(1, 100) if binomial_delta(l, Fraction(1, 2), Fraction(1)) <= delta)


def test_killed_again_and_again_it_goes_on_and_the_table_is_the_same(tmp_path, program):
    path, whole, killed = study(tmp_path), tmp_path / "whole.csv", tmp_path / "killed.csv"
    assert (
        program.run(path, "-o", whole, "--workers", "2").stdout
        == "33 questions: 33 computed, 0 from the store, 1 with an error\n"
    )
    seen = {}
    for goal in (3, 12, 20) if FULL else (3, 20):
        with program.start(path, "-o", killed, "--workers", "2") as process:
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
    first, second = (program.start(path, "-o", out, "--store", store, "--workers", "1", "--json") for out in outs)
    with first as one, second as other:
        done = [json.loads(process.communicate()[0]) for process in (one, other)]
    assert sum(one["computed"] for one in done) == 33
    assert without_times(outs[0]) == without_times(outs[1])


def test_a_cluster_answers_as_we_do():
    """A scheduler and a worker in threads of this process, on loopback."""
    import distributed

    code, texts = code_version(), [question.text for question in QUESTIONS[:3]]
    local = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with (
        distributed.LocalCluster(**local, protocol="tcp", host="127.0.0.1") as there,
        cluster_at(there.scheduler_address, code) as cluster,
    ):
        for text in texts:
            cluster.give(text)
        found, end = [], time.monotonic() + 120
        while len(found) < len(texts) and time.monotonic() < end:
            found += cluster.take(1)
    assert {text: result["answer"] for text, result in found} == {
        text: answer_text(text, code)["answer"] for text in texts
    }


if FULL:  # how long a cluster takes to miss a worker, and to start another, is its own affair

    def test_a_cluster_with_a_killed_worker_gives_the_same_table(tmp_path, program):
        path, here, there = study(tmp_path), tmp_path / "here.parquet", tmp_path / "there.parquet"
        with program.start(path, "-o", there, "--local-cluster", "2", "--json") as process:
            while len(entries(f"{there}.store")) < 4 and process.poll() is None:
                time.sleep(0.01)
            children = psutil.Process(process.pid).children(recursive=True)
            workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
            assert len(workers) == 2
            workers[0].kill()
            output, problems = process.communicate()
            assert (process.returncode, problems) == (0, "")
        assert json.loads(output)["computed"] == 33
        assert program.run(path, "-o", here, "--workers", "2").returncode == 0
        assert without_times(there) == without_times(here)


def test_places_that_cannot_be_written_are_a_sentence(tmp_path, capsys):
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
        with pytest.raises(SystemExit) as end:
            main(["study", path, *map(str, arguments)])
        out, err = capsys.readouterr()
        assert (end.value.code, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1
    assert len(entries(tmp_path / "s")) == 1, "what was computed is kept"


def test_the_command_loads_what_it_needs_when_it_needs_it():
    code = (
        "import sys, panshuffle.main as m; m.parser()\n"
        "print([name for name in ('distributed', 'pyarrow', 'matplotlib', 'numpy', 'flint') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("module", "extra"), [("pyarrow", "study"), ("distributed", "cluster")])
def test_a_missing_package_is_a_sentence_with_its_extra(monkeypatch, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=re.escape(f"install the extra panshuffle[{extra}]")):
        check_ending("out.parquet") if module == "pyarrow" else cluster_at("tcp://127.0.0.1:1", "code").__enter__()
