"""The reader of core texts: what it reads, and what it refuses."""

from __future__ import annotations

import ast
import textwrap

import pytest

from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.language.steps import (
    Assign,
    Branch,
    Called,
    Draw,
    Head,
    Mechanism,
    Release,
)
from shiftproof.checkers.kernel.language.syntax import expression
from shiftproof.checkers.kernel.language.text import read

HEAD = "@mechanism(DP())\ndef m(x: Count, f: Counts, n: Public[Nat], eps: Epsilon):\n"
CALLEE = "@mechanism(DP())\ndef c(x: Count, eps: Epsilon) -> (int,):\n    ...\n"
RULE = "def rule(x):\n    return abs(x - other(x)) <= 1\n"


def mechanism(body: str, before: str = "") -> Mechanism:
    return read(before + HEAD + textwrap.indent(textwrap.dedent(body), "    "))


def refused(body: str, before: str = "") -> None:
    with pytest.raises(Wrong):
        mechanism(body, before)


class TestReads:
    def test_a_loop_that_counts(self) -> None:
        found = mechanism("for i in range(0, len(f), 1):\n    a = f[i]\nreturn a")
        (head,) = found.loops
        node = found.nodes[head]
        assert (
            isinstance(node, Head)
            and node.counted
            and ast.unparse(node.test) == "i < index(len(f))"
        )
        start = found.nodes[found.start]
        assert isinstance(start, Assign) and start.targets == ("i",) and start.after == head

    def test_a_loop_that_counts_down(self) -> None:
        found = mechanism("s = n - 1\nfor i in range(s, -1, -1):\n    yield i")
        node = found.nodes[found.loops[0]]
        assert isinstance(node, Head) and ast.unparse(node.test) == "i > index(-1)"

    def test_sites_are_counted_in_the_order_of_the_text(self) -> None:
        found = mechanism(
            "if n > 1:\n    a = sample(Laplace(1))\nelse:\n    a = sample(Laplace(2))\nyield a"
        )
        draws = {n.site: ast.unparse(n.arguments[0]) for n in found.nodes if isinstance(n, Draw)}
        assert draws == {0: "1", 1: "2"} and found.sites == 2

    def test_arms_that_only_compute_meet(self) -> None:
        found = mechanism("if n > 1:\n    a = 1\nelse:\n    a = 2\nyield a")
        branch = found.nodes[found.start]
        assert isinstance(branch, Branch) and branch.join is not None
        assert isinstance(found.nodes[branch.join], Release)

    def test_arms_that_release_do_not(self) -> None:
        found = mechanism("if n > 1:\n    yield 1\nelse:\n    a = 2\nreturn")
        branch = found.nodes[found.start]
        assert isinstance(branch, Branch) and branch.join is None

    def test_a_callee_is_its_head(self) -> None:
        found = mechanism("a, = c(x, eps)\nyield a", CALLEE)
        assert found.called["c"].results == ("int",) and not found.whole
        assert isinstance(found.nodes[found.start], Called)

    def test_a_callee_may_have_its_body(self) -> None:
        found = mechanism("a, = c(x, eps)\nyield a", CALLEE.replace("...", "return x"))
        assert isinstance(found.whole["c"].nodes[found.whole["c"].start], Release)

    def test_the_functions_of_the_claim(self) -> None:
        text = RULE + HEAD.replace("DP()", "Related(rule)") + "    yield 1\n"
        assert set(read(text).functions) == {"rule"}

    def test_a_budget(self) -> None:
        text = HEAD.replace("DP()", "DP(), budget=lambda n, eps: n * eps") + "    yield 1\n"
        assert read(text).header.budget is not None


