"""The site: every page has its place, every public name and every mechanism is on it once."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import shiftproof
from shiftproof import bound, one_mechanism, strategies
from shiftproof.workspace.gallery_index import gallery_index
from tests.checkers.walking.certificates import FILES, content
from tests.places import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the packages hold no pages")

GALLERY = gallery_index()


@pytest.fixture(scope="module")
def brackets() -> ModuleType:
    """What keeps the brackets of the gallery."""
    spec = importlib.util.spec_from_file_location("brackets", DOCS / "_ext" / "brackets.py")
    assert spec and spec.loader
    module = sys.modules["brackets"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def directives(page: Path, name: str) -> list[tuple[str, list[str]]]:
    """The argument and the lines of each directive of a page."""
    pattern = rf"^```{{{name}}} ?(.*)\n((?:.*\n)*?)```$"
    found = re.findall(pattern, page.read_text(encoding="utf-8"), re.MULTILINE)
    return [(argument, text.splitlines()) for argument, text in found]


def test_every_page_is_in_the_contents_once() -> None:
    listed: Counter[Path] = Counter()
    for page in PAGES:
        for _, lines in directives(page, "toctree"):
            names = [re.sub(r".*<(.*)>", r"\1", n) for n in lines if n and n[0] != ":"]
            listed.update(page.parent / f"{name}.md" for name in names)
    assert listed == Counter(page for page in PAGES if page != DOCS / "index.md")


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^(```+).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "x", text)):
        if re.match(r"https?:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in {slug(h) for h in headings(target)}, link


def headings(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    if page.name == "readme.md":
        text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^#+ (.*)$", re.sub(r"^(```+).*?^\1$", "", text, flags=re.M | re.S), re.M)


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and MyST make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_public_name_is_documented_once() -> None:
    listed: dict[str, list[str]] = {}
    for page in (DOCS / "api").glob("*.md"):
        for module, lines in directives(page, "api"):
            listed.setdefault(module, []).extend(line.partition(":")[0] for line in lines)
    assert set(listed) == {"shiftproof", "shiftproof.strategies"}
    assert sorted(listed["shiftproof"]) == sorted(shiftproof.__all__)
    assert sorted(listed["shiftproof.strategies"]) == sorted(strategies.__all__)


def test_every_file_of_the_gallery_is_on_one_page() -> None:
    found = [m for page in PAGES for m, _ in directives(page, "mechanisms")]
    assert sorted(found) == sorted({entry.module for entry in GALLERY})
    assert f"{len(GALLERY)} of them" in (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert f"{len(GALLERY)} mechanisms" in (DOCS / "index.md").read_text(encoding="utf-8")


def test_brackets_are_about_the_mechanisms_as_they_are(brackets: ModuleType) -> None:
    """``python docs/_ext/brackets.py`` brings them up to date."""
    certified = {c["mechanism"]: c["fingerprint"] for c in map(content, FILES)}
    kept = brackets.kept_brackets()
    assert set(kept) == {entry.name for entry in GALLERY if "delta=" not in entry.claim}
    for name, bracket in kept.items():
        assert bracket["fingerprint"] == certified[name], name


@pytest.mark.parametrize("name", ["laplace", "geometric", "mangat"])
def test_brackets_are_what_is_found(name: str, brackets: ModuleType) -> None:
    kept = brackets.kept_brackets()[name]
    assert brackets.bracket_to_keep(bound(one_mechanism(name)), kept["fingerprint"]) == kept


class TestAccounts:
    """The pages say what the certificates say."""

    @pytest.fixture(autouse=True)
    def extension(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("sphinx", reason="the site is an extra: pip install 'shiftproof[docs]'")
        monkeypatch.syspath_prepend(DOCS / "_ext")

    @pytest.mark.parametrize(
        ("name", "verdict", "method"),
        [
            ("laplace", "proved", "alignment"),
            ("mangat", "proved", "sums"),
            ("exponential_mechanism", "bounded", "enumeration"),
            ("sparse_vector_without_limit", "refuted", ""),
        ],
    )
    def test_reports(self, name: str, verdict: str, method: str) -> None:
        certified = importlib.import_module("certified")
        accounts = importlib.import_module("accounts")
        (entry,) = (entry for entry in GALLERY if entry.name == name)
        report = certified.report_of(entry, None)
        assert (str(report.verdict), report.method) == (verdict, method)
        text = " ".join(n.astext() for n in accounts.account_nodes(shiftproof.explain(report)))
        assert "Conclusion" in text and "Claim" in text
        source = importlib.import_module("gallery_pages").source(entry)
        assert source.startswith("@mechanism(") and f"def {name}(" in source
