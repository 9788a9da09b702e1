"""One file for each protocol: its card.  A file that is put here is a protocol that everything knows."""

from pkgutil import iter_modules

PROTOCOLS = tuple(sorted(module.name.replace("_", "-") for module in iter_modules(__path__)))
"""The names, which are those of the files; a card is loaded when it is asked for."""
