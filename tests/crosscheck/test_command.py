"""`panshuffle crosscheck`: files, programs, and sentences."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from panshuffle.crosscheck.runs import runs_of_csv

from panshuffle.arguments import PROTOCOLS
from panshuffle.main import main
from tests.every import every

ROOT = Path(__file__).parents[2]


def test_no_protocol_has_its_name_in_the_package():
    """What is a protocol's own stands with its name in the application, not here."""
    for path in (ROOT / "crosscheck").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Constant) and node.value in tuple(PROTOCOLS)), (path, node.lineno)


def call(capsys, *words):
    with pytest.raises(SystemExit) as end:
        main(["crosscheck", *map(str, words)])
    out = capsys.readouterr()
    return end.value.code, out.out, out.err


BITS = ("binary-sum", "--n", 6, "--p", "1/3", "--ones", 2)


def bit_lines(p, runs, seed=3):
    rng = Random(seed)
    lines = []
    for _ in range(runs):
        messages = [1, 1, 0, 0, 0, 0] + [int(rng.random() < p) for _ in range(6)]
        rng.shuffle(messages)
        lines.append(json.dumps({"messages": messages, "output": max(0, sum(messages) - 6)}))
    return lines


def test_samples_of_a_right_and_of_a_wrong_implementation(tmp_path, capsys):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text("\n".join(bit_lines(1 / 3, 1500)))
    bad.write_text("\n".join(bit_lines(1 / 6, 1000)))
    status, out, _ = call(capsys, *BITS, "--samples", good, "--json")
    assert (status, json.loads(out)["verdict"], json.loads(out)["runs"]) == (0, "consistent", 1500)
    status, out, _ = call(capsys, *BITS, "--samples", bad, "--json")
    answer = json.loads(out)
    assert (status, answer["verdict"]) == (1, "inconsistent")
    assert "p fits 0.1" in answer["diagnosis"]["cause"] and answer["diagnosis"]["next"]
    assert answer["findings"][0]["where"] and answer["findings"][0]["expected"]


def test_csv_and_json_lines_give_the_same_answer(tmp_path, capsys):
    runs = [json.loads(line) for line in bit_lines(1 / 3, 300)]
    pools = [(12 - sum(run["messages"]), sum(run["messages"]), run["output"]) for run in runs]
    (tmp_path / "a.csv").write_text("zeros_1,ones_1,output\n" + "".join(f"{z},{o},{y}\n" for z, o, y in pools))
    (tmp_path / "a.jsonl").write_text(
        "".join(json.dumps({"pools": {"1": [z, o]}, "output": y}) + "\n" for z, o, y in pools)
    )
    answers = [call(capsys, *BITS, "--samples", tmp_path / name, "--json") for name in ("a.csv", "a.jsonl")]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"pools": {"1": [3', "line 2: the text is truncated"),
        (
            "a.jsonl",
            '{"pools": {"1": [3, 9]}, "output": 3}\n{"pools": {"1": [3]}}',
            "line 2: pool 1 is [3], not [zeros",
        ),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n[1]', "line 2: a run is a JSON object"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"pool": 3}', "line 2: the key 'pool' is not known"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"output": 3}', "neither pools nor messages"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"pools": {"1": [3, -9]}}', "line 2: pool 1 is [3, -9]"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"messages": [0, 2]}', "the message 2 is neither"),
        (
            "a.jsonl",
            '{"pools": {"1": [3, 9]}}\n{"pools": {"1": [1, 1]}, "messages": [0, 0]}',
            "pool 1 is [1, 1], but its messages",
        ),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"output": NaN}', "not a finite number"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"output": 1%s}' % ("0" * 400), "a number of more than 300 digits"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"pools": {"\u00b2": [3, 9]}}', "label '\u00b2' is not a whole number"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"pools": {"--1": [3, 9]}}', "label '--1' is not a whole number"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"pools": {"1": [3, 9], "01": [0, 0]}}', "pool 1 is given twice"),
        ("a.csv", "zeros_1,ones_1\n3,9\n3,%s\n" % ("9" * 200_000), "line 3: the text is not CSV"),
        ("a.csv", "zeros_1,ones_1\n3,9\n3\n", "line 3: 1 columns where the header has 2"),
        ("a.csv", "zeros_1,ones_1\n3,9\n3,x9\n", "line 3: 'x9' is not a number"),
    ],
)
def test_bad_lines_end_the_reading_with_one_sentence_and_keep_what_was_read(tmp_path, capsys, name, text, sentence):
    (tmp_path / name).write_text(text)
    status, out, err = call(capsys, *BITS, "--samples", tmp_path / name, "--json")
    assert status == 2
    assert sentence in err
    assert "Traceback" not in err
    assert json.loads(out)["runs"] == 1
    assert sentence in json.loads(out)["stopped"]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.jsonl", "", "no run was read"),
        ("a.csv", "zeroes,ones\n1,2\n", "the column 'zeroes' is not known"),
        ("a.csv", "output,output\n1,2\n", "name each column once"),
        ("a.csv", "zeros_1,zeros_01\n1,2\n", "name each column once"),
        ("a.csv", "zeros_\u00b2\n1\n", "the column 'zeros_\u00b2' is not known"),
        ("a.csv", "ones_1\n9\n", "zeros_1 and ones_1 are needed together"),
        ("a.csv", "state,n_left\n3,9\n", "state excludes n_left"),
        ("a.csv", "output_1,output_3\n3,9\n", "output_1, output_2, and so on"),
        ("a.jsonl", "\xff", "not JSON"),
        ("missing.jsonl", None, "the file can't be read"),
    ],
)
def test_nothing_to_read_is_one_sentence(tmp_path, capsys, name, text, sentence):
    if text is not None:
        (tmp_path / name).write_text(text)
    status, out, err = call(capsys, *BITS, "--samples", tmp_path / name)
    assert (status, out) == (2, "")
    assert sentence in err


