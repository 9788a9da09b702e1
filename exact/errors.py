"""The ways in which a question can be refused, each phrased as one sentence."""

LONGEST_QUOTATION = 80


class InputError(ValueError):
    """What was asked for is not allowed; the message is one sentence for the person who asked."""


class ParameterError(InputError):
    """A parameter has a value outside its domain: its name, the value, what is allowed.

    >>> print(ParameterError("n", 0, "a whole number, at least 1"))
    n = 0 is not allowed: n must be a whole number, at least 1
    """

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(f"{name} = {shortened(value)} is not allowed: {name} must be {allowed}")
        self.name = name
        self.value = value
        self.allowed = allowed


def shortened(value: object) -> str:
    """A value as text of a length that fits into a sentence.

    >>> shortened(10**50)
    'a whole number of 167 bits'
    """
    if isinstance(value, int) and value.bit_length() > 100:
        return f"a whole number of {value.bit_length()} bits"
    text = str(value)
    return text if len(text) <= LONGEST_QUOTATION else text[:LONGEST_QUOTATION] + "..."


class NumberError(InputError):
    """An expression does not denote a real number that can be computed with."""


class CertificateError(InputError):
    """No certificate can be written."""


class Undecided(ArithmeticError):
    """A comparison could not be settled at the highest precision that is tried."""
