"""An agent with `sandbox_type`: its commands and its files are on the same machine."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, scripted, settings
from vendor import Vendor

from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.errors import ConfigurationError


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": tool, "args": args}]}


def agent(vendor: Vendor, workspace: Path, *steps: dict[str, Any], **config: Any) -> AgentExecutor:
    factory = AgentFactory(settings(), Answering(), open_machine=vendor.open_machine)
    model = scripted(*steps, {"text": "done"})
    return factory.create_executor(
        AgentConfig(
            assistant_id="tester",
            model=model,
            workspace_path=workspace,
            sandbox_type="modal",
            **config,
        )
    )


@pytest.fixture
def vendor(tmp_path: Path) -> Vendor:
    return Vendor(tmp_path / "vendor")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "here.txt").write_text("on this host")
    return folder


def results(events: list[Any]) -> list[str]:
    return [str(event.result) for event in events if event.event_type == "tool_result"]


@pytest.mark.requirement("F3-4")
async def test_file_tools_and_shell_work_on_the_same_files_elsewhere(
    vendor: Vendor, workspace: Path
):
    executor = agent(
        vendor,
        workspace,
        call("write_file", file_path="/a.txt", content="one\n"),
        call("shell", command="cat a.txt && echo two >> a.txt && ls"),
        call("read_file", file_path="/a.txt"),
        call("edit_file", file_path="/a.txt", old_string="two", new_string="three"),
        call("shell", command="cat a.txt"),
        call("grep", pattern="thre+"),
    )
    events = await events_of(executor)
    wrote, shown, read, edited, again, found = results(events)
    assert "Made /a.txt" in wrote
    assert "one" in shown
    assert "here.txt" not in shown
    assert "2\ttwo" in read
    assert "+three" in edited
    assert "three" in again
    assert "/a.txt:2:three" in found
    changes = [event for event in events if event.event_type == "file_operation"]
    assert any("+three" in (event.diff or "") for event in changes)
    assert (vendor.files() / "a.txt").read_text() == "one\nthree\n"
    assert [path.name for path in workspace.iterdir()] == ["here.txt"]
    assert vendor.running
    await executor.aclose()
    assert vendor.running == set()


async def test_an_agent_that_needs_no_machine_starts_none(vendor: Vendor, workspace: Path):
    executor = agent(vendor, workspace)
    await events_of(executor)
    await executor.aclose()
    assert vendor.asked == []


async def test_the_machine_is_the_one_that_was_named(vendor: Vendor, workspace: Path):
    executor = agent(vendor, workspace, call("shell", command="true"), sandbox_id="sb-7")
    await events_of(executor)
    await executor.aclose()
    assert vendor.asked == [("modal", "sb-7")]


async def test_without_a_shell_the_files_are_still_elsewhere(vendor: Vendor, workspace: Path):
    write = call("write_file", file_path="/b.txt", content="x")
    executor = agent(vendor, workspace, write, call("shell", command="ls"), enable_shell=False)
    _, refused = results(await events_of(executor))
    assert "shell" in refused
    assert (vendor.files() / "b.txt").exists()
    await executor.aclose()
    assert vendor.running == set()


async def test_code_executor_is_not_offered_where_it_cannot_run(vendor: Vendor, workspace: Path):
    factory = AgentFactory(settings(), open_machine=vendor.open_machine)
    config = AgentConfig(
        assistant_id="tester",
        model=scripted({"text": "x"}),
        workspace_path=workspace,
        sandbox_type="daytona",
    )
    names = {tool.name for tool in factory.built_in_tools(config)}
    assert {"shell", "read_file"} <= names
    assert "code_executor" not in names


async def test_a_machine_that_cannot_be_had_is_a_result_that_says_what_to_do(workspace: Path):
    def no_credentials(provider: str, sandbox_id: str | None) -> Any:
        from dataagent_core.errors import SandboxUnavailableError

        raise SandboxUnavailableError("modal gave no machine. Set MODAL_TOKEN_ID.")

    factory = AgentFactory(settings(), Answering(), open_machine=no_credentials)
    model = scripted(call("shell", command="ls"), {"text": "done"})
    executor = factory.create_executor(
        AgentConfig(
            assistant_id="tester", model=model, workspace_path=workspace, sandbox_type="modal"
        )
    )
    events = await events_of(executor)
    assert "MODAL_TOKEN_ID" in results(events)[0]
    assert events[-1].reason == "completed"
    await executor.aclose()


def test_what_cannot_be_had_is_refused_when_the_agent_is_made(workspace: Path, vendor: Vendor):
    def build(kind: str, factory: AgentFactory) -> None:
        factory.create_agent(
            AgentConfig(
                assistant_id="tester",
                model=scripted({"text": "x"}),
                workspace_path=workspace,
                sandbox_type=kind,
            )
        )

    with pytest.raises(ConfigurationError, match=r"pip install 'dataagent-core\[runloop\]'"):
        build("runloop", AgentFactory(settings()))
    with pytest.raises(ConfigurationError, match=r"no sandbox 'e2b'.*modal, daytona, runloop"):
        build("e2b", AgentFactory(settings(), open_machine=vendor.open_machine))
    with pytest.raises(ConfigurationError, match="exclude each other"):
        build("modal", AgentFactory(settings(), unsafe_host_shell=True))


@pytest.mark.requirement("F16-B5-sandbox-type")
@pytest.mark.parametrize(("own", "elsewhere"), [(None, True), ("daytona", True), ("local", False)])
async def test_the_settings_choose_the_sandbox_unless_the_agent_does(
    vendor: Vendor, workspace: Path, own: str | None, *, elsewhere: bool
):
    factory = AgentFactory(
        settings(sandbox_type="modal"), Answering(), open_machine=vendor.open_machine
    )
    model = scripted(call("write_file", file_path="/a.txt", content="one"), {"text": "done"})
    config = AgentConfig(
        assistant_id="tester", model=model, workspace_path=workspace, sandbox_type=own
    )
    executor = factory.create_executor(config)
    await events_of(executor)
    await executor.aclose()
    assert vendor.asked == ([(own or "modal", None)] if elsewhere else [])
    assert (workspace / "a.txt").exists() is not elsewhere
