"""S0's properties of building an agent, and that every guard reaches every sub-agent."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, scripted, settings, types
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.tools import StructuredTool
from langgraph.pregel import Pregel

from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.engine.graph import deep
from dataagent_core.errors import ConfigurationError, DirectoryError, ValidationError

switches = st.fixed_dictionaries(
    {
        "enable_memory": st.booleans(),
        "enable_skills": st.booleans(),
        "enable_shell": st.booleans(),
        "enable_mcp": st.booleans(),
        "auto_approve": st.booleans(),
        "system_prompt": st.none() | st.text(max_size=30),
        "recursion_limit": st.integers(20, 2000),
    }
)
tool_names = st.lists(
    st.text("abcdefgh", min_size=3, max_size=8), min_size=1, max_size=4, unique=True
)


async def asked(folder: Path, *steps: dict[str, Any], **config: Any) -> tuple[Any, Any, str]:
    """Build an agent and ask it as S1 does; give graph, backend, and what the model was told."""
    model = scripted(*steps, {"text": "ok"})
    workspace = folder / "work"
    workspace.mkdir(exist_ok=True)
    graph, backend = AgentFactory(settings(home=folder / "home")).create_agent(
        AgentConfig(assistant_id="tester", model=model, workspace_path=workspace, **config)
    )
    answered = await graph.ainvoke({"messages": [{"role": "user", "content": "go"}]})
    assert answered["messages"][-1].text == "ok"
    return graph, backend, model.requests[0][0].text


@pytest.mark.requirement("S0-9")
@given(config=switches)
async def test_property_9_create_agent_returns_a_graph_that_answers_and_the_backend_it_works_on(
    tmp_path: Path, config: dict[str, Any]
) -> None:
    (tmp_path / "work/note.txt").unlink(missing_ok=True)
    write = {"name": "write_file", "args": {"file_path": "/note.txt", "content": "from the agent"}}
    graph, backend, _ = await asked(tmp_path, {"tool_calls": [write]}, **config)
    assert isinstance(graph, Pregel)
    assert isinstance(backend, deep.CompositeBackend)
    # The same files: what the agent wrote is there for whoever has the backend.
    assert "from the agent" in str(backend.read("/note.txt"))


@pytest.mark.requirement("S0-10")
@given(config=switches)
async def test_property_10_the_model_is_told_the_notes_exactly_when_memory_is_enabled(
    tmp_path: Path, config: dict[str, Any]
) -> None:
    notes = settings(home=tmp_path / "home").ensure_agent_dir("tester") / "agent.md"
    notes.write_text("The person is called Ada.")
    _, _, told = await asked(tmp_path, **config)
    assert ("The person is called Ada." in told) == config["enable_memory"]


@pytest.mark.requirement("S0-11")
@given(config=switches)
async def test_property_11_the_model_is_told_of_skills_exactly_when_they_are_enabled(
    tmp_path: Path, config: dict[str, Any]
) -> None:
    own = settings(home=tmp_path / "home").ensure_agent_dir("tester") / "skills/counting"
    project = tmp_path / "work/.dataagent/skills/sorting"
    for folder, name in ((own, "counting"), (project, "sorting")):
        folder.mkdir(parents=True, exist_ok=True)
        text = f"---\nname: {name}\ndescription: All about {name} rows.\n---\nUse wc.\n"
        (folder / "SKILL.md").write_text(text)
    _, _, told = await asked(tmp_path, **config)
    for name in ("counting", "sorting"):
        assert (f"All about {name} rows." in told) == config["enable_skills"]


class Marked(AgentMiddleware[Any, Any, Any]):
    """Counts the model calls it wraps."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self.label = label
        self.calls = 0

    @property
    def name(self) -> str:
        return f"Marked-{self.label}"

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        self.calls += 1
        return await handler(request)


@pytest.mark.requirement("S0-19")
@given(labels=tool_names)
async def test_property_19_extra_middleware_wraps_the_model(
    tmp_path: Path, labels: list[str]
) -> None:
    extra = [Marked(label) for label in labels]
    await events_of(executor(scripted({"text": "ok"}), tmp_path, extra_middleware=extra))
    assert [middleware.calls for middleware in extra] == [1] * len(extra)


def named_tool(name: str) -> StructuredTool:
    async def answer(text: str) -> str:
        return f"{name} heard {text}"

    return StructuredTool.from_function(coroutine=answer, name=name, description="Answers.")


