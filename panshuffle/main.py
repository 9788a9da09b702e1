"""The command line.  Commands import what they need when they run, so that help is instant."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from threading import Event, Thread
from typing import NoReturn

from panshuffle.arguments import COMMANDS, add_command
from panshuffle.exact.errors import InputError, Undecided

ASKED = ("privacy", "calibrate", "accuracy", "attack", "compose", "curve", "export")
"""The commands that are a question and nothing else."""
USAGE_ERROR = 2
DEFECT = 70
"""A crash is none of the answers that a status stands for."""
INTERRUPTED = 130
REPORT = "please report it with this command line; with PANSHUFFLE_TRACEBACK=1 it says where"
SILENCE = 20
"""This many seconds pass before it is said that the work goes on."""
LONGEST_SENTENCE = 1000
NEGATIVE = re.compile(r"-([0-9.(]|exp\(|log\(|sqrt\()")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    command = ""

    def error(self, message: str) -> NoReturn:
        """Prints the sentence and exits with status 2."""
        fail(message)

    def format_help(self) -> str:
        """The help, and examples: those on the cards are loaded when somebody reads them."""
        if self.command:
            from panshuffle.card import examples

            lines = [*examples(self.command), *COMMANDS[self.command].examples]
            self.epilog = "examples:\n" + "\n".join(f"  panshuffle {line}" for line in lines)
        return super().format_help()


def fail(sentence: str, status: int = USAGE_ERROR) -> NoReturn:
    """Prints one sentence and exits with the status."""
    line = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in sentence)
    print(f"panshuffle: {line[:LONGEST_SENTENCE]}", file=sys.stderr)
    raise SystemExit(status)


def parser() -> Parser:
    """The parser of all commands."""
    top = Parser(
        prog="panshuffle",
        description="Exact and certified answers on the shuffle model and pan-privacy.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="store_true", help="print the version")
    top.add_argument("--quiet", action="store_true", help="no progress bars (anywhere on the line)")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands", parser_class=Parser)
    for name, about in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=about.summary,
            description=f"{about.summary.capitalize()}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            aliases=[about.alias] if about.alias else [],
        )
        command.command = name
        command.set_defaults(command=name)
        add_command(command, name)
    return top


def main(argv: Sequence[str] | None = None) -> None:
    """Runs one command; exits with 0, with 2 and one sentence for bad input, or with the command's own status."""
    if sys.stdout is None:
        fail("the standard output is closed")
    top = parser()
    args = top.parse_args(joined(quieted(sys.argv[1:] if argv is None else argv)))
    if args.version:
        from importlib.metadata import version

        print(f"panshuffle {version('panshuffle')}")
        return
    if args.command is None:
        top.print_help()
        return
    try:
        with patience(COMMANDS[args.command].patient and not os.environ.get("PANSHUFFLE_QUIET")):
            status = run(args)
        sys.stdout.flush()
    except (InputError, Undecided) as problem:
        fail(str(problem))
    except OverflowError:
        fail("a number is too large to be computed with here")
    except MemoryError:
        fail("this takes more memory than there is")
    except KeyboardInterrupt:
        fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        discard_output()
        raise SystemExit(0) from None
    except OSError as problem:
        discard_output()
        fail(f"the output can't be written ({problem.strerror})")
    except Exception as problem:
        if os.environ.get("PANSHUFFLE_TRACEBACK"):
            raise
        fail(f"a mistake of ours ({type(problem).__name__}: {problem}): {REPORT}", DEFECT)
    raise SystemExit(status)


def run(args: argparse.Namespace) -> int:
    """Runs the command that was asked for; its status."""
    command = COMMANDS[args.command]
    for _, group in command.parts():
        for option in group.options:
            if option.endings:
                check_ending(option.name, getattr(args, option.name), option.endings)
    if args.command not in ASKED:
        status: int = import_module(f"panshuffle.{command.run or f'commands.{args.command}'}").run(args)
        return status
    from panshuffle.answer import answer
    from panshuffle.question import Question

    found = answer(Question.parsed(args.command, args))
    return found.show(args.json, args.certificate, vars(args).get("output"))


def check_ending(option: str, path: str | None, endings: Sequence[str]) -> None:
    """*Raises* `InputError` for a file whose name ends otherwise."""
    if path is not None and not path.endswith(tuple(endings)):
        allowed = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise InputError(f"{option} = {path} is not allowed: {option} must end in {allowed}")


@contextmanager
def patience(wanted: bool) -> Iterator[None]:
    """Says on the standard error, every now and then, that the work goes on."""
    done = Event()

    def wait() -> None:
        seconds = 0
        while not done.wait(SILENCE):
            seconds += SILENCE
            print(f"panshuffle: still computing after {seconds:g} s", file=sys.stderr, flush=True)

    if wanted:
        Thread(target=wait, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def quieted(argv: Sequence[str]) -> list[str]:
    """The arguments without --quiet, which may stand anywhere and turns progress bars off."""
    if "--quiet" in argv:
        os.environ["PANSHUFFLE_QUIET"] = "1"
    return [argument for argument in argv if argument != "--quiet"]


def discard_output() -> None:
    """Points the standard output to nowhere, so that what is left in its buffer is no further error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def joined(argv: Sequence[str]) -> list[str]:
    """The arguments, with negative numbers joined to their options, so that they are not taken for options.

    >>> joined(["--tau", "-1/2", "--uniform"])
    ['--tau=-1/2', '--uniform']
    """
    result: list[str] = []
    for argument in argv:
        if NEGATIVE.match(argument) and result and result[-1].startswith("--") and "=" not in result[-1]:
            result[-1] += f"={argument}"
        else:
            result.append(argument)
    return result
