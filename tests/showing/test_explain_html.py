"""``shiftproof explain --format html``: the page is sound, safe and whole; no browser is needed."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from shiftproof.checkers.verdicts import Report, Verdict
from shiftproof.commands.explain import explain as command
from shiftproof.showing.explaining import checks, page
from shiftproof.showing.explaining.as_html import as_html
from shiftproof.showing.explaining.explain import explain
from shiftproof.showing.explaining.page.play import play_of
from shiftproof.showing.explaining.page.plots import round_numbers
from shiftproof.showing.explaining.page.terms import quoted
from shiftproof.showing.formats.mathml import display, inline
from shiftproof.showing.words import Maths
from shiftproof.workspace.targets import one_mechanism
from tests.sampling import every
from tests.showing.accounts import FILES, account

VOID = {"meta", "link", "input", "br", "wbr", "img", "hr"}
LARGEST = 500_000
SCRIPTS = sorted(p for room in (page, checks) for p in Path(room.__path__[0]).glob("*.js"))


class Tree(HTMLParser):
    """Reads a page strictly: what is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        found = dict(attributes)
        assert len(found) == len(attributes)
        assert not any(name.startswith("on") for name in found)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        self.links += [str(found[a]) for a in ("href", "src", "action", "data") if a in found]
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1  # of SVG

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" not in self.stack and "style" not in self.stack:
            self.text.append(data)


def read(text: str) -> Tree:
    tree = Tree()
    tree.feed(text)
    tree.close()
    assert not tree.stack
    assert len(set(tree.ids)) == len(tree.ids)
    assert all(link.startswith("#account-") or link == "data:," for link in tree.links)
    assert not re.search(r"https?:|//[a-z]+\.|@import|url\(", text)
    assert len(text.encode()) <= LARGEST
    return tree


@pytest.mark.parametrize("name", every(10, FILES))
def test_every_mechanism_of_the_gallery_has_a_page(name: str) -> None:
    found = account(name)
    text = found.as_html()
    tree = read(text)
    assert tree.tags["h1"] == 1
    assert tree.tags["h2"] >= len(found.sections)
    # Two runs show likelihoods; a claim of ρ or δ is not about each of them.
    played = found.verdict in ("proved", "bounded") and not one_mechanism(name).privacy.is_relaxed
    assert ('play("account-1-play"' in text) == played
    assert tree.tags["rect"] == (3 if found.verdict == "refuted" else 0)


def test_lines_say_what_their_noise_costs_and_what_is_owed() -> None:
    text = account("asymmetric_sparse_vector").as_html()
    line = next(li for li in text.split("<li>") if "noise = sample(" in li)
    assert "/ eps))</code>" in line
    assert "that costs" in line and "is drawn from" in line
    assert "Owed: " in line and "the shifted noise is in the support" in line
    branch = next(li for li in text.split("<li>") if "</span> f[i] + noise" in li)
    assert "Owed: both runs take the same branch." in branch


def test_a_refutation_has_bars_and_curves() -> None:
    tree = read(explain(one_mechanism("asymmetric_sparse_vector_typeset")).as_html())
    assert tree.tags["rect"] == 3
    assert tree.tags["polyline"] == 3
    said = "".join(tree.text)
    assert "the most that the claim allows on D" in said
    order = ("Counterexample", "The mechanism", "The best alignment that was tried", "Conclusion")
    assert sorted(order, key=said.index) == list(order)


def test_densities_have_ticks_at_round_numbers_and_names() -> None:
    text = account("asymmetric_sparse_vector_typeset").as_html()
    drawn = text[text.index("<svg viewBox", text.index("<figure")) : text.index("<polyline")]
    found = re.findall(r"<text [^>]*>([^<]*)</text>", drawn)
    assert found == ["outcome 2", "density / (ln 2)^2", "released number 1"]
    ticks = re.findall(r"<text [^>]*>([-−0-9.]+)</text>", text)
    assert ticks == ["0", "2", "4", "0", "0.1", "0.2", "0.3", "0.4", "0.5"]


@pytest.mark.parametrize("low", [-3.7, 0.0, 12.0])
@pytest.mark.parametrize("width", [3e-7, 0.1, 1.0, 2.0, 5.0, 7.3, 1e6])
def test_ticks_are_few_round_and_within(low: float, width: float) -> None:
    ticks = round_numbers(low, low + width)
    assert 2 <= len(ticks) <= 7
    assert all(low <= x <= low + width for x in ticks)
    steps = {f"{b - a:.3e}" for a, b in itertools.pairwise(ticks)}
    assert len(steps) == 1 and steps.pop()[:5] in ("1.000", "2.000", "5.000")


