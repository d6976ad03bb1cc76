"""What is known of a mechanism of the gallery, from its certificate: nothing is proved anew."""

from __future__ import annotations

from brackets import Kept

from shiftproof import OneSided, Report, Verdict, verify
from shiftproof.checkers.refuting.comparison import Refutation
from shiftproof.checkers.walking.certificate import (
    Certificate,
    kind_of_certificate,
    read_certificate,
)
from shiftproof.workspace.files import gallery_certificates
from shiftproof.workspace.gallery_index import Entry
from shiftproof.workspace.targets import one_mechanism


def report_of(entry: Entry, bracket: Kept | None) -> Report:
    """What ``verify`` would say, without its search.

    Where the certificate is not about what is expected (a one-sided claim that is wrong has none),
    the mechanism is verified after all.
    """
    data = (gallery_certificates() / f"{entry.module}.{entry.name}.json").read_bytes()
    if kind_of_certificate(data) == "refutation":
        report = _refuted(entry, read_certificate(data, Refutation))
    else:
        report = _proved(entry, read_certificate(data, Certificate), bracket)
    return report if report.as_expected else verify(one_mechanism(entry.target))


def _refuted(entry: Entry, certificate: Refutation) -> Report:
    return Report(
        entry.name, str(entry.file), entry.line, certificate.claim, certificate.preconditions,
        Verdict.REFUTED, entry.expected, refutation=certificate.counterexample,
        assumptions=certificate.assumptions, certificate=certificate,
        subject=one_mechanism(entry.target),
    )  # fmt: skip


def _proved(entry: Entry, certificate: Certificate, bracket: Kept | None) -> Report:
    verdict = Verdict(certificate.verdict)
    counted = certificate.enumeration
    return Report(
        entry.name, str(entry.file), entry.line, certificate.claim, certificate.preconditions,
        verdict, entry.expected,
        sizes="all" if counted is None or counted.complete else f"up to {counted.largest}",
        epsilon_upper=bracket["upper"] if bracket else None,
        method="sums" if certificate.is_summed else "enumeration" if counted else "alignment",
        assumptions=certificate.assumptions,
        one_sided=tuple(OneSided(claim, "proved") for claim in certificate.one_sided),
        certificate=certificate,
        subject=one_mechanism(entry.target),
    )  # fmt: skip
