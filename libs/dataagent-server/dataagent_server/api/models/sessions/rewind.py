"""The way back for a session's files."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.language.unicode_text import storable
from dataagent_core.tools.workspace_history import (
    ChangeReport,
    FileChange,
    KeptFile,
    KeptReason,
    RewindResult,
)

# A message's id: that of its run, and a part.
MESSAGE_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$"


class RewindRequest(BaseModel):
    """Where to go back to; without a message, before the last one that changed files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    message_id: Annotated[str | None, Field(pattern=MESSAGE_PATTERN)] = None


class KeptFileInfo(BaseModel):
    """A file that stays as it is, and why."""

    model_config = ConfigDict(frozen=True)

    path: str
    why: KeptReason
    detail: str

    @classmethod
    def of(cls, kept: KeptFile) -> Self:
        """Show a file."""
        return cls(path=storable(kept.path), why=kept.why, detail=storable(kept.detail))


class RewoundInfo(BaseModel):
    """What went back, what stays, and what is not tracked."""

    model_config = ConfigDict(frozen=True)

    message_id: str
    restored: list[str]
    removed: list[str]
    kept: list[KeptFileInfo]
    notices: list[str]

    @classmethod
    def of(cls, done: RewindResult) -> Self:
        """Show what a rewind did."""
        return cls(
            message_id=done.message_id,
            restored=storable(list(done.restored)),
            removed=storable(list(done.removed)),
            kept=[KeptFileInfo.of(kept) for kept in done.kept],
            notices=storable(list(done.notices)),
        )


class FileChangeInfo(BaseModel):
    """What the agent made of one file; `why` says that it could not go back now."""

    model_config = ConfigDict(frozen=True)

    path: str
    operation: str
    metrics: dict[str, int]
    diff: str | None
    why: KeptReason | None

    @classmethod
    def of(cls, change: FileChange) -> Self:
        """Show a change."""
        return cls(
            path=storable(change.path),
            operation=change.operation,
            metrics=change.metrics,
            diff=storable(change.diff),
            why=change.why,
        )


class ChangesInfo(BaseModel):
    """The agent's changes, by path."""

    model_config = ConfigDict(frozen=True)

    files: list[FileChangeInfo]
    notices: list[str]

    @classmethod
    def of(cls, changed: ChangeReport) -> Self:
        """Show changes."""
        files = [FileChangeInfo.of(change) for change in changed.files]
        return cls(files=files, notices=storable(list(changed.notices)))
