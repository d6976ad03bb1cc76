"""A law of somebody's own, from what its class states; nothing of that class is executed.

It is taken where its cost is shown to be one.  That it is a law at all, and that its draws are
from it, is assumed, and printed wherever something is proved with it.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from ...errors import BadInput, ShiftproofError, Unsupported
from ...terms.linear import Symbol, term
from ..base import Distribution, Draw, Uniforms
from .breaking import spreads, too_small
from .deciding import WORDS, Law, shown

#: What a class may state, beside how it draws.
STATED = frozenset({
    "lattice", "parameters", "exists", "requirement", "ends", "cost", "log_density", "moments",
    "symbol", "called",
})  # fmt: skip
#: The laws that were taken, with what they state.
TAKEN: WeakKeyDictionary[type[Distribution], dict[str, Any]] = WeakKeyDictionary()

_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_CLASS = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)
_PLAIN = re.compile(r"[^<>&\"\n]*")
_RESERVED = {"x", "d", "pi", *WORDS}
#: Longer texts are not read.
LONGEST = 300


def own_law(name: str, stated: Mapping[str, Any]) -> type[Distribution]:
    """The law of a class of this name, which states these attributes: one for the same ones.

    Raises:
        BadInput: they state no law, or a cost that is not shown to be one.
    """
    return _own_law(name, tuple(sorted(stated.items())))


@lru_cache(1000)
def _own_law(name: str, items: tuple[tuple[str, Any], ...]) -> type[Distribution]:
    stated = dict(items)
    if not _CLASS.fullmatch(name):
        raise BadInput(f"a law is named by ASCII letters, with a capital first, and not {name!r}")
    _check_kinds(stated)
    for needed in ("lattice", "parameters", "cost", "log_density"):
        if not stated.get(needed):
            raise BadInput(f"it states no {needed}")
    made = _class(name, stated)
    law = Law(made.parameters, made.lattice, made.exists, made.ends, made.cost, made.log_density)
    _check_texts(made)
    why = shown(law)
    point = why.point if why else {}
    if point is not None and (wrong := too_small(law, point)):
        raise BadInput(f"its cost is too small: {wrong}")
    if why is not None:
        raise BadInput(f"its cost is not believed: {why}")
    if where := spreads(law):
        raise BadInput(f"its log_density is of no law: it is not seen to fall towards {where}")
    TAKEN[made] = stated
    return made


def _check_kinds(stated: Mapping[str, Any]) -> None:
    for attribute, value in stated.items():
        if attribute not in STATED:
            raise BadInput(f"{attribute!r} is nothing that a law of one's own states")
        several = attribute in ("parameters", "ends", "cost", "moments")
        texts = value if several else (value,)
        if not isinstance(texts, tuple) or not all(isinstance(t, str) for t in texts):
            raise BadInput(f"{attribute!r} is {'a tuple of texts' if several else 'a text'}")
        if not all(_PLAIN.fullmatch(t) or attribute in _TEXTS for t in texts):
            raise BadInput(f"{attribute!r} has signs that are no plain text")
        if any(len(t) > LONGEST for t in texts):
            raise BadInput(f"{attribute!r} is longer than {LONGEST} characters")
        wanted = {"ends": 2, "cost": 2, "moments": 6}.get(attribute, len(texts))
        if len(texts) != wanted:
            raise BadInput(f"{attribute!r} has {len(texts)} parts, not {wanted}")


_TEXTS = frozenset({"exists", "ends", "cost", "log_density"})


def _class(name: str, stated: Mapping[str, Any]) -> type[Distribution]:
    names = stated["parameters"]
    for n in names:
        if not _NAME.fullmatch(n) or keyword.iskeyword(n) or n in _RESERVED or names.count(n) > 1:
            raise BadInput(f"{n!r} is no name for one of its parameters")
    if stated["lattice"] not in ("reals", "integers"):
        raise BadInput("its lattice is neither 'reals' nor 'integers'")
    return type(name, (Distribution,), {**stated, "__module__": __name__, "draw": _unread_draw})


def _check_texts(law: type[Distribution]) -> None:
    """That the texts mean something to those who prove with them."""
    if not law.exists.strip():
        raise BadInput("it does not say for which parameters it exists")
    one = law(*(term(Symbol(name, fixed=True)) for name in law.parameters))
    anything = term(Symbol("x", law.lattice == "integers", private=True))
    try:
        one.well_formed()
        one.support(anything)
        one.charges(anything)
    except BadInput:
        raise
    except ShiftproofError as error:
        raise BadInput(f"its texts are not linear in x and d: {error}") from None


def _unread_draw(self: Distribution, source: Uniforms) -> Draw:
    raise Unsupported(
        f"{type(self).__name__} was read and not executed, so nothing is drawn from it",
        None,
        "execute the file with --import",
    )
