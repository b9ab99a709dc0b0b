"""`sessions rewind` and `sessions changes`: the files of a session's workspace."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.conversation.stored_session import WORKSPACE_KEY
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.sessions.fork import message_id_of
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.transcript.calls.diff import diff_lines
from dataagent_cli.wiring import App, open_stores, session_lock
from dataagent_core.config.limits import MESSAGES_READ_MAX
from dataagent_core.errors import NotFoundError
from dataagent_core.language.unicode_text import storable
from dataagent_core.tools.workspace_history import (
    ChangeReport,
    FileChange,
    KeptFile,
    RewindResult,
    WorkspaceHistory,
)

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores


@dataclass(frozen=True, slots=True)
class RewindTarget:
    """A session, one of its messages, and its workspace if that is not stored."""

    session_id: str
    message: str | None = None
    workspace: Path | None = None


async def rewind_session(app: App, which: RewindTarget, as_json: bool) -> None:
    """Take files back, in a session that no process is running."""
    async with open_stores(app.settings) as stores:
        await existing_session(app, stores, which.session_id)
        with session_lock(app.settings, which.session_id):
            history = await _history(app, stores, which)
            message_id = await message_id_of(app, stores, which.session_id, which.message)
            if message_id is None:
                done = await history.undo(which.session_id)
            else:
                done = await history.rewind(which.session_id, message_id)
    if as_json:
        write_document(storable(rewound_document(done)))
    else:
        print_rewound(app, done)


async def show_changes(app: App, which: RewindTarget, as_json: bool) -> None:
    """Print what the agent changed."""
    async with open_stores(app.settings) as stores:
        await existing_session(app, stores, which.session_id)
        history = await _history(app, stores, which)
        since = await message_id_of(app, stores, which.session_id, which.message)
        changed = await history.changes(which.session_id, since)
    if as_json:
        files = [asdict(change) for change in changed.files]
        write_document(storable({"files": files, "notices": list(changed.notices)}))
        return
    print_changes(app, changed)


def print_changes(app: App, changed: ChangeReport) -> None:
    """Print the agent's changes, each with its diff."""
    for change in changed.files:
        _print_change(app, change)
    for notice in changed.notices:
        app.output.note(app.say.translate(sanitize_text(notice)), dim=True)
    if not changed.files:
        app.output.note(app.say("no_changes"))


def rewound_document(done: RewindResult) -> dict[str, object]:
    """Return the result of a rewind as JSON."""
    return {
        "message_id": done.message_id,
        "restored": list(done.restored),
        "removed": list(done.removed),
        "kept": [asdict(kept) for kept in done.kept],
        "notices": list(done.notices),
    }


async def _history(app: App, stores: "Stores", which: RewindTarget) -> WorkspaceHistory:
    workspace = which.workspace or await _workspace(stores, which.session_id)
    if workspace is None:
        raise NotFoundError(app.say("rewind_no_workspace"))
    return WorkspaceHistory.of_person(app.settings.home, workspace, stores.log)


async def _workspace(stores: "Stores", session_id: str) -> Path | None:
    """Return the workspace of the last message that has one."""
    messages = await stores.messages.get_messages(session_id, limit=MESSAGES_READ_MAX)
    named = [message.metadata.get(WORKSPACE_KEY) for message in messages]
    return next((Path(one) for one in reversed(named) if isinstance(one, str)), None)


def print_rewound(app: App, done: RewindResult) -> None:
    """Print what was taken back, and what was not, with the reason."""
    for path in done.restored:
        app.output.line(app.say("rewound.restored", path=one_line(path)))
    for path in done.removed:
        app.output.line(app.say("rewound.removed", path=one_line(path)))
    for kept in done.kept:
        why = _why(app, kept)
        app.output.line(app.say("rewound.kept", path=one_line(kept.path), why=why), fg="yellow")
    for notice in done.notices:
        app.output.note(app.say.translate(sanitize_text(notice)), dim=True)
    counts = {"restored": len(done.restored), "removed": len(done.removed), "kept": len(done.kept)}
    app.output.note(app.say("rewound", **counts))


def _print_change(app: App, change: FileChange) -> None:
    if change.operation == "more":
        app.output.line(app.say("changed.more", count=sum(change.metrics.values())))
        return
    app.output.line(app.say(f"changed.{change.operation}", path=one_line(change.path)), bold=True)
    if change.why is not None:
        app.output.line(app.say("cannot_go_back", why=app.say(f"why.{change.why}")), fg="yellow")
    for line in diff_lines(change.diff) if change.diff else ():
        app.output.line(sanitize_text(line.text), fg=line.colour)


def _why(app: App, kept: KeptFile) -> str:
    words = app.say(f"why.{kept.why}")
    return f"{words}: {app.say.translate(one_line(kept.detail))}" if kept.detail else words
