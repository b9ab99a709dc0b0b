"""What the sandbox costs: `true` in it against a plain subprocess, and the end of fifty processes.

The runs alternate in one process, so that load on the machine meets all. The aims are 40 ms for
`true`, 3 ms more for one that only looks over a layer, and 200 ms for the kill.
"""

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.self_test import run_self_test

ROUNDS = 30
KILLS = 5
PROCESSES = 50
TREE = f"for i in $(seq {PROCESSES}); do setsid sleep 1000 & done; echo started; wait"


async def plain() -> float:
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec("sh", "-c", "true")
    await process.wait()
    return time.perf_counter() - began


async def sandboxed(sandbox: BwrapSandbox) -> float:
    began = time.perf_counter()
    done = await sandbox.run("true")
    if done.exit_code != 0:
        raise SystemExit(f"`true` failed: {done}")
    return time.perf_counter() - began


async def looked(sandbox: BwrapSandbox) -> float:
    began = time.perf_counter()
    found = await sandbox.look("true", timeout_s=20.0, env={})
    if found.done.exit_code != 0 or found.writes:
        raise SystemExit(f"a look with `true` failed: {found}")
    return time.perf_counter() - began


async def killed(sandbox: BwrapSandbox) -> float:
    started = asyncio.Event()
    run = asyncio.create_task(sandbox.run(TREE, on_output=lambda _name, _data: started.set()))
    await started.wait()
    began = time.perf_counter()
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    return time.perf_counter() - began


async def measure(folder: Path) -> dict[str, float]:
    workspace = folder / "workspace"
    workspace.mkdir()
    sandbox = await BwrapSandbox.open(workspace, scratch=folder)
    samples: dict[str, list[float]] = {"plain": [], "sandboxed": [], "looked": []}
    for _ in range(ROUNDS):
        samples["plain"].append(await plain())
        samples["sandboxed"].append(await sandboxed(sandbox))
        samples["looked"].append(await looked(sandbox))
    kills = [await killed(sandbox) for _ in range(KILLS)]
    await sandbox.aclose()
    test: Any = await run_self_test()
    base, ours, look = (statistics.median(of) * 1000 for of in samples.values())
    return {
        "plain_true_ms": base,
        "sandboxed_true_ms": ours,
        "ratio": ours / base,
        "looked_true_ms": look,
        "look_more_ms": look - ours,
        "kill_50_ms": statistics.median(kills) * 1000,
        "self_test_ms": test.duration_s * 1000,
    }


def main() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(measure(Path(name)))


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
