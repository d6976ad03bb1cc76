"""The core text of a program says what the program says, in a language that the kernel reads."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, Unsupported
from shiftproof.checkers.kernel import steps, syntax, text
from shiftproof.dsl import noise
from shiftproof.dsl.language import flow as graph
from shiftproof.dsl.language.syntax import Expression
from shiftproof.dsl.language.unparse import Unwritable
from shiftproof.dsl.normalise.core import Core, core_text
from shiftproof.dsl.normalise.core_words import WORDS, expression_text, translated
from shiftproof.dsl.privacy import inputs
from shiftproof.dsl.terms.values import as_python
from tests.checkers.kernel.running import Running, TooLong
from tests.dsl.language import test_differential as native
from tests.dsl.making import Given, body, interpret, made, module_of
from tests.loading import load
from tests.places import PROGRAMS, ROOT
from tests.sampling import every

GALLERY = sorted((ROOT / "src" / "shiftproof" / "mechanisms").glob("[a-z]*.py"))
FILES = [*GALLERY, *sorted(PROGRAMS.rglob("*.py"))]
#: Those that are executed; attacks, and what the guard is tested with, may never end.
EXECUTED = [p for p in FILES if "attacks" not in p.parts and p.stem != "guarded_mechanisms"]
#: Rules that no case can be made of; their mechanisms are refused everywhere.
WITHOUT_A_MEANING = {"by_a_variable", "by_an_assigned_parameter", "by_a_branch", "no_rule"}


@cache
def readable(path: Path) -> dict[str, Mechanism[..., Any]]:
    """The mechanisms of a file that the product can read."""
    found = {}
    try:
        loaded = load(path)
    except BadInput:
        return {}
    for name, mechanism in loaded.items():
        try:
            _ = mechanism.program
        except (BadInput, Unsupported):
            continue
        if name not in WITHOUT_A_MEANING:
            found[name] = mechanism
    return found


def core(source: str, **options: Any) -> Core:
    return core_text(made(source).program, **options)


PAIRS: dict[type, type] = {
    graph.AssignNode: steps.Assign,
    graph.SampleNode: steps.Draw,
    graph.CallNode: steps.Called,
    graph.EnsureNode: steps.Ensure,
    graph.BranchNode: steps.Branch,
    graph.HeadNode: steps.Head,
    graph.ReleaseNode: steps.Release,
    graph.EndNode: steps.End,
}
LISTS = {"MakeList": steps.Make, "Store": steps.Store, "Pick": steps.Pick}


def ways(node: steps.Node) -> tuple[int, ...]:
    match node:
        case steps.Branch(yes=yes, no=no):
            return (yes, no)
        case steps.Head(body=inside, exit=after):
            return (inside, after)
        case steps.End():
            return ()
    return (node.after,)


def expressions_of(node: steps.Node) -> Iterator[ast.expr]:
    """What a step evaluates; the order is that of the product's ``expressions_of``."""
    match node:
        case steps.Assign(values=found) | steps.Release(values=found):
            yield from found
        case steps.Draw(arguments=[ast.List(elts=found)]):
            yield from found
        case steps.Draw(arguments=found):
            yield from found
        case steps.Make(fill=fill, length=length):
            yield from (length,) if fill is None else (fill, length)
        case steps.Store(index=index, value=value):
            yield from (value,) if index is None else (value, index)
        case steps.Pick(count=count) if count is not None:
            yield count
        case steps.Branch(test=test) | steps.Head(test=test) | steps.Ensure(claim=test):
            yield test


