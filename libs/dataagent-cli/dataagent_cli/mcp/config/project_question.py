"""The question before a project's server is used for the first time."""

import json
import sys

from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.mcp.config.gather import ServerEntry
from dataagent_cli.mcp.config.project_answers import Answer
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.wiring import App
from dataagent_core.mcp.configuration.config_file import as_entry
from dataagent_core.mcp.configuration.variables import variables_of

_ANSWERS: dict[str, Answer] = {"y": "allowed", "n": "refused"}


def somebody_is_there(app: App) -> bool:
    """Say whether a person can see a question and answer it."""
    return sys.stdin.isatty() and app.output.err_is_terminal


async def ask(app: App, entry: ServerEntry) -> Answer | None:
    """Show the entry as the project has it, and read yes or no; Ctrl-D is neither."""
    from dataagent_cli.approval.form import write_behind_bar
    from dataagent_cli.approval.question_box import write_end, write_heading

    output, server = app.output, entry.server
    output.note()
    head = "mcp_asks_start" if server.transport == "stdio" else "mcp_asks_reach"
    write_heading(app.say(head, name=server.name), output)
    lines = json.dumps(as_entry(server), indent=2, ensure_ascii=False).splitlines()
    if names := variables_of(server):
        lines.append(app.say("mcp_asks_variables", names=", ".join(names)))
    write_behind_bar(lines, output)
    write_end([app.say("mcp_asks_from", path=spell_out(str(entry.file)))], output)
    keyboard = Keyboard(sys.stdin.fileno())
    keyboard.forget_what_was_typed()
    while True:
        output.prompt(app.say("mcp_asks_choice"))
        typed = await keyboard.line()
        if typed is None:
            output.note()
            return None
        if answer := _ANSWERS.get(typed.strip().lower()):
            return answer
