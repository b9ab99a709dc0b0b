"""What requests and answers look like (S0), one file per theme."""

from dataagent_server.api.models.chat import ChatRequest, ChatResponse
from dataagent_server.api.models.common import ErrorResponse, Page
from dataagent_server.api.models.sessions.session import SessionInfo
from dataagent_server.api.models.websocket import WebSocketMessage

__all__ = [
    "ChatRequest",
    "ChatResponse",
    "ErrorResponse",
    "Page",
    "SessionInfo",
    "WebSocketMessage",
]
