"""All kinds of findings that commands report, by their names, which never change."""

from __future__ import annotations

from ..checkers.recheck import Standing
from ..checkers.verdicts import Verdict
from .account import Level, Rule

_LEVELS = {
    "bounded": Level.WARNING, "unknown": Level.WARNING, "open-answer": Level.WARNING,
    "obsolete": Level.WARNING, "no-theorem": Level.WARNING, "expected-refutation": Level.NOTE,
}  # fmt: skip
#: The title, the meaning and the advice of each; the meanings of verdicts are theirs.
_SAID = {
    "bounded": (
        "Privacy claim bounded", Verdict.BOUNDED.meaning,
        "Help the proof: say how the noise moves (align), or bring a loop closer to what the "
        "reference of the language shows.",
    ),
    "refuted": (
        "Privacy claim refuted", Verdict.REFUTED.meaning,
        "Correct the mechanism or claim more ε; if it is wrong on purpose, say "
        'expect="refuted".',
    ),
    "unknown": (
        "Privacy claim unknown", Verdict.UNKNOWN.meaning,
        "Read the reasons: they name the condition and the line that fails. Saying how the noise "
        "moves (align) often helps.",
    ),
    "unsupported": (
        "Privacy claim unsupported", Verdict.UNSUPPORTED.meaning,
        "Write it as the message says; what is not in the reference of the language is refused.",
    ),
    "expected-refutation": (
        "Privacy claim refuted, as expected", "The claim is broken, and its author says so.",
        "Nothing is to be done.",
    ),
    "not-refuted": (
        "Expected refutation missing", "The author expects the claim to fall, and it was proved.",
        'Take expect="refuted" away, or bring the error back that the example is about.',
    ),
    "wrong-answer": (
        "One-sided claim broken",
        "An answer that is claimed never to be wrong is wrong on some input and noise.",
        "Correct the test before the answer, or claim less in ensure.",
    ),
    "open-answer": (
        "One-sided claim not proved",
        "An answer that is claimed never to be wrong was neither proved nor shown to be wrong.",
        "Claim in ensure what follows from the test before the answer.",
    ),
    "fault": (
        "Fault of shiftproof",
        "Shiftproof itself failed on this mechanism, so nothing is said of its claim.",
        "Report it, with the mechanism; the other mechanisms keep their verdicts.",
    ),
    "violation": (
        "Violation found by sampling",
        "Outputs come more often on an input than the claim allows beside its neighbour.",
        "Find out which draw gives them away, or claim more ε; refute may give exact numbers.",
    ),
    "obsolete": (
        "Certificate obsolete", Standing.OBSOLETE.meaning,
        "Verify the mechanism as it is now, and certify it anew.",
    ),
    "invalid": (
        "Certificate invalid", Standing.INVALID.meaning,
        "Trust nothing that it certifies; find out where it is from.",
    ),
    "unreadable": (
        "Certificate unreadable", Standing.UNREADABLE.meaning,
        "Certify the mechanism anew, with this version.",
    ),
    "rejected": (
        "Theorem rejected",
        "Rocq does not accept the proof of the statement, or it rests on further axioms.",
        "Report it, with the mechanism; until then nothing is proved to Rocq.",
    ),
    "no-theorem": (
        "No theorem",
        "The claim is not proved, or no theorem for Rocq can be made of its proof.",
        "Check its certificate with shiftproof check; the reason says what is not covered.",
    ),
    "other-claim-verdict": (
        "A claim has another verdict than the recorded one",
        "The checks of a paper's claim came to another verdict than its entry records.",
        "Find out whether the entry, a check or the toolkit is wrong.",
    ),
}  # fmt: skip
RULES = {
    name: Rule(name, _LEVELS.get(name, Level.ERROR), *said) for name, said in _SAID.items()
}  # fmt: skip