@pytest.mark.requirement("S0-20")
@given(names=tool_names)
async def test_property_20_extra_tools_can_be_called(tmp_path: Path, names: list[str]) -> None:
    calls = [{"name": name, "args": {"text": "hi"}} for name in names]
    agent = executor(
        scripted({"tool_calls": calls}, {"text": "ok"}),
        tmp_path,
        tools=[named_tool(name) for name in names],
    )
    results = [e for e in await events_of(agent) if e.event_type == "tool_result"]
    assert {e.result for e in results} == {f"{name} heard hi" for name in names}


def delegating(*sub_steps: dict[str, Any]) -> Any:
    task = {"name": "task", "args": {"description": "SUB do it", "subagent_type": GENERAL_PURPOSE}}
    return scripted(
        scripts=[
            {"match": "^SUB", "steps": list(sub_steps)},
            {"steps": [{"tool_calls": [task]}, {"text": "all done"}]},
        ]
    )


@pytest.mark.requirement("F2-subagent-guards")
@pytest.mark.requirement("F2-subagent-interrupt")
async def test_a_sub_agents_call_is_asked_about_like_the_agents_own(tmp_path: Path) -> None:
    write = {"name": "write_file", "args": {"file_path": "/x.txt", "content": "1"}}
    handler = Answering({"type": "approve"}, {"type": "respond", "message": "not there"})
    model = delegating({"tool_calls": [write]}, {"text": "could not"})
    events = await events_of(executor(model, tmp_path, handler=handler))
    assert [action["name"] for action in handler.asked] == ["task", "write_file"]
    assert handler.asked[1].get("subagent") == GENERAL_PURPOSE
    assert not (tmp_path / "x.txt").exists()
    calls = [e for e in events if e.event_type == "tool_call"]
    assert [(e.tool_name, e.subagent) for e in calls] == [
        ("task", None),
        ("write_file", GENERAL_PURPOSE),
    ]
    phases = [e.phase for e in events if e.event_type == "subagent"]
    assert phases == ["started", "finished"]


async def test_a_sub_agents_model_calls_count_against_the_run(tmp_path: Path) -> None:
    step = {"tool_calls": [{"name": "echo", "args": {"text": "x"}}]}
    model = delegating(*[step] * 10)
    agent = executor(model, tmp_path, tools=[echo], chosen=settings(run_model_calls_max=4))
    events = await events_of(agent)
    assert events[-1].reason == "limit"
    assert types(events).count("tool_result") == 3


@pytest.mark.requirement("F2-parallel-interrupts")
async def test_parallel_calls_wait_for_their_own_answers_and_the_others_go_on(
    tmp_path: Path,
) -> None:
    calls = [
        {"name": "write_file", "args": {"file_path": "/a.txt", "content": "A"}},
        {"name": "write_file", "args": {"file_path": "/b.txt", "content": "B"}},
        {"name": "echo", "args": {"text": "free"}},
    ]
    handler = Answering(
        {"type": "edit", "args": {"file_path": "/c.txt", "content": "C"}},
        {"type": "respond", "message": "no b"},
    )
    agent = executor(
        scripted({"tool_calls": calls}, {"text": "ok"}), tmp_path, tools=[echo], handler=handler
    )
    events = await events_of(agent)
    order = types(events)
    assert order.index("tool_result") < order.index("hitl_request")
    assert order.count("hitl_request") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.txt"]
    results = [str(e.result) for e in events if e.event_type == "tool_result"]
    assert any("no b" in text for text in results)
    assert any("changed the arguments" in text for text in results)
    assert order.count("tool_call") == order.count("tool_result") == 3


@pytest.mark.requirement("F2-workspace-confinement")
async def test_file_tools_cannot_leave_the_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "inside"
    workspace.mkdir()
    (tmp_path / "secret.txt").write_text("TOP SECRET")
    (workspace / "link").symlink_to(tmp_path / "secret.txt")
    paths = [
        "/../secret.txt",
        "../secret.txt",
        str(tmp_path / "secret.txt"),
        "/link",
        "~/secret.txt",
    ]
    reads = [{"name": "read_file", "args": {"file_path": path}} for path in paths]
    writes = [
        {"name": "write_file", "args": {"file_path": path, "content": "PWNED"}} for path in paths
    ]
    model = scripted({"tool_calls": [*reads, *writes]}, {"text": "ok"})
    events = await events_of(executor(model, workspace))
    assert "TOP SECRET" not in str([e.to_dict() for e in events])
    assert (tmp_path / "secret.txt").read_text() == "TOP SECRET"


