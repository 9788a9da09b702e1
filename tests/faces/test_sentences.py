"""Sentences with formulas: what is typed, what is typeset; expected values are written by hand."""

import html
import re

import pytest
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.sentences import plain

from panshuffle.latex.sentences import claim, in_print, latex, prose, witness
from tests.every import every

TYPED = {
    r"$\frac{e^{\varepsilon}}{e^{\varepsilon} - 1} \sqrt{2k \ln(2/t)}$ so": "e^eps/(e^eps - 1) sqrt(2k ln(2/t)) so",
    r"$\frac{29 \alpha^{2} m}{100} + \frac{k}{4m} \sum l_{j}$": "29 alpha^2 m/100 + k/(4m) sum l_j",
    r"$\frac{a + b}{(c - d)^{2}}$": "(a + b)/(c - d)^2",
    r"$\delta' \ge 1 - e^{-\varepsilon}$": "delta' >= 1 - e^-eps",
    r"at most $2^{-\sigma}$, or $k^{3/4}$": "at most 2^-sigma, or k^(3/4)",
    r"$(\varepsilon, \delta)$-private": "(eps, delta)-private",
    r"$\beta \in (0,1]$": "beta in (0,1]",
    r"$\hat{k}$ must divide $k$": "k^ must divide k",
    r"$E[Z]^{2}$ of $P_{\mathrm{DE}}$'s error": "E[Z]^2 of P_DE's error",
    r"$S \circ R_{\mathrm{MOD}}^{\gamma n}$": "S o R_MOD^(gamma n)",
    r"$P[|z - D| > \alpha] \le \beta$": "P[|z - D| > alpha] <= beta",
    r"$e^{\varepsilon_0}$ and $p_0$, not $p_{0}$": "e^eps0 and p0, not p_0",
    r"$e^{\varepsilon(\gamma)}$, $2^{{-t}}$, $10{,}000$": "e^eps(gamma), 2^(-t), 10,000",
    r"$u^{(a)}$ and $u_{1}^{(a)}$": "u^(a) and u_1^(a)",
    r"$x \ne y \sim \log_2 n$ and $x_{1}, \dots, x_{n}$": "x != y ~ log2 n and x_1, ..., x_n",
    r"5 % of $\{x\}$ & more_words": "5 % of {x} & more_words",
    r"$\left(\frac{a}{b}\right)^{2} n \bmod 2$": "(a/b)^2 n mod 2",
}


@every("sentence", TYPED)
def test_plain_text_is_as_one_types_it(sentence):
    assert plain(sentence) == TYPED[sentence]


THIN = '<mspace width="0.167em"></mspace>'


@every(
    ("sentence", "expected"),
    [
        (r"$e^{\varepsilon'} - 1$", '<mi>ε</mi><mo lspace="0" rspace="0">′</mo>'),
        (r"$e^{\varepsilon_0}$", "<msup><mi>e</mi><mrow><msub><mi>ε</mi><mn>0</mn></msub></mrow></msup>"),
        (
            r"$2 \ln n$",
            '<mn>2</mn><mspace width="0.167em"></mspace><mi>ln</mi><mspace width="0.167em"></mspace><mi>n</mi>',
        ),
        (r"$\frac{a}{b}$", '<math displaystyle="true">'),
        ("the epsilons", "the epsilons"),
        ('<script>x1</script> & "q"', "&lt;script&gt;"),
        (r"$\hat{k}$ divides", '<mover accent="true"><mrow><mi>k</mi></mrow><mo stretchy="false">^</mo></mover>'),
        (
            "e^eps is 2.5e-07 <= tau",
            "<mo>×</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>7</mn></mrow></msup></mrow></math> ≤ τ",
        ),
    ],
)
def test_typeset(sentence, expected):
    assert expected in prose(sentence)
    assert "<script" not in prose(sentence)


def test_as_latex():
    assert latex(r"5 % of $e^{\varepsilon}$ & more_words, eps <= 1") == (
        r"5 \% of $e^{\varepsilon}$ \& more\_words, $\varepsilon$ $\le$ 1"
    )


