"""Pairs of complete inputs: what one can hand to a mechanism, public inputs among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from hypothesis import strategies as st

from ...dsl.errors import BadInput, Unsupported
from ...dsl.language.evaluate import Evaluator
from ...dsl.language.syntax import Cell, Connective, Expression, Length, Name, children
from ...dsl.mechanism import Mechanism
from ...dsl.privacy.inputs import DataSet, DeltaInput, EpsilonInput, InputKind, Value
from ...dsl.reading.rules import rule_of
from ...dsl.relations import moves
from ...dsl.relations.program import ConcreteInputs, Program
from ...dsl.terms.formulas import TRUE
from .answers import PrivateInputs
from .checking import check_kinds, named_by
from .data_sets import check_sizes
from .numbers import ends, floats, resolved, several


def neighbouring_inputs(
    mechanism: Mechanism[..., Any],
    *,
    min_length: int = 0,
    max_length: int = 5,
    largest: int = 20,
    fixed: Mapping[str, Any] | None = None,
    corners: bool = True,
) -> st.SearchStrategy[tuple[dict[str, Any], dict[str, Any]]]:
    """Pairs (D, D') of inputs by name: ``mechanism(**D)`` and ``mechanism(**D')`` can be called.

    Public inputs are equal and meet the preconditions; private ones are neighbours as the
    mechanism claims, in the claimed direction (see :func:`query_answers`).  All sequences have
    one length.  Of a mechanism outside the language the preconditions are not known.

    Args:
        mechanism: what ``@mechanism`` made; whether its claim is true does not matter.
        min_length: the least length of sequences.
        max_length: the greatest; at most so many records has a ``DataSet`` (at least 1).
        largest: how far from 0 numbers are about.
        fixed: public inputs by name that stay as they are: ``{"eps": 1.0}``.
        corners: whether the private inputs are :func:`corner_patterns` as well, often.

    Raises:
        BadInput: it is no mechanism; its inputs have no neighbours; no public inputs were found
            that meet the preconditions.
    """
    if not isinstance(mechanism, Mechanism):
        raise BadInput(f"neighbouring_inputs: got {mechanism!r:.80}; a mechanism is needed")
    check_sizes(min_length, max_length)
    privacy = mechanism.privacy
    private = {n: k for n, k in mechanism.inputs.items() if not k.public}
    for name, kind in mechanism.inputs.items():
        moves.check_named(name, kind, mechanism.inputs)
        if isinstance(kind, Value):
            moves.check_bounds(name, kind, mechanism.inputs)
    check_kinds(privacy, mechanism.inputs)
    lengths = range(min_length, max_length + 1)
    public = PublicInputs(mechanism, fixed or {}, lengths, largest)

    order = list(mechanism.inputs)
    named = {name for k in private.values() for name in named_by(k)}
    if privacy.input_rule is not None or privacy.speaks:
        named.update(*(rule_of(function).parameters for function in privacy.functions))

    @lru_cache(256)
    def private_inputs(n: int, values: tuple[tuple[str, Any], ...]) -> PrivateInputs:
        lengths = dict.fromkeys(private, n)
        return PrivateInputs(privacy, private, lengths, dict(values), largest, corners)

    @lru_cache(256)
    def pairs(n: int, values: tuple[tuple[str, Any], ...]) -> st.SearchStrategy[Any]:
        return private_inputs(n, values).pairs()

    def named_in(given: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
        return tuple((k, v) for k, v in given.items() if k in named)

    _check_some(private_inputs(n, named_in(given)) for n, given in public.some())

    chosen = public.drawn()

    @st.composite
    def both(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
        n, given = draw(chosen)
        sides = draw(pairs(n, named_in(given)))
        left, right = ({k: side[k] if k in side else given[k] for k in order} for side in sides)
        return left, right

    return both()


def _check_some(found: Iterable[PrivateInputs]) -> None:
    """Make sure that for some of the public inputs there are neighbours.

    Raises:
        BadInput: there are none.
    """
    problem: BadInput | None = None
    for inputs in found:
        try:
            inputs.check()
            return
        except BadInput as error:
            problem = error
    if problem is not None:
        raise problem


# Public inputs within the preconditions: drawn freely, or from a small grid that meets them.

#: Parts of 1, which some preconditions ask for.
SHARES = (0.5, 0.25, 0.75, 0.05)
#: How many points of the grid that fit are kept for one length.
KEPT = 16
#: The ε that are drawn, the simplest first; and anything between the two others.
EPSILONS, BETWEEN = (1.0, 0.5, 2.0, 0.1, 10.0), (0.05, 8.0)
DELTAS = (0.1, 1e-3, 1e-6)


class PublicInputs:
    """The public inputs of a mechanism, and how long its sequences are.

    All sequences have one length.  ``given`` are public inputs that stay as they are.

    Raises:
        BadInput: a given input is not public or not of its kind; no length fits.
    """

    def __init__(
        self,
        mechanism: Mechanism[..., Any],
        given: Mapping[str, Any],
        lengths: Sequence[int],
        largest: int,
    ) -> None:
        self._inputs = mechanism.inputs
        self._largest = largest
        self._public = {n: k for n, k in self._inputs.items() if k.public}
        if unknown := set(given) - set(self._public):
            raise BadInput(
                f"fixed: '{min(unknown)}' is no public input; these are "
                f"{', '.join(self._public) or 'none'}"
            )
        self._given = {n: self._public[n].accept(n, v) for n, v in given.items()}
        self._program: Program | None
        try:
            self._program = mechanism.program
        except Unsupported:
            self._program = None  # what cannot be read can be run: its preconditions are unknown
        constrained = () if self._program is None else self._program.preconditions
        self._parts = [
            (part, {*_names(part), *_lengths(part)} & set(self._public))
            for e in constrained
            for part in _parts(e)
        ]
        self._values = {n: k for n, k in self._inputs.items() if isinstance(k, Value)}
        bounds = {b for k in self._values.values() for b in (k.low, k.high) if isinstance(b, str)}
        self._named = {*bounds, *(n for e in constrained for n in _names(e))} - set(given)
        own = {len(v) for v in self._given.values() if isinstance(v, tuple)}
        wanted = [n for n in lengths if own <= {n}] or sorted(own)
        self._lengths = [n for n in wanted if next(self._fitting(n), None) is not None]
        if not self._lengths:
            raise BadInput(
                f"no public inputs were found that meet the preconditions of {mechanism}"
                + (", and leave values to choose from" if bounds else "")
            )

    def some(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Some lengths and public inputs, simple ones."""
        for n in self._lengths:
            yield from ((n, found) for found in islice(self._fitting(n), 2))

    def drawn(self) -> st.SearchStrategy[tuple[int, dict[str, Any]]]:
        """A length, and the public inputs by name."""
        each = {n: st.tuples(st.just(n), self._of_length(n)) for n in self._lengths}
        return st.sampled_from(self._lengths).flatmap(each.__getitem__)

    def _of_length(self, n: int) -> st.SearchStrategy[dict[str, Any]]:
        kinds = self._inputs.values()
        least = {name: bound for kind in kinds for name, (_, bound) in kind.named.items()}
        free = {
            name: st.just(self._given[name])
            if name in self._given
            else self._free(kind, n, least.get(name, kind.minimum))
            for name, kind in self._public.items()
        }
        grid = st.sampled_from(list(islice(self._fitting(n), KEPT)))

        @st.composite
        def inputs(draw: st.DrawFn) -> dict[str, Any]:
            found: dict[str, Any] = draw(st.fixed_dictionaries(free))
            if self._fits(found, n):
                return found
            # Nothing else has a part in the preconditions, so these are met now.
            return found | {k: v for k, v in draw(grid).items() if k in self._named}

        return inputs()

    def _free(self, kind: InputKind, n: int, least: int | None) -> st.SearchStrategy[Any]:
        if isinstance(kind, EpsilonInput):
            return st.sampled_from(EPSILONS) | st.floats(*BETWEEN)
        if isinstance(kind, DeltaInput):
            return st.sampled_from(DELTAS)
        if kind.whole:
            low = -self._largest if least is None else least
            small = st.integers(max(low, -1), 3)
            each: st.SearchStrategy[Any] = small | st.integers(low, max(low, self._largest))
            sizes = st.sampled_from((1, max(n, low)))
            return several(each, n) if kind.array else sizes | each
        numbers = floats(self._largest)
        if least is not None:
            return st.just(1.0) | numbers.map(abs)
        return several(numbers, n) if kind.array else numbers

    def _fits(self, public: Mapping[str, Any], n: int) -> bool:
        """Whether the preconditions hold, and values have different ones to choose from."""
        if not all(self._is_range(kind, public) for kind in self._values.values()):
            return False
        if self._program is None:
            return True
        try:
            self._program.check_preconditions({**public, **self._private(n, public)})
        except BadInput:
            return False
        return True

    def _is_range(self, kind: Value, public: Mapping[str, Any]) -> bool:
        if kind.constant:
            return True
        try:
            low, high = ends(resolved(kind, public))
        except BadInput:
            return False
        return bool(low < high)

    def _fitting(self, n: int) -> Iterator[dict[str, Any]]:
        """Public inputs of the grid that meet the preconditions, the simplest first."""
        if all(self._holds(e, {}, n) for e, names in self._parts if not names):
            yield from (found for found in self._extended({}, n) if self._fits(found, n))

    def _extended(self, found: dict[str, Any], n: int) -> Iterator[dict[str, Any]]:
        """All ways to go on from what is chosen, as far as preconditions about that hold."""
        missing = [name for name in self._public if name not in found]
        if not missing:
            yield found
            return
        name, kind = missing[0], self._public[missing[0]]
        options = [self._given[name]] if name in self._given else self._grid(name, kind, n)
        for value in options:
            more = {**found, name: value}
            decided = [e for e, names in self._parts if name in names and names <= set(more)]
            if all(self._holds(e, more, n) for e in decided):
                yield from self._extended(more, n)

    def _holds(self, part: Expression, public: Mapping[str, Any], n: int) -> bool:
        assert self._program is not None
        private = self._private(n, public)
        evaluator = Evaluator(ConcreteInputs(self._program, {**private, **public}))
        holds = evaluator.condition(part) == TRUE
        return holds and all(duty.condition == TRUE for duty in evaluator.duties)

    def _private(self, n: int, public: Mapping[str, Any]) -> dict[str, Any]:
        """Stand-ins for private inputs: preconditions see their lengths alone."""
        found: dict[str, Any] = {}
        for name, kind in self._inputs.items():
            if not kind.public:
                one = self._stand_in(kind, public)
                found[name] = () if isinstance(kind, DataSet) else (one,) * n if kind.array else one
        return found

    def _stand_in(self, kind: InputKind, public: Mapping[str, Any]) -> Any:
        if not isinstance(kind, Value) or not (kind.constant or self._is_known(kind, public)):
            return 0
        return ends(resolved(kind, public))[0]

    def _is_known(self, kind: Value, public: Mapping[str, Any]) -> bool:
        named = {b for b in (kind.low, kind.high) if isinstance(b, str)}
        return named <= set(public) and self._is_range(kind, public)

    def _grid(self, name: str, kind: InputKind, n: int) -> list[Any]:
        found: list[Any]
        if isinstance(kind, EpsilonInput):
            found = list(EPSILONS)
        elif isinstance(kind, DeltaInput):
            found = list(DELTAS)
        elif kind.array:
            found = [(0,) * n, (1,) * n, tuple(range(n)), tuple(range(n, 0, -1))]
        else:
            found = [1, n, 0, 2, n - 1, n + 1, 3, 10, *([] if kind.minimum == 0 else [-1])]
            found += [*self._beside(name), *([] if kind.whole else SHARES)]
        if not kind.whole:
            found = [tuple(map(float, v)) if isinstance(v, tuple) else float(v) for v in found]
        found = [
            v
            for v in dict.fromkeys(found)
            if isinstance(v, tuple) or kind.minimum is None or v >= 0
        ]
        return found if name in self._named else found[:1]

    def _beside(self, name: str) -> list[Any]:
        """Numbers next to the other bound, where an input is a bound of a value."""
        ranges = [(k.low, k.high) for k in self._values.values() if name in (k.low, k.high)]
        others = {b for pair in ranges for b in pair if not isinstance(b, str)}
        return [round(b) + step for b in sorted(others) for step in (3, 1, -3, -1)]


def _parts(expression: Expression) -> Iterator[Expression]:
    """What an ``and`` asks for, one by one."""
    if isinstance(expression, Connective) and expression.operator == "and":
        for member in expression.members:
            yield from _parts(member)
    else:
        yield expression


def _names(expression: Expression) -> list[str]:
    """The parameters of which an expression reads the value."""
    inside = list(_inside(expression))
    named = [e.name for e in inside if isinstance(e, Name)]
    return named + [e.array for e in inside if isinstance(e, Cell)]


def _lengths(expression: Expression) -> list[str]:
    """The parameters of which it reads the length."""
    return [e.array for e in _inside(expression) if isinstance(e, Length)]


def _inside(expression: Expression) -> Iterator[Expression]:
    yield expression
    for child in children(expression):
        yield from _inside(child)