@pytest.mark.requirement("F2-memory")
async def test_notes_and_project_instructions_reach_the_model_and_can_be_changed(
    tmp_path: Path,
) -> None:
    chosen = settings(home=tmp_path / "home")
    notes = chosen.ensure_agent_dir("tester") / "agent.md"
    notes.write_text("The person likes short answers.")
    workspace = tmp_path / "work"
    workspace.mkdir()
    (workspace / "AGENTS.md").write_text("Use tabs in this project.")
    change = {
        "name": "edit_file",
        "args": {"file_path": "/memories/agent.md", "old_string": "short", "new_string": "long"},
    }
    look = {"name": "read_file", "args": {"file_path": "/memories/agent.md"}}
    model = scripted({"tool_calls": [look]}, {"tool_calls": [change]}, {"text": "noted"})
    agent = executor(model, workspace, chosen=chosen)
    await events_of(agent)
    system = model.requests[0][0].text
    assert "The person likes short answers." in system
    assert "Use tabs in this project." in system
    assert notes.read_text() == "The person likes long answers."
    await events_of(agent, "again")
    assert "likes long answers" in model.requests[-1][0].text


async def test_a_project_cannot_smuggle_a_foreign_file_into_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("TOP SECRET")
    workspace = tmp_path / "work"
    workspace.mkdir()
    (workspace / "AGENTS.md").symlink_to(tmp_path / "secret.txt")
    model = scripted({"text": "ok"})
    await events_of(executor(model, workspace))
    assert "TOP SECRET" not in str(model.requests)


async def test_the_agent_sees_nothing_else_of_its_own_directory(tmp_path: Path) -> None:
    chosen = settings(home=tmp_path / "home")
    (chosen.ensure_agent_dir("tester") / "mcp.json").write_text('{"token": "TOP SECRET"}')
    workspace = tmp_path / "work"
    workspace.mkdir()
    calls = [
        {"name": "read_file", "args": {"file_path": "/memories/mcp.json"}},
        {"name": "grep", "args": {"pattern": "TOP", "path": "/"}},
        {"name": "write_file", "args": {"file_path": "/memories/mcp.json", "content": "{}"}},
        {
            "name": "write_file",
            "args": {"file_path": "/skills/tenant/x/SKILL.md", "content": "x"},
        },
    ]
    agent = executor(scripted({"tool_calls": calls}, {"text": "ok"}), workspace, chosen=chosen)
    events = await events_of(agent)
    assert "TOP SECRET" not in str([e.to_dict() for e in events])
    assert "TOP SECRET" in (chosen.ensure_agent_dir("tester") / "mcp.json").read_text()
    assert not (chosen.home / "agents/tester/skills/x").exists()


SKILL = "---\nname: counting\ndescription: How to count rows.\n---\n# Counting\nUse wc.\n"


@pytest.mark.requirement("S2-D.4")
@pytest.mark.requirement("F2-skills")
async def test_a_skill_is_named_first_and_read_only_when_wanted(tmp_path: Path) -> None:
    folder = tmp_path / ".dataagent/skills/counting"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL)
    read = {"name": "read_file", "args": {"file_path": "/skills/project/counting/SKILL.md"}}
    model = scripted({"tool_calls": [read]}, {"text": "ok"})
    events = await events_of(executor(model, tmp_path))
    system = model.requests[0][0].text
    assert "How to count rows." in system
    assert "Use wc." not in system
    result = next(e for e in events if e.event_type == "tool_result")
    assert "Use wc." in str(result.result)


@pytest.mark.requirement("F2-missing-workspace")
def test_a_workspace_that_does_not_exist_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="nowhere"):
        executor(scripted({"text": "x"}), tmp_path / "nowhere")


def test_what_is_not_there_yet_is_refused_rather_than_ignored(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="sandbox 'modal'"):
        executor(scripted({"text": "x"}), tmp_path, sandbox_type="modal")


def test_a_user_cannot_choose_a_place_outside_the_workspaces(tmp_path: Path) -> None:
    for user in ("../out", "/etc", "", ".", "a/b"):
        config = AgentConfig("tester", user_id=user or ".", model=scripted({"text": "x"}))
        with pytest.raises(ValidationError):
            AgentFactory(settings(home=tmp_path)).create_agent(config)
