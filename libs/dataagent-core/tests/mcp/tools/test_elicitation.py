"""Questions of servers, through whole runs: who asks, what an answer becomes, where a run waits."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, resumed, scripted
from mcp_offering import (
    NAME,
    Offering,
    Person,
    agent,
    form,
    listed,
    managed,
    page,
    results,
    text,
    using,
)
from mcp_waiting import DiesBeforeOutcome, WaitsForAnswers, answered, eventually

from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.hitl import Decision
from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.owner import Owner
from dataagent_core.session.stores.bundle import Stores

TOOL = "mcp__local_desk__act"
ADA: Decision = {"type": "answer", "answer": {"name": "Ada", "age": 36}}


def asks(offering: Offering, *questions: Any) -> None:
    """Let the tool ask these, one after the other, and then say what it heard."""
    offering.tools = [listed("act")]

    async def handle(_: Any, params: Any) -> Any:
        rounds = int(params.request_state or 0)
        heard = params.input_responses or {}
        if rounds == len(questions):
            answer = heard["q"]
            return text(f"heard {answer.action} {answer.content}")
        return questions[rounds].model_copy(update={"request_state": str(rounds + 1)})

    offering.handle = handle


async def run(
    access: MCPAccess, tmp_path: Path, person: Any, stores: Stores | None = None
) -> list[Any]:
    model = scripted(using(TOOL), {"text": "ok"})
    made = agent(model, tmp_path, access, handler=person, stores=stores)
    events = await events_of(made)
    await made.aclose()
    return events


@pytest.mark.requirement("F6-4")
async def test_the_question_says_who_asks_and_the_answer_reaches_the_server(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who are you?\x1b[2J", NAME))
    person = Person(ADA)
    events = await run(access, tmp_path, person)
    (request,) = person.questions
    assert (request.kind, request.question, request.question_type) == (
        "elicitation",
        "Who are you?[2J",
        "form",
    )
    assert "The MCP server 'desk' asks this in the middle of 'act'" in (request.context or "")
    asked: Any = request.action_requests[0]["args"]
    assert asked["schema"]["properties"] == NAME["properties"]
    assert results(events)[0].result == "heard accept {'name': 'Ada', 'age': 36}"
    # Once for the question, once with the answer; begun again by nobody.
    assert len(offering.called) == 2
    assert len(person.approved) == 1
    (answer,) = [e for e in events if isinstance(e, HITLAnswerEvent) and e.kind == "elicitation"]
    assert "bound_to" in answer.decision


@pytest.mark.parametrize(
    "answer",
    [{"name": "Ada", "age": "36"}, '{"name": "Ada", "age": 36}', {"name": "Ada", "age": 36.0}],
)
async def test_an_answer_may_come_as_a_face_can_send_it(
    access: MCPAccess, offering: Offering, tmp_path: Path, answer: Any
) -> None:
    asks(offering, form("Who?", NAME))
    events = await run(access, tmp_path, Person({"type": "answer", "answer": answer}))
    assert str(results(events)[0].result).startswith("heard accept {'name': 'Ada', 'age': 36")


async def test_an_answer_that_does_not_fit_is_asked_for_again_with_the_reason(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who?", NAME))
    wrong: list[Decision] = [
        {"type": "answer", "answer": {"age": "old"}},
        {"type": "answer", "answer": "Ada"},
    ]
    person = Person(*wrong, ADA)
    events = await run(access, tmp_path, person)
    first, second, third = [request.context or "" for request in person.questions]
    assert "did not fit" not in first
    assert "`name` is missing" in second
    assert "one JSON object with the fields name, age" in third
    assert str(results(events)[0].result).startswith("heard accept")
    assert len(offering.called) == 2


async def test_after_three_answers_that_do_not_fit_the_server_is_told_that_there_is_none(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who?", NAME))
    wrong: Decision = {"type": "answer", "answer": {"name": ""}}
    person = Person(wrong, wrong, wrong)
    events = await run(access, tmp_path, person)
    assert "heard cancel None" in str(results(events)[0].result)
    assert len(person.questions) == 3


@pytest.mark.parametrize(
    ("decision", "heard"),
    [
        ({"type": "skip"}, "heard decline None"),
        ({"type": "respond", "message": "not theirs to know"}, "heard cancel None"),
    ],
)
async def test_a_person_may_say_no_and_the_run_goes_on(
    access: MCPAccess, offering: Offering, tmp_path: Path, decision: Decision, heard: str
) -> None:
    asks(offering, form("Your password?", NAME))
    events = await run(access, tmp_path, Person(decision))
    (result,) = results(events)
    assert heard in str(result.result)
    assert (decision.get("message") or "") in str(result.result)
    assert events[-1].reason == "completed"


async def test_a_reject_ends_the_run_and_the_call(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who?", NAME))
    events = await run(access, tmp_path, Person({"type": "reject"}))
    assert (events[-1].event_type, events[-1].reason) == ("done", "rejected")
    assert len(offering.called) == 1


async def test_a_page_to_visit_is_shown_with_its_address(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, page("Sign here.", "https://sign.example/doc?id=1"))
    person = Person({"type": "answer", "answer": "done"})
    events = await run(access, tmp_path, person)
    (request,) = person.questions
    assert request.question_type == "url"
    assert "https://sign.example/doc?id=1" in (request.question or "")
    assert "only if you trust that server" in (request.context or "")
    assert "heard accept" in str(results(events)[0].result)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "file:///etc/passwd", "https://a\x1b[2J.b/"]
)
async def test_what_is_no_page_is_shown_to_nobody(
    access: MCPAccess, offering: Offering, tmp_path: Path, url: str
) -> None:
    asks(offering, page("Look.", url))
    person = Person()
    events = await run(access, tmp_path, person)
    assert person.questions == []
    assert "Nobody could be asked" in str(results(events)[0].result)


async def test_several_questions_of_one_call_are_asked_in_turn(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("First?", NAME), form("Second?", NAME), form("Second?", NAME))
    eve: Decision = {"type": "answer", "answer": {"name": "Eve"}}
    person = Person(ADA, ADA, eve)
    events = await run(access, tmp_path, person)
    assert [request.question for request in person.questions] == ["First?", "Second?", "Second?"]
    assert results(events)[0].result == "heard accept {'name': 'Eve'}"
    assert len(offering.called) == 4
    assert len(person.approved) == 1


async def test_a_single_choice_is_shown_as_options_and_answered_by_its_label(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    size = {"type": "string", "oneOf": [{"const": "s", "title": "Small"}, {"const": "l"}]}
    asks(offering, form("Which?", {"type": "object", "properties": {"size": size}}))
    person = Person({"type": "answer", "answer": "Small"})
    events = await run(access, tmp_path, person)
    assert [option["label"] for option in person.questions[0].options] == ["Small", "l"]
    assert results(events)[0].result == "heard accept {'size': 's'}"


async def waiting_at_the_question(
    access: MCPAccess, tmp_path: Path, stores: Stores
) -> HITLRequestEvent:
    """Run until the question, and leave the run there, as a server does."""
    events = await run(access, tmp_path, WaitsForAnswers(), stores)
    assert isinstance(events[-1], HITLRequestEvent)
    assert events[-1].kind == "elicitation"
    return events[-1]


async def test_a_run_put_away_at_a_question_goes_on_with_the_same_call(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who?", NAME))
    stores = Stores.in_memory()
    request = await waiting_at_the_question(access, tmp_path, stores)
    await answered(stores, request, ADA)
    person = Person()
    again = agent(scripted({"text": "ok"}), tmp_path, access, handler=person, stores=stores)
    events = await resumed(again)
    await again.aclose()
    assert str(results(events)[0].result).startswith("heard accept")
    assert len(offering.called) == 2
    # It is no call that a crash cut off: nobody is asked whether to make it again.
    assert person.approved == []


async def test_in_another_process_a_call_that_nobody_holds_open_is_simply_made_again(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who?", NAME))
    stores = Stores.in_memory()
    request = await waiting_at_the_question(access, tmp_path, stores)
    await answered(stores, request, ADA)
    async with managed(offering) as manager:
        person = Person()
        elsewhere = MCPAccess(manager)
        again = agent(scripted({"text": "ok"}), tmp_path, elsewhere, handler=person, stores=stores)
        events = await resumed(again)
        await again.aclose()
    assert str(results(events)[0].result).startswith("heard accept")
    # The question of the first process, the same question again, and the answer.
    assert len(offering.called) == 3
    assert (person.approved, person.questions) == ([], [])


async def test_a_connection_lost_while_a_person_thought_is_made_again(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who?", NAME))

    class Slow(Person):
        async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
            await access.manager.disconnect_user(Owner("local", "tester"))
            return await super().answer_question(request, session_id)

    person = Slow(ADA)
    events = await run(access, tmp_path, person)
    assert str(results(events)[0].result).startswith("heard accept")
    assert (len(person.questions), len(person.approved)) == (1, 1)
    assert len(offering.called) == 3


async def test_a_call_cut_off_after_the_answer_is_not_made_again_without_a_person(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    """The server had the answer and did it; then the process was gone."""
    asks(offering, form("Who?", NAME))
    log = DiesBeforeOutcome()
    stores = replace(Stores.in_memory(), log=log)
    request = await waiting_at_the_question(access, tmp_path, stores)
    await answered(stores, request, ADA)
    log.dying = True
    second = agent(scripted({"text": "ok"}), tmp_path, access, stores=stores)
    assert (await resumed(second))[-1].event_type == "error"
    await second.aclose()
    log.dying = False
    assert len(offering.called) == 2
    person = Person()
    person.decisions = [{"type": "respond", "message": "it happened"}]
    third = agent(scripted({"text": "ok"}), tmp_path, access, handler=person, stores=stores)
    events = await resumed(third)
    await third.aclose()
    (action,) = person.approved
    assert action.get("unknown_outcome")
    assert "it happened" in str(results(events)[0].result)
    assert len(offering.called) == 2


async def test_a_repeated_call_that_asks_in_the_middle_and_is_cut_off_needs_another_yes(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who?", NAME))
    log = DiesBeforeOutcome()
    stores = replace(Stores.in_memory(), log=log)
    await answered(stores, await waiting_at_the_question(access, tmp_path, stores), ADA)
    log.dying = True
    people: list[Person] = []
    events: list[Any] = []
    for attempt in range(3):
        log.dying = attempt < 2
        person = Person(ADA)
        another = agent(scripted({"text": "ok"}), tmp_path, access, handler=person, stores=stores)
        events = await resumed(another)
        await another.aclose()
        people.append(person)
    # The first only went on with the answer.
    assert [len(person.approved) for person in people] == [0, 1, 1]
    begun = [person.approved[0].get("times_begun", 0) for person in people[1:]]
    assert begun[1] > begun[0] > 0
    assert str(results(events)[0].result).startswith("heard accept")


async def test_what_a_run_that_is_over_waited_for_is_given_up(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    asks(offering, form("Who?", NAME))
    stores = Stores.in_memory()
    request = await waiting_at_the_question(access, tmp_path, stores)
    (key,) = access.held.keys
    held = access.held.find(key)
    assert held is not None
    access.held.cancel_run("another run")
    assert held.alive
    access.held.cancel_run(request.run_id or "")
    await eventually(lambda: not held.alive)
