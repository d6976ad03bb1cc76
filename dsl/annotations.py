"""From the annotation of a parameter to what it is: one kind, said once.

Of what stands in ``Annotated`` only kinds and the words of ``Public`` and ``Private`` mean
something here; objects of other libraries are for these.  What could be meant for us and is not
is refused: nothing that somebody wrote of privacy is passed over.
"""

from __future__ import annotations

from typing import Annotated, get_origin

from .errors import BadInput
from .inputs import (
    EpsilonInput,
    InputKind,
    PublicFloat,
    PublicInt,
    Secret,
    SecretInteger,
    Secrets,
)

_WORDS = ("public", "private")


def input_kind(annotation: object, called: str = "the annotation") -> InputKind | None:
    """The kind that an annotation states, or ``None`` if it states none.

    Args:
        annotation: an object, as it stands behind a parameter.
        called: how messages begin.

    Raises:
        BadInput: it states two kinds, or something that looks like one.
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
    # A public one says so by its word; only ε has none.
    return kind if word or not kind.public or isinstance(kind, EpsilonInput) else None


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
    if isinstance(kind, EpsilonInput):
        return "Epsilon"
    name = type(kind).__name__
    return name.removeprefix("Public") if kind.public else f"{name}(…)"


def _listed(texts: list[str]) -> str:
    return f"{', '.join(texts[:-1])} and {texts[-1]}"
