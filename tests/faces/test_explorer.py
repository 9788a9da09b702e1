"""The explorer without a browser: who may ask, what comes back, and that it is what the commands print."""

import asyncio
import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import mpmath
import pytest
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram

from panshuffle.answers import answer
from panshuffle.explorer.asking import (
    DEFAULTS,
    MEANINGS,
    QUESTIONS,
    STEPS,
    Asked,
    calibrated_params,
    curve_questions,
    privacy_questions,
)
from panshuffle.explorer.asking import EXPLORED as SUBJECTS
from panshuffle.explorer.calculator import Calculator
from panshuffle.explorer.server import digest, listening, page, policy, script, style
from panshuffle.main import main
from panshuffle.question import Question
from tests.every import every
from tests.programs import limited, started

PROGRAM = Path(sys.executable).parent / "panshuffle"
BINOMIAL = {
    "protocol": "binomial",
    "parameters": {"l": "20", "p": "1/2"},
    "read": "at-eps",
    "at": "1",
    "to": "2",
    "error": "1/10",
}
QUICK = {
    "uniformity": {"n": "100", "m": "100", "lam": "20", "eps": "4", "delta": "1e-1"},
    "shuffle-histogram": {"n": "100", "eps": "4", "delta": "1e-1"},
}
SLOW = {
    "protocol": "uniformity",
    "parameters": {"n": "1000", "k": "100", "m": "1000", "lam": "80000"},
    "to": "2",
    "points": 31,
}
WHOLE = 3600.0  # seconds that the tests of a module may take


class Client:
    """A running explorer, and requests to it."""

    def __init__(self, process):
        self.process = process
        with limited(process):
            self.address = json.loads(process.stdout.readline())["address"]
        _, _, self.host, self.token, _ = self.address.split("/")

    def request(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())
        finally:
            connection.close()

    def ask(self, part, question):
        body, kind = json.dumps(question), {"Content-Type": "application/json"}
        status, text, _ = self.request("POST", f"/{self.token}/ask/{part}", body, **kind)
        assert status == 200, text
        return json.loads(text)["answers"]


@pytest.fixture(scope="module")
def client():
    command = [PROGRAM, "explore", "--no-browser", "--json"]
    with started(command, WHOLE, stdout=subprocess.PIPE, text=True) as process:
        yield Client(process)
        process.terminate()
        process.wait(30)


@contextmanager
def explorer(limit):
    """One that gives up after so many seconds."""
    code = (
        "import json; from panshuffle.explorer.server import listening, serve; door = listening(0)\n"
        "print(json.dumps({'address': f'http://127.0.0.1:{door.getsockname()[1]}/token/'}), flush=True)\n"
        f"serve(door, 'token', {limit})"
    )
    with started([sys.executable, "-c", code], WHOLE, stdout=subprocess.PIPE, text=True) as process:
        yield Client(process)
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module")
def hurried():
    with explorer(0.5) as client:
        yield client


@pytest.fixture(scope="module")
def patient():
    """For answers that a busy machine may give late."""
    with explorer(300.0) as client:
        yield client


def printed(capsys, argv):
    """What a command prints, as an object."""
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert end.value.code == 0
    return json.loads(capsys.readouterr().out)


def test_the_page_comes_with_what_protects_it(client):
    status, text, headers = client.request("GET", f"/{client.token}/")
    assert (status, text) == (200, page())
    assert headers["content-security-policy"] == policy()
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert client.request("HEAD", f"/{client.token}/")[:2] == (200, "")
    assert client.token not in text


