"""A study as a program: killed, interrupted, shared, on a cluster, with nowhere to write."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import distributed
import psutil
import pytest
from panshuffle.exact.errors import InputError

from panshuffle.main import main
from panshuffle.study import engine
from panshuffle.study.engine import DIED, answer_text, code_version, outcome, outcomes, workers_at, workers_here
from panshuffle.study.study_file import read_study
from panshuffle.study.table import check_ending, read_table, rows_of, write_table
from tests.faces.small_studies import PANSHUFFLE, QUESTIONS, ROOT, entry, found, lines_of, study
from tests.programs import started

TEXTS = [question.text for question in QUESTIONS]


def command(*arguments):
    return [*PANSHUFFLE, "study", *map(str, arguments)]


def run(*arguments):
    return subprocess.run(command(*arguments), capture_output=True, check=False, timeout=120, text=True, cwd=ROOT)


def start(*arguments):
    return started(command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def without_times(path):
    return [{name: cell for name, cell in row.items() if name != "seconds"} for row in read_table(str(path))]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table of the small study, without any worker."""
    folder = tmp_path_factory.mktemp("whole")
    questions = read_study(study(folder)).questions
    answers = {entry.text: outcome(entry.question) for entry in questions}
    write_table(str(folder / "whole.csv"), rows_of(questions, answers, code_version()))
    return without_times(folder / "whole.csv")


def until(process, store, goal):
    """Waits until a store has as many lines; gives the process and those that it has started."""
    while len(lines_of(store)) < goal:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    return [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]


def test_killed_again_and_again_it_goes_on_and_the_table_is_the_same(tmp_path, whole):
    path, killed = study(tmp_path), tmp_path / "killed.csv"
    before = []
    for goal in (3, 20):
        with start(path, "-o", killed, "--workers", "1") as process:
            family = until(process, f"{killed}.store", goal)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        assert not psutil.wait_procs(family, timeout=20)[1], "its workers end with it"
        now = lines_of(f"{killed}.store")
        assert now[: len(before)] == before, "nothing that was written is lost or computed again"
        before = now
    assert not killed.exists()
    done, kept = run(path, "-o", killed, "--workers", "2").stdout, len(before)
    assert done == f"33 questions: {33 - kept} computed, {kept} from the store, 1 with an error\n"
    assert lines_of(f"{killed}.store")[: len(before)] == before
    assert without_times(killed) == whole


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_no_process_and_what_it_has_stored(tmp_path, sent):
    with start(study(tmp_path), "-o", tmp_path / "x.csv", "--workers", "2") as process:
        family = until(process, tmp_path / "x.csv.store", 2)
        process.send_signal(sent)
        _, problems = process.communicate()
    assert process.returncode in (128 + sent, -sent)
    assert problems == ("panshuffle: interrupted\n" if sent == signal.SIGINT else "")
    assert not psutil.wait_procs(family, timeout=20)[1]
    assert len(lines_of(tmp_path / "x.csv.store")) >= 2


def test_a_killed_worker_changes_nothing(tmp_path, whole):
    out = tmp_path / "out.csv"
    with start(study(tmp_path), "-o", out, "--workers", "2", "--json") as process:
        family = until(process, f"{out}.store", 2)
        workers = [one for one in family if "spawn_main" in " ".join(one.cmdline())]
        assert len(workers) == 2
        workers[0].kill()
        output, problems = process.communicate()
    assert (process.returncode, problems) == (0, "")
    assert json.loads(output)["computed"] == 33
    assert without_times(out) == whole


def deadly(text, code):
    """A worker's answer to any question but one, which kills it."""
    if text == TEXTS[1]:
        os._exit(1)
    return found()


def test_a_question_that_kills_its_workers_is_a_row_that_is_not_kept(monkeypatch):
    monkeypatch.setattr(engine, "answer_text", deadly)
    with workers_here(1) as client:
        answers = dict(outcomes(client, TEXTS[:3], "code"))
    assert [answers[text]["error"] for text in TEXTS[:3]] == [None, DIED, None]
    assert (answers[TEXTS[1]]["lasting"], answers[TEXTS[0]]) == (False, found())
    assert "died 3 times" in DIED


