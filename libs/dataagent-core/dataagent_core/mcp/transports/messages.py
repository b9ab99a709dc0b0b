"""MCP messages as bytes, and the requests that still wait for an answer.

When a connection ends for a known reason, each pending request is answered with it; the SDK would
only say that the connection was closed. Valid JSON that the parser of the SDK refuses (half a
surrogate pair, a number of thousands of digits, more than two hundred levels) is rewritten: such a
value becomes text.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

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

from dataagent_core.config.limits.mcp import MCP_TEXT_CHARS_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.transports.program.secret_filter import NO_SECRETS, SecretFilter

# The parser takes 200 levels, and numbers of 4,300 digits.
_DEPTH_MAX: Final = 150
_DIGITS_MAX: Final = 4_000
_TOO_DEEP: Final = json.dumps(f"(left out: nested deeper than {_DEPTH_MAX} levels)")
# Each takes all it can, so that no text is looked at twice.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]|-?[0-9][0-9.eE+-]*+', re.DOTALL)


def readable_json(data: bytes | str) -> bytes:
    """Give the same JSON without what the parser refuses; raise `ValueError` if it is none."""
    text = data.decode(errors="replace") if isinstance(data, bytes) else data
    shallow = "".join(_shallow(text))
    return json.dumps(json.loads(shallow), ensure_ascii=False).encode(errors="replace")


def _shallow(text: str) -> Iterator[str]:
    depth = done = 0
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        if first in "[{":
            depth += 1
            if depth == _DEPTH_MAX + 1:
                yield text[done : token.start()] + _TOO_DEEP
        elif first in "]}":
            if depth == _DEPTH_MAX + 1:
                done = token.end()
            depth -= 1
        elif first != '"' and depth <= _DEPTH_MAX and len(token[0]) > _DIGITS_MAX:
            yield f'{text[done : token.start()]}"{token[0]}"'
            done = token.end()
    if depth <= _DEPTH_MAX:
        yield text[done:]


_EXCERPT_CHARS = 200
_LOOKED_AT_CHARS = 2 * MCP_TEXT_CHARS_MAX


class NoMessageError(ValueError):
    """What came is no message of MCP."""


def read_message(
    data: bytes | str, secrets: SecretFilter = NO_SECRETS
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


class PendingRequests:
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
