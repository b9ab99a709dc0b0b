"""Puts a form to the person at the client, in the way their connection can.

Before 2026-07-28 the server sends a request and waits. Since then it answers with what it needs
(`InputNeededError`), and the client makes the same call again with the person's answer and the
state we gave it, which the library seals and binds to caller, tool and arguments. An answer is
used once.
"""

import asyncio
import json
import secrets
from typing import TYPE_CHECKING, Any, Final, cast

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from dataagent_core.config.limits.mcp import MCP_SERVED_ANSWER_S
from dataagent_core.errors import NoOneToAskError
from dataagent_core.mcp.server.forms import Form
from dataagent_core.mcp.server.ports import MCPCaller, MCPServices

if TYPE_CHECKING:
    from fastmcp.server.context import Context

_KEY: Final = "person"
_NONCE: Final = "nonce"
# What was kept with the question, and what the person said.
_Answer = tuple[dict[str, Any], ElicitResult]


class InputNeededError(Exception):
    """The call cannot go on in this round; carries what the client is answered."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("the client must ask a person")
        self.result = result


class FormRequester:
    """The way to the person at the other end of one request."""

    def __init__(self, context: "Context", answer: "_Answer | None" = None) -> None:
        self._context = context
        self._answer = answer

    @classmethod
    async def opened(
        cls, context: "Context", house: MCPServices, caller: MCPCaller
    ) -> "FormRequester":
        """Look whether this round brings an answer; sent a second time it is none."""
        answer = _answer_in(context)
        if answer is None or not await house.use_once(caller, str(answer[0].get(_NONCE))):
            return cls(context)
        return cls(context, answer)

    @property
    def can_ask(self) -> bool:
        """Say whether the client can show a form, and we can reach it."""
        session = self._context.session
        offered = session.client_capabilities
        forms = offered.elicitation if offered is not None else None
        if forms is None or (forms.form is None and forms.url is not None):
            return False
        return self._is_modern or session.can_send_request

    @property
    def state(self) -> dict[str, Any]:
        """Give what was kept with the question that is answered in this round."""
        return {} if self._answer is None else self._answer[0]

    async def ask(self, form: Form, state: dict[str, Any]) -> tuple[ElicitResult, dict[str, Any]]:
        """Return what the person said, and the state their question was asked with."""
        if self._answer is not None:
            (before, said), self._answer = self._answer, None
            return said, before
        if self._is_modern:
            raise InputNeededError(_needed(form, state))
        session = self._context.session
        try:
            async with asyncio.timeout(MCP_SERVED_ANSWER_S):
                said = await session.elicit_form(
                    form.message, form.schema, related_request_id=self._context.request_id
                )
        except TimeoutError:
            raise NoOneToAskError(
                f"Nobody answered within {MCP_SERVED_ANSWER_S:g} seconds, so nothing was done."
            ) from None
        return said, state

    @property
    def _is_modern(self) -> bool:
        return self._context.session.protocol_version in MODERN_PROTOCOL_VERSIONS


def _answer_in(context: "Context") -> "_Answer | None":
    responses, kept = context.input_responses, context.request_state
    said = (responses or {}).get(_KEY)
    if kept is None or not isinstance(said, ElicitResult):
        return None
    try:
        return cast("dict[str, Any]", json.loads(kept)), said
    except ValueError:
        return None


def _needed(form: Form, state: dict[str, Any]) -> InputRequiredResult:
    asked = ElicitRequest(
        params=ElicitRequestFormParams(message=form.message, requested_schema=form.schema)
    )
    kept = json.dumps({**state, _NONCE: secrets.token_urlsafe(16)})
    return InputRequiredResult(input_requests={_KEY: asked}, request_state=kept)
