"""Which variables and lists decide the integers that a mechanism releases or picks.

They say what a prophecy is worth asking: in a loop that ends in ``best = i`` and
``return best``, whether ``i`` is the one.  For the search only; no proof rests on it.
"""

from __future__ import annotations

from ..dsl.language.flow import AssignNode, Flow, ListNode, ReleaseNode
from ..dsl.language.statements import Pick
from ..dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    Chosen,
    Comparison,
    Constant,
    Expression,
    Foretold,
    Name,
)


class Results:
    """The results of a program: released variables that hold indices, and lists picked from."""

    def __init__(self, flow: Flow) -> None:
        self._ranks: dict[str, int] = {}
        self._picks: dict[str, Pick] = {}
        indices = _indices(flow)
        for node in flow.nodes:
            if isinstance(node, ReleaseNode):
                names = [
                    e.name for e in node.step.values if isinstance(e, Name) and e.name in indices
                ]
                for rank, name in enumerate(names):
                    self._ranks.setdefault(name, rank)
            elif isinstance(node, ListNode) and isinstance(node.step, Pick):
                self._picks[node.step.array] = node.step

    def of_variable(self, target: str, value: Expression | None) -> Expression | None:
        """The prophecy to ask where a released variable is assigned an index."""
        first = isinstance(value, Constant) and value.kind == "int"
        if target not in self._ranks or not (first or _is_index(value)):
            return None
        assert value is not None
        return Comparison(NOWHERE, "==", value, Foretold(NOWHERE, self._ranks[target]))

    def of_element(self, array: str, index: Expression | None) -> Expression | None:
        """The prophecy to ask where an element is stored that may be picked."""
        pick = self._picks.get(array)
        if pick is None or index is None:
            return None
        if pick.count is not None:
            return Chosen(NOWHERE, index)
        return Comparison(NOWHERE, "==", index, Foretold(NOWHERE, 0))


def _indices(flow: Flow) -> set[str]:
    """The variables that are assigned another variable somewhere, and so may hold an index."""
    return {
        target
        for node in flow.nodes
        if isinstance(node, AssignNode)
        for target, value in zip(node.step.targets, node.step.values, strict=True)
        if _is_index(value)
    }


def _is_index(value: Expression | None) -> bool:
    """A plain variable, or one moved by a constant: what loops count with."""
    if isinstance(value, Arithmetic) and value.operator in "+-":
        return isinstance(value.left, Name) and isinstance(value.right, Constant)
    return isinstance(value, Name)
