"""A workspace at one moment as a value: the hash of each file's content."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dataagent_core.sandbox.files.file_survey import FileStamp


@dataclass(frozen=True, slots=True)
class FileState:
    """One file, or a link with its target as content.

    No hash means that the content is not stored; then `changed_ns` is compared instead.
    """

    sha256: str | None
    size_bytes: int
    mode: int
    changed_ns: int

    @classmethod
    def of(cls, stamp: FileStamp, sha256: str | None) -> "FileState":
        """Make the state of a surveyed file whose content has this hash, or is not stored."""
        return cls(sha256, stamp.size_bytes, stamp.mode, stamp.changed_ns)

    def equals(self, other: "FileState") -> bool:
        """Return whether two states are the same to a person: a new time alone is no change."""
        if self.mode != other.mode or self.size_bytes != other.size_bytes:
            return False
        if self.sha256 is None or other.sha256 is None:
            return self.changed_ns == other.changed_ns
        return self.sha256 == other.sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceSnapshot:
    """Every file by its path; the content of `passed_over` and `unreadable` is unknown.

    Unless `complete`, a limit was reached and a missing path may still exist.
    """

    files: Mapping[str, FileState]
    taken_ns: int
    passed_over: frozenset[str] = field(default_factory=frozenset[str])
    unreadable: frozenset[str] = field(default_factory=frozenset[str])
    complete: bool = True
