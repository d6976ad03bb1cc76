"""The pytest plugin: ``--shiftproof TARGET`` makes every mechanism of a target a test.

Nothing is read before tests are collected, and no solver is loaded before one runs, so those
who do not use the plugin do not pay for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .workspace.targets import AnyMechanism

_TARGETS = pytest.StashKey["list[Target]"]()
_CHOSEN = pytest.StashKey[set[str]]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the options."""
    group = parser.getgroup("shiftproof", "proofs of privacy")
    group.addoption(
        "--shiftproof", dest="shiftproof_targets", action="append", default=[],
        metavar="PACKAGE_OR_FILE", help="Verify its mechanisms, each as one test; repeatable.",
    )  # fmt: skip
    group.addoption(
        "--shiftproof-import", dest="shiftproof_import", action="store_true",
        help="Import what holds the mechanisms, where reading it is not enough.",
    )  # fmt: skip
    group.addoption(
        "--shiftproof-cache", dest="shiftproof_cache", default=None, metavar="DIR",
        help="Keep verdicts there, and take those of unchanged mechanisms from there.",
    )  # fmt: skip
    parser.addini(
        "shiftproof", "packages and files whose mechanisms are verified, one a line", "linelist"
    )
    _keep_as_written(pluginmanager)


def _keep_as_written(pluginmanager: pytest.PytestPluginManager) -> None:
    """Take shiftproof itself out of the packages whose asserts pytest rewrites.

    It is among them because this plugin is part of it.  But the asserts of the gallery are
    preconditions, and what is verified must be the code that runs.
    """
    marked = getattr(pluginmanager.rewrite_hook, "_must_rewrite", None)
    if isinstance(marked, set):
        marked.discard(__name__.partition(".")[0])


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Find the targets, and take mechanisms out of the arguments: pytest would not find them."""
    config = session.config
    targets = list(_targets(session))
    config.stash[_TARGETS] = targets
    chosen: set[str] = set()
    config.stash[_CHOSEN] = chosen
    others = []
    for argument in config.args:
        file, separator, name = argument.partition("::")
        path = os.path.abspath(config.invocation_params.dir / file)
        if separator and any(target.holds(path, name) for target in targets):
            chosen.add(f"{_below_root(config, path)}::{name}")
        else:
            others.append(argument)
    config.args[:] = others


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the mechanisms, before anything is selected."""
    chosen = config.stash[_CHOSEN]
    # A plain test may have the same name; it is no reason to leave a mechanism out.
    seen = {item.nodeid for item in items if isinstance(item, MechanismTest)}
    for target in config.stash[_TARGETS]:
        if not (chosen or target.asked_for()):
            continue
        for item in session.genitems(target):
            if item.nodeid not in seen and (not chosen or item.nodeid in chosen):
                seen.add(item.nodeid)
                items.append(item)


def _targets(session: pytest.Session) -> Iterator[Target]:
    """The targets of the options, then those of the configuration file; of folders, their files."""
    config = session.config
    for text in _of_folders(config.option.shiftproof_targets):
        yield Target.of(session, text, always=True)
    folder = config.inipath.parent if config.inipath else config.rootpath
    for text in config.getini("shiftproof"):
        place, separator, name = text.partition("::")
        if (folder / place).exists():  # a file is meant from where the configuration stands
            text = f"{folder / place}{separator}{name}"
        for one in _of_folders([text]):
            yield Target.of(session, one, always=False)


def _of_folders(texts: Sequence[str]) -> list[str]:
    """The targets, with the files that make mechanisms in the place of each folder."""
    from .dsl.errors import ShiftproofError
    from .workspace.folders import with_files

    try:
        return with_files(texts)
    except ShiftproofError as error:
        raise pytest.UsageError(str(error)) from None


def _below_root(config: pytest.Config, file: str) -> str:
    """A file as node ids name it."""
    try:
        return Path(os.path.relpath(file, config.rootpath)).as_posix()
    except ValueError:  # another drive of Windows
        return Path(file).as_posix()


