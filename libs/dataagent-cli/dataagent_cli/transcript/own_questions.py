"""Questions of ours about a plan, a step or a pattern, in the language of the person. Pure."""

from typing import TYPE_CHECKING, Final

from dataagent_cli.messages import Messages

if TYPE_CHECKING:
    from dataagent_core.events import HITLRequestEvent

# `question_type` of a proposed plan. Its tool is part of the engine, which may not be loaded yet.
PLAN: Final = "plan"
# That of a work plan, which is carried out, changed or left, and those of its steps.
WORK_PLAN: Final = "work_plan"
# That of an earlier way of working, which is used again or not.
PATTERN: Final = "pattern"
_OF_A_STEP: Final = frozenset({"confirmation", "risk"})


def is_own(request: "HITLRequestEvent") -> bool:
    """Say whether a question is ours, and not the agent's."""
    kind = request.question_type
    return kind in {PLAN, WORK_PLAN, PATTERN} or (
        kind in _OF_A_STEP and request.step_number is not None
    )


def translate_own(request: "HITLRequestEvent | None", text: str, say: Messages) -> str:
    """Translate a sentence of a question of ours; words of others stay as they are."""
    return say.translate(text) if request is not None and is_own(request) else text


def find_way(request: "HITLRequestEvent | None", label: str, say: Messages) -> str:
    """Return the key of an option of ours in the catalogue; empty for one of others."""
    if request is None or not is_own(request):
        return ""
    key = f"{'pattern' if request.question_type == PATTERN else 'plan'}_way.{label}"
    return key if say.has(key) else ""
