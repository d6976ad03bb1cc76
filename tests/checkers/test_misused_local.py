"""Local definitions under attack: never proved, and one clear sentence where something is wrong."""

import pytest

from shiftproof import Verdict, verify
from tests.programs.checkers import misused_local_mechanisms as found


@pytest.mark.parametrize(
    "name", ["credit_for_the_same", "credit_at_a_call", "private_for_nothing", "large_numbers"]
)
def test_never_proved(name: str) -> None:
    report = verify(getattr(found, name), effort=500)
    assert report.verdict in (Verdict.UNKNOWN, Verdict.REFUTED), report
    assert not report.as_expected


SENTENCES = {
    "an_int_as_a_condition_where_nobody_comes": "an int is used as a condition",
    "without_neighbours": "no two different inputs are neighbours",
    "a_lambda": "a function defined with def is needed",
    "sensitive_as_a_pair": "'two' is about one value",
    "a_budget_of_two": "'gap' is the budget of one value",
    "a_query_at_a_distance": "Query has no neighbours under DPrivacy",
    "a_range_up_to_a_real": "its bound 'eps' is no integer parameter",
    "a_range_up_to_nothing": "its bound 'k' is no public scalar parameter",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_what_is_wrong_is_said(name: str) -> None:
    report = verify(getattr(found, name))
    assert report.verdict is Verdict.UNSUPPORTED
    assert SENTENCES[name] in report.reasons[0]
