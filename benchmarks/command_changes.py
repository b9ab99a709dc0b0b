"""What it costs to see a command's changes: sandboxed `true` with the shadow and without.

Both alternate in one process, in a workspace of files that do not change. The first look, which
reads every file once, is a figure of its own. The aim is some tens of ms for 1,000 files.
"""

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from dataagent_core.sandbox.bwrap import BwrapSandbox
from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.tools.command_changes import CommandWatch

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
        report = await watch.ended(running)
        if report.records or report.notices:
            raise SystemExit(f"`true` changed something: {report}")

    first_ms = await timed_ms(lambda: asyncio.to_thread(watch.begin, "shell", "bench"))
    samples: dict[str, list[float]] = {"plain": [], "watched": []}
    for _ in range(ROUNDS):
        samples["plain"].append(await timed_ms(plain))
        samples["watched"].append(await timed_ms(watched))
    await sandbox.aclose()
    base, ours = (statistics.median(samples[name]) for name in ("plain", "watched"))
    return {
        f"true_{files}_files_ms": base,
        f"true_{files}_files_watched_ms": ours,
        f"ratio_{files}_files": ours / base,
        f"first_look_{files}_files_ms": first_ms,
    }


def main() -> dict[str, float]:
    figures: dict[str, float] = {}
    for files in SIZES:
        with tempfile.TemporaryDirectory() as name:
            figures |= asyncio.run(measure(Path(name), files))
    return figures


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
