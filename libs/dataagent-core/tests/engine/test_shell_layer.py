"""Where no read-only sandbox stands behind the shell, only the exact list runs unasked."""

from pathlib import Path

import pytest
from agents import Answering, events_of, scripted, settings
from vendor import Vendor

from dataagent_core.engine import AgentConfig, AgentFactory

COMMANDS = ("pwd", "cat here.txt", "git status", "echo a | wc -l", "ls .", "bash -c pwd")


async def asked_about(person: Answering, factory: AgentFactory, workspace: Path) -> list[str]:
    calls = [{"tool_calls": [{"name": "shell", "args": {"command": one}}]} for one in COMMANDS]
    config = AgentConfig(
        assistant_id="tester",
        model=scripted(*calls, {"text": "done"}),
        workspace_path=workspace,
    )
    executor = factory.create_executor(config, person)
    await events_of(executor)
    await executor.aclose()
    return [str(action["args"]["command"]) for action in person.asked]


@pytest.mark.parametrize("where", ["host", "modal"])
async def test_on_the_host_and_elsewhere_only_the_exact_list_is_not_asked_about(
    where: str, tmp_path: Path
):
    (tmp_path / "w").mkdir()
    person = Answering()
    if where == "host":
        factory = AgentFactory(settings(), unsafe_host_shell=True)
    else:
        vendor = Vendor(tmp_path / "vendor")
        chosen = settings(sandbox_type=where)
        factory = AgentFactory(chosen, open_machine=vendor.open_machine)
    asked = await asked_about(person, factory, tmp_path / "w")
    assert asked == ["cat here.txt", "git status", "ls .", "bash -c pwd"]


async def test_in_the_local_sandbox_looking_is_not_asked_about(tmp_path: Path):
    (tmp_path / "w").mkdir()
    person = Answering()
    assert await asked_about(person, AgentFactory(settings()), tmp_path / "w") == []
