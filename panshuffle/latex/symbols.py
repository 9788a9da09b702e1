"""The signs that commands of LaTeX stand for."""

from __future__ import annotations


def pairs(text: str) -> dict[str, str]:
    """A table that is written as name:sign, name:sign."""
    return {name: sign for name, _, sign in (pair.partition(":") for pair in text.split())}


LETTERS = pairs(
    """
alpha:α beta:β gamma:γ delta:δ epsilon:ϵ varepsilon:ε zeta:ζ eta:η theta:θ vartheta:ϑ iota:ι kappa:κ lambda:λ
mu:μ nu:ν xi:ξ pi:π rho:ρ sigma:σ tau:τ upsilon:υ phi:ϕ varphi:φ chi:χ psi:ψ omega:ω Gamma:Γ Delta:Δ Theta:Θ
Lambda:Λ Xi:Ξ Pi:Π Sigma:Σ Phi:Φ Psi:Ψ Omega:Ω ell:ℓ infty:∞ emptyset:∅ varnothing:∅ hbar:ℏ Re:ℜ Im:ℑ
partial:∂ nabla:∇ top:⊤ bot:⊥
"""
)
OPERATORS = pairs(
    """
le:≤ leq:≤ leqslant:≤ ge:≥ geq:≥ geqslant:≥ ne:≠ neq:≠ ll:≪ gg:≫ approx:≈ sim:∼ simeq:≃ equiv:≡ cong:≅
propto:∝ in:∈ notin:∉ ni:∋ subset:⊂ subseteq:⊆ supset:⊃ supseteq:⊇ cup:∪ cap:∩ setminus:∖ times:× cdot:·
circ:∘ pm:± mp:∓ div:÷ ast:∗ star:⋆ oplus:⊕ otimes:⊗ vee:∨ lor:∨ wedge:∧ land:∧ neg:¬ lnot:¬ forall:∀ exists:∃
to:→ rightarrow:→ gets:← leftarrow:← mapsto:↦ implies:⟹ Rightarrow:⇒ iff:⟺ Leftrightarrow:⇔ leftrightarrow:↔
mid:∣ parallel:∥ perp:⊥ dots:… ldots:… cdots:⋯ vdots:⋮ ddots:⋱ colon:∶ lceil:⌈ rceil:⌉ lfloor:⌊ rfloor:⌋
langle:⟨ rangle:⟩ lvert:| rvert:| vert:| lVert:‖ rVert:‖ Vert:‖ prime:′ bullet:• int:∫ dagger:† triangleq:≜
coloneqq:≔ prec:≺ succ:≻ preceq:⪯ succeq:⪰ lbrace:{ rbrace:} backslash:∖ uparrow:↑ downarrow:↓ {:{ }:} |:‖ #:#
%:% &:& _:_ $:$
"""
)
LARGE = {"sum": "∑", "prod": "∏", "bigcup": "⋃", "bigcap": "⋂", "bigvee": "⋁", "bigwedge": "⋀", "coprod": "∐"}
"""Operators with what is under and over them."""
NAMES = ("ln", "log", "exp", "sin", "cos", "tan", "deg", "dim", "ker", "arg", "lg", "cosh", "sinh", "tanh")
LIMIT_NAMES = ("min", "max", "sup", "inf", "lim", "Pr", "argmin", "argmax", "limsup", "liminf", "det", "gcd")
SPACES = {",": "0.17em", ":": "0.22em", ";": "0.28em", "!": "-0.17em", " ": "0.33em"}
SPACES |= {"quad": "1em", "qquad": "2em", "enspace": "0.5em"}
SIZES = ("big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "bigm", "Biggl", "Biggr")
ACCENTS = pairs("vec:→ hat:^ tilde:~ bar:¯ overline:¯ widehat:^ widetilde:~ dot:˙")
COMBINING = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "r": "\u030a", "k": "\u0328",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
WORDS = {
    "textregistered": "®", "textcopyright": "©", "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ",
    "AE": "Æ", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dots": "…", "ldots": "…", "textendash": "–",
    "textemdash": "—",
    "LaTeX": "LaTeX", "TeX": "TeX", "%": "%", "&": "&", "#": "#", "_": "_", "$": "$", "{": "{", "}": "}", " ": " ",
    "\n": " ", ",": "\u202f", "quad": "\u2003", "S": "§", "qquad": "\u2003\u2003", "-": "\u00ad", "/": "",
    "@": "", "textbackslash": "\\", "textasciitilde": "~", "and": " · ", "slash": "/",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
"""What commands stand for between words."""
NO_WORDS = """
; BlankLine DontPrintSemicolon Large LinesNumbered SetAlgoLined addtolength allowdisplaybreaks appendix author
bf bibliography bibliographystyle bigskip boldmath bottomrule centering clearpage cline date displaystyle em
footnotesize hfill hline hphantom hspace indent it label large limits linebreak linewidth maketitle medskip
midrule newblock newpage noindent nolimits nonumber normalsize notag pagebreak pagestyle par phantom protect
qed qedhere raggedright relax rm scriptstyle setcounter setlength sf sloppy small smallskip stepcounter
tableofcontents textstyle textwidth thanks thispagestyle tiny title toprule tt unboldmath urlstyle usepackage
vfill vphantom vspace
"""
SILENT = frozenset(NO_WORDS.split())
"""Commands that put no word on a page."""
SCRIPT = "𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵"
DOUBLE = "𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ"


def in_alphabet(letter: str, alphabet: str) -> str:
    """A capital letter in another alphabet; others stay.

    >>> in_alphabet("N", DOUBLE)
    '\u2115'
    """
    return alphabet[ord(letter) - ord("A")] if "A" <= letter <= "Z" else letter
