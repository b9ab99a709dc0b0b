"""Summarises a log: lines of one shape are counted together, and new shapes are shown first.

    python3 summarise_log.py FILE [--since 2026-01-31T14:00] [--top 20]

Reads text and JSON lines, plain or packed with gzip, also from standard input (`-`). Times with an
offset are shown in UTC; those without one count as UTC. Needs nothing but Python.
"""

import argparse
import gzip
import io
import json
import os
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

# Lines beyond these are cut, and shapes beyond these are counted as one.
LINE_CHARS_MAX = 2_000
SHAPES_MAX = 20_000
OTHER = "(other shapes)"

TIME = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[T ](?P<clock>\d\d:\d\d(:\d\d)?)([.,]\d+)?"
    r"(Z| ?(?P<offset>[+-]\d\d:?\d\d)\b)?"
)
DAY = re.compile(r"\d{4}-\d\d-\d\d")
# Seconds since 1970, or milliseconds, microseconds, nanoseconds.
EPOCH = re.compile(r"(\d{10})(\d{3}|\d{6}|\d{9})?(\.\d+)?")
GZIP_MARK = b"\x1f\x8b"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
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
    """Read the lines of a file or of standard input, packed or not."""
    with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
        is_packed = file.peek(2)[:2] == GZIP_MARK
        try:
            with gzip.GzipFile(fileobj=file) if is_packed else file as data:
                yield from read_text(data)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            # What could be read is worth its summary.
            sys.stderr.write(f"{path} is damaged, the rest was not read: {error}\n")


def read_text(data: io.BufferedReader | gzip.GzipFile) -> Iterator[str]:
    """Decode lines; of a long one only the beginning is kept."""
    encoding = "utf-16" if data.peek(2)[:2] in UTF16_MARKS else "utf-8-sig"
    text = io.TextIOWrapper(data, encoding=encoding, errors="replace")
    while line := text.readline(LINE_CHARS_MAX):
        yield line
        while line and not line.endswith("\n"):
            line = text.readline(LINE_CHARS_MAX)


def read_time(text: str) -> str:
    """Return the first time in a text, in UTC; nothing if there is none."""
    epoch = EPOCH.fullmatch(text)
    if epoch:
        return format(datetime.fromtimestamp(int(epoch[1]), UTC), "%Y-%m-%dT%H:%M:%S")
    found = TIME.search(text)
    if found is None:
        return ""
    stamp = f"{found['day']}T{found['clock']}"
    if found["offset"] is None:
        return stamp
    try:
        at = datetime.strptime(stamp[:16] + found["offset"], "%Y-%m-%dT%H:%M%z")
        return format(at.astimezone(UTC), "%Y-%m-%dT%H:%M") + stamp[16:]
    except (ValueError, OverflowError):
        # No day or hour of a calendar.
        return stamp


def read_line(line: str) -> tuple[str, str, str]:
    """Return time, level and message of a line."""
    line = line.strip()
    if line.startswith("{"):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = {}
        message = entry.get("message") or entry.get("msg") or entry.get("event")
        if message:
            stamp = str(entry.get("time") or entry.get("timestamp") or entry.get("ts") or "")
            level = str(entry.get("level") or entry.get("severity") or "").upper()
            return read_time(stamp), LEVELS.get(level, level), str(message)
    level = LEVEL.search(line)
    name = level[0].upper() if level else ""
    return read_time(line), LEVELS.get(name, name), line


def shape_of(message: str) -> str:
    """Leave out of a message what differs from line to line."""
    for pattern, mark in PARTS:
        message = pattern.sub(mark, message)
    return message


def summarise(lines: Iterable[str], since: str) -> tuple[dict[str, Shape], Counter[str], int]:
    """Count shapes, errors by minute, and lines; `since` tells new shapes from old ones."""
    shapes: dict[str, Shape] = {}
    minutes: Counter[str] = Counter()
    total = 0
    stamp = ""
    for line in lines:
        found, level, message = read_line(line)
        if not message:
            continue
        total += 1
        stamp = found or stamp
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


def show(line: str) -> str:
    """Replace what is no text in one line: line breaks, signs for the terminal, half characters."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in line)


def main() -> None:
    """Read the arguments and print the report."""
    parser = argparse.ArgumentParser(description="Summarise a log by the shapes of its lines.")
    parser.add_argument("file", help="a log file, plain or .gz; - for standard input")
    parser.add_argument(
        "--since", default="", help="show shapes that are new since this time first"
    )
    parser.add_argument("--top", type=int, default=20, help="how many shapes to show")
    options = parser.parse_args()
    since = read_time(options.since) or options.since
    if since and not DAY.match(since):
        parser.error(f"--since {since!r} is not a time. Write it as 2026-01-31T14:00.")
    try:
        shapes, minutes, total = summarise(open_lines(options.file), since)
    except OSError as error:
        parser.error(f"{options.file} cannot be read: {error.strerror or error}")
    # A terminal that knows ASCII alone gets the rest as escapes.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        for line in report(shapes, minutes, total, since, max(options.top, 0)):
            sys.stdout.write(show(line) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # `| head` has read enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
