"""A workspace and its members as values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NewType

WorkspaceId = NewType("WorkspaceId", str)
Permission = Literal["read", "read_write"]


@dataclass(frozen=True, slots=True)
class Workspace:
    """One row of `s_workspace`, and the relation of a user to it."""

    workspace_id: WorkspaceId
    tenant_id: str
    owner_id: str
    name: str
    # Relative to the base path, so that the base path can move.
    path: str
    description: str | None
    max_size_bytes: int
    max_files: int
    current_size_bytes: int
    current_file_count: int
    is_active: bool
    settings: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None
    # From `s_user_workspace_rel`, for this user.
    is_default: bool = False
    permission: Permission | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceMembership:
    """A member of a workspace, its owner included."""

    user_id: str
    permission: Permission
    is_default: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StorageAmount:
    """Bytes and files; a folder counts as a file, since it takes an inode too."""

    size_bytes: int = 0
    files: int = 0

    def __add__(self, other: "StorageAmount") -> "StorageAmount":
        return StorageAmount(self.size_bytes + other.size_bytes, self.files + other.files)

    def __sub__(self, other: "StorageAmount") -> "StorageAmount":
        return StorageAmount(self.size_bytes - other.size_bytes, self.files - other.files)

    def __bool__(self) -> bool:
        return bool(self.size_bytes or self.files)