PROGRAM = """
import json, random, sys
for line in sys.stdin:
    request = json.loads(line)
    noise = [int(random.random() < {p}) for _ in request["data"]]
    messages = request["data"] + noise
    random.shuffle(messages)
    print(json.dumps({{"messages": messages, "output": max(0, sum(messages) - 6)}}), flush=True)
    {more}
"""


def program(tmp_path, p="1/3", more="pass"):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(p=p, more=more))
    return f"{sys.executable} {path}"


def test_a_program_is_spoken_to_and_its_answers_are_kept(tmp_path, capsys):
    kept = tmp_path / "kept.jsonl"
    status, out, _ = call(capsys, *BITS, "--command", program(tmp_path), "--runs", 1500, "--keep", kept, "--json")
    assert (status, json.loads(out)["runs"]) == (0, 1500)
    assert len(kept.read_text().splitlines()) == 1500
    assert call(capsys, *BITS, "--samples", kept)[0] == 0


def test_a_program_with_a_bug_is_stopped_early(tmp_path, capsys):
    status, out, _ = call(capsys, *BITS, "--command", program(tmp_path, p="2/3"), "--runs", 100_000, "--json")
    assert status == 1
    assert json.loads(out)["runs"] < 2000
    assert "p fits 0." in json.loads(out)["diagnosis"]["cause"]


@pytest.mark.parametrize(
    ("more", "sentence", "runs"),
    [
        ("import time; time.sleep(60 if request['run'] == 5 else 0)", "no answer to request 6 within 1 seconds", 5),
        (
            "request['run'] < 5 or sys.exit('no more coins')",
            "request 6 (exit status 1, its last words: no more coins",
            5,
        ),
        ("print(json.dumps({'messages': messages}), flush=True)", "more than one line for request 1", 0),
        ("request['run'] != 2 or print('{', flush=True)", "more than one line for request 2", 1),
        ("request['run'] < 5 or print('[' * 9, end='', flush=True)", "is not JSON: [[[[", 5),
    ],
)
def test_programs_that_misbehave(tmp_path, capsys, more, sentence, runs):
    status, out, err = call(capsys, *BITS, "--command", program(tmp_path, more=more), "--seconds", 1, "--json")
    assert status == 2
    assert sentence in err
    assert (json.loads(out)["runs"] if out else 0) == runs


