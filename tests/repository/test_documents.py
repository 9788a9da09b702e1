"""Every example in the documents runs and prints what the document says."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from panshuffle.main import main
from tests.every import every

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/decisions/*.md")]
)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(path, kind, text) for path in DOCUMENTS for kind, text in BLOCK.findall(path.read_text(encoding="utf-8"))]


def blocks(kind):
    found = [(path, text) for path, block, text in BLOCKS if block == kind]
    return pytest.mark.parametrize(
        ("path", "text"), found, ids=[f"{path.name}-{i}" for i, (path, _) in enumerate(found)]
    )


def test_there_are_examples():
    """Blocks of `text` and `json` show formats and output that depends on the machine; all others are run."""
    assert {kind for _, kind, _ in BLOCKS} - {"text", "json"} == {"console", "python"}


def printed_here(argv):
    """What a command of ours prints, without a process of its own."""
    stream = StringIO()
    with redirect_stdout(stream), redirect_stderr(stream), pytest.raises(SystemExit):
        main(argv)
        raise SystemExit(0)
    return stream.getvalue()


def printed(command):
    """What a command line prints; our own program is not started for it where no shell is needed."""
    words = shlex.split(command)
    if words[0] == "panshuffle" and not set("|<>;&$*`") & set(command):
        return printed_here(words[1:])
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, shell=True, env=environment, **both, text=True, check=False).stdout


@blocks("console")
def test_console_example(path, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    session = [part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]
    assert session
    for command, _, expected in session:
        assert printed(command) == expected


def test_python_examples():
    """The blocks of a document are one session."""
    for path in DOCUMENTS:
        found = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
        test = doctest.DocTestParser().get_doctest("\n".join(found), {}, path.name, str(path), 0)
        assert len(test.examples) >= len(found)
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0, path


def parts_of_files():
    """The blocks of text that begin with a file of ours and an empty line."""
    for _, kind, text in BLOCKS:
        name, _, rest = text.partition("\n\n")
        if kind == "text" and re.fullmatch(r"[\w/]+\.py", name):
            yield name, rest


def test_what_is_shown_as_a_part_of_a_file_is_one():
    shown = dict(parts_of_files())
    assert len(shown) >= 2
    for name, part in shown.items():
        lines = [line.strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
        first, *others = [line.strip() for line in part.splitlines()]
        places = [i for i, line in enumerate(lines) if line == first]
        assert any(lines[i + 1 : i + 1 + len(others)] == others for i in places), name


@every("path", DOCUMENTS)
def test_links_resolve(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
