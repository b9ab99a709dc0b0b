"""Workspaces and their files, as the API takes and shows them (S4)."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dataagent_server.api.models.fields import JsonObject, Name, Text
from dataagent_server.workspaces.files import paths
from dataagent_server.workspaces.files.file_lists import FileEntry
from dataagent_server.workspaces.limits import BYTES_MAX, FILES_MAX, NAME_CHARS_MAX
from dataagent_server.workspaces.workspace import Permission, Workspace, WorkspaceMembership

_NANOSECONDS = 1_000_000_000

_Name = Annotated[Name, Field(max_length=NAME_CHARS_MAX, examples=["Sales 2026"])]
_Bytes = Annotated[int, Field(ge=0, le=BYTES_MAX)]
_Files = Annotated[int, Field(ge=0, le=FILES_MAX)]


class WorkspaceCreate(BaseModel):
    """A new workspace; limits that are left out are the server's defaults."""

    model_config = ConfigDict(extra="forbid")

    name: _Name
    description: Text | None = None
    max_size_bytes: _Bytes | None = Field(default=None, description="Bytes it may hold")
    max_files: _Files | None = Field(default=None, description="Files and folders it may hold")
    settings: JsonObject | None = Field(default=None, description="Anything you like to keep")


class WorkspaceUpdate(BaseModel):
    """What is to change; fields that are left out stay."""

    model_config = ConfigDict(extra="forbid")

    name: _Name | None = None
    description: Text | None = None
    max_size_bytes: _Bytes | None = None
    max_files: _Files | None = None
    is_active: bool | None = Field(default=None, description="Whether agents may work in it")
    settings: JsonObject | None = None


class WorkspaceInfo(BaseModel):
    """A workspace, and how the one who asks stands to it."""

    model_config = ConfigDict(frozen=True)

    workspace_id: str
    owner_id: str
    name: str
    path: str = Field(description="Its directory below the server's base path")
    description: str | None
    max_size_bytes: int
    max_files: int
    current_size_bytes: int = Field(description="Bytes it holds, uploads on their way included")
    current_file_count: int = Field(description="Files and folders it holds")
    is_active: bool
    is_default: bool = Field(description="Whether your agents work in it")
    permission: Permission | None = Field(description="What it was given to you for")
    settings: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None

    @classmethod
    def of(cls, workspace: Workspace) -> "WorkspaceInfo":
        """Show a workspace."""
        return cls.model_validate(workspace, from_attributes=True)


class WorkspaceShare(BaseModel):
    """What somebody may do with the files of a workspace."""

    model_config = ConfigDict(extra="forbid")

    permission: Permission = "read_write"


class WorkspaceMember(BaseModel):
    """Somebody who may use a workspace."""

    model_config = ConfigDict(frozen=True)

    user_id: str
    permission: Permission
    is_default: bool = Field(description="Whether their agents work in it")
    created_at: datetime

    @classmethod
    def of(cls, member: WorkspaceMembership) -> "WorkspaceMember":
        """Show a member."""
        return cls.model_validate(member, from_attributes=True)


class FileInfo(BaseModel):
    """A file, folder or link in a workspace."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(examples=["data.csv"])
    path: str = Field(examples=["/uploads/data.csv"])
    encoded_path: str = Field(
        description="Names exactly this file behind `?path=`, also when its name is not UTF-8"
    )
    kind: Literal["file", "dir", "link", "other"]
    size_bytes: int
    modified_at: datetime | None

    @classmethod
    def of(cls, entry: FileEntry) -> "FileInfo":
        """Show an entry."""
        path = paths.render_path(entry.path)
        return cls(
            name=path.rsplit("/", 1)[-1],
            path=path,
            encoded_path=paths.encode_path(entry.path),
            kind=entry.kind,
            size_bytes=entry.size_bytes,
            modified_at=_moment(entry.mtime_ns),
        )


class StoredFile(BaseModel):
    """A file that was uploaded."""

    path: str
    size_bytes: int


class Removed(BaseModel):
    """What a deletion freed."""

    size_bytes: int
    files: int = Field(description="Files and folders")


def _moment(nanoseconds: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(nanoseconds / _NANOSECONDS, UTC)
    except (ValueError, OverflowError, OSError):
        return None  # a command can give a file any time, also one no calendar has
