"""`ReadLedger`: which content of each file the agent has seen; it may change nothing else.

An existing file must have been read or written by this agent before it is edited or overwritten,
and must be unchanged since; a new file may be written. The ledger lives as long as the process;
each tool message carries a `FileSighting` as its artifact, from which a later process restores it.
A file whose sighting is lost counts as unread. Writing identical content is always allowed, so a
write with an unknown outcome can run again.
"""

import hashlib
from collections.abc import Iterable
from threading import RLock
from typing import Any, TypedDict

from dataagent_core.config.limits import READ_LEDGER_FILES_MAX
from dataagent_core.errors import ConflictError


class FileSighting(TypedDict):
    """That a file was seen, and with which content; `None` once it is gone."""

    path: str
    sha256: str | None


def hash_content(data: bytes) -> str:
    """Name a content."""
    return hashlib.sha256(data).hexdigest()


class ReadLedger:
    """The files seen in one session. `lock` keeps two changes of this agent from crossing."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._seen: dict[str, str] = {}

    def record(self, path: str, data: bytes) -> FileSighting:
        """Remember a content; the oldest sighting is dropped when there are too many."""
        sighting = FileSighting(path=path, sha256=hash_content(data))
        self._take(sighting)
        return sighting

    def record_removal(self, path: str) -> FileSighting:
        """Forget a file that is gone."""
        sighting = FileSighting(path=path, sha256=None)
        self._take(sighting)
        return sighting

    def recall(self, artifacts: Iterable[Any]) -> None:
        """Take in what an earlier process saw, oldest first; anything else is passed over."""
        for artifact in artifacts:
            match artifact:
                case {"path": str(path), "sha256": str() | None as sha256}:
                    self._take(FileSighting(path=path, sha256=sha256))
                case _:
                    pass

    def check(self, path: str, data: bytes) -> None:
        """Raise unless the agent has seen the file with exactly this content."""
        seen = self._seen.get(path)
        if seen is None:
            raise ConflictError(
                f"{path!r} exists and was not read yet in this session, so it is not changed. "
                "Call read_file on it first."
            )
        if seen != hash_content(data):
            raise ConflictError(
                f"{path!r} changed since it was read, so it is not changed. Call read_file on it "
                "again, then decide."
            )

    def _take(self, sighting: FileSighting) -> None:
        with self.lock:
            self._seen.pop(sighting["path"], None)
            if sighting["sha256"] is not None:
                self._seen[sighting["path"]] = sighting["sha256"]
            if len(self._seen) > READ_LEDGER_FILES_MAX:
                del self._seen[next(iter(self._seen))]