class TestNames:
    @pytest.mark.parametrize(
        "body",
        [
            "x = 1",
            "f = [0] * n",
            "f[0] = 1",
            "f.append(1)",
            "x = sample(Laplace(1))",
            "x, a = 1, 2",
            "x, = c(x, eps)",
            "for x in range(0, n, 1):\n    pass",
        ],
    )
    def test_inputs_are_not_assigned(self, body: str) -> None:
        refused(body, CALLEE)

    @pytest.mark.parametrize(
        "body",
        [
            "len = len(f)",
            "record = 1",
            "Laplace = sample(Laplace(1))",
            "c = 1",
            "m = 1",
            "a = 1\nb = (lambda a: a)(2)",
            "b = (lambda x: x)(2)",
            "b = (lambda len: len)(len(f))",
            "b = (lambda a, a: a)(2, 3)",
            "b = (lambda a=1: a)()",
            "b = (lambda *a: a)()",
            "b = unheard_of",
            "b = unheard_of(1)",
            "b = sample(Cauchy(1))",
        ],
    )
    def test_a_name_has_one_meaning(self, body: str) -> None:
        refused(body, CALLEE)

    @pytest.mark.parametrize("body", ["len = 1", "move = 1", "b = (lambda len: len)(2)"])
    def test_a_word_that_is_not_used_is_free(self, body: str) -> None:
        assert mechanism(body)

    @pytest.mark.parametrize(
        "text",
        [
            HEAD.replace("n:", "record:") + "    yield 1",
            HEAD.replace("def m", "def len") + "    yield 1",
            HEAD.replace("def m", "def c") + "    yield 1",
            HEAD.replace("n: Public[Nat]", "x: Count") + "    yield 1",
            HEAD.replace("n: Public[Nat]", "n") + "    yield 1",
            HEAD.replace("n: Public[Nat]", "n: Public[Nat] = 1").replace("eps: E", "*, eps: E")
            + "    yield 1",
            HEAD.replace("DP()", "DP(), budget=lambda k: k") + "    yield 1",
            HEAD.replace("DP()", "DP(), expect='refuted'") + "    yield 1",
            HEAD.replace("DP()", "DP(), **n") + "    yield 1",
            HEAD.replace("DP()", "Blowfish(rule_2)") + "    yield 1",
            "@other\n" + HEAD + "    yield 1",
        ],
    )
    def test_of_headers(self, text: str) -> None:
        with pytest.raises(Wrong):
            read(CALLEE + text)


class TestLoops:
    @pytest.mark.parametrize(
        ("bound", "body"),
        [
            ("s", "s = s + 1"),
            ("s", "if n > 1:\n        s, t = 1, 2"),
            ("s", "i = 0"),
            ("s", "for s in range(0, 3, 1):\n        pass"),
            ("s", "for i in range(0, 3, 1):\n        pass"),
            ("s", "s, = c(x, eps)"),
            ("s", "s = sample(Laplace(1))"),
            ("len(a)", "a.append(1)"),
            ("len(a)", "a = [0] * 9"),
            ("min(len(f), len(a))", "while n > 1:\n        a.append(1)"),
            ("a[0]", "a[0] = a[0] + 1"),
            ("f[0]", "pass"),
            ("s + 1", "pass"),
            ("min(s, len(f))", "pass"),
            ("(lambda v: v)(s)", "pass"),
        ],
    )
    def test_counter_and_bound_stay(self, bound: str, body: str) -> None:
        refused(f"s = n\na = [0] * 2\nfor i in range(0, {bound}, 1):\n    {body}", CALLEE)

    @pytest.mark.parametrize("step", ["0", "n", "1.0", "True", "-'a'", "-n", "--1"])
    def test_the_step_is_a_number(self, step: str) -> None:
        refused(f"for i in range(0, n, {step}):\n    pass")

    @pytest.mark.parametrize(
        "loop",
        [
            "for i in range(n):\n    pass",
            "for i in f:\n    pass",
            "for i, j in range(0, n, 1):\n    pass",
            "for i in range(0, n, 1):\n    pass\nelse:\n    pass",
            "while n > 1:\n    pass\nelse:\n    pass",
            "break",
            "continue",
        ],
    )
    def test_there_are_no_others(self, loop: str) -> None:
        refused(loop)


