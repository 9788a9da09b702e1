"""The store of a study: what is kept, for which code, and what a killed writer leaves."""

import errno
import os
import subprocess
import sys

import pytest
from panshuffle.exact.errors import InputError

from panshuffle.study import sources
from panshuffle.study.answering import OTHER_CODE, answer_text
from panshuffle.study.session import Session
from panshuffle.study.sources import Watch, code_version
from panshuffle.study.store import Store
from tests.faces.small_studies import QUESTIONS, Crew, answered, asked, entries, found
from tests.programs import started


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
    dead.wait(120)
    (tmp_path / "ab").mkdir()
    left, ours = (tmp_path / "ab" / f".key.{pid}.tmp" for pid in (dead.pid, os.getpid()))
    for path in (left, ours):
        path.write_bytes(b"half")
    with Store(str(tmp_path), "code").opened():
        assert (left.exists(), ours.exists()) == (False, True)


def test_a_claim_is_one_process_at_a_time_and_ends_with_it_however_it_ends(tmp_path):
    code = (
        "import sys, time\n"
        "from panshuffle.question import Question\n"
        "from panshuffle.study.study_file import Entry\n"
        "from panshuffle.study.store import Store\n"
        "store = Store(sys.argv[1], 'code')\n"
        "with store.opened():\n"
        "    print(store.claim(Entry(Question.of_json(sys.argv[2]))), flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path), QUESTIONS[0].text]
    with started(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "True\n"
        store = Store(str(tmp_path), "code")
        with store.opened():
            assert not store.claim(QUESTIONS[0])
            assert store.claim(QUESTIONS[1])
            other.kill()
            other.wait()
            assert store.claim(QUESTIONS[0])
