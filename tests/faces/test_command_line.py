"""The command line as its user sees it: every protocol runs, and bad input gets one sentence and status 2."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from panshuffle.arguments import PROTOCOLS
from panshuffle.main import main
from tests.conftest import FULL
from tests.every import every
from tests.programs import started

SMALL = {
    "binomial": "--n 3 --l 4 --uniform",
    "poisson-binomial": "--n 3 --m 2 --p 1/3 --uniform",
    "binary-sum": "--n 4 --p 3/4 --ones 1",
    "modular-sum": "--n 3 --m 3 --uniform",
    "distinct-elements": "--n 3 --k 2 --exp-eps 2 --delta 1/4 --distinct 2",
    "hashed-distinct-elements": "--n 3 --k 90 --eps 1 --delta 0.01 --distinct 3",
    "uniformity": "--n 4 --k 3 --lam 5/2 --paired 1/4",
    "compressed-uniformity": "--n 4 --k 7 --k-hat 3 --lam 2 --uniform",
    "pan-sum": "--n 4 --lam 3 --uniform",
    "pan-histogram": "--n 4 --k 2 --lam 3 --uniform",
    "shuffle-histogram": "--n 4 --k 2 --p 0.9 --uniform",
    "pan-distinct-elements": "--n 7 --k 2 --eps 1 --m 3 --uniform",
    "pan-uniformity": "--n 6 --k 2 --lam 3 --uniform",
    "randomized-or": "--n 2 --eps 1 --ones 1",
    "two-bit-sum": "--n 4 --p 1/4 --uniform",
    "geometric-distinct-elements": "--n 4 --k 9 --eps 0.5 --distinct 3",
}
LEAST = {
    "binomial": "--n 1 --l 1 --uniform",
    "poisson-binomial": "--n 1 --m 1 --p 1e-9 --uniform",
    "binary-sum": "--n 1 --p 1 --ones 1",
    "modular-sum": "--n 1 --m 1 --uniform",
    "distinct-elements": "--n 1 --k 1 --eps 1e-400 --delta 0.999 --uniform",
    "hashed-distinct-elements": "--n 1 --k 1 --eps 1 --delta 0.01 --uniform",
    "uniformity": "--n 1 --k 1 --lam 1e-9 --uniform",
    "compressed-uniformity": "--n 1 --k 1 --eps 1 --delta 0.1 --alpha 0.5 --uniform",
    "pan-sum": "--n 1 --lam 1 --uniform --t 0",
    "pan-histogram": "--n 1 --k 1 --lam 1 --uniform --t 1",
    "shuffle-histogram": "--n 1 --k 1 --p 0 --uniform",
    "pan-distinct-elements": "--n 1 --k 1 --eps 1 --m 1 --uniform --t 0",
    "pan-uniformity": "--n 3 --k 1 --lam 1 --uniform --t 1",
    "randomized-or": "--n 1 --eps 1000 --ones 0",
    "two-bit-sum": "--n 1 --p 0 --uniform",
    "geometric-distinct-elements": "--n 1 --k 1 --eps 1e-30 --uniform",
}
REALISTIC = {
    "binomial": "--n 50 --l 1000000000 --uniform",
    "poisson-binomial": "--n 1000 --m 4 --p 0.4 --uniform --gamma 1/2",
    "binary-sum": "--n 2000 --eps 1 --delta 1e-6 --ones 100 --gamma 1/2",
    "modular-sum": "--n 1000 --m 30 --uniform --gamma 1/10",
    "distinct-elements": "--n 200 --k 20 --eps 1 --delta 1e-6 --distinct 11 --gamma 1/2",
    "hashed-distinct-elements": "--n 30 --k 1000000 --eps 1 --delta 1e-6 --distinct 10 --gamma 1/3",
    "uniformity": "--n 1000 --k 50 --eps 1 --delta 1e-6 --uniform --gamma 1/2",
    "compressed-uniformity": "--n 500 --k 200 --eps 0.5 --delta 1e-6 --alpha 0.3 --paired 0.3 --gamma 1/2",
    "pan-sum": "--n 1000 --eps 0.1 --delta 1e-9 --uniform --t 500",
    "pan-histogram": "--n 500 --k 100 --eps 1 --delta 1e-6 --uniform --t 250",
    "shuffle-histogram": "--n 1500 --k 20 --eps 1 --delta 1e-6 --uniform --gamma 1/3",
    "pan-distinct-elements": "--n 90 --k 20 --eps 1 --delta 1e-6 --uniform --t 10",
    "pan-uniformity": "--n 300 --k 50 --eps 1 --delta 1e-6 --uniform --t 33",
    "randomized-or": "--n 1000 --eps 0.01 --ones 0",
    "two-bit-sum": "--n 1000 --p 0.1 --uniform --gamma 3/4",
    "geometric-distinct-elements": "--n 1000 --k 300 --eps 0.1 --distinct 200",
}


COMMAND = [sys.executable, "-m", "panshuffle"]


def lines(capsys, arguments):
    """The JSON lines of a command that succeeds."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    captured = capsys.readouterr()
    assert (end.value.code, captured.err) == (0, "")
    return [json.loads(line) for line in captured.out.splitlines()]


