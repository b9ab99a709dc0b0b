"""What waits for a person, and their answer."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.events.hitl import HumanRequestKind
from dataagent_server.hitl.requests import HumanRequest


class RequestInfo(BaseModel):
    """A question to a person, and its answer if there is one."""

    model_config = ConfigDict(frozen=True)

    interrupt_id: str
    run_id: str
    session_id: str
    kind: HumanRequestKind
    request: dict[str, Any] = Field(description="The `hitl_request` event")
    status: str = Field(examples=["open", "answered", "superseded"])
    decision: dict[str, Any] | None
    answered_by: str | None
    deadline_at: datetime | None
    created_at: datetime
    answered_at: datetime | None

    @classmethod
    def of(cls, request: HumanRequest) -> Self:
        """Show a request."""
        return cls(**{name: getattr(request, name) for name in cls.model_fields})


class RequestList(BaseModel):
    """Open questions, oldest first."""

    model_config = ConfigDict(frozen=True)

    requests: list[RequestInfo]


class AnswerBody(BaseModel):
    """An answer; which types fit depends on the kind of question."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"decision": {"type": "approve", "scope": "once"}},
                {"decision": {"type": "respond", "message": "Not this table, use `orders`."}},
                {"decision": {"type": "answer", "answer": "May"}},
            ]
        },
    )

    decision: dict[str, Any]
    interrupt_id: str | None = Field(
        default=None, description="As over WebSocket; must be the one in the path"
    )
