"""Kills runs by a workflow, with SIGKILL at each of their calls and around them, then resumes them.

Whatever the moment: no call twice and each step once. An edit that was made and not written down is
a surprise when it is tried again: then, and only then, the agent goes on in the workflow's place.
"""

from pathlib import Path

import pytest

from tests.counts import rounds
from tests.kill.kill_run import kill_and_resume
from tests.kill.points import AFTER_AN_ANSWER
from tests.kill.workflow_victim import WorkflowVictim, workflow_script

# The edits, the model's place, and of five calls side by side the first and another one come first.
CALLS = (1, 3, 6, 10, 2, 4, 5, 7, 8, 9)
SOME = CALLS[:4]
EACH_CALL = CALLS[: rounds(4, soak=len(CALLS))]


@pytest.mark.requirement("F21-kill-workflow")
@pytest.mark.slow
@pytest.mark.requirement("F2-kill-resume")
@pytest.mark.parametrize(
    ("point", "nths"),
    [
        ("plan committed", (1,)),
        (AFTER_AN_ANSWER, (1, 2, 5)),
        ("step begun", SOME),
        ("intent written", SOME),
        ("tool done, outcome not committed", EACH_CALL),
        ("event committed, checkpoint not", EACH_CALL),
        ("step done, its end not committed", SOME),
        ("step ended", SOME),
        ("plan over, answer not written", (1,)),
        ("text committed, checkpoint not", (1,)),
        ("before done", (1,)),
    ],
)
def test_a_workflow_killed_at_any_point_makes_each_call_once(
    tmp_path: Path, point: str, nths: tuple[int, ...]
) -> None:
    kill_and_resume(tmp_path, point, workflow_script(), nths, WorkflowVictim)
