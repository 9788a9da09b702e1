"""Pages from the templates that lie beside their code: whatever is not markup is escaped."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from jinja2 import Environment


def kept(package: str, path: str) -> Markup:
    """A file that is shipped with a package, as it is: a style sheet or a script."""
    return Markup(files(package).joinpath(path).read_text(encoding="utf-8"))


def filled(package: str, name: str, **values: object) -> Markup:
    """A template of a package with the values in their places.

    *Raises* `jinja2.UndefinedError` for a name that has no value.
    """
    return Markup(environment(package).get_template(name).render(values))


@cache
def environment(package: str) -> Environment:
    """The templates of a package; a line that holds nothing but an instruction leaves no trace."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(lambda name: str(kept(package, f"templates/{name}"))),
        autoescape=True,
        finalize=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def escaped(value: object) -> Markup:
    """Markup as it is, anything else escaped; quotes are written with the names that HTML has for them.

    >>> print(escaped("1 < 2"), escaped(Markup("<b>2</b>")))
    1 &lt; 2 <b>2</b>
    """
    return value if isinstance(value, Markup) else Markup(escape(str(value)))
