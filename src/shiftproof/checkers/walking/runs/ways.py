"""What is summed: the blocks of a program under an alignment, and the ways through one.

The rule, and what it owes, stand in ``kernel/sums/blocks.py``; here is what the search needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ....dsl.language.flow import Flow, SampleNode, stretch, writes
from ....dsl.language.syntax import Expression, Span, Summed
from ....dsl.terms.enclosures import enclosed, is_plain
from ....dsl.terms.formulas import FALSE, TRUE
from ....dsl.terms.linear import Symbol, number, term
from ....dsl.terms.substitution import Substitution
from ....dsl.terms.values import Num, Value
from ..sums.paths import Path

#: A kind of outcome: where it leads, and which values it has.
Kind = tuple[int, tuple[str, ...]]
Output = tuple[Value | None, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes that are summed together, what they assign, and what is left of that.

    ``rounds`` are the loops in it: by the head, the nodes of a round.
    """

    inside: frozenset[int]
    assigned: frozenset[str]
    left: tuple[str, ...]
    rounds: Mapping[int, frozenset[int]]


class Blocks:
    """The blocks of a program, by the nodes that they begin with."""

    def __init__(self, flow: Flow, shifts: Mapping[int, Expression]) -> None:
        self._flow = flow
        self._summed = {k: shift for k, shift in shifts.items() if isinstance(shift, Summed)}
        self._known: dict[int, Block | None] = {}

    def at(self, node: int) -> Block | None:
        """The block that begins with a node, if one does."""
        if not self._summed:
            return None
        if node not in self._known:
            self._known[node] = self._found_at(node)
        return self._known[node]

    def _found_at(self, node: int) -> Block | None:
        nodes, found = self._flow.nodes, stretch(self._flow, node, self._summed)
        inside = found.inside
        sites = [n.site for k in sorted(inside) if isinstance(n := nodes[k], SampleNode)]
        if not sites:
            return None
        assigned = frozenset[str]().union(*(writes(nodes[k]) for k in inside))
        left = dict.fromkeys(name.name for site in sites for name in self._summed[site].left)
        return Block(inside, assigned, tuple(left), found.rounds)


@dataclass(frozen=True, slots=True)
class Way:
    """One way through a block in one run: to where, with what, when, and how probably.

    ``output`` are the values that come out, ``None`` for a variable that has none; ``rest`` what
    else was assigned; ``span`` where it ends.
    """

    at: int
    output: Output
    rest: Mapping[str, Value]
    path: Path
    span: Span

    @property
    def kind(self) -> Kind:
        """What tells outcomes apart that are no numbers; of numbers, what Python has."""
        shown = (v.kind if isinstance(v, Num) else repr(v) for v in self.output)
        return self.at, tuple(shown)


def any_outcomes(ways: Sequence[Way], fresh: Callable[[str], str]) -> Iterator[tuple[Output, Kind]]:
    """What may come out that has these ways: of each kind, any numbers."""
    for kind, output in {way.kind: way.output for way in ways}.items():
        values = [
            Num(term(Symbol(fresh("summed"), value.kind == "int", private=True)), value.kind)
            if isinstance(value, Num)
            else value
            for value in output
        ]
        yield tuple(values), kind


def values_of(way: Way) -> Iterator[tuple[tuple[Output, Kind], float]]:
    """The values that a way comes to where all is known, each with its probability."""
    if way.path.uniforms:
        (symbol, low, high), *others = way.path.uniforms
        size = high - low + number(1)
        for value in range(int(low.constant), int(high.constant) + 1):
            put = Substitution({symbol.key: number(value)})
            when = tuple(map(put.formula, way.path.when))
            if FALSE not in when:
                path = replace(
                    way.path,
                    when=tuple(f for f in when if f != TRUE),
                    uniforms=tuple(others),
                    probability=way.path.probability / size,
                )
                output = tuple(_put(put, v) for v in way.output)
                yield from values_of(replace(way, output=output, path=path))
    elif not way.path.when and is_plain(way.path.probability):
        yield (way.output, way.kind), float(enclosed(way.path.probability).mid())


def _put(put: Substitution, value: Value | None) -> Value | None:
    return Num(put.linear(value.term), value.kind) if isinstance(value, Num) else value
