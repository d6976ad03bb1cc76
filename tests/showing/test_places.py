"""Lines, and names of draws: in every format those of the file that the user wrote."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from shiftproof import Report, explain, one_mechanism, verify
from shiftproof.commands.cli import main
from shiftproof.dsl.normalise import core_text, in_the_file
from shiftproof.workspace.cache import Cache

HELPERS = """# Helpers that stand in a file of their own.


def share(count: float, parts: float) -> float:
    return count / parts
"""
#: Mechanisms far below the first line: after comments, a helper, decorators of several lines; one
#: calls another, and one answer is never wrong.
FAR = '''"""What stands here is proved."""

# A comment, and another one.
from collections.abc import Iterator

from helpers import share
from shiftproof import (
    ADP, DP, Count, Counts, Epsilon, Exponential, Laplace, Nat, Policy, Public, Vector, ensure,
    mechanism, sample,
)

LIMIT = 3

visited = Policy(sensitive={1})


def raised(count: float, noise: float) -> float:
    total = count + noise
    return total


@mechanism(DP())
def one_answer(f: Count, eps: Epsilon) -> float:
    """Called below."""
    # a comment before the draw
    blur = sample(Laplace(1 / eps))
    return f + blur


@mechanism(
    DP(),
    budget=lambda eps: 2 * eps,
)
def two_answers(f: Count, g: Count, parts: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert parts >= 1
    (first,) = one_answer(f, eps)

    yield first
    wobble = sample(Laplace(1 / eps))
    # a comment between them
    yield g + wobble + share(1, parts)


@mechanism(ADP(visited))
def quiet(f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon) -> Iterator[str | None]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        # a comment in the loop
        noise = sample(Exponential(c / eps))
        if raised(f[i], noise) >= T[i] + LIMIT:
            yield None
            answered += 1
            if answered >= c:
                return
        else:
            ensure(f[i] < T[i] + LIMIT)
            yield "safe"
'''
#: What is not proved, for a reason that has a place; two draws of one name in one line.
OPEN = '''# What stands here is not proved.

from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample


@mechanism(DP(), budget=lambda eps: 2 * eps)
def decides(f: Count, eps: Epsilon) -> float:
    """Draws where it should not."""
    # a comment before the branch
    if f >= 1:
        noise = sample(Laplace(1 / eps))
        return 1 + noise
    calm = sample(Laplace(1 / eps))
    return calm


@mechanism(DP(), budget=lambda eps: 2 * eps)
def twice(f: Count, eps: Epsilon) -> float:
    far = sample(Laplace(1 / eps)); f = f + far; far = sample(Laplace(1 / eps))
    return f + far
'''
#: The draw of each mechanism of ``FAR``.
DRAWS = {"one_answer": "blur", "two_answers": "wobble", "quiet": "noise"}


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"far.py": FAR, "open.py": OPEN, "helpers.py": HELPERS}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def line_of(text: str, words: str) -> int:
    """The one line of a file that has these words."""
    (found,) = (k for k, line in enumerate(text.splitlines(), 1) if words in line)
    return found


def drawn_at(name: str) -> int:
    return line_of(FAR, f"{DRAWS[name]} = sample(")


def in_all_formats(file: str) -> dict[str, str]:
    """What ``verify`` writes of a file, format by format."""
    forms = ("text", "json", "sarif", "junit", "github", "markdown")
    outputs = [part for form in forms for part in ("--output", f"{form}={form}.out")]
    assert CliRunner().invoke(main, ["verify", file, *outputs]).exit_code in (0, 1, 2, 3)
    return {form: Path(f"{form}.out").read_text(encoding="utf-8") for form in forms}


def test_a_draw_has_one_name_in_every_format(work: Path) -> None:
    said = in_all_formats("far.py")
    found = {one["mechanism"]: one for one in json.loads(said["json"])}
    for name, draw in DRAWS.items():
        line = drawn_at(name)
        assert list(found[name]["alignment"]) == [f"{draw} (line {line})"]
        for form in ("text", "junit"):
            assert f"{draw} (line {line}): " in said[form]
        account = explain(one_mechanism(f"far.py::{name}"))
        assert f"the `{draw}` of line {line}, is drawn" in account.as_markdown()
        assert rf"the \texttt{{{draw}}} of line {line}, is drawn" in account.as_latex()
        assert f"the <code>{draw}</code> of line {line}, is drawn" in account.as_html()
    safe = line_of(FAR, 'yield "safe"')
    assert f"whenever line {safe} says 'safe'" in said["text"]
    begins = line_of(FAR, "@mechanism(ADP(visited))")
    assert found["quiet"]["line"] == begins and f'line="{begins}"' in said["junit"]


@pytest.mark.parametrize("name", DRAWS)
def test_an_account_shows_the_lines_of_the_file_and_speaks_of_no_others(
    work: Path, name: str
) -> None:
    text = explain(one_mechanism(f"far.py::{name}")).as_markdown()
    blocks = re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)
    here, elsewhere = FAR.splitlines(), HELPERS.splitlines()
    shown = set()
    for block in blocks:
        lines = elsewhere if "def share" in block else here
        for number, words in re.findall(r"^ *(\d+)(?:  (.*))?$", block, flags=re.M):
            assert lines[int(number) - 1] == words
            shown |= {int(number)} if lines is here else set()
    told = re.sub(r"```text\n.*?```", "", text, flags=re.DOTALL)
    named = {
        int(k) for many in re.findall(r"lines? (\d+(?:, \d+)*)", told) for k in many.split(", ")
    }
    assert drawn_at(name) in named and named <= shown
    assert ("From `helpers.py`:" in text) == (name == "two_answers")
    assert ("Outside of these lines, `LIMIT` is `3`." in text) == (name == "quiet")


def test_a_helper_of_another_file_is_spoken_of_where_it_is_called(work: Path) -> None:
    text = explain(one_mechanism("far.py::two_answers")).as_markdown()
    lines = (line_of(FAR, "wobble = sample("), line_of(FAR, "yield g + wobble + share("))
    assert f"the divisor is not zero (lines {lines[0]}, {lines[1]})" in text


def test_the_page_has_the_lines_of_the_file(work: Path) -> None:
    page = explain(one_mechanism("far.py::two_answers")).as_html()
    first = line_of(FAR, "budget=lambda") - 2
    assert f'<ol class="program" style="counter-reset: line {first - 1}">' in page
    assert re.search(rf'op: "sample", line: {drawn_at("two_answers")}, .*target: "wobble"', page)
    assert re.search(rf'op: "sample", line: {drawn_at("one_answer")}, .*target: "blur"', page)
    (line,) = (part for part in page.split("<li>") if re.match(r"<code[^>]*>    wobble", part))
    assert "that costs" in line and "the scale is positive" in line


def test_a_reason_stands_at_one_place_in_every_format(work: Path) -> None:
    said = in_all_formats("open.py")
    line = line_of(OPEN, "if f >= 1:")
    for form in ("text", "json", "junit", "markdown", "github"):
        assert f"open.py:{line}:5: the best alignment found fails on 'same samples'" in said[form]
    assert f"file=open.py,line={line},col=5," in said["github"]
    results = json.loads(said["sarif"])["runs"][0]["results"]
    regions = [r["locations"][0]["physicalLocation"]["region"] for r in results]
    assert {"startLine": line, "startColumn": 5} in regions
    account = explain(one_mechanism("open.py::decides")).as_markdown()
    assert f"\n{line}      if f >= 1:\n" in account and f"open.py:{line}:5: the best" in account


def test_two_draws_of_one_line_are_told_apart(work: Path) -> None:
    report = verify(one_mechanism("open.py::twice"))
    line = line_of(OPEN, "far = sample(")
    assert [*report.alignment] == [f"far (line {line}, column {k})" for k in (5, 50)]


def test_what_the_kernel_says_is_told_of_the_file(work: Path) -> None:
    program = one_mechanism("far.py::quiet").program
    core = core_text(program)
    for words in (
        "noise = sample(",
        "yield None",
        "assert c >= 1",
        "answered >= c",
        "yield 'safe'",
    ):
        (k,) = (k for k, line in enumerate(core, 1) if words in line)
        line = line_of(FAR, words.replace("'", '"'))
        told = in_the_file(f"line {k}, question 7: it fails", program, said="alarm: ")
        assert re.fullmatch(
            rf".*far\.py:{line}:\d+: alarm: it fails \(line {k} of the core text, question 7\)",
            told,
        )
    assert in_the_file("the claim is another", program) == "the claim is another"
    assert in_the_file("line 3: odd", None) == "odd (line 3 of the core text)"


def test_a_kept_verdict_names_the_lines_as_they_are_now(work: Path) -> None:
    cache = Cache(work / "kept")
    fresh = cache.verified(one_mechanism("far.py::quiet"), verify)
    moved = FAR.replace("        # a comment in the loop\n", "        # three\n" * 3)
    (work / "far.py").write_text(moved, encoding="utf-8")

    def never(mechanism: object) -> Report:
        raise AssertionError("it was kept")

    kept = cache.verified(one_mechanism("far.py::quiet"), never)
    line = line_of(moved, "noise = sample(")
    assert [*kept.alignment] == [f"noise (line {line})"] and line == drawn_at("quiet") + 2
    assert [*kept.alignment.values()] == [*fresh.alignment.values()]
    safe = line_of(moved, 'yield "safe"')
    assert [c.claim for c in kept.one_sided] == [
        f"whenever line {safe} says 'safe': f[i] < T[i] + 3"
    ]
    assert f"the `noise` of line {line}, is drawn" in explain(kept).as_markdown()


def test_a_report_of_another_process_shows_the_normal_form(work: Path) -> None:
    report = verify(one_mechanism("far.py::one_answer"))
    there = pickle.loads(pickle.dumps(report))
    assert there == report and there.subject is None
    text = explain(there).as_markdown()
    assert "This is the normal form of its text, as the certificate has it:" in text
    line = re.search(r"the `blur` of line (\d+), is drawn", text)
    assert line is not None and re.search(rf"^ *{line[1]}      blur = sample", text, flags=re.M)
