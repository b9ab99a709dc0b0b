"""How long a person at the terminal waits, and how far the screen is behind the model.

The real `dataagent` in a pseudo-terminal, the model a process of its own (`terminal_endpoint.py`).
Beside it, when it is there, `opencode run` on the same endpoint: the program `opencode` on the
PATH, or the one `OPENCODE` names.
"""
# ruff: noqa: E501 (a row of a table is one line)

import json
import os
import re
import select
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from server_load import child, folder, load_note
from startup import DATAAGENT, timed
from terminal_pty import Watched, peak_mb, watched

from dataagent_core.permissions.rule_files.trust import trust

HEADING = "## Terminal"
TEMPLATE = """\
{heading}
`dataagent` in a pseudo-terminal of 100x30, the model a process of its own that writes the moment into
every piece of text (`benchmarks/terminal.py`), on {date}; {load}. Medians of {rounds} fresh processes,
the first word of {words} answers.

| | | aim |
|---|--:|--:|
| `dataagent --help`, s | {help_s:.2f} | 0.3 |
| prompt ready, the engine loading behind it, s | {ready_s:.2f} | 1 |
| first word on the screen after the endpoint sent it, warm, ms: median | {word_ms:.0f} | 50 |
| the same: worst | {word_worst_ms:.0f} | |
| {lines:,} lines at {per_s:,} a second: behind the endpoint half way, ms | {half_ms:.0f} | |
| the same: at the last line, ms | {behind_ms:.0f} | no growth |
| {lines:,} lines as fast as they are taken: lines a second | {flood_per_s:,.0f} | |
| the same: the last one behind the endpoint, ms | {flood_behind_ms:.0f} | |
| peak MB after an answer | {peak_mb:.0f} | 250 |
| peak MB after all these lines | {peak_lines_mb:.0f} | 250 |

The same endpoint, one question each in a fresh process without a terminal, then {calls} calls of `glob`
one after another.

| | cold start to the answer, s | between model calls, ms | peak MB |
|---|--:|--:|--:|
{beside}"""

COLUMNS_ENVIRONMENT = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
ROUNDS, WORDS, LINES, PER_S, CALLS = 5, 10, 10_000, 1_000, 10
REST_S = 0.5
LOOK_S = 0.01
READY = "Shift-Tab"
STAMP = re.compile(r"\[(\d+\.\d{6})\]")
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class House:
    """A home, a workspace that is trusted, and the model both programs ask."""

    home: Path
    workspace: Path
    url: str
    log: Path

    @property
    def environment(self) -> dict[str, str]:
        return COLUMNS_ENVIRONMENT | {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "DATAAGENT_HOME": str(self.home / "home"),
            "DATAAGENT_MODEL": "openai:scripted",
            "OPENAI_BASE_URL": self.url,
            "OPENAI_API_KEY": "none",
        }

    def forget(self) -> None:
        self.log.write_text("")

    def between_calls_ms(self) -> float:
        """Give the median from the end of one answer to the next request, as the model saw it."""
        turns = [json.loads(line) for line in self.log.read_text().splitlines()]
        turns = [turn for turn in turns if turn["order"].startswith("calls")]
        gaps = [b["came"] - a["ended"] for a, b in pairwise(turns)]
        return statistics.median(gaps) * 1000


@contextmanager
def house() -> Generator[House]:
    with folder() as home:
        workspace, port, log = home / "workspace", home / "port", home / "log"
        workspace.mkdir()
        log.touch()
        trust(home / "home", workspace)
        command = [sys.executable, str(HERE / "terminal_endpoint.py"), str(port), str(log)]
        with child(command):
            while not port.exists() or not port.read_text():
                time.sleep(0.02)
            yield House(home, workspace, f"http://127.0.0.1:{port.read_text()}/v1", log)


def first_word_s(terminal: Watched) -> float:
    """Ask for a word; give how long after it was sent it came to the screen."""
    begin = terminal.mark()
    terminal.enter("first")
    seen = terminal.until("answer [", begin)
    terminal.until("done", begin)
    time.sleep(REST_S)
    found = STAMP.search(terminal.text(begin))
    assert found is not None
    return seen - float(found[1])


