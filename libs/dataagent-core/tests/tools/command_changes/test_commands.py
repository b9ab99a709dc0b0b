"""Real commands in the real sandbox: what is reported is what really changed."""

import hashlib
import shlex
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from diffs import applied
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.command_changes import CommandWatch

NAMES = ["a.txt", "b b.txt", "d/c.txt", "d/e/é.txt", "'q'"]
names = st.sampled_from(NAMES)
texts = st.text(st.sampled_from("xyz\n\té"), max_size=12)


def written(name: str, text: str, how: str) -> str:
    return f"printf %s {shlex.quote(text)} {how} {shlex.quote(name)}"


def done_to(name: str, command: str) -> str:
    return f"{command} {shlex.quote(name)}"


def moved(one: str, two: str) -> str:
    return f"mv {shlex.quote(one)} {shlex.quote(two)}"


operations = st.one_of(
    st.builds(written, names, texts, st.sampled_from([">", ">>"])),
    st.builds(done_to, names, st.sampled_from(["rm -f", "chmod +x", "touch"])),
    st.builds(moved, names, names),
    st.just("rm -rf d && mkdir -p d/e"),
)


@pytest.fixture
async def sandbox(workspace: Path, tmp_path: Path) -> AsyncIterator[BwrapSandbox]:
    opened = await BwrapSandbox.open(workspace, scratch=tmp_path)
    yield opened
    await opened.aclose()


def state(workspace: Path) -> dict[str, tuple[bytes, int]]:
    return {
        f"/{path.relative_to(workspace)}": (path.read_bytes(), path.stat().st_mode)
        for path in workspace.rglob("*")
        if path.is_file()
    }


@pytest.mark.requirement("S0-15")
@settings(max_examples=25)
@given(
    start=st.dictionaries(names, texts),
    commands=st.lists(st.lists(operations, min_size=1, max_size=5), min_size=1, max_size=2),
)
async def test_property_15_also_holds_for_what_commands_change(
    workspace: Path,
    sandbox: BwrapSandbox,
    watch: CommandWatch,
    start: dict[str, str],
    commands: list[list[str]],
):
    for old in state(workspace):
        (workspace / old[1:]).unlink()
    (workspace / "d/e").mkdir(parents=True, exist_ok=True)
    for name, text in start.items():
        (workspace / name).write_text(text)
    for steps in commands:
        before = state(workspace)
        watched = watch.begin("shell", "s")
        await sandbox.run("; ".join(steps))
        report = watch.end(watched)
        after = state(workspace)
        changed = {path for path in before | after if before.get(path) != after.get(path)}
        assert {record.display_path for record in report.records} == changed
        assert len(report.records) == len(changed)
        assert report.notices == ()
        for record in report.records:
            was = before.get(record.display_path, (b"", 0))[0].decode()
            now = after.get(record.display_path, (b"", 0))[0].decode()
            assert record.diff is not None
            assert applied(was, record.diff) == now
            existed, exists = record.display_path in before, record.display_path in after
            named = "delete" if not exists else "edit" if existed else "write"
            assert record.operation == named
            assert record.metrics["bytes_written"] == len(now.encode())


async def test_a_command_that_took_too_long_has_changed_what_it_changed(
    sandbox: BwrapSandbox, watch: CommandWatch
):
    watched = watch.begin("shell", "s")
    done = await sandbox.run("echo begun > a; sleep 60", timeout_s=0.5)
    assert done.killed_reason == "timeout"
    [record] = watch.end(watched).records
    assert (record.display_path, record.metrics["lines_added"]) == ("/a", 1)


async def test_git_and_node_are_one_change_each(
    workspace: Path, sandbox: BwrapSandbox, watch: CommandWatch
):
    watched = watch.begin("shell", "s")
    await sandbox.run("mkdir -p .git/objects node_modules/x; touch .git/HEAD node_modules/x/y a")
    shown = [(r.operation, r.display_path) for r in watch.end(watched).records]
    assert shown == [("write", "/.git/"), ("write", "/a"), ("write", "/node_modules/")]


def test_a_snapshot_is_enough_to_bring_a_workspace_back(workspace: Path, tmp_path: Path):
    """What a rewind needs: every hash of a snapshot leads to the content it names."""
    from dataagent_core.tools.command_changes.workspace_shadow import WorkspaceShadow

    for name in NAMES:
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(name)
    shadow = WorkspaceShadow(SafeRoot(workspace, links="beneath"), tmp_path / "shadows")
    snapshot = shadow.look()
    for name in NAMES:
        (workspace / name).unlink()
    shadow.look()
    with shadow.contents() as content:
        for name in NAMES:
            sha256 = snapshot.files[f"/{name}"].sha256
            assert sha256 is not None
            assert sha256 == hashlib.sha256(name.encode()).hexdigest()
            assert content(sha256) == name.encode()