def assert_same_graph(flow: graph.Flow, read: steps.Mechanism, found: Core) -> None:
    """Both are the same graph, node by node."""
    assert len(flow.nodes) == len(read.nodes) and flow.start == read.start
    assert len(flow.sites) == read.sites
    for mine, theirs in zip(flow.nodes, read.nodes, strict=True):
        kind = PAIRS.get(type(mine))
        if isinstance(mine, graph.ListNode):
            kind = LISTS[type(mine.step).__name__]
        assert type(theirs) is kind
        assert graph.successors(mine) == ways(theirs)
        if isinstance(mine, graph.SampleNode) and isinstance(theirs, steps.Draw):
            law = mine.step.distribution.__name__
            assert (mine.site, law) == (theirs.site, theirs.law)
        if isinstance(mine, graph.HeadNode) and isinstance(theirs, steps.Head):
            assert mine.counted == theirs.counted
        if isinstance(mine, graph.BranchNode) and isinstance(theirs, steps.Branch):
            # The kernel also joins arms that a ``continue`` ends where they would end anyway.
            assert mine.join is None or mine.join == theirs.join
        if not isinstance(mine, graph.CallNode):
            said = [ast.unparse(e) for e in expressions_of(theirs)]
            assert said == [expression_text(e, found.names) for e in bare(mine)]
        bound = {found.names.get(name, name) for name in graph.writes(mine)}
        assert bound == set(getattr(theirs, "targets", None) or ()) | (
            {theirs.target} if hasattr(theirs, "target") else set()
        )
    heads = [k for k, node in enumerate(flow.nodes) if isinstance(node, graph.HeadNode)]
    heads.sort(key=lambda k: (flow.nodes[k].span.line, flow.nodes[k].span.column, k))  # type: ignore[union-attr]
    assert tuple(heads) == read.loops


def bare(node: graph.Node) -> tuple[Expression, ...]:
    if isinstance(node, graph.SampleNode):
        return node.step.arguments
    return graph.expressions_of(node)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_kernel_reads_the_same_graph(path: Path) -> None:
    for mechanism in readable(path).values():
        program = mechanism.program
        found = core_text(program)
        read = text.read(found.text)
        assert_same_graph(program.flow, read, found)
        assert len(read.header.inputs) == len(program.inputs)
        assert len(read.header.asserts) == len(program.preconditions)
        assert set(found.names.values()).isdisjoint(WORDS)
        assert len(set(found.names.values())) == len(found.names)
        whole = text.read(core_text(program, bodies=True).text)
        assert set(whole.whole) == set(whole.called)
        assert len(read.called) == len(program.calls)


def test_there_are_many() -> None:
    assert sum(len(readable(path)) for path in FILES) > 1200


def same(one: Any, two: Any) -> bool:
    if isinstance(one, float) or isinstance(two, float):
        return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-9)
    return isinstance(one, bool) == isinstance(two, bool) and one == two


def runs_of(
    mechanism: Mechanism[..., Any],
) -> Iterator[tuple[dict[str, Any], list[Any], list[Any]]]:
    """Some inputs, with what the core text releases on them, and what it draws: as Python does."""
    found = core_text(mechanism.program, bodies=True)
    read = text.read(found.text)
    for seed in range(3):
        values = usual_inputs(mechanism, random.Random(seed))
        if values is None:
            return
        given = {found.names.get(name, name): value for name, value in values.items()}
        recorder = native.Recorder(seed)
        try:
            seen = list(Running(read, given, recorder.draw).releases())
        except (TooLong, native.TooLong, BadInput, ArithmeticError, LookupError, TypeError):
            continue  # it does not end, or is not defined; or nobody drew such noise on a grid
        released, draws = natively(mechanism, values, seed)
        if released is None and more_can_fail(mechanism):
            continue
        told = f"{found.text}\n{values}, {draws}: {released} and {seen}"
        assert released is not None and recorder.draws == draws, told
        assert len(released) == len(seen) and all(map(same, released, seen)), told
        yield values, seen, draws


def natively(
    mechanism: Mechanism[..., Any], values: dict[str, Any], seed: int
) -> tuple[tuple[Any, ...] | None, list[Any]]:
    try:
        return native.natively(mechanism, values, seed)
    except (BadInput, AssertionError):  # it may not be called like that
        return None, []


