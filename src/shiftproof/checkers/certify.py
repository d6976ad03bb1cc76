"""From a verdict to a certificate: what was found is written down, read back, and re-checked."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from ..dsl.mechanism import Mechanism
from ..dsl.normalise import (
    core_text,
    fingerprint,
    in_the_file,
    normalised,
    read_normalised,
    same_program,
)
from ..dsl.relations.program import Program
from ..dsl.version import __version__
from .kernel.arithmetic import Wrong
from .proving.attempts import Answers, Proof
from .trees.confirming import Confirming
from .verdicts import Report, Verdict
from .walking.certificate import VERSION, Certificate, Part, Tools, lines_of_text
from .walking.claims import answer_claims, assumptions, claim_text, precondition_texts
from .walking.costs import cost_texts
from .walking.leaning import texts_of_called
from .walking.runs.heads import loop_lines
from .walking.stated import stated_laws

if TYPE_CHECKING:
    from .refuting.comparison import Comparison, Refutation


@dataclass(frozen=True, slots=True)
class Text:
    """A mechanism's normalised text, the program read from it, and the texts of its callees."""

    text: str
    fingerprint: str
    program: Program
    called: Mapping[str, str]

    @classmethod
    def of(cls, mechanism: Mechanism[..., Any]) -> Text:
        """Write a mechanism down and read it back.

        Raises:
            Unsupported: something in it cannot be written down.
        """
        text = normalised(mechanism)
        read = read_normalised(text)
        program = read.program
        if not same_program(mechanism.program, program):
            where = mechanism.location
            raise AssertionError(f"{where}: the normalised text is another program")
        return cls(text, fingerprint(text), program, texts_of_called(read))


def certified(
    report: Report, mechanism: Mechanism[..., Any], proof: Proof, answers: Answers
) -> Report:
    """The report with its certificate; what the kernel does not agree to is no longer claimed.

    Args:
        report: what was found of the mechanism.
        mechanism: the mechanism.
        proof: of its privacy, if there is one.
        answers: its one-sided claims.

    Raises:
        Unsupported: the mechanism cannot be written down.
    """
    bounded = report.verdict is Verdict.BOUNDED and proof.enumeration is not None
    decided = bounded or report.verdict in (Verdict.PROVED, Verdict.REFUTED)
    if not decided and not answers.proved:
        return report
    text = Text.of(mechanism)
    proof = replace(proof, parts=tuple(placed(part, text.program) for part in proof.parts))
    if answers.part is not None:
        answers = replace(answers, part=placed(answers.part, text.program))
    if bounded or report.verdict is Verdict.PROVED:
        try:
            certificate = certificate_of(text, proof, answers)
            cost = cost_texts(mechanism.program.one_step, proof.parts)
            certificate = structs.replace(certificate, library=mechanism.library)
            return replace(report, certificate=certificate, cost=cost)
        except Wrong as error:
            withdrawn = replace(report, verdict=Verdict.UNKNOWN, sizes="", method="")
            return _withdrawn(withdrawn, error, mechanism.program, proof)
    if answers.part is not None:
        try:
            Confirming(core_text(text.program), laws=stated_laws(text.program)).part(
                answers.part, _proved(answers)
            )
        except Wrong as error:
            report = _withdrawn(report, error, mechanism.program, Proof())
    if report.refutation is None:
        return report
    refuted = structs.replace(refutation_of(text, report.refutation), library=mechanism.library)
    return replace(report, certificate=refuted)


def placed(part: Part, program: Program) -> Part:
    """The part with the lines that its loops have in the certificate's program."""
    lines = loop_lines(program)
    heads = tuple(structs.replace(h, line=lines[h.loop]) for h in part.heads)
    return structs.replace(part, heads=heads)


def _withdrawn(report: Report, error: Wrong, program: Program, proof: Proof) -> Report:
    """The report without what rests on a proof that the kernel rejects.

    Of finite noise the kernel knows fewer forms than the prover; elsewhere it should agree.
    """
    finite = proof.method in ("sums", "enumeration")
    said = "not confirmed by the kernel: " if finite else "alarm: the kernel rejects the proof: "
    alarm = in_the_file(str(error), program, bodies=proof.enumeration is not None, said=said)
    claims = tuple(
        replace(c, outcome="unknown") if c.outcome == "proved" else c for c in report.one_sided
    )
    upper = None if report.verdict is Verdict.UNKNOWN else report.epsilon_upper
    reasons = (*report.reasons, alarm)
    return replace(report, epsilon_upper=upper, reasons=reasons, one_sided=claims)


def _claims_of(text: Text, answers: Answers) -> tuple[str, ...]:
    """The one-sided claims that are proved, with the lines of the normalised text."""
    named = zip(answer_claims(text.program), answers.claims, strict=True)
    return tuple(claim for claim, found in named if found.outcome == "proved")


def _proved(answers: Answers) -> list[bool]:
    return [found.outcome == "proved" for found in answers.claims]


def certificate_of(text: Text, proof: Proof, answers: Answers) -> Certificate:
    """The certificate of a proof, and of the one-sided claims that are proved.

    Raises:
        Wrong: the kernel does not agree.
    """
    program = text.program
    core = core_text(program, bodies=proof.enumeration is not None)
    laws = stated_laws(program)
    kernel = Confirming(core, laws=laws)
    counted = proof.enumeration
    if counted is not None and proof.counted != core:
        counted = kernel.enumerated(counted)
    parts = [kernel.part(part) for part in proof.parts]
    if answers.part is not None:
        parts.append(kernel.part(answers.part, _proved(answers)))
    return Certificate(
        version=VERSION,
        mechanism=program.name,
        source="",
        program=lines_of_text(text.text),
        fingerprint=text.fingerprint,
        claim=claim_text(program),
        preconditions=precondition_texts(program),
        assumptions=assumptions(program),
        core=core,
        one_sided=_claims_of(text, answers),
        parts=tuple(parts),
        enumeration=counted,
        laws=laws,
        leans_on={name: fingerprint(called) for name, called in text.called.items()},
        made_by=tools(),
    )


def refutation_of(text: Text, found: Comparison) -> Refutation:
    """The certificate of a refutation."""
    from .refuting.comparison import Refutation

    program = text.program
    return Refutation(
        version=VERSION,
        mechanism=program.name,
        source="",
        program=lines_of_text(text.text),
        fingerprint=text.fingerprint,
        claim=claim_text(program),
        preconditions=precondition_texts(program),
        assumptions=assumptions(program),
        counterexample=found,
        made_by=tools(),
    )


def tools() -> Tools:
    """What makes certificates here."""
    import z3

    return Tools(__version__, platform.python_version(), z3.get_version_string())
