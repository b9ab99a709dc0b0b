"""Calls that need a sign-in first, through whole runs against a real authorization server."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, resumed, scripted
from mcp_auth_server import AuthServer, auth_server
from mcp_offering import Person, agent, results, using
from mcp_people import a_store, signed_in
from mcp_waiting import DiesBeforeOutcome, WaitsForAnswers, answered

from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import Decision
from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.oauth import FileTokenStore, auth_for
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.session.stores.bundle import Stores

ME = Owner("local", "tester")
WRITE = "mcp__local_notes__write"
DONE: Decision = {"type": "answer", "answer": "done"}


@pytest.fixture
async def server() -> AsyncGenerator[AuthServer]:
    async with auth_server() as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> FileTokenStore:
    return a_store(tmp_path)


@pytest.fixture
async def access(store: FileTokenStore) -> AsyncGenerator[MCPAccess]:
    async for made in shared(store):
        yield made


async def shared(store: FileTokenStore) -> AsyncGenerator[MCPAccess]:
    opener = transport_opener(policy=None, auth=auth_for(store))
    made = MCPAccess(MCPConnectionManager(opener), sign_in_page=lambda run, at: f"/{run}/{at}")
    yield made
    await made.aclose()


class SignsIn(Person):
    """Does what is asked before answering, as a person with a browser."""

    def __init__(
        self, act: Callable[[HITLRequestEvent], Awaitable[None]], *answers: Decision
    ) -> None:
        super().__init__(*answers)
        self._act = act

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        await self._act(request)
        return await super().answer_question(request, session_id)


async def run(
    server: AuthServer,
    access: MCPAccess,
    folder: Path,
    person: Any,
    stores: Stores | None = None,
) -> list[Any]:
    model = scripted(using(WRITE, text="hi"), {"text": "ok"})
    servers = [server.config()]
    made = agent(model, folder, access, servers=servers, handler=person, stores=stores)
    events = await events_of(made)
    await made.aclose()
    return events


async def again(
    server: AuthServer, access: MCPAccess, folder: Path, person: Any, stores: Stores
) -> list[Any]:
    model = scripted({"text": "ok"})
    servers = [server.config()]
    made = agent(model, folder, access, servers=servers, handler=person, stores=stores)
    events = await resumed(made)
    await made.aclose()
    return events


def asked_for(request: HITLRequestEvent) -> Any:
    return request.action_requests[0]["args"]


@pytest.mark.requirement("F6-oauth")
async def test_more_rights_are_asked_for_and_the_call_goes_through_with_the_new_tokens(
    server: AuthServer, store: FileTokenStore, access: MCPAccess, tmp_path: Path
) -> None:
    await signed_in(server, store, ME)

    async def step_up(request: HITLRequestEvent) -> None:
        await signed_in(server, store, ME, scopes=asked_for(request)["scopes"])

    person = SignsIn(step_up, {"type": "approve"})
    events = await run(server, access, tmp_path, person)
    (request,) = person.questions
    assert (request.kind, request.question_type) == ("oauth", "url")
    asked = asked_for(request)
    assert (asked["server"], asked["tool"], asked["scopes"]) == ("notes", "write", "read write")
    assert asked["url"] == f"/{events[0].run_id}/notes"
    assert "Sign in at the MCP server 'notes' with these rights: read write" in str(
        request.question
    )
    assert results(events)[0].result == "wrote hi"
    assert len(person.approved) == 1


async def test_a_revoked_sign_in_is_asked_for_anew(
    server: AuthServer, store: FileTokenStore, access: MCPAccess, tmp_path: Path
) -> None:
    server.does.tool_scopes = {}
    await signed_in(server, store, ME)

    async def sign_in(_: HITLRequestEvent) -> None:
        await signed_in(server, store, ME)

    class Revoked(SignsIn):
        async def request_approval(self, action_request: Any, session_id: str) -> Decision:
            server.revoke_all()
            return await super().request_approval(action_request, session_id)

    person = Revoked(sign_in, DONE)
    events = await run(server, access, tmp_path, person)
    assert len(person.questions) == 1
    assert results(events)[0].result == "wrote hi"


async def test_who_says_they_did_and_did_not_is_asked_three_times(
    server: AuthServer, store: FileTokenStore, access: MCPAccess, tmp_path: Path
) -> None:
    await signed_in(server, store, ME)
    person = Person(DONE, DONE, DONE)
    events = await run(server, access, tmp_path, person)
    assert [asked_for(request)["times_asked"] for request in person.questions] == [1, 2, 3]
    assert "refused again" not in str(person.questions[0].context)
    assert "refused again" in str(person.questions[1].context)
    (result,) = results(events)
    assert (result.status, "needs the person to sign in" in result.result) == ("error", True)
    assert events[-1].reason == "completed"


@pytest.mark.parametrize(
    "decision", [{"type": "skip"}, {"type": "respond", "message": "no account there"}]
)
async def test_a_person_may_go_on_without_and_the_agent_reads_why(
    server: AuthServer,
    store: FileTokenStore,
    access: MCPAccess,
    tmp_path: Path,
    decision: Decision,
) -> None:
    await signed_in(server, store, ME)
    person = Person(decision)
    events = await run(server, access, tmp_path, person)
    (result,) = results(events)
    assert result.status == "error"
    assert "needs the person to sign in" in result.result
    assert (decision.get("message") or "") in result.result
    assert len(person.questions) == 1
    assert events[-1].reason == "completed"


async def test_a_reject_ends_the_run(
    server: AuthServer, store: FileTokenStore, access: MCPAccess, tmp_path: Path
) -> None:
    await signed_in(server, store, ME)
    events = await run(server, access, tmp_path, Person({"type": "reject"}))
    assert events[-1].reason == "rejected"


async def test_where_nobody_is_the_agent_is_told_and_the_run_goes_on(
    server: AuthServer, store: FileTokenStore, access: MCPAccess, tmp_path: Path
) -> None:
    await signed_in(server, store, ME)
    events = await run(server, access, tmp_path, None)
    (result,) = results(events)
    assert (result.status, "dataagent mcp login notes" in result.result) == ("error", True)
    assert events[-1].reason == "completed"


async def waiting(
    server: AuthServer, access: MCPAccess, tmp_path: Path, stores: Stores
) -> HITLRequestEvent:
    events = await run(server, access, tmp_path, WaitsForAnswers(), stores)
    assert isinstance(events[-1], HITLRequestEvent)
    assert events[-1].kind == "oauth"
    return events[-1]


async def test_a_run_put_away_goes_on_in_another_process(
    server: AuthServer, store: FileTokenStore, access: MCPAccess, tmp_path: Path
) -> None:
    await signed_in(server, store, ME)
    stores = Stores.in_memory()
    request = await waiting(server, access, tmp_path, stores)
    # Twice: the first time they only said so.
    await answered(stores, request, DONE)
    async for elsewhere in shared(store):
        events = await again(server, elsewhere, tmp_path, WaitsForAnswers(), stores)
        assert isinstance(events[-1], HITLRequestEvent)
        assert asked_for(events[-1])["times_asked"] == 2
        await signed_in(server, store, ME, scopes="read write")
        await answered(stores, events[-1], DONE)
    person = Person()
    events: list[Any] = []
    async for third in shared(store):
        events = await again(server, third, tmp_path, person, stores)
    assert results(events)[0].result == "wrote hi"
    # It is no call that a crash cut off: nobody is asked whether to make it again.
    assert (person.approved, person.questions) == ([], [])


async def test_a_call_cut_off_after_the_sign_in_is_not_made_again_without_a_person(
    server: AuthServer, store: FileTokenStore, access: MCPAccess, tmp_path: Path
) -> None:
    await signed_in(server, store, ME)
    log = DiesBeforeOutcome()
    stores = replace(Stores.in_memory(), log=log)
    request = await waiting(server, access, tmp_path, stores)
    await signed_in(server, store, ME, scopes="read write")
    await answered(stores, request, DONE)
    log.dying = True
    assert (await again(server, access, tmp_path, None, stores))[-1].event_type == "error"
    log.dying = False
    person = Person()
    person.decisions = [{"type": "respond", "message": "it happened"}]
    events = await again(server, access, tmp_path, person, stores)
    (action,) = person.approved
    assert action.get("unknown_outcome")
    assert "it happened" in str(results(events)[0].result)


async def test_a_call_cut_off_in_the_process_that_asked_is_not_made_again_either(
    server: AuthServer, store: FileTokenStore, access: MCPAccess, tmp_path: Path
) -> None:
    await signed_in(server, store, ME)
    log = DiesBeforeOutcome()
    stores = replace(Stores.in_memory(), log=log)

    async def step_up(_: HITLRequestEvent) -> None:
        await signed_in(server, store, ME, scopes="read write")
        log.dying = True

    events = await run(server, access, tmp_path, SignsIn(step_up, DONE), stores)
    assert events[-1].event_type == "error"
    log.dying = False
    person = Person()
    person.decisions = [{"type": "respond", "message": "it happened"}]
    await again(server, access, tmp_path, person, stores)
    (action,) = person.approved
    assert action.get("unknown_outcome")
