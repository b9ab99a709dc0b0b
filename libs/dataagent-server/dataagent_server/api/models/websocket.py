"""What a client sends over a WebSocket (S0, PROTOCOL.md)."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class WebSocketMessage(BaseModel):
    """A frame; what its payload must hold depends on its type."""

    model_config = ConfigDict(frozen=True)

    type: Literal["chat", "hitl_decision", "cancel", "ping", "resume"]
    payload: dict[str, Any]