def refusal(capsys, arguments):
    """The sentence of a command that is refused."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    captured = capsys.readouterr()
    assert end.value.code == 2
    assert captured.out == ""
    assert captured.err.startswith("panshuffle: ")
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize("size", [SMALL, LEAST, REALISTIC], ids=["small", "least", "realistic"])
@pytest.mark.parametrize("name", PROTOCOLS)
def test_sample_runs_every_protocol(capsys, name, size):
    arguments, runs = ["sample", name, *size[name].split(), "--seed", "1"], 2 if FULL or size is not REALISTIC else 1
    found = lines(capsys, [*arguments, "--runs", str(runs)])
    assert len(found) == runs
    assert all("output" in line for line in found)
    assert runs == 1 or found[:1] == lines(capsys, arguments)


SHUFFLE = [name for name in PROTOCOLS if "--gamma" in REALISTIC[name]]


@pytest.mark.parametrize("name", SHUFFLE)
def test_messages_agree_with_pools_and_analyzer(capsys, tmp_path, name):
    (line,) = lines(capsys, ["sample", name, *SMALL[name].split(), "--messages"])
    counted = {label: [0, 0] for label in line["pools"]}
    for message in line["messages"]:
        label, bit = message if isinstance(message, list) else (1, message)
        counted[str(label)][bit] += 1
    assert counted == line["pools"]
    path = tmp_path / "messages.jsonl"
    parameters = [word for word in SMALL[name].split() if word != "--uniform"]
    for option in ("--ones", "--distinct", "--paired"):
        if option in parameters:
            del parameters[parameters.index(option) : parameters.index(option) + 2]
    for shown in ({"messages": line["messages"]}, {"pools": line["pools"]}):
        path.write_text(json.dumps(shown) + "\n")
        assert lines(capsys, ["analyze", name, *parameters, "--input", str(path)]) == [{"output": line["output"]}]


@every("name", [*SHUFFLE, "pan-distinct-elements", "pan-uniformity"])
def test_approximate_lines_have_the_same_shape(capsys, name):
    arguments = ["sample", name, *SMALL[name].split(), *(["--t", "1"] if name.startswith("pan-") else [])]
    (exact,), (approximate,) = lines(capsys, arguments), lines(capsys, [*arguments, "--approximate"])
    assert exact.keys() == approximate.keys()
    shown, simulated = (line.get("pools") or line["state"]["pools"] for line in (exact, approximate))
    assert shown.keys() == simulated.keys()
    if name not in ("uniformity", "compressed-uniformity", "pan-uniformity"):
        assert [sum(pool) for pool in shown.values()] == [sum(pool) for pool in simulated.values()]


def test_a_file_of_all_users_or_of_those_who_take_part(capsys, tmp_path):
    path = tmp_path / "data.txt"
    command = ["sample", "distinct-elements", "--n", "4", "--k", "3", "--eps", "1", "--m", "2", "--gamma", "1/2"]
    for text in ("1\n3\n2\n2\n", "1 3", "[1, 3, 2, 2]", "1,3\n"):
        path.write_text(text)
        (line,) = lines(capsys, [*command, "--input", str(path)])
        assert [sum(pool) for pool in line["pools"].values()] == [4, 4, 4]


DE = "sample distinct-elements --n 4 --k 2 --m 3"
REFUSED = {
    "n = 0": "sample distinct-elements --n 0 --k 2 --eps 1 --m 3 --uniform",
    "gamma = 0": f"{DE} --eps 1 --uniform --gamma 0",
    "gamma*n": f"{DE} --eps 1 --uniform --gamma 0.3",
    "above 0 and at most 1": f"{DE} --eps 1 --uniform --gamma 5/4",
    "delta = 0": f"{DE} --eps 1 --delta 0 --uniform",
    "delta = 1 ": f"{DE} --eps 1 --delta 1 --uniform",
    "eps = 0": f"{DE} --eps 0 --uniform",
    "eps = -1": f"{DE} --eps -1 --uniform",
    "eps = nan": f"{DE} --eps nan --uniform",
    "eps = inf": f"{DE} --eps inf --uniform",
    "k = 0": "sample distinct-elements --n 4 --k 0 --eps 1 --m 3 --uniform",
    "whole number": "sample distinct-elements --n 4 --k 2.5 --eps 1 --m 3 --uniform",
    "--exp-eps": f"{DE} --eps 1 --exp-eps 2 --uniform",
    "exp-eps = 1 ": f"{DE} --exp-eps 1 --uniform",
    "q = 1 ": f"{DE} --q 1 --uniform",
    "one source of data": f"{DE} --eps 1",
    "--uniform and --distinct": f"{DE} --eps 1 --uniform --distinct 2",
    "distinct = 3": f"{DE} --eps 1 --distinct 3",
    "--ones has no meaning": f"{DE} --eps 1 --ones 3",
    "ones = x": "sample modular-sum --n 2 --m 3 --ones x",
    "m = 0 is": "sample uniformity --n 2 --k 2 --lam 1 --m 0 --uniform",
    "lam = -1": "sample uniformity --n 2 --k 2 --lam -1 --m 0.49 --uniform",
    "eps = -1/2": f"{DE} --eps -1/2 --uniform",
    "given twice": f"{DE} --eps 1 --eps 2 --uniform",
    "at most 10^100": "sample distinct-elements --n 1e5000 --k 2 --eps 1 --m 3 --uniform",
    "t = a whole number": "sample pan-sum --n 3 --lam 2 --uniform --t 1e90",
    "runs = 1e30": f"{DE} --eps 1 --uniform --runs 1e30",
    "rows here": "sample binary-sum --n 1e9 --p 1/2 --uniform --approximate",
    "floating point": "sample uniformity --n 3 --k 2 --lam 1e30 --uniform --approximate",
    "1000000012 messages": "sample compressed-uniformity --n 4 --k 1000000000 --k-hat 2 --lam 2 --uniform",
    "paired = 2/3": f"{DE} --eps 1 --paired 2/3",
    "runs = 0": f"{DE} --eps 1 --uniform --runs 0",
    "seed = -1": f"{DE} --eps 1 --uniform --seed -1",
    "--t has no meaning": f"{DE} --eps 1 --uniform --t 1",
    "--lam has no meaning": f"{DE} --eps 1 --uniform --lam 1",
    "n = 1": "sample distinct-elements --n 1 --k 2 --eps 1 --delta 0.1 --m paper --uniform",
    "needs --n": "sample distinct-elements --k 2 --eps 1 --m 3 --uniform",
    "needs --delta": "sample distinct-elements --n 2 --k 2 --eps 1 --uniform",
    "lam = 1.5": "sample pan-sum --n 2 --lam 1.5 --uniform",
    "exclude": "sample pan-sum --n 2 --lam 1 --eps 1 --uniform",
    "--gamma has no meaning": "sample pan-sum --n 2 --lam 1 --uniform --gamma 1",
    "t = 3": "sample pan-sum --n 2 --lam 1 --uniform --t 3",
    "--messages has no meaning": "sample pan-sum --n 2 --lam 1 --uniform --messages",
    "p = 1/2": "sample two-bit-sum --n 2 --p 1/2 --uniform",
    "between 0 and 1/2": "sample two-bit-sum --n 2 --p 0.6 --uniform",
    "at least 1359": "sample binary-sum --n 10 --eps 1 --delta 1e-6 --uniform",
    "at least two elements": "sample uniformity --n 10 --k 1 --lam 1 --paired 0.1",
    "lam = 0": "sample uniformity --n 10 --k 2 --lam 0 --uniform",
    "needs --alpha": "sample uniformity --n 10 --k 3 --lam 1 --as-printed --uniform",
    "k_hat = 4": "sample compressed-uniformity --n 10 --k 3 --k-hat 4 --lam 1 --uniform",
    "c = 1/2": "sample hashed-distinct-elements --n 10 --k 100 --eps 1 --m 3 --c 0.5 --uniform",
    "between 0 and 1": "sample binomial --n 2 --l 5 --p 2 --uniform",
    "m = 0": "sample modular-sum --n 2 --m 0 --uniform",
    "--approximate": "sample distinct-elements --n 10000000 --k 10 --eps 1 --m 3 --uniform",
    "as fast": "sample pan-sum --n 2 --lam 1 --uniform --approximate",
    "not known": "sample nothing --n 2",
    "PROTOCOL": "sample",
    "invalid choice": "nothing",
    "unrecognized": f"{DE} --eps 1 --uniform --epss 3",
    "expected one argument": f"{DE} --eps --uniform",
    "can't be written": f"{DE} --eps 1 --uniform -o /nowhere/at/all",
    "not in the ledger": "verify nothing",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip


@every("expected", REFUSED)
def test_bad_input_gets_one_sentence(capsys, expected):
    assert expected in refusal(capsys, REFUSED[expected].split())


FILES = {
    "the file is empty": b"",
    "the file is empty ": b" \n\n",
    "not UTF-8": b"1\n\xff\xfe\n",
    "truncated": b"[1, 2, 1",
    "'x' is not a whole number": b"1\nx\n",
    "2.5 is not": b"[1, 2.5]",
    "true is not": b"[1, true]",
    "row 2: x = 9": b"1\n9\n1\n1\n",
    "row 1: x = 0": b"0\n1\n1\n1\n",
    "3 rows": b"1\n2\n2\n",
    "0 rows": b"[]",
    "null is not": b"[null]",
}


@pytest.mark.parametrize("expected", FILES)
def test_a_bad_input_file_gets_one_sentence_and_writes_nothing(capsys, tmp_path, expected):
    source, target = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_bytes(FILES[expected])
    target.write_text("as before\n")
    sentence = refusal(capsys, [*DE.split(), "--eps", "1", "--input", str(source), "-o", str(target)])
    assert expected.strip() in sentence
    assert target.read_text() == "as before\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt", "out.jsonl"]


MESSAGES = {
    "the message (3, 1)": '{"messages": [[1, 0], [3, 1]]}',
    "the message (1, 2)": '{"messages": [[1, 2]]}',
    "the message 1 ": '{"messages": [1]}',
    "the pool 0": '{"pools": {"0": [1, 1]}}',
    "the pool 1 = [1]": '{"pools": {"1": [1]}}',
    "the pool 2 = [1, -1]": '{"pools": {"2": [1, -1]}}',
    "neither": '{"output": 3}',
    "neither ": "[]",
    "the pool 2 is missing": '{"pools": {"1": [1, 1]}}',
    "is not the count": '{"messages": [[1, 0], [2, 1]], "pools": {"1": [1, 0], "2": [1, 1]}}',
    "the message (1, True)": '{"messages": [[1, true]]}',
    "the pool 1 = [true, 1]": '{"pools": {"1": [true, 1], "2": [1, 1]}}',
    "is not JSON": '{"pools": {"1": [' + "9" * 5000 + ", 1]}}",
    "truncated": '{"messages": [[1, 0]',
}


@pytest.mark.parametrize("expected", MESSAGES)
def test_a_bad_message_gets_one_sentence(capsys, tmp_path, expected):
    path = tmp_path / "messages.jsonl"
    path.write_text('{"messages": [[1, 0], [2, 1]]}\n' + MESSAGES[expected] + "\n")
    command = ["analyze", "distinct-elements", "--n", "4", "--k", "2", "--eps", "1", "--m", "3", "--input", str(path)]
    sentence = refusal(capsys, command)
    assert expected.strip() in sentence
    assert "line 2" in sentence


@pytest.mark.parametrize(
    "arguments",
    [
        "binomial --n 3 --l 2000000 --p 1-1e-30 --uniform",
        "binomial --n 3 --l 1100000 --p 1-exp(-1e-30) --uniform",
        "binomial --n 3 --l 1e24 --uniform",
        "binomial --n 3 --l 1e16 --p exp(-1) --uniform",
        "pan-sum --n 3 --lam 1e22 --uniform",
        "pan-sum --n 3 --eps 1e-7 --delta 1e-6 --uniform",
        "geometric-distinct-elements --n 3 --k 1000000 --exp-eps 1.000001 --uniform",
        f"distinct-elements --n {100_000 if FULL else 10_000} --k 1 --q 0.999 --m 3 --distinct 1",
        "uniformity --n 3 --k 2 --lam sqrt(1-exp(-1e-100)) --uniform",
        "uniformity --n 3 --k 2 --lam 1 --tau -1/2 --uniform",
        "distinct-elements --n 4 --k 4 --eps log(6)-log(3) --m 2 --uniform --runs 20",
        f"modular-sum --n 2 --m {1_000_000 if FULL else 100_000} --uniform",
        "modular-sum --n 3 --m 2000 --uniform --approximate",
        "hashed-distinct-elements --n 2 --k 1e90 --eps 1 --m 3 --uniform --runs 3",
    ],
)
def test_extreme_parameters_have_an_answer(capsys, arguments):
    assert lines(capsys, ["sample", *arguments.split()])


def test_output_beyond_doubles_is_a_decimal(capsys):
    arguments = "--n 1 --k 1 --eps 1e-400 --m 2 --uniform --seed 1"
    (line,) = lines(capsys, ["sample", "distinct-elements", *arguments.split()])
    assert isinstance(line["output"], str)
    assert abs(float(line["output"].partition("e")[0])) < 10


def test_analyze_does_not_take_gamma(capsys, tmp_path):
    path = tmp_path / "messages.jsonl"
    path.write_text('{"messages": []}\n')
    command = ["analyze", "modular-sum", "--n", "2", "--m", "3", "--gamma", "banana", "--input"]
    assert "--gamma has no meaning" in refusal(capsys, [*command, str(path)])


def test_a_sentence_is_one_line_whatever_it_quotes(capsys):
    assert "\\n" in refusal(capsys, [*DE.split(), "--eps", "1\n+x", "--uniform"])
    assert "\\x1b" in refusal(capsys, ["sample", "\x1b[31m"])


def test_output_through_a_link_or_a_device(capsys, tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("")
    link.symlink_to(real)
    lines(capsys, [*DE.split(), "--eps", "1", "--uniform", "-o", str(link)])
    assert link.is_symlink()
    assert real.read_text()
    lines(capsys, [*DE.split(), "--eps", "1", "--uniform", "-o", os.devnull])
    assert not Path(os.devnull).is_file()


def test_a_full_disk_is_one_sentence():
    command = [*COMMAND, *DE.split(), "--eps", "1", "--uniform"]
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


def test_a_missing_file_and_a_folder(capsys, tmp_path):
    assert "can't be read" in refusal(capsys, [*DE.split(), "--eps", "1", "--input", str(tmp_path / "none")])
    assert "can't be read" in refusal(capsys, [*DE.split(), "--eps", "1", "--input", str(tmp_path)])


def test_output_goes_to_a_file_with_the_usual_mode(capsys, tmp_path):
    target = tmp_path / "out.jsonl"
    assert lines(capsys, [*DE.split(), "--eps", "1", "--uniform", "--runs", "3", "-o", str(target)]) == []
    assert len(target.read_text().splitlines()) == 3
    (tmp_path / "plain").touch()
    assert target.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_an_interrupted_run_leaves_nothing_behind(tmp_path):
    command = [*COMMAND, *DE.split(), "--eps", "1", "--uniform", "--runs", "100000000", "-o", str(tmp_path / "out")]
    with started(command, stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.iterdir()):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "panshuffle: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_closed_pipe_is_not_an_error():
    command = [*COMMAND, *DE.split(), "--eps", "1", "--uniform", "--runs", "20000"]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0


def test_help_imports_nothing_heavy():
    code = "import sys, panshuffle.main as m\nm.parser().format_help()\nprint(sorted(set(sys.modules) & heavy))"
    names = ("flint", "numpy", "rich", "sympy", "z3", "mpmath", "scipy", "panshuffle.exact.real")
    heavy = f"heavy = {set(names) | {'panshuffle.protocols'}}\n"
    result = subprocess.run(
        [sys.executable, "-c", heavy + code], capture_output=True, text=True, check=True, timeout=120
    )
    assert result.stdout == "[]\n"


def test_help_and_version(capsys):
    for arguments in ([], ["--version"]):
        main(arguments)
        assert "panshuffle" in capsys.readouterr().out
    for command in ("verify", "sample", "analyze"):
        with pytest.raises(SystemExit) as end:
            main([command, "--help"])
        assert end.value.code == 0
        assert "usage: panshuffle" in capsys.readouterr().out


def test_progress_is_shown_on_a_terminal(tmp_path):
    pty = pytest.importorskip("pty", reason="a terminal to run in, which Windows has not")
    master, terminal = pty.openpty()
    command = [*COMMAND, *DE.split(), "--eps", "1", "--uniform", "--runs", "3000"]
    more = {"stderr": terminal, "env": dict(os.environ, TERM="xterm")}
    with (tmp_path / "out").open("w") as out, started(command, stdout=out, **more) as process:
        assert process.wait() == 0
    os.close(terminal)
    assert b"distinct-elements" in os.read(master, 65536)
    os.close(master)
    assert len(Path(tmp_path / "out").read_text().splitlines()) == 3000


def test_long_work_says_that_it_goes_on(monkeypatch, capsys):
    import time

    import panshuffle.main

    monkeypatch.setattr(panshuffle.main, "SILENCE", 0.01)
    with panshuffle.main.patience(wanted=True):
        time.sleep(0.2)
    assert "panshuffle: still computing after" in capsys.readouterr().err
    with panshuffle.main.patience(wanted=False):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_a_crash_is_no_answer(monkeypatch, capsys):
    """An exception that nobody foresaw has a status of its own, and one sentence."""
    import panshuffle.main

    def crash(args):
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(panshuffle.main, "run", crash)
    with pytest.raises(SystemExit) as end:
        main(["privacy", "binomial", "--l", "2", "--at-eps", "1"])
    assert end.value.code == panshuffle.main.DEFECT == 70
    assert capsys.readouterr().err.startswith("panshuffle: a mistake of ours (ZeroDivisionError: planted): ")


def test_the_analyzer_of_a_transformed_protocol_gets_the_final_pools(capsys, tmp_path):
    """With e^eps = 2, one odd pool of two: (2 * 1 * 2 - 2)/(2 - 1) = 2; with none, -2."""
    path = tmp_path / "final.jsonl"
    path.write_text('{"pools": {"1": [20, 7], "2": [21, 6]}}\n{"pools": {"1": [21, 6], "2": [21, 6]}}\n')
    command = ["analyze", "pan-distinct-elements", "--n", "9", "--k", "2", "--eps", "log(2)", "--m", "3"]
    assert lines(capsys, [*command, "--input", str(path)]) == [{"output": 2}, {"output": -2}]
    path.write_text('{"pools": {"1": [9, 0], "2": [0, 9]}}\n')
    said = refusal(capsys, ["analyze", "pan-sum", "--n", "3", "--lam", "4", "--input", str(path)])
    assert "no analyzer: its output is the final state and fresh noise" in said


@pytest.mark.parametrize(
    "line",
    [
        "privacy binomial --l 80 --at-eps 1",
        "privacy uniformity --lam 400 --at-delta 1e-6",
        "calibrate binomial --at-eps 1 --at-delta 1e-6",
        "accuracy distinct-elements --k 16 --exp-eps 2 --beta 1/10",
        "sample binary-sum --n 6 --p 1/3 --ones 2 --runs 3",
    ],
)
def test_numbers_need_flint_and_numpy_alone(line):
    """Whatever else is missing: other packages are for proofs, pages, tables and pictures."""
    code = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in {'sympy', 'z3', 'cvc5', 'rich', 'jinja2', 'markupsafe', 'mpmath', 'scipy'}:\n"
        "            raise ImportError('refused: ' + name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
        "from panshuffle.main import main\n"
        "main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", code, *line.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout
