"""A question of ours as a form an MCP client can show, and its answer as a decision. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from dataagent_core.config.limits.mcp import MCP_SERVED_QUESTION_CHARS_MAX
from dataagent_core.hitl import Decision
from dataagent_core.permissions.sampling_policy import SAMPLING

_CHARS_MAX: Final = MCP_SERVED_QUESTION_CHARS_MAX
_APPROVE: Final = "approve"
_DECLINED: Final = "The person declined this call."
_FIELD: Final = "decision"
_ANSWER: Final = "answer"


@dataclass(frozen=True, slots=True)
class Form:
    """What the person reads, and the fields they fill in."""

    message: str
    schema: dict[str, Any]


def form_for(request: Mapping[str, Any]) -> Form | None:
    """Write a human request as a form; None for what a form cannot ask."""
    match request.get("kind"):
        case "approval" if _is_sampling(request) and len(_whole(request)) > _CHARS_MAX:
            # Only a person who has read all of it can say yes.
            return None
        case "approval" | "budget":
            return Form(_about(request), _choice(_FIELD, (_APPROVE, "decline")))
        case "doom_loop":
            return Form(_about(request), _choice(_FIELD, ("continue", "skip", "stop")))
        case "clarification" | "decision":
            return Form(_question(request), _answer(request))
        case _:
            return None


def decision_from(
    request: Mapping[str, Any], action: str, content: Mapping[str, Any] | None
) -> Decision | None:
    """Read the answer; None when the person closed the form without one."""
    given = content or {}
    kind = request.get("kind")
    if action == "cancel":
        return None
    if kind in {"clarification", "decision"}:
        said = given.get(_ANSWER)
        return {"type": "answer", "answer": said} if action == "accept" and said else None
    chosen = str(given.get(_FIELD, "")) if action == "accept" else "decline"
    if kind == "doom_loop":
        way = chosen if chosen in {"continue", "skip", "stop"} else "skip"
        return cast("Decision", {"type": way})
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


def _about(request: Mapping[str, Any]) -> str:
    return _cut(_whole(request))


def _whole(request: Mapping[str, Any]) -> str:
    actions = _actions(request)
    lines = [f"{one.get('name')}\n{_shown(one.get('args'))}" for one in actions]
    reason = str(request.get("context") or request.get("question") or "")
    return "\n".join(["DataAgent asks before it does this:", *lines, f"Why: {reason}"])


def _question(request: Mapping[str, Any]) -> str:
    return _cut(str(request.get("question") or request.get("context") or ""))


def _answer(request: Mapping[str, Any]) -> dict[str, Any]:
    options = cast("Sequence[Mapping[str, Any]]", request.get("options") or [])
    labels = [str(option["label"]) for option in options if option.get("label")]
    described = f"One of: {', '.join(labels)}; or your own words." if labels else "Your answer."
    field = {"type": "string", "title": "Answer", "description": _cut(described)}
    return {"type": "object", "properties": {_ANSWER: field}, "required": [_ANSWER]}


def _choice(name: str, ways: Sequence[str]) -> dict[str, Any]:
    field = {"type": "string", "title": "Decision", "enum": list(ways)}
    return {"type": "object", "properties": {name: field}, "required": [name]}


def _shown(args: object) -> str:
    return json.dumps(args, ensure_ascii=False, default=str, indent=1)


def _cut(text: str) -> str:
    over = len(text) - _CHARS_MAX
    return text if over <= 0 else f"{text[:_CHARS_MAX]}… ({over} more)"