@every(
    ("words", "sentence"),
    [
        (("--command", "/no/such/program"), "can't be started"),
        (("--command", ""), "command = '' is not allowed"),
        (("--command", "yes"), "is not JSON: y"),
        (("--command", "true"), "ended before it answered request 1"),
        (("--command", "cat /dev/zero"), "no end of line"),
        ((), "one of --samples FILE and --command CMD is needed"),
        (("--samples", "a", "--command", "b"), "one of --samples FILE and --command CMD is needed"),
        (("--samples", "a", "--t", "1"), "--t has no meaning"),
        (("--samples", "a", "--alarm", "2"), "alarm"),
        (("--samples", "a", "--runs", "3"), "--runs has a meaning with --command only"),
        (("--command", "yes", "--runs", "0"), "runs = 0"),
        (("--command", "yes", "--seconds", "0"), "seconds = 0"),
        (("--samples", "a", "--at-delta", "1/2"), "are needed together"),
    ],
)
def test_bad_requests_are_one_sentence(capsys, words, sentence):
    status, out, err = call(capsys, *BITS, *words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_privacy_of_samples_on_the_command_line(tmp_path, capsys):
    (tmp_path / "x").write_text("1 1 0 0 0 0")
    (tmp_path / "y").write_text("1 0 0 0 0 0")
    rng = Random(5)

    def write(name, data):
        rows = [sum(data) + sum(rng.random() < 1 / 3 for _ in data) for _ in range(3000)]
        (tmp_path / name).write_text("\n".join(json.dumps({"pools": {"1": [12 - ones, ones]}}) for ones in rows))

    write("a", [1, 1, 0, 0, 0, 0])
    write("b", [1, 0, 0, 0, 0, 0])
    words = ("--samples", tmp_path / "a", "--input", tmp_path / "x")
    words += ("--neighbour-samples", tmp_path / "b", "--neighbour-input", tmp_path / "y", "--at-delta", "1/10")
    status, out, _ = call(capsys, "binary-sum", "--p", "1/3", *words, "--json")
    answer = json.loads(out)
    assert status == 0
    assert 0 < float(answer["privacy"]["eps_at_least"]) < float(answer["privacy"]["exact_eps"])
    (tmp_path / "y").write_text("0 0 0 0 0 0")
    status, _, err = call(capsys, "binary-sum", "--p", "1/3", *words)
    assert status == 2
    assert "neighbours differ in one row, these differ in 2" in err


def test_the_reference_protocols_run_as_a_separate_process(tmp_path, capsys):
    """`examples/crosscheck/reference.py` speaks the protocol for every name; a planted bug in it is found."""
    command = f"{sys.executable} examples/crosscheck/reference.py"
    words = ("distinct-elements", "--n", 4, "--k", 3, "--exp-eps", 2, "--m", 3, "--distinct", 2)
    status, out, err = call(capsys, *words, "--command", command, "--runs", 2500, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["verdict"] == "consistent"
    status, out, _ = call(capsys, *words, "--command", f"{command} --bug", "--runs", 4096, "--json")
    assert status == 1


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_the_example_in_c(tmp_path, capsys):
    binary = tmp_path / "bits"
    subprocess.run(["cc", "-O1", "-o", binary, "examples/crosscheck/binary_sum.c"], check=True)
    words = ("binary-sum", "--n", 6, "--p", "1/4", "--ones", 2)
    assert call(capsys, *words, "--command", str(binary), "--runs", 2000)[0] == 0
    status, out, _ = call(capsys, *words, "--command", f"{binary} bug", "--runs", 4000)
    assert status == 1
    assert "looks like: " in out and "next: " in out


def test_columns_of_csv_are_told_by_their_numbers():
    lines = ["output_2,n_left,state_ones_1,output_1,state_zeros_1", "5,3,7,4,6"]
    (run,) = runs_of_csv(lines, "a.csv")
    assert (run.output, run.state) == ([4, 5], {"pools": {1: (6, 7)}, "n_left": 3})


def test_standard_input_is_not_read_twice(tmp_path, capsys):
    (tmp_path / "x").write_text("1 0")
    words = (
        "--samples",
        "-",
        "--input",
        tmp_path / "x",
        "--neighbour-samples",
        "b",
        "--neighbour-input",
        tmp_path / "x",
    )
    status, _, err = call(capsys, "binary-sum", "--p", "1/3", *words, "--at-delta", "1/10")
    assert status == 2
    assert "read once" in err
