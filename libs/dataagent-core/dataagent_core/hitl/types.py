"""The words in which a question to a person and the answer are put."""

from typing import Any, Literal, NotRequired

# Not from `typing`: pydantic reads these at run time, which needs the newer ones on Python 3.11.
from typing_extensions import TypedDict

DecisionType = Literal[
    "approve", "edit", "respond", "reject", "answer", "stop", "continue", "correct", "skip"
]
Scope = Literal["once", "always"]


class ActionRequest(TypedDict):
    """One action that waits for a person: exactly what would be done."""

    name: str
    args: dict[str, Any]
    description: str
    tool_call_id: NotRequired[str]
    # Names the call within its run, even where a model repeats its call ids.
    call_key: NotRequired[str]
    subagent: NotRequired[str | None]
    # Why it is asked.
    reason: NotRequired[str]
    # The rules an "always" would save, so that the person sees them first.
    saves: NotRequired[list[dict[str, str]]]
    # The call may have happened before a crash; a yes given beforehand does not cover it.
    unknown_outcome: NotRequired[bool]


class Decision(TypedDict):
    """What the person said; which other fields count depends on `type`."""

    type: DecisionType
    message: NotRequired[str | None]
    scope: NotRequired[Scope]
    args: NotRequired[dict[str, Any]]
    answer: NotRequired[Any]
