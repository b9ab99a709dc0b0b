"""How long a person waits: `dataagent --help`, and `dataagent run` up to its first event.

Baseline: `python -c "import deepagents"`, the library under the engine. Every figure is the median
of fresh processes; peak memory is the kernel's own count for the process.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 5
DATAAGENT = str(Path(sys.executable).with_name("dataagent"))


def timed(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Run a command; return seconds to its first line, seconds to its end, and peak MB."""
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
    return first, time.perf_counter() - began, usage.ru_maxrss / 1024


def medians(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    samples = [timed(command, environment) for _ in range(ROUNDS)]
    first, whole, memory = (statistics.median(column) for column in zip(*samples, strict=True))
    return first, whole, memory


def main() -> dict[str, float]:
    from dataagent_core.models import Script
    from dataagent_core.testing import ScriptedEndpoint

    script = Script.model_validate({"steps": [{"text": "Hello."}]})
    with tempfile.TemporaryDirectory() as home, ScriptedEndpoint(script) as endpoint:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "DATAAGENT_HOME": home,
            "DATAAGENT_MODEL": "openai:scripted",
            "OPENAI_BASE_URL": endpoint.base_url,
        }
        bare = medians([sys.executable, "-c", "import deepagents"], environment)
        shown = medians([DATAAGENT, "--help"], environment)
        run = medians([DATAAGENT, "run", "hi", "--json", "--workspace", home], environment)
    return {
        "help_s": shown[1],
        "import_deepagents_s": bare[1],
        "import_deepagents_mb": bare[2],
        "first_event_s": run[0],
        "whole_run_s": run[1],
        "run_mb": run[2],
        "first_event_ratio": run[0] / bare[1],
        "memory_ratio": run[2] / bare[2],
    }


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
