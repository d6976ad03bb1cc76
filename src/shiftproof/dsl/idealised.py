"""Why a run of a mechanism is not exactly what a proof is about, if it is not.

Proofs are about real numbers and ideal noise.  Python's ints and fractions are real numbers, and
discrete noise is drawn exactly from them; floats are compared exactly, with each other, with ints
and with fractions.  Anything else that is done with a float may round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from .errors import BadInput, Location
from .language.calls import Call
from .language.dataflow import forwards
from .language.flow import (
    AssignNode,
    BranchNode,
    CallNode,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
)
from .language.statements import MakeList, Pick, Store
from .language.syntax import (
    Arithmetic,
    Builtin,
    Cell,
    Conditional,
    Constant,
    Expression,
    Let,
    Name,
    Span,
    children,
)
from .mechanism import Mechanism
from .privacy.inputs import InputKind
from .privacy.records import RECORD
from .relations.program import Program, program_of


@dataclass(frozen=True, slots=True)
class Idealisation:
    """One thing that a run does in floating point.

    ``parameters``: it is done exactly if these public inputs are given as ``Fraction``; where
    there are none, it is never done exactly.
    """

    reason: str
    location: Location
    parameters: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.location}: {self.reason}"


def idealisations(mechanism: Mechanism[..., Any], /, **given: object) -> tuple[Idealisation, ...]:
    """Everything in a run that is not exactly what the proof is about, by its place.

    Where nothing is found, a run draws its noise from the very distribution that the proof is
    about, and computes what the proof computes: the proof carries over to real data.  What is
    left then is said in ``docs/real_data.md``: how long a run takes, and where its randomness comes
    from.

    Args:
        mechanism: what is run; it may call others.
        given: public inputs of the run.  Of those that are left out nothing is assumed: what
            would be exact with fractions is reported, with the names of the inputs.

    Raises:
        Unsupported: the mechanism cannot be read.
        BadInput: it has no input of a name that is given.
    """
    program = mechanism.program
    for name in given:
        if name not in program.inputs:
            raise BadInput(f"{program.name}: no input {name!r}; it has {', '.join(program.inputs)}")
    found: _Found = {}
    _Run(program, {n: _given(n, k) for n, k in program.inputs.items()}).report(found)
    exact = {name for name, value in given.items() if _is_exact(value)}
    left = [
        Idealisation(_with_names(reason, names), place, names)
        for (place, reason), some in found.items()
        if not some or some - exact
        for names in [tuple(n for n in program.inputs if n in some - exact)]
    ]
    return tuple(sorted(left, key=lambda i: (i.location.file, i.location.line, i.location.column)))


def _is_exact(value: object) -> bool:
    if isinstance(value, tuple | list):
        return all(map(_is_exact, value))
    return isinstance(value, Fraction)


def _with_names(reason: str, names: tuple[str, ...]) -> str:
    if not names:
        return reason
    verb = "is" if len(names) == 1 else "are"
    return f"{reason} unless {' and '.join(names)} {verb} given as a Fraction"


@dataclass(frozen=True, slots=True)
class _Form:
    """What a number may be when a mechanism runs; of anything else nothing is asked.

    ``fractions`` names public inputs: if these are fractions, it may be one.  ``rounded``: it
    may be the result of what has been reported already.
    """

    whole: bool = False
    fractions: frozenset[str] = frozenset()
    floats: bool = False
    rounded: bool = False

    def __or__(self, other: _Form) -> _Form:
        return _Form(
            self.whole or other.whole,
            self.fractions | other.fractions,
            self.floats or other.floats,
            self.rounded or other.rounded,
        )


_WHOLE = _Form(whole=True)
_FLOAT = _Form(floats=True)
_ROUNDED = _Form(rounded=True)
_Forms = Mapping[str, _Form]
_Found = dict[tuple[Location, str], frozenset[str]]


def _given(name: str, kind: InputKind) -> _Form:
    """What a caller may give: private data are taken as they mostly are."""
    if kind.whole:
        return _WHOLE
    return _Form(fractions=frozenset({name})) if kind.public else _FLOAT


class _Run:
    """What all runs of one program do, from given forms of its inputs on."""

    def __init__(self, program: Program, inputs: _Forms) -> None:
        self._program = program
        self._found: _Found | None = None
        self.results: tuple[_Form, ...] = ()
        self._before = forwards(
            program.flow.nodes, program.flow.start, inputs, self._after, _merged
        )

    def report(self, found: _Found) -> None:
        """Add what is not exact."""
        self._found = found
        for k, forms in self._before.items():
            self._after(self._program.flow.nodes[k], forms)
        self._found = None

    def _after(self, node: Node, forms: _Forms) -> _Forms:
        match node:
            case AssignNode(step=step):
                values = [self._form(e, forms) for e in step.values]
                return {**forms, **dict(zip(step.targets, values, strict=True))}
            case SampleNode(step=step):
                if step.distribution.lattice == "reals":
                    name = step.distribution.__name__
                    self._say(step.span, f"{name} noise is drawn in floating point")
                    return {**forms, step.target: _ROUNDED}
                for e in step.arguments:
                    self._form(e, forms)
                return {**forms, step.target: _WHOLE}
            case ListNode(step=MakeList(target=target, fill=fill, length=length)):
                self._form(length, forms)
                return {**forms, target: _Form() if fill is None else self._form(fill, forms)}
            case ListNode(step=Store(array=array, index=index, value=value)):
                if index is not None:
                    self._form(index, forms)
                return {**forms, array: forms.get(array, _Form()) | self._form(value, forms)}
            case ListNode(step=Pick(target=target, count=count)):
                if count is not None:
                    self._form(count, forms)
                return {**forms, target: _WHOLE}
            case CallNode(step=step):
                found = self._called(step, forms)
                return {**forms, **dict(zip(step.targets or (), found, strict=False))}
            case BranchNode(test=test) | HeadNode(test=test):
                self._form(test, forms)
            case ReleaseNode(step=release):
                some = tuple(self._form(e, forms) for e in release.values)
                known = self.results or (_Form(),) * len(some)
                self.results = tuple(a | b for a, b in zip(known, some, strict=False))
        return forms

    def _called(self, call: Call, forms: _Forms) -> tuple[_Form, ...]:
        """What a call returns; what it does is reported with the rest."""
        callee = program_of(call)
        inputs = {name: forms.get(passed, _WHOLE) for name, passed in call.sequences}
        for name, e in call.values:
            inputs[name] = form = self._form(e, forms)
            if form.whole and not callee.inputs[name].whole:
                self._say(call.span, f"an int becomes a float as {name} of {callee.name}")
                inputs[name] = replace(form, whole=False, floats=True)
        run = _Run(callee, inputs)
        if self._found is not None:
            run.report(self._found)
        return run.results

    def _form(self, e: Expression, forms: _Forms) -> _Form:
        """What the value of an expression may be; reports what is rounded in it."""
        match e:
            case Constant(value=value, kind=kind):
                if kind == "int":
                    return _WHOLE
                if Fraction(float(value)) != value:
                    reason = f"{self._text(e.span)} is not exactly the float that stands for it"
                    self._say(e.span, reason)
                return _FLOAT
            case Name(name=name):
                return forms.get(name, _WHOLE)
            case Cell(array=name, index=index):
                self._form(index, forms)
                return _WHOLE if name.startswith(RECORD) else forms.get(name, _WHOLE)
            case Arithmetic():
                return self._arithmetic(e, self._form(e.left, forms), self._form(e.right, forms))
            case Conditional(test=test, yes=yes, no=no):
                self._form(test, forms)
                return self._form(yes, forms) | self._form(no, forms)
            case Let(names=names, values=values, body=body):
                inner = dict(zip(names, [self._form(v, forms) for v in values], strict=True))
                return self._form(body, {**forms, **inner})
            case Builtin(function=function, arguments=arguments):
                some = [self._form(a, forms) for a in arguments]
                if function in ("exp", "log", "sqrt"):
                    self._say(e.span, f"{self._text(e.span)} is computed in floating point")
                    return _ROUNDED
                if function not in ("abs", "min", "max"):
                    return _WHOLE
                joined = some[0]
                for other in some[1:]:
                    joined |= other
                return joined
        for part in children(e):
            self._form(part, forms)
        return _WHOLE

    def _arithmetic(self, e: Arithmetic, left: _Form, right: _Form) -> _Form:
        if e.operator in ("+", "-") and e.left == Constant(e.span, Fraction(0), "int"):
            return right  # how a sign is written
        if left.rounded or right.rounded:
            return _ROUNDED
        names = left.fractions | right.fractions
        reason = f"{self._text(e.span)} is computed in floating point"
        if left.floats or right.floats or (e.operator == "/" and left.whole and right.whole):
            self._say(e.span, reason)
            return _ROUNDED
        if names:
            self._say(e.span, reason, names)
        # A fraction over a fraction has a whole part that is an int.
        whole = (left.whole and right.whole) or e.operator == "//"
        return _Form(whole=whole, fractions=frozenset() if e.operator == "//" else names)

    def _text(self, span: Span) -> str:
        place = self._program.location(span)
        return (
            f"'{place.text[place.column - 1 :][: place.width]}'" if place.width > 1 else "a value"
        )

    def _say(self, span: Span, reason: str, names: frozenset[str] = frozenset()) -> None:
        if self._found is not None:
            key = (self._program.location(span), reason)
            # Once it is said for certain, that is what stands.
            known = self._found.get(key, names)
            self._found[key] = known | names if known and names else frozenset()


def _merged(left: _Forms, right: _Forms) -> _Forms:
    return {n: left.get(n, _Form()) | right.get(n, _Form()) for n in {**left, **right}}
