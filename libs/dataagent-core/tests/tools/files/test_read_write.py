"""`read_file`, `write_file`, `delete_file`, `ls`, and the folders beside the workspace."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from file_tools import Run, runner

from dataagent_core.errors import (
    ConflictError,
    DeniedError,
    NotFoundError,
    PathEscapeError,
    ValidationError,
)
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.effects import read_effect
from dataagent_core.tools.files import Mount, make_file_tools


@pytest.mark.requirement("S2-7.1-files")
@pytest.mark.requirement("F3-1")
def test_the_tools_are_those_of_the_documents_with_their_effects(workspace: Path):
    tools = make_file_tools(SafeRoot(workspace, links="refuse"))
    assert {tool.name: read_effect(tool) for tool in tools} == {
        "ls": "pure",
        "read_file": "pure",
        "write_file": "idempotent",
        "edit_file": "compensable",
        "multi_edit": "compensable",
        "delete_file": "irreversible",
        "glob": "pure",
        "grep": "pure",
    }
    arguments = {tool.name: list(tool.args) for tool in tools}
    assert arguments["read_file"] == ["file_path", "offset", "limit"]
    assert arguments["edit_file"] == ["file_path", "old_string", "new_string", "replace_all"]
    assert arguments["grep"] == [
        *("pattern", "path", "glob", "ignore_case", "context_lines", "max_count"),
    ]


async def test_the_tools_can_be_awaited(workspace: Path):
    tools = {tool.name: tool for tool in make_file_tools(SafeRoot(workspace, links="refuse"))}
    await tools["write_file"].ainvoke({"file_path": "/a", "content": "x"})
    assert (workspace / "a").read_text() == "x"


def test_a_long_file_is_read_page_by_page(run: Run, workspace: Path):
    (workspace / "a").write_text("".join(f"line {n}\r\n" for n in range(1, 6)))
    assert run("read_file", file_path="/a", limit=2) == (
        "     1\tline 1\n     2\tline 2"
        "\n(File has more lines. Use 'offset' parameter to read beyond line 2)"
    )
    assert run("read_file", file_path="a", offset=4) == (
        "     5\tline 5\n(End of file - total 5 lines)"
    )


@pytest.mark.requirement("S2-7.2.2")
def test_writing_a_new_file_makes_its_folders(run: Run, workspace: Path):
    assert run("write_file", file_path="/a/b/c", content="é\n") == "Made /a/b/c (3 bytes, 1 lines)."
    assert (workspace / "a/b/c").read_text() == "é\n"


def test_an_existing_file_is_overwritten_only_if_it_was_read(run: Run, workspace: Path):
    (workspace / "a").write_text("precious")
    with pytest.raises(ConflictError, match="read_file on it first"):
        run("write_file", file_path="/a", content="new")
    run("read_file", file_path="/a")
    assert run("write_file", file_path="/a", content="new").startswith("Overwrote")


def test_writing_what_is_there_already_succeeds_so_a_write_can_run_again(run: Run, workspace: Path):
    (workspace / "a").write_text("same")
    assert "already holds" in run("write_file", file_path="/a", content="same")


def test_content_that_is_no_text_is_refused(run: Run):
    with pytest.raises(ValidationError, match="character 1 "):
        run("write_file", file_path="/a", content="x\ud800")


def test_a_protected_place_cannot_be_written_by_any_tool(run: Run, workspace: Path):
    (workspace / ".mcp.json").write_text("{}")
    run("read_file", file_path="/.mcp.json")
    for tool, args in (
        ("write_file", {"content": "x"}),
        ("edit_file", {"old_string": "{}", "new_string": "x"}),
        ("multi_edit", {"edits": [{"old_string": "{}", "new_string": "x"}]}),
        ("delete_file", {}),
    ):
        with pytest.raises(DeniedError):
            run(tool, file_path="/.mcp.json", **args)
    assert (workspace / ".mcp.json").read_text() == "{}"


def test_a_deleted_file_is_gone_and_folders_are_not_deleted(run: Run, workspace: Path):
    run("write_file", file_path="/a/b", content="")
    assert run("delete_file", file_path="/a/b") == "Deleted /a/b."
    with pytest.raises(NotFoundError):
        run("delete_file", file_path="/a/b")
    with pytest.raises(ValidationError, match="directory"):
        run("delete_file", file_path="/a")
    assert (workspace / "a").is_dir()


def test_a_listing_shows_sizes_folders_and_what_is_not_followed(run: Run, workspace: Path):
    run("write_file", file_path="/b/c", content="12")
    run("write_file", file_path="/a", content="12")
    (workspace / "out").symlink_to("/etc")
    assert run("ls", path="/") == "a  2\nb/\nout  (link that is not followed)"
    (workspace / "empty").mkdir()
    assert run("ls", path="/empty") == "/empty is empty."


def test_a_very_long_listing_says_that_it_was_cut(run: Run, workspace: Path):
    for number in range(600):
        (workspace / f"{number:04}{'x' * 100}").touch()
    answer = run("ls")
    assert len(answer.encode()) < 52_000
    assert answer.endswith("of 600 entries shown. Use glob to find the others.)")


def test_edits_of_one_file_at_the_same_time_do_not_lose_each_other(run: Run, workspace: Path):
    names = [f"name{number}\n" for number in range(40)]
    run("write_file", file_path="/a", content="".join(names))

    def rename(name: str) -> str:
        return run("edit_file", file_path="/a", old_string=name, new_string=name.upper())

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(rename, names))
    assert (workspace / "a").read_text() == "".join(names).upper()


@pytest.fixture
def mounted(workspace: Path, tmp_path: Path) -> Run:
    for name in ("home/agent.md", "home/settings.toml", "skills/one/SKILL.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"text of {name}")
    home = SafeRoot(tmp_path / "home", links="refuse")
    mounts = {
        "/memories/": Mount(root=home, writable=True, names=frozenset({"agent.md"})),
        "/skills/project/": Mount(root=SafeRoot(tmp_path / "skills", links="refuse")),
    }
    return runner(SafeRoot(workspace, links="beneath"), mounts=mounts)


def test_what_is_mounted_can_be_reached_but_is_not_listed(mounted: Run):
    assert mounted("ls", path="/") == "/ is empty."
    assert "text of home/agent.md" in mounted("read_file", file_path="/memories/agent.md")
    assert mounted("ls", path="/memories") == "agent.md  21"
    assert mounted("glob", pattern="*", path="/skills/project").startswith(
        "/skills/project/one/SKILL.md  "
    )
    assert "/skills/project/one/SKILL.md:1:" in mounted(
        "grep", pattern="text", path="/skills/project"
    )


def test_of_a_mount_only_the_names_it_shows_exist(mounted: Run):
    for path in ("/memories/settings.toml", "memories//settings.toml"):
        with pytest.raises(NotFoundError):
            mounted("read_file", file_path=path)
    assert "settings" not in mounted("glob", pattern="*", path="/memories")
    assert "settings" not in mounted("grep", pattern="text", path="/memories")
    with pytest.raises(NotFoundError):
        mounted("write_file", file_path="/memories/new.md", content="")
    with pytest.raises(PathEscapeError):
        mounted("read_file", file_path="/memories/../home/settings.toml")


def test_notes_can_be_edited_and_what_is_read_only_cannot(mounted: Run, tmp_path: Path):
    mounted("read_file", file_path="/memories/agent.md")
    mounted("edit_file", file_path="/memories/agent.md", old_string="text", new_string="note")
    assert (tmp_path / "home/agent.md").read_text() == "note of home/agent.md"
    mounted("read_file", file_path="/skills/project/one/SKILL.md")
    for tool, args in (
        ("write_file", {"content": "x"}),
        ("edit_file", {"old_string": "text", "new_string": "x"}),
        ("delete_file", {}),
    ):
        with pytest.raises(DeniedError, match="read-only"):
            mounted(tool, file_path="/skills/project/one/SKILL.md", **args)
