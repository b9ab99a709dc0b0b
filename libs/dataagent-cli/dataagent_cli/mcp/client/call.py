"""`mcp call`: one tool of one server, called by the person.

An elicitation of the server during the call is put to the person at the terminal.
"""

import asyncio
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from dataagent_cli.approval.elicitation import show_elicitation
from dataagent_cli.approval.form import FormDialogue
from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.mcp.client.connection import open_connection
from dataagent_cli.mcp.client.next_step import with_next_step
from dataagent_cli.mcp.client.results import make_result_report
from dataagent_cli.mcp.config.project_question import somebody_is_there
from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.progress import Progress
from dataagent_cli.output.sanitize import one_line, sanitize_text, spell_out
from dataagent_cli.wiring import App
from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import NoOneToAskError, NotFoundError, ValidationError
from dataagent_core.mcp.ports import Elicit, Elicitation, ElicitationResult, OnProgress

if TYPE_CHECKING:
    from mcp_types import Tool

_EXAMPLE = '{"name": "value"}'


async def call_tool(
    app: App,
    workspace: Path,
    name: str,
    tool: str,
    arguments: dict[str, Any],
    *,
    timeout_s: float,
    folder: Path,
    as_json: bool,
) -> int:
    """Call a tool and print its result; files are written into a folder."""
    async with open_connection(app, workspace, name) as connection:
        with with_next_step(app, connection.config):
            _check_tool(app, name, tool, await connection.tools(fresh=True))
            result = await connection.call(
                tool,
                arguments,
                timeout_s=timeout_s,
                on_progress=_make_progress_handler(app),
                elicit=make_elicit(app, name, tool, may_ask=not as_json),
            )
    shown = await asyncio.to_thread(make_result_report, app, result, folder)
    if as_json:
        write_document(shown.document)
    else:
        app.output.answer(sanitize_text(shown.text))
        app.output.end_answer_line()
        for note in shown.notes:
            app.output.note(one_line(note), dim=True)
    if not result.is_error:
        return exit_codes.DONE
    app.output.note(app.say("error", text=app.say("mcp_tool_failed", tool=tool)))
    return exit_codes.FAILED


def read_arguments(app: App, text: str) -> dict[str, Any]:
    """Read the arguments; `-` stands for standard input."""
    if text == "-":
        data = sys.stdin.buffer.read(MCP_MESSAGE_BYTES_MAX + 1)
        text = data.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        problem = str(error) if isinstance(error, ValueError) else app.say("mcp_too_deep")
        raise ValidationError(app.say("mcp_bad_json", problem=problem, example=_EXAMPLE)) from None
    if not isinstance(value, dict):
        raise ValidationError(app.say("mcp_not_object", example=_EXAMPLE))
    return cast("dict[str, Any]", value)


def _check_tool(app: App, name: str, tool: str, tools: "tuple[Tool, ...]") -> None:
    names = [one.name for one in tools]
    if tool not in names:
        from dataagent_core.tools.definition.name_suggestions import suggest_names

        guess = f"{suggest_names(tool, names)} ".lstrip()
        raise NotFoundError(app.say("mcp_no_tool", name=name, tool=tool, guess=guess))


def _make_progress_handler(app: App) -> OnProgress:
    shown = Progress(app.output)

    async def show(progress: float, total: float | None, message: str | None) -> None:
        if math.isfinite(progress) and (total is None or math.isfinite(total)):
            shown.show(progress, total, message)

    return show


def make_elicit(app: App, name: str, tool: str, *, may_ask: bool) -> Elicit | None:
    """Return the handler that asks the person; None if nobody can be asked."""
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
            app.output.note(app.say("warning", text=spell_out(str(error))), fg="yellow")
            return ElicitationResult("cancel")
        text = f"{question.message}\n{question.url}".strip()
        show_elicitation(name, text, app.output, app.say)
        keyboard.forget_what_was_typed()
        try:
            if question.url:
                typed = await ask(app.say("mcp_visited"))
                return ElicitationResult("accept" if typed == "y" else "decline")
            form = FormDialogue(ask, app.output, app.say)
            return ElicitationResult("accept", await form.fill(question.schema))
        except NoOneToAskError:
            # Ctrl-D tells the server no.
            return ElicitationResult("decline")

    return elicit
