"""The signs that commands of LaTeX stand for."""

from __future__ import annotations

LETTERS = dict(
    pair.split(":")
    for pair in (
        "alpha:α beta:β gamma:γ delta:δ epsilon:ϵ varepsilon:ε zeta:ζ eta:η theta:θ vartheta:ϑ iota:ι kappa:κ lambda:λ mu:μ nu:ν "
        "xi:ξ pi:π rho:ρ sigma:σ tau:τ upsilon:υ phi:ϕ varphi:φ chi:χ psi:ψ omega:ω Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Xi:Ξ Pi:Π "
        "Sigma:Σ Phi:Φ Psi:Ψ Omega:Ω ell:ℓ infty:∞ emptyset:∅ varnothing:∅ hbar:ℏ Re:ℜ Im:ℑ partial:∂ nabla:∇ top:⊤ bot:⊥"
    ).split()
)
OPERATORS = dict(
    pair.split(":")
    for pair in (
        "le:≤ leq:≤ leqslant:≤ ge:≥ geq:≥ geqslant:≥ ne:≠ neq:≠ ll:≪ gg:≫ approx:≈ sim:∼ simeq:≃ equiv:≡ cong:≅ propto:∝ in:∈ notin:∉ "
        "ni:∋ subset:⊂ subseteq:⊆ supset:⊃ supseteq:⊇ cup:∪ cap:∩ setminus:∖ times:× cdot:· circ:∘ pm:± mp:∓ div:÷ ast:∗ star:⋆ oplus:⊕ "
        "otimes:⊗ vee:∨ lor:∨ wedge:∧ land:∧ neg:¬ lnot:¬ forall:∀ exists:∃ to:→ rightarrow:→ gets:← leftarrow:← mapsto:↦ implies:⟹ "
        "Rightarrow:⇒ iff:⟺ Leftrightarrow:⇔ leftrightarrow:↔ mid:∣ parallel:∥ perp:⊥ dots:… ldots:… cdots:⋯ vdots:⋮ ddots:⋱ colon:∶ "
        "lceil:⌈ rceil:⌉ lfloor:⌊ rfloor:⌋ langle:⟨ rangle:⟩ lvert:| rvert:| vert:| lVert:‖ rVert:‖ Vert:‖ prime:′ bullet:• "
        "int:∫ dagger:† triangleq:≜ coloneqq:≔ prec:≺ succ:≻ preceq:⪯ succeq:⪰ lbrace:{ rbrace:} backslash:∖ uparrow:↑ downarrow:↓ "
        "{:{ }:} |:‖ #:# %:% &:& _:_ $:$"
    ).split()
)
LARGE = {"sum": "∑", "prod": "∏", "bigcup": "⋃", "bigcap": "⋂", "bigvee": "⋁", "bigwedge": "⋀", "coprod": "∐"}
"""Operators with what is under and over them."""
NAMES = ("ln", "log", "exp", "sin", "cos", "tan", "deg", "dim", "ker", "arg", "lg", "cosh", "sinh", "tanh")
LIMIT_NAMES = ("min", "max", "sup", "inf", "lim", "Pr", "argmin", "argmax", "limsup", "liminf", "det", "gcd")
SPACES = {",": "0.17em", ":": "0.22em", ";": "0.28em", "!": "-0.17em", " ": "0.33em", "quad": "1em", "qquad": "2em", "enspace": "0.5em"}
SIZES = ("big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "bigm", "Biggl", "Biggr")
ACCENTS = {"vec": "→", "hat": "^", "tilde": "~", "bar": "¯", "overline": "¯", "widehat": "^", "widetilde": "~", "dot": "˙"}
COMBINING = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307", "c": "\u0327",
    "v": "\u030c", "u": "\u0306", "H": "\u030b", "r": "\u030a", "k": "\u0328",
}  # fmt: skip
WORDS = {
    "textregistered": "®", "textcopyright": "©", "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dots": "…", "ldots": "…", "textendash": "–", "textemdash": "—", "LaTeX": "LaTeX", "TeX": "TeX",
    "%": "%", "&": "&", "#": "#", "_": "_", "$": "$", "{": "{", "}": "}", " ": " ", "\n": " ", ",": "\u202f", "quad": "\u2003", "S": "§",
    "qquad": "\u2003\u2003", "-": "\u00ad", "/": "", "@": "", "textbackslash": "\\", "textasciitilde": "~", "and": " · ", "slash": "/",
}  # fmt: skip
"""What commands stand for between words."""
SILENT = frozenset(
    "maketitle newpage clearpage noindent indent hline centering small footnotesize large Large tiny normalsize bf it rm sf tt em "
    "newblock relax BlankLine LinesNumbered bibliographystyle bibliography vspace hspace smallskip medskip bigskip label stepcounter "
    "qedhere qed nonumber notag displaystyle textstyle scriptstyle limits nolimits phantom hphantom vphantom usepackage pagestyle "
    "thispagestyle setlength setcounter addtolength DontPrintSemicolon SetAlgoLined textwidth linewidth par tableofcontents hfill vfill "
    "protect urlstyle appendix toprule midrule bottomrule cline sloppy raggedright allowdisplaybreaks linebreak pagebreak ; title author "
    "date thanks boldmath unboldmath".split()
)
"""Commands that put no word on a page."""
SCRIPT = "𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵"
DOUBLE = "𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ"


def in_alphabet(letter: str, alphabet: str) -> str:
    """A capital letter in another alphabet; others stay.

    >>> in_alphabet("N", DOUBLE)
    'ℕ'
    """
    return alphabet[ord(letter) - ord("A")] if "A" <= letter <= "Z" else letter
