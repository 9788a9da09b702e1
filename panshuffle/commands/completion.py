"""`panshuffle completion`: what a shell needs to complete commands, options and protocols."""

from __future__ import annotations

import argparse
import json

from panshuffle.arguments import PROTOCOLS

BASH = """_panshuffle() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}"
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{commands}" -- "$word")); return; fi
  case "$command" in
{cases}
  esac
}}
complete -o default -F _panshuffle panshuffle
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"
FISH = "complete -c panshuffle -n __fish_use_subcommand -f -a '{commands}'\n"


def run(args: argparse.Namespace) -> int:
    """Prints the script."""
    known = words()
    if args.json:
        print(json.dumps(known))
    elif args.shell == "fish":
        print(fish(known), end="")
    else:
        cases = [
            f'    {name}) COMPREPLY=($(compgen -W "{" ".join(rest)}" -- "$word"));;' for name, rest in known.items()
        ]
        script = BASH.format(commands=" ".join(known), cases="\n".join(cases))
        print((ZSH if args.shell == "zsh" else "") + script, end="")
    return 0


def fish(known: dict[str, list[str]]) -> str:
    """The script for fish."""
    lines = [FISH.format(commands=" ".join(known))]
    for name, rest in known.items():
        seen = f"'__fish_seen_subcommand_from {name}'"
        lines += [f"complete -c panshuffle -n {seen} -l {word[2:]}\n" for word in rest if word.startswith("--")]
        plain = [word for word in rest if not word.startswith("-")]
        lines += [f"complete -c panshuffle -n {seen} -a '{' '.join(plain)}'\n"] if plain else []
    return "".join(lines)


def words() -> dict[str, list[str]]:
    """The options of each command and, where it takes one, the protocols."""
    from panshuffle.main import parser

    choices = next(action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    result = {}
    for name, command in choices.items():
        options = [option for action in command._actions for option in action.option_strings if option.startswith("--")]
        takes = any(action.dest == "protocol" and action.nargs is None for action in command._actions)
        result[name] = [*options, *(PROTOCOLS if takes else ())]
    return result
