"""The core text of a program says what the program says, in a language that the kernel reads."""

from __future__ import annotations

import ast
import copy
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shiftproof import INFER, BadInput, Mechanism, Unsupported
from shiftproof.checkers.kernel import arithmetic
from shiftproof.checkers.kernel.language import steps, syntax, text
from shiftproof.dsl import noise
from shiftproof.dsl.language import flow as graph
from shiftproof.dsl.language.dataflow import successors
from shiftproof.dsl.language.syntax import Expression
from shiftproof.dsl.language.unparse import exact_text, identifier
from shiftproof.dsl.normalise import core_text, read_normalised
from shiftproof.dsl.privacy import inputs
from shiftproof.dsl.terms.values import as_python
from tests.checkers.kernel.running import Running, TooLong
from tests.checkers.walking.certificates import FILES as PROOFS
from tests.checkers.walking.certificates import content, kind, program_of
from tests.dsl.language import test_differential as native
from tests.dsl.making import Given, body, interpret, made, module_of
from tests.loading import load
from tests.places import PROGRAMS, ROOT
from tests.sampling import every

CERTIFICATES = [path for path in PROOFS if kind(path) == "proof"]
GALLERY = sorted((ROOT / "src" / "shiftproof" / "mechanisms").glob("[a-z]*.py"))
FILES = [*GALLERY, *sorted(PROGRAMS.rglob("*.py"))]
#: Those that are executed; attacks, and what the guard is tested with, may never end.
EXECUTED = [p for p in FILES if "attacks" not in p.parts and p.stem != "guarded_mechanisms"]
#: Rules that no case can be made of; their mechanisms are refused everywhere.
WITHOUT_A_MEANING = {"by_a_variable", "by_an_assigned_parameter", "by_a_branch", "no_rule"}


@pytest.fixture(autouse=True)
def _as_much_work_as_a_certificate_has() -> None:
    arithmetic.start_work()


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
        if name not in WITHOUT_A_MEANING and mechanism.budget is not INFER:
            found[name] = mechanism
    return found


def core(source: str, **options: Any) -> str:
    return "\n".join(core_text(made(source).program, **options))


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
        case steps.Store(place=place, value=value):
            yield from (value,) if place is None else (value, place)
        case steps.Pick(size=size) if size is not None:
            yield size
        case steps.Branch(test=test) | steps.Head(test=test) | steps.Ensure(claim=test):
            yield test


def assert_same_graph(flow: graph.Flow, read: steps.Mechanism) -> None:
    """Both are the same graph, node by node."""
    assert len(flow.nodes) == len(read.nodes) and flow.start == read.start
    assert len(flow.sites) == read.sites
    for mine, theirs in zip(flow.nodes, read.nodes, strict=True):
        kind = PAIRS.get(type(mine))
        if isinstance(mine, graph.ListNode):
            kind = LISTS[type(mine.step).__name__]
        assert type(theirs) is kind
        assert successors(mine) == ways(theirs)
        if isinstance(mine, graph.SampleNode) and isinstance(theirs, steps.Draw):
            law = mine.step.distribution.__name__
            assert (mine.site, law) == (theirs.site, theirs.law)
        if isinstance(mine, graph.HeadNode) and isinstance(theirs, steps.Head):
            assert mine.counted == theirs.counted
        if isinstance(mine, graph.BranchNode) and isinstance(theirs, steps.Branch):
            # The kernel also joins arms that a ``continue`` ends where they would end anyway.
            assert mine.join is None or mine.join == theirs.join
        if not isinstance(mine, graph.CallNode):
            said = [plain_of(e) for e in expressions_of(theirs)]
            assert said == [plain(e) for e in bare(mine)]
        bound = {identifier(name) for name in graph.writes(mine)}
        assert bound == set(getattr(theirs, "targets", None) or ()) | (
            {theirs.target} if hasattr(theirs, "target") else set()
        )
    heads = [k for k, node in enumerate(flow.nodes) if isinstance(node, graph.HeadNode)]
    heads.sort(key=lambda k: (flow.nodes[k].span.line, flow.nodes[k].span.column, k))  # type: ignore[union-attr]
    assert tuple(heads) == read.loops


