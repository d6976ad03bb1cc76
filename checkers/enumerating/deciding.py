"""A choice of sizes, decided: with as many variables as its exponents turn out to need."""

from __future__ import annotations

import math

from ...dsl.errors import ShiftproofError
from ...dsl.program import Program
from ..kernel.enumeration_table import EnumeratedSizes
from .comparing import Broken, Comparing
from .inputs import Neighbours, private_inputs
from .ratios import Declined, Exponents, Finer
from .setting import Setting
from .sizes import Sizes
from .walk import Effort, Walker


def checked(setting: Setting) -> EnumeratedSizes | Broken | None:
    """Compare everything; ``None`` if there are no inputs of these sizes.

    Raises:
        Failure, Declined, Exhausted, Finer: as the walk.
    """
    if not setting.allowed():
        return None
    try:
        inputs = private_inputs(setting.program, setting.sizes)
        if not inputs.all:
            return None
        neighbours = Neighbours(inputs)
        named = [inputs.named(k) for k in range(len(inputs.all))]
        walker = Walker(setting.program.flow, setting.frame, named, setting.effort)
        return Comparing(setting, inputs, neighbours, walker).outcome()
    except ShiftproofError as error:
        raise Declined(str(error)) from None


def finest(
    program: Program, sizes: Sizes, known: Exponents, effort: Effort
) -> tuple[Setting, EnumeratedSizes | Broken | None]:
    """A choice of sizes with as many variables as it turns out to need.

    Raises:
        Failure, Declined, Exhausted: as :func:`checked`.
    """
    while True:
        setting = Setting(program, sizes, known, effort)
        try:
            return setting, checked(setting)
        except Finer as finer:
            known = finer.exponents
            if len(known) > 12 or math.prod(known.values()) > 1_000_000:
                raise Declined("too many different exponents") from None
