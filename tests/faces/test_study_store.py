"""The store of a study: what is kept, for which code, and what a killed writer leaves."""

import errno
import json
import os
import subprocess
import sys
from hashlib import sha256

import pytest
from panshuffle.exact.errors import InputError

from panshuffle.study import engine
from panshuffle.study.engine import answer_text, code_version, confirm
from panshuffle.study.store import Store
from tests.faces.small_studies import QUESTIONS, asked, found, lines_of
from tests.programs import started

TEXTS = [question.text for question in QUESTIONS]


def filled(folder, texts=TEXTS, code="code"):
    with Store(str(folder), code) as store:
        for text in texts:
            store.put(text, found())


def test_changed_sources_are_another_version(tmp_path, monkeypatch):
    package = tmp_path / "exact"
    package.mkdir()
    module = package / "number.py"
    module.write_text("ONE = 1\n", encoding="utf-8")
    monkeypatch.setattr(engine, "folders", lambda: {"panshuffle/exact": package})
    monkeypatch.setattr(engine, "LOADED", {})
    first = code_version()
    confirm(first)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "number.cpython-311.pyc").write_bytes(b"x")
    assert code_version() == first
    module.write_text("ONE = 2\n", encoding="utf-8")
    assert code_version() != first
    monkeypatch.setitem(sys.modules, "a_module_that_is_loaded_later", sys)
    for content in ("ONE = 2\n", "ONE = 1\n"):  # what is loaded may be a mixture
        module.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match="other sources"):
            confirm(first)


def test_the_version_is_of_all_packages_that_answers_come_from():
    there = {name: sum(1 for _ in folder.rglob("*.py")) for name, folder in engine.folders().items()}
    assert set(there) == {
        "panshuffle",
        *(f"panshuffle/{name}" for name in ("exact", "symbolic", "proofs", "protocols")),
    }
    assert min(there.values()) > 5


def test_a_worker_of_another_version_refuses():
    with pytest.raises(InputError, match="a worker has other sources of panshuffle"):
        answer_text(TEXTS[0], "other")


def test_equal_questions_have_one_line():
    one, same = ({"l": "1", "at-eps": "2"}, {"at-eps": "2", "l": "1"})
    assert asked("privacy", "binomial", one).text == asked("privacy", "binomial", same).text
    assert len(set(TEXTS)) == len(TEXTS)


def test_the_store_gives_back_what_was_put_for_this_code_only(tmp_path):
    filled(tmp_path, TEXTS[:2])
    filled(tmp_path, TEXTS[2:3], code="other")
    with Store(str(tmp_path), "code") as store:
        assert store.outcomes == {text: found() for text in TEXTS[:2]}
        assert store.damaged == 0
    with Store(str(tmp_path), "third") as store:
        assert store.outcomes == {}


OTHER_BODY = json.dumps([1]).encode()


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line.replace(b"0.5", b"0.6"),
        lambda line: line[:9] + line[10:],
        lambda line: b"\0" * (len(line) - 1) + b"\n",
        lambda line: sha256(OTHER_BODY).hexdigest().encode() + b" " + OTHER_BODY + b"\n",
    ],
)
def test_a_damaged_answer_is_noticed_and_is_not_there(tmp_path, damage):
    filled(tmp_path)
    lines = lines_of(tmp_path)
    (tmp_path / "answers").write_bytes(b"".join([*lines[:3], damage(lines[3]), *lines[4:]]))
    with Store(str(tmp_path), "code") as store:
        assert store.damaged == 1
        assert set(TEXTS) - set(store.outcomes) == {TEXTS[3]}
        store.put(TEXTS[3], found())
    with Store(str(tmp_path), "code") as store:
        assert (store.damaged, set(store.outcomes)) == (0, set(TEXTS))


def test_half_a_line_of_a_killed_writer_is_no_damage_and_nothing_else_is_lost(tmp_path):
    filled(tmp_path, TEXTS[:3])
    whole = (tmp_path / "answers").read_bytes()
    last = len(lines_of(tmp_path)[-1])
    for cut in (1, 70, last - 1):
        (tmp_path / "answers").write_bytes(whole[:-cut])
        with Store(str(tmp_path), "code") as store:
            assert (store.damaged, list(store.outcomes)) == (0, TEXTS[:2])
            store.put(TEXTS[3], found())
        with Store(str(tmp_path), "code") as store:
            assert list(store.outcomes) == [*TEXTS[:2], TEXTS[3]]


@pytest.mark.parametrize("broken", ["os.write", "os.fsync"])
def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path, monkeypatch, broken):
    def full(handle, *content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Store(str(tmp_path), "code") as store:
        store.put(TEXTS[0], found())
        monkeypatch.setattr(broken, full)
        with pytest.raises(InputError, match=r"No space left on device.*the 1 answers of this run are safe"):
            store.put(TEXTS[1], found())
        monkeypatch.undo()
    with Store(str(tmp_path), "code") as store:
        assert store.outcomes[TEXTS[0]] == found()


def test_a_store_is_one_process_at_a_time_and_free_when_that_ends_however_it_ends(tmp_path):
    code = (
        "import sys, time\n"
        "from panshuffle.study.store import Store\n"
        "with Store(sys.argv[1], 'code'):\n"
        "    print('open', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with started([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(InputError, match="another study is using it"), Store(str(tmp_path), "code"):
            pass
        other.kill()
        other.wait()
        filled(tmp_path)
    assert len(lines_of(tmp_path)) == len(TEXTS)
