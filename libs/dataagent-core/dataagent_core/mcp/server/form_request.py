"""Shows a human request as a form at the MCP client and reads the answer as a decision.

Before protocol 2026-07-28 the server sends a request and waits. Since then it answers with what it
needs (`InputNeededError`), and the client repeats the call with the person's answer and our state,
which the library seals and binds to caller, tool and arguments. An answer is used once.
"""

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from dataagent_core.config.limits.mcp import MCP_SERVED_ANSWER_S, MCP_SERVED_QUESTION_CHARS_MAX
from dataagent_core.errors import NoOneToAskError
from dataagent_core.hitl import Decision
from dataagent_core.mcp.server.ports import MCPCaller, MCPServices
from dataagent_core.permissions.sampling_policy import SAMPLING

if TYPE_CHECKING:
    from fastmcp.server.context import Context

_CHARS_MAX: Final = MCP_SERVED_QUESTION_CHARS_MAX
_APPROVE: Final = "approve"
_DECLINED: Final = "The person declined this call."
_FIELD: Final = "decision"
_ANSWER: Final = "answer"


@dataclass(frozen=True, slots=True)
class Form:
    """The text a person reads, and the schema of the fields to fill in."""

    message: str
    schema: dict[str, Any]


def form_for(request: Mapping[str, Any]) -> Form | None:
    """Make a form for a human request; None if a form cannot ask it."""
    match request.get("kind"):
        case "approval" if _is_sampling(request) and len(_render_request(request)) > _CHARS_MAX:
            # A person must be able to read all of it before approving.
            return None
        case "approval" | "budget":
            return Form(
                _describe_request(request), _make_choice_schema(_FIELD, (_APPROVE, "decline"))
            )
        case "doom_loop":
            return Form(
                _describe_request(request),
                _make_choice_schema(_FIELD, ("continue", "skip", "stop")),
            )
        case "clarification" | "decision":
            return Form(_render_question(request), _make_answer_schema(request))
        case _:
            return None


def decision_from(
    request: Mapping[str, Any], action: str, content: Mapping[str, Any] | None
) -> Decision | None:
    """Read the decision from an answer; None if the person closed the form without one."""
    given = content or {}
    kind = request.get("kind")
    if action == "cancel":
        return None
    if kind in {"clarification", "decision"}:
        answer = given.get(_ANSWER)
        return {"type": "answer", "answer": answer} if action == "accept" and answer else None
    chosen = str(given.get(_FIELD, "")) if action == "accept" else "decline"
    if kind == "doom_loop":
        decision = chosen if chosen in {"continue", "skip", "stop"} else "skip"
        return cast("Decision", {"type": decision})
    if chosen == _APPROVE:
        return {"type": "approve", "scope": "once"}
    if kind == "budget":
        return {"type": "reject", "message": _DECLINED}
    # Not a reject, which would end the run: the agent may find another way.
    return {"type": "respond", "message": _DECLINED}


def _is_sampling(request: Mapping[str, Any]) -> bool:
    return any(str(one.get("name", "")).endswith(SAMPLING) for one in _actions(request))


