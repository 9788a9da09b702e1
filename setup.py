"""Where the packages are: the folders of the repository stand below `panshuffle` when they are installed."""

from setuptools import find_namespace_packages, setup

FOLDERS = ("exact", "symbolic", "proofs", "protocols", "crosscheck")


def packages(folder: str) -> list[str]:
    """A folder's packages, itself included."""
    return [name for name in find_namespace_packages(include=[folder, f"{folder}.*"]) if "__pycache__" not in name]


setup(
    packages=[*packages("panshuffle"), *(f"panshuffle.{name}" for folder in FOLDERS for name in packages(folder))],
    package_dir={f"panshuffle.{folder}": folder for folder in FOLDERS},
)
