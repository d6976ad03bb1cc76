"""What a tool answers: the accounts of a command in few lines.  All of it is done by a worker."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

from ...checkers.bound import bound
from ...checkers.verify import verify
from ...dsl.errors import BadInput, ShiftproofError, fault_text
from ...showing.account import Account, Answers
from ...showing.answers import comparisons
from ...showing.answers.reports import of_reports
from ...showing.explaining.explain import explain
from ...showing.formats import rendered
from ...showing.printable import cleaned, shortened
from ...workspace.folders import with_files
from ...workspace.importing import AnyMechanism
from ...workspace.targets import NO_FILE, resolve, resolve_text, resolved, the_only
from ..common.answering import one_by_one
from ..common.counterexamples import given_inputs, searched

#: How many lines an answer has at most, one that is written out, and a list of mechanisms.
LINES, LINES_AT_LENGTH, LISTED = 40, 120, 20

Form: TypeAlias = Literal["markdown", "text"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a call is about.

    Attributes:
        source: the text of a Python file; empty if there is a path.
        path: a file, or what else a TARGET may be; empty if there is a text.
        name: one mechanism there; empty for all.
    """

    source: str
    path: str
    name: str

    @property
    def place(self) -> str:
        """How messages call it."""
        return self.path or NO_FILE

    def mechanisms(self) -> list[AnyMechanism]:
        """The mechanisms, at least one.

        Raises:
            BadInput: there is none, or it is both or neither of a text and a path.
            Unsupported: only executing the file would tell what the name is.
        """
        if bool(self.source) == bool(self.path):
            raise BadInput("want either source, the text of a Python file, or path")
        if self.source:
            return resolve_text(self.source, self.name)
        return resolve(f"{self.path}::{self.name}" if self.name else self.path)

    def all_files(self) -> list[AnyMechanism]:
        """As ``mechanisms``; where the path is a folder, those of its files."""
        if self.source or self.name or not self.path:
            return self.mechanisms()
        return resolved(with_files((self.path,)))

    def only(self) -> AnyMechanism:
        """The one mechanism that is meant.

        Raises:
            BadInput: there is none, or there are several.
            Unsupported: only executing the file would tell what it is.
        """
        return the_only(self.mechanisms(), self.place, "by name")


# The answers, each as text.


def verified(subject: Subject) -> str:
    """The verdict on each mechanism; of one, all that is known."""
    reports, _ = _each(subject.all_files(), verify)
    answers = of_reports(reports)
    if len(reports) > 1:
        return _with_codes(_of_several(answers))
    card = _cards("verify", [comparisons.of_report(reports[0])])
    (verdict,) = answers.seen
    return _with_codes(f"{_cut(card, LINES - 4)}\n\n{verdict}: {answers.meanings[verdict]}")


def refuted(subject: Subject, settings: Sequence[str], effort: int) -> str:
    """A counterexample to each mechanism, or that none was found."""
    return _accounts(
        "refute",
        subject,
        lambda mechanism: comparisons.of_search(mechanism, searched(mechanism, settings, effort)),
    )


def bounded(subject: Subject, settings: Sequence[str], effort: int) -> str:
    """The least ε that is proved for each mechanism, and the largest that is found from below."""
    return _accounts(
        "bound",
        subject,
        lambda mechanism: comparisons.of_bracket(
            bound(mechanism, given_inputs(settings, mechanism), effort=effort)
        ),
    )


def explained(subject: Subject, form: Form, section: str) -> str:
    """Why one mechanism is private, or why not, written out; or a section of that."""
    report = verify(subject.only())
    if form == "text":
        if section:
            raise BadInput("section: only Markdown has sections")
        certificate = report.certificate
        if certificate is None:
            return _cut(_cards("explain", [comparisons.of_report(report)]), LINES)
        return _cut(_cards("explain", [comparisons.of_certificate(certificate)]), LINES_AT_LENGTH)
    account = explain(report)
    titles = ", ".join(section.title for section in account.sections)
    if section:
        wanted = section.lower()
        found = tuple(s for s in account.sections if s.title.lower().startswith(wanted))
        if not found:
            raise BadInput(f"section {section!r}: there is none; want one of {titles}")
        account = replace(account, sections=found)
    text = shortened(account.as_markdown()).rstrip()
    return _cut(text, LINES_AT_LENGTH, f"section asks for one of {titles}")


