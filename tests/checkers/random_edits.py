"""Random small changes to a mechanism's syntax tree: wrong names, scales, tests, stops."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable

from tests.checkers.random_alignments import aligned

COMPARISONS = (ast.GtE, ast.Gt, ast.Lt, ast.LtE, ast.Eq, ast.NotEq)
NOISES = ("OneSidedGeometric", "NegativeOneSidedGeometric", "TwoSidedGeometric")
POLICIES = ("visited", "stayed", "all_values", "top", "middle", "bottom")
CONSTANTS = (0, 1, 2, 3)
Edit = Callable[[ast.FunctionDef, random.Random], bool]


def edited(function: str, rng: random.Random, changes: int) -> str:
    """The function after so many changes; one that finds no place is tried again."""
    tree = ast.parse(function)
    (node,) = tree.body
    assert isinstance(node, ast.FunctionDef)
    if rng.random() < 0.3:
        aligned(node, rng)
    for _ in range(changes):
        for _ in range(5):
            if rng.choice(EDITS)(node, rng):
                break
    return ast.unparse(ast.fix_missing_locations(tree))


def _walk(node: ast.FunctionDef) -> list[ast.AST]:
    """Everything below the body; neither parameters nor their kinds."""
    return [below for statement in node.body for below in ast.walk(statement)]


def _blocks(node: ast.FunctionDef) -> list[list[ast.stmt]]:
    """The lists of statements, of which helpers stay as they are."""
    found = [node.body]
    for below in _walk(node):
        if isinstance(below, ast.If | ast.For | ast.While):
            found += [block for block in (below.body, below.orelse) if block]
    return found


def _numbers(node: ast.FunctionDef) -> list[str]:
    """Names that may stand for a number."""
    stored = {n.id for n in _walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    given = {a.arg for a in node.args.args} - {"f", "z", "ts", "eps"}
    return sorted(stored | given)


def _steady(statement: ast.stmt) -> bool:
    """What keeps a ``while`` loop going, and stays: a loop without end tells nothing."""
    return isinstance(statement, ast.AugAssign) and ast.unparse(statement.target) == "i"


def comparison(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Another comparison."""
    found = [n for n in _walk(node) if isinstance(n, ast.Compare)]
    if not found:
        return False
    rng.choice(found).ops[0] = rng.choice(COMPARISONS)()
    return True


