"""The words and names of the core text, and expressions written in them.

The core text is what certificates say that is proved: a Python module in a language so small that
a kernel reads it alone.  Names that no source can hold (``i@1``) become identifiers there, and so
do names that are words of the language.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from ..language.syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Chosen,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Foretold,
    Label,
    Length,
    Let,
    Name,
    Negation,
    Other,
    Whole,
)
from ..language.unparse import Unwritable
from ..privacy.records import AFTER, BEFORE, RECORD
from ..relations.cases import MOVE

_WORDS = """
    True False None other count outcome len min max abs int float bool round exp log_odds index
    sample argmax top_k ensure range cost place1 place2 change1 change2 value1 move move2 before
    after record picked rank picks witness first_outcome asked_and_picked next_to_ask to_be_picked
    mechanism constant
    Laplace Exponential NegativeExponential TwoSidedGeometric OneSidedGeometric
    NegativeOneSidedGeometric Staircase Uniform DiscreteUniform Bernoulli Categorical
    Epsilon Public Private Nat Vector IntVector Count Counts Histogram Annotated Sequence Iterable
    CountingQueries CountingQuery DataSet LocationCounts WindowCounts Queries Query Stream
    Value IntegerValue Values IntegerValues
    ADP DP LDP Policy Related OneSidedDP DPrivacy ContextAwareLDP InputDiscriminativeLDP Blowfish
    UtilityOptimizedLDP
"""
#: What no variable, parameter or function of a core text may be called.
WORDS = frozenset(_WORDS.split())
#: What the relation of a certificate calls the index of an answer: no parameter has that name.
INDEX = "i"


def identifiers(
    names: Iterable[str], inputs: Collection[str], functions: Iterable[str]
) -> dict[str, str]:
    """New names for those that a core text cannot hold; no two of its names become one.

    Args:
        names: all names of the variables and parameters of the text.
        inputs: the parameters among them.
        functions: the names of the text's functions.
    """
    reserved = {*WORDS, *functions}
    every = set(names) | set(inputs)
    refused = {n for n in every if "@" in n or n in reserved or (n == INDEX and n in inputs)}
    taken = reserved | (every - refused)
    found: dict[str, str] = {}
    for name in sorted(refused):
        base, _, number = name.partition("@")
        new = f"{base}_{number}"
        while new in taken:
            new += "_"
        taken.add(new)
        found[name] = new
    return found


def expression_text(e: Expression, names: Mapping[str, str]) -> str:
    """An expression as the core text writes it.

    Raises:
        Unwritable: it has a hidden name that is none of the text's.
    """
    return ast.unparse(written(e, names))


def written(e: Expression, names: Mapping[str, str]) -> ast.expr:
    """An expression as the syntax of the core text.

    Raises:
        Unwritable: it has a hidden name that is none of the text's.
    """

    def of(part: Expression) -> ast.expr:
        return written(part, names)

    match e:
        case Constant(value=value, kind=kind):
            return number_as(value, kind)
        case BooleanConstant(value=flag):
            return ast.Constant(flag)
        case Label(value=label):
            return ast.Constant(label)
        case Name(name=name) | Whole(array=name):
            return named(name, names)
        case Cell(array=array, index=index):
            return ast.Subscript(named(array, names), of(index), ast.Load())
        case Length(array=array):
            return call("len", named(array, names))
        case Arithmetic(operator="-", left=Constant(value=zero, kind="int"), right=right) if (
            zero == 0
        ):
            return ast.UnaryOp(ast.USub(), of(right))
        case Arithmetic(operator=operator, left=left, right=right):
            return ast.BinOp(of(left), _ARITHMETIC[operator](), of(right))
        case Comparison(operator=operator, left=left, right=right):
            return ast.Compare(of(left), [_COMPARISONS[operator]()], [of(right)])
        case Connective(operator=word, members=members):
            return ast.BoolOp(ast.And() if word == "and" else ast.Or(), list(map(of, members)))
        case Negation(inner=inner):
            return ast.UnaryOp(ast.Not(), of(inner))
        case Conditional(test=test, yes=yes, no=no):
            return ast.IfExp(of(test), of(yes), of(no))
        case Builtin(function="index", arguments=(Length() | Constant(kind="int") as whole,)):
            return of(whole)
        case Builtin(function=function, arguments=arguments):
            return call(function, *map(of, arguments))
        case Let(names=(), body=body):
            return of(body)
        case Let(names=bound, values=values, body=body):
            parameters = [ast.arg(named(n, names).id) for n in bound]
            plain = ast.arguments([], parameters, None, [], [], None, [])
            return ast.Call(ast.Lambda(plain, of(body)), list(map(of, values)), [])
        case Counted(data=data, test=test):
            return call("count", of(test), named(data, names))
        case Other(inner=inner):
            return call("other", of(inner))
        case Foretold(which=which):
            return call("outcome", *([ast.Constant(which)] if which else []))
        case Chosen(item=item):
            return ast.Compare(of(item), [ast.In()], [call("outcome")])
    raise AssertionError(e)


_ARITHMETIC: dict[str, type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod,
}  # fmt: skip
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE, "==": ast.Eq, "!=": ast.NotEq,
    "is": ast.Is, "is not": ast.IsNot,
}  # fmt: skip


def named(name: str, names: Mapping[str, str]) -> ast.Name:
    """A name as the core text has it.

    Raises:
        Unwritable: it is a hidden name that is none of the text's.
    """
    found = names.get(name, name)
    if is_record(found):
        found = "record"
    if "@" in found:
        raise Unwritable(f"{name} has no name in the core text")
    return ast.Name(found, ast.Load())


def is_record(name: str) -> bool:
    """Whether this is the name of one record of a data set, and no hidden variable's."""
    return name.startswith(RECORD) and not name.removeprefix(RECORD).isdecimal()


