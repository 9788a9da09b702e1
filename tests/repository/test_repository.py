"""The repository itself: layers, import names, discovery, and a wheel that works with the sources absent."""

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib import import_module
from pathlib import Path

from panshuffle.arguments import PROTOCOLS

ROOT = Path(__file__).parents[2]
MAY_IMPORT = {
    "exact": set(),
    "symbolic": {"exact"},
    "protocols": {"exact"},
    "proofs": {"exact", "symbolic"},
    "crosscheck": {"exact", "protocols"},
    "panshuffle": {"exact", "symbolic", "protocols", "proofs", "crosscheck"},
}
MODULES = [path for package in MAY_IMPORT for path in sorted((ROOT / package).rglob("*.py"))]


def imported(path):
    """The packages that a module imports from, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (package_of(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (package_of(f"{node.module}.{alias.name}") for alias in node.names)


def package_of(name):
    """The folder that an imported name is in: packages stand below `panshuffle` when they are installed."""
    parts = name.split(".")
    return parts[1] if parts[0] == "panshuffle" and parts[1:] and parts[1] in MAY_IMPORT else parts[0]


def test_layers():
    for path in MODULES:
        package = path.relative_to(ROOT).parts[0]
        ours = set(imported(path)) & set(MAY_IMPORT)
        assert ours <= MAY_IMPORT[package] | {package}, path


def test_modules_have_their_own_names():
    for path in MODULES:
        assert path.stem not in {"utils", "common", "helpers", "core", "misc", "base", "manager"}, path


def test_packages_are_typed_and_say_what_they_are():
    for package in set(MAY_IMPORT) - {"panshuffle"}:
        assert (ROOT / package / "py.typed").exists()
        assert import_module(f"panshuffle.{package}").__doc__


def test_protocols_are_found_by_folder():
    found = {path.stem for path in (ROOT / "protocols").glob("*.py")} - {"__init__"}
    assert found == {name.replace("-", "_") for name in PROTOCOLS}
    for name in found:
        record = getattr(import_module(f"panshuffle.protocols.{name}"), name.title().replace("_", ""))
        assert record.__dataclass_params__.frozen
        assert (
            {"randomize", "analyze"} <= set(dir(record))
            or {"initial", "update", "output"} <= set(dir(record))
            or "release" in dir(record)
            or "publish" in dir(record)
        )


def test_the_wheel_works_with_the_sources_absent(tmp_path):
    """Built and unpacked elsewhere; the environment's packages are on the path, its link to the sources is not."""
    source = tmp_path / "source"
    kept = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    for name in kept:
        if name.split("/")[0] in {*MAY_IMPORT, "pyproject.toml", "setup.py", "README.md", "LICENSE"}:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(tmp_path / "dist")]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    folders = {name: Path(name).relative_to("panshuffle") for name in names if ".dist-info/" not in name}
    assert set(folders) == {name for name in names if name.startswith("panshuffle/")}
    expected = {name for name in kept if name.split("/")[0] in MAY_IMPORT}
    inside = {str(path) if path.parts[0] in MAY_IMPORT else f"panshuffle/{path}" for path in folders.values()}
    assert inside == expected
    paths = [str(tmp_path / "site"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(paths), PYTHONNOUSERSITE="1")
    code = (
        "import sys, panshuffle.exact, panshuffle.main as m\n"
        f"assert panshuffle.exact.__file__.startswith({str(tmp_path)!r}), panshuffle.exact.__file__\n"
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
    pages = "from panshuffle.template import kept; from panshuffle.explorer.server import page\n"
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