def constant(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Another number, or another thing released."""
    found = [n for n in _walk(node) if isinstance(n, ast.Constant)]
    if not found:
        return False
    chosen = rng.choice(found)
    if isinstance(chosen.value, int) and not isinstance(chosen.value, bool):
        chosen.value = rng.choice(CONSTANTS)
    else:
        chosen.value = rng.choice((None, True, False, "above", 1))
    return True


def name(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Another name for a number."""
    names = _numbers(node)
    found = [
        n
        for n in _walk(node)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in names
    ]
    if not found:
        return False
    rng.choice(found).id = rng.choice(names)
    return True


def noise(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Noise of another kind."""
    found = [n for n in _walk(node) if isinstance(n, ast.Name) and n.id in NOISES]
    if not found:
        return False
    rng.choice(found).id = rng.choice(NOISES)
    return True


def scale(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Half or twice the noise."""
    found = [
        n
        for n in _walk(node)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in NOISES
    ]
    if not found:
        return False
    call = rng.choice(found)
    factors = ["2 * ({})", "({}) / 2", "1 / eps"]
    factor = rng.choice([*factors, "c * ({})"] if "c" in _numbers(node) else factors)
    call.args = [ast.parse(factor.format(ast.unparse(call.args[0])), mode="eval").body]
    return True


def drop(node: ast.FunctionDef, rng: random.Random) -> bool:
    """A statement less."""
    block = rng.choice(_blocks(node))
    chosen = rng.choice(block)
    if _steady(chosen) or isinstance(chosen, ast.Assert | ast.FunctionDef | ast.Assign):
        return False  # without an assignment there would be no such name
    block[block.index(chosen)] = ast.Pass()
    return True


def double(node: ast.FunctionDef, rng: random.Random) -> bool:
    """A statement twice, the second time at once or at the end of its block."""
    block = rng.choice(_blocks(node))
    chosen = rng.choice(block)
    if isinstance(chosen, ast.Assert | ast.FunctionDef | ast.Return | ast.For | ast.While):
        return False
    block.insert(rng.choice((block.index(chosen) + 1, len(block))), copy.deepcopy(chosen))
    return True


def swap(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Two neighbouring statements in the other order."""
    block = [s for s in rng.choice(_blocks(node)) if not isinstance(s, ast.Assert)]
    if len(block) < 2:
        return False
    k = rng.randrange(len(block) - 1)
    if isinstance(block[k], ast.Assign | ast.FunctionDef):
        return False  # what it defines would be used before
    for owner in _blocks(node):
        if block[k] in owner:
            a, b = owner.index(block[k]), owner.index(block[k + 1])
            owner[a], owner[b] = owner[b], owner[a]
    return True


def arms(node: ast.FunctionDef, rng: random.Random) -> bool:
    """The arms of an ``if`` exchanged, or what follows it moved into its ``else``."""
    found = [n for n in _walk(node) if isinstance(n, ast.If) and n.orelse]
    if not found:
        return False
    chosen = rng.choice(found)
    chosen.body, chosen.orelse = chosen.orelse, chosen.body
    return True


def hoist(node: ast.FunctionDef, rng: random.Random) -> bool:
    """A statement of a loop moved before it: noise that is drawn once."""
    found = [
        (block, s) for block in _blocks(node) for s in block if isinstance(s, ast.For | ast.While)
    ]
    if not found:
        return False
    block, loop = rng.choice(found)
    moved = loop.body[0]
    if len(loop.body) < 2 or _steady(moved):
        return False
    loop.body.remove(moved)
    block.insert(block.index(loop), moved)
    return True


def wrap(node: ast.FunctionDef, rng: random.Random) -> bool:
    """A number as an argument of something."""
    names = _numbers(node)
    found = [
        n for n in _walk(node) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add | ast.Sub)
    ]
    if not found:
        return False
    chosen = rng.choice(found)
    text, other = ast.unparse(chosen), rng.choice([*names, "1", "0"])
    wrapped = rng.choice(
        (
            f"min({text}, {other})",
            f"max({text}, {other})",
            f"abs({text})",
            f"-({text})",
            f"({text} if {text} >= {other} else {other})",
            f"({text}) + {other}",
            f"({text}) - {other}",
            f"2 * ({text})",
        )
    )
    return _put(chosen, wrapped)


def released(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Another thing released."""
    found = [n for n in _walk(node) if isinstance(n, ast.Yield) and n.value is not None]
    if not found:
        return False
    chosen = rng.choice(found)
    chosen.value = ast.parse(rng.choice([*_numbers(node), "None", "True"]), mode="eval").body
    return True


def index(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Another place of a sequence."""
    found = [n for n in _walk(node) if isinstance(n, ast.Subscript)]
    if not found:
        return False
    chosen = rng.choice(found)
    sequence = ast.unparse(chosen.value)
    place = rng.choice(("0", f"len({sequence}) - 1", "i", "1"))
    chosen.slice = ast.parse(place, mode="eval").body
    return True


def claim(node: ast.FunctionDef, rng: random.Random) -> bool:
    """Another policy, definition or budget."""
    (call,) = node.decorator_list
    assert isinstance(call, ast.Call)
    privacy = call.args[0]
    assert isinstance(privacy, ast.Call)
    if rng.random() < 0.4:
        half = rng.choice(("lambda eps: 2 * eps", "lambda eps: eps / 2", "lambda eps: 3 * eps"))
        call.keywords = [ast.keyword("budget", ast.parse(half, mode="eval").body)]
    elif ast.unparse(privacy.func) == "ADP":
        privacy.args[0] = ast.Name(rng.choice(POLICIES))
    else:
        call.args[0] = ast.parse(
            rng.choice(("DP()", "DP('add-remove')", "ADP(all_values)", "ADP(visited)")), mode="eval"
        ).body
    return True


def _put(old: ast.BinOp, text: str) -> bool:
    """Makes a node the sum of something else and 0, as a node cannot become another kind."""
    old.left, old.op, old.right = ast.parse(text, mode="eval").body, ast.Add(), ast.Constant(0)
    return True


EDITS: tuple[Edit, ...] = (
    comparison, constant, name, name, noise, scale, drop, drop, double, swap, arms, hoist, wrap,
    released, index, claim,
)  # fmt: skip
