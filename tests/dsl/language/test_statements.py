"""What a piece of syntax says of itself, and what follows from it for renaming and analyses."""

from fractions import Fraction

from shiftproof.dsl.language.dataflow import forwards, reached
from shiftproof.dsl.language.flow import build_flow, liveness
from shiftproof.dsl.language.statements import Assign, If, Pick, Return, Store, While, assigned_in
from shiftproof.dsl.language.syntax import (
    NOWHERE,
    Cell,
    Comparison,
    Constant,
    Let,
    Name,
    held,
    names_in,
    rebuilt,
)

ONE = Constant(NOWHERE, Fraction(1), "int")


def name(text: str) -> Name:
    return Name(NOWHERE, text)


def test_a_store_keeps_the_other_elements() -> None:
    store = Store(NOWHERE, "cells", name("a"), name("i"))
    assert store.reads() == {"cells", "a", "i"}
    assert [*held(store, "changed")] == ["cells"] and not [*held(store, "bound")]
    assert [*held(store, "expression")] == [name("a"), name("i")]


def test_what_is_left_out_is_not_held() -> None:
    assert not [*held(Pick(NOWHERE, "i", "cells"), "expression")]
    assert [*held(Store(NOWHERE, "cells", ONE, None), "expression")] == [ONE]


def test_names_are_renamed_wherever_they_stand() -> None:
    inner = Let(NOWHERE, ("x",), (name("a"),), Comparison(NOWHERE, "<", name("x"), name("b")))
    assert names_in(inner) == {"a", "b"}
    marked = rebuilt(Store(NOWHERE, "cells", name("a"), None), read=str.upper)
    assert marked == Store(NOWHERE, "CELLS", name("a"), None)
    assert rebuilt(inner, bound=str.upper).names == ("X",)
    assert rebuilt(Cell(NOWHERE, "f", ONE), expression=lambda e: name("i")) == Cell(
        NOWHERE, "f", name("i")
    )


def test_blocks_inside_are_asked_too() -> None:
    store, put = Store(NOWHERE, "cells", ONE, None), Assign(NOWHERE, ("a",), (ONE,))
    branch = If(NOWHERE, name("t"), (store,), ())
    assert assigned_in((While(NOWHERE, name("t"), (branch,), (put,)),)) == {"cells", "a"}


def test_facts_go_round_loops_until_nothing_is_new() -> None:
    # while t: a = b; b = c
    body = (Assign(NOWHERE, ("a",), (name("b"),)), Assign(NOWHERE, ("b",), (name("c"),)))
    flow = build_flow((While(NOWHERE, name("t"), body), Return(NOWHERE, (name("a"),))), NOWHERE)
    assert liveness(flow.nodes)[flow.start] == {"t", "a", "b", "c"}

    def copied(node: object, fact: frozenset[str]) -> frozenset[str]:
        step = getattr(node, "step", None)
        if not isinstance(step, Assign):
            return fact
        tells = bool(step.reads() & fact)
        return fact | {*step.targets} if tells else fact - {*step.targets}

    found = forwards(flow.nodes, flow.start, frozenset("c"), copied, frozenset.union)
    assert found[flow.start] == {"a", "b", "c"}
    left_out = [node for node in flow.nodes if node not in reached(flow.nodes, [flow.start])]
    assert len(left_out) <= 1 and len(found) == len(reached(flow.nodes, [flow.start]))
