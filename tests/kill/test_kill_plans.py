"""Kills runs that work by a plan, with SIGKILL at named points of it, then resumes them.

Whatever the moment: no call twice, one beginning and one end for each step, the plan completed.
"""

from pathlib import Path

import pytest

from tests.kill.kill_run import kill_and_resume
from tests.kill.planned_victim import AskedVictim, PlannedVictim, StagedVictim, planned_script
from tests.kill.points import IN_PLANS, IN_STAGES

AROUND_CALLS = (
    "intent written",
    "tool done, outcome not committed",
    "event committed, checkpoint not",
)
AT_A_QUESTION = ("waiting for an approval", "approval given")


@pytest.mark.requirement("F21-kill")
@pytest.mark.slow
@pytest.mark.requirement("F2-kill-resume")
@pytest.mark.parametrize("point", IN_PLANS)
def test_a_plan_killed_at_any_point_is_carried_out_once(tmp_path: Path, point: str) -> None:
    # The first step, one beside others, and the agent's own.
    nths = (1, 2, 4) if "step" in point else (1,)
    kill_and_resume(tmp_path, point, planned_script(), nths, PlannedVictim)


@pytest.mark.requirement("F21-kill")
@pytest.mark.slow
@pytest.mark.requirement("F2-kill-resume")
@pytest.mark.parametrize("point", AROUND_CALLS)
def test_parallel_steps_killed_in_their_calls_make_none_twice(tmp_path: Path, point: str) -> None:
    # The first three are the tasks, then come the sub-agents' reads and edits.
    kill_and_resume(tmp_path, point, planned_script(), (2, 5, 8, 12), PlannedVictim)


@pytest.mark.requirement("F21-kill")
@pytest.mark.slow
@pytest.mark.requirement("F2-kill-resume")
@pytest.mark.parametrize("point", AT_A_QUESTION)
def test_a_plan_killed_while_it_is_put_to_a_person_is_not_made_again(
    tmp_path: Path, point: str
) -> None:
    kill_and_resume(tmp_path, point, planned_script(asked=True), (1,), AskedVictim)


@pytest.mark.requirement("F21-kill")
@pytest.mark.slow
@pytest.mark.requirement("F2-kill-resume")
@pytest.mark.parametrize("point", IN_STAGES)
def test_a_staged_run_killed_in_any_stage_goes_through_each_once(
    tmp_path: Path, point: str
) -> None:
    kill_and_resume(tmp_path, point, planned_script(staged=True), (1,), StagedVictim)
