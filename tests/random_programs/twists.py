"""Random changes of a mechanism's syntax tree; many leave a program that may still run."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator

Twist = Callable[["Body"], bool]
NOISE = (
    "Laplace", "Exponential", "NegativeExponential", "TwoSidedGeometric", "OneSidedGeometric",
    "NegativeOneSidedGeometric",
)  # fmt: skip
CLAIMS = (
    "ADP(Policy({1}))", "ADP(Policy({0}))", "ADP(Policy({0, 1}))", "DP()", "DP('add-remove')",
    "LDP()",
    "OneSidedDP(Policy({1}))",
)  # fmt: skip


class Body:
    """A mechanism's tree, with what may be chosen in it."""

    def __init__(self, tree: ast.Module, main: ast.FunctionDef, rng: random.Random) -> None:
        self.tree, self.main, self.rng = tree, main, rng
        self.parameters = {
            a.arg: ast.unparse(a.annotation) if a.annotation else "" for a in main.args.args
        }

    def blocks(self, node: ast.AST | None = None) -> list[list[ast.stmt]]:
        found = []
        for inner in ast.walk(self.main if node is None else node):
            for name in ("body", "orelse"):
                block = getattr(inner, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    found.append(block)
        return found

    def nodes(self) -> Iterator[ast.AST]:
        """What is inside the body."""
        for statement in self.main.body:
            yield from ast.walk(statement)

    def pick(self, options: list[ast.AST]) -> ast.AST | None:
        return self.rng.choice(options) if options else None

    @property
    def public(self) -> list[str]:
        """Public numbers."""
        return [
            n for n, kind in self.parameters.items()
            if kind.startswith("Public[") and "Vector" not in kind
        ]  # fmt: skip

    @property
    def private(self) -> list[str]:
        """Private numbers among the parameters."""
        return [
            n for n, kind in self.parameters.items()
            if not kind.startswith(("Public", "Epsilon")) and "Sequence" not in kind
            and kind not in ("Counts", "Histogram") and "ist[" not in kind and "Iter" not in kind
        ]  # fmt: skip

    @property
    def names(self) -> list[str]:
        """Numbers that the body binds."""
        found = [
            n.id for n in self.nodes()
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id != "_"
        ]  # fmt: skip
        return sorted(set(found) - self.lists)

    @property
    def lists(self) -> set[str]:
        """Lists that the body makes."""
        return {
            ast.unparse(n.targets[0]) for n in self.nodes()
            if isinstance(n, ast.Assign) and ast.unparse(n.value).startswith("[")
        }  # fmt: skip

    @property
    def sequences(self) -> list[str]:
        given = [
            n for n, k in self.parameters.items() if "Sequence" in k or k in ("Counts", "Histogram")
        ]
        return [*given, *sorted(self.lists)]

    def expression(self) -> str:
        """A number of some kind."""
        simple = ["0", "1", "0.0", "1.0", "-1", "100"]
        read = [*self.names, *self.public, *self.private]
        read += [f"{s}[0]" for s in self.sequences]
        name = self.rng.choice(read or simple)
        return self.rng.choice(
            [
                *simple,
                name,
                name,
                name,
                f"{name} + 1",
                f"max({name}, 2)",
                f"min({name}, 1)",
                f"-{name}",
            ]
        )

    def condition(self) -> str:
        read = [*self.private, *self.names, *self.names, *self.public]
        read += [f"{s}[0]" for s in self.sequences]
        if not read:
            return "1 < 2"
        name = self.rng.choice(read)
        operator = self.rng.choice(("<", ">=", "==", ">"))
        return (
            f"{name} {operator} {self.rng.choice(('1', '2', 'T' if 'T' in self.public else '0'))}"
        )

    def insert(self, text: str) -> bool:
        """A statement put anywhere after the preconditions."""
        try:
            new = ast.parse(text).body
        except SyntaxError:
            return False
        block = self.rng.choice(self.blocks())
        first = sum(isinstance(s, ast.Assert | ast.FunctionDef) for s in block)
        at = self.rng.randint(first, len(block))
        if at == len(block) and block and isinstance(block[-1], ast.Return):
            at -= 1
        block[at:at] = new
        return True


def assign_public(b: Body) -> bool:
    """A public parameter is assigned: on one side only, in a branch, anywhere."""
    if not b.public:
        return False
    name = b.rng.choice(b.public)
    put = f"{name} {b.rng.choice(('=', '=', '+='))} {b.expression()}"
    if b.rng.random() < 0.7:
        put = f"if {b.condition()}:\n    {put}"
    return b.insert(put)


def assign_private(b: Body) -> bool:
    """A private number is assigned."""
    if not b.private:
        return False
    name = b.rng.choice(b.private)
    value = b.rng.choice((b.expression(), f"max({name}, 2)", f"min({name}, 1)", "0", "1", "100"))
    put = f"{name} = {value}"
    if b.rng.random() < 0.6:
        put = f"if {b.rng.choice((b.condition(), f'{name} < 2', f'{name} > 0'))}:\n    {put}"
    return b.insert(put)


def assign(b: Body) -> bool:
    """A name is bound once more, in a branch or not: used again, or dead."""
    name = b.rng.choice([*b.names, "unused", *b.public, *b.private])
    put = f"{name} = {b.expression()}"
    if b.rng.random() < 0.5:
        put = f"if {b.condition()}:\n    {put}"
        if b.rng.random() < 0.4:
            put += f"\nelse:\n    {name} = {b.expression()}"
    return b.insert(put)


def remake(b: Body) -> bool:
    """A list is made again, appended to, or written to; also while it is looked through."""
    if not b.lists:
        return False
    name = b.rng.choice(sorted(b.lists))
    e = b.expression()
    put = b.rng.choice(
        (f"{name} = [{e}, 0]", f"{name} = [{e}] * len({name})", f"{name}.append({e})",
         f"{name}[0] = {e}",
         f"{name} = [{e}] * (len({name}) + 1)", f"{name} = [0, 0]", f"{name} = [0.0, 0.0]")
    )  # fmt: skip
    loops = [n for n in b.nodes() if isinstance(n, ast.For) and name in ast.unparse(n.iter)]
    if loops and b.rng.random() < 0.6:
        loop = b.rng.choice(loops)
        loop.body.insert(b.rng.randint(0, len(loop.body)), ast.parse(put).body[0])
        return True
    return b.insert(put)


def release(b: Body) -> bool:
    """Something else, or something more, is released."""
    found = [n for n in b.nodes() if isinstance(n, ast.Yield) and n.value is not None]
    told = [n for n in b.nodes() if isinstance(n, ast.Return) and n.value is not None]
    new = ast.parse(b.expression(), mode="eval").body
    if found and b.rng.random() < 0.5:
        b.rng.choice(found).value = new
        return True
    if found:
        return b.insert(f"yield {b.expression()}")
    if told:
        chosen = b.rng.choice(told)
        value = chosen.value
        assert value is not None
        chosen.value = new if b.rng.random() < 0.3 else ast.Tuple([value, new], ast.Load())
        return True
    return False


def comparison(b: Body) -> bool:
    found = [n for n in b.nodes() if isinstance(n, ast.Compare) and len(n.ops) == 1]
    if not found:
        return False
    node = b.rng.choice(found)
    assert isinstance(node, ast.Compare)
    node.ops = [b.rng.choice((ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq))()]
    return True


def constant(b: Body) -> bool:
    found = [
        n for n in b.nodes()
        if isinstance(n, ast.Constant) and type(n.value) in (int, float)
    ]  # fmt: skip
    if not found:
        return False
    node = b.rng.choice(found)
    assert isinstance(node.value, int | float)
    node.value = b.rng.choice((node.value + 1, 2 * node.value, abs(node.value - 1)))
    return True


def name(b: Body) -> bool:
    """A name is read in place of another one."""
    found = [n for n in b.nodes() if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    found = [n for n in found if n.id in (*b.names, *b.public, *b.private)]
    if not found:
        return False
    b.rng.choice(found).id = b.rng.choice([*b.names, *b.public, *b.private])
    return True


def bound(b: Body) -> bool:
    """A name is bound in place of another one, so that a variable is used again."""
    found = [n for n in b.nodes() if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    if not found:
        return False
    b.rng.choice(found).id = b.rng.choice([*b.names, *b.public, *b.private])
    return True


def noise(b: Body) -> bool:
    found = [n for n in b.nodes() if isinstance(n, ast.Name) and n.id in NOISE]
    if not found:
        return False
    node = b.rng.choice(found)
    node.id = b.rng.choice(NOISE)
    return True


def scale(b: Body) -> bool:
    found = [
        n for n in b.nodes()
        if isinstance(n, ast.Call) and ast.unparse(n.func) in NOISE and n.args
    ]  # fmt: skip
    if not found:
        return False
    node = b.rng.choice(found)
    text = ast.unparse(node.args[0])
    other = b.rng.choice(
        (f"2 * ({text})", f"{text} / 2", *(f"{p} / eps" for p in b.public), "1 / eps", "2 / eps")
    )
    node.args[0] = ast.parse(other, mode="eval").body
    return True


def drop(b: Body) -> bool:
    """A statement is left out."""
    block = b.rng.choice(b.blocks())
    if len(block) < 2:
        return False
    index = b.rng.randrange(len(block))
    if isinstance(block[index], ast.Assert | ast.FunctionDef):
        return False
    del block[index]
    return True


def double(b: Body) -> bool:
    """A statement is there twice."""
    block = b.rng.choice(b.blocks())
    chosen = b.rng.choice(block)
    if isinstance(chosen, ast.Assert | ast.FunctionDef | ast.Return):
        return False
    block.insert(block.index(chosen), ast.parse(ast.unparse(chosen)).body[0])
    return True


def swap(b: Body) -> bool:
    """Two statements in the other order."""
    block = b.rng.choice(b.blocks())
    if len(block) < 2:
        return False
    k = b.rng.randrange(len(block) - 1)
    if isinstance(block[k], ast.Assert | ast.FunctionDef):
        return False
    block[k], block[k + 1] = block[k + 1], block[k]
    return True


def move(b: Body) -> bool:
    """A statement of a loop or branch moved before it, or behind it."""
    found = [
        (block, s) for block in b.blocks() for s in block
        if isinstance(s, ast.For | ast.While | ast.If) and len(s.body) > 1
    ]  # fmt: skip
    if not found:
        return False
    block, outer = b.rng.choice(found)
    moved = outer.body.pop(b.rng.randrange(len(outer.body)))
    block.insert(block.index(outer) + b.rng.randint(0, 1), moved)
    return True


def branch(b: Body) -> bool:
    """A statement happens on a condition only."""
    block = b.rng.choice(b.blocks())
    k = b.rng.randrange(len(block))
    if isinstance(block[k], ast.Assert | ast.FunctionDef):
        return False
    text = f"if {b.condition()}:\n    pass"
    new = ast.parse(text).body[0]
    assert isinstance(new, ast.If)
    new.body = [block[k]]
    block[k] = new
    return True


def leave(b: Body) -> bool:
    """A loop is left, or goes on, on a condition."""
    loops = [n for n in b.nodes() if isinstance(n, ast.For | ast.While)]
    if not loops:
        return False
    loop = b.rng.choice(loops)
    text = f"if {b.condition()}:\n    {b.rng.choice(('break', 'continue'))}"
    loop.body.insert(b.rng.randint(0, len(loop.body)), ast.parse(text).body[0])
    return True


def repeat(b: Body) -> bool:
    """Statements are put into a loop."""
    block = b.rng.choice(b.blocks())
    k = b.rng.randrange(len(block))
    if isinstance(block[k], ast.Assert | ast.FunctionDef | ast.Return):
        return False
    items = b.rng.choice(
        ("range(2)", "range(1)", "range(c)" if "c" in b.public else "range(2)", *b.sequences)
    )
    loop = ast.parse(f"for {b.rng.choice(('i', 'r', *b.names[:1]))} in {items}:\n    pass").body[0]
    assert isinstance(loop, ast.For)
    loop.body = [block[k]]
    block[k] = loop
    return True


def hint(b: Body) -> bool:
    """A draw gets an alignment, which may fit."""
    found = [
        (block, s) for block in b.blocks() for s in block
        if isinstance(s, ast.Assign) and "sample(" in ast.unparse(s.value)
    ]  # fmt: skip
    if not found:
        return False
    block, draw = b.rng.choice(found)
    assert isinstance(draw, ast.Assign)
    k = ast.unparse(draw.targets[0])
    read = b.rng.choice(
        [*b.private, *(f"{s}[0]" for s in b.sequences), *(f"{s}[i]" for s in b.sequences)] or ["0"]
    )
    d = f"{read} - other({read})"
    shift = b.rng.choice(
        (d, d, f"other({read}) - {read}", "0", "1", f"{d} if {b.condition()} else 0", f"1 + {d}",
         "1 if i == outcome() else 0", f"-2 * {k}", f"{d} if {k} > 0 else 0")
    )  # fmt: skip
    if "Bernoulli" in ast.unparse(draw.value):
        shift = b.rng.choice(("False", "True", f"{read} != other({read})", f"{k}"))
    block.insert(block.index(draw) + 1, ast.parse(f"align({k}, {shift})").body[0])
    return True


def claim(b: Body) -> bool:
    """Another definition or budget."""
    (call,) = b.main.decorator_list
    assert isinstance(call, ast.Call)
    if b.rng.random() < 0.3:
        half = b.rng.choice(("lambda eps: 2 * eps", "lambda eps: eps / 2", "lambda eps: 3 * eps"))
        call.keywords = [ast.keyword("budget", ast.parse(half, mode="eval").body)]
        return True
    imports = ast.parse("from shiftproof import ADP, DP, LDP, OneSidedDP, Policy").body
    call.args[0] = ast.parse(b.rng.choice(CLAIMS), mode="eval").body
    b.tree.body[0:0] = imports
    return True


TWISTS: tuple[Twist, ...] = (
    assign_public, assign_public, assign_private, assign_private, assign, assign, remake, remake,
    release, release, comparison, constant, name, name, bound, noise, scale, scale, drop, drop,
    double, swap, move, branch, leave, repeat, hint, hint, claim,
)  # fmt: skip


def twisted(tree: ast.Module, main: ast.FunctionDef, rng: random.Random, count: int) -> bool:
    """Make so many changes; whether any was made."""
    done = 0
    for _ in range(10 * count):
        if done == count:
            break
        done += rng.choice(TWISTS)(Body(tree, main, rng))
    return done > 0
