"""``shiftproof explain``: what the accounts of verdicts say, and that both formats are sound."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from shiftproof.checkers.verdicts import Report, Verdict
from shiftproof.checkers.verify import verify
from shiftproof.commands.explain import explain as command
from shiftproof.dsl.errors import BadInput
from shiftproof.dsl.normalise import read_normalised
from shiftproof.showing.explaining.explain import Explanation, explain
from shiftproof.showing.explaining.noises import noises, notation_of
from shiftproof.showing.explaining.notation import Notation, letters
from shiftproof.showing.explaining.shifting import meaning
from shiftproof.showing.formats.latex import plain
from shiftproof.showing.formats.latex import written as as_latex
from shiftproof.showing.words import (
    Code,
    Entry,
    Items,
    Listing,
    Maths,
    Section,
    listed,
    paragraph,
    say,
)
from shiftproof.workspace.targets import one_mechanism
from tests.sampling import every

#: One of each kind: an alignment, a prophecy with lists, calls, bits, cases, sums, enumeration,
#: a density, an infinite ratio, a broken answer.
KINDS = [
    "asymmetric_sparse_vector",
    "asymmetric_noisy_argmax",
    "first_above_with_count",
    "rappor",
    "sparse_vector_monotone",
    "mangat",
    "utility_optimized_response",
    "asymmetric_sparse_vector_typeset",
    "mangat_protecting_zeros",
    "location_monitor_wrong_safe",
]


@cache
def explained(name: str) -> Explanation:
    return explain(one_mechanism(name))


def section(name: str, title: str) -> str:
    """The text of one section, in Markdown."""
    found = explained(name).as_markdown().split("\n## ")
    return next(text for text in found if text.startswith(title))


def check_latex(text: str) -> None:
    """Braces and environments are closed in their order, and nothing special is left bare."""
    bare = re.sub(r"\\[\\{}$&#%_]", "", text)
    assert not re.search(r"[^\x00-\u017f‘’]", bare)
    depth = 0
    for c in bare:
        depth += (c == "{") - (c == "}")
        assert depth >= 0
    assert depth == 0
    stack: list[str] = []
    for word, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", bare):
        if word == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    assert bare.count(r"\left") - bare.count(r"\leftarrow") == bare.count(r"\right")
    outside = re.sub(r"\\\[.*?\\\]", "", bare, flags=re.S)
    assert outside.count("$") % 2 == 0
    words = re.sub(r"\$[^$]*\$", "", outside)
    assert not re.search(r"[_^&#%]", words), re.findall(r".{20}[_^&#%].{20}", words)
    assert not re.search(r"_\{[^{}]*\}'?_|\^\{[^{}]*\}'?\^", bare)


def check_markdown(text: str) -> None:
    """Formulas are closed and keep their backslashes; nothing in them looks like HTML."""
    outside = re.sub(r"```.*?```", "", text, flags=re.S)
    prose = re.sub(r"\$\$.*?\$\$|`[^`]*`", "x", outside, flags=re.S).replace(r"\$", "")
    assert prose.count("$") % 2 == 0
    formulas = re.findall(r"\$([^$]+)\$", prose)
    assert not any(set("<>*\n") & set(f) for f in formulas)
    assert not re.search(r"\\[!-/:-@\[-`{-~]", "".join(formulas))  # Markdown would eat it
    assert "  " not in prose.replace("\n", "")
    assert not re.search(r"[ \t]$", text, flags=re.M)


@pytest.mark.parametrize("name", every(6, KINDS))
def test_both_formats_are_sound(name: str) -> None:
    e = explained(name)
    check_latex(e.as_latex())
    check_markdown(e.as_markdown())


def test_an_alignment_is_written_out() -> None:
    name = "asymmetric_sparse_vector"
    assert r"\Pr[M(D) \in S] \leq e^{\varepsilon} " in section(name, "Claim")
    assert r"$f_{i} - f'_{i} \in [0, 1]$. Derived from the policy" in section(name, "Claim")
    moved = section(name, "Alignment")
    assert r"$\lambda$, the `noise` of line 44, is drawn from $\mathrm{Exp}(\frac{c}{\v" in moved
    assert r"by $d = f_{i} - f'_{i}$ if $f_{i} + \lambda \geq T_{i}$, and stays as" in moved
    assert r"costs $\frac{d \thinspace \varepsilon}{c}$ nats, with its sign" in moved
    assert r"\leq c \cdot \frac{\varepsilon}{c} = \varepsilon" in section(name, "Cost")
    assert r"- $C \leq \textit{answered}$" in section(name, "Invariants")


def test_conditions_name_the_lines_where_they_are_owed() -> None:
    text = section("asymmetric_sparse_vector", "Conditions")
    assert r"$\lambda + d \geq 0$ follows from the relation (line 44)" in text
    assert "both runs take the same branch (line 45)" in text
    assert "the released values are equal (line 46)" in text
    assert "Prophecy" not in text
    text = section("asymmetric_noisy_argmax", "Conditions")
    assert "both runs pick the same index (line" in text
    assert "Where a branch decides what is drawn or released, both runs take it alike" in text
    assert "given the other conditions: what is released is the same expression" in text


def test_the_rates_add_up_to_the_budget() -> None:
    text = section("sparse_vector_monotone", "Cost, where a record is added")
    assert (
        r"$C_{1} \leq \frac{1}{2}$ at the rate $\varepsilon$ and $C_{2} \leq \frac{c}{2}$" in text
    )
    assert r"\frac{1}{2} \cdot \varepsilon + \frac{c}{2} \cdot \frac{\varepsilon}{c} = " in text


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        ("x - other(x)", r"difference: $x + \lambda$ is the same in both runs"),
        (
            "a - other(a) + (x - other(x)) if a > 0 else 0",
            r"Where it is shifted, that makes up for the difference: $a + x + \lambda$ is",
        ),
        ("x - other(x) + 2", r"and for $2$ more: $x + \lambda$ is larger by $2$"),
        ("1", "What is below it may rise by as much and stay below."),
        ("-2", "What is above it may fall by as much and stay above."),
        ("0", ""),
        ("other(x) - x", ""),
        ("2 * (x - other(x))", ""),
        ("x - other(x) if a > 0 else 1", ""),
    ],
)
def test_what_a_shift_is_for_is_said_only_where_its_form_tells(shift: str, words: str) -> None:
    program = read_normalised(
        "from shiftproof import Count, DP, Epsilon, Laplace, mechanism, sample\n"
        "@mechanism(DP())\n"
        "def m(x: Count, eps: Epsilon):\n"
        "    noise = sample(Laplace(1 / eps))\n"
        "    return x + noise\n"
    ).program
    notation = notation_of(program)
    said = tuple(meaning(shift, noises(program, notation)[0], notation))
    text = "".join(f"${p.latex}$" if isinstance(p, Maths) else str(p) for p in said)
    assert words in text if words else text == ""


def test_calls_cost_what_they_are_given() -> None:
    text = section("first_above_with_count", "Alignment")
    assert text.count(r"says what it costs: here $\frac{\varepsilon}{2}$") == 2


def test_a_flip_costs_the_log_odds() -> None:
    assert r"A flip costs $\frac{\varepsilon}{2}$ nats, for a bit that was true" in section(
        "rappor", "Alignment"
    )


def test_sums_compare_every_way() -> None:
    text = section("mangat", "Proof by sums")
    assert "it releases $0$ with probability $p$, if $x = 0$." in text
    assert r"p + 1 - p \leq e^{\varepsilon} \left( 1 - p \right)" in text


def test_a_counterexample_has_its_two_numbers() -> None:
    text = section("asymmetric_sparse_vector_typeset", "Counterexample")
    assert r"p[M(D) = o] = \frac{1}{4}, \quad p[M(D') = o] = \frac{1}{16}" in text
    assert r"= 4 \gt e^{\varepsilon} = 2" in text
    assert "The log ratio is about $1.38629$ nats, where about $0.693147$ is claimed." in text
    assert "impossible on $D'$" in section("mangat_protecting_zeros", "Counterexample")


def test_a_counterexample_comes_first() -> None:
    for name, first in {
        "asymmetric_sparse_vector_typeset": "Counterexample",
        "asymmetric_sparse_vector": "The mechanism",
    }.items():
        titles = [section.title for section in explained(name).sections]
        assert titles[0] == first and titles.count(first) == 1


def test_a_broken_answer_is_told_with_the_line_that_is_printed() -> None:
    e = explained("location_monitor_wrong_safe").as_markdown()
    assert "But of its one-sided claims not every one holds." in e
    line = re.search(r"whenever line (\d+) says 'safe'.*broken: ", e)
    assert line is not None
    assert re.search(rf'^ *{line[1]} +yield "safe"$', e, flags=re.M)


def test_a_report_is_explained_as_its_mechanism_is() -> None:
    report = verify(one_mechanism("mangat"))
    assert explain(report) == explained("mangat")


def test_what_is_not_decided_says_what_failed() -> None:
    report = Report(
        "m", "m.py", 1, "DP with ε = eps", (), Verdict.UNKNOWN, "proved",
        alignment={"noise (line 3)": "f[i] - other(f[i])"}, reasons=("m.py:3: 'cost' fails",),
    )  # fmt: skip
    e = explain(report)
    text = e.as_markdown()
    assert "`noise (line 3)`: $f_{i} - f'_{i}$" in text
    assert "m.py:3: 'cost' fails" in text
    assert "says nothing about the claim" in text
    check_latex(e.as_latex())


def test_reasons_are_told_as_they_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(
        "from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample\n\n\n"
        "@mechanism(DP(), budget=lambda eps: 2 * eps)\n"
        "def m(f: Count, eps: Epsilon) -> float:\n"
        "    if f >= 1:\n"
        "        noise = sample(Laplace(1 / eps))\n"
        "        return 1 + noise\n"
        "    calm = sample(Laplace(1 / eps))\n"
        "    return calm\n"
    )
    text = explain(one_mechanism("m.py")).as_markdown()
    assert "\n 6      if f >= 1:\n" in text  # the line that the reason is about
    after = text.partition("No alignment of the template fits; without any shift:\n\n```text\n")[2]
    assert after.startswith("m.py:6:5: the best alignment found fails on 'same samples'")


def test_multiples_of_ln_2_are_fractions() -> None:
    report = verify(one_mechanism("asymmetric_laplace_everything"))
    assert report.refutation is not None
    at_half = msgspec.structs.replace(report.refutation, epsilon={"eps": "1/2 ln 2"})
    e = explain(replace(report, refutation=at_half))
    assert r"$\varepsilon = \frac{1}{2} \ln 2$" in e.as_markdown()
    check_latex(e.as_latex())


def test_other_things_are_bad_input() -> None:
    with pytest.raises(BadInput, match="got int; want a mechanism or the report"):
        explain(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("2*c/eps", r"\frac{2 \thinspace c}{\varepsilon}"),
        ("-p + 1", "1 - p"),
        ("a - (b - c)", r"a - \left( b - c \right)"),
        ("x // 2", r"\left\lfloor \frac{x}{2} \right\rfloor"),
        ("exp(-eps) * p", r"e^{-\varepsilon} \thinspace p"),
        ("a / b / c", r"\frac{a}{b \thinspace c}"),
        ("other(x + y)", r"\left( x + y \right)'"),
        ("(x < m) != other(x < m)", r"\left[ x < m \right] \neq \left[ x < m \right]'"),
        ("i in outcome()", r"i \in Z"),
        ("i·1 >= 0", r"i \geq 0"),
        ("0 >= picked(witness(1)) or x > 1", r"w_{1} \notin Z \text{ or } x > 1"),
        ("q1[i]", "{q_{1}}_{i}"),
        ("count(record[0] == 1, data)", r"\lvert \lbrace r \in \textit{data} : r_{0} = 1 \rbra"),
        ("a where b = {1}", r"\text{a where b =  1 }"),
    ],
)
def test_program_text_becomes_a_formula(text: str, latex: str) -> None:
    assert Notation().of(text).latex.startswith(latex)


def test_names_are_letters() -> None:
    names = ["eps", "T", "f12", "eps_fine", "noisy_max"]
    assert [letters(name) for name in names] == [
        r"\varepsilon", "T", "f_{12}", r"\varepsilon_{\textit{fine}}", r"\textit{noisy max}",
    ]  # fmt: skip


def test_what_either_format_would_read_is_escaped() -> None:
    hostile = r"\input{x} $1 & 50% #1 a_b ^ ~ <b> `c` [d](e) ∀"
    blocks = (
        paragraph(hostile.replace("{", "{{").replace("}", "}}")),
        Items((Entry((Code(hostile),), hostile),)),
        Listing((hostile, "```")),
    )
    e = Explanation("a_b", "proved", (hostile,), (Section(hostile, blocks),))
    check_latex(e.as_latex())
    assert r"\input" not in e.as_latex() and "∀" not in e.as_latex()
    text = e.as_markdown()
    assert r"\$1 \& 50% \#1 a\_b" in text and r"\<b\>" in text and "`` \\input" in text
    assert "````text" in text
    assert plain("ε < 1") == r"$\varepsilon$ \textless{} 1"


def test_sentences() -> None:
    assert say("a {x} b", x=("c", Code("d"))) == ("a ", "c", Code("d"), " b")
    assert listed(["a", "b", "c"]) == ("a", ", ", "b", " and ", "c")


def test_a_fragment_has_no_preamble() -> None:
    both = [explained("mangat"), explained("rappor")]
    whole, fragment = as_latex(both), as_latex(both, fragment=True)
    assert fragment in whole and r"\documentclass" not in fragment
    assert fragment.count(r"\section{") == 2


def test_the_command(tmp_path: Path) -> None:
    def run(*arguments: str) -> tuple[int, str]:
        found = CliRunner().invoke(command, arguments, standalone_mode=False)
        status = found.return_value
        return (3 if found.exception else status), found.output + str(found.exception or "")

    status, text = run("mangat")
    assert (status, text.strip()) == (0, explained("mangat").as_markdown().strip())
    file = tmp_path / "proof.tex"
    assert run("mangat", "--format", "latex", "--output", str(file)) == (0, "")
    assert file.read_text(encoding="utf-8") == explained("mangat").as_latex()
    status, text = run("mangat", "--fragment")
    assert status == 3 and "has no preamble" in text
    status, text = run("mangat", "--output", str(tmp_path / "no" / "x.md"))
    assert status == 3 and "there is no folder" in text


def test_a_sum_is_explained(tmp_path: Path) -> None:
    """The counter of its loop has a number in which two stand."""
    file = tmp_path / "total.py"
    file.write_text(
        "from shiftproof import DP, Epsilon, Histogram, Laplace, mechanism, sample\n\n\n"
        '@mechanism(DP("add-remove"))\n'
        "def total(h: Histogram, eps: Epsilon) -> float:\n"
        "    noise = sample(Laplace(1 / eps))\n"
        "    return sum(h) + noise\n"
    )
    mechanism = one_mechanism(f"{file}::total")
    assert "proved" in explain(mechanism).as_markdown()


def test_a_proof_is_a_theorem_and_its_proof_in_latex() -> None:
    text = explain(one_mechanism("asymmetric_laplace")).as_latex(fragment=True)
    before, theorem, proof = re.split(r"\\begin\{(?:theorem|proof)\}", text)
    assert r"\subsection*{The mechanism}" in before and r"\label{sec:asymmetric-laplace}" in before
    assert r"\label{thm:asymmetric-laplace}" in theorem and r"\Pr[" in theorem
    assert r"\ref{thm:asymmetric-laplace}" in proof and r"\paragraph{Cost.}" in proof
    assert proof.rstrip().endswith(r"\end{proof}")
