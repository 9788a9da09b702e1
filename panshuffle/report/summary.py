"""The first screen: what holds, the worst findings, and the paper at a glance."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction

from markupsafe import Markup

from panshuffle.card import examples
from panshuffle.exact.real import Certified, parse, real
from panshuffle.latex.sentences import prose
from panshuffle.ledger_text import form_of
from panshuffle.proofs.classes import CONVENTION, class_of, opening
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import WRONG, Verdict
from panshuffle.report.ledger import colour_of, legend, sections
from panshuffle.report.numbers import tight_rows
from panshuffle.template import filled

Witness = Mapping[str, str]
"""The witnesses by slug."""
CLOSE_TO_ONE = Decimal("1e-7")
"""A probability near 1 is shown to seven digits, rounded down: it is then a true lower bound."""


@dataclass(frozen=True)
class Finding:
    """A finding: the statements that it is about, worst first, its title, its sentence, and its number with words."""

    slugs: tuple[str, ...]
    title: str
    sentence: str
    number: Callable[[Witness], str]
    unit: str


def tester_error(witness: Witness) -> str:
    """The probability that the printed tester is wrong, from the bound on the opposite that its witness ends with."""
    bound = re.search(r"<= (\S+)$", witness["tester-as-printed"])
    assert bound is not None, "the witness of the tester does not end with a bound"
    return str((1 - Decimal(bound[1])).quantize(CLOSE_TO_ONE, ROUND_DOWN))


def whole(text: str) -> Callable[[Witness], str]:
    """A number that an expression gives, rounded down to a whole one, with commas."""

    def value(_: Witness) -> str:
        lower, _upper = Certified.of(real(parse(text))).enclosure(12)
        return f"{int(Decimal(lower)):,}"

    return value


def from_witness(slug: str, pattern: str) -> Callable[[Witness], str]:
    """A number that stands in a witness."""

    def value(witness: Witness) -> str:
        found = re.search(pattern, witness[slug])
        assert found is not None, f"the witness of {slug} has no number"
        return found[1]

    return value


FINDINGS = (
    Finding(
        ("tester-as-printed", "lower-bound-direction"),
        "The uniformity tester does not work as printed",
        r"It answers “uniform” on a distribution that is far from uniform. Its threshold $\tau$ has $k^{2} "
        r"\lambda/(2m)$ where the statistic has the mean $k^{2} \lambda/(4m)$: $l_{j} \le 2 \lambda$ was used as "
        "a lower bound. A repaired threshold is proved.",
        tester_error,
        "and more is the probability of that wrong answer, where the paper promises at most $29/50$",
    ),
    Finding(
        ("robust-distinct-error",),
        r"Counting distinct elements robustly costs more than $O\left(\sqrt{k}/\varepsilon\right)$",
        r"At a robust loss $\varepsilon$ the protocol's error is of the order $\sqrt{k}/\varepsilon^{1/\gamma}$: "
        r"the dependence on $\varepsilon$ in Figure 1 holds only if every user is honest.",
        whole("sqrt(2*log(6)) * 0.01 / (1 - exp(-0.005))^3"),
        r"times $\sqrt{k}/\varepsilon$ is the theorem's own error at the loss 0.01 if a third of the users is "
        "honest",
    ),
    Finding(
        ("compression-keeps-uniform",),
        "Grouping makes the uniform distribution look far from uniform",
        "Grouping the domain keeps the uniform law uniform only if the groups are equally large, and the number "
        "of groups that the proof chooses does not divide $k$. Padding repairs it.",
        from_witness("compression-keeps-uniform", r"total variation (\S+)"),
        "is the distance from uniform that three elements in two groups get, which the tester must reject",
    ),
    Finding(
        ("laplace-comparison",),
        "The pan-private histogram is worse than Laplace noise in every bin, unless there are very many bins",
        r"Its error of at most $2\lambda$ does not depend on $k$, but it is large. It improves on Laplace noise only "
        r"where $\ln k \ge \varepsilon \lambda$.",
        from_witness("laplace-comparison", r"(\d+)\.\d*\.\.\. <="),
        r"at least is the printed error at $\varepsilon = 1$ and $\delta = 10^{-6}$, where Laplace noise in 1000 bins "
        "errs by more than 50 with probability below $1/100$",
    ),
    Finding(
        ("binomial-mechanism-error",),
        "The binomial mechanism's error forgets the mean of its noise",
        r"The output is off by the mean of the noise, which is of the order $1/\varepsilon^{2}$, not "
        r"$1/\varepsilon$; it has to be taken off first.",
        whole("10 * ((exp(1)+1)/(exp(1)-1))^2 * log(2*10^6)"),
        r"at least is the mean of the noise at $\varepsilon = 1$ and $\delta = 10^{-6}$, where the lemma claims "
        "an error of order 4",
    ),
    Finding(
        ("two-bit-sum-separates", "two-bit-sum-error"),
        "The example of two sums can't tell them apart",
        "The shuffler mixes the unlabelled first and second bits, so inputs with other sums give the same messages. "
        "Labels repair it.",
        lambda _: "n/2",
        "is the error that some input has half of the time, whatever the analyzer answers",
    ),
)


def standing(verdicts: Mapping[str, Verdict]) -> list[tuple[Finding, str]]:
    """The findings whose first statement is refuted in these verdicts, each with its number."""
    witness = {slug: plain(verdict.witness) for slug, verdict in verdicts.items() if verdict.witness}
    found = [one for one in FINDINGS if one.slugs[0] in verdicts and verdicts[one.slugs[0]].verdict in WRONG]
    return [(one, one.number(witness)) for one in found]


QUESTIONS = (
    ("How private is it, exactly?", "privacy"),
    ("What is the least noise?", "calibrate"),
    ("Is my implementation right?", "crosscheck"),
)
"""What people ask, and the command that answers it; the cards have an example of each."""
VERIFY = ("Is a statement of the paper right?", "panshuffle verify hash-collisions --explain")


@dataclass(frozen=True)
class Excess:
    """Where the paper's bound asks for the most noise beyond what is needed."""

    words: str
    exact: str
    paper: str
    times: int