def many_lines(terminal: Watched, per_s: int) -> tuple[float, float, float]:
    """Stream lines; give seconds from first to last, and how late the middle and the last came."""
    begin = terminal.mark()
    terminal.enter(f"lines {LINES} {per_s}")
    first = terminal.until("line 1 of", begin)
    last = terminal.until(f"line {LINES} of", begin)
    terminal.until("done", begin)
    half = terminal.until(f"line {LINES // 2} of", begin)
    sent = dict(re.findall(r"line (\d+) of streaming output \[([\d.]+)\]", terminal.text(begin)))
    late = half - float(sent[str(LINES // 2)]), last - float(sent[str(LINES)])
    return last - first, *late


def in_the_terminal(at: House) -> dict[str, float]:
    ready: list[float] = []
    peak: list[float] = []
    words: list[float] = []
    for _ in range(ROUNDS):
        with watched([DATAAGENT], at.environment, at.workspace) as terminal:
            ready.append(terminal.until(READY) - terminal.began)
            first_word_s(terminal)
            words += [first_word_s(terminal) for _ in range(WORDS // ROUNDS)]
            peak.append(terminal.peak_mb())
    with watched([DATAAGENT], at.environment, at.workspace) as terminal:
        terminal.until(READY)
        first_word_s(terminal)
        _, half, behind = many_lines(terminal, PER_S)
        flood, _, flood_behind = many_lines(terminal, 0)
        peak_lines_mb = terminal.peak_mb()
    return {
        "ready_s": statistics.median(ready),
        "word_ms": statistics.median(words) * 1000,
        "word_worst_ms": max(words) * 1000,
        "half_ms": half * 1000,
        "behind_ms": behind * 1000,
        "flood_per_s": LINES / flood,
        "flood_behind_ms": flood_behind * 1000,
        "peak_mb": statistics.median(peak),
        "peak_lines_mb": peak_lines_mb,
    }


def without_terminal(
    at: House, command: Sequence[str], environment: Mapping[str, str]
) -> tuple[float, float, float]:
    """Ask in fresh processes; give seconds to the answer, ms between calls, and peak MB."""
    cold: list[float] = []
    peak: list[float] = []
    for _ in range(ROUNDS):
        took_s, most = _asked(command, "once", environment, at.workspace)
        cold.append(took_s)
        peak.append(most)
    at.forget()
    _, most = _asked(command, f"calls {CALLS}", environment, at.workspace)
    return statistics.median(cold), at.between_calls_ms(), max(*peak, most)


def _asked(
    command: Sequence[str], order: str, environment: Mapping[str, str], cwd: Path
) -> tuple[float, float]:
    began = time.time()
    process = subprocess.Popen(
        [*command, order],
        env=environment,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    shown = b""
    came = most = 0.0
    while process.poll() is None:
        if select.select([process.stdout], [], [], LOOK_S)[0]:
            shown += os.read(process.stdout.fileno(), 1 << 16)
        if not came and b"answer [" in shown:
            came = time.time()
        most = max(most, peak_mb(process.pid))
    process.stdout.close()
    if not came:
        raise SystemExit(f"{command[0]} did not answer:\n{shown.decode(errors='replace')}")
    return came - began, most


def opencode_program() -> str | None:
    return os.environ.get("OPENCODE") or shutil.which("opencode")


def opencode_environment(at: House) -> dict[str, str]:
    """Point it at the endpoint, with a home of its own and nothing to fetch."""
    model = {"name": "scripted", "tool_call": True}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "bench",
        "options": {"baseURL": at.url, "apiKey": "none"},
        "models": {"scripted": model},
    }
    config = {
        "provider": {"bench": provider},
        "model": "bench/scripted",
        "autoupdate": False,
        "share": "disabled",
    }
    (at.home / "opencode.json").write_text(json.dumps(config))
    return COLUMNS_ENVIRONMENT | {
        "PATH": os.environ["PATH"],
        "HOME": str(at.home),
        "OPENCODE_CONFIG": str(at.home / "opencode.json"),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    }


def beside(at: House) -> str:
    """Write a row for each program, and how they compare."""
    ours = without_terminal(at, [DATAAGENT, "run"], at.environment)
    rows = "| `dataagent run` | {:.1f} | {:.0f} | {:.0f} |\n".format(*ours)
    program = opencode_program()
    if program is None:
        return rows + "| `opencode run` | not installed | | |\n"
    environment = opencode_environment(at)
    version = subprocess.run(
        [program, "--version"], env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()
    # Its first start of all makes its database; that is not what a person meets every day.
    _asked([program, "run"], "once", environment, at.workspace)
    theirs = without_terminal(at, [program, "run"], environment)
    rows += "| `opencode run` {} | {:.1f} | {:.0f} | {:.0f} |\n".format(version, *theirs)
    ratios = (mine / other for mine, other in zip(ours, theirs, strict=True))
    return rows + "| **ratio**, lower is better | **{:.2f}** | **{:.2f}** | **{:.2f}** |\n".format(
        *ratios
    )


def section() -> str:
    load = load_note()
    print(f"measuring {__name__} ...", flush=True)
    with house() as at:
        help_s = [timed([DATAAGENT, "--help"], at.environment).whole_s for _ in range(ROUNDS)]
        figures = in_the_terminal(at)
        compared = beside(at)
    return TEMPLATE.format(
        heading=HEADING,
        date=datetime.now(UTC).date(),
        load=load,
        rounds=ROUNDS,
        words=WORDS,
        lines=LINES,
        per_s=PER_S,
        calls=CALLS,
        help_s=statistics.median(help_s),
        beside=compared,
        **figures,
    )


if __name__ == "__main__":
    print(section())