def test_the_papers_numbers_stand_in_place_of_its_labels():
    """The numbers are those that the list of what the paper prints has."""
    assert (
        in_print("proof of Theorem de_upper: Lemma b_noise, Equation z'-lower")
        == "proof of Theorem 3.3: Lemma 2.4, Equation 12"
    )
    assert in_print("Theorem of mine") == "Theorem of mine"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at x = 1/2, y = 2: 3 <= 2 is false", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        ("at the constants: 0.5... < 1/3 is false", "at the constants: 0.5... &lt; 1/3 is false"),
        ("line 1 (return S) uses u, which nothing defines", "line 1 (return S) uses u, which nothing defines"),
        (f"at y = {'7' * 40}: it fails", f"at y = {'7' * 40}: it fails"),
        (r"for every $C$: it fails", "for every <math><mrow><mi>C</mi></mrow></math>: it fails"),
    ],
)
def test_witnesses_that_are_computed_have_their_relations_set(text, expected):
    assert expected in witness(text)


@every(
    ("text", "expected"),
    [
        ("x <= 2", "<math><mrow><mi>x</mi><mo>≤</mo><mn>2</mn></mrow></math>"),
        ("-2*x = 1", '<mo form="prefix">−</mo>'),
        ("log(x)^2 = 1", "<mi>ln</mi>"),
        ("x/(y + 1) >= 0", "<mfrac><mrow><mi>x</mi></mrow><mrow><mi>y</mi><mo>+</mo><mn>1</mn></mrow></mfrac>"),
        ("2*3 = 6", "<mn>2</mn><mo>·</mo><mn>3</mn>"),
        ("x1 = eps  for  x1 in [0, inf)", '<mi>∞</mi><mo stretchy="false">)</mo></mrow></math>'),
        ("n >= 1  for  n in integer [1, 5]", "<mo>∩</mo><mi>ℤ</mi>"),
        ("d/dg g^2 = 2*g", "<mfrac><mrow><mi>d</mi></mrow><mrow><mi>d</mi><mi>g</mi></mrow></mfrac>"),
        ("value = E[x]: value = 1/2  for  x ~ Ber(1/2)", '<mi class="mathrm" mathvariant="normal">Ber</mi>'),
        ("no formula at all", "<code>no formula at all</code>"),
        ("<b>", "&lt;b&gt;"),
    ],
)
def test_claims(text, expected):
    assert expected in claim(text)


@every(
    ("text", "expected"),
    [
        ("(a - b)*c >= a - (b - c)", "(a−b)c≥a−(b−c)"),
        ("a - (-b) = -c + d", "a−(−b)=−c+d"),
        ("(1 + x)^2 = y^(z + 1)", "(1+x)2=yz+1"),
        ("(-x)^2 = x^2", "(−x)2=x2"),
        ("log(x) < -y", "ln(x)<−y"),
        ("2*(1/3)^n != 1", "2(13)n≠1"),
        ("exp(eps) > 0  for  eps in (0, 1)", "eε>0 for ε∈(0,1)"),
    ],
)
def test_brackets_of_claims(text, expected):
    """Brackets stand where the operator around a term binds more tightly, and nowhere else."""
    assert html.unescape(re.sub("<[^>]*>", "", claim(text))) == expected


def texts():
    """Every sentence of the ledger that is typeset."""
    for slug, one in statements().items():
        repair = one.repair.says if one.repair else ""
        steps = (*one.steps, *one.near_misses, *(one.repair.steps if one.repair else ()))
        says = [step.says for step in steps if step.says != step.text]
        for text in (
            one.printed,
            one.why,
            one.reading,
            one.argument,
            one.survives,
            one.where,
            repair,
            *one.hypotheses,
            *says,
        ):
            if text:
                yield slug, text


def test_every_formula_of_the_ledger_is_closed_and_converted():
    for slug, text in texts():
        assert text.count("$") % 2 == 0, (slug, text)
        assert "unknown" not in prose(text), (slug, text)
        formulas = text.split("$")[1::2]
        bare = "".join(formulas).replace(r"\{", "").replace(r"\}", "")
        assert bare.count("{") == bare.count("}") and bare.count(r"\left") == bare.count(r"\right"), slug


def test_no_formula_of_the_ledger_is_left_in_words():
    """Outside of dollars no relation, root, power or name of a Greek letter is typed."""
    sign = re.compile(r"<=|>=|!=|sqrt\(|\^\(|\^2|\b(?:eps|gamma|delta|lambda|alpha|beta|sigma)\b(?!-)")
    left = []
    for slug, text in texts():
        if not text.startswith("kernel theorem"):
            left += [(slug, piece) for piece in in_print(text).split("$")[::2] if sign.search(piece)]
    assert len(left) <= 5, left


def test_the_plain_text_of_a_formula_has_no_commands():
    for slug, text in texts():
        typed = "".join(plain(f"${piece}$") for piece in text.split("$")[1::2])
        assert not re.search(r"[\\$]", typed), (slug, typed)
