"""Colours of a program: every word of it is there as it was, and no text is anything else."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from shiftproof.showing.formats.colours import coloured
from tests.places import ROOT

GALLERY = sorted((ROOT / "src/shiftproof/mechanisms").glob("[a-z]*.py"))


def plain(shown: str) -> str:
    """What a reader sees of a line."""
    return unescape(re.sub("<[^>]*>", "", shown))


def kinds(line: str) -> dict[str, str]:
    """What has a class in a line, and which."""
    (shown,) = coloured([line])
    found = re.findall(r'<span class="py-([a-z]+)">(.*?)</span>', shown)
    return {unescape(text): kind for kind, text in found}


@pytest.mark.parametrize("file", GALLERY, ids=lambda file: file.stem)
def test_the_gallery_reads_as_it_is_written(file: Path) -> None:
    lines = file.read_text("utf-8").split("\n")
    shown = coloured(lines)
    assert list(map(plain, shown)) == lines
    assert any('class="py-word"' in line for line in shown)
    assert all(line.count("<span") == line.count("</span>") for line in shown)


def test_words_names_numbers_texts_and_comments_differ() -> None:
    assert kinds("def f(x): return x + 0x1F * .5  # so") == {
        "def": "word", "f": "name", "return": "word", "0x1F": "number", ".5": "number",
        "# so": "comment",
    }  # fmt: skip
    assert kinds("@mechanism(DP(), expect='refuted')") == {"mechanism": "name", "'refuted'": "text"}
    assert kinds("released = defaults.class_ and None") == {"and": "word", "None": "word"}
    assert kinds("x = 'return 1  # no'") == {"'return 1  # no'": "text"}


def test_an_f_string_has_one_colour_in_every_python() -> None:
    text = """f"a{x + 1}{f'{y}'}b\""""
    assert kinds(f"z = {text} if x else 2") == {
        text: "text", "if": "word", "else": "word", "2": "number",
    }  # fmt: skip


def test_a_text_of_several_lines_is_closed_on_each() -> None:
    lines = ["def f():", '    """One <b>', "", '    two"""', "    return 1"]
    shown = coloured(lines)
    assert shown[1] == '    <span class="py-text">&quot;&quot;&quot;One &lt;b&gt;</span>'
    assert shown[2] == ""
    assert shown[3] == '<span class="py-text">    two&quot;&quot;&quot;</span>'


@pytest.mark.parametrize("line", ["x = (", "'", "  a\n b", "\x00", "'''", "1a$?", "a\rb", "a\x0cb"])
def test_what_is_no_python_is_shown_all_the_same(line: str) -> None:
    lines = ["def f():", line, "<i>"]
    assert list(map(plain, coloured(lines))) == lines
    assert not any("<i>" in shown for shown in coloured(lines))


def test_what_stands_between_tags_is_written_by_the_caller() -> None:
    assert coloured(["if a"], str.upper) == ['<span class="py-word">IF</span> A']
