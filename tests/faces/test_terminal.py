"""Terminal habits: help with examples, completion, quiet, interruption, and nothing half-written."""

import os
import pty
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from panshuffle.arguments import COMMANDS
from panshuffle.card import examples
from panshuffle.main import joined, parser, quieted
from tests.every import every
from tests.programs import started

PROGRAM = [sys.executable, "-m", "panshuffle"]


def printed(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def test_every_command_has_an_example_that_parses():
    for name in COMMANDS:
        found = [*examples(name), *COMMANDS[name].examples]
        assert found, name
        for example in found:
            assert parser().parse_args(joined(quieted(shlex.split(example)))).command == name


@every("name", COMMANDS)
def test_help_shows_the_examples_and_what_json_gives(name, capsys):
    with pytest.raises(SystemExit) as end:
        parser().parse_args([name, "--help"])
    text = capsys.readouterr().out
    assert end.value.code == 0
    assert "examples:" in text
    assert all(f"panshuffle {example}" in text for example in (*examples(name), *COMMANDS[name].examples))


def test_completion_for_bash_completes_protocols_and_options():
    script = printed(*PROGRAM, "completion", "bash")
    ask = '\nCOMP_WORDS=(panshuffle privacy uni); COMP_CWORD=2; _panshuffle; echo "${COMPREPLY[@]}"'
    ask += '\nCOMP_WORDS=(panshuffle cal); COMP_CWORD=1; _panshuffle; echo "${COMPREPLY[@]}"'
    ask += '\nCOMP_WORDS=(panshuffle crosscheck --sam); COMP_CWORD=2; _panshuffle; echo "${COMPREPLY[@]}"'
    shell = shutil.which("bash") or "bash"
    answer = printed(shell, "-c", script + ask)
    assert answer.splitlines() == ["uniformity", "calibrate", "--samples"]


@pytest.mark.parametrize(("shell", "words"), [("zsh", "bashcompinit"), ("fish", "complete -c panshuffle")])
def test_other_shells_have_scripts(shell, words):
    assert words in printed(*PROGRAM, "completion", shell)


def on_terminal(command, tmp_path, **environment):
    """What a command writes to a terminal as its standard error."""
    leader, follower = pty.openpty()
    more = {"cwd": tmp_path, "env": dict(os.environ, **environment)}
    text = b""
    with started([*PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=follower, **more) as process:
        os.close(follower)
        while True:
            try:
                chunk = os.read(leader, 65536)
            except OSError:
                break
            if not chunk:
                break
            text += chunk
        assert process.wait() == 0
    os.close(leader)
    return text.decode()


SAMPLES = (
    "sample",
    "distinct-elements",
    "--n",
    "30",
    "--k",
    "5",
    "--eps",
    "1",
    "--m",
    "20",
    "--distinct",
    "2",
    "--runs",
    "12",
)


def test_progress_is_shown_on_a_terminal_only_and_not_with_quiet(tmp_path):
    assert "distinct-elements" in on_terminal(SAMPLES, tmp_path)
    assert on_terminal(("--quiet", *SAMPLES), tmp_path) == ""
    assert on_terminal((*SAMPLES, "--quiet"), tmp_path) == ""
    piped = subprocess.run([*PROGRAM, *SAMPLES], capture_output=True, text=True, check=True, timeout=120)
    assert piped.stderr == ""
    assert "\x1b" not in piped.stdout


def test_no_color_is_obeyed(tmp_path):
    coloured = on_terminal(SAMPLES, tmp_path, TERM="xterm-256color")
    plain = on_terminal(SAMPLES, tmp_path, TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b[38;" in coloured or "\x1b[3" in coloured
    assert "\x1b[38;" not in plain
    assert "\x1b[36m" not in plain


def test_an_interrupt_ends_with_130_and_leaves_nothing_half_written(tmp_path):
    command = [*PROGRAM, *SAMPLES[:-1], "1000000", "-o", "runs.jsonl"]
    with started(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list(Path(tmp_path).glob(".runs.jsonl.*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "panshuffle: interrupted\n")
    assert list(Path(tmp_path).iterdir()) == []
