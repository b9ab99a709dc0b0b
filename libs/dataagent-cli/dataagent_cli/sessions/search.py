"""`sessions search`: the sessions that contain every word, the last used first."""

import shlex

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.output.text_width import cut
from dataagent_cli.wiring import App, local_user, open_stores
from dataagent_core.session.search.session_search import SessionMatch, search_sessions

_TITLE_CELLS = 30


async def find_sessions(
    app: App, query: str, *, limit: int, after: str | None, as_json: bool
) -> None:
    """Print a page of results."""
    async with open_stores(app.settings) as stores:
        page = await search_sessions(
            stores.sessions, stores.messages, local_user(), query, limit=limit, after=after
        )
    if as_json:
        write_document({"items": [one.to_dict() for one in page.items], "next": page.next})
        return
    if page.items:
        columns = ("col.session", "col.last", "search_col.title", "search_col.found")
        print_table(app.output, [app.say(key) for key in columns], [_row(o) for o in page.items])
    elif page.next is None:
        app.output.note(app.say("no_session_found"))
    if page.next is not None:
        app.output.note(app.say("search_more", query=shlex.quote(query), after=page.next))


def _row(found: SessionMatch) -> list[str]:
    return [
        found.session.session_id,
        found.session.last_active.astimezone().strftime("%Y-%m-%d %H:%M"),
        cut(found.title or "", _TITLE_CELLS),
        found.passage.snippet if found.passage else "",
    ]
