"""Checks which decisions fit which kind of request. Pure; the input is untrusted."""

import json
from typing import Any, cast

from pydantic import TypeAdapter
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.errors import ValidationError
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.hitl.types import Decision

ALLOWED: dict[HumanRequestKind, tuple[str, ...]] = {
    "approval": ("approve", "edit", "respond", "reject"),
    "doom_loop": ("stop", "continue", "correct", "skip"),
    "clarification": ("answer",),
    "decision": ("answer",),
    "budget": ("approve", "reject"),
    # Tell the server, tell it no, leave it and tell the agent why, end the run.
    "elicitation": ("answer", "skip", "respond", "reject"),
    # "I have signed in" in two words; without it, with or without a reason; end the run.
    "oauth": ("answer", "approve", "skip", "respond", "reject"),
}

_ADAPTER: TypeAdapter[Decision] = TypeAdapter(Decision)


def check_decision(kind: HumanRequestKind, raw: object) -> Decision:
    """Return the decision if it fits the request; otherwise raise with what would fit."""
    try:
        decision = _ADAPTER.validate_python(raw)
    except PydanticValidationError as error:
        raise ValidationError(f"not a decision: {error}") from error
    if decision["type"] not in ALLOWED[kind]:
        fitting = ", ".join(ALLOWED[kind])
        raise ValidationError(f"{decision['type']!r} does not answer this {kind}; use {fitting}.")
    if decision["type"] == "edit":
        _check_args(decision)
    if "save" in decision and (decision["type"], decision.get("scope")) != ("approve", "always"):
        raise ValidationError(
            "'save' goes with an 'approve' whose scope is 'always': once is not worth keeping."
        )
    if decision["type"] == "respond" and not decision.get("message"):
        raise ValidationError("a 'respond' needs a 'message': what the agent should know.")
    return decision


def _check_args(decision: Decision) -> None:
    if "args" not in decision:
        raise ValidationError("an 'edit' needs 'args': the arguments to use instead.")
    try:
        json.dumps(decision["args"], allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValidationError(f"the arguments of an 'edit' must be plain JSON: {error}.") from error


def plain(decision: Decision) -> dict[str, Any]:
    """Copy a decision into a plain dictionary, as events and checkpoints store it."""
    return dict(cast("dict[str, Any]", decision))