def summary(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The first screen."""
    printed = {slug: v for slug, v in verdicts.items() if form_of(known[slug], v) not in ("sharper", "not printed")}
    classes = [class_of(verdict.verdict, known[slug].severity) for slug, verdict in printed.items()]
    wrong = {name: classes.count(name) for name in SEVERITIES if name != CONVENTION and name in classes}
    found = sections(known, verdicts)
    return filled(
        "panshuffle.report",
        "summary.html",
        printed=len(printed),
        holds=classes.count("proved") + classes.count("checked"),
        cited=classes.count("cited"),
        definitions=classes.count("definition"),
        errors=sum(wrong.values()),
        severities=", ".join(f"{number} {name}" for name, number in wrong.items()),
        conventions=classes.count(CONVENTION),
        opening=opening(known, verdicts)[1:],
        findings=[(one, number, colour(known, verdicts, one.slugs[0])) for one, number in standing(verdicts)],
        excess=excess(),
        sections=found,
        legend=legend(found),
        questions=[VERIFY, *((words, f"panshuffle {examples(command)[-1]}") for words, command in QUESTIONS)],
        prose=prose,
    )


def colour(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict], slug: str) -> str:
    """The colour of a statement, as a class of the style sheet."""
    return colour_of(known[slug], verdicts[slug]).replace(" ", "-")


def excess() -> Excess | None:
    """The row of the table of tight values with the largest excess of the bound, where a whole number is asked for."""
    found: list[tuple[Fraction, Excess]] = []
    for row, answer in tight_rows():
        if answer.exact is not None and answer.paper is not None and answer.exact.isdigit():
            ratio = Fraction(answer.paper.value) / int(answer.exact)
            found.append((ratio, Excess(row.words, answer.exact, answer.paper.value, int(ratio))))
    return max(found, key=lambda pair: pair[0], default=(Fraction(0), None))[1]
