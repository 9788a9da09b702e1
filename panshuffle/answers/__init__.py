"""One module for each kind of question, whose `resolve` checks it: calling what it gives computes the answer."""

from panshuffle.answer import answer, resolve

__all__ = ["answer", "resolve"]
