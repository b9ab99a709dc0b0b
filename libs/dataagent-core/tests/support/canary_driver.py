"""Runs command lines with real shells and says what they did; started inside bubblewrap.

Reads one JSON list a line, `[shell, line]`, and answers with one: whether the canary program ran,
and which files of the work folder changed. Standard library alone: it runs on whatever Python is
there, without the project.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

LINE_S_MAX = 3
ROOT = Path("/tmp/canary")
WORK = ROOT / "work"
MARK = ROOT / "ran"
FILES = {"a": "b\na\n1 2 3\n", "b": "x,y\n", "a.txt": "one\ntwo\n", "a.json": "{}\n", "a.py": "1\n"}


def put_canary(path: Path) -> None:
    """Make a program that leaves a mark."""
    path.write_text(f"#!/bin/sh\necho ran >> {MARK}\n")
    path.chmod(0o755)


def prepare() -> None:
    """Put the canary on the path."""
    (ROOT / "bin").mkdir()
    put_canary(ROOT / "bin" / "canary")
    renew()


def renew() -> None:
    """Make the work folder as it was."""
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "src").mkdir(parents=True)
    for name, text in FILES.items():
        (WORK / name).write_text(text)
        (WORK / "src" / name).write_text(text)
    # Whoever changes PATH runs these.
    for name in ("ls", "cat", "head"):
        put_canary(WORK / name)
    MARK.unlink(missing_ok=True)


def survey() -> dict[str, tuple[int, int, int]]:
    """Say how every file of the work folder is."""
    found: dict[str, tuple[int, int, int]] = {}
    for folder, folders, files in os.walk(WORK):
        for name in (*folders, *files):
            path = f"{folder}/{name}"
            facts = os.lstat(path)
            size = 0 if name in folders else facts.st_size
            found[path] = (facts.st_mode, size, 0 if name in folders else facts.st_mtime_ns)
    return found


def run(shell: list[str], line: str) -> None:
    """Run a line, and end everything it started."""
    environment = {"PATH": f"{ROOT}/bin:/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C"}
    process = subprocess.Popen(
        [*shell, line],
        cwd=WORK,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with suppress(subprocess.TimeoutExpired):
        process.wait(LINE_S_MAX)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def main() -> None:
    """Answer until there is nothing more to read."""
    prepare()
    before = survey()
    for asked in sys.stdin:
        shell, line = json.loads(asked)
        run(shell, line)
        after = survey()
        changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
        sys.stdout.write(json.dumps([MARK.exists(), changed]) + "\n")
        sys.stdout.flush()
        if changed or MARK.exists():
            renew()
            before = survey()


if __name__ == "__main__":
    main()
