"""The audit log, as the API shows it."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from dataagent_server.api.models.base import ResponseModel
from dataagent_server.identity.audit.chain import AuditRow
from dataagent_server.identity.tenants.audit_log import detail_of


class AuditEntry(BaseModel):
    """One thing that happened. `mac` covers it and the one before it."""

    model_config = ConfigDict(frozen=True)

    seq: int = Field(description="Its number in the tenant's chain")
    at: datetime
    actor: str = Field(examples=["user:a1b2 key:c3d4", "run:e5f6", "operator"])
    action: str = Field(examples=["session.delete", "tool.call"])
    resource: str = Field(examples=["session:a1b2"])
    detail: dict[str, Any] = Field(examples=[{"owner": "a1b2", "runs": 3}])
    mac: str

    @classmethod
    def of(cls, row: AuditRow) -> Self:
        """Show a row."""
        return cls(
            seq=row.seq,
            at=row.at,
            actor=row.actor,
            action=row.action,
            resource=row.resource,
            detail=detail_of(row),
            mac=row.mac,
        )


class AuditCheck(ResponseModel):
    """Whether nothing was changed, moved or cut off."""

    whole: bool
    rows: int = Field(description="How many there are", examples=[1_024])
    head: str | None = Field(
        description="Where the chain ends. Kept elsewhere and given as `expect` later, it also "
        "shows a database that was put back to an older copy",
        examples=["1024:9f86d081884c7d65"],
    )
    broken_at: int | None = Field(description="The first row that is not what was written")
    reason: str | None = Field(examples=["row 7 was changed"])
