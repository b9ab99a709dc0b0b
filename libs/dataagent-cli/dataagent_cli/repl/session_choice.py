"""`--resume` without a session: lists the person's sessions to choose from."""

import sys
from collections.abc import Sequence
from contextlib import aclosing

from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.conversation.record import SessionRow
from dataagent_cli.remote.address import RemoteServer
from dataagent_cli.wiring import App, open_stores
from dataagent_core.errors import NotFoundError


async def choose_session(app: App, server: RemoteServer | None, *, plain: bool) -> str | None:
    """Let the person choose; None if they leave."""
    rows = await _rows(app, server)
    if not rows:
        raise NotFoundError(app.say("repl_no_sessions"))
    shown = [row for _, row in rows]
    if plain:
        number = await pick_by_number(app, shown)
    else:
        from dataagent_cli.repl.screen.list_picker import pick

        number = await pick(app.say("repl_pick_session"), shown, app.say("repl_pick_how"))
    return None if number is None else rows[number][0]


async def _rows(app: App, server: RemoteServer | None) -> list[tuple[str, str]]:
    from dataagent_cli.repl.session_line import session_line

    rows = await (_list_local(app) if server is None else _list_remote(app, server))
    return [(row.session_id, session_line(row, app.say)) for row in rows]


async def _list_local(app: App) -> Sequence[SessionRow]:
    from dataagent_cli.sessions.recent import recent_sessions

    async with open_stores(app.settings) as stores:
        return await recent_sessions(app.settings, stores)


async def _list_remote(app: App, server: RemoteServer) -> Sequence[SessionRow]:
    from dataagent_cli.remote.client import ServerClient
    from dataagent_cli.remote.sessions import session_rows

    async with aclosing(ServerClient(server, app.say)) as link:
        return await session_rows(link)


async def pick_by_number(app: App, rows: Sequence[str]) -> int | None:
    """Let the person choose a row by its number, on a dumb terminal."""
    for number, row in enumerate(rows, 1):
        app.output.note(f"[{number}] {row}")
    keyboard = Keyboard(sys.stdin.fileno())
    while True:
        app.output.prompt(app.say("choice"))
        typed = await keyboard.line()
        if typed is None or not typed.strip():
            return None
        if typed.strip().isdecimal() and 1 <= int(typed) <= len(rows):
            return int(typed) - 1
