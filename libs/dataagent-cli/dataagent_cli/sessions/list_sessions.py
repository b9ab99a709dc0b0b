"""`sessions list`."""

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.output.text_width import cut
from dataagent_cli.sessions.overview import Overview, overview_of
from dataagent_cli.wiring import App, local_user, open_stores

# A pipe has no width; the beginning identifies the session, `--json` has all of it.
_MESSAGE_CELLS = 60


async def list_sessions(app: App, as_json: bool) -> None:
    """Print the person's sessions, the last used first."""
    async with open_stores(app.settings) as stores:
        overviews = [
            await overview_of(app.settings, stores, session)
            for session in await stores.sessions.list_by_user(local_user())
        ]
    if as_json:
        write_document([overview.to_dict() for overview in overviews])
    elif not overviews:
        app.output.note(app.say("no_sessions"))
    else:
        heads = [app.say(f"col.{name}") for name in ("session", "last", "runs", "state", "message")]
        print_table(app.output, heads, [_row(app, overview) for overview in overviews])


def _row(app: App, overview: Overview) -> list[str]:
    active = overview.session.last_active.astimezone()
    return [
        overview.session.session_id,
        active.strftime("%Y-%m-%d %H:%M"),
        str(overview.runs),
        app.say(f"state.{overview.state}"),
        cut(overview.last_message, _MESSAGE_CELLS),
    ]
