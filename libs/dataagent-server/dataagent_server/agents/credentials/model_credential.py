"""A tenant's credential for one provider: as it is shown, and as a run uses it."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class ModelCredential:
    """As an admin sees it: only the end of the key, and nothing of a short one."""

    provider: str
    has_key: bool
    last_four: str | None
    base_url: str | None
    default_model: str | None
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class UsableCredential:
    """With the key, for a run."""

    provider: str
    key: SecretStr | None
    base_url: str | None
    default_model: str | None
