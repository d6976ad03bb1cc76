"""What texts of the kernel are made of: words, and a small part of Python's syntax."""

from __future__ import annotations

import ast
import math

from ..arithmetic import Wrong, spend

#: The longest text, how many brackets within brackets, how many
#: pieces of syntax within each other, and how many bits a number.
LONGEST, MOST_BRACKETS, DEEPEST, LARGEST = 100_000, 60, 160, 4_000
#: The work that a character counts as: syntax takes much room, and is kept.
TEXT_WORK = 100

_WORDS = """
    True False None other count outcome len min max abs int float bool round exp log sqrt log_odds
    index sample argmax top_k ensure range cost place1 place2 change1 change2 value1 move move2
    before after record picked rank picks witness first_outcome asked_and_picked next_to_ask
    to_be_picked gaps moved_by last_picked last_value mechanism constant predictable unless
    beyond given_up
    Laplace Exponential NegativeExponential TwoSidedGeometric OneSidedGeometric
    NegativeOneSidedGeometric Staircase Uniform DiscreteUniform Bernoulli Categorical
    Gaussian DiscreteGaussian
    Epsilon Rho Delta Public Private Nat Vector IntVector Count Counts Histogram
    Annotated Sequence Iterable
    CountingQueries CountingQuery DataSet LocationCounts WindowCounts Queries Query Stream
    IntegerQueries IntegerQuery Value IntegerValue Values IntegerValues
    ADP DP LDP Policy Related OneSidedDP DPrivacy ContextAwareLDP InputDiscriminativeLDP Blowfish
    UtilityOptimizedLDP Group ZCDP
"""
#: What no variable, input or function may be called.
WORDS = frozenset(_WORDS.split())

#: What one record is called in a count, and in a relation the index of any element.
RECORD, INDEX = "record", "any"

#: The syntax that a text may be made of; where each may stand is for its readers to say.
_KNOWN = (
    ast.Module, ast.Expression, ast.FunctionDef, ast.arguments, ast.arg, ast.Lambda,
    ast.Assert, ast.Assign, ast.Expr, ast.Return, ast.If, ast.While, ast.For,
    ast.Break, ast.Continue, ast.Pass, ast.Yield, ast.YieldFrom,
    ast.Constant, ast.Name, ast.Subscript, ast.Call, ast.keyword, ast.Attribute,
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Set,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.Not, ast.And, ast.Or,
    ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In,
    ast.Load, ast.Store,
)  # fmt: skip


def parsed(text: str, mode: str = "eval") -> ast.AST:
    """The syntax of a text, of limited size, if all of it is known.

    Raises:
        Wrong: it has none.
    """
    spend(TEXT_WORK * len(text))
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth > MOST_BRACKETS or len(text) > LONGEST:
            raise Wrong("a text that is too long, or nests too deep")
    try:
        tree = ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Wrong(f"{text[:60]!r} cannot be read") from None
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        for node in level:
            if not isinstance(node, _KNOWN) or (
                isinstance(node, ast.Constant) and not _is_plain(node.value)
            ):
                raise Wrong(f"{text[:60]!r}: {type(node).__name__} is no syntax of the language")
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise Wrong(f"{text[:60]!r} nests too deep")
    return tree


def _is_plain(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return value.bit_length() <= LARGEST
    return value is None or value is ... or isinstance(value, str)


def expression(text: str) -> ast.expr:
    """An expression."""
    tree = parsed(text)
    assert isinstance(tree, ast.Expression)
    return tree.body


def shown(node: ast.AST) -> str:
    """A piece of syntax as a short text."""
    return ast.unparse(node)[:80]


def is_call(e: ast.AST, word: str) -> bool:
    """Whether this calls the word."""
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == word
