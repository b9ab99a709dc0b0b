"""Kills a run with SIGKILL at every named point and at random ones, then resumes it."""

import random
import subprocess
import time
from pathlib import Path

import pytest

from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint
from tests.counts import rounds
from tests.kill.kill_run import RESUME_S_MAX, kill_and_resume
from tests.kill.points import POINTS
from tests.kill.victim import Victim, parallel_script, script
from tests.warm.popen import WarmPopen

NTHS = (1, 2, 3)
RANDOM_KILLS = rounds(12, soak=2_000)


@pytest.mark.slow
@pytest.mark.requirement("F2-kill-resume")
@pytest.mark.parametrize("point", POINTS)
def test_a_run_killed_at_a_named_point_resumes_to_its_end(tmp_path: Path, point: str) -> None:
    """Each point is hit several times in one run's life; one that is never hit is a failure."""
    kill_and_resume(tmp_path, point, script(), NTHS)


@pytest.mark.slow
@pytest.mark.requirement("F2-kill-resume")
@pytest.mark.parametrize(
    "point",
    ["intent written", "tool done, outcome not committed", "event committed, checkpoint not"],
)
def test_sub_agents_killed_side_by_side_resume_with_no_call_twice(
    tmp_path: Path, point: str
) -> None:
    # The first five are the agent's own reads; the next are tasks and edits of the sub-agents.
    kill_and_resume(tmp_path, point, parallel_script(), (7, 9, 11))


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.requirement("F2-kill-resume")
def test_runs_killed_at_random_moments_resume_to_their_end(tmp_path: Path) -> None:
    chance = random.Random(20261115)
    kills = 0
    with ScriptedEndpoint(Script.model_validate(script(chunk_delay_s=0.05))) as endpoint:
        number = 0
        while kills < RANDOM_KILLS:
            number += 1
            folder = tmp_path / str(number)
            folder.mkdir()
            victim = Victim(folder / "home", folder / "work", endpoint.base_url)
            victim.greet()
            process = victim.run()
            while True:
                wait_for_first_event(victim, process)
                try:
                    process.wait(timeout=chance.uniform(0, 2.5))
                    process.communicate()
                    break
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    victim.note_kill()
                    kills += 1
                process = victim.resume()
            assert victim.events()[-1]["event_type"] == "done"
            victim.check()
    assert kills >= RANDOM_KILLS


def wait_for_first_event(victim: Victim, process: WarmPopen) -> None:
    """Let the process get as far as the log: a kill before that tests Python's start-up."""
    known = len(victim.events())
    deadline = time.monotonic() + RESUME_S_MAX
    while process.poll() is None and len(victim.events()) <= known:
        assert time.monotonic() < deadline, "nothing happens"
        time.sleep(0.02)
