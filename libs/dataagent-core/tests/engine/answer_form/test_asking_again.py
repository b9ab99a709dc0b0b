"""A run whose answer must fit a schema: told, checked, asked again, given up."""

from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, resumed, scripted, types

from dataagent_core.config.limits.answers import ANSWER_CORRECTIONS_MAX
from dataagent_core.engine import AgentExecutor
from dataagent_core.engine.answer_form import ANSWER_SCHEMA_KEY
from dataagent_core.errors import NoOneToAskError, ValidationError
from dataagent_core.events import DoneEvent, ErrorEvent, WarningEvent
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.session.stores.bundle import Stores, open_sqlite

TOTAL = {
    "type": "object",
    "properties": {"total": {"type": "number"}},
    "required": ["total"],
    "additionalProperties": False,
}
RIGHT = {"text": '```json\n{"total": 12.50}\n```'}
WRONG = {"text": '{"total": "twelve"}'}
PROSE = {"text": "The total is 12.50."}
# A correction is a message of its own, so its answer is scripted under what it says.
AGAIN = "does not have the form"


async def ran(agent: AgentExecutor, schema: object = TOTAL, prompt: str = "sum it") -> list[Any]:
    context = {ANSWER_SCHEMA_KEY: schema}
    return [event async for event in agent.execute(prompt, "s", context)]


def answering(first: dict[str, Any], *corrected: dict[str, Any]) -> Any:
    return scripted(
        scripts=[{"match": AGAIN, "steps": list(corrected)}, {"steps": [first]}]
        if corrected
        else [{"steps": [first]}]
    )


def only(kind: type, events: list[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.requirement("F8-8-schema")
async def test_an_answer_that_fits_is_the_document_itself(tmp_path: Path):
    stores = Stores.in_memory()
    events = await ran(executor(answering(RIGHT), tmp_path, stores=stores))
    done = events[-1]
    assert (done.reason, done.content, done.format) == ("completed", '{"total": 12.50}', "json")
    user, assistant = await stores.messages.get_messages("s")
    # What the person said is stored as they said it; the form goes to the model alone.
    assert (user.content, assistant.content) == ("sum it", '{"total": 12.50}')


async def test_the_model_is_told_the_schema_with_the_message(tmp_path: Path):
    step = {"match": r"sum it[\s\S]*additionalProperties", "steps": [RIGHT]}
    events = await ran(executor(scripted(scripts=[step]), tmp_path))
    assert events[-1].format == "json"


async def test_without_a_schema_an_answer_is_markdown(tmp_path: Path):
    agent = executor(scripted(PROSE), tmp_path)
    done = (await events_of(agent, "sum it"))[-1]
    assert (done.content, done.format) == ("The total is 12.50.", "markdown")


@pytest.mark.requirement("F8-8-schema")
async def test_an_answer_that_does_not_fit_is_asked_for_again_with_what_was_wrong(tmp_path: Path):
    model = scripted(
        scripts=[
            {"match": r"\$\.total: 'twelve' is not of type 'number'", "steps": [RIGHT]},
            {"match": "not a JSON document", "steps": [WRONG]},
            {"steps": [PROSE]},
        ]
    )
    events = await ran(executor(model, tmp_path))
    assert events[-1].content == '{"total": 12.50}'
    warned = only(WarningEvent, events)
    assert [event.code for event in warned] == ["ANSWER_NOT_IN_FORM"] * 2
    assert types(events).count("done") == 1


@pytest.mark.requirement("F8-8-schema")
async def test_a_model_that_never_fits_ends_the_run_with_an_error(tmp_path: Path):
    model = answering(PROSE, PROSE)
    events = await ran(executor(model, tmp_path))
    (error,) = only(ErrorEvent, events)
    assert (error.code, events[-1].reason, events[-1].content) == ("MODEL_ERROR", "error", "")
    assert f"in {ANSWER_CORRECTIONS_MAX + 1} tries" in error.error
    assert len(only(WarningEvent, events)) == ANSWER_CORRECTIONS_MAX


async def test_a_schema_that_is_none_is_refused_before_anything_is_stored(tmp_path: Path):
    stores = Stores.in_memory()
    agent = executor(answering(RIGHT), tmp_path, stores=stores)
    with pytest.raises(ValidationError, match="not an object"):
        await ran(agent, schema="a number, please")
    assert await stores.messages.get_messages("s") == []


async def test_a_schema_too_costly_to_check_ends_the_run_with_that_reason(tmp_path: Path):
    schema = {"$ref": "#"}
    events = await ran(executor(answering(RIGHT), tmp_path), schema)
    (error,) = only(ErrorEvent, events)
    assert (error.code, "cannot be worked out" in error.error) == ("VALIDATION_ERROR", True)
    assert isinstance(events[-1], DoneEvent)


class Nobody:
    """Nobody is there."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        raise NoOneToAskError("nobody is here")

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        pass


@pytest.mark.requirement("F8-8-schema")
async def test_a_run_resumed_elsewhere_still_knows_its_schema(tmp_path: Path):
    write = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "x"}}
    model = scripted(
        scripts=[
            {"match": AGAIN, "steps": [{"tool_calls": [write]}, RIGHT]},
            {"steps": [PROSE]},
        ]
    )
    workspace = tmp_path / "files"
    workspace.mkdir()
    async with open_sqlite(tmp_path / "a.db", tenant_id="t") as stores:
        # It waits for a person in the middle of its second try.
        events = await ran(executor(model, workspace, handler=Nobody(), stores=stores))
        assert events[-1].event_type == "hitl_request"
    async with open_sqlite(tmp_path / "a.db", tenant_id="t") as stores:
        events = await resumed(executor(model, workspace, stores=stores, auto_approve=True))
    assert (events[-1].content, events[-1].format) == ('{"total": 12.50}', "json")
