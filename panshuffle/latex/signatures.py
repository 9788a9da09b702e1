"""What a command takes: s a star, o an option in square brackets, m an argument."""

from __future__ import annotations

TAKEN = {
    "m": (
        "vec hat tilde bar overline underline widehat widetilde text textrm textbf textit textsf texttt textsc "
        "emph mathbf mathrm mathcal mathbb mathsf mathit mathtt mathfrak boldsymbol underbrace overbrace vphantom "
        "hphantom phantom label ref eqref autoref cref Cref pageref url thanks footnotetext ensuremath "
        "stepcounter mbox fbox title author date KwIn KwOut KwData KwResult Else pmod bibliography "
        "bibliographystyle pagestyle thispagestyle hypersetup theoremstyle input include KwRet substack smash "
        "raisebox not c Comment tcp cancel boxed ' ` ^ \" ~ = . H v u r k"
    ),
    "sm": "operatorname hspace vspace tag",
    "om": "usepackage documentclass caption footnote includegraphics sqrt bibitem parbox xrightarrow",
    "mm": (
        "frac tfrac dfrac binom tbinom underset overset stackrel href textcolor For If ElseIf While ForEach "
        "ForAll Repeat uIf setlength setcounter SetKw SetKwFunction addtolength colorbox"
    ),
    "mmm": "multirow multicolumn SetKwFor SetKwProg rule",
    "soom": "cite citet citep citealp citeauthor Citet citeyear",
    "som": "section subsection subsubsection paragraph",
    "o": "item footnotemark linebreak pagebreak",
    "so": "\\",
    "oom": "makebox",
    "mmmmmmmm": "SetKwIF",
    "smomo": "newtheorem",
}
"""The commands of each signature."""
SIGNATURES = {name: signature for signature, names in TAKEN.items() for name in names.split()}
"""Commands that are not here take nothing: what follows them is shown as it stands."""
ENVIRONMENT_SIGNATURES = {
    **dict.fromkeys(["tabular", "array"], "om"),
    "thebibliography": "m",
    "minipage": "om",
    "tabularx": "mm",
    "multicols": "m",
}
"""Other environments take one option where there is one."""
DELIMITERS = ("left", "right", "middle")
