"""From tokens to nodes: macros are expanded, commands take their arguments, environments are closed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from panshuffle.exact.errors import InputError
from panshuffle.latex.nodes import INLINE, Command, Environment, Group, Node, Nodes, Paragraph, Text
from panshuffle.latex.signatures import DELIMITERS, ENVIRONMENT_SIGNATURES, SIGNATURES
from panshuffle.latex.tokens import CONDITIONS, DEFINING, Macro, Token, tokens

MOST_EXPANSIONS = 50_000
"""More expansions than any paper needs: a macro that calls itself is stopped here."""
DEEPEST = 80
"""Environments and groups inside each other; deeper is damage, or an attack on the stack."""
END = Token("end", "")
Stop = Callable[[Token], bool]


@dataclass(frozen=True)
class Paper:
    """A paper as its source has it: title and authors, as nodes, and the body."""

    title: Nodes
    author: Nodes
    body: Nodes


def read(source: str) -> Paper:
    """The tree of a LaTeX source.  *Raises* `InputError`, with the line, for one whose parts are not closed."""
    return Reader(source).paper()


class Reader:
    """One pass over the tokens, with the macros that are known so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.waiting = deque(tokens(source))
        self.macros: dict[str, Macro] = {}
        self.expansions = 0
        self.depth = 0
        self.last = 0

    def paper(self) -> Paper:
        """The whole file; what stands before the document is read for its macros, title and author."""
        head: Nodes = ()
        if r"\begin{document}" in self.source:
            head = self.nodes(lambda token: token.kind == "end" or self.at(token, "begin", "document"))
            self.argument_tokens()
        found = {node.name: node.arguments[0] for node in head if isinstance(node, Command) and node.arguments}
        body = self.nodes(lambda token: token.kind == "end" or self.at(token, "end", "document"))
        return Paper(found.get("title", ()), found.get("author", ()), body)

    def at(self, token: Token, command: str, name: str) -> bool:
        """Whether a command with that name in braces is next."""
        word = [Token("open", "{"), *(Token("char", letter) for letter in name), Token("close", "}")]
        if token.kind != "command" or token.text != command or len(self.waiting) < len(word):
            return False
        return all(self.waiting[i][:2] == wanted[:2] for i, wanted in enumerate(word))

    def fail(self, words: str, at: int | None = None) -> InputError:
        """A sentence about the source, with the line that it is about."""
        line = self.source.count("\n", 0, self.last if at is None else at) + 1
        return InputError(f"line {line}: {words}")

    def take(self) -> Token:
        """The next token; at the end, one that says so."""
        token = self.waiting.popleft() if self.waiting else END
        self.last = max(self.last, token.start)
        return token

    def peek(self) -> Token:
        """The next token, left where it is."""
        return self.waiting[0] if self.waiting else END

    def skip_space(self) -> None:
        """Leaves out spaces."""
        while self.peek().kind in ("space", "par"):
            self.take()

    def nodes(self, stop: Stop) -> Nodes:
        """The nodes up to a token, which is taken."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail("groups are nested too deeply")
        found: list[Node] = []
        while not stop(token := self.take()):
            if token.kind == "end":
                raise self.fail("the file ends inside a group or an environment")
            self.meet(token, found)
        self.depth -= 1
        return tuple(found)

    def meet(self, token: Token, found: list[Node]) -> None:
        """Adds what a token begins."""
        if token.kind in ("char", "space"):
            if found and isinstance(found[-1], Text):
                found[-1] = Text(found[-1].text + token.text)
            else:
                found.append(Text(token.text))
        elif token.kind == "par":
            found.append(Paragraph())
        elif token.kind == "open":
            found.append(Group(self.nodes(lambda one: one.kind == "close")))
        elif token.kind == "close":
            raise self.fail("a closing brace closes nothing", token.start)
        elif token.kind == "dollars":
            found.append(self.formula(token))
        else:
            self.command(token, found)

    def formula(self, token: Token) -> Environment:
        """A formula between dollars."""
        name = INLINE if token.text == "$" else "$$"
        if token.text == "$$" and self.peek().kind == "dollars":
            self.take()
            return Environment(INLINE, ())
        nodes = self.nodes(lambda one: one.kind == "dollars" or self.broken(one, token.start))
        return Environment(name, nodes, None, (), token.start, self.last + len(token.text))

    def broken(self, token: Token, start: int) -> bool:
        """*Raises* where a paragraph ends inside a formula."""
        if token.kind in ("par", "end"):
            raise self.fail("a formula is not closed", start)
        return False

    def command(self, token: Token, found: list[Node]) -> None:
        """A command: a definition, a macro, a condition, an environment, or one with its arguments."""
        name = token.text
        if name in DEFINING or name == "def":
            self.define(name)
        elif name in self.macros:
            self.expand(self.macros[name])
        elif name in CONDITIONS:
            self.condition(name)
        elif name == "else":
            self.skip_branch(to_else=False)
        elif name == "begin":
            found.append(self.environment(token.start))
        elif name == "end":
            raise self.fail(rf"\end{{{self.word()}}} closes nothing", token.start)
        elif name in ("[", "("):
            close = {"[": "]", "(": ")"}[name]
            nodes = self.nodes(lambda one: one[:2] == ("command", close) or self.broken(one, token.start))
            found.append(Environment("display" if name == "[" else INLINE, nodes, None, (), token.start, self.last + 2))
        elif name not in ("fi", "expandafter", "relax", "begingroup", "endgroup", "protect", "string"):
            found.append(self.with_arguments(name))

    def expand(self, macro: Macro) -> None:
        """Puts what a macro stands for in front of what is still to be read."""
        self.expansions += 1
        if self.expansions > MOST_EXPANSIONS:
            raise self.fail("the macros of the file never end")
        arguments: list[Sequence[Token]] = []
        if macro.arity and macro.default is not None:
            given = self.option_tokens()
            arguments.append(macro.default if given is None else given)
        while len(arguments) < macro.arity:
            arguments.append(self.argument_tokens())
        self.push(macro.filled(arguments))

    def push(self, made: Iterable[Token]) -> None:
        """Puts tokens in front."""
        self.waiting.extendleft(reversed(list(made)))

    def argument_tokens(self) -> list[Token]:
        """The tokens of the next argument, without its braces."""
        self.skip_space()
        token = self.take()
        if token.kind == "end":
            raise self.fail("the file ends where an argument is missing")
        if token.kind != "open":
            return [token]
        found: list[Token] = []
        depth = 1
        while True:
            token = self.take()
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            if token.kind == "end":
                raise self.fail("the file ends inside an argument")
            if depth == 0:
                return found
            found.append(token)

    def option_tokens(self) -> list[Token] | None:
        """The tokens of an option in square brackets, None where there is none."""
        spaces = [self.take()] if self.peek().kind == "space" else []
        if self.peek()[:2] != ("char", "["):
            self.push(spaces)
            return None
        self.take()
        found: list[Token] = []
        depth = 0
        while (token := self.take())[:2] != ("char", "]") or depth:
            if token.kind == "end":
                raise self.fail("the file ends inside an option")
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            found.append(token)
        return found

    def word(self) -> str:
        """The letters of an argument."""
        return "".join(token.text for token in self.argument_tokens())

    def define(self, kind: str) -> None:
        """Learns a macro; one that is only provided does not replace another."""
        if kind == "def":
            name, arity = self.take().text, 0
            while self.peek()[:2] == ("char", "#"):
                self.take()
                self.take()
                arity += 1
            self.macros[name] = Macro(arity, None, tuple(self.argument_tokens()))
            return
        if self.peek()[:2] == ("char", "*"):
            self.take()
        name = self.word()
        if kind == "DeclareMathOperator":
            self.macros[name] = Macro(0, None, tuple(tokens(rf"\operatorname{{{self.word()}}}")))
            return
        count = self.option_tokens()
        default = self.option_tokens()
        body = self.argument_tokens()
        arity = int("".join(token.text for token in count)) if count and count[0].text.isdigit() else 0
        known = name in self.macros or name in SIGNATURES
        if not (kind == "providecommand" and known):
            self.macros[name] = Macro(arity, None if default is None else tuple(default), tuple(body))

    def condition(self, name: str) -> None:
        """Goes on in the branch that TeX takes; what can't be decided here counts as true."""
        if name == "ifx":
            holds = self.operand() == self.operand()
        elif name == "ifnum":
            left, sign, right = self.number(), self.take().text, self.number()
            holds = {"<": left < right, ">": left > right}.get(sign, left == right)
        else:
            holds = name != "iffalse"
        if not holds:
            self.skip_branch(to_else=True)

    def operand(self) -> tuple[str, str]:
        """One side of a comparison of tokens; a name that nothing defines is like one that does nothing."""
        token = self.take()
        if token[:2] == ("command", "csname"):
            name = ""
            while (part := self.take())[:2] != ("command", "endcsname"):
                if part.kind == "end":
                    raise self.fail("the file ends inside a name")
                name += part.text
            return ("command", name if name in self.macros else "relax")
        return token[:2]

    def number(self) -> int:
        """A number of a condition, macros expanded; 0 where none stands."""
        digits = ""
        while True:
            token = self.peek()
            if token.kind == "command" and token.text in self.macros:
                self.take()
                self.expand(self.macros[token.text])
            elif token.kind in ("space", "par") or token.text == "-" or token.text.isdigit():
                if token.kind in ("space", "par") and digits:
                    self.take()
                    return int(digits)
                digits += self.take().text.strip()
            else:
                return int(digits) if digits.strip("-") else 0

    def skip_branch(self, to_else: bool) -> None:
        """Leaves out the tokens up to the end of a condition, or up to its other branch."""
        depth = 0
        while (token := self.take()).kind != "end":
            if token.kind != "command":
                continue
            if token.text in CONDITIONS:
                depth += 1
            elif token.text == "fi":
                depth -= 1
                if depth < 0:
                    return
            elif token.text == "else" and depth == 0 and to_else:
                return

    def environment(self, start: int) -> Environment:
        """What stands between begin and end."""
        name = self.word()
        option, arguments = None, []
        for letter in ENVIRONMENT_SIGNATURES.get(name, "o"):
            if letter == "m":
                arguments.append(self.argument())
            else:
                option = self.option()
        nodes = self.nodes(lambda token: self.closes(token, name, start))
        return Environment(name, nodes, option, tuple(arguments), start, self.last + 1)

    def closes(self, token: Token, name: str, start: int) -> bool:
        """Whether a token begins the end of an environment.  *Raises* where another is closed, or none."""
        if token.kind == "end":
            raise self.fail(rf"\begin{{{name}}} is never closed", start)
        if token[:2] != ("command", "end"):
            return False
        closed = self.word()
        if closed != name:
            raise self.fail(rf"\begin{{{name}}} is closed by \end{{{closed}}}", start)
        return True

    def argument(self) -> Nodes:
        """The next argument."""
        return self.sub(self.argument_tokens())

    def option(self) -> Nodes | None:
        """The option that is next, None where there is none."""
        given = self.option_tokens()
        return None if given is None else self.sub(given)

    def sub(self, inner: list[Token]) -> Nodes:
        """Some tokens read by themselves."""
        kept, self.waiting = self.waiting, deque(inner)
        found = self.nodes(lambda token: token.kind == "end")
        self.waiting = kept
        return found

    def with_arguments(self, name: str) -> Command:
        """A command with what its signature takes."""
        if name in DELIMITERS:
            self.skip_space()
            token = self.take()
            text = f"\\{token.text}" if token.kind == "command" else token.text
            return Command(name, ((Text(text),),))
        starred, options, arguments = False, [], []
        for letter in SIGNATURES.get(name, ""):
            if letter == "s":
                starred = self.peek()[:2] == ("char", "*")
                if starred:
                    self.take()
            elif letter == "o":
                options.append(self.option())
            else:
                arguments.append(self.argument())
        return Command(name, tuple(arguments), tuple(options), starred)
