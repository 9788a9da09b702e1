"""A protocol at small parameters: how it is sampled, its exact law, and broken copies of it."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """`sample` maps coins to an outcome; `law` is derived by other means; each broken copy must be found out."""

    sample: Callable
    law: dict
    broken: dict[str, Callable] = field(default_factory=dict)
    enumerable: bool = True
    runs: int = 20_000
