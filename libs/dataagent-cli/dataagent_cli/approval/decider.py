"""Decides what a run asks: from approvals given in advance, by asking the person, or not at all.

If nobody can be asked, `NoOneToAskError` leaves the question open for the process that resumes the
session.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, cast

from dataagent_cli.approval.keyboard import Lines
from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.transcript.calls.task_names import TaskName
from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLRequestEvent

if TYPE_CHECKING:
    from dataagent_cli.approval.dialogue import Dialogue, PausableTerminal
    from dataagent_core.hitl import ActionRequest, Decision

# Made with the first question: before that the engine may still be loading.
MakeDialogue = Callable[[], Awaitable["Dialogue"]]


def dialogue_maker(
    workbench: Workbench,
    keyboard: Lines,
    terminal: "PausableTerminal",
    *,
    output: Output,
    say: Messages,
    previewed: set[str],
) -> MakeDialogue:
    """Prepare the dialogue with the person at a keyboard."""

    async def make() -> "Dialogue":
        services = await workbench.for_questions()
        from dataagent_cli.approval.dialogue import Dialogue

        return Dialogue(keyboard, services, terminal, output=output, say=say, previewed=previewed)

    return make


class Decider:
    """Answers for one person; without a person at a terminal there is no dialogue."""

    def __init__(
        self, rule: ApprovalRule, make_dialogue: MakeDialogue | None, output: Output, say: Messages
    ) -> None:
        self._rule = rule
        self._make_dialogue = make_dialogue
        self._dialogue: Dialogue | None = None
        self._output = output
        self._say = say

    @property
    def can_ask(self) -> bool:
        """Say whether a person is there."""
        return self._make_dialogue is not None

    async def decide(self, request: HITLRequestEvent, task: TaskName | None = None) -> "Decision":
        """Answer a question, or raise `NoOneToAskError`; `task` names the sub-agent that asks."""
        if request.kind == "approval":
            action = cast("ActionRequest", request.action_requests[0])
            return await self._decide_approval(action, task)
        if self._make_dialogue is not None:
            return await (await self._open_dialogue(self._make_dialogue)).answer(request, task)
        return self._without_person(request)

    async def _decide_approval(self, action: "ActionRequest", task: TaskName | None) -> "Decision":
        if self._rule.covers(action):
            return {"type": "approve"}
        if self._make_dialogue is not None:
            return await (await self._open_dialogue(self._make_dialogue)).decide(action, task)
        if self._rule.alone and not action.get("always_asked"):
            from dataagent_cli.transcript.calls.tool_line import action as in_words

            words = in_words(action["name"], action["args"], self._say)
            self._output.note(self._say("demo_approves", action=words), fg="yellow")
            return {"type": "approve"}
        raise NoOneToAskError(self._say("nobody", tool=action["name"]))

    def _without_person(self, request: HITLRequestEvent) -> "Decision":
        """Return the default of an optional question."""
        from dataagent_core.hitl import default_answer

        if request.kind == "doom_loop":
            return {"type": "skip"}
        default = default_answer(request)
        if default is None:
            raise NoOneToAskError(self._say("nobody_answers"))
        return default

    async def _open_dialogue(self, make: MakeDialogue) -> "Dialogue":
        if self._dialogue is None:
            self._dialogue = await make()
        return self._dialogue
