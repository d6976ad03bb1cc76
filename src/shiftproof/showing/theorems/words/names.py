"""Names of Python as names of Rocq."""

from __future__ import annotations

import re

_WORDS = """
    as at cofix else end exists exists2 fix for forall fun if IF in let match mod return Set Prop
    SProp Type then using where with by of
    R Z S O N nat list bool true false nil cons option None Some pair fst snd
    exp beta rates next state private related bounded expected event stops program law mean supp
    carrier laplace exponential negative_exponential uniform two_sided_geometric
    one_sided_geometric negative_one_sided_geometric discrete_uniform bernoulli categorical
    staircase Rabs Rmin Rmax IZR negb orb andb Draw Done Look Release Silent VR VZ VB VNone VLabel
    value steps go cut walk dot paid shifts aligned Inv know arith rewrite ln sqrt sin cos
    steps_of price drawn any n range ks s out left_run right_run budget allowed cuts case
    proved head count record told story foretold whole is_none number_of VO
    array len item filled stored appended argmax other_any
    within returned real_at integer_at bool_at
"""
#: What Rocq, or the theory, uses already: such a name gets a stroke at its end.
TAKEN = frozenset(_WORDS.split())


class Names:
    """The names of one theorem: the same for the same, and no two alike."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def of(self, name: str) -> str:
        """What a variable, an input, or a constant such as ``place1(f)`` is called."""
        if name not in self._given:
            wanted = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "x"
            if not wanted[0].isalpha():
                wanted = f"x{wanted}"
            used = {*self._given.values()}
            while wanted in TAKEN or wanted in used or re.fullmatch(r"L\d+[a-z]?\d*", wanted):
                wanted += "_"
            self._given[name] = wanted
        return self._given[name]