class WithoutIndex(ast.NodeTransformer):
    """The kernel says ``index(e)`` of each bound of a range: there Python takes nothing else."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[0] if syntax.is_call(node, "index") else node


def plain_of(e: ast.expr) -> str:
    return ast.unparse(WithoutIndex().visit(copy.deepcopy(e)))


def plain(e: Expression) -> str:
    """An expression of the language as core text."""
    return plain_of(ast.parse(exact_text(e), mode="eval").body)


def bare(node: graph.Node) -> tuple[Expression, ...]:
    if isinstance(node, graph.SampleNode):
        return node.step.arguments
    return graph.expressions_of(node)


@pytest.mark.parametrize("path", every(3, FILES), ids=lambda path: path.stem)
def test_the_kernel_reads_the_same_graph(path: Path) -> None:
    for mechanism in readable(path).values():
        program = mechanism.program
        read = text.read("\n".join(core_text(program)))
        assert_same_graph(program.flow, read)
        assert len(read.header.inputs) == len(program.inputs)
        assert len(read.header.asserts) == len(program.preconditions)
        whole = text.read("\n".join(core_text(program, bodies=True)))
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
) -> Iterator[tuple[dict[str, Any], tuple[Any, ...], list[Any]]]:
    """Some inputs, with what Python releases on them, and its draws."""
    if mechanism.program.name.endswith("_endless"):
        return
    for seed in range(4):
        values = usual_inputs(mechanism, random.Random(seed))
        if values is None:
            return
        try:
            released, draws = native.natively(mechanism, values, seed)
        except (native.TooLong, TypeError, BadInput, AssertionError, IndexError):
            continue  # noise that the recorder knows no grid for, or a float where an int belongs
        if released is not None:
            yield values, released, draws


def usual_inputs(mechanism: Mechanism[..., Any], pick: random.Random) -> dict[str, Any] | None:
    try:
        return native.inputs_for(mechanism, pick)
    except (pytest.fail.Exception, TypeError, ValueError, OverflowError):
        return None  # bounds that are parameters, or preconditions that nothing meets


def replayed(
    read: steps.Mechanism, values: dict[str, Any], draws: list[Any]
) -> tuple[list[Any], list[Any]] | None:
    """What comes out in the kernel's graph, and the draws that are left."""
    left = list(draws)
    try:
        return list(Running(read, values, lambda law: left.pop(0)).releases()), left
    except TooLong:
        return None


@pytest.mark.parametrize("path", every(6, EXECUTED), ids=lambda path: path.stem)
def test_it_does_the_same(path: Path) -> None:
    for mechanism in readable(path).values():
        found = "\n".join(core_text(mechanism.program, bodies=True))
        read = text.read(found)
        for values, released, draws in runs_of(mechanism):
            ran = replayed(read, values, draws)
            if ran is None:
                continue
            seen, left = ran
            told = f"{found}\n{values}, {draws}: {released} and {seen}"
            assert not left and len(seen) == len(released), told
            assert all(map(same, released, seen)), told


#: What the core text has and the language has not.
PRELUDE = """
from math import exp, log, sqrt
from collections.abc import Iterable
def index(e):
    return e
"""


@pytest.mark.parametrize("path", every(6, EXECUTED), ids=lambda path: path.stem)
def test_the_product_reads_it_as_the_same(path: Path) -> None:
    for mechanism in readable(path).values():
        found = "\n".join(core_text(mechanism.program, bodies=True))
        own = {n.func.id for n in ast.walk(ast.parse(found)) if syntax.is_call(n, "count")}  # type: ignore[attr-defined]
        if mechanism.program.calls:
            continue  # what the interpreter of tests knows nothing of
        if "lambda" in "".join(line for line in found.split("\n") if "budget=" not in line) or own:
            continue  # helpers that were written out have no form in the language
        if "Iterable" in found:
            continue  # the language does not look into a stream
        again = getattr(
            module_of(PRELUDE + found.replace("·", "_of_loop_")), text.read(found).header.name
        )
        assert again.program.budget == mechanism.program.budget
        for values, released, draws in runs_of(mechanism):
            try:
                seen = interpret(again.program, Given(values, draws))
            except Unsupported:
                continue
            if seen.undefined:
                continue
            try:
                outputs = [as_python(value) for value in seen.outputs]
            except AssertionError:
                continue  # a power of e, which has no exact value
            told = f"{found}\n{values}, {draws}: {released} and {outputs}"
            assert len(outputs) == len(released) and all(map(same, released, outputs)), told


