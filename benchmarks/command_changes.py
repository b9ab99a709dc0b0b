"""What it costs to see a command's changes: sandboxed `true` with the shadow and without.

Both alternate in one process, in a workspace of files that do not change. The first look, which
reads every file once, is a figure of its own; so is the snapshot that is taken before every call
that is not pure, when nothing changed. The aim is some tens of ms for 1,000 files.
"""

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.command_changes import CommandWatch
from dataagent_core.tools.workspace_history import CallWatch
from dataagent_core.tools.workspace_history.history_store import CallInfo

SIZES = (1_000, 10_000)
FILES_PER_FOLDER = 50
ROUNDS = 15
TEXT = "a line of an ordinary file\n" * 60


def fill(workspace: Path, files: int) -> None:
    for number in range(files):
        folder = workspace / f"folder{number // FILES_PER_FOLDER}"
        folder.mkdir(exist_ok=True)
        (folder / f"file{number}.txt").write_text(f"{number}\n{TEXT}")


async def timed_ms(command: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await command()
    return (time.perf_counter() - began) * 1000


async def unchanged_snapshots_ms(watch: CallWatch) -> float:
    """Time the snapshot before a call in an unchanged workspace."""
    call = CallInfo("bench", "run", "call", "write_file")
    watch.end(watch.begin(call, is_command=False), None)
    samples: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        watched = watch.begin(call, is_command=False)
        samples.append((time.perf_counter() - began) * 1000)
        if (report := watch.end(watched, None)).notices:
            raise SystemExit(f"no snapshot was taken: {report}")
    return statistics.median(samples)


async def measure(folder: Path, files: int) -> dict[str, float]:
    workspace = folder / "workspace"
    workspace.mkdir()
    fill(workspace, files)
    sandbox = await BwrapSandbox.open(workspace, scratch=folder)
    root = SafeRoot(workspace, links="beneath")
    watch = CommandWatch(root, folder / "shadows")

    async def plain() -> None:
        await sandbox.run("true")

    async def watched() -> None:
        running = await asyncio.to_thread(watch.begin, "shell", "bench")
        await sandbox.run("true")
        report = await asyncio.to_thread(watch.end, running)
        if report.records or report.notices:
            raise SystemExit(f"`true` changed something: {report}")

    first_ms = await timed_ms(lambda: asyncio.to_thread(watch.begin, "shell", "bench"))
    samples: dict[str, list[float]] = {"plain": [], "watched": []}
    for _ in range(ROUNDS):
        samples["plain"].append(await timed_ms(plain))
        samples["watched"].append(await timed_ms(watched))
    snapshots_ms = await unchanged_snapshots_ms(CallWatch(root, folder / "shadows"))
    await sandbox.aclose()
    base, ours = (statistics.median(samples[name]) for name in ("plain", "watched"))
    return {
        f"true_{files}_files_ms": base,
        f"true_{files}_files_watched_ms": ours,
        f"ratio_{files}_files": ours / base,
        f"first_look_{files}_files_ms": first_ms,
        f"snapshot_{files}_unchanged_files_ms": snapshots_ms,
    }


def main() -> dict[str, float]:
    figures: dict[str, float] = {}
    for files in SIZES:
        with tempfile.TemporaryDirectory() as name:
            figures |= asyncio.run(measure(Path(name), files))
    return figures


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
