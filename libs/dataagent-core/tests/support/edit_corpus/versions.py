"""Two versions of the same file: of this repository's history and of packages installed twice.

The lock pins `httpx` beside `httpx2`, which grew out of it, and `httpcore` likewise; pip brings its
own older copies of packages that are installed as well.
"""

import subprocess
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_REPOSITORY = Path(__file__).resolve().parents[5]
_PACKAGES = Path(sysconfig.get_paths()["purelib"])
_SUFFIXES = (".py", ".json", ".toml", ".yaml", ".ts", ".tsx", ".css", ".md", ".html")
_RENAMED = (("httpx", "httpx2"), ("httpcore", "httpcore2"))
_BYTES_MAX = 100_000
# The history up to here, so that a sample is the same tomorrow.
_LAST_COMMIT = "3e91a0565c4d91d8440e9495d8a8f2cf20ed624e"


@dataclass(frozen=True, slots=True)
class Versions:
    """A file before and after a change that people made."""

    path: str
    before: str
    after: str


def all_versions() -> list[Versions]:
    """Find every pair, in an order that does not change between runs."""
    return [*_of_packages(), *_of_history()]


def _of_packages() -> Iterator[Versions]:
    vendored = _PACKAGES / "pip" / "_vendor"
    twice = [path.name for path in sorted(vendored.glob("*")) if (_PACKAGES / path.name).is_dir()]
    folders = [(_PACKAGES / one, _PACKAGES / two) for one, two in _RENAMED]
    folders += [(vendored / name, _PACKAGES / name) for name in twice]
    for one, two in folders:
        for path in sorted(one.rglob("*.py")):
            newer = two / path.relative_to(one)
            if newer.is_file():
                yield from _pair(str(newer), path.read_bytes(), newer.read_bytes())


def _of_history() -> Iterator[Versions]:
    """Read all files that a commit changed, through one process of git."""
    if not (_REPOSITORY / ".git").exists() or not _is_there(_LAST_COMMIT):
        return
    raw = _git(
        "log",
        _LAST_COMMIT,
        "--no-merges",
        "--no-renames",
        "--diff-filter=M",
        "--raw",
        "--no-abbrev",
        "--format=",
    )
    rows = [line.split(maxsplit=5) for line in raw.decode().splitlines()]
    rows = [row for row in rows if row[5].endswith(_SUFFIXES)]
    names = "\n".join(name for row in rows for name in row[2:4])
    blobs = iter(_blobs(_git("cat-file", "--batch", stdin=names.encode())))
    for row in rows:
        yield from _pair(row[5], next(blobs), next(blobs))


def _is_there(commit: str) -> bool:
    """Say whether the clone reaches back so far."""
    command = ["git", "-C", str(_REPOSITORY), "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _pair(path: str, before: bytes, after: bytes) -> Iterator[Versions]:
    if before != after and max(len(before), len(after)) <= _BYTES_MAX:
        yield Versions(path, before.decode(), after.decode())


def _git(*args: str, stdin: bytes = b"") -> bytes:
    command = ["git", "-C", str(_REPOSITORY), *args]
    return subprocess.run(command, input=stdin, capture_output=True, check=True).stdout


def _blobs(batch: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(batch):
        head, _, _ = batch[at : at + 200].partition(b"\n")
        start, size = at + len(head) + 1, int(head.split()[2])
        yield batch[start : start + size]
        at = start + size + 1
