"""Composes the inline conversation: application, conversation and shell."""

import os
import signal
import sys
from asyncio import get_running_loop

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.factory import make_conversation
from dataagent_cli.output import exit_codes
from dataagent_cli.repl.commands.registry import COMMANDS
from dataagent_cli.repl.commands.user_commands import add_user_commands
from dataagent_cli.repl.inline_shell import InlineShell
from dataagent_cli.repl.input.completion import ReplCompleter
from dataagent_cli.repl.input.history import FILE_NAME, FileHistory
from dataagent_cli.repl.input.keys import build_keys
from dataagent_cli.repl.screen.application import PromptApplication
from dataagent_cli.repl.screen.event_printer import EventPrinter
from dataagent_cli.repl.screen.inline_terminal import InlineTerminal
from dataagent_cli.repl.screen.terminal_guard import guarded_terminal
from dataagent_cli.repl.screen.view import view_of
from dataagent_cli.repl.welcome import say_goodbye, welcome
from dataagent_cli.transcript.terminal.detection import detect_style
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_cli.wiring import App


async def run_inline(app: App, request: ConversationRequest) -> int:
    """Hold a conversation at an inline prompt."""
    following: ConversationRequest | None = request
    with guarded_terminal():
        while following is not None:
            following = await _run_conversation(app, following)
    return exit_codes.DONE


async def _run_conversation(app: App, request: ConversationRequest) -> ConversationRequest | None:
    """Hold one conversation; return the request for the next one, if there is one."""
    application = PromptApplication(FileHistory(app.settings.home / FILE_NAME))
    terminal = InlineTerminal(app, application)
    conversation, workbench = make_conversation(app, request, terminal)
    printing = EventPrinter(
        application.screen,
        app.say,
        _detect_style(application),
        workbench.read,
        on_server=conversation.facts.server is not None,
    )
    commands = dict(COMMANDS)
    add_user_commands(commands, app, conversation.facts)
    shell = InlineShell(
        app,
        application,
        conversation,
        workbench,
        request=request,
        commands=commands,
        printing=printing,
    )
    keys = build_keys(shell, application.draft, application.answer_line.buffer)
    application.build(
        view_of(shell, application), keys, ReplCompleter(workbench, commands, app.say)
    )
    # Printed before the prompt is drawn: some terminals keep what is erased from their first line
    # on.
    app.output.note(welcome(app, request), dim=True)
    for number in (signal.SIGTERM, signal.SIGHUP):
        get_running_loop().add_signal_handler(number, application.leave)
    try:
        await application.run(shell.begin)
    except EOFError:
        pass  # the terminal is gone
    finally:
        await shell.end()
        await conversation.aclose()
        await workbench.aclose()
    if shell.next_request is None:
        say_goodbye(app, conversation.facts, has_messages=shell.has_messages)
    return shell.next_request


def _detect_style(application: PromptApplication) -> TerminalStyle:
    return detect_style(
        os.environ,
        is_terminal=True,
        width_cells=application.screen.width_cells,
        height_rows=application.screen.height_rows,
        encoding=sys.stdout.encoding,
    )
