"""Our client against the community's conformance suite, one scenario at a time."""

from pathlib import Path

import pytest

from tests.mcp.suite import REVISIONS, client_failures, required

# Scenarios that fail on purpose: none.


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.requirement("F6-conformance")
def test_no_required_client_scenario_fails(revision: str, tmp_path: Path) -> None:
    scenarios = required(revision).client
    assert scenarios
    failed = {
        scenario: failures
        for scenario in scenarios
        if (failures := client_failures(scenario, revision, tmp_path / scenario.replace("/", "-")))
    }
    assert failed == {}
