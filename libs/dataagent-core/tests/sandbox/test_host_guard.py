"""Changes of files that programs of the host obey are held back until a person agrees."""

import asyncio
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from repositories import git, repository

from dataagent_core.errors import LimitReachedError
from dataagent_core.sandbox.git.git_directory import find_outside_git_directory
from dataagent_core.sandbox.git.git_file_checks import is_harmless_config, is_inside
from dataagent_core.sandbox.host_guard.held_changes import HeldChangeStore
from dataagent_core.sandbox.host_guard.host_files import HOST_FILES, HostFile
from dataagent_core.sandbox.host_guard.host_guard import HostGuard
from dataagent_core.sandbox.paths.closed_paths import ClosedPaths
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return repository(tmp_path / "p", **{"a.txt": "a\n"})


def guard_of(workspace: Path, outside: Path | None = None) -> HostGuard:
    home = workspace.parent / "home"
    home.mkdir(exist_ok=True)
    closed = ClosedPaths.beneath(workspace, [home])
    place = WorkspaceLocation(str(workspace))
    return HostGuard(workspace, place, HeldChangeStore(home, workspace), closed, outside)


@pytest.fixture
def guard(workspace: Path) -> HostGuard:
    return guard_of(workspace)


def put(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


@pytest.mark.parametrize("entry", HOST_FILES, ids=lambda entry: entry.pattern)
def test_every_entry_of_the_list_is_held_back_and_can_be_taken_over(
    tmp_path: Path, entry: HostFile
):
    workspace = tmp_path / "p"
    name = entry.pattern.replace("*", "a")
    name += "x" if name.endswith("/") else ""
    old, new = workspace / "old" / name, workspace / "node_modules" / "new" / name
    put(old, "before")
    guard = guard_of(workspace)
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


OBEYED = [
    *(".venv/pip.conf", "uv.toml", "poetry.toml", ".pdm-python", ".bazeliskrc", ".bazelversion"),
    *("gradle/wrapper/gradle-wrapper.properties", ".ghci", ".iex.exs", ".ocamlinit", ".renviron"),
    *(".ycm_extra_conf.py", ".ackrc", ".lessfilter", ".ipython/profile_default/startup/a.py"),
    *(".github/hooks/a.json", ".clinerules/hooks/a", ".gradle/init.gradle", ".cargo/bin/rustc"),
    *(".vscode/settings.json", ".idea/workspace.xml", ".husky/pre-commit", ".npmrc", ".pdbrc"),
]


@pytest.mark.parametrize("name", OBEYED)
def test_what_a_host_program_obeys_is_held_back_when_it_is_new(tmp_path: Path, name: str):
    workspace = tmp_path / "p"
    workspace.mkdir()
    guard = guard_of(workspace)
    before = guard.look()
    put(workspace / name, "after")
    assert len(guard.hold(before)) == 1
    assert not (workspace / name).exists()


@pytest.mark.parametrize("content", ["3.12\n", "3.12.4", "pypy3.10-7.3\n3.12\n", "cpython-3.13\n"])
def test_a_version_by_its_name_passes_and_one_by_its_path_does_not(tmp_path: Path, content: str):
    workspace = tmp_path / "p"
    workspace.mkdir()
    guard = guard_of(workspace)
    before = guard.look()
    put(workspace / ".python-version", content)
    assert guard.hold(before) == ()
    before = guard.look()
    put(workspace / ".python-version", content + "\n/srv/evil/python\n")
    assert len(guard.hold(before)) == 1
    before = guard.look()
    put(workspace / ".python-version", "../../evil3\n")
    assert len(guard.hold(before)) == 1
    assert (workspace / ".python-version").read_text() == content


@pytest.mark.parametrize(
    "name",
    [
        *(".git/objects/info/alternates", ".git/info/exclude", ".git/info/grafts", "conftest.py"),
        *(".venv/lib/python3.12/site-packages/a.pth", "sitecustomize.py", "eslint.config.js"),
        *(".pylintrc", "package.json", "Makefile", "node_modules/.bin/a", ".gitignore"),
    ],
)
def test_code_of_the_project_and_what_runs_nothing_is_not_held(
    guard: HostGuard, workspace: Path, name: str
):
    before = guard.look()
    put(workspace / name, "after")
    assert guard.hold(before) == ()
    assert (workspace / name).read_text() == "after"


SETTINGS_THAT_RUN = [
    *("core.hooksPath", "core.sshCommand", "core.fsmonitor", "core.pager", "core.editor"),
    *("core.askPass", "core.gitProxy", "core.attributesFile", "core.alternateRefsCommand"),
    *("diff.external", "diff.x.command", "diff.x.textconv", "difftool.x.cmd", "mergetool.x.cmd"),
    *("filter.x.process", "filter.x.clean", "filter.x.smudge", "merge.x.driver", "gpg.program"),
    *("gpg.ssh.program", "gpg.ssh.defaultKeyCommand", "credential.helper", "alias.x", "pager.log"),
    *("url.x.insteadOf", "url.x.pushInsteadOf", "include.path", "includeIf.gitdir:/.path"),
    *(
        "remote.x.vcs",
        "remote.x.uploadpack",
        "remote.x.receivepack",
        "remote.x.proxy",
        "http.proxy",
    ),
    *("sequence.editor", "interactive.diffFilter", "sendemail.smtpServer", "trailer.x.command"),
    *("trailer.x.cmd", "uploadpack.packObjectsHook", "protocol.ext.allow", "init.templateDir"),
    *("browser.x.cmd", "man.x.cmd", "web.browser", "instaweb.httpd", "tar.x.command", "gc.x.cmd"),
    *(
        "hook.x.command",
        "submodule.x.update",
        "http.sslVerify",
        "safe.directory",
        "log.showSignature",
    ),
]


@pytest.mark.parametrize("setting", SETTINGS_THAT_RUN)
def test_a_setting_that_runs_or_redirects_is_held_wherever_it_is_written(
    tmp_path: Path, setting: str
):
    section, _, key = setting.partition(".")
    name, _, key = key.rpartition(".")
    header = f'[{section} "{name}"]' if name else f"[{section}]"
    text = f"{header}\n\t{key} = !x\n"
    assert not is_harmless_config(text, "", str(tmp_path), [str(tmp_path)])
    assert not is_harmless_config(text.upper(), "", str(tmp_path), [str(tmp_path)])


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
    "a folder that several share": ("shared/config", "[core]\n\tfsmonitor = ./x\n"),
    "a branch's address": ("sub/.git/config", '[branch "main"]\n\tremote = ext::sh -c x\n'),
    "an old file of a remote": ("sub/.git/remotes/origin", "URL: ext::sh -c x\n"),
    "an old file of a branch": ("sub/.git/branches/origin", "ext::sh -c x\n"),
    "a rebase that was begun": ("sub/.git/rebase-merge/git-rebase-todo", "pick 1 a\n x touch b\n"),
    "addresses of submodules": (".gitmodules", '[submodule "s"]\n\tpath = s\n\turl = ext::x\n'),
    "a command of submodules": (".gitmodules", '[submodule "s"]\n\tupdate = !x\n'),
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
    for folder in ("objects", "refs"):
        (workspace / "shared" / folder).mkdir(parents=True)
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


@pytest.mark.parametrize(
    "name", [".vscode", ".husky", ".git/hooks", "sub/.git", ".envrc", ".cargo", ".jj/repo"]
)
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
    assert guard.hold(before) == ()


@pytest.mark.parametrize(
    "name", ["conftest.py", "package.json", "Makefile", "src/config", "HEAD", ".config", ".run"]
)
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
    def is_harmless(text: str, old: str = "", folder: str = "/p/.git") -> bool:
        return is_harmless_config(text, old, folder, ["/p"])

    remote = '[remote "o"]\n\turl = git@h:p.git\n'
    assert is_harmless(remote + "\tfetch = +a:b\n")
    assert is_harmless("[core]\n\tworktree = ../../../sub\n", folder="/p/.git/modules/sub")
    assert not is_harmless("[core]\n\tsshCommand = x\n")
    assert not is_harmless("[core] fsmonitor = x\n")
    assert not is_harmless("nonsense with words\n")
    # A remote that had an address keeps it; a new one may have any.
    assert is_harmless(remote, old=remote)
    assert not is_harmless(remote.replace("@h", "@elsewhere"), old=remote)
    assert is_inside("../b", "/p/a", ["/p"])
    assert not is_inside("../../b", "/p/a", ["/p"])
    assert is_inside("/q/b", "/p/a", ["/p", "/q"])
    assert not is_inside("/pq", "/p", ["/p"])


def test_a_submodule_keeps_its_address(guard: HostGuard, workspace: Path):
    modules = workspace / ".gitmodules"
    put(modules, '[submodule "s"]\n\tpath = s\n\turl = https://mine/s\n')
    before = guard.look()
    put(modules, modules.read_text().replace("mine", "elsewhere"))
    assert len(guard.hold(before)) == 1
    assert "mine" in modules.read_text()


def test_files_that_the_persons_configuration_names_count_under_any_name(
    guard: HostGuard, workspace: Path
):
    git(workspace, "config", "include.path", "../tools/settings")
    git(workspace, "config", "core.hooksPath", "tools/checks")
    put(workspace / "tools/settings", "[include]\n\tpath = more\n")
    before = guard.look()
    names = ("tools/settings", "tools/more", "tools/checks/pre-commit", "tools/checks/deep/x")
    for name in names:
        put(workspace / name, "[core]\n\tfsmonitor = ./x\n")
    put(workspace / "tools/other", "[core]\n\tfsmonitor = ./x\n")
    guard.hold(before)
    assert {change.path[1:] for change in guard.held.all()} == set(names)
    assert (workspace / "tools/settings").read_text() == "[include]\n\tpath = more\n"


def test_the_persons_own_files_of_git_count_too(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own = tmp_path / "gitconfig"
    own.write_text(f"[core]\n\thooksPath = checks\n[include]\n\tpath = {workspace}/team\n")
    put(workspace / "team", "[user]\n\tname = Somebody\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    guard = guard_of(workspace)
    before = guard.look()
    put(workspace / "checks/pre-commit", "x")
    put(workspace / "team", "[core]\n\tfsmonitor = ./x\n")
    guard.hold(before)
    assert [change.path for change in guard.held.all()] == ["/checks/pre-commit", "/team"]


def test_the_repository_above_a_subfolder_is_looked_at_too(tmp_path: Path):
    repository(tmp_path / "p", sub_a="a\n")
    workspace, directory = tmp_path / "p/sub", tmp_path / "p/.git"
    assert find_outside_git_directory(workspace) == directory
    guard = guard_of(workspace, directory)
    before = guard.look()
    git(workspace, "worktree", "add", "-q", "tree")
    put(directory / "commondir", f"{workspace}/evil\n")
    put(directory / "modules/m/HEAD", "ref: refs/heads/main\n")
    put(directory / "modules/m/config", "[core]\n\tfsmonitor = ./x\n")
    guard.hold(before)
    expected = [f"{directory}/commondir", f"{directory}/modules/m/config"]
    kept = guard.held.all()
    assert [change.shown for change in kept] == expected
    assert not any(Path(name).exists() for name in expected)
    guard.held.take(kept[0].number)
    assert (directory / "commondir").exists()


def test_no_folder_is_too_deep(guard: HostGuard, workspace: Path):
    before = guard.look()
    deep = workspace.joinpath(*"d" * 150)
    put(deep / ".envrc", "x")
    put(workspace / "z/.envrc", "x")
    assert len(guard.hold(before)) == 2
    assert not (deep / ".envrc").exists()


def test_commands_that_run_at_once_are_compared_with_what_was_before_the_first(
    guard: HostGuard, workspace: Path
):
    first = guard.look()
    put(workspace / ".envrc", "evil")
    second = guard.look()
    assert len(guard.hold(first)) == 1
    put(workspace / ".envrc", "evil")
    assert len(guard.hold(second)) == 1
    assert not (workspace / ".envrc").exists()
    # Later it is the person's.
    put(workspace / ".envrc", "mine")
    assert guard.hold(guard.look()) == ()


async def test_a_look_that_is_cancelled_is_forgotten(guard: HostGuard, workspace: Path):
    async def watch() -> None:
        async with guard.watched():
            pass

    cancelled = asyncio.create_task(watch())
    await asyncio.sleep(0)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    put(workspace / ".envrc", "mine")
    async with guard.watched() as notes:
        put(workspace / ".npmrc", "theirs")
    assert len(notes) == 1
    assert (workspace / ".envrc").read_text() == "mine"


@pytest.fixture
def somebody() -> Iterator[Path]:
    """Give a folder of a user who is not root, and be that user."""
    with tempfile.TemporaryDirectory() as folder:
        is_root = os.geteuid() == 0
        if is_root:
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
        try:
            yield Path(folder)
        finally:
            if is_root:
                os.seteuid(0)


def test_modes_do_not_hide_or_keep_a_file(somebody: Path):
    workspace = somebody / "p"
    put(workspace / ".husky/pre-push", "mine")
    guard = guard_of(workspace)
    before = guard.look()
    put(workspace / "sub/.git/HEAD", "ref: refs/heads/main\n")
    put(workspace / "sub/.git/config", "[core]\n\tfsmonitor = ./x\n")
    put(workspace / ".husky/pre-commit", "runs without being read")
    put(workspace / ".husky/pre-push", "theirs")
    (workspace / ".husky/pre-commit").chmod(0o111)
    for name, mode in ((".husky", 0o555), ("sub/.git", 0o311), ("sub", 0o111), (".", 0o111)):
        (workspace / name).chmod(mode)
    notes = guard.hold(before)
    assert len(notes) == 3
    assert all("held back" in note for note in notes)
    assert not (workspace / "sub/.git/config").exists()
    assert not (workspace / ".husky/pre-commit").exists()
    assert (workspace / ".husky/pre-push").read_text() == "mine"


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
    before = guard.look()
    monkeypatch.setattr("dataagent_core.sandbox.host_guard.host_guard.HOST_SCAN_ENTRIES_MAX", 3)
    assert "not all of them were looked at" in guard.hold(before)[0]
    # A command is not begun when its changes could not be found.
    with pytest.raises(LimitReachedError, match="more than 3 entries"):
        guard.look()


def test_the_list_is_documented():
    page = (Path(__file__).parents[4] / "docs/sandbox.md").read_text()
    assert [entry.pattern for entry in HOST_FILES if f"`{entry.pattern}`" not in page] == []


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("core.fsmonitor", "./tools/run"),
        ("core.fsmonitor", "tools/run"),
        ("core.sshCommand", "ssh -F x -o ProxyCommand=tools/run"),
        ("filter.x.clean", "tools/run %f"),
        ("filter.x.process", "python3 tools/run"),
        ("diff.x.textconv", "'tools/run' -x"),
        ("merge.x.driver", "sh -c 'tools/run %O %A'"),
        ("credential.helper", "!tools/run"),
        ("alias.st", "!cd . && ./tools/run"),
        ("gpg.program", "{workspace}/tools/run"),
        ("core.editor", "tools/run"),
        ("core.pager", "tools/run | less"),
    ],
)
def test_a_program_in_the_workspace_that_the_persons_git_starts_is_held(
    workspace: Path, setting: str, value: str
):
    put(workspace / "tools" / "run", "before")
    put(workspace / "tools" / "other", "before")
    git(workspace, "config", setting, value.format(workspace=workspace))
    guard = guard_of(workspace)
    before = guard.look()
    put(workspace / "tools" / "run", "after")
    put(workspace / "tools" / "other", "after")
    assert len(guard.hold(before)) == 1
    assert (workspace / "tools" / "run").read_text() == "before"
    assert (workspace / "tools" / "other").read_text() == "after"


def test_one_that_is_too_large_to_keep_is_renamed(guard: HostGuard, workspace: Path):
    put(workspace / ".envrc", "x" * 1_000_001)
    before = guard.look()
    put(workspace / ".envrc", "y" * 1_000_001)
    assert len(guard.hold(before)) == 1
    names = [path.name for path in workspace.glob(".envrc*")]
    assert len(names) == 1
    assert names[0].startswith(".envrc.refused-")