def more_can_fail(mechanism: Mechanism[..., Any]) -> bool:
    """Whether Python also evaluates shifts, or checks what is handed to other mechanisms."""
    program = mechanism.program
    return bool(program.calls) or any(n.step.shift is not None for n in program.flow.sites)


def usual_inputs(mechanism: Mechanism[..., Any], pick: random.Random) -> dict[str, Any] | None:
    try:
        return native.inputs_for(mechanism, pick)
    except (pytest.fail.Exception, TypeError, ValueError, OverflowError):
        return None  # bounds that are parameters, or preconditions that nothing meets


@pytest.mark.parametrize("path", every(1, EXECUTED), ids=lambda path: path.stem)
def test_it_does_the_same(path: Path) -> None:
    found = readable(path)
    ran = sum(1 for mechanism in found.values() for _ in runs_of(mechanism))
    assert not found or ran


#: What says a thing that the language has no words for: helpers that were written out, streams
#: that are indexed; and numbers that the interpreter leaves as they are.
NO_FORM = ("lambda", "count(", "Stream(", "exp(")
#: What the core text has and the language has not.
PRELUDE = """
from math import exp
from collections.abc import Iterable
def index(e):
    return e
"""


@pytest.mark.parametrize("path", every(1, EXECUTED), ids=lambda path: path.stem)
def test_the_product_reads_it_as_the_same(path: Path) -> None:
    for mechanism in readable(path).values():
        found = core_text(mechanism.program, bodies=True)
        told = "".join(line for line in found.lines if "budget=" not in line)
        if any(form in told for form in NO_FORM):
            continue
        again = getattr(module_of(PRELUDE + found.text), text.read(found.text).header.name)
        assert again.program.budget == mechanism.program.budget or found.names
        for values, released, draws in runs_of(mechanism):
            given = {found.names.get(name, name): value for name, value in values.items()}
            try:
                seen = interpret(again.program.inlined, Given(given, draws))
            except Unsupported:
                continue
            if seen.undefined:
                continue
            outputs = [as_python(value) for value in seen.outputs]
            told = f"{found.text}\n{values}, {draws}: {released} and {outputs}"
            assert len(outputs) == len(released) and all(map(same, released, outputs)), told


