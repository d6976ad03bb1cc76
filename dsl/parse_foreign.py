"""What Python has and the language does not: the name of it, and what to write instead."""

from __future__ import annotations

import ast


def foreign_expression(node: ast.expr) -> tuple[str, str]:
    """The words for an expression that the language does not have, and the advice."""
    for kind, words, advice in _EXPRESSIONS:
        if isinstance(node, kind):
            return words, advice
    return f"the construct {type(node).__name__}", "see the language reference"


def foreign_statement(node: ast.stmt) -> tuple[str, str] | None:
    """The same for a statement; ``None`` for one that does nothing."""
    for kind, words, advice in _STATEMENTS:
        if isinstance(node, kind):
            return words, advice
    return None


_EXPRESSIONS: tuple[tuple[type[ast.expr] | tuple[type[ast.expr], ...], str, str], ...] = (
    (
        (ast.List, ast.Tuple, ast.Set, ast.Dict),
        "a collection as a value",
        "use one variable per value",
    ),
    (
        (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
        "a comprehension",
        "write a for loop",
    ),
    (ast.NamedExpr, "an assignment inside an expression", "assign on a line of its own"),
    (ast.Lambda, "a lambda", "define a helper function with def"),
    (
        (ast.Yield, ast.YieldFrom, ast.Await),
        "yield inside an expression",
        "write yield value as a statement",
    ),
    (ast.JoinedStr, "a formatted string", "release the values themselves"),
    (ast.Starred, "a starred expression", "write out the arguments"),
)


_STATEMENTS: tuple[tuple[type[ast.stmt] | tuple[type[ast.stmt], ...], str, str], ...] = (
    (
        ast.Assert,
        "an assert after the first statement",
        "state preconditions first, over public inputs",
    ),
    ((ast.For, ast.While), "else of a loop", "use a flag"),
    (ast.Assign, "a chained assignment", "assign one variable a line"),
    (ast.AnnAssign, "a declaration without a value", "assign a value"),
    (ast.AugAssign, "an assignment to something that is no variable", "use one variable per value"),
    ((ast.Try, ast.Raise), "exceptions", "test for the case before it arises"),
    ((ast.Global, ast.Nonlocal), "outside state", "return or yield what the mechanism says"),
    ((ast.Import, ast.ImportFrom), "an import", "import at the top of the file"),
    (ast.With, "a with block", "leave it out"),
    (ast.Match, "match", "use if and elif"),
    ((ast.ClassDef, ast.AsyncFunctionDef), "this definition", "define it outside"),
    (ast.Delete, "del", "leave it out"),
)


def operator_symbol(op: ast.operator) -> str:
    """An operator as Python writes it."""
    names = {
        "Pow": "**",
        "BitAnd": "&",
        "BitOr": "|",
        "BitXor": "^",
        "LShift": "<<",
        "RShift": ">>",
        "MatMult": "@",
    }
    return names.get(type(op).__name__, type(op).__name__)
