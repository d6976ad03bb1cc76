"""How one input may differ, as texts: its value on D′, with conditions, and facts of the pair."""

from __future__ import annotations

from .declared import Declared, number_text

#: A value on D′ with conditions of it, and facts of the pair.
Way = tuple[list[str], list[str]]
#: In which sizes, or squares, of all differences may be said to add up.
NORMS = ("l1", "l2")


def value_at(name: str, kind: Declared) -> tuple[str, str]:
    """A value of an input, and by how much it differs."""
    return (f"{name}[any]", f"move({name})[any]") if kind.array else (name, f"move({name})")


def between(text: str, low: str, high: str) -> list[str]:
    """A text lies between two others."""
    return [f"{text} >= {low}", f"{high} >= {text}"]


def moved(name: str, kind: Declared, low: str, high: str, where: str) -> Way:
    """A difference between bounds: at all places, at one, or falling at one and rising at another.

    A place is an index, a window of answers, or a location that answers belong to; in a window and
    at a location each answer moves on its own, and the two may be one.
    """
    q, move = value_at(name, kind)
    by, width = kind.fields.get("by"), kind.fields.get("width")
    if low == high == "0":
        return [q], []
    if where == "all":
        return [f"{q} - {move}", *between(move, low, high)], []
    told: list[str] = []
    facts: list[str] = []
    for k, bounds in enumerate([("0", high), (low, "0")] if where == "two" else [(low, high)], 1):
        place, amount = f"place{k}({name})", f"move{k if k > 1 else ''}({name})[any]"
        if by:
            here = f"{by}[any] == {place}"
        elif width:
            here = f"{place} <= any and any < {place} + {number_text(width)}"
        else:
            here, amount = f"any == {place}", f"change{k}({name})"
        q += f" - ({amount} if {here} else 0)"
        (told if by or width else facts).extend(between(amount, *bounds))
        facts += [] if by else [f"{place} >= 0"]
    if where == "two" and not by and not width:
        facts.append(f"place1({name}) != place2({name})")
    return [q, *told], facts


def in_norm(name: str, kind: Declared, way: Way) -> Way:
    """Differences whose sizes, or squares, add up to no more than a bound, or its square."""
    (texts, facts), total, (_, move) = way, f"moved_before({name})", value_at(name, kind)
    step, most = f"abs({move})", number_text(kind.fields["sensitivity"])
    if kind.fields["differing"] == "l2":
        step, most = f"{move} * {move}", f"{most} * {most}"
    here, after = f"{total}[any]", f"{total}[any + 1]"
    told = [f"{after} == {here} + {step}", f"{after} >= {here}"]
    told += [f"{here} >= 0", f"{most} >= {after}"]
    return [*texts, *told], [*facts, f"{total}[0] == 0"]
