"""From annotations to what they say: what a parameter is, which type a mechanism returns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, get_args, get_origin

from ..errors import BadInput, Unsupported
from ..privacy.inputs import (
    Bound,
    CountingQueries,
    DeltaInput,
    EpsilonInput,
    InputKind,
    PublicFloat,
    PublicInt,
    Queries,
    Secret,
    SecretInteger,
    Secrets,
    Stream,
    Value,
    kind_name,
)
from ..privacy.records import RECORD
from ..terms.linear import Linear
from ..terms.values import Kind, Mark, Num, exact
from ..terms.values import Value as Meaning
from .calls import Call, Callee
from .dataflow import forwards, successors
from .evaluate import View
from .flow import (
    AssignNode,
    CallNode,
    Flow,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
)
from .statements import MakeList, Pick, Store
from .syntax import (
    NOWHERE,
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Label,
    Length,
    Let,
    Name,
    Negation,
    Span,
)

# From the annotation of a parameter to what it is: one kind, said once.
#
# Of what stands in ``Annotated`` only kinds and the words of ``Public`` and ``Private`` mean
# something here; objects of other libraries are for these.  What could be meant for us and is not
# is refused: nothing that somebody wrote of privacy is passed over.

_WORDS = ("public", "private")


def input_kind(annotation: object, called: str = "the annotation") -> InputKind | None:
    """The kind that an annotation states, or ``None`` if it states none.

    Args:
        annotation: an object, as it stands behind a parameter.
        called: how messages begin.

    Raises:
        BadInput: it states two kinds, something that looks like one, or floats of a kind of
            integers.
    """
    if isinstance(annotation, InputKind):
        return annotation
    metadata: tuple[object, ...] = getattr(annotation, "__metadata__", ())
    for item in (*metadata, annotation):
        wrong = _nearly(item, inside=item is not annotation)
        if wrong:
            raise BadInput(f"{called} {wrong}")
    kinds = [item for item in metadata if isinstance(item, InputKind)]
    words = list(dict.fromkeys(item for item in metadata if isinstance(item, str)))
    said = [*map(_named, kinds), *(f"{word.capitalize()}[…]" for word in words)]
    if len(kinds) > 1 or len(words) > 1:
        raise BadInput(f"{called} says several things: {_listed(said)}; write one of them")
    word = words[0] if words else ""
    if not kinds:
        return _plain(getattr(annotation, "__origin__", annotation), word)
    (kind,) = kinds
    if word and kind.public != (word == "public"):
        raise BadInput(
            f"{called} says two things that exclude each other: {_listed(said)}; write one"
        )
    plain = getattr(annotation, "__origin__", None)
    if kind.array and plain in (int, float):
        wanted = f"Sequence[{'int' if kind.whole else 'float'}]"
        raise BadInput(
            f"{called} says one number, and {_named(kind)} is of a sequence; write {wanted}"
        )
    of_answers = isinstance(kind, Queries | CountingQueries | Value)
    if of_answers and not kind.array and get_origin(plain) in (Sequence, Iterable, list, tuple):
        name = type(kind).__name__
        several = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
        raise BadInput(
            f"{called} says a sequence, and {_named(kind)} is of one number; write {several}(…)"
        )
    if kind.whole and float in (plain, *get_args(plain)):
        raise BadInput(f"{called} says float, and {_named(kind)} is of integers; write int")
    if not kind.whole and int in (plain, *get_args(plain)) and isinstance(kind, Queries | Value):
        raise BadInput(
            f"{called} says int, and {_named(kind)} is of real numbers; write "
            + ("float" if isinstance(kind, Stream) else f"Integer{_named(kind)}, or float")
        )
    # A public one says so by its word; only ε, ρ and δ have none.
    named = isinstance(kind, EpsilonInput | DeltaInput)
    return kind if word or not kind.public or named else None


def _plain(plain: object, word: str) -> InputKind | None:
    """What a number or a sequence is of which no more than the word is said."""
    if word == "public":
        return PublicFloat() if plain is float else PublicInt() if plain is int else None
    if word == "private":
        return Secret() if plain is float else SecretInteger() if plain is int else Secrets()
    return None


def _nearly(item: object, inside: bool) -> str:
    """What is wrong with something that stands where a kind should be and looks like one."""
    if isinstance(item, type) and issubclass(item, InputKind):
        return f"names the class {item.__name__}; write one of it, {item.__name__}(…)"
    if inside and isinstance(item, str) and item not in _WORDS:
        return f"holds the text {item!r:.60}, which says nothing; use Public[…] or Private[…]"
    if inside and get_origin(item) is Annotated:
        return "holds a type where a kind is needed; write Count, Public[…], … by themselves"
    return ""


def _named(kind: InputKind) -> str:
    """A kind as one writes it."""
    if isinstance(kind, EpsilonInput | DeltaInput):
        return kind_name(kind)
    name = type(kind).__name__
    return name.removeprefix("Public") if kind.public else f"{name}(…)"


def _listed(texts: list[str]) -> str:
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


# Which Python type a mechanism returns, known before it runs: the same on every way out.

#: The kinds of variables; for a list, of its elements.
Kinds = Mapping[str, Kind]


class NoSingleKind(Exception):
    """What a mechanism returns is not of one kind; says how so."""


def returned_kinds(flow: Flow, inputs: Mapping[str, InputKind]) -> tuple[Kind, ...]:
    """The kinds of the values that a mechanism without ``yield`` returns.

    Raises:
        NoSingleKind: one return gives other kinds of values than another, or more of them.
    """
    found: tuple[Kind, ...] | None = None
    for node, kinds in reached(flow, inputs):
        if isinstance(node, ReleaseNode):
            here: tuple[Kind, ...] = tuple(kind_of(e, kinds) for e in node.step.values)
            if found is not None and len(here) != len(found):
                raise NoSingleKind("it does not always return as many values")
            found = here if found is None else _all_joined(found, here)
    if found is None:
        raise NoSingleKind("it never returns")
    if "several" in found:
        raise NoSingleKind(f"value {found.index('several') + 1} is not always of the same type")
    return found


def reached(flow: Flow, inputs: Mapping[str, InputKind]) -> Iterator[tuple[Node, Kinds]]:
    """Every node that a run may come to, with the kinds that variables may have there."""
    given: Kinds = {name: "int" if kind.whole else "float" for name, kind in inputs.items()}
    before = forwards(flow.nodes, flow.start, given, _after, _merged, _ways)
    return ((flow.nodes[k], kinds) for k, kinds in sorted(before.items()))


def _ways(node: Node) -> tuple[int, ...]:
    """Where a run may go; ``while True`` has no other way out."""
    if isinstance(node, HeadNode) and node.test == BooleanConstant(node.span, True):
        return (node.body,)
    return successors(node)


def _merged(left: Kinds, right: Kinds) -> Kinds:
    # A variable without a value on one of the ways is not read before it gets one.
    return {n: _joined(left.get(n), right.get(n)) for n in {**left, **right}}


def _joined(left: Kind | None, right: Kind | None) -> Kind:
    if left is None or right is None:
        return left or right or "several"
    return left if left == right else "several"


def _all_joined(left: tuple[Kind, ...], right: tuple[Kind, ...]) -> tuple[Kind, ...]:
    found: list[Kind] = []
    for one, other in zip(left, right, strict=True):
        found.append(_joined(one, other))
    return tuple(found)


def _after(node: Node, kinds: Kinds) -> Kinds:
    match node:
        case AssignNode(step=step):
            values: list[Kind] = [kind_of(e, kinds) for e in step.values]
            return _with(kinds, step.targets, values)
        case SampleNode(step=step):
            lattices: dict[str, Kind] = {"booleans": "bool", "integers": "int"}
            return {**kinds, step.target: lattices.get(step.distribution.lattice, "float")}
        case CallNode(step=step):
            return (
                kinds if step.targets is None else _with(kinds, step.targets, step.callee.results)
            )
        case ListNode(step=MakeList(target=target, fill=fill)):
            if fill is not None:
                return _with(kinds, (target,), (kind_of(fill, kinds),))
            return {n: k for n, k in kinds.items() if n != target}
        case ListNode(step=Store(array=array, value=value)):
            return {**kinds, array: _joined(kinds.get(array), kind_of(value, kinds))}
        case ListNode(step=Pick(target=target)):
            return {**kinds, target: "int"}
    return kinds


def _with(kinds: Kinds, names: Iterable[str], new: Iterable[Kind]) -> Kinds:
    found: dict[str, Kind] = dict(kinds)
    found.update(zip(names, new, strict=True))
    return found


def kind_of(e: Expression, kinds: Kinds) -> Kind:
    """The kind of an expression's value."""

    def of(part: Expression) -> Kind:
        return kind_of(part, kinds)

    match e:
        case Constant(kind=kind):
            return kind
        case BooleanConstant() | Comparison() | Connective() | Negation():
            return "bool"
        case Label(value=value):
            return Mark(value)
        case Name(name=name) | Cell(array=name):
            if isinstance(e, Cell) and name.startswith(RECORD):
                return "int"
            return kinds.get(name, "several")
        case Length() | Counted():
            return "int"
        case Arithmetic(operator=operator, left=left, right=right):
            both = (of(left), of(right))
            return "float" if operator == "/" or "float" in both else _joined(*both)
        case Builtin(function=function, arguments=arguments):
            if function in ("exp", "log", "sqrt"):
                return "float"
            if function not in ("abs", "min", "max"):
                return "int"
            found = of(arguments[0])
            for argument in arguments[1:]:
                found = _joined(found, of(argument))
            return found
        case Conditional(yes=yes, no=no):
            return _joined(of(yes), of(no))
        case Let(names=names, values=values, body=body):
            return kind_of(body, _with(kinds, names, map(of, values)))
    return "several"


