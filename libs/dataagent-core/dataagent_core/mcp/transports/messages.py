"""Messages of MCP as bytes, and which requests still wait for an answer.

When a connection ends for a reason, each request that waits is answered with it: the SDK itself
would only say that the connection was closed.
"""

from collections.abc import Sequence

from mcp.shared.message import SessionMessage
from mcp_types import (
    CONNECTION_CLOSED,
    INVALID_PARAMS,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)

from dataagent_core.config.mcp_limits import MCP_TEXT_CHARS_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.transports.hiding import NO_SECRETS, Secrets
from dataagent_core.mcp.transports.readable_json import readable_json

_EXCERPT_CHARS = 200
_LOOKED_AT_CHARS = 2 * MCP_TEXT_CHARS_MAX


class NoMessageError(ValueError):
    """What came is no message of MCP."""


def read_message(
    data: bytes | str, secrets: Secrets = NO_SECRETS
) -> SessionMessage | NoMessageError:
    """Read one message; what is none is given back as an error, with its beginning."""
    try:
        return _read(data)
    except ValueError:
        pass
    try:
        return _read(readable_json(data))
    except (ValueError, RecursionError):
        # More than is shown: what is cut in two would not be found.
        start = data[:_LOOKED_AT_CHARS]
        text = start.decode(errors="replace") if isinstance(start, bytes) else start
        shown = secrets.hidden_in(text).strip()[:_EXCERPT_CHARS]
        return NoMessageError(f"this is no MCP message: {shown!r}")


def _read(data: bytes | str) -> SessionMessage:
    # Not by our names for the fields: the wire has its own.
    return SessionMessage(jsonrpc_message_adapter.validate_json(data, by_name=False))


class Waiting:
    """The requests sent and not yet answered."""

    def __init__(self) -> None:
        self._ids: dict[RequestId, None] = {}

    def encoded(self, message: SessionMessage) -> bytes | SessionMessage:
        """Give the bytes of a message, or the answer to one that cannot be written."""
        sent = message.message
        try:
            data = sent.model_dump_json(by_alias=True, exclude_unset=True).encode()
        except ValueError as error:
            if not isinstance(sent, JSONRPCRequest):
                return message
            problem = ErrorData(code=INVALID_PARAMS, message=f"it cannot be sent: {error}")
            return _answer(sent.id, problem)
        if isinstance(sent, JSONRPCRequest):
            self._ids[sent.id] = None
        return data

    def saw(self, message: SessionMessage) -> None:
        """Note an answer."""
        came = message.message
        if isinstance(came, JSONRPCResponse | JSONRPCError) and came.id is not None:
            self._ids.pop(came.id, None)

    def answers(self, problem: MCPServerError) -> Sequence[SessionMessage]:
        """Answer all that wait with the reason why no other answer comes."""
        error = ErrorData(code=CONNECTION_CLOSED, message=str(problem))
        answers = [_answer(number, error) for number in self._ids]
        self._ids.clear()
        return answers


def _answer(number: RequestId, error: ErrorData) -> SessionMessage:
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=error))
