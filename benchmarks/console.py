"""The console in Chromium, at the real server with a scripted model, each figure beside a baseline.

First paint beside a plain text of the same server; frames per second
while an answer streams beside the same browser doing nothing; opening a long session beside reading
the same frames with `JSON.parse`; memory over a long replay beside that over a hundredth of it.
"""

import os
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

import console_page as at
from console_setup import STREAM_RATE, ConsoleSetup, open_console_setup

from tests.console.long_logs import turns, written

HEADING = "## Console"
WEB = Path(__file__).parents[1] / "web"
ROUNDS = 5
LONG_EVENTS, REPLAY_CHUNKS = 5000, 360_000

TEMPLATE = """\
{heading}
Chromium (headless, software rendering) and the server on one machine with {cores} cores, so both
and the scripted model share them (`benchmarks/console.py`).

| | | aim |
|---|--:|--:|
| first load of the chat, gzip | {load_kb:.0f} KB | < 400 KB |
| the same with what shows a conversation | {conversation_kb:.0f} KB | |
| first paint of a plain text of the same server | {plain_paint_ms:.0f} ms | |
| first paint of the console | {paint_ms:.0f} ms | < 1,000 ms |
| **ratio** | **{paint_ratio:.1f}** | |
| frames per second, an idle page | {idle_fps:.0f} | |
| frames per second while {rate} chunks/s stream | {fps:.0f} | 60 |
| **ratio** | **{fps_ratio:.2f}** | |
| longest frame while it streams | {longest_ms:.0f} ms | |
| the frames of {events:,} events by `JSON.parse` alone | {parse_ms:.0f} ms | |
| a session of {events:,} events opens, from the click | {click_ms:.0f} ms | < 1,500 ms |
| the same by its address with an empty cache, the console's own start in it | {open_ms:.0f} ms | |
| frames per second while it is scrolled | {scroll_fps:.0f} | 60 |
| memory after a replay of {few:,} chunks | {few_mb:.0f} MB | |
| memory after a replay of {chunks:,} | {many_mb:.0f} MB | flat |
| **ratio** | **{memory_ratio:.2f}** | |
| chunks replayed in a second | {replayed_per_s:,.0f} | |
"""


def loaded() -> dict[str, float]:
    """Return the build's own size of what is loaded before a chat, and to read a chat."""
    command = ["node", "scripts/sizes.mjs"]
    counted = subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=False)
    found = re.findall(r"([0-9.]+) KB  of", counted.stdout)
    if not found:
        raise SystemExit(f"the console is not built: {counted.stderr}")
    first, conversation = map(float, found)
    return {"load_kb": first, "conversation_kb": conversation}


def painted(setup: ConsoleSetup) -> dict[str, float]:
    """First paint, median of several visits with an empty cache."""
    plain = statistics.median(at.first_paint_ms(setup, "/api/v1/health") for _ in range(ROUNDS))
    console = statistics.median(at.first_paint_ms(setup, "/") for _ in range(ROUNDS))
    return {"plain_paint_ms": plain, "paint_ms": console, "paint_ratio": console / plain}


def streamed(setup: ConsoleSetup) -> dict[str, float]:
    """Frames while a streamed answer is drawn."""
    idle = at.idle_frames(setup)
    busy = at.streaming_frames(setup)
    return {
        "idle_fps": idle.per_second,
        "fps": busy.per_second,
        "fps_ratio": busy.per_second / idle.per_second,
        "longest_ms": busy.longest_ms,
    }


def opened(setup: ConsoleSetup) -> dict[str, float]:
    """Time a long session from the click to its last turn, and its scrolling."""
    session_id = written(setup.console_server, turns(LONG_EVENTS))
    return {
        "parse_ms": at.parse_ms(setup, session_id),
        "click_ms": statistics.median(at.click_ms(setup, session_id) for _ in range(ROUNDS)),
        "open_ms": statistics.median(at.open_ms(setup, session_id) for _ in range(ROUNDS)),
        "scroll_fps": at.scroll_frames(setup, session_id).per_second,
    }


def replayed(setup: ConsoleSetup) -> dict[str, float]:
    few, many, per_second = at.replay_mb(setup, REPLAY_CHUNKS)
    return {
        "few_mb": few,
        "many_mb": many,
        "memory_ratio": many / few,
        "replayed_per_s": per_second,
    }


def main() -> dict[str, float]:
    figures = loaded()
    with tempfile.TemporaryDirectory() as folder, open_console_setup(Path(folder)) as setup:
        for part in (painted, streamed, opened, replayed):
            print(f"measuring {part.__name__} ...", flush=True)
            figures |= part(setup)
    return figures


def section() -> str:
    return TEMPLATE.format(
        heading=HEADING,
        cores=os.cpu_count(),
        rate=STREAM_RATE,
        events=LONG_EVENTS,
        chunks=REPLAY_CHUNKS,
        few=REPLAY_CHUNKS // 100,
        **main(),
    )


if __name__ == "__main__":
    print(section())