# The arguments of a call, as the callee's own conditions see them; and what its kinds ask.


class Arguments(View):
    """One run of a callee as its preconditions see it: its scalars, and the caller's sequences."""

    def __init__(self, step: Call, values: Mapping[str, Num], caller: View) -> None:
        self._callee = step.callee
        self._values = values
        self._passed = dict(step.sequences)
        self._caller = caller

    def variable(self, name: str, span: Span) -> Num:
        """A scalar argument."""
        return self._values[name]

    def cell(self, array: str, index: Linear, span: Span) -> Meaning:
        """An element of a sequence that was passed on."""
        return self._caller.cell(self._passed[array], index, span)

    def length(self, array: str) -> Linear:
        """The length of a sequence that was passed on."""
        return self._caller.length(self._passed[array])

    def looked_into(self, function: str, argument: Linear) -> Linear:
        """A logarithm or root, as the caller knows it."""
        return self._caller.looked_into(function, argument)

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place of the callee."""
        return self._callee.refuse(span, message, advice)


def asked(callee: Callee) -> Iterator[tuple[Expression, str]]:
    """What a call checks before the callee runs, as conditions on its parameters, with words.

    What the kinds of sequences ask holds of every sequence of that kind.
    """
    for name, kind in callee.inputs.items():
        for named, (what, least) in kind.named.items():
            if named in callee.inputs:
                words = f"{named} is {what} and at least {least}"
                yield _compared(named, ">=", least), words
        if kind.array:
            continue
        if kind.positive:
            yield _compared(name, ">", 0), f"{name} is positive"
        elif kind.minimum is not None:
            yield _compared(name, ">=", kind.minimum), f"{name} is at least {kind.minimum}"
        if isinstance(kind, Value):
            words = f"{name} lies in [{kind.low}, {kind.high}]"
            for operator, bound in ((">=", kind.low), ("<=", kind.high)):
                yield Comparison(NOWHERE, operator, Name(NOWHERE, name), _bound(bound)), words
    for precondition in callee.preconditions:
        yield precondition, "its precondition holds"


def _bound(bound: Bound) -> Expression:
    """A number, or the parameter that a bound names."""
    if isinstance(bound, str):
        return Name(NOWHERE, bound)
    return Constant(NOWHERE, exact(bound), "float")


def _compared(name: str, operator: str, bound: int) -> Expression:
    number = Constant(NOWHERE, Fraction(bound), "float")
    return Comparison(NOWHERE, operator, Name(NOWHERE, name), number)
