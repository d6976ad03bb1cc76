"""Lines that speak of what is no more are refused, whoever kept what they say."""

from __future__ import annotations

import pytest

from shiftproof import Unsupported
from shiftproof.libraries.writer import Writer


def writer() -> Writer:
    found = Writer(set())
    for name in ("a", "b"):
        found.say(f"{name} = 0")
        found.versions.start(name)
    return found


def test_a_line_has_plain_names_and_texts_stay_as_they_are() -> None:
    out = writer()
    out.say(f"c = {out.versions.current('a')} + 1 if {out.versions.current('b')} else 'a·1'")
    assert out.lines[-1].text == "c = a + 1 if b else 'a·1'"


def test_what_was_before_a_change_is_not_written() -> None:
    out = writer()
    before = out.versions.current("a")
    out.change("a", f"a = {before} + 1")
    with pytest.raises(Unsupported, match="'a' changes while something that is used later"):
        out.say(f"c = {before}")


def test_a_round_reads_what_rounds_have_left() -> None:
    out = writer()
    before, other = out.versions.current("a"), out.versions.current("b")
    with pytest.raises(Unsupported, match="'a' changes"), out.rounds():
        out.say(f"c = {before} + {other}")
        out.change("a", "a = 1")


def test_what_rounds_leave_alone_may_be_from_before() -> None:
    out = writer()
    before = out.versions.current("b")
    with out.rounds():
        out.say(f"c = {before}")
        out.change("a", f"a = {out.versions.current('a')} + 1")
    out.say(f"d = {before}")
    assert out.versions.current("b") == before


def test_cases_are_apart_and_what_one_changes_is_another_thing_afterwards() -> None:
    out = writer()
    before, other = out.versions.current("a"), out.versions.current("b")
    with out.aside() as yes:
        inside = out.change("a", "a = 1")
        out.say(f"c = {inside}")
    with out.aside() as no:
        out.say(f"c = {before}")
    with out.more(yes):
        out.say(f"d = {inside}")
    out.take("if b:", yes)
    out.take("else:", no)
    out.say(f"e = {other}")
    for late in (before, inside):
        with pytest.raises(Unsupported):
            out.say(f"e = {late}")


def test_a_list_does_not_grow_in_a_loop_that_took_its_length_for_known() -> None:
    out = writer()
    with pytest.raises(Unsupported, match="'a' changes"), out.rounds():
        out.grow("a", "1")
    out = writer()
    out.grow("a", "1")
    with out.rounds():
        out.grow("a", "2")
    assert out.lines[-1].text == "a.append(2)"
