"""The last words about a run: what it waits for, and how to go on with it."""

from dataagent_cli.approval.desk import QUESTION, ApprovalDesk, is_plan
from dataagent_cli.display.tool_line import action as in_words
from dataagent_cli.harmless import cleaned
from dataagent_cli.run.order import RunOrder
from dataagent_cli.run.outcome import Outcome
from dataagent_cli.wiring import App
from dataagent_core.hitl import ActionRequest


def say_how_to_go_on(
    app: App, order: RunOrder, session: str, outcome: Outcome, desk: ApprovalDesk
) -> None:
    """Say it; `session` is what is typed after `--session` or `--resume`."""
    if outcome.reason is None and desk.left_waiting is not None:
        action = desk.left_waiting
        if is_plan(action) and not order.as_json:
            app.output.line(cleaned(action["args"]["question"]))
        words = in_words(action["name"], action["args"], app.say)
        text = app.say(_waits(action), action=words, session=session, tool=action["name"])
        app.output.note(text, fg="yellow")
    elif outcome.reason is None:
        app.output.note(app.say("unfinished", session=session), fg="yellow")
    elif order.session_is_new and not order.as_json:
        app.output.note(app.say("continue", session=session), dim=True)


def _waits(action: ActionRequest) -> str:
    if is_plan(action):
        return "waits_with_a_plan"
    if action["name"] == QUESTION:
        return "waits_for_an_answer"
    return "waits_for_a_person" if action.get("always_asked") else "waits"
