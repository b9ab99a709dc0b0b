"""The inline conversation, put together: face, conversation in this process, shell."""

import os
import signal
import sys
from asyncio import get_running_loop

from dataagent_cli.conversation.factory import make_conversation
from dataagent_cli.conversation.order import TalkOrder
from dataagent_cli.output import exit_codes
from dataagent_cli.repl.commands.registry import COMMANDS
from dataagent_cli.repl.commands.user import add_user_commands
from dataagent_cli.repl.greeting import say_goodbye, welcome
from dataagent_cli.repl.inline_shell import InlineShell
from dataagent_cli.repl.input.completion import ReplCompleter
from dataagent_cli.repl.input.history import FILE_NAME, FileHistory
from dataagent_cli.repl.input.keys import build_keys
from dataagent_cli.repl.screen.application import Face
from dataagent_cli.repl.screen.event_printer import Printing
from dataagent_cli.repl.screen.inline_terminal import InlineTerminal
from dataagent_cli.repl.screen.terminal_guard import guarded_terminal
from dataagent_cli.repl.screen.view import view_of
from dataagent_cli.transcript.terminal.detection import look_of
from dataagent_cli.transcript.terminal.look import Look
from dataagent_cli.wiring import App


async def talk_inline(app: App, order: TalkOrder) -> int:
    """Hold a conversation at an inline prompt."""
    following: TalkOrder | None = order
    with guarded_terminal():
        while following is not None:
            following = await _talk(app, following)
    return exit_codes.DONE


async def _talk(app: App, order: TalkOrder) -> TalkOrder | None:
    """Hold one conversation; returns the order for the next one, if the person wants another."""
    face = Face(FileHistory(app.settings.home / FILE_NAME))
    terminal = InlineTerminal(app, face)
    conversation, workbench = make_conversation(app, order, terminal)
    printing = Printing(face.screen, app.say, _look(face), workbench.read)
    commands = dict(COMMANDS)
    add_user_commands(commands, app, conversation.facts)
    shell = InlineShell(
        app, face, conversation, workbench, order=order, commands=commands, printing=printing
    )
    keys = build_keys(shell, face.draft, face.answer_line.buffer)
    face.build(view_of(shell, face), keys, ReplCompleter(workbench, commands, app.say))
    # Printed, not drawn above: some terminals keep what is erased from their first line on.
    app.output.note(welcome(app, order), dim=True)
    for number in (signal.SIGTERM, signal.SIGHUP):
        get_running_loop().add_signal_handler(number, face.leave)
    try:
        await face.run(shell.begin)
    except EOFError:
        pass  # the terminal is gone
    finally:
        await shell.end()
        await conversation.aclose()
        await workbench.aclose()
    if shell.next_order is None:
        say_goodbye(app, conversation.facts, talked=shell.talked)
    return shell.next_order


def _look(face: Face) -> Look:
    return look_of(
        os.environ,
        is_terminal=True,
        width_cells=face.screen.width_cells,
        height_rows=face.screen.height_rows,
        encoding=sys.stdout.encoding,
    )
