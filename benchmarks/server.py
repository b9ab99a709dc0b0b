"""Runs the server's benchmarks and writes their section of RESULTS.md."""
# ruff: noqa: E501 (a row of a table is one line)

from datetime import UTC, datetime
from typing import Any

import server_commits
import server_idle
import server_lists
import server_replay
import server_streaming
import server_tool_turns
from server_load import load_note

HEADING = "## Server"
TEMPLATE = """\
{heading}
Over loopback, the model a process of its own (`benchmarks/load_endpoint.py`), the server another,
the clients a third, on {date}; {load}.

200 runs at once, each streaming 100 chunks 200 ms apart over its own WebSocket
(`benchmarks/server_streaming.py`; aims: p95 under 150 ms, under 512 MB). Baseline: the same
reading of the model's endpoint with no server between.

| chunk to frame | p50 ms | p95 ms | peak MB | CPU s | transactions per chunk |
|---|--:|--:|--:|--:|--:|
| the endpoint, read directly | {direct_p50_ms:.1f} | {direct_p95_ms:.1f} | | | |
| DataAgent | {p50_ms_1:.0f} | {p95_ms_1:.0f} | {peak_mb_1:.0f} | {cpu_s_1:.1f} | {commits_per_chunk_1:.2f} |
| DataAgent, `--workers 2` | {p50_ms_2:.0f} | {p95_ms_2:.0f} | {peak_mb_2:.0f} | {cpu_s_2:.1f} | {commits_per_chunk_2:.2f} |
| **ratio** to reading directly | | **{p95_ratio:.1f}** | | | |

With two workers MB and CPU are the sum of all their processes.

200 runs at once of 5 tool calls each (`benchmarks/server_tool_turns.py`; aim: 1.0 of Agno AgentOS
with every step durable). Agno on the same endpoint with its own SQLite store: as it comes it
writes a run when it ends; "tool-batch" is the finest checkpoint it has.

| | model turns/s | CPU ms per turn | peak MB |
|---|--:|--:|--:|
| DataAgent, every step durable | {ours_turns_per_s:.0f} | {ours_turn_cpu_ms:.1f} | {ours_turns_mb:.0f} |
| Agno AgentOS | {agno_turns_per_s:.0f} | {agno_turn_cpu_ms:.1f} | {agno_turns_mb:.0f} |
| Agno AgentOS, "tool-batch" | {agno_checkpointed_turns_per_s:.0f} | {agno_checkpointed_turn_cpu_ms:.1f} | {agno_checkpointed_turns_mb:.0f} |
| **ratio** to Agno, higher is better | **{agno_ratio:.2f}** | **{agno_cpu_ratio:.2f}** | |
| **ratio** to Agno with "tool-batch" | **{agno_checkpointed_ratio:.2f}** | **{agno_checkpointed_cpu_ratio:.2f}** | |

The two servers are measured one after the other: with other work on the machine the ratio of CPU
is the steadier one.

Where our CPU goes, sampled in a run of its own, each sample counted for the innermost of these:
{turns_where}.

| figure | | baseline | | ratio |
|---|--:|---|--:|--:|
| KB per idle WebSocket, of 1,000 (aim: 60) | {idle_kb:.0f} | bare Starlette | {idle_bare_kb:.0f} | {idle_ratio:.2f} |
| replay of 10,000 events, WebSocket, events/s (aim: 20,000) | {replay_websocket_per_s:.0f} | lines of the log alone | {replay_log_per_s:.0f} | {replay_ratio:.2f} |
| the same, read with the `websockets` library | {replay_library_per_s:.0f} | | | |
| the same, server-sent events | {replay_sse_per_s:.0f} | | | |
| transactions of one run of 1,000 chunks 5 ms apart | {commits:.0f} | one per chunk | {commits_chunks:.0f} | {commits_ratio:.2f} |

`benchmarks/server_idle.py`, `server_replay.py`, `server_commits.py`. The run took the time of
{commits_batches:.0f} batches of text; what the other transactions are was not counted.

p95 in ms over REST with 100,000 sessions, 50,000 of them the caller's, beside the same requests
when there were 100 (`benchmarks/server_lists.py`; aim for list and messages: 20 ms).

| | with 100 | with 100,000 | ratio |
|---|--:|--:|--:|
{lists}"""

LIST_NAMES = {
    "list": "session list, page after page",
    "messages": "message page",
    "search": "search, every title",
    "rare": "search, one title",
}
MODULES = (
    server_streaming,
    server_tool_turns,
    server_idle,
    server_replay,
    server_commits,
    server_lists,
)


def list_rows(figures: dict[str, Any]) -> str:
    rows: list[str] = []
    for kind in server_lists.KINDS:
        for what, name in LIST_NAMES.items():
            few, many, ratio = (figures[f"{kind}_{what}_{of}"] for of in ("few_ms", "ms", "ratio"))
            rows.append(f"| {kind}: {name} | {few:.1f} | {many:.1f} | {ratio:.2f} |\n")
    return "".join(rows)


def section() -> str:
    load = load_note()  # before we load it ourselves
    figures: dict[str, Any] = {}
    for module in MODULES:
        print(f"measuring {module.__name__} ...", flush=True)
        figures |= module.main()
    return TEMPLATE.format(
        heading=HEADING,
        date=datetime.now(UTC).date(),
        load=load,
        lists=list_rows(figures),
        **figures,
    )
