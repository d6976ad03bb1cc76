"""Local definitions on the command line: inputs of users, audits at the ε of each pair."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import pytest
from click.testing import CliRunner, Result

from shiftproof import (
    BadInput,
    DPrivacy,
    Epsilon,
    Laplace,
    Mechanism,
    Values,
    Verdict,
    audit,
    mechanism,
    one_mechanism,
    other,
    sample,
    verify,
)
from shiftproof.commands.cli import main
from tests.places import ROOT

PAGE = ROOT / "docs" / "language.md"


def distance(x: float) -> float:
    return abs(x - other(x))


@mechanism(DPrivacy(distance))
def far_apart(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> Iterator[float]:
    for v in x:
        noise = sample(Laplace(1 / eps))
        yield v + noise


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def sets(**values: str) -> list[str]:
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


class TestSimulate:
    @pytest.mark.parametrize(
        ("name", "inputs", "outcome"),
        [
            ("one_sided_responses", {"x": "1,0,9", "eps": "1"}, "1, 0, None"),
            ("one_sided_responses", {"x": "8,", "eps": "1"}, "None"),
            ("k_ary_response", {"x": "4", "k": "4", "eps": "2"}, "4"),
            ("geometric_response", {"x": "-30", "eps": "3"}, "-30"),
            ("exponential_mechanism", {"q": "0,0,1", "eps": "9"}, "2"),
            ("staircase", {"f": "1", "step": "1/2", "share": "0.5", "eps": "1"}, "<float>"),
        ],
    )
    def test_inputs_of_users(self, name: str, inputs: dict[str, str], outcome: str) -> None:
        done = run("simulate", name, "--samples", 3000, "--seed", 1, *sets(**inputs))
        assert done.exit_code == 0
        (first,) = re.findall(r"share  outcome\n *[0-9,]+ +[0-9.]+ %  (.*)", done.stdout)
        assert first == outcome

    @pytest.mark.parametrize(
        ("name", "inputs", "message"),
        [
            ("k_ary_response", {"x": "5", "k": "4", "eps": "1"}, "x has 5; it must lie in [1, 4]"),
            ("k_ary_response", {"x": "0", "k": "4", "eps": "1"}, "x: got 0; it must lie in [1, k]"),
            ("one_sided_responses", {"x": "1,12", "eps": "1"}, "x[1]: got 12; it must lie in"),
            ("one_sided_responses", {"x": "1,0.5", "eps": "1"}, "an int is needed"),
            ("private_binary_search", {"x": "0,2", "tau": "1", "L": "1", "eps": "1"}, "x[1]: got"),
        ],
    )
    def test_errors(self, name: str, inputs: dict[str, str], message: str) -> None:
        done = run("simulate", name, "--samples", 10, *sets(**inputs))
        assert done.exit_code == 3 and message in done.stderr

    @pytest.mark.parametrize(
        "name",
        ["k_ary_response", "truncated_geometric_response", "private_binary_search", "rappor"],
    )
    def test_examples_can_be_given(self, name: str) -> None:
        """What a message says can be typed."""
        told = run("simulate", name, "--samples", 10)
        assert told.exit_code == 3
        (shown,) = re.findall("give, say, (.*)", told.stderr)
        assert run("simulate", name, "--samples", 10, *shown.split()).exit_code == 0

    def test_baskets_are_no_users(self, tmp_path: Path) -> None:
        file = tmp_path / "baskets.dat"
        file.write_text("1 2\n2\n")
        done = run("run", "one_sided_responses", "--data", file, *sets(eps="1"))
        assert done.exit_code == 3 and "item counts can only be given" in done.stderr


def found(name: str, *options: Any, samples: str = "3e4") -> dict[str, Any]:
    done = run("audit", name, "--samples", samples, "--seed", 1, "--json", *options)
    assert done.exit_code in (0, 1), done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


class TestAudit:
    @pytest.mark.parametrize(
        "name",
        [
            "context_aware_response_for_zero",
            "input_discriminative_response_of_zero",
            "mangat_too_honest",
            "one_sided_response_too_often",
            "private_binary_search_whole_budget",
            "truncated_geometric_response_half_noise",
            "utility_optimized_response_for_two",
        ],
    )
    def test_incorrect_ones_are_found(self, name: str) -> None:
        assert found(name)["verdict"] == "violation found"

    def test_the_distance_counts(self) -> None:
        page = found("truncated_geometric_response", *sets(n="4", eps="0.5"), samples="2e4")
        assert page["verdict"] == "no violation found" and page["unit"] == "distance"
        assert 0.35 < page["lower_bound"] < 0.5
        for event in page["events"]:
            apart = abs(event["left"]["x"] - event["right"]["x"])
            assert event["epsilon"] == pytest.approx(0.5 * apart)

    def test_the_budget_of_each_pair_counts(self) -> None:
        options = [*sets(eps="2", eps_fine="1"), "--black-box"]
        page = found("input_discriminative_response", *options, samples="1e4")
        assert page["verdict"] == "no violation found" and page["unit"] == "budget"
        assert page["epsilon"] == 1.0 and {e["epsilon"] for e in page["events"]} == {1.0}
        assert 0.8 < page["lower_bound"] < 1
        text = run("audit", "input_discriminative_response", *options, "--samples", "1e4").stdout
        lines = [" ".join(line.split()) for line in text.splitlines()]
        assert any(
            line.startswith("claim the ε of each pair, on 2 ordered pairs") for line in lines
        )
        assert "some pair has at least" in text and "owed ε = 1" in lines
        # Of a user's own ε each pair owes the same.
        assert found("context_aware_response", *options, "--epsilon", "1")["unit"] is None

    def test_only_protected_outputs_count(self) -> None:
        page = found("utility_optimized_response", *sets(s="1", k="3", eps="1"), samples="2e4")
        assert page["verdict"] == "no violation found" and "protected" in page["notes"][0]
        assert {e["event"] for e in page["events"]} == {"the output is 1"}

    def test_pairs_of_ones_own(self, tmp_path: Path) -> None:
        file = tmp_path / "pairs.json"
        file.write_text(json.dumps([[{"x": 0}, {"x": 3}], [{"x": 4}, {"x": 0}]]))
        options = ["--pairs", file, *sets(n="4", eps="ln 2")]
        page = found("truncated_geometric_response", *options, samples="1e4")
        assert page["verdict"] == "no violation found" and page["pairs"] == 2
        assert {round(e["epsilon"] / 0.693147, 3) for e in page["events"]} <= {3.0, 4.0}

    @pytest.mark.parametrize(
        ("name", "inputs", "message"),
        [
            ("k_ary_response", {"k": "1"}, "no neighbours within the preconditions were found"),
            ("context_aware_response", {"eps": "1e-5", "eps_fine": "1e-5"}, "is below 0.0001"),
        ],
    )
    def test_errors(self, name: str, inputs: dict[str, str], message: str) -> None:
        done = run("audit", name, *sets(**inputs), "--black-box", "--samples", "1e4")
        assert done.exit_code == 3 and message in done.stderr


def test_a_tolerance_is_of_each_pair() -> None:
    """Half of the noise costs twice: 2 at distance 2 where 1 is owed."""
    target = one_mechanism("truncated_geometric_response_half_noise")
    pairs = [({"x": 0}, {"x": 2})]
    given = {"n": 2, "eps": 0.5}
    for tolerance, verdict in ((0.8, "violation found"), (1.1, "no violation found")):
        result = audit(
            target, pairs=pairs, given=given, tolerance=tolerance, samples=30_000, seed=1
        )
        assert result.verdict == verdict and result.unit == "distance"


def test_pairs_must_have_an_epsilon() -> None:
    target = one_mechanism("context_aware_response")
    with pytest.raises(BadInput, match=r"what pair 1 owes is not 0, but less than 0\.0001"):
        audit(target, pairs=[({"x": 1}, {"x": 0})], given={"eps": 1e-5, "eps_fine": 1.0})
    users = [({"x": (0.0, 1.0)}, {"x": (1.0, 0.0)})]
    with pytest.raises(BadInput, match="no ε is known for"):
        audit(far_apart, pairs=users, given={"eps": 1.0})


@pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")
def test_the_page_of_the_language(tmp_path: Path) -> None:
    """Its complete examples are mechanisms, and are proved."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    file = tmp_path / "page.py"
    file.write_text("\n".join(blocks[:3]))
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    mechanisms = [m for m in space.values() if isinstance(m, Mechanism)]
    names = [m.function.__name__ for m in mechanisms]
    assert names == [
        "sparse_vector", "normal", "normal_by_its_width", "never_above_by_more_than", "anywhere",
        "warner",
    ]  # fmt: skip
    for m in mechanisms[1:]:
        assert verify(m).verdict is Verdict.PROVED
