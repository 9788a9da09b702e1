"""The house: one home for a protocol, no circles, few untyped values, and a short walk from question to answer."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from panshuffle.arguments import PROTOCOLS, QUESTIONS
from panshuffle.card import card, cards

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("house")  # a module is parsed once
PRODUCTION = ("exact", "symbolic", "protocols", "crosscheck", "panshuffle")


def name_of(path):
    """The name that a module of ours is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    inside = parts[1:] if parts[0] == "panshuffle" else parts
    return ".".join(("panshuffle", *inside)).removesuffix(".__init__")


def folder_of(module):
    """The folder of the repository that a module of ours is in."""
    return MODULES[module].relative_to(ROOT).parts[0]


MODULES = {
    name_of(path): path for package in (*PRODUCTION, "proofs") for path in sorted((ROOT / package).rglob("*.py"))
}
MOST_ANY = 60
FILE = re.compile(r"`((?:exact|protocols|crosscheck|panshuffle|proofs|symbolic)/[\w/]+\.py)`")
MOST_FILES = 14
"""Of ours, that `panshuffle privacy binomial` enters, class bodies and the reading of its arguments included."""


class Facts:
    """What these tests want to know of a module, from one walk through its tree."""

    def __init__(self, path):
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.imports, self.untyped = [], 0
        texts, docstrings = [], set()
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.imports.append(node)
            elif isinstance(node, ast.Name):
                self.untyped += node.id == "Any"
            elif isinstance(node, ast.Constant):
                texts += [node] if isinstance(node.value, str) else []
            elif isinstance(node, ast.Expr):
                docstrings.add(id(node.value))
        self.texts = [node.value for node in texts if id(node) not in docstrings]


facts = cache(Facts)


def names(text):
    """The protocols that a text names: as a whole, as a word with a dash, or after the name of a command."""
    commands = "|".join(QUESTIONS)
    for name in PROTOCOLS:
        word = rf"(?<![\w-]){name}(?![\w-])"
        if text == name or ("-" in name and re.search(word, text)) or re.search(rf"\b({commands}) {word}", text):
            yield name


def test_a_protocols_name_stands_in_one_file():
    found = {name: set() for name in PROTOCOLS}
    for module, path in MODULES.items():
        if folder_of(module) in ("panshuffle", "crosscheck"):
            for text in facts(path).texts:
                for name in names(text):
                    found[name].add(module)
    assert found == {name: {f"panshuffle.catalogue.{name.replace('-', '_')}"} for name in PROTOCOLS}


def test_a_planted_name_would_be_found():
    assert list(names("pan-sum")) == ["pan-sum"]
    assert list(names("panshuffle privacy binomial --l 20")) == ["binomial"]
    assert list(names("the law of two-bit-sum here")) == ["two-bit-sum"]
    assert list(names("a binomial law, and a test of uniformity")) == []


def test_nothing_looks_at_what_a_record_happens_to_have():
    for module, path in MODULES.items():
        if folder_of(module) in ("panshuffle", "crosscheck"):
            text = path.read_text(encoding="utf-8")
            assert "hasattr(record" not in text and "getattr(record" not in text, module
            assert not re.search(r"type\(\w+\)\.__name__ (==|in)", text), module


def imports(path, inside):
    """The modules of ours that a module imports, also inside functions if that is asked for.

    The package `panshuffle` itself loads nothing of ours: to import from it is no circle.
    """
    found = facts(path)
    guarded = [line for node in found.tree.body if isinstance(node, ast.If) for line in node.body]
    for node in found.imports if inside else [*found.tree.body, *guarded]:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES or node.module == "panshuffle" else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def circles(graph):
    """What is left of a graph when whoever imports nothing that is left is taken away, again and again."""
    left = {name: {other for other in others if other in graph and other != name} for name, others in graph.items()}
    while True:
        done = {name for name, others in left.items() if not others & left.keys()}
        if not done:
            return left
        left = {name: others for name, others in left.items() if name not in done}


@pytest.mark.parametrize("packages", [(*PRODUCTION, "proofs"), ("panshuffle", "crosscheck")])
def test_no_import_goes_round_in_a_circle(packages):
    """When modules are loaded; in the application also when a function imports."""
    ours = {name: path for name, path in MODULES.items() if folder_of(name) in packages}
    assert circles({name: set(imports(path, len(packages) == 2)) for name, path in ours.items()}) == {}


def test_a_planted_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}).keys() == {"a", "b", "c"}


LAYERS = (
    {"question", "arguments", "output", "template"},
    {"card", "catalogue", "running", "dataset"},
    {"answer", "answers", "tasks", "plotting", "ledger_text"},
)
"""What all share, what cards are made of, and what answers are; everything else is a face."""


def layer(module):
    """The layer of a module of the application, from below."""
    name = module.split(".")[1]
    return next((i for i, names in enumerate(LAYERS) if name in names), len(LAYERS))


def test_cards_know_no_answers_and_answers_no_faces():
    ours = {name: path for name, path in MODULES.items() if folder_of(name) == "panshuffle" and "." in name}
    assert {name for names in LAYERS for name in names} == {name.split(".")[1] for name in ours if layer(name) < 3}
    for name, path in ours.items():
        for other in imports(path, True):
            assert other not in ours or layer(other) <= layer(name), (name, other)


def test_commands_import_no_commands():
    for name, path in MODULES.items():
        if name.startswith("panshuffle.commands."):
            assert not [other for other in imports(path, True) if other.startswith("panshuffle.commands")], name


def test_few_values_are_untyped():
    count = Counter()
    for name, path in MODULES.items():
        if folder_of(name) in PRODUCTION:
            count[folder_of(name)] += facts(path).untyped
    assert sum(count.values()) <= MOST_ANY, count


def test_every_card_is_whole():
    for one in cards():
        assert one.name in PROTOCOLS and one.params
        assert card(one.name) is one
        for function in (one.laws, one.accuracy and one.accuracy.law):
            assert function is None or callable(function)


WALK = """
import json, sys
root, *line = sys.argv[1:]
entered = []
def note(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(root + "/"):
        entered.append(code.co_filename.removeprefix(root + "/"))
sys.setprofile(note)
from panshuffle.main import main
try:
    main(line)
finally:
    sys.setprofile(None)
    print(json.dumps([*dict.fromkeys(entered)]))
"""


def walk(line):
    """The files of ours of which a command runs functions or class bodies, from its first line on, in that order."""
    command = [sys.executable, "-c", WALK, str(ROOT), *line.split()]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in json.loads(found.splitlines()[-1]) if name.split("/")[0] in (*PRODUCTION, "proofs")]


def test_the_walk_of_a_question_is_short_and_as_the_document_says():
    found = walk("privacy binomial --l 80 --at-eps 1")
    assert len(found) <= MOST_FILES, found
    text = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
    section = text[text.index("## privacy") :].split("\n## ")[0]
    named = re.findall(r"`((?:exact|protocols|crosscheck|panshuffle|proofs|symbolic)/[\w/]+\.py)`", section)
    assert set(named) == set(found)


def test_the_files_of_the_walks_are_there():
    text = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
    for name in re.findall(FILE, text):
        assert (ROOT / name).exists(), name
