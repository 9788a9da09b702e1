"""What the tests share: how large the sweeps are, and a source of bits for each."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

FULL = bool(os.environ.get("PANSHUFFLE_FULL"))
ROOT = Path(__file__).parent.parent
LISTED = (ROOT / "tests" / "long_cases.txt").read_text(encoding="utf-8").splitlines()
LONG = tuple(line for line in LISTED if not line.startswith("#"))

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as below a shell's background job: children would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config):
    """Registers the mark of tests that take seconds and whose property is tried at smaller sizes elsewhere."""
    config.addinivalue_line("markers", "long: runs in the full sweep only")


def pytest_collection_modifyitems(config, items):
    """Leaves the long tests to the full sweep.  *Raises* `UsageError` where a long case is none that there is."""
    files = {item.path.name for item in items}
    names = [(item, re.sub(r"^tests/(\w+/)*", "", item.nodeid)) for item in items]
    for case in LONG:
        known = any(name.startswith(case) for _, name in names)
        if case.partition("::")[0] in files and not known and not any("::" in word for word in config.args):
            raise pytest.UsageError(f"tests/long_cases.txt: no test is called {case}")
    listed = {item for item, name in names if name.startswith(LONG)}
    long = [] if FULL else [item for item in items if item in listed or item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """A command that runs in a test's own process does not say that it goes on, however busy the machine is."""
    import panshuffle.main

    monkeypatch.setattr(panshuffle.main, "SILENCE", 10**6)


@pytest.fixture(scope="session")
def sweep_factor() -> int:
    """1, or 10 where the sweeps run at their full counts."""
    return 10 if FULL else 1


def copied_packages(folder: Path) -> Path:
    """A copy of our packages as they are when they are installed; the path of the package itself."""
    shutil.copytree(ROOT / "panshuffle", folder / "panshuffle")
    for package in ("exact", "symbolic", "proofs", "protocols", "crosscheck"):
        shutil.copytree(ROOT / package, folder / "panshuffle" / package)
    return folder / "panshuffle"


def copied_kernel(folder: Path) -> Path:
    """A copy of the kernel's sources, pins and record."""
    from panshuffle.proofs.kernel.pins import HERE

    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return folder


@pytest.fixture(scope="module")
def isolated(tmp_path_factory):
    """Runs the checker alone: its own files, no site-packages, and a refusal of every import that is not standard."""
    folder = tmp_path_factory.mktemp("checker")
    shutil.copy(ROOT / "exact" / "check.py", folder)
    code = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] not in sys.stdlib_module_names | {'check'}:\n"
        "            raise ImportError('refused: ' + name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
        f"sys.path.insert(0, {str(folder)!r})\n"
        "from check import main\n"
        "for path in sys.argv[1:]:\n"
        "    print('status', main([path]))\n"
        "tops = {name.split('.')[0] for name in sys.modules}\n"
        "strange = tops - set(sys.stdlib_module_names) - {'check', '__main__', '_distutils_hack'}\n"
        "sys.exit('imported: ' + str(strange) if strange else 0)\n"
    )

    def run(*paths):
        command = [sys.executable, "-I", "-S", "-c", code, *map(str, paths)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=300)

    return run
