"""The site as it is built: it loads nothing from elsewhere, and its scripts do what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from shiftproof.workspace.gallery_index import gallery_index
from tests.places import ROOT
from tests.sampling import every

DOCS = ROOT / "docs"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the packages hold no pages")

GALLERY = gallery_index()
#: Pages with runs to move, and the verdict on each.
INTERACTIVE = {
    "asymmetric_sparse_vector": "proved",
    "noisy_max": "proved",
    "sparse_vector_half_noise": "refuted",
}
#: A comment on an attribute, with a colon that makes nothing before it a type.
COMMENT = "Which values it takes: a shift must stay on this lattice."
PHONE = {"width": 390, "height": 844}
#: Pages with tables that are wider than that.
WIDE = (
    "gallery", "comparison", "comparison_figures", "commands", "claims", "findings",
    "claims/asymmetric_background", "interactive/noisy_max",
)  # fmt: skip
#: Tags that load what an attribute names; an <a> loads nothing until it is clicked.
LOADING = {
    "script": ("src",), "link": ("href",), "img": ("src", "srcset"), "source": ("src", "srcset"),
    "iframe": ("src",), "object": ("data",), "embed": ("src",), "video": ("src", "poster"),
    "audio": ("src",), "use": ("href",), "image": ("href",), "input": ("src",),
}  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning: half a minute."""
    pytest.importorskip("sphinx", reason="the site is an extra: pip install 'shiftproof[docs]'")
    folder = tmp_path_factory.mktemp("site")
    built, trees = folder / "html", folder / "trees"
    # Apart from here: Sphinx changes where modules come from, and its extensions warn of Sphinx.
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "-d", trees, DOCS, built]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


