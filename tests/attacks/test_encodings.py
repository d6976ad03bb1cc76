"""Bytes of a file are the text that Python makes of them, or the file is refused.

The truth is what importing the file gives.
"""

from __future__ import annotations

import ast
import codecs
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from shiftproof import BadInput
from shiftproof.commands.cli import main
from shiftproof.dsl.static import read_file
from shiftproof.dsl.static.text import _decoded, parsed
from tests.believing import believed, imported, wrongly_believed

BOM = codecs.BOM_UTF8
#: K, what anybody sees in an editor, and the line of code that another codec hides or finds.
ODD = {
    "unicode_escape": b"# coding: unicode_escape\nK = 1\n# \\nK = 2\n",
    "unicode-escape": b"# coding: unicode-escape\nK = 1\n# \\x0aK = 2\n",
    "raw_unicode_escape": b"# coding: raw_unicode_escape\nK = 1\n# \\u000aK = 2\n",
    "utf-7": b"# coding: utf-7\nK = 1\n# +AAo-K = 2\n",
    "utf7": b"# -*- coding: utf7 -*-\nK = 1\n# +AAoASw- = 2\n",
    "U7 in line 2": b"#!/usr/bin/python\n# vim: set fileencoding=U7 :\nK = 1\n# +AAo-K = 2\n",
    "shift_jis": b"# coding: shift_jis\nK = 1\nX = '\x81\x5c'\n",
    "gbk": b"# coding: gbk\nK = 1\nX = '\x81\x5c'\n",
    "big5": b"# coding: big5\nK = 1\nX = '\xa5\x5c'\n",
    "iso2022_jp": b"# coding: iso2022_jp\nK = 1\nX = '\x1b$B$\x22\x1b(B'\n",
    "hz": b"# coding: hz\nK = 1\n# ~\nK = 2\n",
    "cp037": "# coding: cp037\nK = 1\n".encode("cp037"),
    "rot13": b"# coding: rot13\nX = 1\n",
    "punycode": b"# coding: punycode\nK = 1\n",
    "idna": b"# coding: idna\nK = 1\n",
    "utf-16": "# coding: utf-16\nK = 1\n".encode("utf-16"),
    "utf-32": "# coding: utf-32\nK = 1\n".encode("utf-32"),
    "cp1252": b"# coding: cp1252\nK = 1\n",
    "iso-8859-15": b"# coding: iso-8859-15\nK = 1\n",
    "koi8-r": b"# coding: koi8-r\nK = 1\n",
    "mac-roman": b"# coding: mac-roman\nK = 1\n",
    "undefined": b"# coding: undefined\nK = 1\n",
    "nowhere": b"# coding: nowhere\nK = 1\n",
    "utf-8 of another kind": b"# coding: utf-8.x\nK = 1\n",
    "after a form feed": b"\x0c# coding: utf-7\nK = 1\n# +AAo-K = 2\n",
    "after a carriage return": b"# hello\r# coding: utf-7\rK = 1\r# +AAo-K = 2\r",
    "in a second line after a blank one": b"\t \n#coding=unicode_escape\nK = 1\n# \\nK = 2\n",
    "the first of two": b"# coding: utf-7 coding: utf-8\nK = 1\n# +AAo-K = 2\n",
    "after an empty one": b"# coding: , coding: utf-7\nK = 1\n# +AAo-K = 2\n",
}
READ = {
    "none": b"K = 1\nX = '\xc3\xa9'\n",
    "a mark": BOM + b"K = 1\nX = '\xc3\xa9'\n",
    "a mark and utf-8": BOM + b"# coding: utf-8\nK = 1\nX = '\xc3\xa9'\n",
    "a mark and UTF_8": BOM + b"# coding: UTF_8\nK = 1\n",
    **{
        name: f"# coding: {name}\nK = 1\nX = '\u00e9'\n".encode()
        for name in ("utf-8", "utf8", "UTF-8", "UTF_8", "U8", "utf", "utf-8-unix", "utf-8-sig",
                     "utf_8_sig")
    },
    **{
        name: f"# coding: {name}\nK = 1\nX = '\u00e9'\n".encode("latin-1")
        for name in ("latin-1", "latin1", "Latin_1", "L1", "latin", "iso-8859-1", "ISO_8859_1",
                     "iso8859-1", "8859", "cp819", "latin-1-unix", "iso-8859-1-dos",
                     "iso-latin-1-mac")
    },
    **{name: f"# coding: {name}\nK = 1\n".encode() for name in ("ascii", "us-ascii", "646")},
    "not a comment": b"X = 'coding: utf-7'\nK = 1\n# +AAo-K = 2\n",
    "in line 3": b"\n\n# coding: utf-7\nK = 1\n# +AAo-K = 2\n",
    "in line 2 after code": b"X = 1\n# coding: utf-7\nK = 1\n# +AAo-K = 2\n",
    "in line 2 after code, with carriage returns": b"X = 1\r# coding: utf-7\rK = 1\r# +AAo-K = 2\r",
    "in line 3 with carriage returns": b"#\r#\r# coding: utf-7\rK = 1\r# +AAo-K = 2\r",
    "carriage returns": b"# K = 3\rK = 1\rX = 'a'\r",
    "a carriage return in a comment": b"K = 3 # \rK = 1\n",
    "both ends": b"K = 3\r\nK = 1\r\n",
    "a form feed": b"K = 1\n\x0cX = 2\n",
    "a form feed in a comment": b"K = 1 # \x0cK = 2\n",
    "a vertical tab in a comment": b"K = 1 # \x0bK = 2\n",
    "a file separator in a comment": b"K = 1 # \x1cK = 2\n",
    "a line separator in a comment": "K = 1 # \u2028K = 2\n".encode(),
    "a paragraph separator in text": "K = 1\nX = 'a\u2029K = 2'\n".encode(),
    "a next line in a comment": "K = 1 # \u0085K = 2\n".encode(),
    "a next line in latin-1": b"# coding: latin-1\nK = 1 # \x85K = 2\n",
    "tabs": b"if True:\n\tK = 1\n",
    "a name that is normalised": "\u212a = 1\n".encode(),
    "wide digits are none": "K = 1\nX = '\uff12'\n".encode(),
    "from right to left": "K = 1 # \u202e2 = K\n".encode(),
    "no end": b"K = 1",
}  # fmt: skip
REFUSED = {
    "null": b"K = 1\n\x00K = 2\n",
    "null in a comment": b"K = 1 # \x00\n",
    "not ascii": b"# coding: ascii\nK = 1 # \xc3\xa9\n",
    "a mark and latin-1": BOM + b"# coding: latin-1\nK = 1\n",
    "a mark and utf8": BOM + b"# coding: utf8\nK = 1\n",
    "a mark and utf-7": BOM + b"# coding: utf-7\nK = 1\n",
    "two marks": BOM + BOM + b"K = 1\n",
    "a mark in line 2": b"K = 3\n" + BOM + b"K = 1\n",
    "a vertical tab": b"K = 1\n\x0bK = 2\n",
    "a space that breaks none": "\u00a0K = 1\n".encode(),
    "bytes that are no text in text": b"K = 1\nX = '\xff'\n",
    "tabs and spaces": b"if True:\n\tK = 3\n        K = 1\n",
}

