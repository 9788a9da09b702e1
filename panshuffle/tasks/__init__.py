"""One file for each task that `panshuffle plan` plans."""

from pkgutil import iter_modules

TASKS = tuple(sorted(module.name.replace("_", "-") for module in iter_modules(__path__)))
"""The names, which are those of the files."""