class TestForms:
    def test_a_for_loop_counts_with_its_hidden_counter(self) -> None:
        found = core(body("for i in range(c, 0, -2):\n    yield T[i]")).split("\n")
        assert found[2:] == [
            "    stop·2 = 0",
            "    for i·1 in range(index(c), stop·2, -2):",
            "        i = i·1",
            "        yield T[i]",
        ]

    def test_elements_of_two_lists(self) -> None:
        found = core(body("for a, b in zip(f, T):\n    yield b"))
        assert "for index·1 in range(0, min(len(f), len(T)), 1):" in found
        assert "a = f[index·1]" in found

    @pytest.mark.xfail(strict=True, reason="a variable 'index' clashes with the word in range(c)")
    def test_names_are_kept_but_for_the_mark(self) -> None:
        source = body(
            "index = x\nmove = 1\nstop_2 = 1\nfor r in range(c):\n    move = index\nyield move"
        )
        found = core(source)
        assert "index = x" in found and "move = index" in found and "stop_2 = 1" in found
        assert "@" not in found.replace("@mechanism", "") and "r = r·" in found
        text.read(found)

    def test_parameters_keep_their_names(self) -> None:
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
        assert "def close(cost, place):" in found
        assert "IntegerValue(low=0, high='i')" in found
        assert "budget=lambda move, eps: 2 * move * eps" in found
        text.read(found)

    def test_fractions_are_divisions(self) -> None:
        source = """
        from fractions import Fraction
        @mechanism(DP(), budget=lambda eps: Fraction(1, 3) * eps)
        def m(q: Annotated[float, Query(sensitivity=Fraction(-1, -7))], eps: Epsilon):
            return 1
        """
        found = core(source)
        assert "budget=lambda eps: 1 / 3 * eps" in found
        assert "sensitivity=1 / 7" in found

    def test_helpers_are_written_out(self) -> None:
        source = "def half(v):\n    w = v / 2\n    return w if w > 0 else -w\n" + body(
            "yield half(c)"
        )
        found = core(source)
        assert "(lambda v·1: (lambda w·2: w·2 if w·2 > 0 else -w·2)(v·1 / 2))(c)" in found

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
            "def one(x: Count, eps: Epsilon) -> (float,):\n    assert eps <= 1\n    ...\n" in heads
        )
        assert "def several(x: Count, eps: Epsilon):\n    ...\n" in heads
        assert "a, = one(x, eps)" in heads.replace("(a,)", "a,")
        assert set(text.read(whole).whole) == {"one", "several"}
        assert text.read(heads).called["one"].results == ("float",)

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
        assert list(text.read(core(source)).called) == ["m_"]

    def test_alignments_are_left_out(self) -> None:
        found = core(body("noise = sample(Laplace(1 / eps))\nalign(noise, -1)\nyield x + noise"))
        assert "align" not in found

    def test_kinds_and_laws_are_words_of_the_kernel(self) -> None:
        words = syntax.WORDS
        kinds = {
            n
            for n, k in vars(inputs).items()
            if isinstance(k, type) and k.__module__ == inputs.__name__
        }
        named = {n for n in kinds if issubclass(getattr(inputs, n), inputs.InputKind)}
        hidden = {
            "InputKind",
            "EpsilonInput",
            "RhoInput",
            "DeltaInput",
            "Secret",
            "SecretInteger",
            "Secrets",
        }
        hidden |= {n for n in named if n.startswith("Public")}
        assert named - hidden <= words
        laws = {n for n in noise.__all__ if hasattr(getattr(noise, n), "parameters")}
        tabled = {n for n in laws if getattr(noise, n).tabled}
        assert tabled <= words and not (laws - tabled) & words


class TestCertificates:
    """Texts of certificates are texts of the kernel: nothing stands between."""

    @pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
    def test_all_texts_can_be_read(self, path: Path) -> None:
        certificate = content(path)
        assert certificate["core"] == list(
            core_text(
                read_normalised(program_of(certificate)).program,
                bodies="enumeration" in certificate,
            )
        )
        texts = []
        for part in certificate["parts"]:
            texts += [*part.get("shifts", ())]
            texts += [t for pair in part.get("costs", {}).items() for t in pair]
            for head in part.get("heads", ()):
                texts += [*head.get("variables", ()), *head.get("invariants", ())]
                texts += [t for pair in head.get("costs", {}).items() for t in pair]
                for v in head.get("variables", {}).values():
                    texts += [v.get("value", ""), v.get("other", "")]
        for said in texts:
            assert "@" not in said and "constant(" not in said
            if said not in ("", "?"):
                syntax.expression(said)


def test_a_fraction_that_no_decimal_is() -> None:
    from shiftproof.dsl.language.syntax import NOWHERE, Constant

    assert plain(Constant(NOWHERE, Fraction(-1, 3), "float")) == "-1 / 3"
    assert plain(Constant(NOWHERE, Fraction(-1, 2), "float")) == "-0.5"
    assert plain(Constant(NOWHERE, Fraction(7), "float")) == "7.0"
