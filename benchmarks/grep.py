"""`grep` over 10,000 files against ripgrep itself.

Baseline: `rg --line-number`, run in the same folder. Three searches: a rare word, a word in every
file (both stop at 200 lines), a regular expression. Aim: at most 1.5 times ripgrep.
"""

import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.files import make_file_tools
from dataagent_core.tools.files.search.ripgrep_program import ripgrep_path

FILES = 10_000
ROUNDS = 7
SEARCHES = {"rare": "needle_77", "common": "return", "regex": r"def\s+f_99\d\(\w+\)"}


def fill(folder: Path) -> None:
    (folder / ".gitignore").write_text("*.log\nbuild/\n")
    for number in range(FILES):
        file = folder / f"p{number % 100:02}" / f"m{number:05}.py"
        file.parent.mkdir(exist_ok=True)
        body = "".join(f"def f_{number}(x_{n}):\n    return x_{n} + {n}\n\n" for n in range(20))
        extra = f"needle_{number // 100}\n" if number % 100 == 0 else ""
        file.write_text(body + extra)


def median_ms(work: Callable[[], Any]) -> float:
    samples: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        samples.append((time.perf_counter() - began) * 1000)
    return statistics.median(samples)


def main() -> dict[str, float]:
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name))
        tools = {tool.name: tool for tool in make_file_tools(SafeRoot(Path(name), links="beneath"))}
        for search, pattern in SEARCHES.items():
            rg = [ripgrep_path(), "--hidden", "--line-number", "--no-require-git", pattern, name]
            theirs = median_ms(lambda c=rg: subprocess.run(c, capture_output=True, check=True))
            ours = median_ms(lambda p=pattern: tools["grep"].invoke({"pattern": p}))
            figures |= {f"rg_{search}_ms": theirs, f"grep_{search}_ms": ours}
            figures[f"grep_{search}_ratio"] = ours / theirs
    return figures


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
