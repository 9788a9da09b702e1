"""The commands and their options, read from `commands.toml`, for the command line, study files and the Python API."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Row = dict[str, Any]
"""A table of the file."""


def names_in(folder: str) -> tuple[str, ...]:
    """The names of the modules of one of our folders, as they are written on the command line."""
    return tuple(sorted(module.stem.replace("_", "-") for module in (HERE / folder).glob("[a-z]*.py")))


PROTOCOLS = names_in("catalogue")
"""The protocols: a card is found by its file, and loaded when it is asked for."""
TASKS = names_in("tasks")
"""What `panshuffle plan` plans."""
AS_PRINTED = "as-printed"


@dataclass(frozen=True)
class Option:
    """An option: its name without dashes, what it means, and what its value is called; a flag has none.

    One that is `positional` is no option but an argument, `nargs` says how many there may be.
    """

    name: str
    meaning: str
    metavar: str | None = None
    choices: Sequence[str] = ()
    default: str | None = None
    positional: bool = False
    nargs: str | None = None
    required: bool = False
    repeated: bool = False
    dest: str | None = None
    short: str = ""
    also: str = ""
    endings: Sequence[str] = ()

    @property
    def is_flag(self) -> bool:
        """Whether the option takes no value."""
        return self.metavar is None and not self.choices


@dataclass(frozen=True)
class Group:
    """Options under a title, or without one."""

    options: Sequence[Option]
    title: str = ""


@dataclass(frozen=True)
class Command:
    """A command: what it does, its options in the order of its help, and its examples that are about no protocol.

    `subject` is what a question is about; `question` are the names of the options and groups that are part of it, and
    None says that all of them are.
    """

    summary: str
    subject: str | None = None
    options: Sequence[str | Option] = ()
    question: Sequence[str] | None = None
    examples: Sequence[str] = ()
    certificate: str | None = None
    patient: bool = False
    json: bool = True
    exclusive: Sequence[str] = ()
    alias: str = ""
    run: str = ""

    def parts(self) -> Iterator[tuple[str, Group]]:
        """The groups and, each as a group of its own, the other options, by their names."""
        for part in self.options:
            yield (part, GROUPS[part]) if isinstance(part, str) else (part.name, Group([part]))


def command_of(row: Row) -> Command:
    """A command from its table."""
    options = [part if isinstance(part, str) else Option(**part) for part in row.get("options", ())]
    return Command(**{**row, "options": options})


TABLE = tomllib.loads((HERE / "commands.toml").read_text(encoding="utf-8"))
GROUPS = {
    name: Group([Option(**option) for option in row["options"]], row.get("title", ""))
    for name, row in TABLE["group"].items()
}
COMMANDS = {name: command_of(row) for name, row in TABLE["command"].items()}
PARAMS = tuple(option.name for option in GROUPS["parameters"].options if not option.is_flag)
"""The parameters of protocols."""
QUESTIONS = (*(name for name, command in COMMANDS.items() if command.subject), "verify")
"""The kinds of questions."""
SUBJECTS = {
    "PROTOCOL": f"one of: {', '.join(PROTOCOLS)}",
    "TASK": f"one of: {', '.join(TASKS)}",
    "PART": "a protocol with its parameters, --uses K and --sampled Q, as one word in quotation marks",
}


@cache
def options_of(kind: str) -> dict[str, Option]:
    """The options of a kind of question by their names, in their order."""
    asked = COMMANDS[kind].question
    groups = (group for name, group in COMMANDS[kind].parts() if asked is None or name in asked)
    return {option.name: option for group in groups for option in group.options}


class Once(argparse.Action):
    """An option that may be given once."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Keeps the value.  *Raises* `ArgumentError` for a second one."""
        if getattr(namespace, self.dest) is not self.default:
            raise argparse.ArgumentError(self, "the option is given twice")
        setattr(namespace, self.dest, values)


def add_command(parser: argparse.ArgumentParser, name: str) -> None:
    """What a command takes on its line.  Nothing of what it does is loaded here, so that help is instant."""
    command = COMMANDS[name]
    if command.subject is not None:
        several, words = "+" if command.subject == "PART" else None, SUBJECTS[command.subject]
        parser.add_argument("protocol", metavar=command.subject, nargs=several, help=words)
    exclusive = parser.add_mutually_exclusive_group() if command.exclusive else parser
    for part, group in command.parts():
        place = parser.add_argument_group(group.title) if group.title else parser
        for option in group.options:
            add_option(exclusive if part in command.exclusive else place, option)
    parser.set_defaults(certificate=None)
    if command.certificate is not None:
        words = f"write {command.certificate} for python -m panshuffle.exact.check"
        parser.add_argument("--certificate", metavar="FILE", help=words)
    if command.json and "json" not in (part for part, _ in command.parts()):
        parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_option(place: argparse._ActionsContainer, option: Option) -> None:
    """One option of a command."""
    meaning = option.meaning or argparse.SUPPRESS
    choices = option.choices or None
    if option.positional:
        named = option.metavar
        place.add_argument(option.name, metavar=named, nargs=option.nargs, choices=choices, help=meaning)
        return
    flags = [f"-{option.short}"] if option.short else []
    flags += [f"--{name}" for name in (option.name, option.also) if name]
    if option.is_flag:
        place.add_argument(*flags, action="store_true", help=meaning)
        return
    action = "append" if option.repeated else Once
    given: Row = {"metavar": option.metavar, "default": option.default, "required": option.required, "choices": choices}
    place.add_argument(*flags, dest=option.dest or option.name.replace("-", "_"), action=action, help=meaning, **given)
