"""The figures to hold, in under three minutes: `make bench-quick`, at the end of `.ci/run`.

    python quick.py             measure, print beside the record, write the section of RESULTS.md
    python quick.py --record    the same, and make this run the record (`recorded.json`)

Ours and each baseline take turns; of CPU time per step and per turn the least counts, because other
work on the machine only ever adds to it, of a start the median. A figure that is more than a tenth
worse than on record is said loudly; the exit status stays 0, because a machine can be busy. Record
on a quiet one.
"""

import argparse
import importlib.util
import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import server_idle
import server_streaming
import server_tool_turns
import startup
import step_cpu
from quick_table import Figure, Recorded, table, warnings
from results_file import replace_sections
from server_load import Cost, load_note

HEADING = "## Quick"
RECORD = Path(__file__).with_name("recorded.json")
STEP_ROUNDS, START_ROUNDS, TURN_ROUNDS = 3, 3, 2
TOOL_RUNS, DIRECT_CHUNKS, IDLE_CONNECTIONS = 40, 25, 200
NO_AGNO = "Agno is not installed: the CPU per server turn stands beside nothing."
TEMPLATE = """\
{heading}
`make bench-quick` on {date}, {load}, in {seconds:.0f} s.
Ratio: ours divided by the baseline of the same run, so less is better. Recorded in
`benchmarks/recorded.json` ({recorded_on}); a change of more than 10 % for the worse is said loudly.

{table}

The server that streamed to 200 clients had a p50 of {stream_p50_ms:.0f} ms and peaked at
{stream_mb:.0f} MB.{note}
"""


def step() -> list[Figure]:
    bare, ours = map(min, step_cpu.samples(STEP_ROUNDS))
    return [Figure("step_cpu", "CPU ms per step", ours, "bare deepagents", bare)]


def start() -> list[Figure]:
    found = startup.main(START_ROUNDS)
    bare = "`import deepagents`"
    pairs = (
        ("start_cpu", "CPU s of `dataagent run`", "run_cpu_s", "import_deepagents_cpu_s"),
        ("first_event", "s to its first event", "first_event_s", "import_deepagents_s"),
        ("run_memory", "peak MB of `dataagent run`", "run_mb", "import_deepagents_mb"),
    )
    return [Figure(key, text, found[ours], bare, found[base]) for key, text, ours, base in pairs]


def turns() -> list[Figure]:
    rounds: list[list[Cost]] = []
    for _ in range(TURN_ROUNDS):
        ours = server_tool_turns.ours(TOOL_RUNS)
        plain = server_tool_turns.agno(runs=TOOL_RUNS)
        rounds.append([ours, plain, server_tool_turns.agno("tool-batch", runs=TOOL_RUNS)])
    columns = list(zip(*rounds, strict=True))
    made = TOOL_RUNS * server_tool_turns.TURNS_PER_RUN
    ours, plain, checkpointed = (min(one.cpu_s for one in row) * 1000 / made for row in columns)
    ours_mb, plain_mb, _ = (min(one.peak_mb for one in row) for row in columns)
    text, batch = "CPU ms per server turn", 'Agno AgentOS, "tool-batch"'
    return [
        Figure("turn_cpu", text, ours, "Agno AgentOS", plain),
        Figure("turn_cpu_checkpointed", text, ours, batch, checkpointed),
        Figure(
            "turn_memory", f"peak MB, {TOOL_RUNS} runs at once", ours_mb, "Agno AgentOS", plain_mb
        ),
    ]


def streams() -> tuple[list[Figure], dict[str, float]]:
    direct = server_streaming.read_directly(DIRECT_CHUNKS)
    found = server_streaming.measure(workers=1)
    chunks = server_streaming.RUNS * server_streaming.CHUNKS
    ours_ms = found["cpu_s"] * 1000 / chunks
    late, spent = direct["direct_p95_ms"], direct["direct_chunk_cpu_ms"]
    figures = [
        Figure("stream_p95", "p95 ms, 200 streams", found["p95_ms"], "read directly", late),
        Figure("stream_cpu", "CPU ms per chunk", ours_ms, "a client that reads directly", spent),
    ]
    return figures, found


def idle() -> list[Figure]:
    found = server_idle.main(IDLE_CONNECTIONS)
    text = "KB per idle WebSocket"
    return [
        Figure("idle_memory", text, found["idle_kb"], "bare Starlette", found["idle_bare_kb"]),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="make this run the record")
    record = parser.parse_args().record
    load, began = load_note(), time.monotonic()
    agno = importlib.util.find_spec("agno") is not None
    figures: list[Figure] = []
    for measure in (step, start, *([turns] if agno else []), idle):
        print(f"measuring: {measure.__name__} ...", flush=True)
        figures += measure()
    print("measuring: streams ...", flush=True)
    streamed, stream = streams()
    figures += streamed
    if record:
        write_record(figures, load)
    recorded, recorded_on = read_record()
    text = TEMPLATE.format(
        heading=HEADING,
        date=datetime.now(UTC).date(),
        load=load,
        seconds=time.monotonic() - began,
        recorded_on=recorded_on,
        table=table(figures, recorded),
        stream_mb=stream["peak_mb"],
        stream_p50_ms=stream["p50_ms"],
        note="" if agno else f"\n\n**{NO_AGNO}**",
    )
    replace_sections(text)
    print(text)
    say_loudly([*([] if agno else [NO_AGNO]), *warnings(figures, recorded)], load)


def write_record(figures: list[Figure], load: str) -> None:
    on = f"{datetime.now(UTC).date()}, {load}, {os.cpu_count()} cores"
    # A figure that could not be measured here keeps the ratio it had.
    kept, _ = read_record()
    ratios = {**kept, **{one.key: round(one.ratio, 3) for one in figures}}
    RECORD.write_text(json.dumps({"on": on, "ratios": ratios}, indent=2) + "\n")


def read_record() -> tuple[Recorded, str]:
    if not RECORD.exists():
        return {}, "never"
    found = json.loads(RECORD.read_text())
    return found["ratios"], found["on"]


def say_loudly(warned: list[str], load: str) -> None:
    if warned:
        border = "!" * 100
        said = [f"WORSE THAN RECORDED, OR NOT MEASURED ({load}):", *(f"  {one}" for one in warned)]
        print("\n".join([border, *(f"!! {line}" for line in said), border]), flush=True)


if __name__ == "__main__":
    main()
