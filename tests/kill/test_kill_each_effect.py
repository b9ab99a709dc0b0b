"""Kills a process between intent and outcome of a call of each effect class, then resumes it.

A pure or idempotent call runs again. Any other is put to a person with what is known, and without
one nothing happens: whatever the moment of the kill, nothing irreversible runs twice.
"""

import json
import signal
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from dataagent_core.config import Settings
from dataagent_core.engine import AgentFactory
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.models import Script
from dataagent_core.session.stores.bundle import open_sqlite
from dataagent_core.testing import ScriptedEndpoint
from dataagent_core.tools.effects import Effect
from tests.kill.effects import EFFECTS, MOMENTS, agent_config, lines_in
from tests.kill.victim import ROOT, Victim

PROCESS_S_MAX = 300
MAY_REPEAT: frozenset[Effect] = frozenset({"pure", "idempotent"})


@dataclass
class Person:
    """A person who looked at the outside file, and so knows whether the call happened."""

    counter: Path
    asked: list[ActionRequest] = field(default_factory=list[ActionRequest])

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        self.asked.append(action_request)
        if lines_in(self.counter):
            return {"type": "reject", "message": "it happened"}
        return {"type": "approve"}

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Do nothing: these calls need no answer."""


def kill(victim: Victim, script: str, point: str, *arguments: str) -> None:
    witness = victim.home / "hit"
    worker = str(ROOT / "tests/kill" / script)
    process = victim.start(
        worker, victim.session, str(victim.workspace), str(witness), point, *arguments
    )
    out, err = process.communicate(timeout=PROCESS_S_MAX)
    assert process.returncode == -signal.SIGKILL, f"{err}\n{out}"
    assert witness.read_text() == point


async def resume(victim: Victim, effect: Effect, counter: Path, person: Person) -> list[Any]:
    settings = Settings(home=victim.home)
    async with open_sqlite(settings.database_path, "local") as stores:
        factory = AgentFactory(settings, person, stores=stores)
        config = agent_config(victim.workspace, effect, counter)
        async with aclosing(factory.create_executor(config)) as executor:
            return [event async for event in executor.resume(victim.session)]


@pytest.mark.slow
@pytest.mark.requirement("F3-kill-each-effect")
@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("point", MOMENTS)
async def test_a_call_killed_between_intent_and_outcome_runs_again_only_if_it_may(
    tmp_path: Path, effect: Effect, point: str
) -> None:
    victim = Victim(tmp_path / "home", tmp_path / "work", "")
    counter = tmp_path / "counter"
    kill(victim, "effects_worker.py", point, effect, str(counter))
    assert lines_in(counter) == MOMENTS[point]
    person = Person(counter)
    events = await resume(victim, effect, counter, person)
    assert events[-1].event_type == "done"
    if effect in MAY_REPEAT:
        assert person.asked == []
        assert lines_in(counter) == MOMENTS[point] + 1
        assert events[-1].content == "The work is done."
        return
    (asked,) = person.asked
    assert asked.get("unknown_outcome") is True
    assert asked["args"] == {"what": "it"}
    assert (
        f"work had begun when the process ended. Nobody knows whether it happened. The call is {effect}"
        in (asked.get("reason") or "")
    )
    assert lines_in(counter) == 1


def shell_script() -> Script:
    call = {"name": "shell", "args": {"command": "echo ran >> ran.txt"}}
    steps = [{"text": "Now.", "tool_calls": [call]}, {"text": "The command ran."}]
    scripts = [{"match": "^hello", "steps": [{"text": "Hello there."}]}, {"steps": steps}]
    return Script.model_validate({"scripts": scripts})


@pytest.mark.slow
@pytest.mark.requirement("F3-kill-each-effect")
@pytest.mark.parametrize("point", MOMENTS)
def test_a_killed_command_is_not_run_again_by_dataagent_resume_even_with_yes(
    tmp_path: Path, point: str
) -> None:
    with ScriptedEndpoint(shell_script()) as endpoint:
        victim = Victim(tmp_path / "home", tmp_path / "work", endpoint.base_url)
        kill(victim, "worker.py", point, "1")
        ran = victim.workspace / "ran.txt"
        assert lines_in(ran) == MOMENTS[point]
        process = victim.resume()
        out, err = process.communicate(timeout=PROCESS_S_MAX)
        assert process.returncode == 3, f"{err}\n{out}"
        assert lines_in(ran) == MOMENTS[point]
    requests = [event for event in victim.events() if event["event_type"] == "hitl_request"]
    assert "shell had begun when the process ended" in json.dumps(requests[-1])
