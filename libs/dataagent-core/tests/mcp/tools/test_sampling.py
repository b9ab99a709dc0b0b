"""Requests of servers for the agent's model, through whole runs: real servers, a real endpoint."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, resumed, settings
from mcp_addresses import served
from mcp_offering import Person, results, using
from mcp_openers import link_of, plain_opener, small, text_of
from mcp_sampling_server import PROGRAM, sampling_server
from mcp_waiting import DiesBeforeOutcome, Waiting, answered, eventually

from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.events import HITLRequestEvent, StepFinishEvent, WarningEvent
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import SamplingRequest, SamplingResult, every_server, no_sampling
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.models import Script
from dataagent_core.permissions import Rule, RunTerms
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.testing import ScriptedEndpoint

ME = Owner("local", "tester")
NAME = "mcp__local_desk__sampling/createMessage"
HELLO: dict[str, Any] = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "Say hello."}}],
    "systemPrompt": "You greet.",
    "maxTokens": 100,
    "modelPreferences": {"hints": [{"name": "some-model"}]},
    "includeContext": "allServers",
}
YES: Decision = {"type": "approve"}


def text_request(text: str, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"messages": [message], "maxTokens": 50, **more}


@asynccontextmanager
async def opened(
    config: MCPServerConfig, *, legacy: bool, folder: Path | None = None
) -> AsyncGenerator[MCPAccess]:
    opener = transport_opener(policy=None) if folder is None else plain_opener(folder)
    manager = MCPConnectionManager(opener, offers_sampling=every_server)
    server = manager.connection(ME, config)
    link_of(server).health.legacy = legacy
    access = MCPAccess(manager)
    try:
        # A run waits for a listing no longer than a busy machine may need to start a program.
        await server.tools()
        yield access
    finally:
        await access.aclose()


def program() -> MCPServerConfig:
    return MCPServerConfig(name="desk", command=sys.executable, args=[PROGRAM], timeout=120)


@asynccontextmanager
async def at_address(give_up: asyncio.Event | None = None) -> AsyncGenerator[MCPServerConfig]:
    async with served(sampling_server(give_up).streamable_http_app()) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        yield MCPServerConfig(name="desk", transport="http", url=url, timeout=30)


@pytest.fixture(params=["stdio", "http"])
async def desk(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[tuple[MCPAccess, MCPServerConfig]]:
    """Give a server of the handshake era, as a program and at an address."""
    if request.param == "stdio":
        config = program()
        async with opened(config, legacy=True, folder=tmp_path / "servers") as access:
            yield access, config
        return
    async with at_address() as config, opened(config, legacy=True) as access:
        yield access, config


def script(call: dict[str, Any], sampled: dict[str, Any] | None = None) -> ScriptedEndpoint:
    """Play a model that calls the tool and then says ok; servers get the other answer."""
    scripts = [
        {"match": "^go", "steps": [call, {"text": "ok"}]},
        {"steps": [sampled or {"text": "hello"}]},
    ]
    return ScriptedEndpoint(Script.model_validate({"scripts": scripts}))


def sampled_by(endpoint: ScriptedEndpoint) -> list[dict[str, Any]]:
    """Give the requests that were made for servers: those without tools."""
    return [dict(one.body) for one in endpoint.requests if "tools" not in one.body]


def executor(
    desk: tuple[MCPAccess, MCPServerConfig],
    endpoint: ScriptedEndpoint,
    workspace: Path,
    *,
    person: Any = None,
    stores: Stores | None = None,
    home: Path | None = None,
    chosen: dict[str, Any] | None = None,
    **more: Any,
) -> AgentExecutor:
    access, server = desk
    given = dict(chosen or {}, openai_base_url=endpoint.base_url)
    factory = AgentFactory(
        settings(home=home, **given) if home else settings(**given), stores=stores, mcp=access
    )
    config = AgentConfig(
        assistant_id="tester",
        model="openai:scripted",
        workspace_path=workspace,
        mcp_config=MCPConfig(servers=[server]),
        **more,
    )
    return factory.create_executor(config, person)


async def run(made: AgentExecutor, *kept_rules: Rule) -> list[Any]:
    try:
        return await events_of(made, terms=RunTerms(kept_rules=kept_rules))
    finally:
        await made.aclose()


def tool(name: str, **args: Any) -> dict[str, Any]:
    return using(f"mcp__local_desk__{name}", **args)


def heard(events: list[Any]) -> list[dict[str, Any]]:
    """Give what the server was answered; what the agent is told stands above it."""
    return json.loads(str(results(events)[0].result).splitlines()[-1])


def samplings(person: Person) -> list[ActionRequest]:
    return [one for one in person.approved if one["name"] == NAME]


def warnings_of(events: list[Any]) -> list[str]:
    return [e.code for e in events if isinstance(e, WarningEvent)]


@pytest.mark.requirement("F6-4")
async def test_a_server_gets_the_models_answer_after_a_person_has_seen_all_of_its_words(
    desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
) -> None:
    person = Person()
    with script(tool("ask", request=HELLO)) as endpoint:
        events = await run(executor(desk, endpoint, tmp_path, person=person))
        (sampled,) = sampled_by(endpoint)
    assert heard(events) == [{"text": "hello", "model": "scripted", "stop": "endTurn"}]
    (action,) = samplings(person)
    assert action["args"] == {
        "server": "desk",
        "system_prompt": "You greet.",
        "messages": [{"role": "user", "text": "Say hello."}],
        "max_tokens": 100,
        "model_hints": ["some-model"],
    }
    assert "nobody has checked them" in action.get("reason", "")
    # The model sees what the server sent and nothing else.
    assert [(one["role"], one["content"]) for one in sampled["messages"]] == [
        ("system", "You greet."),
        ("user", "Say hello."),
    ]
    assert sampled["max_tokens"] == 100
    # It is in the log, and counts like every other call of the run.
    assert warnings_of(events) == ["mcp_sampling"]
    assert len([e for e in events if isinstance(e, StepFinishEvent)]) == 3
    assert "hello" not in [getattr(e, "content", "") for e in events]
    assert events[-1].reason == "completed"


@pytest.mark.parametrize("desk", ["http"], indirect=True)
class TestDecisions:
    """What a person or a rule says, and what the server hears of it."""

    async def test_a_no_is_the_protocols_error_and_ends_the_asking_of_this_call(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        person = Person()
        person.decisions = [YES, {"type": "respond", "message": "not for this"}]
        with script(tool("ask", request=HELLO, times=3)) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, person=person))
            assert sampled_by(endpoint) == []
        assert [one["code"] for one in heard(events)] == [-1, -1, -1]
        assert len(samplings(person)) == 1
        assert "and says: not for this" in str(results(events)[0].result)
        assert events[-1].reason == "completed"

    async def test_a_reject_ends_the_run_and_no_model_is_asked(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        person = Person()
        person.decisions = [YES, {"type": "reject"}]
        with script(tool("ask", request=HELLO)) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, person=person))
            assert sampled_by(endpoint) == []
        assert (events[-1].event_type, events[-1].reason) == ("done", "rejected")

    async def test_a_person_may_change_what_is_sent(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        edited = {"messages": [{"role": "user", "text": "Say bye."}], "max_tokens": 5}
        person = Person()
        person.decisions = [YES, {"type": "edit", "args": edited}]
        with script(tool("ask", request=HELLO)) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, person=person))
            (sampled,) = sampled_by(endpoint)
        assert [one["content"] for one in sampled["messages"]] == ["Say bye."]
        assert sampled["max_tokens"] == 5
        assert heard(events)[0]["text"] == "hello"

    async def test_an_edit_that_is_no_request_is_a_no(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        person = Person()
        person.decisions = [YES, {"type": "edit", "args": {"messages": "hm"}}]
        with script(tool("ask", request=HELLO)) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, person=person))
            assert sampled_by(endpoint) == []
        assert heard(events)[0]["code"] == -1

    async def test_a_rule_that_names_sampling_answers_for_the_person(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        with script(tool("ask", request=HELLO)) as endpoint:
            made = executor(desk, endpoint, tmp_path, auto_approve=True)
            events = await run(made, Rule(NAME, "**", "allow", "session"))
        assert heard(events)[0]["text"] == "hello"
        assert warnings_of(events) == ["mcp_sampling"]

    @pytest.mark.parametrize("tool_allowed", ["mcp__local_desk__*", "*"])
    async def test_a_rule_for_all_tools_of_a_server_is_no_rule_for_sampling(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path, tool_allowed: str
    ) -> None:
        person = Person()
        with script(tool("ask", request=HELLO)) as endpoint:
            made = executor(desk, endpoint, tmp_path, person=person)
            await run(made, Rule(tool_allowed, "**", "allow", "session"))
        assert [one["name"] for one in person.approved] == [NAME]

    async def test_a_rule_that_denies_all_of_a_server_denies_it_sampling(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        person = Person()
        with script(tool("ask", request=HELLO)) as endpoint:
            made = executor(desk, endpoint, tmp_path, person=person)
            events = await run(
                made,
                Rule("mcp__local_desk__*", "**", "deny", "session"),
                Rule("mcp__local_desk__ask", "**", "allow", "session"),
            )
            assert sampled_by(endpoint) == []
        assert heard(events) == [{"code": -32600, "error": "a rule denies it"}]
        assert samplings(person) == []

    @pytest.mark.parametrize("more", [{"auto_approve": True}, {}], ids=["yes", "no handler"])
    async def test_where_nobody_can_be_asked_it_is_refused(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path, more: dict[str, Any]
    ) -> None:
        with script(tool("ask", request=HELLO)) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, **more))
            assert sampled_by(endpoint) == []
        assert "nobody can be asked here" in heard(events)[0]["error"]
        asked = [e for e in events if isinstance(e, HITLRequestEvent)]
        assert NAME not in [one.action_requests[0]["name"] for one in asked]
        assert events[-1].reason == "completed"


@pytest.mark.parametrize("desk", ["http"], indirect=True)
class TestLimits:
    """How much a server may ask, and of what."""

    async def test_a_budget_that_is_used_up_refuses_it_and_nobody_is_asked_to_raise_it(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        limit = 50_000
        call = {**tool("ask", request=HELLO), "usage": {"input_tokens": limit - 50}}
        person = Person({"type": "reject"})
        with script(call) as endpoint:
            chosen = {"run_tokens_max": limit, "max_output_tokens": 1_000}
            made = executor(desk, endpoint, tmp_path, person=person, chosen=chosen)
            events = await run(made)
            assert sampled_by(endpoint) == []
        assert heard(events) == [{"code": -32600, "error": "the budget of the run is used up"}]
        assert "budget" in str(results(events)[0].result).splitlines()[0]
        # The one question about the budget is the run's own, for its next step.
        assert [one.kind for one in person.questions] == ["budget"]
        asked = [e for e in events if isinstance(e, HITLRequestEvent) and e.kind == "budget"]
        assert events.index(asked[0]) > events.index(results(events)[0])

    async def test_the_runs_model_calls_are_counted(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        with script(tool("ask", request=HELLO, times=2)) as endpoint:
            chosen = {"run_model_calls_max": 2}
            made = executor(desk, endpoint, tmp_path, person=Person(), chosen=chosen)
            events = await run(made)
            assert len(sampled_by(endpoint)) == 1
        first, second = heard(events)
        assert (first["text"], second["error"]) == (
            "hello",
            "the run has used all its model calls",
        )

    async def test_a_server_that_asks_in_a_loop_is_answered_ten_times(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        person = Person()
        with script(tool("ask", request=HELLO, times=30)) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, person=person))
            assert len(sampled_by(endpoint)) == 10
        answers = heard(events)
        assert ["error" in one for one in answers] == [False] * 10 + [True] * 20
        assert len(samplings(person)) == 10

    async def test_requests_at_the_same_time_are_put_one_after_the_other(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        person = Person()
        with script(tool("together", request=HELLO, times=3)) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, person=person))
        assert [one["text"] for one in heard(events)] == ["hello"] * 3
        keys = [one.get("call_key") for one in samplings(person)]
        assert len(set(keys)) == len(keys) == 3

    async def test_what_is_too_large_is_refused_unseen(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        person = Person()
        call = {**tool("ask", request=text_request("x" * 40_001)), "chunk_chars": 50_000}
        with script(call) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, person=person))
            assert sampled_by(endpoint) == []
        (answer,) = heard(events)
        assert answer["code"] == -32602
        assert "at most 40,000 characters" in answer["error"]
        assert samplings(person) == []

    async def test_what_a_person_reads_is_what_the_model_gets(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        # Cursor, direction, joiner, tags; and what draws nothing though it counts as a letter.
        hiding = "Be\x1b[2J\u202enice\u200b.\r\x07\nBye\U000e0041\U000e0141\ufe01\u3164\u034f."
        person = Person()
        request = text_request(hiding, systemPrompt=hiding)
        with script(tool("ask", request=request)) as endpoint:
            await run(executor(desk, endpoint, tmp_path, person=person))
            (sampled,) = sampled_by(endpoint)
        (action,) = samplings(person)
        plain = "Be[2Jnice.\nBye."
        assert action["args"]["system_prompt"] == plain
        assert action["args"]["messages"] == [{"role": "user", "text": plain}]
        assert [one["content"] for one in sampled["messages"]] == [plain, plain]

    async def test_a_model_that_fails_is_an_error_that_tells_the_server_nothing_of_ours(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        failing = {"text": "", "failures": [{"status": 401, "message": "bad key sk-secret"}] * 9}
        with script(tool("ask", request=HELLO), failing) as endpoint:
            events = await run(executor(desk, endpoint, tmp_path, person=Person()))
        assert heard(events) == [{"code": -32600, "error": "the model could not answer"}]
        assert events[-1].reason == "completed"


class TestEnds:
    """What becomes of a request when its call, its run or its process ends."""

    async def test_a_run_put_away_goes_on_with_the_same_request_and_asks_the_model_once(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        stores = Stores.in_memory()
        with script(tool("ask", request=HELLO, times=2)) as endpoint:
            for count in (0, 1):
                request = await waits(desk, endpoint, tmp_path, stores)
                assert len(sampled_by(endpoint)) == count
                await answered(stores, request, YES)
            person = Person()
            again = executor(desk, endpoint, tmp_path, person=person, stores=stores)
            events = await resumed(again)
            await again.aclose()
            assert len(sampled_by(endpoint)) == 2
        assert [one["text"] for one in heard(events)] == ["hello", "hello"]
        assert person.approved == []

    @pytest.mark.parametrize("desk", ["http"], indirect=True)
    async def test_in_another_process_a_person_decides_whether_the_call_is_made_again(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        """The call that the server held is lost with our process; what it had done nobody knows."""
        stores = Stores.in_memory()
        with script(tool("ask", request=HELLO)) as endpoint:
            request = await waits(desk, endpoint, tmp_path, stores)
            await answered(stores, request, YES)
            async with opened(desk[1], legacy=True) as access:
                person = Person()
                elsewhere = (access, desk[1])
                again = executor(elsewhere, endpoint, tmp_path, person=person, stores=stores)
                events = await resumed(again)
                await again.aclose()
            assert len(sampled_by(endpoint)) == 1
        first, *more = person.approved
        assert first.get("unknown_outcome")
        # The yes to the first call's request is none to the second's.
        assert [one["name"] for one in more] == [NAME]
        assert heard(events)[0]["text"] == "hello"

    async def test_a_request_that_the_server_takes_back_stops_the_model_call(
        self, tmp_path: Path
    ) -> None:
        slow, give_up = {"text": "hello", "delay_s": 30}, asyncio.Event()
        async with at_address(give_up) as config, opened(config, legacy=True) as access:
            with script(tool("impatient", request=HELLO), slow) as endpoint:
                made = executor((access, config), endpoint, tmp_path, person=Person())
                running = asyncio.create_task(run(made))
                await eventually(lambda: len(sampled_by(endpoint)) == 1)
                give_up.set()
                async with asyncio.timeout(25):
                    events = await running
        assert results(events)[0].result == "took it back"
        assert events[-1].reason == "completed"

    @pytest.mark.parametrize("desk", ["http"], indirect=True)
    async def test_cancelling_the_run_stops_the_model_call(
        self, desk: tuple[MCPAccess, MCPServerConfig], tmp_path: Path
    ) -> None:
        token = asyncio.Event()
        slow = {"text": "hello", "delay_s": 30}
        with script(tool("ask", request=HELLO), slow) as endpoint:
            made = executor(desk, endpoint, tmp_path, person=Person())

            async def going() -> list[Any]:
                return [event async for event in made.execute("go", "s", cancellation_token=token)]

            running = asyncio.create_task(going())
            await eventually(lambda: len(sampled_by(endpoint)) == 1)
            token.set()
            async with asyncio.timeout(15):
                events = await running
            await made.aclose()
        assert events[-1].reason == "user_cancelled"
        assert desk[0].held.keys == []

    async def test_outside_of_a_call_nobody_is_asked(self, tmp_path: Path) -> None:
        config = small()
        async with opened(config, legacy=True, folder=tmp_path / "servers") as access:
            server = access.manager.connection(ME, config)

            async def sample(_: SamplingRequest) -> SamplingResult:
                raise AssertionError("asked")

            await server.call("sample_late", {}, timeout_s=20, sample=sample)
            answer = json.loads(text_of(await server.call("late_answer", {}, timeout_s=20)))
        assert answer["error"]["code"] == -32600


async def test_a_sub_agents_call_may_ask_for_the_model(tmp_path: Path) -> None:
    """The whole run is asked, and pays."""
    person = Person()
    delegate = {"description": "look around", "subagent_type": "general-purpose"}
    scripts = [
        {"match": "^go", "steps": [using("task", **delegate), {"text": "ok"}]},
        {"match": "^look around", "steps": [tool("ask", request=HELLO), {"text": "looked"}]},
        {"steps": [{"text": "hello"}]},
    ]
    async with at_address() as config, opened(config, legacy=True) as access:
        with ScriptedEndpoint(Script.model_validate({"scripts": scripts})) as endpoint:
            events = await run(executor((access, config), endpoint, tmp_path, person=person))
            assert len(sampled_by(endpoint)) == 1
    (action,) = samplings(person)
    assert action.get("subagent") == "general-purpose"
    answer = next(one for one in results(events) if "stop" in str(one.result))
    assert json.loads(str(answer.result))[0]["text"] == "hello"
    assert len([e for e in events if isinstance(e, StepFinishEvent)]) == 5


async def test_a_message_of_a_hundred_megabytes_ends_the_connection_and_not_the_run(
    tmp_path: Path,
) -> None:
    config, person = small(name="desk"), Person()
    async with opened(config, legacy=True, folder=tmp_path / "servers") as access:
        with script(tool("sample", size=100_000_000)) as endpoint:
            events = await run(executor((access, config), endpoint, tmp_path, person=person))
            assert sampled_by(endpoint) == []
    (result,) = results(events)
    assert result.status == "error"
    assert samplings(person) == []
    assert events[-1].reason == "completed"


async def test_a_modern_server_is_answered_within_its_call(tmp_path: Path) -> None:
    person = Person()
    async with at_address() as config, opened(config, legacy=False) as access:
        with script(tool("review", text="water")) as endpoint:
            events = await run(executor((access, config), endpoint, tmp_path, person=person))
    assert results(events)[0].result == "water: hello (scripted, endTurn)"
    (action,) = samplings(person)
    assert action["args"]["messages"] == [{"role": "user", "text": "Review: water"}]


async def test_a_modern_server_is_called_again_in_another_process_and_the_yes_still_counts(
    tmp_path: Path,
) -> None:
    """It held nothing: the same request comes again, for which the answer is in the log."""
    stores, person = Stores.in_memory(), Person()
    async with at_address() as config:
        with script(tool("review", text="water")) as endpoint:
            async with opened(config, legacy=False) as access:
                request = await waits((access, config), endpoint, tmp_path, stores)
                await answered(stores, request, YES)
            async with opened(config, legacy=False) as access:
                desk = (access, config)
                again = executor(desk, endpoint, tmp_path, person=person, stores=stores)
                events = await resumed(again)
                await again.aclose()
            assert len(sampled_by(endpoint)) == 1
    assert results(events)[0].result == "water: hello (scripted, endTurn)"
    assert person.approved == []


async def test_after_a_crash_behind_the_models_answer_a_person_decides_about_the_call(
    tmp_path: Path,
) -> None:
    """The server had its answer and went on: whether the call did its work nobody knows."""
    person, log = Person(), DiesBeforeOutcome()
    stores = replace(Stores.in_memory(), log=log)
    async with at_address() as config:
        with script(tool("ask", request=HELLO)) as endpoint:
            async with opened(config, legacy=True) as access:
                log.dying = True
                await run(
                    executor((access, config), endpoint, tmp_path, person=Person(), stores=stores)
                )
                log.dying = False
                assert len(sampled_by(endpoint)) == 1
            async with opened(config, legacy=True) as access:
                desk = (access, config)
                again = executor(desk, endpoint, tmp_path, person=person, stores=stores)
                person.decisions = [{"type": "respond", "message": "leave it"}]
                events = await resumed(again)
                await again.aclose()
            assert len(sampled_by(endpoint)) == 1
    (asked,) = person.approved
    assert asked.get("unknown_outcome")
    assert events[-1].reason == "completed"


async def test_a_modern_server_that_is_refused_ends_its_call(tmp_path: Path) -> None:
    person = Person()
    person.decisions = [YES, {"type": "respond", "message": "no"}]
    async with at_address() as config, opened(config, legacy=False) as access:
        with script(tool("review", text="water")) as endpoint:
            events = await run(executor((access, config), endpoint, tmp_path, person=person))
    (result,) = results(events)
    assert result.status == "error"
    assert "the person refused the request" in str(result.result)


@pytest.mark.parametrize("offers", [True, False])
async def test_the_capability_is_declared_where_it_is_offered(
    tmp_path: Path, *, offers: bool
) -> None:
    manager = MCPConnectionManager(
        plain_opener(tmp_path), offers_sampling=every_server if offers else no_sampling
    )
    try:
        answer = await manager.connection(ME, small()).call("roots", {}, timeout_s=30)
        declared, _ = json.loads(text_of(answer))
        assert ("sampling" in declared) == offers
    finally:
        await manager.aclose()


async def waits(
    desk: tuple[MCPAccess, MCPServerConfig],
    endpoint: ScriptedEndpoint,
    workspace: Path,
    stores: Stores,
) -> HITLRequestEvent:
    """Run until a request for the model waits for somebody."""
    made = executor(desk, endpoint, workspace, person=WaitsForModel(), stores=stores)
    begun = await stores.log.last_seq("s") > 0
    events = await (resumed(made) if begun else events_of(made))
    await made.aclose()
    assert isinstance(events[-1], HITLRequestEvent)
    return events[-1]


class WaitsForModel(Waiting):
    """Approves calls; a server's request for the model leaves the run waiting."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Any:
        if action_request["name"] != NAME:
            return YES
        return await super().request_approval(action_request, session_id)
