"""The first line of a conversation, and the last."""

from importlib.metadata import version
from pathlib import Path

from dataagent_cli.conversation.order import TalkOrder
from dataagent_cli.conversation.port import Facts
from dataagent_cli.harmless import one_line
from dataagent_cli.wiring import App


def welcome(app: App, order: TalkOrder) -> str:
    """Say what this is and where it works."""
    if order.server is not None:
        return app.say("repl_welcome", version=version("dataagent-cli"), path=order.server.url)
    workspace = order.workspace
    home = Path.home()
    near = workspace.is_relative_to(home) and workspace != home
    path = f"~/{workspace.relative_to(home)}" if near else str(workspace)
    return app.say("repl_welcome", version=version("dataagent-cli"), path=one_line(path))


def say_goodbye(app: App, facts: Facts, *, talked: bool) -> None:
    """Say how to come back to a session that has something in it."""
    if not talked:
        return
    if facts.server is None:
        text = app.say("repl_left", session=facts.session_id)
    else:
        text = app.say("remote_left", session=facts.session_id, url=facts.server)
    app.output.note(text, dim=True)
