"""A command that should only look runs where nothing it writes stays, and is caught writing."""

import os
import re
import shutil
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from repositories import git, repository
from sandboxes import leftovers, names_in, text

from dataagent_core.sandbox.bubblewrap import bwrap_sandbox
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.look_layer import LookLayer
from dataagent_core.sandbox.bubblewrap.sandbox_base import ScratchFolder
from dataagent_core.sandbox.git.git_directory import list_git_binds
from dataagent_core.sandbox.paths.workspace_location import locate_terminal_workspace
from dataagent_core.sandbox.port import LookResult
from tests.services.reachable import use_reachable_bwrap


async def look(sandbox: BwrapSandbox, command: str, timeout_s: float = 20.0) -> LookResult:
    return await sandbox.look(command, timeout_s=timeout_s, env={})


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("committed"), a="one\n", d_b="two\n")


@pytest.fixture
def project(workspace: Path, committed: Path) -> Path:
    shutil.copytree(committed, workspace, dirs_exist_ok=True)
    return workspace


def everything(folder: Path) -> dict[str, Any]:
    return {
        str(path): (path.lstat().st_mode, path.read_bytes() if path.is_file() else None)
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize(
    "command",
    [
        "cat a d/b",
        "ls -A; stat -c %A . d a; find . -name b",
        "grep -r two .",
        "git status; git log -p; git diff",
        # The index is a listed cache: it is written, and thrown away.
        "git update-index --force-write-index",
    ],
)
async def test_a_look_leaves_nothing_and_says_what_it_saw(
    sandbox: BwrapSandbox, project: Path, command: str
):
    before = everything(project)
    looked = await look(sandbox, command)
    assert (looked.done.exit_code, looked.writes) == (0, ())
    assert everything(project) == before
    assert looked.done.stdout.data == (await sandbox.run(command)).stdout.data


@pytest.mark.parametrize(
    ("command", "writes"),
    [
        ("echo x > new", ("/new",)),
        ("echo x >> a", ("/a",)),
        ("rm a", ("/a",)),
        ("rm -r d", ("/d",)),
        ("rm -r d; mkdir d", ("/d",)),
        ("mv a c", ("/a", "/c")),
        ("chmod 777 a", ("/a",)),
        ("chmod 700 d", ("/d",)),
        ("mkdir e", ("/e",)),
        ("ln -s /etc/passwd link", ("/link",)),
        ("rm a; ln -s d/b a", ("/a",)),
        ("rm -r d; ln -s /etc d", ("/d",)),
        ("ln -s /etc link", ("/link",)),
        ("mkfifo f; rm -r d; touch d", ("/d", "/f")),
        ("echo x > .git/hooks/post-checkout", ("/.git/hooks/post-checkout",)),
        ("echo /evil > .git/commondir", ("/.git/commondir",)),
        ("git config core.pager evil", ("/.git/config",)),
        ("echo x > .mcp.json", ("/.mcp.json",)),
        ("cd /; printf x > $OLDPWD/d/b", ("/d/b",)),
        ("touch /proc/self/cwd/via-proc", ("/via-proc",)),
        ("mkdir __pycache__; touch __pycache__/a.pyc __pycache__x", ("/__pycache__x",)),
    ],
)
async def test_what_a_look_writes_is_dropped_and_named(
    sandbox: BwrapSandbox, project: Path, command: str, writes: tuple[str, ...]
):
    before = everything(project)
    looked = await look(sandbox, command)
    assert looked.writes == writes, text(looked.done)
    assert everything(project) == before


async def test_a_touch_and_what_is_gone_again_are_no_writes(sandbox: BwrapSandbox, project: Path):
    looked = await look(sandbox, 'touch a d; touch gone; rm gone; python3 -c \'open("a", "r+")\'')
    assert looked.writes == ()


async def test_a_look_has_no_network_and_a_tmp_of_its_own(workspace: Path, tmp_path: Path):
    from dataagent_core.sandbox.network.egress import EgressPolicy

    sandbox = await BwrapSandbox.open(
        workspace, scratch=tmp_path, network="hosts", egress=EgressPolicy(hosts=("pypi.org",))
    )
    try:
        looked = await look(sandbox, "env | grep -i proxy; touch /tmp/x; ls /tmp; ls /proc/self/fd")
        again = await look(sandbox, "ls -A /tmp")
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            called = await look(sandbox, f"exec 9<>/dev/tcp/127.0.0.1/{port}; cat /proc/net/dev")
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.accept()
    finally:
        await sandbox.aclose()
    assert "Connection refused" in text(called.done)
    assert not re.search(r"^ *e", called.done.stdout.data.decode(), re.MULTILINE)
    assert looked.done.stdout.data.split() == [b"x", b"0", b"1", b"2", b"3"]
    assert again.done.stdout.data == b""
    assert looked.writes == ()
    assert leftovers(tmp_path) == []


async def test_a_repository_outside_the_workspace_cannot_be_changed_by_a_look(tmp_path: Path):
    folder = repository(tmp_path / "p", sub_a="a\n")
    workspace = folder / "sub"
    sandbox = await BwrapSandbox.open(
        workspace,
        place=locate_terminal_workspace(workspace),
        scratch=tmp_path,
        extra_binds=list_git_binds(workspace),
    )
    try:
        head = git(folder, "rev-parse", "HEAD")
        looked = await look(sandbox, "git log --oneline | wc -l; git tag evil; git branch evil")
    finally:
        await sandbox.aclose()
    assert looked.done.stdout.data.strip() == b"1"
    assert (git(folder, "tag"), git(folder, "rev-parse", "HEAD")) == ("", head)
    assert "evil" not in git(folder, "branch")


async def test_without_overlays_the_workspace_is_read_only_and_the_program_says_so(
    sandbox: BwrapSandbox, project: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sandbox, "_look_ways", ["read-only"])
    before = everything(project)
    assert (await look(sandbox, "cat a")).done.stdout.data == b"one\n"
    assert (await look(sandbox, "cat a")).writes == ()
    assert (await look(sandbox, "echo x > new")).writes != ()
    assert everything(project) == before


async def test_a_layer_that_cannot_lie_in_memory_lies_on_the_disk(
    sandbox: BwrapSandbox, project: Path, monkeypatch: pytest.MonkeyPatch
):
    # The kernel's own file system takes no folder.
    monkeypatch.setattr("dataagent_core.sandbox.bubblewrap.sandbox_base._MEMORY", Path("/proc"))
    assert (await look(sandbox, "cat a; echo x > b")).writes == ("/b",)
    assert (await look(sandbox, "cat a; rm -r d; mkdir d")).writes == ("/d",)
    assert not (project / "b").exists()


async def test_a_layer_that_cannot_be_mounted_is_done_without(
    sandbox: BwrapSandbox, project: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        "dataagent_core.sandbox.bubblewrap.run_preparation.LookLayer", _NowhereLayer
    )
    looked = await look(sandbox, "cat a; echo x > b")
    assert looked.done.stdout.data == b"one\n"
    assert looked.writes != ()
    assert not (project / "b").exists()


class _NowhereLayer(LookLayer):
    """A layer that was removed before it could be mounted."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.work.rmdir()


async def test_nothing_of_a_look_stays_in_memory(tmp_path: Path):
    scratch = ScratchFolder([tmp_path])
    folder = scratch.memory()
    assert folder.parent == Path("/dev/shm")
    with ExitStack() as stack:
        layer = LookLayer(folder, tmp_path.stat().st_mode, None, stack)
        (layer.upper / "a").write_text("x")
    assert names_in(folder) == []
    scratch.remove()
    assert not folder.exists()


async def test_a_look_that_writes_without_end_is_stopped(
    sandbox: BwrapSandbox, workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bwrap_sandbox, "LOOK_BYTES_MAX", 1_000_000)
    looked = await look(sandbox, "while :; do i=x$i; head -c 900000 /dev/zero > $i; sync; done")
    assert looked.done.killed_reason == "disk"
    assert names_in(workspace) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
async def test_a_look_runs_as_the_tenants_user(monkeypatch: pytest.MonkeyPatch):
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        use_reachable_bwrap(monkeypatch, place)
        workspace = place / "workspace"
        workspace.mkdir(mode=0o700)
        (workspace / "a").write_text("one")
        for path in (workspace, workspace / "a"):
            os.chown(path, 65534, 65534)
        sandbox = await BwrapSandbox.open(workspace, scratch=place, run_as=65534)
        looked = await look(sandbox, "id -u; cat a; echo two > a")
        await sandbox.aclose()
        assert looked.done.stdout.data == b"65534\none", text(looked.done)
        assert looked.writes == ("/a",)
        assert (workspace / "a").read_text() == "one"


async def test_a_file_too_large_for_the_layer_is_not_copied_into_it(
    sandbox: BwrapSandbox, workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bwrap_sandbox, "LOOK_BYTES_MAX", 1_000_000)
    (workspace / "large").write_bytes(b"x" * 3_000_000)
    looked = await look(sandbox, "touch large; wc -c large")
    assert looked.writes == ("a file too large for a look",)
    assert (await look(sandbox, "wc -c large")).writes == ()
