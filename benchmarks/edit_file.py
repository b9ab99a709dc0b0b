"""`edit_file` on a file of 10,000 lines, for each strategy and for a text that is nowhere.

The whole tool is measured: read, find, write to disk, diff. Baseline: reading and writing the same
file with `pathlib`. Aim: under 50 ms each. That file is no valid Python, so it is not parsed in
full; `edit_parsed_ms` is an exact edit of one that is, with 1,000 lines.
"""

import contextlib
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.files import make_file_tools
from dataagent_core.tools.files.edits.strategies import STRATEGIES

LINES = 10_000
PARSED_LINES = 1_000
ROUNDS = 7
BLOCK = [f"    value_{n} = compute(argument_{n}, other={n})" for n in range(5_000, 5_020)]


def source() -> str:
    lines = [f"    value_{n} = compute(argument_{n}, other={n})" for n in range(LINES)]
    return "\n".join(lines) + "\n"


def inexact() -> dict[str, str]:
    old = "\n".join(BLOCK)
    return {
        "exact": old,
        "escape-normalised": old.replace("\n", "\\n"),
        "line-trimmed": "\n".join(line.strip() for line in BLOCK),
        "indentation-flexible": "\n\n" + "\n".join(line[2:] for line in BLOCK) + "\n\n",
        "whitespace-normalised": old.replace("value_5010 =", "value_5010  ="),
        "block anchor": old.replace("value_5010 =", "value_5010 :="),
        "not found": old.replace("value_5000", "nowhere").replace("compute", "forget"),
    }


def edit_ms(tools: dict[str, Any], old: str) -> tuple[float, str]:
    arguments = {"file_path": "/a.py", "old_string": old}
    new = old.replace("argument_5005", "changed")
    tools["write_file"].invoke({"file_path": "/a.py", "content": source()})
    began = time.perf_counter()
    answer = ""
    with contextlib.suppress(ValidationError):
        answer = tools["edit_file"].invoke({**arguments, "new_string": new})
    spent = (time.perf_counter() - began) * 1000
    return spent, answer.partition("match: ")[2].partition(",")[0]


def parsed_ms(tools: dict[str, Any]) -> float:
    lines = "".join(f"    {line.strip()}\n" for line in source().splitlines()[:PARSED_LINES])
    tools["write_file"].invoke({"file_path": "/b.py", "content": f"if True:\n{lines}"})
    wanted = {"old_string": "argument_500,", "new_string": "changed,"}
    began = time.perf_counter()
    tools["edit_file"].invoke({"file_path": "/b.py", **wanted})
    return (time.perf_counter() - began) * 1000


def baseline_ms(path: Path) -> float:
    began = time.perf_counter()
    path.write_text(path.read_text().replace("argument_5005", "changed"))
    return (time.perf_counter() - began) * 1000


def main() -> dict[str, float]:
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        tools = {t.name: t for t in make_file_tools(SafeRoot(Path(name), links="beneath"))}
        for way, old in inexact().items():
            samples = [edit_ms(tools, old) for _ in range(ROUNDS)]
            if way in STRATEGIES and {found for _, found in samples} != {way}:
                raise SystemExit(f"expected a match by {way}, got {samples}")
            key = "edit_" + way.replace(" ", "_").replace("-", "_") + "_ms"
            figures[key] = statistics.median(spent for spent, _ in samples)
        parsed = statistics.median(parsed_ms(tools) for _ in range(ROUNDS))
        plain = statistics.median(baseline_ms(Path(name) / "a.py") for _ in range(ROUNDS))
    slowest = max(figures.values())
    return {**figures, "edit_parsed_ms": parsed, "edit_plain_ms": plain, "edit_slowest_ms": slowest}


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
