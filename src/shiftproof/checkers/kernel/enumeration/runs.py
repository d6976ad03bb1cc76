"""What comes out of a mechanism on every private input, with its exact probability.

All inputs go through it together: those at the same step with the same variables and releases stay
together, each with its own probability of coming there.  They part by what a step reads of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ..arithmetic import Wrong, spend
from ..language.steps import (
    Assign,
    Branch,
    Draw,
    End,
    Ensure,
    Head,
    Make,
    Mechanism,
    Node,
    Pick,
    Release,
    Store,
    assigned,
    live,
)
from .concrete import Bit, Meaning, Raises, cells_of, is_true
from .quotients import MayRaise, Quotient

#: How many steps there may be between two draws, how many draws, and how long a list may be.
MOST_BETWEEN, MOST_DRAWS, LONGEST_LIST = 20_000, 300, 1_000
#: From how many values one may choose, and by which laws.
MOST_VALUES, _COUNTED = 4_096, ("Bernoulli", "DiscreteUniform", "Categorical")

#: Of some inputs, by number, the probability; of one input, that of each outcome.
Shares = dict[int, Quotient]
Outcomes = dict[tuple[Any, ...], Quotient]


class _Crowd(NamedTuple):
    """Inputs that are at the same step with the same variables and releases."""

    at: int
    variables: dict[str, Any]
    released: tuple[Any, ...]
    shares: Shares


class CountedRuns:
    """The runs of one mechanism on all inputs of some sizes."""

    def __init__(
        self, mechanism: Mechanism, meaning: Meaning, inputs: Sequence[Mapping[str, Any]]
    ) -> None:
        self.nodes, self.start = mechanism.nodes, mechanism.start
        self.results = mechanism.header.results
        self.meaning, self.numbers, self.inputs = meaning, meaning.numbers, inputs
        texts = list(map(_evaluated, self.nodes))
        reads = [{n.id for e in es for n in ast.walk(e) if isinstance(n, ast.Name)} for es in texts]
        self.looks = [bool(names & meaning.private) for names in reads]
        self.parts = [list(map(meaning.of, es)) for es in texts]
        kept = set[str]().union(*map(assigned, self.nodes))
        kept |= {node.array for node in self.nodes if isinstance(node, Store)}
        self.live = [tuple(sorted(names & kept)) for names in live(self.nodes, reads)]
        self.at = self.start

    def outcomes(self, public: Mapping[str, Any]) -> list[Outcomes]:
        """Of each input every outcome with its probability.

        Raises:
            Wrong: a run may raise or go on for too long, or does what cannot be counted.
        """
        everyone = dict.fromkeys(range(len(self.inputs)), self.numbers.one)
        waiting = [_Crowd(self.start, dict(public), (), everyone)]
        found: list[Outcomes] = [{} for _ in self.inputs]
        for _ in range(MOST_DRAWS):
            met: dict[object, _Crowd] = {}
            for crowd in (end for begun in waiting for end in self._ways(begun)):
                at, variables, released, shares = crowd
                key = at, released, *(variables.get(name, ...) for name in self.live[at])
                if isinstance(self.nodes[at], End):
                    for i, p in shares.items():
                        before = found[i].get(released, self.numbers.zero)
                        found[i][released] = self.numbers.plus(before, p)
                elif key in met:
                    total = met[key].shares
                    for i, p in shares.items():
                        total[i] = self.numbers.plus(total[i], p) if i in total else p
                else:
                    met[key] = crowd._replace(shares=dict(shares))
                spend(40 + 6 * len(shares))
            if not met:
                return found
            waiting = [after for crowd in met.values() for after in self._drawn(crowd)]
        raise Wrong(f"a run may draw more than {MOST_DRAWS} times")

    def _ways(self, crowd: _Crowd) -> Iterator[_Crowd]:
        """Go on to draws and to the end."""
        open_ = [crowd]
        while open_:
            at, variables, released, shares = open_.pop()
            for _ in range(MOST_BETWEEN):
                if isinstance(self.nodes[at], Draw | End):
                    yield _Crowd(at, variables, released, shares)
                    break
                parted = self._parted(at, variables, shares)
                if len(parted) > 1:
                    for values, some in parted:
                        own = variables.copy()
                        after, said = self._taken(at, values, own)
                        open_.append(_Crowd(after, own, released + said, some))
                    break
                at, said = self._taken(at, parted[0][0], variables)
                released += said
            else:
                raise Wrong(f"more than {MOST_BETWEEN} steps between two draws")

    def _parted(
        self, at: int, variables: Mapping[str, Any], shares: Shares
    ) -> list[tuple[tuple[Any, ...], Shares]]:
        """The values of a step's expressions, each with the inputs on which they are these."""
        parts, self.at = self.parts[at], at
        spend(12)
        if not self.looks[at]:
            return [(tuple([part(variables, {}) for part in parts]), shares)]
        spend(12 * len(shares))
        groups: dict[tuple[Any, ...], Shares] = {}
        for i, p in shares.items():
            values = tuple([part(variables, self.inputs[i]) for part in parts])
            groups.setdefault(values, {})[i] = p
        return list(groups.items())

    def _taken(
        self, at: int, values: tuple[Any, ...], variables: dict[str, Any]
    ) -> tuple[int, tuple[Any, ...]]:
        """Take a step: where it goes on, and what is released."""
        match self.nodes[at]:
            case Assign(targets, _, after):
                variables.update(zip(targets, map(_no_list, values), strict=True))
                return after, ()
            case Branch(_, yes, no) | Head(_, yes, no):
                return (yes if is_true(values[0]) else no), ()
            case Release(texts, after):
                if self.results is not None and tuple(map(_kind, values)) != self.results:
                    raise Wrong(f"results of other kinds than {self.results}")
                return after, tuple(map(self._shown, texts, values))
            case Ensure(_, after):
                is_true(values[0])
                return after, ()
            case Make(target, fill, _, after):
                length = values[-1]
                if type(length) is not int or length > LONGEST_LIST:
                    raise Wrong("a list of such a length")
                variables[target] = (_no_list(values[0]),) * length if fill is not None else ()
            case Store(array, _, _, after):
                cells, value, *place = values
                cells = cells_of(cells)
                k = place[0] if place else len(cells)
                if type(k) is not int or not 0 <= k < len(cells) + (not place):
                    raise Raises("an element is changed where there is none")
                if k >= LONGEST_LIST:
                    raise Wrong(f"a list of more than {LONGEST_LIST} elements")
                variables[array] = (*cells[:k], _no_list(value), *cells[k + 1 :])
            case Pick(target, _, _, after):
                variables[target] = self._picked(cells_of(values[0]), *values[1:])
            case node:
                raise Wrong(f"a {type(node).__name__} is not counted")
        return after, ()

    def _picked(self, cells: tuple[Any, ...], size: Any = None) -> Any:
        """The index of the largest number, or of the ``size`` largest ones."""
        known = [self.meaning.real(value).value for value in cells]
        numbers = [-k for k in known if k is not None]
        count = 1 if size is None else size
        if len(numbers) < len(cells):
            raise Wrong("parameters are picked from")
        if type(count) is not int or not 0 <= count <= len(cells):
            raise Raises("what is picked is no number of elements")
        order = sorted(range(len(cells)), key=numbers.__getitem__)  # of equal ones, the first
        return order[0] if size is None else tuple(order[:count])

    def _shown(self, text: ast.expr, value: Any) -> Any:
        """A value as it is released: equal ones are the same to whoever sees them."""
        if type(value) is tuple:
            raise Wrong("a list is released")
        if value is self.numbers.zero and not isinstance(text, ast.Constant):
            raise Wrong("a float is released that is zero: it may have a sign")
        return value

    def _drawn(self, crowd: _Crowd) -> Iterator[_Crowd]:
        """What becomes of runs by a draw."""
        node = self.nodes[crowd.at]
        assert isinstance(node, Draw)
        for values, shares in self._parted(crowd.at, crowd.variables, crowd.shares):
            for value, p in self._row(node, values):
                spend(40 + 4 * len(shares) + 2 * len(crowd.variables))
                some = {i: self.numbers.by(p, share) for i, share in shares.items()}
                variables = {**crowd.variables, node.target: value}
                yield _Crowd(node.after, variables, crowd.released, some)

    def _row(self, node: Draw, values: tuple[Any, ...]) -> list[tuple[Any, Quotient]]:
        """What a draw may give, with positive probability; that there is such a draw is checked."""
        q, real = self.numbers, self.meaning.real
        match node.law, values:
            case "Bernoulli", (given,):
                p = real(given)
                rest = q.minus(q.one, p)
                if q.holds(p.top, True) and q.holds(rest.top, True):
                    return [(Bit.NO, rest), (Bit.YES, p)]
            case "DiscreteUniform", (int() as low, int() as high) if 0 <= high - low < MOST_VALUES:
                p = q.plain(Fraction(1, high - low + 1))
                return [(value, p) for value in range(low, high + 1)]
            case "Categorical", (*given,):
                whole = len(node.arguments) == 1 and isinstance(node.arguments[0], ast.Name)
                weights = list(map(real, cells_of(given[0]) if whole else given))
                total = q.zero
                for weight in weights:
                    total = q.plus(total, weight)
                if all(q.holds(w.top, False) for w in weights) and q.holds(total.top, True):
                    unit = q.inverse(total)
                    return [(k, q.by(w, unit)) for k, w in enumerate(weights) if w is not q.zero]
        if node.law in _COUNTED:
            raise MayRaise(f"it is not shown that there is such a {node.law}")
        raise Wrong(f"{node.law} is not counted")


def _no_list(value: Any) -> Any:
    """A value, which has no second name: in Python two names would be one list."""
    if type(value) is tuple:
        raise Wrong("a list is no value")
    return value


def _kind(value: Any) -> str:
    """The kind of a value, as a head declares it."""
    if isinstance(value, int | Quotient | Bit):
        return "int" if isinstance(value, int) else "bool" if isinstance(value, Bit) else "float"
    return repr(value)


def _evaluated(node: Node) -> tuple[ast.expr, ...]:
    """The expressions of a step, lists that it reads first among them."""
    match node:
        case Assign(_, values) | Release(values):
            return values
        case Branch(test) | Head(test) | Ensure(test):
            return (test,)
        case Draw(_, "Categorical", (ast.List(elts=weights),)):
            return tuple(weights)
        case Draw(_, _, arguments):
            return arguments
        case Make(_, fill, length):
            return (length,) if fill is None else (fill, length)
        case Store(array, place, value):
            return (ast.Name(array), value, *([] if place is None else [place]))
        case Pick(_, array, size):
            return (ast.Name(array), *([] if size is None else [size]))
    return ()
