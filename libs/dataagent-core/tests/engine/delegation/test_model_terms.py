"""A sub-agent's own model, temperature, top_p and length of answers, as the provider reads them."""

from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, settings
from subagent_scripts import ends_of, make_script, specialist, task

from dataagent_core.testing import ScriptedEndpoint

KEYS = ("model", "temperature", "top_p", "max_tokens", "max_completion_tokens")


async def bodies_of(tmp_path: Path, *subagents: Any, model: str = "small", **chosen: Any) -> Any:
    """Give each a task at once; return what the provider read, by whose prompt it was."""
    tasks = [task(f"DO {one.name}", to=one.name) for one in subagents]
    script = make_script(tasks, DO=[{"text": "ok"}])
    with ScriptedEndpoint(script) as server:
        agent = executor(
            f"openai:{model}",
            tmp_path,
            subagents=subagents,
            auto_approve=True,
            chosen=settings(openai_base_url=server.base_url, openai_api_key="x", **chosen),
        )
        try:
            events = await events_of(agent)
        finally:
            await agent.aclose()
        bodies = [dict(request.body) for request in server.requests]
    assert {end.phase for end in ends_of(events).values()} == {"finished"}
    names = [one.name for one in subagents]
    found: dict[str, dict[str, Any]] = {}
    for body in bodies:
        system = str(body["messages"][0]["content"])
        owner = next((name for name in names if f"You are {name}." in system), "agent")
        found[owner] = {key: body[key] for key in KEYS if key in body}
    return found


@pytest.mark.requirement("S2-9.1")
@pytest.mark.requirement("S2-C.2.6")
async def test_what_a_sub_agent_states_reaches_the_provider(tmp_path: Path) -> None:
    found = await bodies_of(
        tmp_path,
        specialist("usual"),
        specialist("cold", temperature=0.0, max_tokens=321),
        # Some providers refuse both, so that the more exact one is sent.
        specialist("choosy", temperature=0.3, top_p=0.25),
        specialist("other", model="openai:large"),
    )
    assert found["agent"] == {"model": "small"}
    assert found["usual"] == {"model": "small", "temperature": 0.7, "max_tokens": 4096}
    assert found["cold"] == {"model": "small", "temperature": 0.0, "max_tokens": 321}
    assert found["choosy"] == {"model": "small", "top_p": 0.25, "max_tokens": 4096}
    assert found["other"] == {"model": "large", "temperature": 0.7, "max_tokens": 4096}


async def test_a_sub_agents_sub_agent_inherits_from_its_delegator(tmp_path: Path) -> None:
    boss = specialist("boss", model="openai:large", temperature=0.1)
    hand = specialist("hand", temperature=0.9, max_tokens=99)
    below = {"tool_calls": [task("LAST", to="hand")]}
    script = make_script(
        [task("FIRST", to="boss")], FIRST=[below, {"text": "ok"}], LAST=[{"text": "x"}]
    )
    with ScriptedEndpoint(script) as server:
        agent = executor(
            "openai:small",
            tmp_path,
            subagents=(boss, hand),
            auto_approve=True,
            chosen=settings(openai_base_url=server.base_url, openai_api_key="x"),
        )
        try:
            await events_of(agent)
        finally:
            await agent.aclose()
        sent = [
            (body["model"], body.get("temperature"), body.get("max_tokens"))
            for body in (request.body for request in server.requests)
        ]
    assert sent == [
        ("small", None, None),
        ("large", 0.1, 4096),
        ("large", 0.9, 99),
        ("large", 0.1, 4096),
        ("small", None, None),
    ]


async def test_a_limit_of_the_installation_is_not_raised_by_a_sub_agent(tmp_path: Path) -> None:
    found = await bodies_of(tmp_path, specialist("long", max_tokens=9_000), max_output_tokens=77)
    assert found["long"]["max_tokens"] == 77
