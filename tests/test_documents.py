"""Every example in the documents runs and prints what the document says."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
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


@blocks("console")
def test_console_example(path, text, tmp_path):
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    command: str | None = None
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        result = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert result.stdout == expected
    assert command


@blocks("python")
def test_python_example(path, text):
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_resolve(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
