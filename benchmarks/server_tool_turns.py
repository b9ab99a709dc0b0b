"""200 runs at once of 5 tool calls each: model turns per second, every step of ours durable.

Baseline: Agno AgentOS on the same endpoint with its own SQLite store, as it comes (a run is
written when it ends) and with its finest checkpoint, after each batch of tool calls. Both are
asked by one POST per run that makes its own session and streams server-sent events. Another run of
ours is sampled to say whose code the CPU went to.
"""

import asyncio
import json
import signal
from dataclasses import dataclass
from pathlib import Path

import httpx
from server_clients import rest
from server_load import Cost, Served, endpoint, folder, other_server, server, watched

RUNS, CALLS = 200, 5
TURNS_PER_RUN = CALLS + 1


@dataclass(frozen=True, slots=True)
class Api:
    """How a server is asked for a run, and what its stream calls a tool's result and the end."""

    path: str
    content_type: str
    body: str
    result: str
    end: str


OURS = Api("/api/v1/agent/chat", "application/json", '{"message":"go"}', "observe", "complete")
FORM = "application/x-www-form-urlencoded"
AGNO = Api(
    "/agents/helper/runs", FORM, "message=go&stream=true", "ToolCallCompleted", "RunCompleted"
)


async def one_run(client: httpx.AsyncClient, api: Api) -> None:
    headers = {"Content-Type": api.content_type}
    async with client.stream("POST", api.path, headers=headers, content=api.body) as answer:
        answer.raise_for_status()
        text = "".join([part async for part in answer.aiter_text()])
    if text.count(f"event: {api.result}\n") != CALLS or f"event: {api.end}\n" not in text:
        raise SystemExit(f"a run did not do its {CALLS} calls: {text[-2000:]}")


async def all_runs(served: Served, api: Api, runs: int = RUNS, *, sampled: bool = False) -> Cost:
    async with rest(served.url) as client:
        await one_run(client, api)  # what a server imports and opens at its first run
        if sampled:
            served.processes[0].send_signal(signal.SIGUSR1)

        async def every() -> None:
            await asyncio.gather(*(one_run(client, api) for _ in range(runs)))

        return (await watched(served, every()))[1]


def ours(runs: int = RUNS) -> Cost:
    with (
        folder() as home,
        endpoint(home, "tools", str(CALLS)) as model,
        server(home, model) as served,
    ):
        return asyncio.run(all_runs(served, OURS, runs))


def agno(*checkpoint: str, runs: int = RUNS) -> Cost:
    with folder() as home, endpoint(home, "tools", str(CALLS)) as model:
        arguments = (str(home), model, *checkpoint)
        with other_server("agno_server.py", home, "/health", *arguments) as served:
            return asyncio.run(all_runs(served, AGNO, runs))


def shares() -> dict[str, float]:
    """Say which part of our CPU is whose."""
    with folder() as home:
        with (
            endpoint(home, "tools", str(CALLS)) as model,
            server(home, model, "server_profile.py") as served,
        ):
            asyncio.run(all_runs(served, OURS, sampled=True))
        return json.loads(Path(home, "profile.json").read_text())


def where(parts: dict[str, float]) -> str:
    ordered = sorted(parts.items(), key=lambda part: -part[1])
    return ", ".join(f"{name} {share:.0%}" for name, share in ordered if share >= 0.005)


def main() -> dict[str, float | str]:
    figures: dict[str, float | str] = {}
    turns = RUNS * TURNS_PER_RUN
    costs = {"ours": ours(), "agno": agno(), "agno_checkpointed": agno("tool-batch")}
    for name, cost in costs.items():
        figures[f"{name}_turns_per_s"] = turns / cost.took_s
        figures[f"{name}_turn_cpu_ms"] = cost.cpu_s / turns * 1000
        figures[f"{name}_turns_mb"] = cost.peak_mb
    for name in ("agno", "agno_checkpointed"):
        figures[f"{name}_ratio"] = costs[name].took_s / costs["ours"].took_s
        figures[f"{name}_cpu_ratio"] = costs[name].cpu_s / costs["ours"].cpu_s
    return figures | {"turns_where": where(shares())}


if __name__ == "__main__":
    print(main())
