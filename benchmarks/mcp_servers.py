"""What a call of an MCP tool costs through us, beside the SDK alone, in the same run.

The server is the small one of the tests, on the standard library alone, so that what is measured
is the way there: through our manager into a sandbox, through a client of the SDK held open on a
plain process, and through a client made for each call, as adapters do by default.
"""
# ruff: noqa: E501 (a row of a table is one line)

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from mcp import Client, StdioServerParameters
from server_load import load_note

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy

HEADING = "## MCP"
TEMPLATE = """\
{heading}
A call of `echo` on a server over stdio that is already running, beside a client of the SDK held open
on a plain process and beside one made for each call (`benchmarks/mcp_servers.py`), on {date}; {load}.

| figure | |
|---|--:|
{rows}
Aims: a call on a warm connection under 10 ms; 100 sessions of one person share one process.
"""

SMALL_SERVER = Path(__file__).parents[1] / "libs/dataagent-core/tests/support/mcp_small_server.py"
COMMAND = (sys.executable, ["-I", "-S", str(SMALL_SERVER)])
OWNER = Owner("local", "me")
WARM_ROUNDS = 200
COLD_ROUNDS = 10
SESSIONS = 100

Call = Callable[[], Awaitable[object]]


async def timed(call: Call) -> float:
    began = time.perf_counter()
    await call()
    return (time.perf_counter() - began) * 1000


async def measure(folder: Path) -> dict[str, float]:
    command, args = COMMAND
    parameters = StdioServerParameters(command=command, args=args)
    config = MCPServerConfig(
        name="small", command=command, args=args, read_paths=[str(SMALL_SERVER.parent)]
    )
    manager = MCPConnectionManager(transport_opener(policy=ProgramPolicy(folder=folder)))
    server = manager.connection(OWNER, config)

    async def ours() -> object:
        return await server.call("echo", {"text": "hi"}, timeout_s=60)

    async def cold() -> object:
        await manager.disconnect_user(OWNER)
        return await ours()

    async def session_per_call() -> object:
        async with Client(parameters) as client:
            return await client.call_tool("echo", {"text": "hi"})

    async with Client(parameters) as held:

        async def plain() -> object:
            return await held.call_tool("echo", {"text": "hi"})

        samples: dict[str, list[float]] = {"ours": [], "held": []}
        await ours()
        await plain()
        for _ in range(WARM_ROUNDS):
            samples["ours"].append(await timed(ours))
            samples["held"].append(await timed(plain))
        samples["each"] = [await timed(session_per_call) for _ in range(COLD_ROUNDS)]
        samples["cold"] = [await timed(cold) for _ in range(COLD_ROUNDS)]
    began = time.perf_counter()
    await asyncio.gather(*(ours() for _ in range(SESSIONS)))
    together = (time.perf_counter() - began) * 1000 / SESSIONS
    await manager.aclose()
    middle = {name: statistics.median(times) for name, times in samples.items()}
    return {
        "warm_call_ms": middle["ours"],
        "sdk_client_held_open_ms": middle["held"],
        "ratio_to_held_open": middle["ours"] / middle["held"],
        "sdk_client_per_call_ms": middle["each"],
        "per_call_is_times_dearer": middle["each"] / middle["ours"],
        "first_call_with_its_sandbox_ms": middle["cold"],
        f"call_of_{SESSIONS}_at_once_ms": together,
    }


def main() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measure(Path(folder)))


def section() -> str:
    load = load_note()
    print(f"measuring {__name__} ...", flush=True)
    rows = "".join(f"| `{__name__}.{k}` | {v:.2f} |\n" for k, v in main().items())
    return TEMPLATE.format(heading=HEADING, date=datetime.now(UTC).date(), load=load, rows=rows)


if __name__ == "__main__":
    print(main())
