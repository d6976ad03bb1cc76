"""The page of ``explain --format html`` in a real browser: both runs agree, whatever is moved.

``browsing.py`` says how.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shiftproof import explain, noise_utility
from shiftproof.dsl.language.runtime import recorded
from shiftproof.showing.explaining.as_html import as_html
from shiftproof.showing.notebooks import render
from shiftproof.workspace.targets import one_mechanism
from tests.showing.accounts import account
from tests.showing.browsing import Opened as OpenedPage

#: Two mechanisms to use the page with: an alignment, and sums.
USED = ("asymmetric_sparse_vector", "k_ary_response")
#: One of each kind: a prophecy, top-k, calls, lists, a monitor, whole numbers, bits, a distance.
KINDS = (
    "asymmetric_sparse_vector", "asymmetric_noisy_argmax", "asymmetric_top_k",
    "first_above_with_count", "histogram_in_parallel", "location_monitor", "rappor",
    "asymmetric_laplace",
)  # fmt: skip
SUMS = ("mangat", "utility_optimized_response", "one_sided_response")
ROUNDS = 3

RUNS = """(rounds) => {
  const plain = (x) => isNumber(x) ? [String(x.n), String(x.d), x.whole]
    : Array.isArray(x) ? {list: x.map(plain)} : x;
  const found = [];
  for (const account of accounts) {
    for (const [k, pair] of account.pairs.entries()) {
      const [left, right] = [pair.left, pair.right].map((s) => readSide(account.programs[0], s));
      for (let round = 0; round < rounds; round += 1) {
        const settings = noiseSettings();
        settings.shuffle(100 * k + round);
        const both = bothRuns(account, pair, left, right, settings.value);
        found.push({
          name: account.programs[0].name,
          inputs: Object.fromEntries([...left].map(([name, value]) => [name, plain(value)])),
          draws: both.first.draws.map((draw) => plain(draw.value)),
          outputs: both.first.run.outputs.map(plain),
          failure: both.failure, cost: toDouble(both.cost), budget: toDouble(both.budget),
        });
      }
    }
  }
  return found;
}"""

LAWS = """() => accounts.flatMap((account) => account.pairs.map((pair) => {
  const [left, right] = [pair.left, pair.right].map((s) => readSide(account.programs[0], s));
  const { rows, budget } = bothLaws(account, pair, left, right);
  const ratios = rows.filter((row) => row.counts && row.here > 0)
    .map((row) => Math.log(row.here / row.there));
  const [here, there] = ["here", "there"].map((s) => rows.reduce((sum, row) => sum + row[s], 0));
  return {name: account.programs[0].name, worst: Math.max(...ratios), budget, here, there};
}))"""


@cache
def page_of(*names: str) -> str:
    return as_html([account(name) for name in names])


class Opened(OpenedPage):
    """The page of some mechanisms."""

    def __init__(self, browser: Any, folder: Path, *names: str, **options: Any) -> None:
        super().__init__(browser, folder, page_of(*names), **options)


def number(value: Any) -> Any:
    """A value of JavaScript as Python has it."""
    if isinstance(value, dict):
        return tuple(map(number, value["list"]))
    if not isinstance(value, list):
        return value
    exact = Fraction(int(value[0]), int(value[1]))
    return int(exact) if value[2] else exact


def alike(one: Any, two: Any) -> bool:
    """The same value; dividing two ints gives Python a float even on exact numbers."""
    if isinstance(one, float) or isinstance(two, float):
        return math.isclose(one, two, rel_tol=1e-9)
    return type(one) is type(two) and one == two


def test_both_runs_agree_and_python_runs_the_same(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path, *KINDS)
    found = opened.page.evaluate(RUNS, ROUNDS)
    opened.close()
    mechanisms = {name: one_mechanism(name, run=True) for name in KINDS}
    paid = set()
    for run in found:
        assert run["failure"] == "", run
        assert run["cost"] <= run["budget"] + 1e-9
        paid |= {run["name"]} if run["cost"] else set()
        inputs = {name: number(value) for name, value in run["inputs"].items()}
        with recorded(map(number, run["draws"])):
            outputs = mechanisms[run["name"]].run(inputs)
        assert len(outputs) == len(run["outputs"])
        assert all(map(alike, map(number, run["outputs"]), outputs)), run
    assert paid == set(KINDS)


def test_laws_add_up_and_keep_the_budget(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path, *SUMS)
    found = opened.page.evaluate(LAWS)
    opened.close()
    assert {law["name"] for law in found} == set(SUMS)
    for law in found:
        assert law["worst"] <= law["budget"] + 1e-9
        assert math.isclose(law["here"], 1) and math.isclose(law["there"], 1)


def test_the_numbers_are_pythons(browser: Any, tmp_path: Path) -> None:
    values = [Fraction(n, d) for n in (-7, -3, 0, 1, 5) for d in (1, 2, 3)]
    given = [[str(x.numerator), str(x.denominator)] for x in values]
    opened = Opened(browser, tmp_path, *USED)
    script = """(given) => given.flatMap(([a, b]) => given.flatMap(([c, d]) => {
      const [x, y] = [q(BigInt(a), BigInt(b), false), q(BigInt(c), BigInt(d), false)];
      const text = (z) => `${z.n}/${z.d}`;
      const two = y.n === 0n ? [] : [div(x, y), operations["//"](x, y), operations["%"](x, y)];
      return [operations.int(x), operations.round(x), ...two].map(text);
    }))"""
    found = list(map(Fraction, opened.page.evaluate(script, given)))
    opened.close()
    wanted: list[Fraction] = []
    for x in values:
        for y in values:
            wanted += [Fraction(int(x)), Fraction(round(x))]
            wanted += [x / y, Fraction(x // y), x % y] if y else []
    assert found == wanted


def test_sliders_move_by_mouse_and_keyboard(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path, *USED, viewport={"width": 1200, "height": 900})
    page = opened.page
    slider = page.locator("#account-1-play .noise input").first
    twin = page.locator("#account-1-play .twin").first
    seen = [twin.inner_text()]
    slider.focus()
    for key in ("End", "ArrowLeft", "Home"):
        page.keyboard.press(key)
        seen.append(twin.inner_text())
    box = slider.bounding_box()
    page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2)
    seen.append(twin.inner_text())
    assert len(set(seen[1:])) == 4
    assert page.locator("#account-1-play .badge").inner_text().startswith("The same output")

    eps = page.locator('#account-1-play input[data-input="eps"]')
    eps.focus()
    page.keyboard.press("End")
    assert "of at most 5 nats" in page.locator("#account-1-play .figure").inner_text()
    c = page.locator('#account-1-play input[data-input="c"]')
    c.fill("0")
    assert "precondition" in page.locator("#account-1-play [role=alert]").inner_text()
    c.fill("x")
    assert "whole number" in page.locator("#account-1-play [role=alert]").inner_text()
    c.fill("2")
    assert not page.locator("#account-1-play [role=alert]").is_visible()
    before = page.locator("#account-1-play table").first.inner_text()
    page.locator("#account-1-play select").select_option(index=2)
    assert page.locator("#account-1-play table").first.inner_text() != before
    opened.close()


def test_runs_that_differ_are_loud(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path, *USED)
    badge = opened.page.locator("#account-1-play .badge.bad")
    assert badge.count() == 0
    opened.page.evaluate("accounts[0].shifts = {'': [() => ZERO]}")
    for _ in range(10):
        opened.page.get_by_role("button", name="Draw other noise").click()
        if badge.count():
            break
    assert "please report it" in badge.inner_text()
    opened.close()


def test_keys_go_through_the_controls_in_order(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path, *USED)
    page = opened.page
    page.locator("#account-1-play select").focus()
    seen = []
    for _ in range(6):
        tag = "document.activeElement.tagName + (document.activeElement.type ?? '')"
        seen.append(page.evaluate(tag))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        page.keyboard.press("Tab")
    assert seen[:3] == ["SELECTselect-one", "INPUTtext", "INPUTrange"]
    assert "INPUTrange" in seen[3:] and "BUTTONbutton" in seen[3:]
    unnamed = "[...document.querySelectorAll('input, select')].filter((i) => !i.labels.length)"
    assert page.evaluate(f"{unnamed}.length") == 0
    opened.close()


def test_a_phone_the_dark_and_no_script(browser: Any, tmp_path: Path) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    phone = Opened(browser, tmp_path, *USED, viewport={"width": 360, "height": 740})
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
    light = phone.page.evaluate(colour)
    phone.close()
    dark = Opened(browser, tmp_path, *USED, color_scheme="dark")
    assert dark.page.evaluate(colour) != light
    dark.close()
    still = Opened(browser, tmp_path, *USED, java_script_enabled=False)
    assert "needs JavaScript" in still.page.locator("#account-1-play").inner_text()
    assert "Conditions" in still.page.locator("#account-1").inner_text()
    still.close()


#: The contrasts of all kinds of words in a program against what is behind them.
CONTRASTS = """() => {
  const light = (rgb) => rgb.match(/[0-9.]+/g).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const back = light(getComputedStyle(document.querySelector(".program")).backgroundColor);
  return Object.fromEntries(["word", "name", "text", "number", "comment"].map((kind) => {
    const found = document.querySelector(`.program .py-${kind}`);
    if (!found) return [kind, null];
    const [low, high] = [light(getComputedStyle(found).color), back].sort((a, b) => a - b);
    return [kind, (high + 0.05) / (low + 0.05)];
  }));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_program_is_legible_in_all_its_colours(browser: Any, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "commented.py"
    file.write_text(COMMENTED, "utf-8")
    text = explain(one_mechanism(str(file))).as_html()
    opened = OpenedPage(browser, tmp_path, text, color_scheme=scheme)
    found = opened.page.evaluate(CONTRASTS)
    opened.close()
    assert all(contrast is not None and contrast >= 4.5 for contrast in found.values()), found


COMMENTED = '''
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def commented(q: Count, eps: Epsilon) -> float:
    """A text."""
    noise = sample(Laplace(1 / eps))  # and a comment
    return q + noise
'''


@pytest.mark.parametrize("width", [390, 1280])
def test_a_refuted_page_begins_with_what_refutes(browser: Any, tmp_path: Path, width: int) -> None:
    size = {"width": width, "height": 900}
    opened = Opened(browser, tmp_path, "asymmetric_sparse_vector_typeset", viewport=size)
    page = opened.page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ratio = page.locator("math", has_text="e").filter(has_text="=4>").first.bounding_box()
    program = page.locator(".program").first.bounding_box()
    assert ratio["y"] + ratio["height"] < 900 and ratio["y"] < program["y"]
    curves = page.locator("figure svg svg").bounding_box()
    assert curves["height"] > 50 and curves["y"] < program["y"]
    opened.close()


def test_a_long_line_goes_on_right_of_where_it_begins(browser: Any, tmp_path: Path) -> None:
    size = {"width": 390, "height": 900}
    opened = Opened(browser, tmp_path, "asymmetric_sparse_vector", viewport=size)
    lefts = """() => [...document.querySelectorAll(".program li > code")].map((code) => {
      const words = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      const found = [];
      while (words.nextNode()) {
        const { data } = words.currentNode;
        const range = document.createRange();
        [...data].forEach((c, k) => {
          if (c === " ") return;
          range.setStart(words.currentNode, k);
          range.setEnd(words.currentNode, k + 1);
          const { left, top } = range.getBoundingClientRect();
          found.push([Math.round(top / 12), left]);
        });
      }
      const first = found[0] ?? [0, 0];
      return [first[1], Math.min(...found.filter(([row]) => row > first[0]).map(([, x]) => x))];
    }).filter(([, below]) => below !== null && Number.isFinite(below))"""
    found = opened.page.evaluate(lefts)
    opened.close()
    assert found and all(below > first for first, below in found)


def test_cards_set_their_formulas_without_a_network(browser: Any, tmp_path: Path) -> None:
    utility = render(noise_utility("Exponential(1/eps)", "median"), "html")
    cards = f"{explain(one_mechanism('laplace'))._repr_html_()}{utility}"
    opened = OpenedPage(browser, tmp_path, cards, viewport={"width": 390, "height": 900})
    boxes = "[...document.querySelectorAll('math')].map((m) => m.getBoundingClientRect().height)"
    heights = opened.page.evaluate(boxes)
    assert len(heights) > 5 and all(height > 5 for height in heights)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert "$" not in opened.page.locator("body").inner_text()
    opened.close()


def test_a_draw_that_is_repeated_for_ever_stops_no_page(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path, "redrawn_response")
    alert = opened.page.locator("#account-1-play [role=alert]")
    assert "for this page" in alert.inner_text()
    opened.close()
