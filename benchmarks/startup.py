"""How long a person waits: `dataagent --help`, and `dataagent run` up to its first event.

Baseline: `python -c "import deepagents"`, the library under the engine. Every figure is the median
of fresh processes, which take turns; CPU time and peak memory are the kernel's own counts.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import astuple, dataclass
from pathlib import Path

from folders import new_folder

ROUNDS = 5
DATAAGENT = str(Path(sys.executable).with_name("dataagent"))


@dataclass(frozen=True, slots=True)
class Start:
    """What one process took."""

    first_line_s: float
    whole_s: float
    cpu_s: float
    peak_mb: float


def timed(command: list[str], environment: dict[str, str]) -> Start:
    began = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    process.stdout.readline()
    first = time.perf_counter() - began
    process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} failed with {process.returncode}")
    whole = time.perf_counter() - began
    return Start(first, whole, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def median(samples: list[Start]) -> Start:
    return Start(*map(statistics.median, zip(*map(astuple, samples), strict=True)))


def main(rounds: int = ROUNDS) -> dict[str, float]:
    from dataagent_core.models import Script
    from dataagent_core.testing import ScriptedEndpoint

    script = Script.model_validate({"steps": [{"text": "Hello."}]})
    with tempfile.TemporaryDirectory() as home, ScriptedEndpoint(script) as endpoint:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "DATAAGENT_HOME": f"{home}/home",
            "DATAAGENT_MODEL": "openai:scripted",
            "OPENAI_BASE_URL": endpoint.base_url,
        }
        commands = (
            [sys.executable, "-c", "import deepagents"],
            [DATAAGENT, "--help"],
            [DATAAGENT, "run", "hi", "--json", "--workspace", str(new_folder(Path(home), "work"))],
        )
        samples = [[timed(command, environment) for command in commands] for _ in range(rounds)]
    bare, shown, run = (median(list(column)) for column in zip(*samples, strict=True))
    return {
        "help_s": shown.whole_s,
        "import_deepagents_s": bare.whole_s,
        "import_deepagents_cpu_s": bare.cpu_s,
        "import_deepagents_mb": bare.peak_mb,
        "first_event_s": run.first_line_s,
        "whole_run_s": run.whole_s,
        "run_cpu_s": run.cpu_s,
        "run_mb": run.peak_mb,
        "first_event_ratio": run.first_line_s / bare.whole_s,
        "memory_ratio": run.peak_mb / bare.peak_mb,
    }


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
