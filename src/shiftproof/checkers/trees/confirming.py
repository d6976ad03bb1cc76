"""The kernel's word on a proof: it walks the core text, and all that is owed gets its tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import structs

from ...dsl.relations.cases import ONE_SIDED
from ..kernel.arithmetic import Condition, Wrong, start_work
from ..kernel.check import as_json, check_of_laws, check_of_part, find_trees, relation_of, replay
from ..kernel.language.stated import stated
from ..kernel.language.steps import Ensure, Mechanism
from ..kernel.language.syntax import expression
from ..kernel.language.text import read
from ..kernel.paired.powers import Registry
from ..kernel.paired.runs import Ask
from ..walking.certificate import EnumerationPart, Part, Relation
from ..walking.stated import StatedLaw
from .cells import cells_and_trees
from .refuter import Refuter

Cells = tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]


class Confirming:
    """One mechanism as the kernel has it.

    Args:
        core: its core text.
        budget: over public parameters, in the place of the one that it claims.
        laws: those of noise that the kernel has to be told.

    Raises:
        Wrong: the kernel cannot read the text, or has no relation for it.
    """

    def __init__(
        self, core: Sequence[str], budget: str = "", laws: Mapping[str, StatedLaw] | None = None
    ) -> None:
        start_work()
        told = stated(msgspec.to_builtins(laws or {}))
        self.mechanism: Mechanism = read("\n".join(core), told)
        if budget:
            claimed = self.mechanism.header._replace(budget=expression(budget))
            self.mechanism = self.mechanism._replace(header=claimed)
        self.kinds, self.cases = relation_of(self.mechanism)

    def part(self, part: Part, claimed: Sequence[bool] = ()) -> Part:
        """The part as a certificate has it: with the kernel's relation, and a tree a question.

        Args:
            part: what the prover found.
            claimed: of each ``ensure`` in the order of the text, whether the part proves it.

        Raises:
            Wrong: something is owed, and no tree shows it.
        """
        case = next((c for c in self.cases if c.name == part.case), None)
        if case is None:
            raise Wrong(f"the relation has no case {part.case!r}")
        lines = sorted(n.line for n in self.mechanism.nodes if isinstance(n, Ensure))
        if part.case == ONE_SIDED:
            ensures = tuple(n for n, proved in zip(lines, claimed, strict=True) if proved)
            part = structs.replace(part, ensures=ensures)
        relation = msgspec.convert(as_json(case), Relation)
        plain = msgspec.json.decode(msgspec.json.encode(part))
        check = check_of_part(self.mechanism, self.kinds, case, plain)
        if part.cells is not None:
            replay(plain, check)  # they were found with their trees
            return part
        trees = find_trees(check, finder(polynomials=part.prices is not None))
        return structs.replace(part, relation=relation, trees=tuple(trees))

    def summed(self, name: str) -> Part:
        """The proof by sums of one case.

        Raises:
            Wrong: something is owed, and no tree shows it.
            LimitReached: there are too many cells.
        """
        case = next(c for c in self.cases if c.name == name)
        found = cells_and_trees(self.mechanism, self.kinds, case, finder(polynomials=True))
        cells = msgspec.convert(found["cells"], Cells)
        relation = msgspec.convert(as_json(case), Relation)
        return Part(name, relation, cells=cells, trees=tuple(found["trees"]))

    def enumerated(self, part: EnumerationPart) -> EnumerationPart:
        """A proof by enumeration with its trees.

        Raises:
            Wrong: something is owed, and no tree shows it.
        """
        plain = msgspec.json.decode(msgspec.json.encode(part))
        check = check_of_laws(self.mechanism, self.kinds, self.cases[:-1], plain)
        return structs.replace(part, trees=tuple(find_trees(check, finder())))


def finder(*, polynomials: bool = False) -> Ask:
    """Finds trees, with one refuter for all questions of a walk."""
    made: dict[int, Refuter] = {}

    def find(unknowns: Registry, conditions: Sequence[Condition]) -> str:
        if id(unknowns) not in made:
            made[id(unknowns)] = Refuter(unknowns, polynomials=polynomials)
        return made[id(unknowns)].tree(conditions) or "-"

    return find
