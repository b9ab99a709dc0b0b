"""Git in the sandbox: the person's name, the repository above or beside, and nothing else."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from repositories import git, repository
from sandboxes import text

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.git.git_directory import list_git_binds
from dataagent_core.sandbox.git.git_identity import GitIdentity, read_person_identity
from dataagent_core.sandbox.paths.workspace_location import locate_terminal_workspace
from dataagent_core.sandbox.port import CommandResult

Run = Callable[[Path, str], Awaitable[CommandResult]]


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Run]:
    """Run a command in a folder as the terminal does."""
    async with AsyncExitStack() as stack:

        async def run(folder: Path, command: str) -> CommandResult:
            sandbox = await BwrapSandbox.open(
                folder,
                place=locate_terminal_workspace(folder),
                scratch=tmp_path,
                extra_binds=list_git_binds(folder),
                git_identity=GitIdentity("Ann", "ann@example.org"),
            )
            stack.push_async_callback(sandbox.aclose)
            return await sandbox.run(command)

        yield run


async def test_a_clean_repository_is_clean_and_add_takes_only_its_own_files(
    tmp_path: Path, run: Run
):
    folder = repository(tmp_path / "p", src_a="a\n")
    done = await run(folder, "git status --porcelain; echo b > b; git add -A; git status -s")
    assert text(done) == "A  b\n"
    assert git(folder, "diff", "--cached", "--name-only") == "b\n"


async def test_commit_stash_and_worktree_work_and_the_host_sees_them(tmp_path: Path, run: Run):
    folder = repository(tmp_path / "p", a="a\n")
    done = await run(
        folder,
        "set -e; echo b >> a; git commit -qam second; echo c >> a; git stash -q; cat a; "
        "git stash pop -q; git worktree add -q tree; cat tree/a; git -C tree status --porcelain",
    )
    assert (done.exit_code, text(done)) == (0, "a\nb\na\nb\n")
    assert git(folder, "log", "-1", "--format=%an <%ae> %s") == "Ann <ann@example.org> second\n"
    assert "tree" in git(folder, "worktree", "list")


async def test_a_repositorys_own_identity_comes_before_the_persons(tmp_path: Path, run: Run):
    folder = repository(tmp_path / "p")
    git(folder, "config", "user.email", "work@example.org")
    done = await run(folder, "git commit -q --allow-empty -m x && git log -1 --format='%an %ae'")
    assert text(done) == "Ann work@example.org\n"


async def test_a_subfolder_of_a_repository_commits_into_it(tmp_path: Path, run: Run):
    folder = repository(tmp_path / "p", sub_a="a\n")
    (folder / ".env").write_text("SECRET")
    done = await run(folder / "sub", "echo b > b; git add . && git commit -qm sub; ls -A ..")
    assert (done.exit_code, text(done)) == (0, ".git\nsub\n")
    assert git(folder, "show", "--name-only", "--format=%s", "HEAD") == "sub\n\nsub/b\n"
    assert git(folder, "status", "--porcelain") == "?? .env\n"


async def test_a_linked_worktree_commits_into_its_repository(tmp_path: Path, run: Run):
    folder = repository(tmp_path / "p", a="a\n")
    git(folder, "worktree", "add", "-q", str(tmp_path / "linked"))
    done = await run(
        tmp_path / "linked", "git status --porcelain; git commit -q --allow-empty -m x"
    )
    assert (done.exit_code, text(done)) == (0, "")
    assert git(folder, "log", "-1", "--format=%s", "linked") == "x\n"


async def test_a_subfolder_of_a_linked_worktree_commits_into_its_repository(
    tmp_path: Path, run: Run
):
    folder = repository(tmp_path / "p", sub_a="a\n")
    git(folder, "worktree", "add", "-q", str(tmp_path / "linked"))
    done = await run(
        tmp_path / "linked" / "sub", "echo b > b; git add . && git commit -qm sub; echo x > ../.git"
    )
    assert "Read-only file system" in text(done)
    assert git(folder, "show", "--name-only", "--format=%s", "linked") == "sub\n\nsub/b\n"


async def test_clearing_up_keeps_worktrees_that_the_sandbox_does_not_show(tmp_path: Path, run: Run):
    folder = repository(tmp_path / "p", sub_a="a\n")
    git(folder, "worktree", "add", "-q", str(tmp_path / "linked"))
    old = folder / ".git" / "worktrees" / "linked" / "gitdir"
    os.utime(old, (0, 0))
    done = await run(folder / "sub", "git gc -q; git config gc.auto")
    assert text(done) == "0\n"
    assert old.exists()


@pytest.mark.parametrize("kind", ["subfolder", "worktree"])
async def test_what_runs_on_the_host_cannot_be_written_in_a_repository_outside(
    tmp_path: Path, run: Run, kind: str
):
    folder = repository(tmp_path / "p", sub_a="a\n")
    git(folder, "worktree", "add", "-q", str(tmp_path / "linked"))
    (folder / ".git" / "hooks").rename(tmp_path / "sample-hooks")
    workspace = folder / "sub" if kind == "subfolder" else tmp_path / "linked"
    before = (folder / ".git" / "config").read_text()
    done = await run(
        workspace,
        "g=$(git rev-parse --path-format=absolute --git-common-dir); git config core.pager evil; "
        "mkdir -p $g/hooks; echo evil > $g/hooks/pre-commit; mv $g $g.old; rm -rf $g/hooks; "
        "echo evil >> $g/config",
    )
    assert (folder / ".git" / "config").read_text() == before
    assert list((folder / ".git" / "hooks").iterdir()) == []
    assert done.exit_code != 0


@pytest.mark.parametrize("target", ["other/.git", "other/.git/worktrees/x", "keys"])
def test_a_pointer_that_the_repository_does_not_return_is_not_believed(tmp_path: Path, target: str):
    other = repository(tmp_path / "other")
    git(other, "worktree", "add", "-q", str(tmp_path / "x"))
    (tmp_path / "keys").mkdir()
    workspace = tmp_path / "p"
    workspace.mkdir()
    (workspace / ".git").write_text(f"gitdir: {tmp_path / target}\n")
    assert list_git_binds(workspace) == ()


def test_a_repository_in_the_home_folder_is_not_the_projects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    home = repository(tmp_path / "home", p_a="a\n")
    monkeypatch.setenv("HOME", str(home))
    assert list_git_binds(home / "p") == ()


def test_a_repository_in_the_workspace_needs_nothing(tmp_path: Path):
    assert list_git_binds(repository(tmp_path / "p")) == ()


async def test_only_name_and_mail_of_the_persons_configuration_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / ".gitconfig").write_text(
        '[user]\n\tname = Ann "the\\\\tester"\n\temail = ann@example.org\n\tsigningkey = KEY\n'
        "[credential]\n\thelper = store\n[alias]\n\tx = !touch evil\n"
        f'[includeIf "gitdir:{tmp_path}/work/"]\n\tpath = work.inc\n'
    )
    (tmp_path / "work.inc").write_text("[user]\n\temail = work@example.org\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    folder = repository(tmp_path / "p")
    identity = read_person_identity(folder)
    assert identity.email == "ann@example.org"
    assert read_person_identity(repository(tmp_path / "work" / "q")).email == "work@example.org"
    sandbox = await BwrapSandbox.open(folder, scratch=tmp_path, git_identity=identity)
    try:
        said = text(
            await sandbox.run("git config --list --show-scope | grep -v -e ^local -e ^command")
        )
    finally:
        await sandbox.aclose()
    assert said.splitlines() == [
        f"system\tuser.name={identity.name}",
        "system\tuser.email=ann@example.org",
    ]


def test_a_name_cannot_bring_configuration_of_its_own():
    config = GitIdentity('x"\n[alias]\n\ty = !z', "").config()
    assert config.count("\n") == 2
    assert GitIdentity().config() == ""


def test_a_link_among_gits_files_is_not_followed(tmp_path: Path):
    folder = repository(tmp_path / "p", sub_a="a\n")
    (tmp_path / "keys").write_text("KEY")
    (folder / ".git" / "config.worktree").symlink_to(tmp_path / "keys")
    shown = [bind.dest for bind in list_git_binds(folder / "sub")]
    assert str(folder / ".git" / "config") in shown
    assert str(folder / ".git" / "config.worktree") not in shown
