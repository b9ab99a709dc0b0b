"""The types of a request to a person and of the decision."""

from typing import Any, Literal, NotRequired

# Not from `typing`: pydantic reads these at run time, which needs the newer ones on Python 3.11.
from typing_extensions import TypedDict

DecisionType = Literal[
    "approve", "edit", "respond", "reject", "answer", "stop", "continue", "correct", "skip"
]
Scope = Literal["once", "always"]
# Where an "always" is kept beyond the session.
SavePlace = Literal["project"]


class ActionRequest(TypedDict):
    """One action that waits for a person: exactly what would be done."""

    name: str
    args: dict[str, Any]
    description: str
    tool_call_id: NotRequired[str]
    # Names the call within its run, even where a model repeats its call ids.
    call_key: NotRequired[str]
    # What an answer is bound to (`request_binding.py`).
    args_hash: NotRequired[str]
    subagent: NotRequired[str | None]
    # Why it is asked.
    reason: NotRequired[str]
    # The rules an "always" would save, so that the person sees them first.
    saves: NotRequired[list[dict[str, str]]]
    # The call may have happened before a crash; a yes given beforehand does not cover it.
    unknown_outcome: NotRequired[bool]
    # How often it has begun then: a yes covers one more time.
    times_begun: NotRequired[int]
    # Only what a person says to this very call counts, no yes given beforehand.
    always_asked: NotRequired[bool]
    # Which version of a tool from outside this is: an answer counts for that version alone.
    version: NotRequired[str]
    # An "always" is not offered for it.
    once_only: NotRequired[bool]
    # What the tool declares of itself for which a person is asked.
    declared: NotRequired[str]


class Binding(TypedDict):
    """The call an answer is for, and hashes of the arguments asked about and allowed to run.

    `repeats`: how often the call had begun before, as the person knew. `version`: of a tool from
    outside, which may become another one under the same name.
    """

    call_key: str
    asked_hash: str
    runs_hash: str
    repeats: int
    version: NotRequired[str]


class Decision(TypedDict):
    """What the person decided; which other fields count depends on `type`."""

    type: DecisionType
    message: NotRequired[str | None]
    scope: NotRequired[Scope]
    # With "always": also keep its rules where later sessions read them.
    save: NotRequired[SavePlace]
    args: NotRequired[dict[str, Any]]
    answer: NotRequired[Any]
    # Written by the engine, never by whoever answers.
    bound_to: NotRequired[Binding]