def test_the_policy_allows_this_script_and_this_style_only():
    rules = dict(rule.split(" ", 1) for rule in policy().split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == digest(script())
    assert rules["style-src"] == digest(style())
    assert rules["connect-src"] == "'self'"
    # `printf %s abc | openssl dgst -sha256 -binary | base64`
    assert digest("abc") == "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"
    assert "http" not in page().replace("http://www.w3.org/2000/svg", "")
    assert " style=" not in page()
    assert f"<script>{script()}</script>" in page() and f"<style>{style()}</style>" in page()
    assert page().count("<script") == 2  # the description, which is data, and the script


@every("path", ["/", "/ask/privacy", "/x/", "/{half}/", "/{token}x/", "/%ff/", "//", "/favicon.ico"])
@every("method", ["GET", "POST"])
def test_without_the_token_nothing_is_answered(client, path, method):
    path = path.format(half=client.token[:16], token=client.token)
    status, text, headers = client.request(method, path)
    assert status == 403
    assert text == "The token is missing or wrong: open the address that panshuffle explore printed.\n"
    assert headers["content-security-policy"] == policy()


@every(
    ("header", "value", "word"),
    [
        ("Origin", "http://example.org", "origin"),
        ("Origin", "null", "origin"),
        ("Origin", "https://{host}", "origin"),
        ("Origin", "http://localhost:{port}", "origin"),
        ("Sec-Fetch-Site", "cross-site", "site"),
        ("Sec-Fetch-Site", "same-site", "site"),
        ("Host", "example.org:{port}", "host"),
        ("Host", "localhost:{port}", "host"),
        ("Host", "127.0.0.1", "host"),
        ("Host", "", "host"),
    ],
)
def test_another_origin_or_host_is_refused(client, header, value, word):
    value = value.format(host=client.host, port=client.host.partition(":")[2])
    for method, path in (("GET", f"/{client.token}/"), ("POST", f"/{client.token}/ask/privacy")):
        status, text, _ = client.request(method, path, **{header: value})
        assert status == 403
        assert text.startswith(f"The {word} is not allowed: ")
        assert text.count("\n") == 1


def test_our_own_origin_is_answered(client):
    headers = {"Origin": f"http://{client.host}", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
    status, text, _ = client.request("POST", f"/{client.token}/ask/privacy", json.dumps(BINOMIAL), **headers)
    assert (status, "answer" in json.loads(text)["answers"][0]) == (200, True)


@every("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"])
def test_other_methods_are_refused(client, method):
    status, text, _ = client.request(method, f"/{client.token}/")
    assert (status, text) == (405, "The method is not allowed: it must be one of GET, HEAD, POST.\n")


@every(
    ("method", "path", "body", "kind", "expected"),
    [
        ("POST", "", "{}", "application/json", (405, "The method is not allowed at this address.\n")),
        ("GET", "ask/privacy", None, "text/plain", (405, "The method is not allowed at this address.\n")),
        ("GET", "else", None, "text/plain", (404, "There is nothing at this address.\n")),
        ("POST", "ask/verify", "{}", "application/json", (404, "There is nothing at this address.\n")),
        ("POST", "ask/privacy", "{}", "text/plain", (415, "The question must be sent as application/json.\n")),
        ("POST", "ask/privacy", "{", "application/json", (400, "The question is no JSON.\n")),
        ("POST", "ask/privacy", "[" * 9000, "application/json", (400, "The question is no JSON.\n")),
        ("POST", "ask/privacy", "[]", "application/json", (400, "The question must be a JSON object.\n")),
        (
            "POST",
            "ask/privacy",
            " " * 10_001,
            "application/json",
            (413, "The question is too long: at most 10000 bytes are allowed.\n"),
        ),
    ],
)
def test_a_request_that_makes_no_sense_gets_a_sentence(client, method, path, body, kind, expected):
    headers = {"Content-Type": kind}
    assert client.request(method, f"/{client.token}/{path}", body, **headers)[:2] == expected


def test_the_number_is_the_sum_of_the_positive_parts(client):
    """Second derivation: Bin(20, 1/2) against itself shifted by one, at 40 digits."""
    (found,) = client.ask("privacy", BINOMIAL)
    with mpmath.workdps(40):
        mass = [mpmath.binomial(20, x) / 2**20 for x in range(21)] + [mpmath.mpf(0)]
        gains = [max(0, mass[x] - mpmath.e * (mass[x - 1] if x else 0)) for x in range(22)]
        lower, upper = (mpmath.mpf(found["answer"][end]) for end in ("lower", "upper"))
        assert lower <= mpmath.fsum(gains) <= upper
        assert upper - lower < 1e-8 * upper


@pytest.mark.parametrize("protocol", SUBJECTS)
def test_every_protocol_answers_as_its_command(patient, capsys, protocol):
    subject = SUBJECTS[protocol]
    for letters in (way["parameters"] for way in subject.ways):
        values = {letter: (DEFAULTS | dict(subject.defaults))[letter] for letter in letters}
        values |= {letter: text for letter, text in QUICK.get(protocol, {}).items() if letter in letters}
        for read in subject.reads:
            at = "" if read == "tv" else DEFAULTS[read]
            (found,) = patient.ask("privacy", {"protocol": protocol, "parameters": values, "read": read, "at": at})
            name, *argv = found["command"].split(" ")
            assert name == "panshuffle"
            assert found["answer"] == printed(capsys, [*argv, "--json"])
            assert found["messages"]


def test_curves_and_errors_are_those_of_their_commands(client, capsys):
    (curve,) = client.ask("curve", BINOMIAL | {"points": 7})
    assert curve["answer"] == printed(capsys, curve["command"].split(" ")[1:])
    assert len(curve["answer"]["rows"]) == 7
    (error,) = client.ask("error", BINOMIAL)
    assert error["answer"] == printed(capsys, [*error["command"].split(" ")[1:], "--json"])
    tester = {"protocol": "uniformity", "parameters": {"n": "50", "k": "4", "lam": "5", "gamma": "1/2"}, "error": "1/4"}
    answers = client.ask("error", tester)
    assert [one["answer"] for one in answers] == [
        printed(capsys, [*one["command"].split(" ")[1:], "--json"]) for one in answers
    ]
    assert all(one["words"].endswith(", with all users taking part") for one in answers)


@every(
    ("change", "sentence"),
    [
        ({"parameters": {"l": "1.5"}}, "l = 1.5 is not allowed: l must be a whole number, at least 0"),
        ({"parameters": {"l": "-3"}}, "l = -3 is not allowed: l must be a whole number, at least 0"),
        ({"parameters": {"l": " "}}, "binomial needs --l, or --eps and --delta for the printed formula"),
        ({"at": "-1"}, "at-eps = -1 is not allowed: at-eps must be a finite number, at least 0"),
        ({"parameters": {"file": "x"}}, "--file is not explored for this protocol"),
        ({"parameters": {"certificate": "x"}}, "--certificate is not explored for this protocol"),
        ({"parameters": []}, "parameters is not allowed: it must be an object with a text for each parameter"),
        ({"parameters": {"l": 20}}, "l is not allowed: it must be a text of at most 200 characters"),
        ({"parameters": {"l": "1" * 201}}, "l is not allowed: it must be a text of at most 200 characters"),
        ({"read": "tv"}, "read is not allowed: for binomial it must be one of at-eps, at-delta"),
        ({"read": ["at-eps"]}, "read is not allowed: for binomial it must be one of at-eps, at-delta"),
        ({"protocol": "court"}, f"protocol = court is not allowed: protocol must be one of {', '.join(SUBJECTS)}"),
    ],
)
def test_bad_input_gets_one_sentence(client, change, sentence):
    (found,) = client.ask("privacy", BINOMIAL | change)
    assert found["problem"] == sentence
    assert "answer" not in found


def test_a_value_is_never_an_option(client, tmp_path):
    target = tmp_path / "certificate"
    (found,) = client.ask("privacy", BINOMIAL | {"parameters": {"l": f"--certificate={target}"}})
    assert found["problem"].startswith("l = --certificate=")
    assert not target.exists()
    assert found["command"].startswith("panshuffle privacy binomial --l=--certificate=")
    assert Question("privacy", "binomial", (("l", "1; rm x"),)).line == "panshuffle privacy binomial --l '1; rm x'"


def test_an_answer_that_takes_too_long_is_given_up(hurried):
    (found,) = hurried.ask("curve", SLOW)  # which would take half a minute
    assert found["problem"] == "no answer within 0.5 seconds: the command below has no such limit"
    assert found["late"]
    assert hurried.request("GET", "/token/")[0] == 200


def test_a_question_that_nobody_waits_for_is_dropped():
    async def asked():
        calculator, start = Calculator(120.0), time.monotonic()

        async def gone():
            return time.monotonic() - start > 0.2

        async def here():
            return False

        line = curve_questions(SLOW)[0]
        first = await calculator.ask(line.question, gone)
        second = await calculator.ask(privacy_questions(BINOMIAL)[0].question, here)
        third = await calculator.ask(line.question, gone)
        process = calculator.child.process
        await calculator.stop()
        return first, second, third, process.returncode

    first, second, third, status = asyncio.run(asked())
    assert first == third == {"problem": "nobody waits for this answer any more"}
    assert second["answer"]["quantity"] == "delta"
    assert status == -signal.SIGKILL


def test_a_process_that_ends_is_started_again():
    async def asked():
        calculator = Calculator(60.0)

        async def here():
            return False

        argv = privacy_questions(BINOMIAL)[0].question
        first = await calculator.ask(argv, here)
        calculator.child.process.kill()
        calculator.child.process.wait()
        second = await calculator.ask(argv, here)
        await calculator.stop()
        return first, second

    first, second = asyncio.run(asked())
    assert first == second
    assert "answer" in first


def test_an_interrupt_ends_it_with_status_zero():
    command = [PROGRAM, "explore", "--no-browser"]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        assert line.startswith("http://127.0.0.1:")
        assert line.endswith("/ (Ctrl-C ends it)\n")
        wait_for_page(line.split(" ")[0])
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr.read() == ""


def wait_for_page(address):
    """Returns when the server answers, so that it has taken over the signals."""
    _, _, host, token, _ = address.split("/")
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request("GET", f"/{token}/")
    assert connection.getresponse().status == 200
    connection.close()


@pytest.mark.parametrize(
    ("port", "sentence"),
    [
        ("0", "port = 0 is not allowed: port must be a whole number, at least 1"),
        ("65536", "port = 65536 is not allowed: port must be a whole number from 1 to 65535"),
        ("http", "port = http is not allowed: "),
    ],
)
def test_bad_ports(capsys, port, sentence):
    with pytest.raises(SystemExit) as end:
        main(["explore", "--no-browser", "--port", port])
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith(f"panshuffle: {sentence}")


def test_a_port_that_is_taken():
    with listening(0) as door:
        host, port = door.getsockname()
        assert host == "127.0.0.1"
        with pytest.raises(InputError, match=rf"^port = {port} can't be used on 127.0.0.1 \(Address already in use\)$"):
            listening(port)


def test_a_missing_library_is_named(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit) as end:
        main(["explore", "--no-browser"])
    assert end.value.code == 2
    sentence = "panshuffle: explore needs starlette and uvicorn: pip install 'panshuffle[explore]'\n"
    assert capsys.readouterr().err == sentence


def test_the_messages_are_those_that_a_user_sends():
    """Counted in what the reference implementations send."""
    coins = Coins(7)
    sent = {
        "binary-sum": BinarySum(5, real("1/3")).randomize(1, coins),
        "shuffle-histogram": ShuffleHistogram(5, 3, real("1/3")).randomize(2, coins),
        "modular-sum": ModularSum(5, 4).randomize(1, coins),
        "distinct-elements": DistinctElements(5, 3, real(1), 4).randomize(2, coins),
    }
    letters = {"n": "5", "k": "3", "m": "4", "lam": "1/2"}
    for protocol, messages in sent.items():
        assert int(SUBJECTS[protocol].messages_with(letters).split(" ")[0]) == len(messages)
    # three pools, each with the bit and Pois(1/10) bits: 3 * 11/10
    assert SUBJECTS["uniformity"].messages_with(letters) == "33/10 in the mean (1 + 1/10 to each of 3 pools)"
    assert SUBJECTS["uniformity"].messages_with({"k": "3", "lam": "1/2"}) == "? (it needs n)"
    assert SUBJECTS["pan-sum"].messages_with({}).startswith("none")


def test_every_letter_has_steps_in_order_a_start_and_a_meaning():
    assert set(STEPS) == set(DEFAULTS) == set(MEANINGS)
    assert all({"words", "ways"} <= set(vars(subject)) for subject in SUBJECTS.values())
    for subject in SUBJECTS.values():
        steps, starts = STEPS | subject.description()["steps"], DEFAULTS | dict(subject.defaults)
        for letter in subject.params | {"at-eps", "at-delta", "to"} | ({subject.error} if subject.error else set()):
            values = [real(text) for text in steps[letter]]
            assert all(one < other for one, other in pairwise(values)), letter
            assert starts[letter] in steps[letter]
    assert set(QUESTIONS) == {"privacy", "curve", "error", "plan"}


@every("protocol", SUBJECTS)
def test_the_least_noise_is_that_of_its_command(protocol):
    """The question, without the server: what is asked is what `calibrate` takes, and only where there is a target."""
    wanted = calibrated_params(protocol)
    sent = {"protocol": protocol, "read": "calibrate", "at": "1", "delta": "1e-3"}
    assert (wanted is None) == (protocol == "modular-sum")
    if wanted is None:
        with pytest.raises(InputError):
            privacy_questions(sent)
        return
    letters = {letter: DEFAULTS[letter] for letter in wanted}
    (asked,) = privacy_questions(sent | {"parameters": letters})
    assert asked.question.kind == "calibrate"
    assert dict(asked.question.options) == {**letters, "at-eps": "1", "at-delta": "1e-3"}


@pytest.mark.parametrize(
    ("options", "call"),
    [
        ({"l": "20", "p": "1/2", "at-eps": "1"}, 'panshuffle.protocol("binomial", p="1/2", l=20).privacy(at_eps=1)'),
        ({"l": "20", "at-delta": "1e-3"}, 'panshuffle.protocol("binomial", l=20).privacy(at_delta="1e-3")'),
    ],
)
def test_the_python_call_gives_the_same_number(options, call):
    import panshuffle

    asked = Asked(Question.of("privacy", "binomial", options))
    assert asked.python.replace("'", '"') == call
    assert eval(asked.python, {"panshuffle": panshuffle}).upper == answer(asked.question).upper


def test_a_plan_is_that_of_its_command(client, capsys):
    sent = {"task": "histogram", "k": "100", "at-eps": "1", "at-delta": "1e-3", "n": "", "beta": "1/10"}
    (found,) = client.ask("plan", sent)
    assert found["command"] == "panshuffle plan histogram --k 100 --at-eps 1 --at-delta 1e-3 --beta 1/10"
    assert found["answer"] == printed(capsys, [*found["command"].split()[1:], "--json"])
    (refused,) = client.ask("plan", {**sent, "task": "nothing"})
    assert refused["problem"].startswith("task is not allowed")


def test_the_error_is_said_plainly(client):
    (found,) = client.ask("error", BINOMIAL)
    assert found["lead"] == "With probability 9/10 the error is at most"


@pytest.mark.long
def test_a_client_that_goes_away_or_is_slow_leaves_no_trace():
    """Half a request and a closed connection; half a request and silence, which is cut off with a sentence."""
    command = [PROGRAM, "explore", "--no-browser", "--json"]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        client = Client(process)
        host, _, port = client.host.partition(":")
        head = f"POST /{client.token}/ask/privacy HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
        head += "Content-Length: 100\r\n\r\n{"
        with socket.create_connection((host, int(port))) as gone:
            gone.sendall(head.encode())
        with socket.create_connection((host, int(port)), timeout=30) as slow:
            slow.sendall(head.encode())
            assert b"408" in slow.recv(4096)
        assert client.request("GET", f"/{client.token}/")[0] == 200
        process.terminate()
        assert process.stderr.read() == ""