def call(word: str, *arguments: ast.expr) -> ast.Call:
    """A call of a word."""
    return ast.Call(ast.Name(word, ast.Load()), list(arguments), [])


def number_as(value: Fraction, kind: str) -> ast.expr:
    """A number; of kind ``float`` as the decimal number that it is, or as a fraction."""
    if value < 0:
        return ast.UnaryOp(ast.USub(), number_as(-value, kind))
    if kind == "int" and value.denominator == 1:
        return ast.Constant(value.numerator)
    try:
        decimal = float(value)
    except OverflowError:
        decimal = 0.0
    if Fraction(repr(decimal)) == value:
        return ast.Constant(decimal)
    return quotient(value)


def quotient(value: Fraction) -> ast.expr:
    """A fraction as the division that it is."""
    above = ast.Constant(abs(value.numerator))
    signed = above if value >= 0 else ast.UnaryOp(ast.USub(), above)
    return ast.BinOp(signed, ast.Div(), ast.Constant(value.denominator))


# What certificates of version 1 say, in the names of the core text.


def translated(text: str, names: Mapping[str, str]) -> str:
    """A term, condition or variable of a certificate of version 1 as one of version 2.

    ``i@1`` becomes ``i_1``, ``constant('move of x')`` becomes ``move(x)``.  What is no
    expression (an empty text, ``?``) stays as it is.

    Raises:
        Unwritable: it names something that the core text has no name for.
    """
    if text in ("", "?"):
        return text
    try:
        return ast.unparse(_Translation(names).visit(ast.parse(text, mode="eval").body))
    except SyntaxError:
        raise Unwritable(f"{text[:80]!r} cannot be read") from None


class _Translation(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return named(node.id, self._names)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """``i@1``; ``a@1[i]`` is what Python takes for ``a @ (1[i])``."""
        match node:
            case ast.BinOp(left=ast.Name(id=base), op=ast.MatMult(), right=right):
                place = right.slice if isinstance(right, ast.Subscript) else None
                number = right.value if isinstance(right, ast.Subscript) else right
                hidden = named(f"{base}@{ast.unparse(number)}", self._names)
                if place is None:
                    return hidden
                return ast.Subscript(hidden, self.visit(place), ast.Load())
            case ast.BinOp(op=ast.MatMult()):
                raise Unwritable(f"'{ast.unparse(node)}' is no name")
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="constant"), args=[ast.Constant(value=str() as key)]):
                return self._constant(key)
        node.args = [self.visit(a) for a in node.args]
        return node

    def _constant(self, key: str) -> ast.expr:
        """An unknown constant: ``before@data[0]``, ``move of x``; ``move of f, other[i]``."""
        word, rest = "", key
        for prefix, short in ((MOVE, "move"), (BEFORE, "before"), (AFTER, "after")):
            if key.startswith(prefix):
                word, rest = short, key.removeprefix(prefix)
        if word == "move" and ", other" in rest:
            word, rest = "move2", rest.replace(", other", "", 1)
        match ast.parse(rest, mode="eval").body:
            case ast.Name() as name if word:
                return call(word, self.visit_Name(name))
            case ast.Subscript(value=ast.Name() as name, slice=place) if word:
                of_name = call(word, self.visit_Name(name))
                return ast.Subscript(of_name, self.visit(place), ast.Load())
        raise Unwritable(f"the constant {key!r} has no name in the core text")
