"""The two sides of a run that a person meets: what shows its events, and what asks them."""

import sys

from dataagent_cli.approval.dialogue import Dialogue
from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.conversation.workbench import ForQuestions
from dataagent_cli.display.human import Human
from dataagent_cli.display.json_lines import JsonLines
from dataagent_cli.display.plots import Read
from dataagent_cli.display.protocol import Display
from dataagent_cli.run.ctrl_c import CtrlC
from dataagent_cli.run.order import RunOrder
from dataagent_cli.wiring import App


def dialogue_for(app: App, order: RunOrder, ctrl_c: CtrlC, using: ForQuestions) -> Dialogue | None:
    """Return the way to a person who can see the question and answer it, if there is one."""
    if order.as_json or not (sys.stdin.isatty() and app.output.err_is_terminal):
        return None
    return Dialogue(
        Keyboard(sys.stdin.fileno()),
        using.files,
        using.project,
        ctrl_c,
        using.sign_in,
        output=app.output,
        say=app.say,
    )


def display_for(app: App, order: RunOrder, dialogue: Dialogue | None, read: Read) -> Display:
    """Return what shows events: to programs, or to people."""
    if order.as_json:
        return JsonLines()
    previewed = dialogue.previewed if dialogue else set[str]()
    return Human(app.output, app.say, previewed, read, answer_at_the_end=order.answer_is_document)
