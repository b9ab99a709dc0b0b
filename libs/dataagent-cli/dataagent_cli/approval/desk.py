"""The approval desk: core's `HITLHandler` for one person at a terminal, or for nobody.

What the person allowed in advance is approved, the rest is asked (`dialogue.py`). Nobody there:
the run is left waiting (`NoOneToAskError`), and `left_waiting` says on what.
"""

import asyncio

from dataagent_cli.approval.asking import PLAN
from dataagent_cli.approval.budget_words import budget_words
from dataagent_cli.approval.dialogue import Dialogue
from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.display.tool_line import action as in_words
from dataagent_cli.messages import Messages
from dataagent_cli.output import Output
from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision, default_answer

# What a run waits for that is no call.
QUESTION = "question"


def is_plan(waiting: ActionRequest) -> bool:
    """Say whether a run waits for somebody to accept its plan."""
    return waiting["name"] == QUESTION and waiting["args"].get("question_type") == PLAN


class ApprovalDesk:
    """Answers by rule, by asking, or not at all."""

    def __init__(
        self, rule: ApprovalRule, dialogue: Dialogue | None, output: Output, say: Messages
    ) -> None:
        self._rule = rule
        self._dialogue = dialogue
        self._output = output
        self._say = say
        self.left_waiting: ActionRequest | None = None

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:  # noqa: ARG002 (core's signature)
        tool = action_request["name"]
        if self._rule.covers(action_request):
            return {"type": "approve"}
        if self._dialogue is not None:
            # The display gets its turn first, so that the question stands below what led to it.
            await asyncio.sleep(0)
            return await self._dialogue.decide(action_request)
        if self._rule.alone and not action_request.get("always_asked"):
            words = in_words(tool, action_request["args"], self._say)
            self._output.note(self._say("demo_approves", action=words), fg="yellow")
            return {"type": "approve"}
        self.left_waiting = action_request
        raise NoOneToAskError(self._say("nobody", tool=tool))

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:  # noqa: ARG002 (core's signature)
        """Ask, or without a person take what an optional question has as its default."""
        if self._dialogue is not None:
            await asyncio.sleep(0)
            return await self._dialogue.answer(request)
        if request.kind == "doom_loop":
            return {"type": "skip"}
        default = default_answer(request)
        if default is not None:
            return default
        question = request.question or ""
        if request.kind == "budget":
            question = budget_words(request, self._say)[-1]
        asked = {"question": question, "question_type": request.question_type}
        self.left_waiting = {"name": QUESTION, "args": asked, "description": ""}
        raise NoOneToAskError(self._say("nobody_answers"))

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Say nothing: the call's own line follows."""
