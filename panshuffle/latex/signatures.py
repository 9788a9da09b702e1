"""What a command takes: s a star, o an option in square brackets, m an argument."""

from __future__ import annotations

ONE = (
    "vec hat tilde bar overline underline widehat widetilde text textrm textbf textit textsf texttt textsc emph mathbf "
    "mathrm mathcal mathbb mathsf mathit mathtt mathfrak operatorname boldsymbol underbrace overbrace vphantom hphantom phantom "
    "label ref eqref autoref cref Cref pageref url thanks footnotetext ensuremath stepcounter mbox fbox title author date KwIn "
    "KwOut KwData KwResult Else pmod bibliography bibliographystyle usepackage documentclass pagestyle thispagestyle "
    "hypersetup theoremstyle input include KwRet substack smash raisebox not c Comment tcp cancel boxed"
)
SIGNATURES = {
    **dict.fromkeys(ONE.split(), "m"),
    **dict.fromkeys("frac tfrac dfrac binom tbinom underset overset stackrel href textcolor For If ElseIf While".split(), "mm"),
    **dict.fromkeys("ForEach ForAll Repeat uIf setlength setcounter SetKw SetKwFunction addtolength colorbox".split(), "mm"),
    **dict.fromkeys("multirow multicolumn SetKwFor SetKwProg rule".split(), "mmm"),
    **dict.fromkeys("cite citet citep citealp citeauthor Citet citeyear".split(), "soom"),
    **dict.fromkeys("section subsection subsubsection paragraph".split(), "som"),
    **dict.fromkeys(["hspace", "vspace", "tag", "operatorname"], "sm"),
    **dict.fromkeys(["caption", "footnote", "includegraphics", "sqrt", "bibitem", "parbox", "xrightarrow"], "om"),
    **dict.fromkeys(["item", "\\", "footnotemark", "linebreak", "pagebreak"], "o"),
    "\\": "so",
    "makebox": "oom",
    **dict.fromkeys(["'", "`", "^", '"', "~", "=", ".", "H", "v", "u", "r", "k"], "m"),
    "SetKwIF": "mmmmmmmm",
    "newtheorem": "smomo",
}
"""Commands that are not here take nothing: what follows them is shown as it stands."""
SIGNATURES["usepackage"] = SIGNATURES["documentclass"] = "om"
ENVIRONMENT_SIGNATURES = {
    **dict.fromkeys(["tabular", "array"], "om"),
    "thebibliography": "m",
    "minipage": "om",
    "tabularx": "mm",
    "multicols": "m",
}
"""Other environments take one option where there is one."""
DELIMITERS = ("left", "right", "middle")
