"""Processes of our own: asked with a deadline, ended with all that they started, and with whoever started them."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from panshuffle.exact.child import CHUNK, GUARD, Child, Ended, Late, TooLong, in_copy

from tests.programs import started

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
FAMILY = "import subprocess, sys, time; other = subprocess.Popen(['sleep', '600']); print(other.pid, flush=True)\n"


def python(code, foreign=True):
    return Child([sys.executable, "-c", code], foreign)


def alive(pid):
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def waited(condition, seconds=20.0):
    """Whether a condition holds before so many seconds have passed."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def gone(pid):
    return waited(lambda: not alive(pid))


def guarded(group):
    """Whether a process waits to end a group."""
    ending = f"{GUARD}\0{group}\0"
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if file.read_text().endswith(ending):
                return True
    return False


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("foreign", [True, False])
def test_a_child_answers_and_leaves_nothing_behind(foreign):
    before = descriptors()
    with python(ECHO, foreign) as child:
        assert child.ask({"a": [1, "é\n"]}, 20.0) == {"a": [1, "é\n"]}
        long = "x" * (5 * CHUNK)
        assert child.ask(long, 20.0) == long
        assert child.running
    assert child.process.returncode == -signal.SIGKILL
    assert descriptors() == before
    child.end()
    with pytest.raises(ChildProcessError):
        os.waitpid(child.process.pid, os.WNOHANG)


def test_what_does_not_read_or_answer_is_late_and_can_be_asked_again():
    with python("import time; time.sleep(0.5); print('now', flush=True); time.sleep(600)") as child:
        start = time.monotonic()
        with pytest.raises(Late):
            child.send(b"x" * (100 * CHUNK), 0.1)
        with pytest.raises(Late):
            child.line(0.0)
        assert time.monotonic() - start < 5
        assert child.line(20.0) == b"now"


def test_what_has_ended_or_floods_is_told():
    with python("import sys; sys.exit('sorry\\nno more of it')") as child:
        with pytest.raises(Ended):
            child.line(20.0)
        with pytest.raises(Ended):
            child.send(b"x" * (100 * CHUNK), 20.0)
        assert (child.status(), child.last_words()) == (1, "no more of it")
        assert not child.running
    with Child(["cat", "/dev/zero"], foreign=True) as child, pytest.raises(TooLong):
        child.line(20.0, 10 * CHUNK)


@pytest.mark.parametrize("command", [["/no/such/program"], ["a\0b"], ["/"]])
def test_a_command_that_cannot_be_started_leaves_nothing_behind(command):
    before = descriptors()
    with pytest.raises((OSError, ValueError)):
        Child(command, foreign=True)
    assert descriptors() == before


@pytest.mark.parametrize("foreign", [True, False])
def test_the_whole_group_ends(foreign):
    with python(FAMILY + "time.sleep(600)", foreign) as child:
        other = int(child.line(20.0))
        assert alive(other)
    assert gone(other)
    with python(FAMILY + "sys.stdin.read()", foreign) as child:
        other = int(child.line(20.0))
        child.end(grace=10.0)
        assert child.process.returncode == 0
    assert gone(other)


OWNER = """
import sys, time
from panshuffle.exact.child import Child
child = Child([sys.executable, "-c", {code!r}], foreign=True)
print(child.process.pid, child.line(20.0).decode(), flush=True)
time.sleep(600)
"""


def test_a_foreign_program_ends_with_a_parent_that_is_killed():
    code = "import subprocess, time; print(subprocess.Popen(['sleep', '600']).pid, flush=True); time.sleep(600)"
    with started([sys.executable, "-c", OWNER.format(code=code)], stdout=subprocess.PIPE) as owner:
        child, other = map(int, owner.stdout.readline().split())
        assert alive(child) and alive(other)
        owner.kill()
    assert gone(child)
    assert gone(other)


MODULE = """
import os, subprocess, sys, time
from panshuffle.exact.child import in_copy, own_pipes
requests, replies = own_pipes(sys.argv[1])
print("lost")
for line in requests:
    def work():
        replies.write(f"{os.getpid()} {subprocess.Popen(['sleep', '600']).pid}\\n")
        time.sleep(600)
    replies.write(f"{os.getpid()} {sys.argv[2:]}\\n")
    in_copy(work, foreign=True)
"""


def test_a_module_of_ours_ends_with_its_parent_and_sees_nothing_of_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit(3)")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "program.py").write_text(MODULE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "elsewhere"), prepend=os.pathsep)
    monkeypatch.chdir(tmp_path)
    owner = "from panshuffle.exact.child import Child\nimport time\nchild = Child.of_module('program', 'argument')\n"
    owner += "child.send(b'go\\n', 20.0)\nprint(child.line(20.0).decode(), flush=True)\n"
    owner += "print(child.line(20.0).decode(), flush=True)\ntime.sleep(600)"
    with started([sys.executable, "-P", "-c", owner], stdout=subprocess.PIPE, text=True) as process:
        first, second = process.stdout.readline(), process.stdout.readline()
        assert first.endswith(" ['argument']\n")
        pids = int(first.split()[0]), *map(int, second.split())
        assert len(pids) == 3 and all(map(alive, pids))
        assert waited(lambda: guarded(pids[1]))
        process.kill()
    assert all(map(gone, pids))


def test_a_copy_answers_is_limited_and_ends_with_its_group():
    before = descriptors()
    assert in_copy(lambda: {"answer": 42}) == ({"answer": 42}, 0)
    assert in_copy(lambda: os._exit(7)) == (None, 7)
    assert in_copy(lambda: os.kill(os.getpid(), signal.SIGKILL)) == (None, -signal.SIGKILL)
    assert in_copy(lambda: 1 / 0) == (None, 1)
    assert in_copy(lambda: "x" * (5 * CHUNK), 20.0) == ("x" * (5 * CHUNK), 0)
    started = time.monotonic()
    with pytest.raises(Late):
        in_copy(lambda: time.sleep(600), 0.2)
    assert time.monotonic() - started < 10
    for foreign in (True, False):
        pid, _ = in_copy(lambda: subprocess.Popen(["sleep", "600"]).pid, 20.0, foreign)
        assert gone(pid)
    assert descriptors() == before


def test_a_copy_of_the_owner_does_not_end_the_child():
    with python(ECHO) as child:
        found, _ = in_copy(lambda: [child.running, child.end()])
        assert found == [False, None]
        assert child.ask(json.dumps(1), 20.0) == "1"