class TestStatements:
    @pytest.mark.parametrize(
        "body",
        [
            "import os",
            "def g(y):\n    return y",
            "class C:\n    pass",
            "async def g():\n    pass",
            "a = b = 1",
            "a += 1",
            "a: int = 1",
            "del n",
            "global a",
            "try:\n    pass\nfinally:\n    pass",
            "with n:\n    pass",
            "match n:\n    case 1:\n        pass",
            "yield 1\nassert n > 1",
            "a = 1\n...",
            "'text'",
            "n",
            "print(1)",
            "raise n",
            "yield",
            "a = [b for b in f]",
            "a = (b := 1)",
            "a = f'{n}'",
            "a = n ** 2",
            "a = n & 1",
            "a = ~n",
            "a = await n",
            "a = 1j",
            "a = 1e999",
            "a = b'x'",
            "a = {**n}",
            "a = c(*f)",
            "a, *b = 1, 2",
            "f[0:1]",
            "a, a = 1, 2",
            "a, b = 1",
            "(a, b), d = 1, 2",
            "a.b = 1",
            "() = c(x, eps)",
            "a, = d(x, eps)",
            "a, = c(x=x, eps=eps)",
            "a, = m(x, f, n, eps)",
            "yield from f",
            "yield from m(x, f, n, eps)",
            "a = sample(n)",
            "a = sample(Laplace(scale=1))",
            "a = sample(f.b(1))",
        ],
    )
    def test_others_are_refused(self, body: str) -> None:
        refused(body, CALLEE)

    @pytest.mark.parametrize(
        "before",
        [
            "import os\n",
            "a = 1\n",
            RULE + RULE,
            "def rule(x=1):\n    return x\n",
            "def rule(x: int):\n    return x\n",
            "def rule(x):\n    y = x\n    return y\n",
            "def rule(x):\n    return y\n",
            "def rule(x):\n    return\n",
            CALLEE.replace("    ...", "    import os"),
            CALLEE.replace("    ...", "    a, = m(x, x, x, eps)"),
            CALLEE.replace("    ...", "    x = 1"),
        ],
    )
    def test_what_may_stand_before(self, before: str) -> None:
        refused("yield 1", before)

    @pytest.mark.parametrize("text", ["", "\n", "...", RULE, CALLEE, HEAD + "    yield 1\n" + RULE])
    def test_the_last_is_a_mechanism(self, text: str) -> None:
        with pytest.raises(Wrong):
            read(text)


class TestHostile:
    @pytest.mark.parametrize(
        "e",
        [
            "(" * 100 + "1" + ")" * 100,
            "'))))))'" * 40 + "+" + "[" * 190 + "1" + "]" * 190,
            "-" * 5_000 + "1",
            "not " * 5_000 + "1",
            "1" + " + 1" * 5_000,
            "1" + " if n else 1" * 3_000,
            "lambda: " * 3_000 + "1",
            "n" + "[0]" * 3_000,
            "n" + "()" * 3_000,
            "1" * 10_000,
            "0x" + "f" * 10_000,
            "'" + "a" * 300_000 + "'",
            "'\x00'",
            "\ud800",
            "1 +",
        ],
        ids=range(15),
    )
    def test_expressions(self, e: str) -> None:
        refused(f"a = {e}")
        with pytest.raises(Wrong):
            expression(e)

    def test_blocks_within_blocks(self) -> None:
        deep = "".join("    " * (k + 1) + "if n > 1:\n" for k in range(95))
        found = read(HEAD + deep + "    " * 96 + "yield 1\n")
        assert len(found.nodes) == 97
        chain = "".join(f"    elif n > {k}:\n        yield 1\n" for k in range(2_000))
        with pytest.raises(Wrong):
            read(HEAD + "    if n > 1:\n        pass\n" + chain)

    def test_many_steps(self) -> None:
        refused("a = 1\n" * 5_000)

    def test_many_names(self) -> None:
        names = [f"a{k}" for k in range(10_000)]
        refused(f"{','.join(names)} = {','.join(names[1:])}")
