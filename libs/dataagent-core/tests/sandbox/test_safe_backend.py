"""The workspace as deepagents' middleware sees it."""

from pathlib import Path

import pytest
from deepagents.backends import CompositeBackend
from deepagents.middleware.skills import SkillsMiddleware

from dataagent_core.sandbox.files.root_backend import RootBackend
from dataagent_core.sandbox.files.safe_root import SafeRoot

SKILL = "---\nname: count\ndescription: Counts things.\n---\nCount them.\n"


@pytest.fixture
def backend(workspace: Path) -> RootBackend:
    return RootBackend(SafeRoot(workspace, links="refuse"))


def test_files_written_can_be_listed_read_edited_found_and_deleted(
    backend: RootBackend,
):
    assert backend.write("/a/b.txt", "one\ntwo\nthree\n").error is None
    listed = backend.ls("/a").entries
    assert listed is not None
    assert (listed[0]["path"], listed[0].get("size")) == ("/a/b.txt", 14)
    page = backend.read("/a/b.txt", 1, 1)
    assert page.file_data is not None
    assert (page.file_data["content"], page.next_offset) == ("two\n", 2)
    assert backend.edit("/a/b.txt", "two", "2").occurrences == 1
    assert backend.edit("/a/b.txt", "none", "2").error is not None
    assert [match["path"] for match in backend.glob("*.txt").matches or []] == ["/a/b.txt"]
    assert [match["line"] for match in backend.grep("t", glob="*.txt").matches or []] == [3]
    assert backend.grep("e", max_count=1).truncated
    assert backend.delete("/a/b.txt").error is None
    assert backend.ls("/a").entries == []


def test_refusals_are_answers_not_exceptions(backend: RootBackend, workspace: Path):
    (workspace / "link").symlink_to("../secret.txt")
    paths = ["/link", "/../secret.txt", "/none"]
    words = [answer.error for answer in backend.download_files(paths)]
    assert words == ["invalid_path", "invalid_path", "file_not_found"]
    assert backend.upload_files([("/.mcp.json", b"{}")])[0].error == "permission_denied"
    for path in paths:
        assert backend.read(path).error
        assert backend.edit(path, "a", "b").error
        assert backend.delete("/none").error
    assert backend.ls("/none").error
    assert backend.glob("*", "/none").error
    assert backend.grep("x", "/none").error


def test_what_is_read_only_is_not_changed(workspace: Path):
    backend = RootBackend(SafeRoot(workspace, links="refuse"), writable=False)
    assert "read-only" in (backend.write("/a", "x").error or "")
    assert backend.delete("/a").error
    assert list(workspace.iterdir()) == []


async def test_skills_are_found_through_it(workspace: Path, backend: RootBackend):
    (workspace / "count").mkdir()
    (workspace / "count/SKILL.md").write_text(SKILL)
    routed = CompositeBackend(default=backend, routes={"/skills/tenant/": backend})
    middleware = SkillsMiddleware(backend=routed, sources=["/skills/tenant/"])
    update = await middleware.abefore_agent({"messages": []}, None, {})  # pyright: ignore[reportArgumentType]
    assert update is not None
    assert [skill["name"] for skill in update["skills_metadata"]] == ["count"]