def test_an_attempt_begins_where_it_fails() -> None:
    about = account("asymmetric_sparse_vector").about
    assert about is not None and about.program is not None
    tried = replace(
        about.report, verdict=Verdict.UNKNOWN, certificate=None, alignment={"noise (line 8)": "0"}
    )
    text = play_of(tried, about.program)
    assert "proved: false" in text
    first = text[text.index("pairs: [") :].split("\n")[1]
    assert re.search(r'noise: \["[-0-9/]+"', first)


def test_several_mechanisms_have_a_list_of_contents() -> None:
    names = ("asymmetric_sparse_vector", "k_ary_response")
    tree = read(as_html([account(name) for name in names]))
    assert tree.tags["nav"] == 1 and tree.tags["h1"] == 2
    assert tree.links.count("#account-2") == 1


HOSTILE = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def größe(q: Count, eps: Epsilon):
    lärm = sample(Laplace(1 / eps))
    if q + lärm > 1:
        return "</script><script>alert(1)</script><!-- \\u2028 ' \\" & ]]>"
    return "<img src=x onerror=alert(2)> `${alert(3)}` \\\\"
"""


def test_what_a_program_holds_stays_text(tmp_path: Path) -> None:
    file = tmp_path / "hostile.py"
    file.write_text(HOSTILE, "utf-8")
    text = explain(one_mechanism(str(file))).as_html()
    tree = read(text)
    assert tree.tags["script"] == 3 and tree.tags["img"] == 0
    assert "</script><script>alert(1)" in "".join(tree.text)
    script = text[text.index("<script>") + 8 : text.rindex("</script>")]
    own = script[script.rindex('play("account-1-play"') :]
    assert "\\u003c/script\\u003e" in own
    assert not re.search(r"[<&\u2028]", re.sub(r" => | && |<=", "", own))


def test_strings_of_javascript_close_nothing() -> None:
    shown = quoted("</script> <!-- ' \" \\ \u2028 & ü")
    assert shown.isascii() and not set("<>&") & set(shown)


def test_formulas_are_mathml() -> None:
    assert inline(Maths(r"f'_{i} - \frac{c}{\varepsilon}", "f")) == (
        '<math><msub><mrow><mi>f</mi><mo form="postfix" lspace="0" rspace="0">′</mo></mrow>'
        "<mrow><mi>i</mi></mrow></msub><mo>−</mo>"
        "<mfrac><mrow><mi>c</mi></mrow><mrow><mi>ε</mi></mrow></mfrac></math>"
    )
    assert inline(Maths(r"\sqrt{x} \left( \frac{a}{2} \right)^{2}", "s")) == (
        "<math><msqrt><mrow><mi>x</mi></mrow></msqrt><msup><mrow><mo>(</mo>"
        "<mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac><mo>)</mo></mrow>"
        "<mrow><mn>2</mn></mrow></msup></math>"
    )
    assert "<mn>8</mn><mspace" in inline(Maths(r"8 \ln 2", "8 ln 2"))
    signs = inline(Maths("[-1, 1] - x = -x", "x"))
    assert signs.count('<mo form="prefix">−</mo>') == 2 and signs.count("<mo>−</mo>") == 1
    assert "&lt;" in display(Maths(r"a < \text{<b>}", "a"))
    long = inline(Maths("a + " * 20 + "b", "a + " * 20 + "b"))
    assert long.count("<math>") == 21 and "<wbr>" in long


@pytest.mark.parametrize("name", ["asymmetric_noisy_argmax", "rappor", "mangat"])
def test_every_command_of_the_formulas_is_known(name: str) -> None:
    text = account(name).as_html()
    assert "\\" not in re.sub(r"<script>.*", "", text, flags=re.S)
    words = set(re.findall(r"<mtext>([a-z]+)</mtext>", text))
    assert words <= {"if", "else", "and", "or"}


def test_what_is_not_decided_has_a_page_too() -> None:
    report = Report(
        "m", "m.py", 1, "DP with ε = eps", (), Verdict.UNKNOWN, "proved",
        alignment={"noise (line 3)": "f[i] - other(f[i])"}, reasons=("m.py:3: 'cost' < fails",),
    )  # fmt: skip
    tree = read(explain(report).as_html())
    assert "'cost' < fails" in "".join(tree.text)
    assert tree.tags["script"] == 0


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    options = ["noisy_count", "--format", "html", "--output", str(file)]
    assert CliRunner().invoke(command, options).exit_code == 0
    read(file.read_text("utf-8"))
    refused = CliRunner().invoke(command, ["noisy_count", "--format", "html", "--fragment"])
    assert refused.exit_code == 2 and "--fragment is for --format latex" in refused.output


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js to read JavaScript with")
def test_node_reads_every_script() -> None:
    subprocess.run(["node", "--check", *map(str, SCRIPTS)], check=True)