class TestForms:
    def test_a_for_loop_counts_with_its_hidden_counter(self) -> None:
        found = core(body("for i in range(c, 0, -2):\n    yield T[i]"))
        assert found.lines[2:] == (
            "    stop_2 = index(0)",
            "    for i_1 in range(index(c), stop_2, -2):",
            "        i = i_1",
            "        yield T[i]",
        ) or found.lines[2:] == (
            "    stop_2 = 0",
            "    for i_1 in range(index(c), stop_2, -2):",
            "        i = i_1",
            "        yield T[i]",
        )

    def test_elements_of_two_lists(self) -> None:
        found = core(body("for a, b in zip(f, T):\n    yield b"))
        assert "for index_1 in range(0, min(len(f), len(T)), 1):" in found.text
        assert "a = f[index_1]" in found.text

    def test_words_become_other_names(self) -> None:
        source = body(
            "index = x\nmove = 1\nstop_2 = 1\nfor r in range(c):\n    move = index\nyield move"
        )
        found = core(source)
        assert found.names["index"] == "index_" and found.names["move"] == "move_"
        assert found.names["stop@2"] == "stop_2_"
        text.read(found.text)

    def test_parameters_become_other_names_everywhere(self) -> None:
        source = """
        def close(cost, place):
            return abs(cost - other(cost)) <= 1

        @mechanism(Blowfish(close), budget=lambda move, eps: 2 * move * eps)
        def m(cost: Annotated[int, IntegerValue(low=0, high='i')], place: Private[int],
              i: Public[int], move: Public[Nat], eps: Epsilon):
            assert i >= 1
            return 1
        """
        found = core(source)
        assert "def close(cost_, place):" in found.text
        assert "IntegerValue(low=0, high='i_')" in found.text
        assert "budget=lambda move_, eps: 2 * move_ * eps" in found.text
        assert found.names == {"cost": "cost_", "i": "i_", "move": "move_"}
        text.read(found.text)

    def test_fractions_are_divisions(self) -> None:
        source = """
        from fractions import Fraction
        @mechanism(DP(), budget=lambda eps: Fraction(1, 3) * eps)
        def m(q: Annotated[float, Query(sensitivity=Fraction(-1, -7))], eps: Epsilon):
            return 1
        """
        found = core(source)
        assert "budget=lambda eps: 1 / 3 * eps" in found.text
        assert "sensitivity=1 / 7" in found.text

    def test_helpers_are_written_out(self) -> None:
        source = "def half(v):\n    w = v / 2\n    return w if w > 0 else -w\n" + body(
            "yield half(c)"
        )
        found = core(source)
        assert "(lambda v_1: (lambda w_2: w_2 if w_2 > 0 else -w_2)(v_1 / 2))(c)" in found.text

    def test_heads_and_bodies_of_callees(self) -> None:
        source = """
        @mechanism(DP())
        def one(x: Count, eps: Epsilon):
            assert eps <= 1
            noise = sample(Laplace(1 / eps))
            return x + noise

        @mechanism(DP())
        def several(x: Count, eps: Epsilon):
            yield from one(x, eps)

        @mechanism(DP())
        def m(x: Count, eps: Epsilon):
            (a,) = one(eps=eps, x=x)
            yield a
            yield from several(x, eps)
        """
        heads, whole = (core(source, bodies=b) for b in (False, True))
        assert (
            "def one(x: Count, eps: Epsilon) -> (float,):\n    assert eps <= 1\n    ...\n"
            in heads.text
        )
        assert "def several(x: Count, eps: Epsilon):\n    ...\n" in heads.text
        assert "a, = one(x, eps)" in heads.text.replace("(a,)", "a,")
        assert set(text.read(whole.text).whole) == {"one", "several"}
        assert text.read(heads.text).called["one"].results == ("float",)

    def test_a_name_that_two_mechanisms_have(self) -> None:
        source = """
        def other_file():
            @mechanism(DP())
            def m(x: Count, eps: Epsilon):
                return 1
            return m
        inner = other_file()

        @mechanism(DP())
        def m(x: Count, eps: Epsilon):
            (a,) = inner(x, eps)
            return a
        """
        assert list(text.read(core(source).text).called) == ["m_"]

    def test_alignments_are_left_out(self) -> None:
        found = core(body("noise = sample(Laplace(1 / eps))\nalign(noise, -1)\nyield x + noise"))
        assert "align" not in found.text

    def test_the_words_are_those_of_the_kernel(self) -> None:
        assert syntax.WORDS == WORDS
        kinds = {
            n
            for n, k in vars(inputs).items()
            if isinstance(k, type) and k.__module__ == inputs.__name__
        }
        named = {n for n in kinds if issubclass(getattr(inputs, n), inputs.InputKind)}
        hidden = {"InputKind", "EpsilonInput", "Secret", "SecretInteger", "Secrets"}
        hidden |= {n for n in named if n.startswith("Public")}
        assert named - hidden <= WORDS
        laws = {n for n in noise.__all__ if hasattr(getattr(noise, n), "parameters")}
        assert laws <= WORDS


NAMES = {"i@1": "i_1", "picked@3": "picked_3", "index": "index_"}


