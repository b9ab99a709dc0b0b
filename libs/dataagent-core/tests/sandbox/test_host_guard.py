"""Changes of files that programs of the host obey are held back until a person agrees."""

import os
import subprocess
from pathlib import Path

import pytest
from repositories import git, repository

from dataagent_core.sandbox.closed_places import ClosedPlaces
from dataagent_core.sandbox.git_files import is_harmless_config, is_inside
from dataagent_core.sandbox.held_changes import HeldChanges
from dataagent_core.sandbox.host_files import HOST_FILES, HostFile
from dataagent_core.sandbox.host_guard import HostGuard
from dataagent_core.sandbox.workspace_place import WorkspacePlace


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return repository(tmp_path / "p", **{"a.txt": "a\n"})


@pytest.fixture
def guard(workspace: Path, tmp_path: Path) -> HostGuard:
    (tmp_path / "home").mkdir()
    held = HeldChanges(tmp_path / "home", workspace)
    closed = ClosedPlaces.beneath(workspace, [tmp_path / "home"])
    return HostGuard(workspace, WorkspacePlace(str(workspace)), held, closed)


def put(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


@pytest.mark.parametrize("entry", HOST_FILES, ids=lambda entry: entry.pattern)
def test_every_entry_of_the_list_is_held_back_and_can_be_taken_over(
    guard: HostGuard, workspace: Path, entry: HostFile
):
    name = entry.pattern.replace("*", "local")
    name += "x" if name.endswith("/") else ""
    old, new = workspace / "old" / name, workspace / "node_modules" / "new" / name
    put(old, "before")
    before = guard.look()
    put(old, "after")
    put(new, "after")
    notes = guard.hold(before)
    assert (old.read_text(), new.exists()) == ("before", False)
    assert len(notes) == 2
    assert all(entry.who in note and "after" in note for note in notes)
    kept = guard.held.all()
    assert {change.path for change in kept} == {f"/old/{name}", f"/node_modules/new/{name}"}
    for change in kept:
        guard.held.take(change.number)
    assert (old.read_text(), new.read_text()) == ("after", "after")
    assert guard.held.all() == []


def test_a_hook_that_is_taken_over_can_be_run(guard: HostGuard, workspace: Path):
    hook = workspace / "sub" / ".git" / "hooks" / "pre-commit"
    before = guard.look()
    repository(workspace / "sub", **{"b.txt": "b\n"})
    put(hook, "#!/bin/sh\n")
    hook.chmod(0o755)
    guard.hold(before)
    (change,) = [one for one in guard.held.all() if one.path.endswith("pre-commit")]
    guard.held.take(change.number)
    assert os.access(hook, os.X_OK)


GIT_FILES = {
    "nested fsmonitor": ("sub/.git/config", "[core]\n\tfsmonitor = ./x\n"),
    "a line that goes on": ("sub/.git/config", "[core]\n\tbare = \\\n\tfalse\n"),
    "include": ("sub/.git/config", "[include]\n\tpath = x\n"),
    "alias": ("sub/.git/config", "[alias]\n\tst = !x\n"),
    "filter": ("sub/.git/config", '[filter "x"]\n\tclean = x\n'),
    "a helper's address": ("sub/.git/config", '[remote "o"]\n\turl = ext::sh -c x\n'),
    "an address in pieces": ("sub/.git/config", '[remote "o"]\n\turl = ext:"":sh -c x\n'),
    "a section that git does not see": ("sub/.git/config", "[alias]\n#\x0b[user]\nname = !x\n"),
    "a worktree elsewhere": ("sub/.git/config", "[core]\n\tworktree = ../../../..\n"),
    "a submodule's command": ("sub/.git/config", '[submodule "s"]\n\tupdate = !x\n'),
    "of a worktree": ("sub/.git/config.worktree", "[core]\n\tfsmonitor = ./x\n"),
    "of a submodule": ("sub/.git/modules/m/config", "[core]\n\thooksPath = x\n"),
    "bare": ("docs-cache/config", "[core]\n\tbare = true\n\tfsmonitor = ./x\n"),
    "a hook": ("sub/.git/hooks/post-checkout", "#!/bin/sh\nx\n"),
    "commondir": ("sub/.git/commondir", "../../evil\n"),
    "commondir of no worktree": ("sub/.git/commondir", "../..\n"),
    "gitdir": ("sub/.git/worktrees/w/gitdir", "/elsewhere/.git\n"),
    "a pointer outside": ("sub2/.git", "gitdir: ../../outside/.git\n"),
    "an absolute pointer outside": ("sub2/.git", "gitdir: /outside/.git\n"),
    "attributes": (".gitattributes", "*.c filter=x\n"),
    "attributes of a folder": ("src/.gitattributes", "* diff=x text\n"),
    "attributes of the repository": ("sub/.git/info/attributes", "* merge=x\n"),
}


@pytest.mark.parametrize("case", GIT_FILES)
def test_what_makes_git_run_something_is_held_back(guard: HostGuard, workspace: Path, case: str):
    name, content = GIT_FILES[case]
    before = guard.look()
    for folder in ("sub/.git", "sub/.git/modules/m", "sub/.git/worktrees/w", "docs-cache"):
        put(workspace / folder / "HEAD", "ref: refs/heads/main\n")
    put(workspace / name, content)
    notes = guard.hold(before)
    assert not (workspace / name).exists()
    assert [change.path for change in guard.held.all()] == [f"/{name}"]
    assert content.strip() in notes[0]


def test_a_folder_becomes_a_repository_with_what_was_there_before(
    guard: HostGuard, workspace: Path
):
    put(workspace / "kit/config", "[core]\n\tfsmonitor = ./x\n")
    before = guard.look()
    put(workspace / "kit/HEAD", "ref: refs/heads/main\n")
    assert len(guard.hold(before)) == 1
    assert not (workspace / "kit/config").exists()


@pytest.mark.parametrize("name", [".vscode", ".husky", ".git/hooks", "sub/.git", ".envrc"])
def test_a_link_in_such_a_place_is_held_back(guard: HostGuard, workspace: Path, name: str):
    target = workspace / "kit"
    target.mkdir()
    before = guard.look()
    link = workspace / name
    if link.is_dir():
        link.rename(workspace / "away")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(target)
    assert guard.hold(before)
    assert not link.is_symlink()


def test_what_git_writes_by_itself_passes(guard: HostGuard, workspace: Path):
    before = guard.look()
    git(workspace, "init", "-q", "sub")
    git(workspace, "init", "-q", "--bare", "bare.git")
    git(workspace, "clone", "-q", ".", "copy")
    git(workspace, "worktree", "add", "-q", "tree")
    git(workspace, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./", "mod")
    git(workspace, "config", "user.name", "Somebody")
    notes = guard.hold(before)
    # The addresses of submodules are listed: a person looks at those.
    assert [change.path for change in guard.held.all()] == ["/.gitmodules"], notes


@pytest.mark.parametrize("name", ["conftest.py", "package.json", "Makefile", "src/config", "HEAD"])
def test_code_of_the_project_is_not_held(guard: HostGuard, workspace: Path, name: str):
    before = guard.look()
    put(workspace / name, "fsmonitor = x")
    assert guard.hold(before) == ()
    assert (workspace / name).read_text() == "fsmonitor = x"


def test_modes_and_owners_come_back_and_removals_pass(guard: HostGuard, workspace: Path):
    put(workspace / ".husky/pre-commit", "mine")
    put(workspace / ".npmrc", "mine")
    (workspace / ".husky/pre-commit").chmod(0o750)
    before = guard.look()
    (workspace / ".husky/pre-commit").write_text("theirs")
    (workspace / ".npmrc").unlink()
    assert len(guard.hold(before)) == 1
    assert (workspace / ".husky/pre-commit").stat().st_mode & 0o777 == 0o750
    assert not (workspace / ".npmrc").exists()


def test_configurations_are_judged_by_a_list_of_harmless_keys():
    assert is_harmless_config('[remote "o"]\n\turl = git@h:p.git\n\tfetch = +a:b\n', "/.git")
    assert is_harmless_config("[core]\n\tworktree = ../../../sub\n", "/.git/modules/sub")
    assert not is_harmless_config("[core]\n\tsshCommand = x\n", "/.git")
    assert not is_harmless_config("[core] fsmonitor = x\n", "/.git")
    assert not is_harmless_config("nonsense with words\n", "/.git")
    assert is_inside("../b", "/a")
    assert not is_inside("../../b", "/a")


def test_the_persons_own_git_runs_nothing_afterwards(guard: HostGuard, workspace: Path):
    trace = workspace.parent / "ran"
    program = workspace / "x.sh"
    put(program, f"#!/bin/sh\ntouch {trace}\n")
    program.chmod(0o755)

    def status() -> None:
        for folder in (workspace, workspace / "sub"):
            subprocess.run(["git", "status"], cwd=folder, check=False, capture_output=True)

    before = guard.look()
    git(workspace, "init", "-q", "sub")
    git(workspace / "sub", "config", "core.fsmonitor", str(program))
    os.utime(program)
    guard.hold(before)
    status()
    assert not trace.exists()
    # Without the guard it does run: the test can fail.
    git(workspace / "sub", "config", "core.fsmonitor", str(program))
    status()
    assert trace.exists()


def test_what_could_not_be_looked_at_is_said(
    guard: HostGuard, workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_core.sandbox.host_scan.HOST_SCAN_ENTRIES_MAX", 3)
    assert "were not looked for" in guard.hold(guard.look())[0]


def test_the_list_is_documented():
    page = (Path(__file__).parents[4] / "docs/sandbox.md").read_text()
    assert [entry.pattern for entry in HOST_FILES if f"`{entry.pattern}`" not in page] == []


def test_one_that_is_too_large_to_keep_is_renamed(guard: HostGuard, workspace: Path):
    put(workspace / ".envrc", "x" * 1_000_001)
    before = guard.look()
    put(workspace / ".envrc", "y" * 1_000_001)
    assert len(guard.hold(before)) == 1
    names = [path.name for path in workspace.glob(".envrc*")]
    assert len(names) == 1
    assert names[0].startswith(".envrc.refused-")