class Tags(HTMLParser):
    """Every tag of a page, with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def loaded(page: str) -> list[str]:
    """The addresses that a page loads by itself and that lead away from its site."""
    named = [
        attributes.get(name, "")
        for tag, attributes in Tags(page).found
        for name in LOADING.get(tag, ())
        if attributes.get("rel") not in ("canonical", "license")
    ]
    return [address for address in [*named, *in_styles(page)] if away(address)]


def in_styles(text: str) -> list[str]:
    """What style sheets load: images, fonts, other sheets."""
    return re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s;]+)", text)


def away(address: str) -> bool:
    return bool(re.match(r"\s*(https?:)?//", address))


@pytest.mark.parametrize(
    "page",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/css">',
        '<img src=" http://example/x.png">',
        "<style>@import 'https://example/x.css';</style>",
        "<style>p { background: url(https://example/x.png) }</style>",
    ],
)
def test_what_is_loaded_from_elsewhere_is_seen(page: str) -> None:
    assert loaded(page)
    assert not loaded('<a href="https://example">x</a><img src="data:,"><script src="x.js">')


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 60
    assert not {str(page): found for page in pages if (found := loaded(page.read_text("utf-8")))}
    for sheet in site.rglob("*.css"):
        assert not [a for a in in_styles(sheet.read_text("utf-8")) if away(a)], sheet


@pytest.mark.parametrize(("name", "verdict"), INTERACTIVE.items())
def test_interactive_pages_are_there_and_linked(name: str, verdict: str, site: Path) -> None:
    page = (site / "interactive" / f"{name}.html").read_text("utf-8")
    assert f'<span class="verdict {verdict}">{verdict}</span>' in page
    assert 'play("account-1-play"' in page, "nothing moves"
    for linking in ("gallery.html", "explaining.html"):
        text = (site / linking).read_text("utf-8")
        assert f'href="interactive/{name}.html"' in text, linking


def test_the_way_to_and_from_interactive_pages(site: Path) -> None:
    assert 'href="interactive/' in (site / "index.html").read_text("utf-8")
    page = (site / "interactive" / "noisy_max.html").read_text("utf-8")
    links = re.findall(r'<a href="(\.\./[^"#]+)"', page)
    assert links and all((site / "interactive" / link).exists() for link in links)
    assert {path.stem for path in (site / "interactive").iterdir()} == set(INTERACTIVE)


def gallery_rows(site: Path) -> list[dict[str, str]]:
    tags = Tags((site / "gallery.html").read_text("utf-8")).found
    return [attributes for tag, attributes in tags if tag == "tr" and "data-verdict" in attributes]


def test_every_entry_of_the_gallery_can_be_filtered(site: Path) -> None:
    rows = gallery_rows(site)
    assert [row["data-verdict"] for row in rows] == [entry.expected for entry in GALLERY]
    assert [row["data-notion"] for row in rows] == [e.claim.partition("(")[0] for e in GALLERY]
    noise = dict(zip([entry.name for entry in GALLERY], (row["data-noise"] for row in rows)))
    assert all(noise.values())
    assert noise["laplace"] == "Laplace" and noise["one_sided_geometric"] == "OneSidedGeometric"


def test_old_links_to_names_lead_to_the_list_of_names(site: Path) -> None:
    page = (site / "api.html").read_text("utf-8")
    assert re.search(
        r'<li id="shiftproof\.verify"><p><a [^>]*href="api/verifying\.html#shiftproof\.verify"',
        page,
    )
    listed = re.findall(r'<li id="(shiftproof\.[\w.]+)">', page)
    led_to = re.findall(r'<li id="[^"]*"><p><a [^>]*href="api/\w+\.html#([^"]*)"', page)
    assert listed == led_to and "shiftproof.verify" in listed


def test_attributes_are_told_as_they_are_commented_on(site: Path) -> None:
    assert f"<p>{COMMENT}</p>" in (site / "api" / "noise.html").read_text("utf-8")


@pytest.fixture
def page(site: Path, browser: Any) -> Iterator[Any]:
    """A page of the width of a phone, which may ask for files only and may say nothing."""
    page = browser.new_context(viewport=PHONE).new_page()
    heard: list[str] = []
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on(
        "request", lambda r: None if r.url.startswith(("file:", "data:")) else heard.append(r.url)
    )
    yield page
    page.context.close()
    assert not heard


class TestInABrowser:
    def visible(self, page: Any) -> int:
        return page.locator("tr[data-verdict]:visible").count()

    def test_the_address_filters(self, page: Any, site: Path) -> None:
        rows = gallery_rows(site)
        wanted = [
            row
            for row in rows
            if row["data-verdict"] == "refuted" and "Laplace" in row["data-noise"].split()
        ]
        assert 5 < len(wanted) < 56
        page.goto(f"{(site / 'gallery.html').as_uri()}#verdict=refuted&noise=Laplace")
        assert self.visible(page) == len(wanted)
        told = page.locator(".gallery-filters output")
        assert told.inner_text() == f"{len(wanted)} of {len(rows)} mechanisms"
        page.get_by_label("Noise").focus()
        page.keyboard.press("Home")  # all kinds of noise, by the keyboard
        assert self.visible(page) == 56 and page.url.endswith("#verdict=refuted")
        page.get_by_text("show all").click()
        assert self.visible(page) == len(rows) and page.url.endswith("gallery.html")

    def test_an_address_that_names_nothing_filters_nothing(self, page: Any, site: Path) -> None:
        page.goto(f"{(site / 'gallery.html').as_uri()}#verdict=sublime")
        assert self.visible(page) == len(GALLERY)

    def test_without_scripts_the_whole_gallery_is_there(self, browser: Any, site: Path) -> None:
        page = browser.new_context(java_script_enabled=False).new_page()
        page.goto(f"{(site / 'gallery.html').as_uri()}#verdict=refuted")
        assert self.visible(page) == len(GALLERY)
        assert not page.locator(".gallery-filters").count()
        page.context.close()

    def test_commands_are_copied_without_prompt_and_output(self, page: Any, site: Path) -> None:
        page.goto((site / "index.html").as_uri())
        page.evaluate(
            "Object.defineProperty(navigator, 'clipboard',"
            " {value: {writeText: async (text) => { window.copied = text; }}})"
        )
        program, commands, install = page.locator("button.copy").all()
        commands.click()
        assert page.evaluate("window.copied") == "shiftproof verify visits.py"
        assert commands.inner_text() == "Copied"
        program.click()
        assert page.evaluate("window.copied").startswith("from shiftproof import ADP")
        install.click()
        assert page.evaluate("window.copied").endswith(".venv/bin/pip install .")

    @pytest.mark.parametrize("name", every(4, WIDE))
    def test_wide_tables_scroll_and_the_page_does_not(
        self, name: str, page: Any, site: Path
    ) -> None:
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert page.locator("table").count()

    @pytest.mark.parametrize("name", INTERACTIVE)
    def test_runs_can_be_moved(self, name: str, page: Any, site: Path) -> None:
        page.goto((site / "interactive" / f"{name}.html").as_uri())
        slider = page.locator("input[type=range]").first
        before = page.locator("#account-1-play").inner_text()
        slider.focus()
        page.keyboard.press("PageUp")
        assert page.locator("#account-1-play").inner_text() != before
