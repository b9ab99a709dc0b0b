"""Runs every benchmark and writes what it saw to RESULTS.md. Nothing here is asserted in tests.

`run.py complexity`, `console`, `context`, `data`, `mcp`, `memory`, `memory-graph`,
`memory-retrieval`, `message`, `patterns`, `plan`, `router`, `server`, `setup`, `skills`,
`subagents`, `terminal` and `workflow` measure one section and leave the others. `run.py
memory-retrieval --set PATH` only prints what it measures. `quick.py` measures the figures to hold.
"""

import os
import platform
import sys
from datetime import UTC, datetime

import budgets
import command_changes
import complexity
import console
import context
import data
import database_size
import edit_file
import functions_per_message
import grep
import mcp_servers
import memory_graph
import memory_retrieval
import memory_search
import parallel_subagents
import pattern_search
import pattern_workflow
import permission_decision
import router_match
import safe_open
import sandbox
import server
import setup_size
import skill_match
import startup
import step_cpu
import terminal
import work_plan
from results_file import RESULTS, replace_sections

TEMPLATE = """\
# Measured

Written by `make bench` on {date}, Python {python}, {cores}. Ratios are against the named baseline
in the same run; machines are noisy, so look at ratios before seconds.

## CPU per step
{steps} scripted tool calls with events, log, journal and checkpoints in SQLite, against bare
`create_deep_agent` with its SQLite checkpointer (`benchmarks/step_cpu.py`).

| | CPU ms per step |
|---|--:|
| bare deepagents | {bare_ms:.2f} |
| DataAgent, everything on | {ours_ms:.2f} |
| **ratio** (aim: at most 1.0) | **{ratio:.2f}** |

## Start-up
`dataagent run` with a scripted HTTP endpoint, beside `python -c "import deepagents"`
(`benchmarks/startup.py`). File cache warm; the first start after a reboot is slower for both.

| | seconds | peak MB |
|---|--:|--:|
| `import deepagents` | {import_deepagents_s:.2f} | {import_deepagents_mb:.0f} |
| `dataagent --help` (aim: 0.3 s) | {help_s:.2f} | |
| `dataagent run`, first event (aim: 2.5 s) | {first_event_s:.2f} | |
| `dataagent run`, whole (aim: 250 MB) | {whole_run_s:.2f} | {run_mb:.0f} |
| **ratio** to the import | **{first_event_ratio:.2f}** | **{memory_ratio:.2f}** |

What remains is import time: LangChain's core, LangSmith (imported by LangChain whether or not it
is used), LangGraph and the provider's SDK; our own modules and their libraries add about 0.3 s.

## Database
200 steps in one session, 200-byte results (`benchmarks/database_size.py`, aim: under 30 MB).

| | MB |
|---|--:|
| in one run | {mb_in_1_runs:.1f} |
| in ten runs | {mb_in_10_runs:.1f} |

## Budgets
{callers:.0f} callers side by side against one budget of {calls_allowed:.0f} calls, then as many
sub-agents of one run under a limit of tokens; and what holding and counting one call costs in
SQLite, beside an empty transaction (`benchmarks/budgets.py`).

| | |
|---|--:|
| calls made, in memory (aim: {calls_allowed:.0f}, never more) | {calls_in_memory:.0f} |
| calls made, in SQLite (aim: {calls_allowed:.0f}, never more) | {calls_in_sqlite:.0f} |
| tokens sub-agents used of {sub_limit:,.0f} (never more) | {sub_used:,.0f} |
| an empty transaction, us | {plain_us:.0f} |
| a call counted, no budget set, us | {counted_us:.0f} |
| a call held in three budgets and counted, us | {limited_us:.0f} |

## Tools
Each figure beside its own baseline in the same run: a plain open, a plain subprocess, ripgrep, the
grammar alone, a command nobody watches (`benchmarks/safe_open.py`, `edit_file.py`, `grep.py`,
`sandbox.py`, `command_changes.py`, `permission_decision.py`).

| figure | |
|---|--:|
{tools}
Aims: safe open under 10 us and ten times cheaper than resolve-and-compare; sandboxed `true` under
40 ms, as a look at most 3 ms more; kill of 50 processes under 200 ms; every edit of a 10,000-line
file under 50 ms; grep within 1.5x of ripgrep; a decision about 1 KB of command under 1 ms.
"""

# In the order they are written.
SECTIONS = {
    "console": console,
    "context": context,
    "data": data,
    "mcp": mcp_servers,
    "memory": memory_search,
    "memory-graph": memory_graph,
    "memory-retrieval": memory_retrieval,
    "server": server,
    "setup": setup_size,
    "skills": skill_match,
    "router": router_match,
    "complexity": complexity,
    "subagents": parallel_subagents,
    "plan": work_plan,
    "patterns": pattern_search,
    "workflow": pattern_workflow,
    "terminal": terminal,
    "message": functions_per_message,
}
TOOLS = (safe_open, edit_file, grep, sandbox, command_changes, permission_decision)


def main() -> None:
    """Measure what is asked for; a section that is not keeps what it says."""
    asked = sys.argv[1:]
    if asked[:1] == ["memory-retrieval"] and len(asked) > 1:
        print(memory_retrieval.main(asked[1:]))
        return
    if not asked:
        replace_sections(of_the_library())
    for name, module in SECTIONS.items():
        if asked in ([], [name]):
            replace_sections(module.section())
    print(RESULTS.read_text())


def of_the_library() -> str:
    figures: dict[str, float] = {}
    for name, benchmark in (
        ("CPU per step", step_cpu.main),
        ("start-up", startup.main),
        ("database size", database_size.main),
        ("budgets", budgets.main),
    ):
        print(f"measuring {name} ...", flush=True)
        figures |= benchmark()
    rows: list[str] = []
    for module in TOOLS:
        print(f"measuring {module.__name__} ...", flush=True)
        rows += [f"| `{module.__name__}.{k}` | {v:.2f} |\n" for k, v in module.main().items()]
    return TEMPLATE.format(
        tools="".join(rows),
        date=datetime.now(UTC).date(),
        python=platform.python_version(),
        cores=f"{os.cpu_count()} cores",
        steps=step_cpu.STEPS,
        **figures,
    )


if __name__ == "__main__":
    main()
