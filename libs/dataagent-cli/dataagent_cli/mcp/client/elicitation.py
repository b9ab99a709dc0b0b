"""What a server asks in the middle of `mcp call`, put to the person at the terminal."""

import sys

from dataagent_cli.approval.elicitation import show_elicitation
from dataagent_cli.approval.form import FormDialogue
from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.mcp.config.project_question import somebody_is_there
from dataagent_cli.output.sanitize import spelled_out
from dataagent_cli.wiring import App
from dataagent_core.errors import NoOneToAskError, ValidationError
from dataagent_core.mcp.ports import Elicit, Elicitation, ElicitationResult


def elicit_here(app: App, name: str, tool: str, *, may_ask: bool) -> Elicit | None:
    """Give the way to the person; None where nobody can be asked."""
    if not may_ask or not somebody_is_there(app):
        return None
    keyboard = Keyboard(sys.stdin.fileno())

    async def ask(prompt: str) -> str:
        app.output.prompt(prompt)
        typed = await keyboard.line()
        if typed is None:
            app.output.note()
            raise NoOneToAskError(app.say("nobody_answers"))
        return typed.strip()

    async def elicit(elicitation: Elicitation) -> ElicitationResult:
        from dataagent_core.mcp.tools.elicitation_request import question_from

        try:
            question = question_from(elicitation, name, tool)
        except ValidationError as error:
            app.output.note(app.say("warning", text=spelled_out(str(error))), fg="yellow")
            return ElicitationResult("cancel")
        asked = f"{question.message}\n{question.url}".strip()
        show_elicitation(name, asked, app.output, app.say)
        keyboard.forget_what_was_typed()
        try:
            if question.url:
                typed = await ask(app.say("mcp_visited"))
                return ElicitationResult("accept" if typed == "y" else "decline")
            form = FormDialogue(ask, app.output, app.say)
            return ElicitationResult("accept", await form.filled(question.schema))
        except NoOneToAskError:
            # Ctrl-D tells the server no.
            return ElicitationResult("decline")

    return elicit
