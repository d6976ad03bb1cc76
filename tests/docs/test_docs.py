"""Every fenced block of the README and of ``docs``: it runs, or is checked, or says why not."""

from __future__ import annotations

import ast
import io
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from shiftproof import Verdict, verify
from shiftproof.workspace.targets import resolve
from tests.docs.blocks import Block, Reader, blocks_of
from tests.docs.page_contexts import CONTEXTS, lay_out
from tests.places import ROOT
from tests.sampling import slow

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

pytestmark = pytest.mark.skipif(not PAGES[-1].exists(), reason="the packages hold no pages")

#: Blocks by page and beginning of the first line, and the test that is about them.
COVERED = {
    ("assistants.md", "halved_count: refuted"): "commands/test_mcp.py::TestAnswers",
    ("auditing.md", "$ shiftproof audit"): "docs/test_auditing_docs.py::test_commands",
    ("commands.md", "$ shiftproof"): "docs/test_commands_docs.py::test_what_it_shows",
    ("experiments_monitor.md", "Algorithm"): "experiments/test_monitor_experiment.py::TestPage",
    ("language.md", "mechanism     ="): "docs/test_language_page.py::test_operators",
    ("notebooks.md", "In[6]"): (
        "showing/test_notebooks.py::test_the_tutorial_runs_and_so_do_mechanisms_in_cells"
    ),
    ("minimum_finding.md", "import numpy"): "estimators/test_minimum_finding.py::test_the_page",
    ("minimum_finding.md", "in every round"): "estimators/test_minimum_finding.py::test_the_page",
    ("minimum_finding.md", "estimate"): "estimators/test_minimum_finding.py::test_the_page",
    ("theorems.md", "| L11"): "showing/theorems/test_statements.py::test_the_call_of_the_page",
    (
        "reconstruction.md",
        "",
    ): "estimators/test_reconstruction.py::test_the_page_prints_what_it_shows",
    ("overview.md", "commands  "): "docs/test_rooms.py::test_the_map_names_what_is_there",
    ("simulation.md", "$ shiftproof simulate"): "docs/test_simulation_docs.py::test_commands",
    ("testing.md", ""): "docs/test_testing_docs.py::test_the_page",
    ("utility.md", ""): "commands/test_utility_command.py::test_the_page",
}

#: Blocks that are not run at all, and why.
LEFT_OUT = {
    ("experiments.md", "$ shiftproof experiment top-k"): "its baskets are not in the repository",
    ("experiments_monitor.md", "$ shiftproof experiment"): "takes ten seconds",
    ("plots.md", "$ shiftproof plot bracket"): "takes ten seconds",
    ("plots.md", "$ shiftproof audit"): "takes five seconds",
    ("simulation.md", "from distributed"): "needs a cluster of machines",
}

#: Of how many commands of a page one is run by default.
ONE_IN = {"why_not_proved.md": 4}

#: Texts that are more than what was printed.
KINDS = {("experiments_monitor.md", "person,time"): "trajectories"}

#: What is made smaller, so that it takes a moment only.
SMALLER = {
    "auditing.md": {"samples=100_000": "samples=2_000"},
    "plots.md": {
        "effort=3000": "effort=100",
        "(0.25, 0.5, 1, 2)": "(0.5, 1)",
        "samples=300_000": "samples=50_000",
    },
    "experiments.md": {"runs=10_000": "runs=20", "ks=[100]": "ks=[2]"},
    "experiments_monitor.md": {
        "eps=(0.5, 1, 2), seed=0": "eps=(0.5,), seed=0, runs=50, town_runs=1",
        "people=10_000, places=5_835": "people=300, places=90",
    },
}


def found(table: dict[tuple[str, str], str], block: Block) -> str | None:
    """What a table says of a block."""
    for (page, start), said in table.items():
        if block.page == page and block.first.startswith(start):
            return said
    return None


@pytest.mark.parametrize(
    ("page", "one_in"),
    [
        *(pytest.param(page, ONE_IN.get(page.name, 1), id=page.stem) for page in PAGES),
        *(
            slow(pytest.param(page, 1, id=f"{page.stem}, every command"))
            for page in PAGES
            if page.name in ONE_IN
        ),
    ],
)
def test_page(page: Path, one_in: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.delitem(sys.modules, "mechanisms", raising=False)
    before = set(sys.modules)
    reader = Reader(tmp_path)
    blocks = list(blocks_of(page))
    commands = [block for block in blocks if block.language == "console"]
    left = [block for k, block in enumerate(commands) if k % one_in]
    for block in blocks:
        if found(COVERED, block) or found(LEFT_OUT, block) or block in left:
            continue
        context = found(CONTEXTS, block)
        if context is None:
            reader.follow(as_it_is_checked(block))
        else:
            assert_proved(in_context(context, block), tmp_path / "fragment.py")
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def as_it_is_checked(block: Block) -> Block:
    text, language = block.text, found(KINDS, block) or block.language
    for old, new in SMALLER.get(block.page, {}).items():
        text = text.replace(old, new) if block.language == "python" else text
    return replace(block, text=text, language=language)


def in_context(context: str, block: Block) -> str:
    """A mechanism with the fragment in it, which is indented as its place is."""
    (place,) = (line for line in context.splitlines() if line.strip() == "BLOCK")
    indent = place.removesuffix("BLOCK")
    return context.replace(f"{place}\n", textwrap.indent(textwrap.dedent(block.text), indent))


def assert_proved(code: str, file: Path) -> None:
    file.write_text(code, encoding="utf-8")
    for mechanism in resolve(str(file)):
        report = verify(mechanism)
        assert report.verdict is Verdict.PROVED and report.holds, report


def test_tables_are_about_blocks_and_tests_that_there_are() -> None:
    blocks = [block for page in PAGES for block in blocks_of(page)]
    for page, start in [*COVERED, *LEFT_OUT, *CONTEXTS, *KINDS]:
        assert any(b.page == page and b.first.startswith(start) for b in blocks), (page, start)
    for name, replaced in SMALLER.items():
        texts = "".join(b.text for b in blocks if b.page == name and b.language == "python")
        assert all(old in texts for old in replaced), name
    for test in COVERED.values():
        file, _, name = test.partition("::")
        body = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8")).body
        assert name in {node.name for node in body if hasattr(node, "name")}, test


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```console\n$ shiftproof list laplace_parallel\nnothing\n```", "--- printed"),
        ("```console\n$ rm x\n```", "nothing runs this"),
        ("```sh\nshiftproof verify --no-such-option\n```", "no-such-option"),
        ("```sh\ncurl x\n```", "nothing checks curl"),
        ("```python\nassert 1 > 2\n```", "^$"),
        ("```python\ndef test_x():\n    assert 1 > 2\n```", "^$"),
        ("```python\nprint(3)\n```\n\n```text\n4\n```", "--- printed"),
        ("```text\n4\n```", "nothing was printed"),
        ("```yaml\na: [\n```", "expected"),
        ("```toml\na = \n```", "Invalid value"),
        ("```ruby\n1\n```", "nothing checks blocks of this kind"),
        ("```\n1\n```", "nothing checks blocks of this kind"),
        ("```text\n1\n", "never ends"),
    ],
)
def test_what_is_wrong_is_found(text: str, message: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# A page\n\n{text}", encoding="utf-8")
    reader = Reader(tmp_path)
    with pytest.raises(Exception, match=message):
        for block in blocks_of(page):
            reader.follow(block)