def audited(subject: Subject, settings: Sequence[str], samples: int, seed: int | None) -> str:
    """What runs of one mechanism of the language have against its claim."""
    # Libraries for statistics, which no other answer needs, take longest to load.
    from ...checkers.auditing.audit import prepare
    from ...showing.answers import results

    mechanism = subject.only()
    given = given_inputs(settings, mechanism)
    prepared = prepare(mechanism, given=given, samples=samples, seed=seed)
    prepared.run()
    return _cut(_cards("audit", [results.of_audit(prepared.result())]), LINES)


def answered(answer: Callable[..., str], *arguments: object) -> str:
    """What a worker does: an answer, or an error of one line.

    Raises:
        BadInput: there is no answer.
    """
    try:
        return cleaned(answer(*arguments))
    except ShiftproofError as error:
        raise BadInput(_in_one_line(str(error))) from None
    except RecursionError:
        raise BadInput("it nests too deep") from None
    except Exception as error:
        raise BadInput(fault_text(error)) from None


# Few lines of many.


def _each(
    mechanisms: Sequence[AnyMechanism], answer: Callable[[AnyMechanism], T]
) -> tuple[list[T], list[str]]:
    """The answers that there are, and a line for each mechanism of which there is none.

    Raises:
        BadInput: there is none at all.
    """
    errors: list[str] = []
    found = one_by_one(mechanisms, answer, lambda message: errors.append(_in_one_line(message)))
    if not found.found:
        raise BadInput("; ".join(errors))
    return found.found, errors


def _accounts(command: str, subject: Subject, answer: Callable[[AnyMechanism], Account]) -> str:
    accounts, errors = _each(subject.mechanisms(), answer)
    text = "\n\n".join([_cards(command, accounts), *errors])
    return _cut(text, LINES, "name asks for one mechanism")


def _of_several(answers: Answers) -> str:
    """A line for each mechanism, and all that is known of those that are not as expected."""
    accounts = sorted(answers.accounts, key=lambda account: not account.status)
    lines = [
        f"{account.title} ({account.place}): {account.verdict}, "
        f"proved ε: {account.columns['proved ε']}"
        for account in accounts
    ]
    more = "name asks for one mechanism"
    listed = _cut("\n".join([answers.summary, *lines]), LISTED, more)
    wrong = [account for account in accounts if account.status]
    if not wrong:
        return listed
    return _cut(f"{listed}\n\n{_cards('verify', wrong)}", LINES - 1, more)


def _with_codes(text: str) -> str:
    """The text, and where its reasons are explained."""
    codes = dict.fromkeys(re.findall(r" \[(SP-[A-Z-]+)\]$", text, re.MULTILINE))
    return f"{text}\nThe tool why tells what helps: {', '.join(codes)}" if codes else text


def _cards(command: str, accounts: Sequence[Account]) -> str:
    return rendered(Answers(command, tuple(accounts), 0), "text")


def _cut(text: str, most: int, more: str = "") -> str:
    """The text, or the first of its lines and how many there are besides."""
    lines = text.split("\n")
    if len(lines) <= most:
        return text
    rest = f"… {len(lines) - most + 1} more lines"
    return "\n".join([*lines[: most - 1], f"{rest}; {more}" if more else rest])


def _in_one_line(message: str) -> str:
    """A message without its excerpt of the file, but with what to write instead."""
    first, *others = cleaned(shortened(message)).strip().split("\n")
    instead = [line.strip() for line in others if line.strip().startswith("instead: ")]
    return "; ".join([first, *instead])
