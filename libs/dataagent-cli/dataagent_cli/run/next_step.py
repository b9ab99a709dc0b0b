"""The last words about a run: what it waits for, and how to go on with it."""

from typing import TYPE_CHECKING, cast

from dataagent_cli.approval.agent_question import PLAN
from dataagent_cli.approval.budget_words import budget_words
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.run.outcome import RunOutcome
from dataagent_cli.run.run_request import RunRequest
from dataagent_cli.transcript.calls.tool_line import action as in_words
from dataagent_cli.wiring import App

if TYPE_CHECKING:
    from dataagent_core.events import HITLRequestEvent
    from dataagent_core.hitl import ActionRequest

# Names what a run waits for that is no call.
_QUESTION = "question"


def say_how_to_go_on(
    app: App,
    order: RunRequest,
    session: str,
    outcome: RunOutcome,
    waiting: "HITLRequestEvent | None",
) -> None:
    """Say it; `session` is what is typed after `--session` or `--resume`."""
    if outcome.reason is None and waiting is not None:
        if waiting.question_type == PLAN and not order.as_json:
            app.output.line(sanitize_text(waiting.question or ""))
        app.output.note(_waits(waiting, session, app.say), fg="yellow")
    elif outcome.reason is None:
        app.output.note(app.say("unfinished", session=session), fg="yellow")
    elif order.session_is_new and not order.as_json:
        app.output.note(app.say("continue", session=session), dim=True)


def _waits(request: "HITLRequestEvent", session: str, say: Messages) -> str:
    if request.kind == "approval":
        action = cast("ActionRequest", request.action_requests[0])
        key = "waits_for_a_person" if action.get("always_asked") else "waits"
        words = in_words(action["name"], action["args"], say)
        return say(key, action=words, session=session, tool=action["name"])
    question = request.question or ""
    if request.kind == "budget":
        question = budget_words(request, say)[-1]
    asked = {"question": question, "question_type": request.question_type}
    key = "waits_with_a_plan" if request.question_type == PLAN else "waits_for_an_answer"
    return say(key, action=in_words(_QUESTION, asked, say), session=session, tool=_QUESTION)
