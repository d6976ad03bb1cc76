"""What a mechanism declares: its privacy definition, and the kinds of its inputs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

from ..arithmetic import Wrong
from ..language.steps import Header, Mechanism
from ..language.syntax import shown


class Declared(NamedTuple):
    """A parameter as it is declared: the word is what is known of a public one, or what it is."""

    public: bool
    word: str
    array: bool
    whole: bool
    fields: Mapping[str, Any] = {}


class Claimed(NamedTuple):
    """A privacy definition; ``policy``: the sensitive values, and all values."""

    word: str
    policy: tuple[frozenset[Fraction], frozenset[Fraction]] | None = None
    adding: bool = False
    function: ast.FunctionDef | None = None


ONES = {"counted": frozenset({Fraction(1)}), "one_hot": False}
#: The kinds: whether public, what they are, whether sequences, and whole.
_KINDS = {
    "Epsilon": Declared(True, "> 0", False, False),
    "Rho": Declared(True, "> 0", False, False),
    "Delta": Declared(True, "> 0", False, False, {"below": "1"}),
    "Public[float]": Declared(True, "", False, False),
    "Public[int]": Declared(True, "", False, True),
    "Public[Nat]": Declared(True, ">= 0", False, True),
    "Public[Vector]": Declared(True, "", True, False),
    "Public[IntVector]": Declared(True, "", True, True),
    "Private[float]": Declared(False, "secret", False, False),
    "Private[int]": Declared(False, "secret", False, True),
    "Private[Sequence[float]]": Declared(False, "secret", True, False),
    "Count": Declared(False, "counts", False, True, ONES),
    "Counts": Declared(False, "counts", True, True, ONES),
    "Histogram": Declared(False, "counts", True, True, {**ONES, "one_hot": True}),
}
_WITH_FIELDS = {
    "CountingQuery": (Declared(False, "counts", False, True), "counted one_hot"),
    "CountingQueries": (Declared(False, "counts", True, True), "counted one_hot"),
    "LocationCounts": (Declared(False, "counts", True, True), "counted one_hot by"),
    "WindowCounts": (Declared(False, "windows", True, True), "width"),
    "Query": (Declared(False, "answers", False, False), "sensitivity direction differing"),
    "Queries": (Declared(False, "answers", True, False), "sensitivity direction differing"),
    "IntegerQuery": (Declared(False, "answers", False, True), "sensitivity direction differing"),
    "IntegerQueries": (Declared(False, "answers", True, True), "sensitivity direction differing"),
    "Stream": (Declared(False, "answers", True, False), "sensitivity direction differing"),
    "Value": (Declared(False, "value", False, False), "low high"),
    "IntegerValue": (Declared(False, "value", False, True), "low high"),
    "Values": (Declared(False, "value", True, False), "low high"),
    "IntegerValues": (Declared(False, "value", True, True), "low high"),
    "DataSet": (Declared(False, "records", False, False), "attributes"),
}
#: Definitions with a function of pairs of values, and all that are about values of one user.
OF_PAIRS = ("Blowfish", "DPrivacy", "ContextAwareLDP", "InputDiscriminativeLDP")
LOCAL = ("LDP", *OF_PAIRS)
_CLAIMS = {
    "DP()": Claimed("DP"),
    "DP('replacement')": Claimed("DP"),
    "DP('add-remove')": Claimed("DP", adding=True),
    "LDP()": Claimed("LDP"),
}
#: What functions of a claim may call, and how many attributes a record may have.
_MOST_ATTRIBUTES = 1_000


@contextmanager
def readable() -> Iterator[None]:
    """What Python raises of a declaration that the library would not write is ``Wrong``."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Wrong(f"the claim or an input cannot be read: {error}") from None
    except RecursionError:
        raise Wrong("the claim nests too deep") from None


def declared_inputs(header: Header) -> dict[str, Declared]:
    """The parameters; what one of them names is another one that fits."""
    with readable():
        inputs = {name: _input(e) for name, e in header.inputs.items()}
        for name, kind in inputs.items():
            for field, told in kind.fields.items():
                if field in ("direction", "differing", "below") or not isinstance(told, str):
                    continue
                named, by = inputs[told], field == "by"
                whole = by or field == "width"
                if not named.public or named.array != by or (whole and not named.whole):
                    raise Wrong(f"{name}: its {field} {told!r} is no public parameter that fits")
            if not 1 <= kind.fields.get("attributes", 1) <= _MOST_ATTRIBUTES:
                raise Wrong(f"{name}: records have 1 to {_MOST_ATTRIBUTES} attributes")
    return inputs


def output_rules(header: Header) -> tuple[str, ...]:
    """Where some outputs are protected: what says so of values, and of outputs; else nothing."""
    match header.privacy:
        case ast.Call(func=ast.Name(id="UtilityOptimizedLDP"), args=[_, _] as rules, keywords=[]):
            return tuple(map(ast.unparse, rules))
    return ()


