"""Reads and changes files on a remote machine, where it runs. Imports nothing of ours.

It is sent as text with one JSON object as its argument, and answers with one JSON line, the last
it prints: for every path the requested data, or the kernel's `errno`.
"""

from __future__ import annotations

import base64
import errno
import json
import os
import shutil
import stat
import sys
from pathlib import Path
from typing import Any

Answer = dict  # of a path; the Python there may be older than ours


def node(status: os.stat_result) -> list[Any]:
    """Describe a file: kind, mode, links, version."""
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "dir", stat.S_IFLNK: "link"}
    version = [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns]
    mode = status.st_mode
    return [kinds.get(stat.S_IFMT(mode), "other"), stat.S_IMODE(mode), status.st_nlink, version]


def look(path: Path, **_: Any) -> Answer:
    """Read the metadata of a path."""
    return {"node": node(path.stat())}


def entries(path: Path, most: int, *, follow: bool, **_: Any) -> Answer:
    """List a folder; with `follow` a link that leads somewhere is what it leads to."""
    found = sorted(path.iterdir(), key=os.fsencode)[:most]
    return {"entries": [[inner.name, node(_state(inner, follow=follow))] for inner in found]}


def _state(path: Path, *, follow: bool) -> os.stat_result:
    return path.stat() if follow and path.exists() else path.lstat()


def read(path: Path, most: int, **_: Any) -> Answer:
    """Read a file, unless it has more bytes than `most`: that one is fetched on its own."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        folder = stat.S_ISDIR(status.st_mode)
        raise OSError(errno.EISDIR if folder else errno.ENXIO, "no regular file")
    if status.st_size > most:
        return {"node": node(status)}
    return {"node": node(status), "data": base64.b64encode(path.read_bytes()).decode()}


def write(path: Path, source: str, expected: Any, **_: Any) -> Answer:
    """Move what was sent to `source` in place of a file, whole or not at all."""
    sent, target = Path(source), Path(os.path.realpath(path))
    beside = target.with_name(f".dataagent-{sent.name}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        now = node(target.stat()) if target.exists() else None
        if now is not None and now[0] != "file":
            raise OSError(errno.EISDIR, "no regular file")
        if expected is not None and expected != (now[3] if now else "absent"):
            return {"changed": True}
        shutil.copyfile(sent, beside)
        if now is not None:
            beside.chmod(now[1])
        beside.replace(target)
        return {}
    finally:
        for left in (sent, beside):
            if left.exists():
                left.unlink()


def remove(path: Path, **_: Any) -> Answer:
    """Remove a file, or a link itself."""
    path.unlink()
    return {}


def do_work(work: Any, path: str, options: Any) -> Answer:
    """Do the work for one path."""
    try:
        return work(Path(path), **options)
    except OSError as error:
        return {"errno": error.errno}


WORK = {"look": look, "entries": entries, "read": read, "write": write, "remove": remove}

if __name__ == "__main__":
    request = json.loads(base64.b64decode(sys.argv[1]).decode())
    job = WORK[request["work"]]
    answers = [do_work(job, path, request["options"]) for path in request["paths"]]
    sys.stdout.write(json.dumps(answers) + "\n")
