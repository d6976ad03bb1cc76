"""SARIF 2.1.0, for code scanning: every finding with its rule, its places and a fingerprint.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from typing import Any

from ... import __version__
from ..account import Account, Answers, Finding, Place, Rule
from ..printable import uri
from ..report import json_text
from ..rules import RULES

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INDEX = {name: index for index, name in enumerate(RULES)}
#: What relative URIs are relative to; where that is on this machine is nobody's business.
_ROOT = "%SRCROOT%"
_FINGERPRINT = "shiftproofFinding/v1"


def render(answers: Answers, printed: bool = False) -> str:
    """The findings as a SARIF log of one run."""
    seen: Counter[str] = Counter()
    run = {
        "tool": {
            "driver": {
                "name": "shiftproof",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(rule) for rule in RULES.values()],
            }
        },
        # Two commands on one commit are two analyses: neither closes what the other found.
        "automationDetails": {"id": f"shiftproof/{answers.command}/"},
        "invocations": [
            {
                "executionSuccessful": True,
                "exitCode": answers.status,
                "exitCodeDescription": answers.summary,
            }
        ],
        "originalUriBaseIds": {
            _ROOT: {"description": {"text": "The folder in which shiftproof was run."}}
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(account, finding, seen)
            for account in answers.accounts
            for finding in account.findings
        ],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, printed)


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": rule.meaning},
        "help": {"text": rule.advice},
        "defaultConfiguration": {"level": str(rule.level)},
    }


def _result(account: Account, finding: Finding, seen: Counter[str]) -> dict[str, Any]:
    location = _location(finding.place)
    location["logicalLocations"] = [{"name": account.title, "kind": "function"}]
    result: dict[str, Any] = {
        "ruleId": finding.rule.name,
        "ruleIndex": _INDEX[finding.rule.name],
        "level": str(finding.rule.level),
        "message": _message(finding),
        "locations": [location],
        "partialFingerprints": {_FINGERPRINT: _fingerprint(finding, seen)},
        "properties": {"mechanism": account.title, "answer": account.verdict, **account.details},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(place), "message": {"text": _literal(place.text)}}
            for number, place in enumerate(finding.related, start=1)
        ]
    if finding.expected:
        result["suppressions"] = [
            {"kind": "inSource", "status": "accepted", "justification": finding.expected}
        ]
    return result


def _message(finding: Finding) -> dict[str, str]:
    lines = "\n".join(finding.lines)
    text = f"{finding.headline}\n{lines}" if lines else finding.headline
    marked = f"{finding.headline}\n\n{_block(lines)}" if lines else finding.headline
    return {"text": _literal(text), "markdown": _literal(marked)}


def _literal(text: str) -> str:
    """A message that holds no placeholder, whatever its braces."""
    return text.replace("{", "{{").replace("}", "}}")


def _block(text: str) -> str:
    """The text as a block of code, whatever it holds."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def _location(place: Place) -> dict[str, Any]:
    name = uri(place.file)
    artifact = {"uri": name} if os.path.isabs(place.file) else {"uri": name, "uriBaseId": _ROOT}
    region = {"startLine": max(1, place.line)}
    if place.column:
        region["startColumn"] = place.column
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _fingerprint(finding: Finding, seen: Counter[str]) -> str:
    """What stays the same while lines move: the rule and the finding's key, never a place."""
    key = "\0".join((finding.rule.name, *finding.key))
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    seen[digest] += 1
    return f"{digest}:{seen[digest]}"