def test_a_second_study_on_a_store_is_told_to_wait(tmp_path):
    path, store = study(tmp_path), tmp_path / "store"
    with start(path, "-o", tmp_path / "a.csv", "--store", store, "--workers", "1") as first:
        until(first, store, 1)
        second = run(path, "-o", tmp_path / "b.csv", "--store", store)
        assert (second.returncode, second.stderr) == (
            2,
            f"panshuffle: store {store}: another study is using it; wait until that has ended\n",
        )
        first.kill()
    assert not (tmp_path / "b.csv").exists()


LOCAL = {"processes": False, "dashboard_address": "127.0.0.1:0", "protocol": "tcp", "host": "127.0.0.1"}


@pytest.fixture
def cluster():
    """A scheduler and a worker in threads of this process, on loopback."""
    with distributed.LocalCluster(**LOCAL, n_workers=1, threads_per_worker=1) as there:
        yield there


def test_a_cluster_answers_as_we_do(cluster):
    code = code_version()
    with workers_at(cluster.scheduler_address) as client:
        found = {text: one["answer"] for text, one in outcomes(client, TEXTS[:5], code)}
        assert found == {text: answer_text(text, code)["answer"] for text in TEXTS[:5]}
        with pytest.raises(InputError, match="other sources"):
            list(outcomes(client, TEXTS[:1], "another version"))


def test_a_cluster_without_workers_or_that_goes_away_is_a_sentence(cluster, monkeypatch):
    monkeypatch.setattr("panshuffle.study.engine.CONNECT_SECONDS", 1)
    with workers_at(cluster.scheduler_address) as client:
        running = outcomes(client, TEXTS, code_version())
        next(running)
        cluster.close()
        with pytest.raises(InputError, match="the scheduler is gone; what is stored is safe"):
            list(running)
    with (
        distributed.LocalCluster(**LOCAL, n_workers=0) as empty,
        pytest.raises(InputError, match="the scheduler has no workers"),
        workers_at(empty.scheduler_address),
    ):
        pass


def test_places_that_cannot_be_written_are_a_sentence(tmp_path, capsys):
    path = study(tmp_path, entry('at-delta = "1e-6"'))
    (tmp_path / "full.csv").symlink_to("/dev/full")
    (tmp_path / "taken" / "answers").mkdir(parents=True)
    cases = {
        ("-o", tmp_path / "none" / "x.csv"): "the file can't be written (No such file or directory)",
        ("-o", tmp_path / "x.txt"): "output must end in .parquet, .csv, .jsonl",
        ("-o", tmp_path / "x.csv", "--store", "/dev/null/store"): "the folder can't be written (Not a directory)",
        ("-o", tmp_path / "x.csv", "--store", tmp_path / "taken"): "the folder can't be written (Is a directory)",
        ("-o", tmp_path / "full.csv", "--store", tmp_path / "s"): "the file can't be written (No space left on device)",
        ("-o", tmp_path / "x.csv", "--scheduler", "no where"): "scheduler must be an address such as",
        ("-o", tmp_path / "x.csv", "--workers", "0"): "workers = 0 is not allowed",
        ("-o", tmp_path / "x.csv", "--workers", "1", "--scheduler", "a:1"): "--workers and --scheduler exclude each",
        (): "a study needs --output",
    }
    for arguments, sentence in cases.items():
        with pytest.raises(SystemExit) as end:
            main(["study", path, *map(str, arguments)])
        out, err = capsys.readouterr()
        assert (end.value.code, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1
    assert len(lines_of(tmp_path / "s")) == 1, "what was computed is kept"


def test_the_command_loads_what_it_needs_when_it_needs_it():
    code = (
        "import sys, panshuffle.main as m; m.parser()\n"
        "print([name for name in ('distributed', 'pyarrow', 'matplotlib', 'numpy', 'flint') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("module", ["pyarrow", "distributed"])
def test_a_missing_package_is_a_sentence_with_its_extra(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=re.escape("install the extra panshuffle[study]")):
        check_ending("out.parquet") if module == "pyarrow" else workers_at("tcp://127.0.0.1:1").__enter__()