class TestTranslation:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("", ""),
            ("?", "?"),
            ("i@1 >= 0", "i_1 >= 0"),
            ("2*(i@1) - i@1", "2 * i_1 - i_1"),
            ("(i@1) + 1", "i_1 + 1"),
            ("constant('before@data[0]')", "before(data)[0]"),
            ("1 >= constant('after@data[12]')", "1 >= after(data)[12]"),
            ("constant('move of x')", "move(x)"),
            ("constant('move of index')", "move(index_)"),
            ("constant('move of f[3]')", "move(f)[3]"),
            ("constant('move of f, other[3]')", "move2(f)[3]"),
            ("place1(f) == other(index)", "place1(f) == other(index_)"),
            ("picked@3[place1(f)]", "picked_3[place1(f)]"),
            ("range(picked@3)", "range(picked_3)"),
            ("len(index)", "len(index_)"),
            ("cost(eps/c) >= outcome(0)", "cost(eps / c) >= outcome(0)"),
            ("picked(witness(1)) > 0", "picked(witness(1)) > 0"),
            ("not (i@1 == place1(f)) or asked_and_picked() >= 1",
             "not i_1 == place1(f) or asked_and_picked() >= 1"),
        ],
    )  # fmt: skip
    def test_texts(self, old: str, new: str) -> None:
        assert translated(old, NAMES) == new

    @pytest.mark.parametrize(
        "old", ["j@7", "(a + b) @ 2", "constant('others of data with x')", "1 +", "x@y@3"]
    )
    def test_what_has_no_name(self, old: str) -> None:
        with pytest.raises(Unwritable):
            translated(old, NAMES)

    def test_shifts(self) -> None:
        program = made(
            body("for i in range(c):\n    n = sample(Laplace(1))\n    align(n, other(f[i]) - f[i])")
        ).program
        found = core_text(program)
        shift = program.flow.sites[0].step.shift
        assert shift is not None
        assert expression_text(shift, found.names) == "other(f[i]) - f[i]"

    def test_a_shift_with_a_helper(self) -> None:
        source = "def half(v):\n    return v / 2\n" + body(
            "n = sample(Laplace(1))\nalign(n, half(other(x)) if 1 in outcome() else outcome(1))"
        )
        program = made(source).program
        shift = program.flow.sites[0].step.shift
        assert shift is not None
        said = expression_text(shift, core_text(program).names)
        assert said == "(lambda v_1: v_1 / 2)(other(x)) if 1 in outcome() else outcome(1)"
        with pytest.raises(Unwritable):
            expression_text(shift, {})


def test_certificates_of_the_gallery_can_be_translated() -> None:
    from shiftproof.checkers.walking.certificate import Certificate, read_certificate
    from shiftproof.checkers.walking.common import AS_WRITTEN
    from shiftproof.dsl.normalise import read_normalised
    from tests.checkers.walking.certificates import FILES as CERTIFICATES
    from tests.checkers.walking.certificates import kind

    proofs = [path for path in CERTIFICATES if kind(path) == "proof"]
    assert len(proofs) > 50
    for path in proofs:
        certificate = read_certificate(path.read_bytes(), Certificate)
        found = core_text(read_normalised(certificate.text).program)
        for part in certificate.parts:
            texts = [s for s in part.shifts if s != AS_WRITTEN]
            texts += [*part.costs, *part.costs.values()]
            for head in part.heads:
                texts += [*head.variables, *head.costs, *head.costs.values(), *head.invariants]
                texts += [t for v in head.variables.values() for t in (v.value, v.other)]
            for said in texts:
                new = translated(said, found.names)
                assert "@" not in new and "constant(" not in new
                if new not in ("", "?"):
                    syntax.expression(new)


def test_a_fraction_that_no_decimal_is() -> None:
    from shiftproof.dsl.language.syntax import NOWHERE, Constant

    assert expression_text(Constant(NOWHERE, Fraction(-1, 3), "float"), {}) == "-(1 / 3)"
    assert expression_text(Constant(NOWHERE, Fraction(-1, 2), "float"), {}) == "-0.5"
    assert expression_text(Constant(NOWHERE, Fraction(7), "float"), {}) == "7.0"