def _actions(request: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return cast("Sequence[Mapping[str, Any]]", request.get("action_requests") or [])


def _describe_request(request: Mapping[str, Any]) -> str:
    return _truncate(_render_request(request))


def _render_request(request: Mapping[str, Any]) -> str:
    actions = _actions(request)
    lines = [f"{one.get('name')}\n{_render_arguments(one.get('args'))}" for one in actions]
    reason = str(request.get("context") or request.get("question") or "")
    return "\n".join(["DataAgent asks before it does this:", *lines, f"Why: {reason}"])


def _render_question(request: Mapping[str, Any]) -> str:
    return _truncate(str(request.get("question") or request.get("context") or ""))


def _make_answer_schema(request: Mapping[str, Any]) -> dict[str, Any]:
    options = cast("Sequence[Mapping[str, Any]]", request.get("options") or [])
    labels = [str(option["label"]) for option in options if option.get("label")]
    description = f"One of: {', '.join(labels)}; or your own words." if labels else "Your answer."
    field = {"type": "string", "title": "Answer", "description": _truncate(description)}
    return {"type": "object", "properties": {_ANSWER: field}, "required": [_ANSWER]}


def _make_choice_schema(name: str, values: Sequence[str]) -> dict[str, Any]:
    field = {"type": "string", "title": "Decision", "enum": list(values)}
    return {"type": "object", "properties": {name: field}, "required": [name]}


def _render_arguments(args: object) -> str:
    return json.dumps(args, ensure_ascii=False, default=str, indent=1)


def _truncate(text: str) -> str:
    over = len(text) - _CHARS_MAX
    return text if over <= 0 else f"{text[:_CHARS_MAX]}… ({over} more)"


_KEY: Final = "person"
_NONCE: Final = "nonce"
# The state of the question, and the person's answer.
_Answer = tuple[dict[str, Any], ElicitResult]


class InputNeededError(Exception):
    """Ends this round of the call; carries the answer to the client."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("the client must ask a person")
        self.result = result


class FormRequester:
    """Asks the person at the client of one request."""

    def __init__(self, context: "Context", answer: "_Answer | None" = None) -> None:
        self._context = context
        self._answer = answer

    @classmethod
    async def open(
        cls, context: "Context", services: MCPServices, caller: MCPCaller
    ) -> "FormRequester":
        """Read the answer this round brings, unless it was used before."""
        answer = _read_answer(context)
        if answer is None or not await services.use_once(caller, str(answer[0].get(_NONCE))):
            return cls(context)
        return cls(context, answer)

    @property
    def can_ask(self) -> bool:
        """Return whether the client can show a form, and we can reach it."""
        session = self._context.session
        capabilities = session.client_capabilities
        forms = capabilities.elicitation if capabilities is not None else None
        if forms is None or (forms.form is None and forms.url is not None):
            return False
        return self._is_modern or session.can_send_request

    @property
    def state(self) -> dict[str, Any]:
        """Return the state of the question that is answered in this round."""
        return {} if self._answer is None else self._answer[0]

    async def ask(self, form: Form, state: dict[str, Any]) -> tuple[ElicitResult, dict[str, Any]]:
        """Return the person's answer, and the state of the question it belongs to."""
        if self._answer is not None:
            (answered_state, answer), self._answer = self._answer, None
            return answer, answered_state
        if self._is_modern:
            raise InputNeededError(_make_input_required(form, state))
        session = self._context.session
        try:
            async with asyncio.timeout(MCP_SERVED_ANSWER_S):
                answer = await session.elicit_form(
                    form.message, form.schema, related_request_id=self._context.request_id
                )
        except TimeoutError:
            raise NoOneToAskError(
                f"Nobody answered within {MCP_SERVED_ANSWER_S:g} seconds, so nothing was done."
            ) from None
        return answer, state

    @property
    def _is_modern(self) -> bool:
        return self._context.session.protocol_version in MODERN_PROTOCOL_VERSIONS


def _read_answer(context: "Context") -> "_Answer | None":
    responses, kept = context.input_responses, context.request_state
    answer = (responses or {}).get(_KEY)
    if kept is None or not isinstance(answer, ElicitResult):
        return None
    try:
        return cast("dict[str, Any]", json.loads(kept)), answer
    except ValueError:
        return None


def _make_input_required(form: Form, state: dict[str, Any]) -> InputRequiredResult:
    request = ElicitRequest(
        params=ElicitRequestFormParams(message=form.message, requested_schema=form.schema)
    )
    kept = json.dumps({**state, _NONCE: secrets.token_urlsafe(16)})
    return InputRequiredResult(input_requests={_KEY: request}, request_state=kept)
