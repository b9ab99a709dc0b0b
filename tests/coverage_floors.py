"""Holds the coverage floors of S0: 80 % for engine, events and hitl, 70 % for every other package.

Combines what the processes of a run saved (`tests/line_coverage.py`); fails with the packages that
are below their floor.
"""

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from coverage import Coverage

from tests.line_coverage import PACKAGES, package_folders

HIGH = 80.0
FLOOR = 70.0
HIGH_PACKAGES = {
    "dataagent_core/engine",
    "dataagent_core/events",
    "dataagent_core/hitl",
}


def package_of(path: str) -> str:
    """Return the feature folder of a file."""
    parts = Path(path).parts
    start = next(i for i, part in enumerate(parts) if part in PACKAGES)
    return "/".join(parts[start : start + 2]) if len(parts) > start + 2 else parts[start]


def main() -> int:
    coverage = Coverage()
    coverage.combine()
    # A file that was never imported counts too.
    for folder in package_folders():
        coverage.get_data().touch_files([str(file) for file in folder.rglob("*.py")])
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        coverage.json_report(outfile=str(report), omit=coverage.config.run_omit)
        files = json.loads(report.read_text())["files"]
    covered: dict[str, int] = defaultdict(int)
    wanted: dict[str, int] = defaultdict(int)
    for path, data in files.items():
        package = package_of(path)
        summary = data["summary"]
        covered[package] += summary["covered_lines"]
        wanted[package] += summary["num_statements"]
    low = 0
    for package in sorted(wanted):
        if not wanted[package]:
            continue
        percent = 100 * covered[package] / wanted[package]
        floor = HIGH if package in HIGH_PACKAGES else FLOOR
        low += percent < floor
        mark = "BELOW" if percent < floor else "ok"
        print(f"{package:32} {percent:6.1f} %  floor {floor:.0f} %  {mark}")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
