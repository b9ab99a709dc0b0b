"""Servers that hold a call open while they wait for a person (the handshake era), as real programs."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, resumed, scripted
from mcp_offering import Person, agent, managed, results, using
from mcp_openers import small, text_of
from mcp_waiting import DiesBeforeOutcome, WaitsForAnswers, answered

from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import Decision
from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.owner import Owner
from dataagent_core.session.stores.bundle import Stores

TOOL = "mcp__local_small__elicit"
ADA: Decision = {"type": "answer", "answer": {"name": "Ada"}}
EVE: Decision = {"type": "answer", "answer": {"name": "Eve"}}


@pytest.fixture
async def access(tmp_path: Path) -> AsyncGenerator[MCPAccess]:
    async with managed(folder=tmp_path / "servers") as manager:
        made = MCPAccess(manager)
        yield made
        await made.held.aclose()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def executor(access: MCPAccess, workspace: Path, stores: Stores, person: Any) -> Any:
    model = scripted(using(TOOL, message="Who?"), {"text": "ok"})
    return agent(model, workspace, access, servers=[small()], handler=person, stores=stores)


async def put_away(access: MCPAccess, workspace: Path, stores: Stores) -> HITLRequestEvent:
    made = executor(access, workspace, stores, WaitsForAnswers())
    events = await events_of(made)
    await made.aclose()
    assert isinstance(events[-1], HITLRequestEvent)
    return events[-1]


async def test_a_person_who_is_there_answers_and_the_call_goes_on(
    access: MCPAccess, workspace: Path
) -> None:
    person = Person(ADA)
    made = executor(access, workspace, Stores.in_memory(), person)
    events = await events_of(made)
    await made.aclose()
    answer = json.loads(str(results(events)[0].result))
    assert answer == {"action": "accept", "content": {"name": "Ada"}}
    assert len(person.approved) == 1


async def test_a_run_put_away_finds_the_call_that_the_server_holds_open(
    access: MCPAccess, workspace: Path
) -> None:
    stores = Stores.in_memory()
    request = await put_away(access, workspace, stores)
    await answered(stores, request, ADA)
    person = Person()
    again = executor(access, workspace, stores, person)
    events = await resumed(again)
    await again.aclose()
    assert json.loads(str(results(events)[0].result))["content"] == {"name": "Ada"}
    assert (person.approved, person.questions) == ([], [])


async def test_nobody_else_finds_it(access: MCPAccess, workspace: Path) -> None:
    await put_away(access, workspace, Stores.in_memory())
    (key,) = access.held.keys
    others = [
        key._replace(owner=replace(key.owner, user_id="somebody")),
        key._replace(server="another"),
        key._replace(run_id="another"),
        key._replace(call_key="another"),
    ]
    assert [access.held.find(other) for other in others] == [None] * 4
    assert access.held.find(key) is not None


async def test_in_another_process_a_person_says_whether_to_make_the_call_again(
    access: MCPAccess, workspace: Path, tmp_path: Path
) -> None:
    """Nobody knows what the server did with the call it held: that is for a person."""
    stores = Stores.in_memory()
    request = await put_away(access, workspace, stores)
    await answered(stores, request, ADA)
    async with managed(folder=tmp_path / "elsewhere") as manager:
        person = Person(EVE)
        again = executor(MCPAccess(manager), workspace, stores, person)
        events = await resumed(again)
        await again.aclose()
    (action,) = person.approved
    assert action.get("unknown_outcome")
    # They said yes, and the new call asks anew.
    assert [question.question for question in person.questions] == ["Who?"]
    assert json.loads(str(results(events)[0].result))["content"] == {"name": "Eve"}


async def test_a_call_that_was_made_again_can_be_put_away_again(
    access: MCPAccess, workspace: Path, tmp_path: Path
) -> None:
    stores = Stores.in_memory()
    await answered(stores, await put_away(access, workspace, stores), ADA)
    async with managed(folder=tmp_path / "elsewhere") as manager:
        elsewhere = MCPAccess(manager)
        waiting = WaitsForAnswers()
        second = executor(elsewhere, workspace, stores, waiting)
        with_question = await resumed(second)
        await second.aclose()
        request = with_question[-1]
        assert isinstance(request, HITLRequestEvent)
        assert [action.get("unknown_outcome") for action in waiting.approved] == [True]
        await answered(stores, request, EVE)
        person = Person()
        third = executor(elsewhere, workspace, stores, person)
        events = await resumed(third)
        await third.aclose()
    assert (person.approved, person.questions) == ([], [])
    assert json.loads(str(results(events)[0].result))["content"] == {"name": "Eve"}


async def test_a_call_given_up_while_a_person_thought_is_not_made_again_by_itself(
    access: MCPAccess, workspace: Path
) -> None:
    class Slow(Person):
        """Answers when the time is up."""

        async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
            await access.held.aclose()
            return await super().answer_question(request, session_id)

    person = Slow(ADA)
    made = executor(access, workspace, Stores.in_memory(), person)
    events = await events_of(made)
    await made.aclose()
    (result,) = results(events)
    assert result.status == "error"
    assert "has given it up" in str(result.result)
    assert len(person.approved) == 1


async def test_a_call_cut_off_after_the_answer_is_a_persons_to_judge(
    access: MCPAccess, workspace: Path
) -> None:
    log = DiesBeforeOutcome()
    stores = replace(Stores.in_memory(), log=log)
    log.dying = True
    made = executor(access, workspace, stores, Person(ADA))
    assert (await events_of(made))[-1].event_type == "error"
    await made.aclose()
    log.dying = False
    person = Person()
    person.decisions = [{"type": "respond", "message": "it happened"}]
    again = executor(access, workspace, stores, person)
    events = await resumed(again)
    await again.aclose()
    assert person.approved[0].get("unknown_outcome")
    assert "it happened" in str(results(events)[0].result)


@pytest.mark.parametrize("way", ["reject", "cancel"])
async def test_the_server_hears_when_the_run_ends_at_the_question(
    access: MCPAccess, workspace: Path, way: str
) -> None:
    token = asyncio.Event()

    class Leaves(Person):
        async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
            assert len(access.held.keys) == 1
            if way == "cancel":
                token.set()
                await asyncio.Event().wait()
            return {"type": "reject"}

    made = executor(access, workspace, Stores.in_memory(), Leaves())
    events = [event async for event in made.execute("go", "s", cancellation_token=token)]
    await made.aclose()
    assert events[-1].reason in {"rejected", "user_cancelled"}
    assert access.held.keys == []
    server = access.manager.connection(Owner("local", "tester"), small())
    async with asyncio.timeout(60):
        while text_of(await server.call("cancelled", {}, timeout_s=10)) == "[]":
            pass


async def test_without_anybody_the_run_waits(access: MCPAccess, workspace: Path) -> None:
    class OnlyApproves:
        async def request_approval(self, action_request: Any, session_id: str) -> Decision:
            return {"type": "approve"}

    made = executor(access, workspace, Stores.in_memory(), OnlyApproves())
    events = await events_of(made)
    await made.aclose()
    assert isinstance(events[-1], HITLRequestEvent)
