"""What a call that waits for a person would change."""

from pydantic import Field

from dataagent_server.api.models.base import ResponseModel
from dataagent_server.runs.file_effects import NotCompared


class FileEffectInfo(ResponseModel):
    """A file before and after a call."""

    path: str
    exists: bool | None = Field(description="Whether there is such a file now; null: unknown")
    removes: bool = Field(description="Whether the call takes it away")
    bytes_before: int | None
    bytes_after: int | None
    diff: str | None = Field(
        description="Unified; empty when nothing would change, null when it cannot be compared"
    )
    diff_cut: bool = Field(description="Whether the diff goes on beyond what is shown")
    not_compared: NotCompared | None = Field(
        description="Why there is no diff: the path is not in the workspace (elsewhere), it cannot "
        "be opened (unreadable), it is too_large or not_text, or the call would fail (fails)"
    )
    detail: str | None = Field(description="What the tool would say where it fails")


class RequestEffect(ResponseModel):
    """What is known beforehand of a call, beside its arguments."""

    file: FileEffectInfo | None = Field(description="Null unless the call changes one file")
