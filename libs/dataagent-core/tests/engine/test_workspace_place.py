"""The workspace at its own place: for commands, file tools, rules and the log of a run."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings
from repositories import repository

from dataagent_core.errors import DirectoryError
from dataagent_core.events import FileOperationEvent, ToolCallEvent, ToolResultEvent
from dataagent_core.permissions import Rule, RunTerms


def shell(command: str) -> dict[str, Any]:
    return {"name": "shell", "args": {"command": command}}


def read(path: str) -> dict[str, Any]:
    return {"name": "read_file", "args": {"file_path": path}}


async def calls(workspace: Path, *tool_calls: dict[str, Any], **config: Any) -> list[Any]:
    """Let an agent make calls one after another; give all events."""
    model = scripted(*({"tool_calls": [call]} for call in tool_calls), {"text": "done"})
    return await events_of(executor(model, workspace, handler=Answering(), **config))


def results(events: list[Any]) -> list[str]:
    return [str(event.result) for event in events if isinstance(event, ToolResultEvent)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.txt").write_text("hello\n")
    return folder


async def test_a_command_starts_at_the_folders_real_path(project: Path):
    (said,) = results(await calls(project, shell("pwd; cat a.txt; ls /a.txt")))
    assert said.startswith(f"{project}\nhello\n")
    assert "cannot access '/a.txt'" in said


async def test_commands_run_where_the_project_has_our_own_folder_with_its_database(project: Path):
    home = project / "home"
    home.mkdir()
    (home / "dataagent.db").write_bytes(b"")
    own = settings(home=home)
    (said,) = results(await calls(project, shell("cat a.txt; ls home"), chosen=own))
    assert said.startswith("hello\n")
    assert "Permission denied" in said


async def test_file_tools_take_what_commands_print_and_the_log_keeps_the_short_form(project: Path):
    full = str(project / "a.txt")
    write = {"name": "write_file", "args": {"file_path": f"{project}/new.txt", "content": "x"}}
    events = await calls(project, read(full), read("a.txt"), read("/a.txt"), write)
    assert all("hello" in said for said in results(events)[:3])
    assert (project / "new.txt").read_text() == "x"
    files = [e.file_path for e in events if isinstance(e, FileOperationEvent)]
    assert files == ["/a.txt", "a.txt", "/a.txt", "/new.txt"]
    logged = [e.tool_args["file_path"] for e in events if isinstance(e, ToolCallEvent)]
    assert logged == ["/a.txt", "a.txt", "/a.txt", "/new.txt"]


async def test_searching_takes_the_full_path_and_answers_with_the_short_one(project: Path):
    grep = {"name": "grep", "args": {"pattern": "hel", "path": str(project)}}
    listing = {"name": "ls", "args": {"path": f"{project}/"}}
    glob = {"name": "glob", "args": {"pattern": f"{project}/*.txt"}}
    limited = {"name": "grep", "args": {"pattern": "hel", "glob": f"{project}/*.txt"}}
    (project / "t.csv").write_text("n\n7\n")
    query = {"name": "sql_query", "args": {"source": f"{project}/t.csv", "sql": "select n from t"}}
    found, listed, named, again, rows = results(
        await calls(project, grep, listing, glob, limited, query)
    )
    assert found.startswith("/a.txt:1:hello")
    assert listed == "a.txt  6\nt.csv  4"
    assert named == "/a.txt  6"
    assert again == found
    assert "7" in rows


async def test_a_rule_about_a_file_holds_under_every_spelling(project: Path, tmp_path: Path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "permissions.toml").write_text(
        '[[rules]]\ntool = "read"\nresource = "/a.txt"\naction = "deny"\n'
    )
    spelled = (
        read(f"{project}/a.txt"),
        read("/a.txt"),
        shell(f"cat {project}/a.txt"),
        shell(f"cat ../{project.name}/a.txt"),
    )
    for said in results(await calls(project, *spelled, chosen=settings(home=home))):
        assert "denied" in said
        assert "hello" not in said


async def test_what_a_rule_denies_no_command_and_no_python_can_open(project: Path, tmp_path: Path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "permissions.toml").write_text(
        '[[rules]]\ntool = "read"\nresource = "/a.txt"\naction = "deny"\n'
    )
    code = {"name": "code_executor", "args": {"code": "print(open('a' + '.txt').read())"}}
    tried = (shell("grep -r hel ."), shell('python3 -c \'print(open("a" + ".txt").read())\''), code)
    events = await calls(project, *tried, chosen=settings(home=home))
    assert len(results(events)) == 3
    for said in results(events):
        assert "hello" not in said
        assert "ermission" in said
    assert (project / "a.txt").read_text() == "hello\n"


async def test_a_deny_that_a_person_keeps_elsewhere_covers_files_too(project: Path):
    tried = (shell("grep -r hel ."), shell('python3 -c \'print(open("a" + ".txt").read())\''))
    model = scripted(*({"tool_calls": [call]} for call in tried), {"text": "done"})
    agent = executor(model, project, handler=Answering())
    terms = RunTerms(kept_rules=[Rule("read", "/a.txt", "deny", "person")])
    said = results(await events_of(agent, terms=terms))
    await agent.aclose()
    assert len(said) == 2
    assert not any("hello" in one for one in said)


async def test_on_a_server_the_workspace_is_at_one_place_for_everybody(tmp_path: Path):
    chosen = settings(home=tmp_path / "home")
    write = {"name": "write_file", "args": {"file_path": "/workspace/a.txt", "content": "hi"}}
    nested = {"name": "write_file", "args": {"file_path": "workspace/a.txt", "content": "nested"}}
    glob = {"name": "glob", "args": {"pattern": "a.txt"}}
    model = scripted(
        *({"tool_calls": [call]} for call in (write, nested, shell("pwd; cat a.txt"), glob)),
        {"text": "done"},
    )
    agent = executor(model, None, handler=Answering(), chosen=chosen, user_id="ann")  # type: ignore[arg-type]
    events = await events_of(agent)
    await agent.aclose()
    said = results(events)
    assert said[2].startswith("/workspace\nhi")
    # What is listed can be read back, also where a folder is named like the place.
    assert said[3].splitlines() == ["/a.txt  2", "/workspace/workspace/a.txt  6"]


async def test_the_whole_computer_is_refused_as_a_workspace():
    with pytest.raises(DirectoryError, match="cannot be '/'"):
        executor(scripted({"text": "x"}), Path("/"))


def test_the_tools_and_the_prompt_say_where_the_workspace_is(project: Path):
    from dataagent_core.engine import AgentConfig, AgentFactory

    factory = AgentFactory(settings())
    model = scripted({"text": "x"})
    tools = factory.built_in_tools(
        AgentConfig(assistant_id="t", model=model, workspace_path=project)
    )
    texts = {tool.name: tool.description for tool in tools}
    assert f"{project}/a.txt" in texts["shell"]
    assert "`/a.txt` is the system's" in texts["shell"]
    assert "git add ." not in texts["shell"]
    assert "its full path" in str(next(t for t in tools if t.name == "read_file").args)


def test_in_a_subfolder_of_a_repository_the_shell_says_what_git_does_not_see(tmp_path: Path):
    from dataagent_core.engine import AgentConfig, AgentFactory

    folder = repository(tmp_path / "p", sub_a="a\n")
    config = AgentConfig(
        assistant_id="t", model=scripted({"text": "x"}), workspace_path=folder / "sub"
    )
    tools = AgentFactory(settings()).built_in_tools(config)
    assert "`git add .`" in next(tool.description for tool in tools if tool.name == "shell")