def _input(e: ast.expr) -> Declared:
    match e:
        case ast.Subscript(
            value=ast.Name(id="Annotated"),
            slice=ast.Tuple(elts=[of, ast.Call(func=kind, args=[], keywords=given)]),
        ):
            found, fields = _WITH_FIELDS[ast.unparse(kind)]
            fits = not found.whole or ast.unparse(of) == ("Sequence[int]" if found.array else "int")
            if fits and [k.arg for k in given] == fields.split():
                return found._replace(fields={k.arg or "": _value(k.value) for k in given})
    return _KINDS[ast.unparse(e)]


def _value(e: ast.expr) -> Any:
    """A constant: numbers as exact fractions."""
    match e:
        case ast.Constant(value=bool() | str() as value):
            return value
        case ast.Constant(value=int() | float() as value):
            return Fraction(repr(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=top, op=ast.Div(), right=below):
            return Fraction(_value(top), _value(below))
        case ast.Set(elts=members) | ast.Tuple(elts=[] as members):
            values = frozenset(map(_value, members))
            if all(v.denominator == 1 for v in values):
                return values
    raise Wrong(f"{shown(e)!r} is no constant")


def number_text(value: Fraction | str) -> str:
    """A number, or the name of a parameter."""
    if isinstance(value, str) or value.denominator == 1:
        return str(value)
    return f"({value.numerator} / {value.denominator})"


def steps(header: Header) -> int:
    """Of how many steps a chain from D to D′ has at most: one, but for ``Group``."""
    match header.privacy:
        case ast.Call(
            func=ast.Name(id="Group"), args=[_, ast.Constant(value=int() as most)], keywords=[]
        ) if type(most) is int and most >= 1:
            return most
        case ast.Call(func=ast.Name(id="Group")):
            raise Wrong("the size of a group is a whole number from 1 on")
    return 1


def is_zcdp(header: Header) -> bool:
    """Whether the budget is ρ of zero-concentrated differential privacy, and not ε."""
    return "zcdp" in _relaxed(header.privacy)[1]


def declared_delta(header: Header) -> ast.expr | None:
    """The δ that is claimed beside ε, as it is declared."""
    return _relaxed(header.privacy)[1].get("delta")


def neighbours_of(header: Header) -> str:
    """What is said of neighbours, whatever is claimed of them: calls are of the same."""
    return ast.unparse(_relaxed(header.privacy)[0])


def is_symmetric(header: Header) -> bool:
    """Whether D′ and D are neighbours wherever D and D′ are, by the definition itself."""
    match _relaxed(header.privacy)[0]:
        case ast.Call(func=ast.Name(id="DP" | "LDP" | "Blowfish")):
            return True
    return False


def _relaxed(e: ast.expr) -> tuple[ast.expr, dict[str, ast.expr]]:
    """A definition of ε with the same neighbours, and the options by which it is another one."""
    match e:
        case ast.Call(func=ast.Name(id="ZCDP"), args=said, keywords=[]):
            return ast.Call(ast.Name("DP"), said, []), {"zcdp": ast.Constant(True)}
        case ast.Call(
            func=ast.Name(id="DP" | "ADP" | "OneSidedDP" | "LDP" | "Blowfish" | "Related"),
            keywords=[
                ast.keyword(arg="zcdp", value=ast.Constant(value=True) as value)
                | ast.keyword(arg="delta", value=value)
            ] as options,
        ):
            return ast.Call(e.func, e.args, []), {str(options[0].arg): value}
    return e, {}


def claimed(mechanism: Mechanism) -> Claimed:
    """The privacy definition that the decorator names; of ``Group`` that of one step."""
    e, _ = _relaxed(mechanism.header.privacy)
    match e:
        case ast.Call(func=ast.Name(id="Group"), args=[inner, *_]) if steps(mechanism.header):
            return {word: one for word, one in _CLAIMS.items() if one.word == "DP"}[
                ast.unparse(inner)
            ]
        case ast.Call() if ast.unparse(e) in _CLAIMS:
            return _CLAIMS[ast.unparse(e)]
        case _ if output_rules(mechanism.header):
            return Claimed("LDP")
        case ast.Call(func=ast.Name(id=word), args=[ast.Name(id=function)], keywords=[]) if (
            word in ("Related", *OF_PAIRS)
        ):
            return Claimed(word, function=mechanism.functions[function])
        case ast.Call(
            func=ast.Name(id="ADP" | "OneSidedDP" as word),
            args=[ast.Call(func=ast.Name(id="Policy"), args=[members], keywords=told)],
            keywords=[],
        ):
            bits = frozenset(map(Fraction, (0, 1)))
            given = {k.arg: _value(k.value) for k in told} or {"universe": bits}
            if given["universe"] and _value(members) <= given["universe"]:
                return Claimed(word, (_value(members), given["universe"]))
    raise Wrong(f"{shown(e)!r} is no privacy definition")
