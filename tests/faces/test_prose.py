"""Sentences with formulas: what is found in them, and how it is set; expected values are written by hand."""

import re
from collections import Counter

import pytest
from panshuffle.proofs.ledger import statements

from panshuffle.prose.expression import Leaf, Root, inside
from panshuffle.prose.latex import sentence
from panshuffle.prose.mathml import prose
from panshuffle.prose.references import in_print
from panshuffle.prose.sentence import parts
from panshuffle.prose.tokens import GREEK
from tests.every import every

LATEX = {
    "e^eps/(e^eps-1) sqrt(2k ln(2/t)) so": r"$\frac{e^{\varepsilon }}{e^{\varepsilon }-1} \sqrt{2 k \ln (2/t)}$ so",
    "29 alpha^2 m/100 + k/(4m) sum l_j": r"$29 \alpha ^{2} m/100+k/(4 m) \sum l_{j}$",
    "delta' >= 1 - e^-eps": r"$\delta ^{\prime}\ge 1-e^{-\varepsilon }$",
    "at most 2^-sigma, or k^(3/4)": r"at most $2^{-\sigma }$, or $k^{3/4}$",
    "(eps, delta)-private": r"$(\varepsilon ,\delta )$-private",
    "beta in (0,1]": r"$\beta \in (0,1]$",
    "k^ must divide k": r"$\hat{k}$ must divide $k$",
    "E[Z]^2 of P_DE's error": r"${E[Z]}^{2}$ of $P_{\mathrm{DE}}$'s error",
    "the state is A with a chance of 1/2": "the state is A with a chance of $1/2$",
    "A changed user and a group": "A changed user and a group",
    "S o R_MOD^(gamma n)": r"$S\circ R_{\mathrm{MOD}}^{\gamma  n}$",
    "P[|z - D| > alpha] <= beta": r"$P[|z-D|>\alpha ]\le \beta $",
    "the theorem's alpha": r"the theorem's $\alpha $",
    "'it is below beta', he says": r"'it is below $\beta $', he says",
    "3.29e-07 of 20,000": r"$3.29\times 10^{-7}$ of 20,000",
    "u^(a) and u_1^(a)": "$u^{(a)}$ and $u_{1}^{(a)}$",
    "5 % of {x} & more_words": r"5 \% of $\{x\}$ \& more\_words",
    "a theorem (Refuted.z_lower_step_false)": r"a theorem (Refuted.z\_lower\_step\_false)",
    "pan-private, 2-universal, i.i.d.": "pan-private, 2-universal, i.i.d.",
}


@every("text", LATEX)
def test_latex(text):
    assert sentence(text) == LATEX[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e^eps' - 1", '<math><mrow><msup><mi>e</mi><mrow><mi>ε</mi><mo lspace="0" rspace="0">′</mo></mrow></msup>'),
        ("the epsilons", "the epsilons"),
        ('<script>x1</script> & "q"', "&lt;script&gt;"),
        ("sqrt(k)", "<math><msqrt><mi>k</mi></msqrt></math>"),
        ("k^ divides", '<math><mover accent="true"><mi>k</mi><mo stretchy="false">^</mo></mover></math> divides'),
    ],
)  # fmt: skip
def test_mathml(text, expected):
    assert prose(text).startswith(expected)
    assert "<script" not in prose(text)


def test_the_papers_numbers_stand_in_place_of_its_labels():
    """The numbers are those that the list of what the paper prints has."""
    assert (
        in_print("proof of Theorem de_upper: Lemma b_noise, Equation z'-lower")
        == "proof of Theorem 3.3: Lemma 2.4, Equation 12"
    )
    assert in_print("Theorem of mine") == "Theorem of mine"


def texts():
    """Every sentence of the ledger."""
    for slug, one in statements().items():
        repair = one.repair.says if one.repair else ""
        for text in (one.printed, one.why, one.reading, one.argument, one.survives, one.where, repair, *one.hypotheses):
            if text:
                yield slug, text


def test_no_word_of_the_ledger_is_lost_and_none_is_typed_as_a_formula_any_more():
    """The parts of a sentence that are words stand in it in this order; no root and no power is left among them."""
    left = []
    for slug, text in texts():
        rest = text
        for part in parts(text):
            if isinstance(part, str):
                assert part in rest, (slug, part)
                rest = rest[rest.index(part) + len(part) :]
                left += [(slug, part) for sign in ("sqrt(", "^(", "^2", "<=", ">=") if sign in part]
    assert len(left) <= 25, left


def test_brackets_and_braces_of_all_sentences_balance_in_latex():
    """So that a sheet of them compiles; braces that are printed are not counted."""
    for slug, text in texts():
        bare = sentence(text).replace(r"\{", "").replace(r"\}", "")
        assert bare.count("{") == bare.count("}"), slug
        assert bare.replace(r"\$", "").count("$") % 2 == 0, slug
        assert bare.count(r"\left") == bare.count(r"\right"), slug


SPELLED = {sign: name for name, sign in GREEK.items() if name not in ("epsilon", "lambda")}
SPELLED |= {"∑": "sum", "∏": "prod", "∈": "in", "∘": "o"}


def spelled(found):
    """The letters and digits that a formula was typed with."""
    own = (
        "sqrt" if isinstance(part, Root) else SPELLED.get(part.text, part.text)
        for part in inside(found)
        if isinstance(part, Root | Leaf)
    )
    return "".join(own)


def test_no_letter_of_the_ledger_is_lost_in_a_formula():
    """What a sentence was typed with, and what its parts spell, have the same letters and digits."""
    for slug, text in texts():
        there = "".join(part if isinstance(part, str) else spelled(part) for part in parts(text))
        typed = re.sub(r"(\d)e-?0*(\d+)", r"\1 10 \2", re.sub(r"\b1e-?0*(\d+)", r"10 \1", text))
        counts = [
            Counter(
                letter
                for letter in one.replace("epsilon", "eps").replace("lambda", "lam")
                if letter.isalnum() and letter.isascii()
            )
            for one in (there, typed)
        ]
        assert counts[0] == counts[1], (slug, text, counts[0] - counts[1], counts[1] - counts[0])
