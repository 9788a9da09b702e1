"""The API reference: one page a package, made from the docstrings."""

import ast
from collections.abc import Iterator
from pathlib import Path

from panshuffle.proofs.ledger import modules

PACKAGES = {
    "exact": "numbers, laws, divergences, views",
    "protocols": "reference implementations",
    "symbolic": "the provers",
    "proofs": "the ledger's machinery",
    "crosscheck": "samples, programs and accountants against exact laws",
    "panshuffle": "the application",
}
LEFT_OUT = ("proofs/kernel/",)


def write_reference(root: Path, target: Path) -> None:
    """Writes the pages of all packages."""
    target.mkdir(exist_ok=True)
    for package, summary in PACKAGES.items():
        parts = [f"# {package}: {summary}\n"]
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            if name.endswith("__main__.py") or name.startswith(LEFT_OUT) or of_statements(name):
                continue
            parts += module(path, name)
        text = "\n".join(parts)
        page = target / f"{package}.md"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def of_statements(name: str) -> bool:
    """Whether a file has statements of the ledger, which `panshuffle verify --explain` shows."""
    return name.removeprefix("proofs/").removesuffix(".py") in modules().values()


def module(path: Path, name: str) -> Iterator[str]:
    """The section of one module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    dotted = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    yield f"## `{dotted}`\n"
    yield shown(ast.get_docstring(tree))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield f"### class `{node.name}`\n"
            yield shown(ast.get_docstring(node))
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("__"):
                    yield f"- `{signature(inner)}`\n"
                    yield indented(shown(ast.get_docstring(inner)))
        elif isinstance(node, ast.FunctionDef):
            yield f"### `{signature(node)}`\n"
            yield shown(ast.get_docstring(node))


def signature(node: ast.FunctionDef) -> str:
    """A function's name, parameters and result on one line."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returns}"


def shown(text: str | None) -> str:
    """A docstring as Markdown: examples become code, and what only looks like markup is escaped."""
    if not text:
        return ""
    lines, code = [], False
    for line in text.splitlines():
        starts = line.lstrip().startswith(">>>")
        if starts and not code:
            lines += ["", "```pycon"]
            code = True
        elif code and not line.strip():
            lines.append("```")
            code = False
        lines.append(line if code else escaped(line))
    return "\n".join([*lines, *(["```"] if code else []), ""])


def escaped(line: str) -> str:
    """A line of prose whose brackets, bars and angles are not markup."""
    if "`" in line:
        return line.replace("<", "\\<") if "<" in line.split("`", maxsplit=1)[0] else line
    for letter in "[]<>|_$#":
        line = line.replace(letter, f"\\{letter}")
    return line


def indented(text: str) -> str:
    """Text that belongs to an item of a list."""
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines()) + "\n"
