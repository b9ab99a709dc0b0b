"""`sessions export`: a session as a document, or as a bundle to import elsewhere."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.conversation.record import Format
from dataagent_cli.conversation.stored_session import last_model_and_workspace
from dataagent_cli.output.file_target import check_file_place
from dataagent_cli.output.json_document import write_document
from dataagent_cli.sessions.formats import format_of_file
from dataagent_cli.sessions.histories import histories_of
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.wiring import App, open_stores
from dataagent_core.errors import DirectoryError, NotFoundError
from dataagent_core.session.copies.bundle_session import bundle_session
from dataagent_core.session.export import (
    ExportedSession,
    html_page,
    json_document,
    markdown_document,
)
from dataagent_core.session.export.read_session import read_session_for_export

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores

_NAMES_SHOWN_MAX = 10


async def export_document(
    app: App, session_id: str, kind: Format | None, output: Path | None
) -> None:
    """Write a session as a document, to a file or to standard output."""
    if output is not None:
        check_file_place(output, app.say)
        kind = kind or format_of_file(output, app.say)
    async with open_stores(app.settings) as stores:
        session = await existing_session(app, stores, session_id)
        exported = await read_session_for_export(stores.messages, stores.log, session)
    text = document(exported, kind or "md")
    if output is None:
        app.output.answer(text if text.endswith("\n") else text + "\n")
        return
    await asyncio.to_thread(_write, output, text)
    app.output.note(app.say("session_exported", path=output))


async def export_bundle(
    app: App, session_id: str, file: Path, *, with_workspace: bool, as_json: bool
) -> None:
    """Write a session, and on request its workspace, into one file."""
    check_file_place(file, app.say)
    async with open_stores(app.settings) as stores:
        session = await existing_session(app, stores, session_id)
        workspace = await _workspace(app, stores, session_id) if with_workspace else None
        collected = await bundle_session(
            stores, histories_of(stores), session, file, workspace=workspace
        )
    if as_json:
        left_out = collected.left_out
        write_document({"file": str(file), "files": len(collected.files), "left_out": left_out})
        return
    app.output.note(app.say("bundled", path=file, files=len(collected.files)))
    say_left_out(app, collected.left_out)


def say_left_out(app: App, names: list[str]) -> None:
    """Name some of the files that were left out."""
    if names:
        shown = ", ".join(ascii(name)[1:-1] for name in names[:_NAMES_SHOWN_MAX])
        more = " …" if len(names) > _NAMES_SHOWN_MAX else ""
        app.output.note(app.say("left_out", count=len(names), names=shown + more), fg="yellow")


def _write(output: Path, text: str) -> None:
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DirectoryError(f"{str(output)!r} cannot be written: {error.strerror}.") from error


def document(exported: ExportedSession, kind: Format) -> str:
    """Write a session in one of the formats."""
    match kind:
        case "md":
            return markdown_document(exported)
        case "html":
            return html_page(exported)
        case "json":
            return json_document(exported)


async def _workspace(app: App, stores: "Stores", session_id: str) -> Path:
    _, workspace = await last_model_and_workspace(stores, session_id)
    if workspace is None or not workspace.is_dir():
        raise NotFoundError(app.say("no_workspace_known"))
    return workspace
