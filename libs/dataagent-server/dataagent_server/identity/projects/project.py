"""A project. Every user of the tenant sees it; its sessions belong to their owners."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Project:
    """`version` counts changes, so that nobody overwrites an unseen one."""

    project_id: str
    owner_id: str
    name: str
    description: str
    # `provider:name`, for runs whose assistant names none; None: the tenant's.
    default_model: str | None
    version: int
    created_at: datetime
    updated_at: datetime
