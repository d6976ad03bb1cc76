"""Rocq asked: whether it accepts the theorems of a folder, and which axioms they rest on."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from ...dsl.errors import BadInput
from .folder import all_theorems, theory_files

#: The axioms of Rocq's real numbers, as ``Print Assumptions`` names them.
OF_REALS = frozenset({
    "ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic",
})  # fmt: skip
#: How long one file may take, in seconds.
LONGEST = 900
_INSTALL = "on Debian: apt-get install coq libcoq-coquelicot"


@dataclass(frozen=True, slots=True)
class Checked:
    """What Rocq says of a theorem.

    Attributes:
        seconds: how long it took.
        trouble: why it does not accept it; empty if it does.
        axioms: those that the theorem rests on besides the ones of Rocq's real numbers.
    """

    seconds: float
    trouble: str = ""
    axioms: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether it is accepted, without further axioms."""
        return not self.trouble and not self.axioms


def found_coqc() -> str:
    """The program that checks files.

    Raises:
        BadInput: there is none.
    """
    found = shutil.which("coqc")
    if found is None:
        raise BadInput(f"coqc is not found: --check needs Rocq and Coquelicot ({_INSTALL})")
    return found


def build_theory(folder: Path, note: Callable[[str], None] = lambda _: None) -> None:
    """Have Rocq check the theory of a folder, file by file.

    Raises:
        BadInput: there is no Rocq, or it does not accept the theory, as without Coquelicot.
    """
    for file in theory_files():
        note(file)
        _, trouble, _ = compiled(folder, f"theory/{file}")
        if "Coquelicot" in trouble:
            raise BadInput(f"Coquelicot is not found: the theory uses it ({_INSTALL})")
        if trouble:
            raise BadInput(f"{folder}/theory/{file}: Rocq does not accept it: {trouble}")


def checked(folder: Path, names: Sequence[str], processes: int) -> Iterator[tuple[str, Checked]]:
    """What Rocq says of the theorems of a folder whose theory is built, as soon as it is known.

    The axioms are asked for at the end, so an accepted theorem comes once all are looked at.

    Raises:
        BadInput: there is no Rocq.
    """
    accepted: dict[str, Checked] = {}
    with ThreadPoolExecutor(processes) as executor:
        waiting = {executor.submit(_theorem, folder, name): name for name in names}
        try:
            for done in as_completed(waiting):
                name, found = waiting[done], done.result()
                if found.trouble:
                    yield name, found
                else:
                    accepted[name] = found
        except BaseException:
            executor.shutdown(cancel_futures=True)
            raise
    ordered = [name for name in names if name in accepted]
    for name, trouble, axioms in _axioms(folder, ordered):
        more = tuple(axiom for axiom in axioms if axiom not in OF_REALS)
        yield name, Checked(accepted[name].seconds, trouble, more)


def _theorem(folder: Path, name: str) -> Checked:
    """A statement, and its proof."""
    spent = 0.0
    for file in (f"{name}.v", f"{name}_proof.v"):
        seconds, trouble, _ = compiled(folder, file)
        spent += seconds
        if trouble:
            return Checked(spent, trouble)
    return Checked(spent)


def compiled(folder: Path, file: str) -> tuple[float, str, str]:
    """The seconds that a file takes, what is wrong with it, and what Rocq prints.

    Raises:
        BadInput: there is no Rocq.
    """
    begun = time.perf_counter()
    command = [found_coqc(), "-q", "-R", str(folder), "Shiftproof", file]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace",
            stdin=subprocess.DEVNULL, timeout=LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return time.perf_counter() - begun, f"no answer in {LONGEST} s", ""
    spent = time.perf_counter() - begun
    if done.returncode == 0:
        return spent, "", done.stdout
    return spent, _shown(done.stderr) or f"coqc ended with {done.returncode}", done.stdout


def _shown(message: str) -> str:
    """The first error of a message, with its place, in one line."""
    found = re.search(r'File "(\./)?([^"]*)", line (\d+)[^\n]*\nError:(.*)', message, re.DOTALL)
    text = " ".join((found[4] if found else message).split())
    return (f"{found[2]}, line {found[3]}: {text}" if found else text)[:400]


def _axioms(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Of each theorem what is wrong with it as the proof of its statement, and its axioms.

    If all of them together rest on those of the real numbers only, these are said of each.
    """
    if not names:
        return
    with tempfile.TemporaryDirectory() as apart:
        asking = Path(apart) / "asking.v"
        asking.write_text(all_theorems(names), encoding="utf-8")
        _, trouble, printed = compiled(folder, str(asking))
    found = axioms_of(printed)
    known = not trouble and len(found) == 1
    if known and (len(names) == 1 or OF_REALS.issuperset(found[0])):
        for name in names:
            yield name, "", found[0]
    elif len(names) == 1:
        yield names[0], trouble or "Rocq does not say which axioms it rests on", ()
    else:
        for name in names:
            yield from _axioms(folder, [name])


def axioms_of(printed: str) -> list[tuple[str, ...]]:
    """The axioms that Rocq prints, as for :func:`.folder.all_theorems`: a list for each question.

    What it prints besides, as that a check was turned off, counts as an axiom.
    """
    found: list[tuple[str, ...]] = []
    for line in printed.splitlines():
        if line in ("Axioms:", "Closed under the global context"):
            found.append(())
        elif line[:1].strip() and found:
            found[-1] = (*found[-1], line.split(" :")[0].strip())
    return found
