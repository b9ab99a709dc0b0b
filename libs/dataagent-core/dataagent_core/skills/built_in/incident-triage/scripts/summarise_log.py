"""Summarises a log: lines of one shape are counted together, and new shapes are shown first.

    python3 summarise_log.py FILE [--since 2026-01-31T14:00] [--top 20]

Reads text and JSON lines, plain or .gz, also from standard input (`-`). Needs nothing but Python.
"""

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Lines beyond these are cut, and shapes beyond these are counted as one.
LINE_CHARS_MAX = 2_000
SHAPES_MAX = 20_000
OTHER = "(other shapes)"

TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?")
LEVEL = re.compile(
    r"\b(FATAL|CRITICAL|PANIC|ERROR|ERR|WARNING|WARN|INFO|DEBUG|TRACE)\b", re.IGNORECASE
)
LEVELS = {
    "FATAL": "FATAL",
    "CRITICAL": "FATAL",
    "PANIC": "FATAL",
    "ERR": "ERROR",
    "WARNING": "WARN",
}
# From the most special to the most general.
PARTS = (
    (TIME, "<time>"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE), "<uuid>"),
    (re.compile(r"\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b"), "<address>"),
    (re.compile(r"\b0x[0-9a-f]+\b|\b[0-9a-f]{12,}\b", re.IGNORECASE), "<hex>"),
    (re.compile(r"\"[^\"]{0,200}\"|'[^']{0,200}'"), "<text>"),
    (re.compile(r"\d+([.,]\d+)*"), "<n>"),
)


@dataclass(slots=True)
class Shape:
    """What is known of the lines of one shape."""

    count: int
    before: int
    level: str
    first: str
    last: str
    example: str


def open_lines(path: str) -> Iterator[str]:
    """Read the lines of a file, a .gz file or standard input."""
    if path == "-":
        yield from sys.stdin
        return
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as file:
        yield from file


def read_line(line: str) -> tuple[str, str, str]:
    """Return time, level and message of a line."""
    line = line.strip()[:LINE_CHARS_MAX]
    if line.startswith("{"):
        try:
            entry = json.loads(line)
        except ValueError:
            entry = {}
        message = entry.get("message") or entry.get("msg") or entry.get("event")
        if message:
            stamp = str(entry.get("time") or entry.get("timestamp") or entry.get("ts") or "")
            level = str(entry.get("level") or entry.get("severity") or "").upper()
            return stamp, LEVELS.get(level, level), str(message)
    found = TIME.search(line)
    level = LEVEL.search(line)
    name = level[0].upper() if level else ""
    return found[0] if found else "", LEVELS.get(name, name), line


def shape_of(message: str) -> str:
    """Leave out of a message what differs from line to line."""
    for pattern, mark in PARTS:
        message = pattern.sub(mark, message)
    return message


def summarise(lines: Iterable[str], since: str) -> tuple[dict[str, Shape], Counter[str], int]:
    """Count shapes, errors by minute, and lines; `since` tells new shapes from old ones."""
    since = since.replace(" ", "T")
    shapes: dict[str, Shape] = {}
    minutes: Counter[str] = Counter()
    total = 0
    stamp = ""
    for line in lines:
        found, level, message = read_line(line)
        if not message:
            continue
        total += 1
        stamp = found.replace(" ", "T") or stamp
        shape = shape_of(message)
        if shape not in shapes and len(shapes) >= SHAPES_MAX:
            shape = OTHER
        known = shapes.setdefault(shape, Shape(0, 0, level, stamp, stamp, message))
        known.count += 1
        known.before += bool(since) and stamp < since
        known.last = stamp
        if level in ("ERROR", "FATAL") and stamp:
            minutes[stamp[:16]] += 1
    return shapes, minutes, total


def order(item: tuple[str, Shape], since: str) -> tuple[bool, bool, int]:
    """Put new shapes first, then errors, then the frequent ones."""
    shape = item[1]
    is_new = bool(since) and shape.before == 0
    return not is_new, shape.level not in ("ERROR", "FATAL"), -shape.count


def report(
    shapes: dict[str, Shape], minutes: Counter[str], total: int, since: str, top: int
) -> Iterator[str]:
    """Give the lines of the report."""
    yield f"{total:,} lines, {len(shapes):,} shapes"
    levels: Counter[str] = Counter()
    for shape in shapes.values():
        levels[shape.level or "(no level)"] += shape.count
    yield "levels: " + ", ".join(f"{name} {count:,}" for name, count in levels.most_common())
    if minutes:
        first, worst = min(minutes), minutes.most_common(1)[0]
        yield f"first error: {first}   worst minute: {worst[0]} with {worst[1]:,} errors"
    yield ""
    yield f"{'count':>8} {'before':>8} {'level':6} first .. last  example"
    for _, shape in sorted(shapes.items(), key=lambda item: order(item, since))[:top]:
        mark = "NEW " if since and shape.before == 0 else ""
        times = f"{shape.first} .. {shape.last}"
        yield (
            f"{shape.count:>8,} {shape.before:>8,} {shape.level:6} {times}  "
            f"{mark}{shape.example[:300]}"
        )


def main() -> None:
    """Read the arguments and print the report."""
    parser = argparse.ArgumentParser(description="Summarise a log by the shapes of its lines.")
    parser.add_argument("file", help="a log file, plain or .gz; - for standard input")
    parser.add_argument(
        "--since", default="", help="show shapes that are new since this time first"
    )
    parser.add_argument("--top", type=int, default=20, help="how many shapes to show")
    options = parser.parse_args()
    try:
        shapes, minutes, total = summarise(open_lines(options.file), options.since)
    except OSError as error:
        parser.error(f"{options.file} cannot be read: {error.strerror or error}")
    for line in report(shapes, minutes, total, options.since.replace(" ", "T"), options.top):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
