"""The repository itself: layers, import names, discovery, and a wheel that works with the sources absent."""

import ast
import os
import subprocess
import sys
import sysconfig
import zipfile
from importlib import import_module
from pathlib import Path

from panshuffle.catalogue import PROTOCOLS

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "exact": set(),
    "symbolic": {"exact"},
    "protocols": {"exact"},
    "proofs": {"exact", "symbolic"},
    "crosscheck": {"exact", "protocols"},
    "panshuffle": {"exact", "symbolic", "protocols", "proofs", "crosscheck"},
}
ONE_FILE = ROOT / "exact" / "check.py"  # whoever distrusts the rest copies and reads this one alone
WEB = {".html", ".svg", ".css", ".js"}
MODULES = [path for package in MAY_IMPORT for path in sorted((ROOT / package).rglob("*.py"))]


def imported(path):
    """The top-level names that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield (node.module or "").split(".")[0]


def test_layers():
    for path in MODULES:
        package = path.relative_to(ROOT).parts[0]
        ours = set(imported(path)) & set(MAY_IMPORT)
        assert ours <= MAY_IMPORT[package] | {package}, path


def test_modules_are_short_and_have_their_own_names():
    for path in MODULES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400 or path == ONE_FILE, path
        assert path.stem not in {"utils", "common", "helpers", "core", "misc", "base", "manager"}, path


def test_top_level_packages_shadow_nothing_and_are_typed():
    assert not set(MAY_IMPORT) & set(sys.stdlib_module_names)
    for package in MAY_IMPORT:
        assert (ROOT / package / "py.typed").exists()
        assert import_module(package).__doc__


def test_protocols_are_found_by_folder():
    found = {path.stem for path in (ROOT / "protocols").glob("*.py")} - {"__init__"}
    assert found == {name.replace("-", "_") for name in PROTOCOLS}
    for name in found:
        record = getattr(import_module(f"protocols.{name}"), name.title().replace("_", ""))
        assert record.__dataclass_params__.frozen
        assert (
            {"randomize", "analyze"} <= set(dir(record))
            or {"initial", "update", "output"} <= set(dir(record))
            or "release" in dir(record)
            or "publish" in dir(record)
        )


def test_the_wheel_works_with_the_sources_absent(tmp_path):
    """Built and unpacked elsewhere; the environment's packages are on the path, its link to the sources is not."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    sources = {str(path.relative_to(ROOT)) for path in MODULES} | {f"{package}/py.typed" for package in MAY_IMPORT}
    kernel = ROOT / "proofs" / "kernel"
    data = [*kernel.glob("*.v"), kernel / "_CoqProject", kernel / "pins.toml", kernel / "record.json"]
    data += [
        ROOT / "proofs" / "pins.json",
        ROOT / "proofs" / "root.sha256",
        ROOT / "proofs" / "paper.json",
        ROOT / "crosscheck/court/record.json",
    ]
    data += [path for package in MAY_IMPORT for path in (ROOT / package).rglob("*") if path.suffix in WEB]
    sources |= {str(path.relative_to(ROOT)) for path in data}
    assert {name for name in names if ".dist-info/" not in name} == sources
    paths = [str(tmp_path / "site"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(paths), PYTHONNOUSERSITE="1")
    code = (
        "import sys, exact, panshuffle.main as m\n"
        f"assert exact.__file__.startswith({str(tmp_path)!r}), exact.__file__\n"
        "m.main(sys.argv[1:])"
    )
    for arguments in (
        ["verify", "markov", "distinct-gamma"],
        ["sample", "modular-sum", "--n", "2", "--m", "3", "--uniform"],
        ["--version"],
    ):
        command = [sys.executable, "-S", "-c", code, *arguments]
        result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout
    pages = "from crosscheck.template import kept; from panshuffle.explorer.page import page\n"
    pages += "from panshuffle.report.page import PACKAGE, again\n"
    files = ", ".join(f"kept(PACKAGE, 'static/{name}')" for name in ("report.js", "report.css", "shared.css"))
    command = [sys.executable, "-S", "-c", f"{pages}print(page(), again(), {files})"]
    shown = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert shown.startswith("<!doctype html>") and "panshuffle report -o report.html" in shown


def test_the_makefile_has_the_documented_targets():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{target}:" in makefile for target in ("verify", "test", "test-full", "kernel", "lint"))
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert all(f"make {target}" in run for target in ("verify", "kernel", "test", "lint"))


def test_skips_and_ignores_carry_their_reason():
    for path in MODULES:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert "noqa" not in line
            assert "type: ignore" not in line