class Target(pytest.Collector):
    """What ``--shiftproof`` names: a file, a package, or one mechanism of it."""

    always: bool
    _found: list[AnyMechanism] | None = None

    @classmethod
    def of(cls, session: pytest.Session, text: str, *, always: bool) -> Target:
        """The target that a text names; ``always`` if whatever else is collected."""
        target: Target = cls.from_parent(session, name=text, nodeid=text)
        target.always = always
        return target

    def mechanisms(self) -> list[AnyMechanism]:
        """The mechanisms that it names.

        Raises:
            ShiftproofError: it cannot be read, or holds none.
        """
        from .workspace.targets import resolve

        if self._found is None:
            imports = self.config.option.shiftproof_import
            self._found = resolve(self.name, run=True) if imports else resolve(self.name)
        return self._found

    def asked_for(self) -> bool:
        """Whether its mechanisms belong to what was asked for on the command line."""
        everything = self.config.args_source is not pytest.Config.ArgsSource.ARGS
        if self.always or everything:
            return True
        folder = self.config.invocation_params.dir
        asked = [os.path.abspath(folder / a) for a in self.config.args if "::" not in a]
        return any(Path(file).is_relative_to(place) for place in asked for file in self._files())

    def holds(self, file: str, name: str) -> bool:
        """Whether one of its mechanisms is that of a file."""
        return any(
            mechanism.location.file == file and test_name == name
            for test_name, mechanism in _named(self._readable())
        )

    def _files(self) -> set[str]:
        place = Path(os.path.abspath(self.name.partition("::")[0]))
        if place.is_file():
            return {str(place)}  # even if it cannot be read: that is to be told
        return {mechanism.location.file for mechanism in self._readable()}

    def _readable(self) -> list[AnyMechanism]:
        from .dsl.errors import ShiftproofError

        try:
            return self.mechanisms()
        except ShiftproofError:
            return []

    def collect(self) -> Iterable[MechanismFile]:
        """Its files, each with its mechanisms."""
        from .dsl.errors import ShiftproofError
        from .showing.printable import shortened

        try:
            found = self.mechanisms()
        except ShiftproofError as error:
            raise self.CollectError(shortened(str(error))) from None
        files: dict[str, list[AnyMechanism]] = {}
        for mechanism in found:
            files.setdefault(mechanism.location.file, []).append(mechanism)
        for file, mechanisms in files.items():
            yield MechanismFile.of(self, file, mechanisms)


class MechanismFile(pytest.File):
    """A file with mechanisms; its node id is the file's name."""

    mechanisms: list[AnyMechanism]

    @classmethod
    def of(cls, parent: Target, file: str, mechanisms: list[AnyMechanism]) -> MechanismFile:
        """A file and those of its mechanisms that a target names."""
        node_id = _below_root(parent.config, file)
        node: MechanismFile = cls.from_parent(parent, path=Path(file), nodeid=node_id)
        node.mechanisms = mechanisms
        return node

    def collect(self) -> Iterable[MechanismTest]:
        """A test for each mechanism."""
        for name, mechanism in _named(self.mechanisms):
            item: MechanismTest = MechanismTest.from_parent(self, name=name)
            item.mechanism = mechanism
            yield item


def _named(mechanisms: Iterable[AnyMechanism]) -> Iterator[tuple[str, AnyMechanism]]:
    """Each mechanism with its name in its file; where that is taken, with its line."""
    seen = set()
    for mechanism in mechanisms:
        name, where = mechanism.function.__name__, mechanism.location
        if (where.file, name) in seen:
            name = f"{name}[{where.line}]"
        seen.add((where.file, name))
        yield name, mechanism


class NotAsExpected(Exception):
    """The claims of a mechanism do not hold, or those of a known-bad example do not fall."""


class MechanismTest(pytest.Item):
    """One mechanism as a test: it passes if its claims are as expected."""

    mechanism: AnyMechanism

    def runtest(self) -> None:
        """Verify it.

        Raises:
            NotAsExpected: as it says.
        """
        from .showing.assertions import unmet

        kept = self.config.getoption("shiftproof_cache")
        problem = unmet(self.mechanism, cache=Path(kept) if kept else None)
        if problem:
            raise NotAsExpected(problem)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The verdict with its witness or reasons; of anything else, the traceback."""
        if isinstance(excinfo.value, NotAsExpected):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the mechanism stands."""
        return self.path, self.mechanism.location.line - 1, self.name
