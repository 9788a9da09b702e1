"""`panshuffle doctor`, and the files that say who and which version we are."""

import json
import re
import shutil
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from panshuffle.commands import doctor
from panshuffle.main import main

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def said(capsys, *words):
    with pytest.raises(SystemExit) as end:
        main(["doctor", *words])
    return end.value.code, capsys.readouterr().out


def test_what_is_there_is_said(capsys):
    status, text = said(capsys)
    assert status == 0 and "the core: python-flint" in text
    found = json.loads(said(capsys, "--json")[1])
    assert found["kind"] == "a clone"
    assert [one["name"] for one in found["findings"]] == [need.name for need in doctor.NEEDS]


def test_what_is_missing_comes_with_how_to_get_it(capsys, monkeypatch):
    def gone(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "version", gone)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    status, text = said(capsys)
    assert status == 1
    assert "without matplotlib" in text and "[plot]" in text
    assert "apt-get install coq libcoq-coquelicot" in text
    assert text.count("missing") == len(doctor.NEEDS)


def test_every_extra_of_a_command_is_looked_for_with_its_packages():
    """The extras for those who develop are not among them; `court` and `cluster` are other names."""
    extras = PROJECT["optional-dependencies"]
    for need in doctor.NEEDS:
        listed = PROJECT["dependencies"] if not need.extra else extras[need.extra]
        names = {re.split(r"[<>=\[]", one)[0].strip() for one in listed}
        assert not need.packages or set(need.packages) <= names, need.name
    assert set(extras) - {need.extra for need in doctor.NEEDS} == {"test", "docs", "lint", "court", "cluster"}


def test_the_version_is_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [PROJECT["version"]]
    meta = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    assert meta["version"] == PROJECT["version"] and meta["description"] == PROJECT["description"]
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    needed = {re.split(r"[<>=]", one)[0] for one in PROJECT["dependencies"]}
    assert set(meta["softwareRequirements"]) == needed
