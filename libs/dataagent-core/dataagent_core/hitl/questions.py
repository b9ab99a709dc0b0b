"""Questions the agent puts to a person, and the answer a question has without them.

Approvals ask whether; these ask what. Both wait on the same path (`engine/ask_person.py`).
"""

from typing import Any, Protocol

from dataagent_core.events.hitl import HITLRequestEvent
from dataagent_core.hitl.types import Decision


class QuestionHandler(Protocol):
    """A client that can ask a person a question; `HITLHandler` alone only approves."""

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        """Return the answer: an option's label, several of them, or the person's own words."""
        ...


def default_answer(request: HITLRequestEvent) -> Decision | None:
    """Give the recommended option of an optional question; a required one has no default."""
    if request.required:
        return None
    recommended = [o for o in request.options if o.get("is_recommended")] or request.options
    if not recommended:
        return None
    return {"type": "answer", "answer": recommended[0]["label"]}


def timeout_answer(request: HITLRequestEvent) -> Decision | None:
    """Give the answer of a request nobody answered in time; None: it stays open.

    Approvals are rejected; questions get the recommended option if there is one.
    """
    match request.kind:
        case "clarification" | "decision":
            return default_answer(request)
        case "doom_loop":
            return {"type": "stop"}
        case "approval" | "budget" | "elicitation" | "oauth":
            return {"type": "reject", "message": "nobody answered in time"}


def answer_text(decision: Decision) -> str:
    """Format an answer for the agent."""
    answer: Any = decision.get("answer")
    if isinstance(answer, list):
        return ", ".join(str(part) for part in answer)
    return str(answer if answer is not None else decision.get("message") or "")