#: Python imports these, and does not run them.
UNSURE = {
    "bytes that are no text": b"K = 1 # \xff\n",
    "half a letter": b"K = 1 # \xc3",
    "a surrogate": b"K = 1 # \xed\xa0\x80\n",
    "too long a form": b"K = 1 # \xc0\x8a\n",
}


def written(folder: Path, content: bytes) -> Path:
    path = folder / "encoded_module.py"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_python_reads(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, READ[name])
    known = believed(path)
    assert known is not None and known["K"] == 1
    assert wrongly_believed(path, known) == []


@pytest.mark.parametrize("name", ODD)
def test_other_encodings_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        read_file(written(tmp_path, ODD[name]))
    if b"coding" in ODD[name]:
        assert "UTF-8, ASCII and Latin-1 are read" in str(caught.value)
        assert caught.value.location is not None and "coding" in caught.value.location.text


@pytest.mark.parametrize("name", REFUSED)
def test_what_python_refuses_is_refused(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, REFUSED[name])
    with pytest.raises(RuntimeError):
        imported(path, ["K"])
    with pytest.raises(BadInput):
        read_file(path)


@pytest.mark.parametrize("name", UNSURE)
def test_bytes_that_are_no_text_are_refused_in_comments_too(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="codec can't decode"):
        read_file(written(tmp_path, UNSURE[name]))


def test_some_of_them_hide_code(tmp_path: Path) -> None:
    """The reason for it: what importing gives is another number than the one to be seen."""
    for name in ("unicode_escape", "raw_unicode_escape", "utf-7", "U7 in line 2"):
        assert imported(written(tmp_path, ODD[name]), ["K"]) == {"K": "2"}, name


def test_the_error_says_what_to_do(tmp_path: Path) -> None:
    path = written(tmp_path, ODD["U7 in line 2"])
    found = CliRunner().invoke(main, ["verify", str(path)])
    assert found.exit_code == 3 and "encoded_module.py:2:1" in found.output
    assert "'U7'" in found.output and "save the file as UTF-8" in found.output


@pytest.mark.parametrize("word", ["unicode_escape", "utf-7"])
def test_a_module_next_to_it(word: str, tmp_path: Path) -> None:
    (tmp_path / "level.py").write_bytes(ODD[word])
    path = tmp_path / "encoded_module.py"
    path.write_text("from level import K\n")
    with pytest.raises(BadInput, match=r"level\.py:1:1"):
        read_file(path)


def test_random_first_lines() -> None:
    """Whatever the first lines say, text that is read is the text that Python reads."""
    chance = random.Random(21)
    parts = ["#", " ", "\t", "\f", "\n", "\r", "coding", "coding:", "=", ":", "utf-7", "utf-8",
             "latin-1", "L1", "-x", "_", ".", "unicode_escape", "'a'", ";", "\\\n", "-*-", "\ufeff",
             "ascii"]  # fmt: skip
    read = 0
    for _ in range(2000):
        head = "".join(chance.choices(parts, k=chance.randint(1, 9)))
        content = head.encode() + b"\nK = '\xc3\xa9\\u0041+AAo-'\n"
        try:
            tree = parsed(content, "random.py").tree
        except BadInput:
            continue
        read += 1
        text = _decoded(content, "random.py")
        assert ast.dump(ast.parse(text)) == ast.dump(tree) == ast.dump(ast.parse(content))
    assert read > 200
