"""What notebooks show of each object, mechanisms that stand in cells, and the tutorial."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbclient
import nbformat
import pytest

import shiftproof
from shiftproof import (
    MatrixChannel,
    Mechanism,
    Report,
    Simulation,
    audit,
    audit_one_sided,
    bound,
    explain,
    likelihood,
    noise_utility,
    reconstruct,
    refute,
    verify,
)
from shiftproof.dsl import showing
from shiftproof.showing.account import Account, Fact
from shiftproof.showing.formats import formula as as_formula
from shiftproof.showing.formats import html as as_html
from shiftproof.showing.formats.formula import words
from shiftproof.showing.notebooks import render
from shiftproof.showing.words import Listing, Section, Table
from shiftproof.workspace.files import write_certificates
from tests.places import ROOT
from tests.programs.showing import notebook_mechanisms as examples

TUTORIAL = ROOT / "docs" / "tutorial.ipynb"
HOSTILE = examples.HOSTILE


class Page(HTMLParser):
    """What a browser makes of HTML: the text, and the tags, each closed by its own."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags, self.open = "", set[str](), list[str]()
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attributes} <= ATTRIBUTES
        self.tags.add(tag)
        if tag not in ("br", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open != ["style"]:
            self.text += data


TAGS = {
    "style", "div", "p", "strong", "span", "dl", "dt", "dd", "br", "code", "pre", "i", "table",
    "thead", "tbody", "tr", "th", "td", "details", "summary", "ul", "li", "b", "wbr",
    "math", "mrow", "mi", "mn", "mo", "mtext", "mfrac", "msqrt", "msub", "msup", "msubsup",
    "mspace",
}  # fmt: skip
ATTRIBUTES = {
    "class", "style", "scope", "display", "form", "stretchy", "lspace", "rspace", "mathvariant",
    "width",
}  # fmt: skip


def page(value: object) -> str:
    """The text that a notebook shows of an object, whose HTML is sound."""
    html = render(value, "html")
    assert html is not None and len(html) < 12_000
    assert not re.search(r"https?:|url\(|@import", html)
    found = Page(html)
    assert found.tags <= TAGS
    return found.text


#: One letter's worth of a formula in which nothing may mean anything else elsewhere.
_PIECE = re.compile(
    r"\\text\{[A-Za-z0-9 .,:;!?()\[\]/*+=@\"'\u00c0-\u017f-]*\}"
    r"|\{(?:\\[a-z]+|\\[\\{}$&#%_]|[-<>?])\}"
    r"|\{\\hat\{\\phantom\{x\}\}\}|\{\\text\{(?:--|''?)\}\}|'"
)


def formula(value: object) -> str:
    """The LaTeX of an object: one formula between dollars, its braces in pairs."""
    latex = render(value, "latex")
    assert latex is not None
    assert latex.startswith("$\\displaystyle ") and latex.endswith("$")
    inner = re.sub(r"\\[$\\{}&#%_]", "", latex[1:-1])
    assert "$" not in inner and "%" not in inner
    assert inner.count("{") == inner.count("}")
    assert inner.count(r"\begin{array}") == inner.count(r"\end{array}") >= 1
    return latex


@cache
def report_of(mechanism: Mechanism[..., Any]) -> Report:
    return verify(mechanism)


class TestCards:
    def test_a_mechanism_is_shown_with_claim_preconditions_and_numbered_code(self) -> None:
        text = page(examples.plain_count)
        assert "DP with ε = eps; x − x′ ∈ [-1, 1]" in text
        assert "eps > 0" in text
        first = examples.plain_count.location.line
        assert f"{first + 2}  " in text and "noise = sample(Laplace(1 / eps))" in text
        assert r"\Pr[M(D) \in S] \leq e^{\varepsilon}" in formula(examples.plain_count)
        shown = str(render(examples.plain_count, "html"))
        assert '<span class="py-word">return</span> x + noise' in shown
        assert "Pr[M(D)∈S]≤eεPr[M(D′)∈S]" in text

    def test_a_mechanism_that_cannot_be_read_says_why_and_where(self) -> None:
        mechanism = examples.with_a_comprehension
        text = page(mechanism)
        assert "cannot be read" in text and "instead: " in text
        assert f":{mechanism.location.line + 3}:12: unsupported" in text
        assert "cannot" in formula(mechanism)

    def test_a_proof(self) -> None:
        report = report_of(examples.plain_count)
        text = page(report)
        assert "proved" in text and "x - other(x)" in text
        assert r"\textbf{proved}" in formula(report)
        certified = page(report.certificate)
        assert report.certificate is not None and report.certificate.fingerprint in certified
        assert "return x + noise" in certified
        assert "certificate: proved" in formula(report.certificate)

    def test_a_refutation(self) -> None:
        report = report_of(examples.half_the_noise)
        text = page(report)
        assert "refuted" in text and "to be refuted: met" in text
        assert "x = 0" in text and "log ratio 1.386" in text
        assert r"\textbf{refuted}" in formula(report)
        assert "certificate: refuted" in page(report.certificate)
        found = refute(examples.half_the_noise)
        assert "density / ln 2" in page(found)
        assert r"\textbf{refuted}" in formula(found)

    def test_an_account_at_length(self) -> None:
        for mechanism, says in {
            examples.plain_count: "The claim is proved for all sizes",
            examples.half_the_noise: "The claim is false",
        }.items():
            html = explain(report_of(mechanism))._repr_html_()
            found = Page(html)
            assert found.tags <= TAGS and {"math", "ul", "pre"} <= found.tags
            assert says in found.text and "$" not in found.text
            assert "Conclusion" in found.text
        assert "=4>eε=2" in found.text

    def test_what_is_unknown_comes_with_its_reasons(self) -> None:
        report = report_of(examples.noise_twice)
        assert "the best alignment found fails" in page(report)
        in_one_line = formula(report).replace("} \\\\ \\text{", " ")  # a long path wraps it
        assert "the best alignment found fails" in in_one_line

    def test_the_badge_says_what_the_verdict_means(self) -> None:
        colours = {
            examples.plain_count: "#1a7f37",
            examples.half_the_noise: "#c62828",  # as expected, and yet not private
            examples.noise_twice: "#8a5a00",
        }
        for mechanism, colour in colours.items():
            assert f"background:{colour}" in str(render(report_of(mechanism), "html"))

    def test_a_bracket(self) -> None:
        bracket = bound(examples.plain_count)
        text = page(bracket)
        assert "ε ≤ eps, proved" in text and "no smaller ε holds" in text
        assert r"\textbf{tight}" in formula(bracket)

    def test_audits(self) -> None:
        found = audit(examples.half_the_noise, samples=20_000, seed=1)
        assert found.verdict in page(found)
        assert f"{found.runs:,} of 20,000" in page(found)
        assert found.verdict in formula(found)
        safe = audit_one_sided(examples.says_safe, [{"f": (2, 5), "eps": 1.0}], samples=100, seed=1)
        assert "no wrong answer found" in page(safe) and "100 runs" in page(safe)
        assert "no wrong answer found" in formula(safe)

    def test_outcomes_are_counted(self) -> None:
        outcomes = Simulation(examples.coin_and_noise, x=0.5, eps=1.0).outcomes(1000, seed=1)
        (_, often), (_, seldom) = outcomes.counts()
        text = page(outcomes)
        assert f"{often}0.{often}" in text and f"{seldom}0.{seldom}" in text
        assert "1,000" in text
        formula(outcomes)

    def test_estimates(self) -> None:
        channel = MatrixChannel([[0.75, 0.25], [0.25, 0.75]])
        found = reconstruct(channel, counts=[60, 40])
        assert "converged" in page(found) and "0.7" in page(found)
        formula(found)
        utility = noise_utility("Laplace(1/eps)")
        assert "variance = 2ε2" in page(utility).replace("\xa0", " ")
        assert r"\frac{2}{\varepsilon^{2}}" in formula(utility)
        assert "variance8" in page(utility.at(eps=0.5))
        exact = likelihood(examples.plain_count, [3.0], x=3, eps="2")
        assert "exact" in page(exact) and "one released real number" in page(exact)
        formula(exact)

    def test_anything_else_is_left_to_its_repr(self) -> None:
        assert render(object(), "html") is None and render(3, "latex") is None


class TestHostileTexts:
    """Whatever stands in a program or a name, it is shown and does nothing."""

    def account(self, text: str) -> Account:
        blocks = (Table((text,), ((text,), (text,))), Listing((text,), 1, folded=text))
        return Account(
            title=text, verdict=text, summary=(text,), note=text, evidence=(text,),
            facts=(Fact(text, f"{text}\n{text}"), Fact("given", text)),
            sections=(Section("", blocks),),
        )  # fmt: skip

    def test_html_shows_them_as_they_are(self) -> None:
        found = Page(as_html.card(self.account(HOSTILE)))
        assert found.tags <= TAGS
        shown = HOSTILE.replace("\u202e", "\\u202e")  # it would turn what follows around
        assert found.text.count(shown) == 14

    def test_formulas_hold_them_as_letters_and_symbols(self) -> None:
        assert _PIECE.sub("", words(HOSTILE)) == ""
        assert _PIECE.sub("", words("".join(map(chr, range(0x20, 0x2200))))) == ""
        formula_of = as_formula.card(self.account(HOSTILE))
        assert "script" in formula_of and "<script" not in formula_of

    def test_programs_that_release_them(self) -> None:
        mechanism = examples.says_hostile_things
        outcomes = Simulation(mechanism, x=3, eps=1.0).outcomes(50, seed=1)
        assert "</pre><script>alert" in page(outcomes)
        for value in (mechanism, report_of(mechanism), outcomes):
            page(value)
            formula(value)


def run(code: str) -> str:
    """What a fresh Python prints."""
    folder = Path(shiftproof.__file__).parents[1]
    paths = [str(folder), str(ROOT)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_showing_a_mechanism_loads_no_prover() -> None:
    said = run("""
import sys
from tests.programs.showing.notebook_mechanisms import plain_count
print(len(plain_count._repr_html_()) > 1000, plain_count._repr_latex_()[:1])
heavy = ("sympy", "flint", "scipy", "numpy", "matplotlib", "IPython")
rooms = ("shiftproof.alignments", "shiftproof.checkers.verify", "shiftproof.checkers.proving.prove")
print([name for name in sys.modules if name in heavy or name.startswith(rooms)])
""")
    assert said == "True $\n[]\n"


def test_the_rooms_have_no_looks_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "RENDERER", "")
    assert examples.plain_count._repr_html_() is None
    assert examples.plain_count._repr_latex_() is None
    monkeypatch.setattr(showing, "RENDERER", "renderer_of_a_test")
    mine = SimpleNamespace(render=lambda value, form: f"{form} of {value!r}")
    monkeypatch.setitem(sys.modules, "renderer_of_a_test", mine)
    assert examples.plain_count._repr_html_() == "html of <mechanism plain_count: DP>"


def test_the_tutorial_is_kept_without_outputs() -> None:
    notebook = nbformat.read(TUTORIAL, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) > 10
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    assert notebook.metadata.kernelspec.name == "python3"


#: Cells that follow those of the tutorial: each begins with a comment that is its name.
FURTHER = '''
# awaits
import asyncio

await asyncio.sleep(0)


@mechanism(DP())
def after_awaiting(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


verify(after_awaiting).verdict
#%%
# helped
def halved(value: float) -> float:
    return value / 2
#%%
# helper of another cell
@mechanism(DP())
def with_a_helper(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return halved(x + noise)


verify(with_a_helper).verdict
#%%
# undeclared
@mechanism(DP())
def undeclared(x: Count, eps) -> float:
    return sample(Laplace(1 / eps)) + x
#%%
# run by a magic
import IPython
IPython.get_ipython().run_cell_magic("time", "", """
@mechanism(DP())
def timed(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
""")
timed.program
'''


def test_the_tutorial_runs_and_so_do_mechanisms_in_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PYTHONPATH", str(Path(shiftproof.__file__).parents[1]))
    notebook = nbformat.read(TUTORIAL, as_version=4)
    cells = [nbformat.v4.new_code_cell(text.strip("\n")) for text in FURTHER.split("#%%")]
    for cell in cells:
        cell.id = cell.source.split("\n")[0].removeprefix("# ").replace(" ", "_")
        cell.metadata.tags = ["raises-exception"]
    notebook.cells += cells
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=resources).execute()
    shown = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}

    assert ">mechanism<" in html(shown["write"])
    assert re.fullmatch(r"\(\d+\.\d+,\)", data(shown["run"], "text/plain"))
    assert ">proved<" in html(shown["prove"]) and "x - other(x)" in html(shown["prove"])
    assert data(shown["read"], "text/markdown").startswith("# noisy\\_count: proved")
    assert printed(shown["language"]).startswith("In[6]:4:13: unsupported")
    assert ">proved<" in html(shown["loop"])
    assert ">tight<" in html(shown["bound"])
    assert ">refuted<" in html(shown["break"]) and "ratio" in html(shown["break"])
    densities = re.findall(r"0\.\d+", printed(shown["refute"]))
    assert float(densities[0]) == pytest.approx(4 * float(densities[1]))
    assert "certificate: proved" in html(shown["certificate"])
    assert "1 valid; all valid" in printed(shown["file"])
    assert ">violation found<" in html(shown["audit"])
    assert len(data(shown["plot"], "image/png")) > 10_000

    assert "PROVED" in data(shown["awaits"], "text/plain")
    assert "PROVED" in data(shown["helper_of_another_cell"], "text/plain")
    undeclared = shown["undeclared"][-1].evalue
    assert re.match(r"In\[\d+\]:2:1: undeclared: the annotation of 'eps'", undeclared)
    assert "in a cell of a notebook" in shown["run_by_a_magic"][-1].evalue


def data(outputs: list[Any], kind: str) -> str:
    (found,) = [o["data"][kind] for o in outputs if kind in o.get("data", {})]
    return str(found)


def html(outputs: list[Any]) -> str:
    return data(outputs, "text/html")


def printed(outputs: list[Any]) -> str:
    return "".join(o["text"] for o in outputs if o["output_type"] == "stream")


def test_certificates_of_cells_are_called_after_the_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = report_of(examples.plain_count)
    monkeypatch.setattr("shiftproof.workspace.files.cell_of", lambda file: "In[1]")
    (file,) = write_certificates([report], tmp_path)
    assert file.name == "notebook.plain_count.json"
    assert '"source": ""' in file.read_text(encoding="utf-8")
