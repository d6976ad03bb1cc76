"""The simplest example of a condition, found with Hypothesis and nothing left behind."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from hypothesis import Phase, Verbosity, currently_in_test_context, find, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir, storage_directory
from hypothesis.errors import NoSuchExample

T = TypeVar("T")


def simplest(
    examples_of: st.SearchStrategy[T],
    condition: Callable[[T], bool],
    *,
    examples: int,
    seed: int | None,
) -> T | None:
    """The simplest of the values that meet a condition; ``None`` if none was found.

    Independent of the user's Hypothesis profile and of earlier runs; may be called within a
    test that is itself run by Hypothesis.

    Args:
        examples_of: which values are tried.
        condition: asked of each.
        examples: how many are tried before one is found.
        seed: where the search starts; ``None`` for elsewhere in each run.

    Raises:
        Flaky: (of Hypothesis) the condition changed its mind.
    """
    chosen = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        print_blob=False,
        verbosity=Verbosity.quiet,
    )

    def search() -> T | None:
        random = Random() if seed is None else Random(seed)
        try:
            with _no_folder():
                return find(examples_of, condition, settings=chosen, random=random)
        except NoSuchExample:
            return None

    return _outside(search) if currently_in_test_context() else search()


@contextmanager
def _no_folder() -> Iterator[None]:
    """Keep what Hypothesis caches out of the user's folder, which would get a ``.hypothesis``."""
    usual: Any = storage_directory("examples", intent_to_write=False)
    with tempfile.TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(Path(getattr(usual, "path", usual)).parent)


def _outside(search: Callable[[], T]) -> T:
    """Search in a thread of its own: Hypothesis objects to a search within a test of its own."""
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(search())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return found[0]
