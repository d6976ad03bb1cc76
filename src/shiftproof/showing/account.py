"""An answer as a tree, whatever was asked: a proof, a refutation, a check, an audit, a claim.

It is built once from what was found out, and every format prints it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from .words import Maths, Section, Words

if TYPE_CHECKING:
    from ..checkers.verdicts import Report
    from ..dsl.relations.program import Program

#: Whether an answer is good, bad, open, or neither.
Mood = Literal["good", "bad", "open", "plain"]
#: The labels of what is said in words; anything else is text of the program, or numbers.
_PROSE = {"given", "expected", "proof", "in", "tight", "note", "warning", "of", "one record"}


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, relative to the current folder; a line or column of 0 is not known.

    ``text`` says what is there, where several places belong to one finding.
    """

    file: str
    line: int = 0
    column: int = 0
    text: str = ""

    def __str__(self) -> str:
        parts = [self.file, *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding.

    Attributes:
        name: how programs know it; it never changes.
        level: how bad it is.
        title: what it is, in a few words.
        meaning: what it says, in one sentence.
        advice: what to do about it.
    """

    name: str
    level: Level
    title: str
    meaning: str
    advice: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one mechanism that is to be looked at.

    Attributes:
        rule: what kind of thing it is.
        headline: what it is, in one line.
        lines: the witness or the reasons.
        place: where it is to be seen.
        related: further places, each with what is there.
        key: what tells it from other findings of its rule, wherever it moves in its file.
        expected: why it is no fault, if the author expects it.
    """

    rule: Rule
    headline: str
    lines: tuple[str, ...]
    place: Place
    related: tuple[Place, ...] = ()
    key: tuple[str, ...] = ()
    expected: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something short about the subject: a label, and a text of a line or several."""

    label: str
    text: str

    @property
    def code(self) -> bool:
        """Whether the text is code, or numbers; else it is prose."""
        return self.label not in _PROSE


def facts_of(found: Mapping[str, str]) -> tuple[Fact, ...]:
    """A fact for each label that has a text."""
    return tuple(Fact(label, text) for label, text in found.items() if text)


@dataclass(frozen=True, slots=True)
class About:
    """What an account is of: a report, and the program, if it can be read.

    Lines of the report's certificate are those of the program here.
    """

    report: Report
    program: Program | None


@dataclass(frozen=True, slots=True)
class Account:
    """One answer.

    Attributes:
        title: what it is about, mostly a mechanism's name.
        verdict: the answer in a word or two; may be empty.
        summary: the answer in a sentence or two.
        sections: what is told at length; one without a title goes on from what stands before it.
        about: what it is of, for what a page shows besides.
        mood: what the answer means for whoever asked.
        status: the exit status that it asks for; 0 if all is as it should be.
        place: where its subject is.
        claim: what is claimed, for formats that set formulas.
        columns: the short facts, by the names of the columns of a table, the answer among them.
        facts: the longer ones.
        evidence: the witness or the reasons, line by line.
        findings: what is to be looked at; those that are expected come with a status of 0.
        note: a last sentence.
        seconds: how long it took.
        plain: everything as JSON values.
    """

    title: str
    verdict: str = ""
    summary: Words = ()
    sections: tuple[Section, ...] = ()
    about: About | None = field(default=None, compare=False, repr=False)
    mood: Mood = "plain"
    status: int = 0
    place: Place = Place("")
    claim: tuple[Maths, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    evidence: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    note: str = ""
    seconds: float = 0.0
    plain: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def details(self) -> dict[str, str]:
        """The facts by their labels."""
        return {fact.label: fact.text for fact in self.facts}

    @property
    def unexpected(self) -> tuple[Finding, ...]:
        """The findings that somebody has to do something about."""
        return tuple(finding for finding in self.findings if not finding.expected)


@dataclass(frozen=True, slots=True)
class Answers:
    """What one command answers.

    Attributes:
        command: its name.
        accounts: the answers, in their order.
        status: the exit status.
        columns: the columns of a table after the name, with their widths; without any, each
            answer stands for itself, with all that there is to say.
        meanings: what each answer that can be means, in the order in which they are counted.
        closing: what holds for all answers; may be empty.
        good: what is said if there is nothing to look at.
        bad: what is said of the number of those that there are.
        subject: what an answer is about.
        single: whether there is always one, which is JSON by itself and in no list.
    """

    command: str
    accounts: tuple[Account, ...]
    status: int
    columns: Mapping[str, int] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    closing: str = ""
    good: str = "nothing to look at"
    bad: str = "to look at"
    subject: str = "mechanism"
    single: bool = False

    @property
    def seen(self) -> tuple[str, ...]:
        """The answers that were given, each once, in the order in which they are counted."""
        given = dict.fromkeys(account.verdict for account in self.accounts)
        return tuple(answer for answer in self.meanings or given if answer in given)

    @property
    def summary(self) -> str:
        """How many there are of each answer, and how many are to be looked at."""
        counts = Counter(account.verdict for account in self.accounts)
        found = ", ".join(f"{counts[answer]} {answer}" for answer in self.seen)
        wrong = sum(account.status > 0 for account in self.accounts)
        return f"{found or 'nothing found'}; {f'{wrong} {self.bad}' if wrong else self.good}"
