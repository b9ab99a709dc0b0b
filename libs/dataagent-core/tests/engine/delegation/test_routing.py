"""Who gets a message: recommended by score, asked for by a person, or forbidden."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from subagent_scripts import called, results_of, specialist, task

from dataagent_core.errors import ValidationError
from dataagent_core.models import Script, ScriptedChatModel
from dataagent_core.session.prompt import OWN_WORDS_KEY
from dataagent_core.subagents import SubAgentTrigger
from dataagent_core.subagents.built_in_subagents import built_in_subagents

POET = specialist(
    "poet",
    trigger=SubAgentTrigger(
        description="Writes poems and verses about anything.",
        examples=("write me a poem about the sea", "a short verse for a birthday"),
        keywords=("write a poem", "poem"),
    ),
)
BAKER = specialist(
    "baker",
    trigger=SubAgentTrigger(
        description="Knows bread, dough, ovens and recipes for baking.",
        examples=("how long does sourdough bake", "a recipe for rye bread"),
        keywords=("bake bread", "recipe"),
    ),
)


def assigned(events: list[Any]) -> list[Any]:
    return [e for e in events if e.event_type == "subagent" and e.phase == "assigned"]


async def test_a_message_that_fits_nobody_costs_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    for subagents in ((), (POET, BAKER)):
        model = scripted({"text": "4"})
        agent = executor(model, tmp_path, subagents=subagents)
        events = await events_of(agent, "2 + 2?")
        assert assigned(events) == []
        assert len(model.requests) == 1
        told.append(str(model.requests[0][-1].content))
    assert told[0] == told[1]


@pytest.mark.requirement("S2-5.1-subagent-router")
async def test_a_recommendation_is_an_event_and_a_note_and_the_model_decides(
    tmp_path: Path,
) -> None:
    model = scripted({"text": "I do it myself."})
    agent = executor(model, tmp_path, subagents=(POET, BAKER))
    events = await events_of(agent, "please write a poem about autumn")
    [found] = assigned(events)
    assert (found.name, found.mode) == ("poet", "single")
    assert found.confidence >= 0.6
    assert found.reason
    assert "poet fits this message" in str(model.requests[0][-1].content)
    assert results_of(events) == []
    assert events[-1].content == "I do it myself."


class SmallModel(ScriptedChatModel):
    """A model whose window does not hold the question of the router."""

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        if '"specialists"' in messages[-1].text:
            raise ContextOverflowError("maximum context length is 512 tokens")
        async for chunk in super()._astream(messages, *args, **kwargs):
            yield chunk


async def test_a_router_whose_question_does_not_fit_leaves_the_score(tmp_path: Path) -> None:
    model = SmallModel(script=Script.model_validate({"steps": [{"text": "ok"}]}))
    agent = executor(model, tmp_path, subagents=(POET, BAKER))
    events = await events_of(agent, "a poem recipe")
    [found] = assigned(events)
    assert "does not fit the model's window" in found.reason
    assert events[-1].content == "ok"


@pytest.mark.parametrize("by_context", [False, True])
async def test_whom_a_person_asks_for_works_for_certain(tmp_path: Path, by_context: bool) -> None:
    model = scripted(
        scripts=[
            {"match": "^(@baker )?what is 2", "steps": [{"text": "easy: 4"}, {"text": "as said"}]},
        ]
    )
    agent = executor(model, tmp_path, subagents=(POET, BAKER))
    text = "what is 2 + 2?" if by_context else "@baker what is 2 + 2?"
    context = {"subagents": {"use": ["baker"]}} if by_context else None
    events = [event async for event in agent.execute(text, "s", context)]
    started = [e for e in events if e.event_type == "subagent" and e.phase == "started"]
    assert [(e.name, e.task) for e in started] == [("baker", text)]
    assert assigned(events)[0].confidence == 1.0


async def test_whom_a_client_chooses_works_also_where_no_word_is_the_persons(
    tmp_path: Path,
) -> None:
    model = scripted(
        scripts=[{"match": "^what is 2", "steps": [{"text": "easy: 4"}, {"text": "as said"}]}]
    )
    agent = executor(model, tmp_path, subagents=(POET, BAKER))
    context = {"subagents": {"use": ["baker"]}, OWN_WORDS_KEY: 0}
    text = "what is 2 + 2? @poet knows."
    events = [event async for event in agent.execute(text, "s", context)]
    started = [e for e in events if e.event_type == "subagent" and e.phase == "started"]
    assert [(e.name, e.task) for e in started] == [("baker", text)]


async def test_ten_that_a_person_names_work_one_after_the_other(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(10)][::-1]
    model = scripted(scripts=[{"steps": [{"text": "ok"}, {"text": "done"}]}])
    agent = executor(model, tmp_path, subagents=tuple(map(specialist, sorted(names))))
    events = await events_of(agent, " then ".join(f"@{name} go" for name in names))
    phases = [(e.name, e.phase) for e in events if e.event_type == "subagent"]
    work = [(name, phase) for name in names for phase in ("started", "finished")]
    assert [one for one in phases if one[1] != "assigned"] == work


async def test_an_eleventh_in_a_sequence_is_left_out_with_a_warning(tmp_path: Path) -> None:
    names = [f"n{number:02}" for number in range(11)]
    model = scripted(scripts=[{"steps": [{"text": "ok"}, {"text": "done"}]}])
    agent = executor(model, tmp_path, subagents=tuple(map(specialist, names)))
    events: list[Any] = await events_of(agent, " then ".join(f"@{name} go" for name in names))
    calls = [e for e in events if e.event_type == "tool_call" and e.tool_name == "task"]
    steps = [[call.tool_args, *call.tool_args["then"]] for call in calls]
    assert [[step["subagent_type"] for step in one] for one in steps] == [names[:10]]
    (warning,) = [e.message for e in events if e.event_type == "warning"]
    assert warning == (
        "n10 was asked for, but a message has at most 10 sub-agents one after the other: ask for "
        "it in another message."
    )


@pytest.mark.parametrize(
    ("text", "use", "told"),
    [
        ("what is 2 + 2?", ["nobody"], "nobody was asked for, but there is no such sub-agent."),
        ("what is 2 + 2?", ["idle"], "idle was asked for, but it needs the tools far_tool"),
        ("@baker what is 2 + 2?", ["nobody"], "nobody was asked for, but there is no"),
    ],
)
async def test_whom_a_person_asks_for_in_vain_is_told_to_the_model(
    tmp_path: Path, text: str, use: list[str], told: str
) -> None:
    model = scripted({"text": "4"}, {"text": "4"}, {"text": "4"})
    idle = specialist("idle", requires_tools=("far_tool",))
    agent = executor(model, tmp_path, subagents=(BAKER, idle))
    events = [event async for event in agent.execute(text, "s", {"subagents": {"use": use}})]
    assert [e.name for e in assigned(events)] == (["baker"] if "@baker" in text else [])
    assert told in str(model.requests[0][-1].content)


@pytest.mark.parametrize("subagents", [(), (POET,)])
async def test_the_general_one_works_for_certain_too(tmp_path: Path, subagents: Any) -> None:
    model = scripted({"text": "I do it myself."}, {"text": "as said"})
    agent = executor(model, tmp_path, subagents=subagents)
    events = await events_of(agent, "@general-purpose count to three")
    started = [e.name for e in events if e.event_type == "subagent" and e.phase == "started"]
    assert started == ["general-purpose"]
    assert await agent.missing_mentions("@general-purpose count") == []


async def test_one_that_cannot_be_had_is_a_warning(tmp_path: Path) -> None:
    subagents = (
        POET,
        specialist("off", enabled=False),
        specialist("lost", requires_tools=("remember",)),
    )
    agent = executor(scripted({"text": "ok"}), tmp_path, subagents=subagents)
    context = {"subagents": {"use": ["ghost"]}}
    text = "@off or @lost, count to three"
    events: list[Any] = [event async for event in agent.execute(text, "s", context)]
    warned = [e.message for e in events if e.event_type == "warning"]
    assert warned == [
        "ghost was asked for, but there is no such sub-agent.",
        "off was asked for, but it is disabled.",
        "lost was asked for, but it needs the tools remember, which this agent does not have.",
    ]
    assert assigned(events) == []
    assert events[-1].reason == "completed"


async def test_a_task_that_the_model_gives_itself_is_not_given_twice(tmp_path: Path) -> None:
    model = scripted(
        scripts=[
            {"match": "^BAKE", "steps": [{"text": "baked"}]},
            {"steps": [{"tool_calls": [task("BAKE it", to="baker")]}, {"text": "done"}]},
        ]
    )
    events = await events_of(executor(model, tmp_path, subagents=(BAKER,)), "@baker do it")
    assert len(results_of(events)) == 1


async def test_whom_a_person_forbids_gets_no_task_from_anybody(tmp_path: Path) -> None:
    model = scripted(
        scripts=[
            {
                "match": "^DEEP",
                "steps": [{"tool_calls": [task("x", to="poet")]}, {"text": "not even here"}],
            },
            {
                "steps": [
                    {"tool_calls": [task("x", to="poet"), task("DEEP")]},
                    {"text": "without it"},
                ]
            },
        ]
    )
    agent = executor(model, tmp_path, subagents=(POET,))
    events = await events_of(agent, "write a poem without @poet")
    refused = [e for e in results_of(events) if e.status == "error"]
    assert len(refused) == 2
    assert all("does not want 'poet'" in str(e.result) for e in refused)
    assert assigned(events) == []


async def test_two_by_name_in_a_sequence_are_one_call(tmp_path: Path) -> None:
    text = "@baker find a recipe, then @poet make verses of it"
    model = scripted(
        scripts=[{"match": "^@baker", "steps": [{"text": "hm"}, {"text": "done"}]}],
    )
    agent = executor(model, tmp_path, subagents=(POET, BAKER))
    events = await events_of(agent, text)
    calls = [e for e in events if e.event_type == "tool_call" and e.tool_name == "task"]
    assert [call.tool_args["subagent_type"] for call in calls] == ["baker"]
    assert [step["subagent_type"] for step in calls[0].tool_args["then"]] == ["poet"]


async def test_in_a_hierarchy_only_the_leader_gets_a_task(tmp_path: Path) -> None:
    model = scripted(
        scripts=[
            {"match": "^BAKE", "steps": [{"text": "baked"}]},
            {"steps": [{"tool_calls": [task("BAKE it", to="baker")]}, {"text": "done"}]},
        ]
    )
    agent = executor(model, tmp_path, subagents=(POET, BAKER))
    events = await events_of(agent, "@baker leads, with @poet: a cake with verses")
    assert {one.mode for one in assigned(events)} == {"hierarchical"}
    calls = [e for e in events if e.event_type == "tool_call" and e.tool_name == "task"]
    assert [call.tool_args["subagent_type"] for call in calls] == ["baker"]


async def test_whom_the_built_in_coder_leads_may_do_no_more_than_before(tmp_path: Path) -> None:
    write = called("write_file", file_path="/x.txt", content="1")
    model = scripted(
        scripts=[
            {"match": "^REVIEW", "steps": [{"tool_calls": [write]}, {"text": "I may not."}]},
            {
                "match": "^CODE",
                "steps": [{"tool_calls": [task("REVIEW it", to="code-reviewer")]}, {"text": "ok"}],
            },
            {"steps": [{"tool_calls": [task("CODE it", to="coder-agent")]}, {"text": "done"}]},
        ]
    )
    agent = executor(model, tmp_path, subagents=built_in_subagents())
    events = await events_of(agent, "@coder-agent leads, with @code-reviewer: mend it")
    started = [e.name for e in events if e.event_type == "subagent" and e.phase == "started"]
    assert started == ["coder-agent", "code-reviewer"]
    assert {one.mode for one in assigned(events)} == {"hierarchical"}
    refused = [e for e in events if e.event_type == "tool_result" and e.status == "error"]
    assert [e.tool_name for e in refused] == ["write_file"]
    assert not (tmp_path / "x.txt").exists()


@pytest.mark.parametrize(
    "text",
    [
        "what is 2 + 2? Do it yourself, don't use @baker or @poet",
        "what is 2 + 2? 不要用 @baker 和 @poet",
        "what is 2 + 2? I have no idea whether @baker or @poet knows",
    ],
)
async def test_who_is_not_asked_for_gets_no_task(tmp_path: Path, text: str) -> None:
    agent = executor(scripted({"text": "4"}), tmp_path, subagents=(POET, BAKER))
    events = await events_of(agent, text)
    assert [e for e in events if e.event_type == "subagent" and e.phase == "started"] == []
    assert events[-1].content == "4"


async def test_a_choice_that_is_no_list_of_names_is_refused(tmp_path: Path) -> None:
    agent = executor(scripted({"text": "x"}), tmp_path)
    for wrong in ("poet", {"use": "poet"}, {"forbid": [1]}, ["poet"]):
        with pytest.raises(ValidationError, match="lists of names"):
            _ = [e async for e in agent.execute("hi", "s", {"subagents": wrong})]


async def test_a_name_of_a_sub_agent_is_not_a_missing_file(tmp_path: Path) -> None:
    agent = executor(scripted({"text": "x"}), tmp_path, subagents=(POET,))
    assert await agent.missing_mentions("@poet look at @nowhere.txt") == ["nowhere.txt"]


def test_built_in_ones_are_there_and_a_project_adds_its_own(tmp_path: Path) -> None:
    folder = tmp_path / ".dataagent/agents"
    folder.mkdir(parents=True)
    (folder / "poet.md").write_text("---\nname: poet\ndescription: Writes verse.\n---\nRhyme.\n")
    agent = executor(scripted({"text": "x"}), tmp_path)
    names = {one.name for one in agent.agent.resources.subagents}  # pyright: ignore[reportAttributeAccessIssue]
    assert {"poet", "code-reviewer"} <= names


async def test_a_run_of_a_workflow_is_given_to_nobody(tmp_path: Path) -> None:
    agent = executor(scripted({"text": "done"}), tmp_path, subagents=(POET, BAKER))
    context = {"planning": {"workflow": "gone", "inputs": {}}}
    text = "please write a poem about autumn"
    assert assigned([event async for event in agent.execute(text, "s", context)]) == []
