"""`sessions import`: makes a session of this person from a bundle."""

import asyncio
from pathlib import Path

from dataagent_cli.output.json_document import write_document
from dataagent_cli.sessions.export import say_left_out
from dataagent_cli.sessions.histories import histories_of
from dataagent_cli.wiring import App, local_user, new_session_id, open_stores, session_lock
from dataagent_core.session.bundle_file import (
    ExtractedFiles,
    checked_target,
    extract_workspace,
    open_archive,
    read_bundle,
)
from dataagent_core.session.copies.import_bundle import import_bundle
from dataagent_core.session.titles import title_of


async def import_session(
    app: App, file: Path, workspace: Path | None, new_id: str | None, as_json: bool
) -> None:
    """Read a bundle, unpack its files into a new directory, and make a session."""
    chosen = new_id or new_session_id()
    if workspace is not None:
        checked_target(workspace)
    extracted = ExtractedFiles(files=0, left_out=[])
    with open_archive(file) as archive:
        bundle = await asyncio.to_thread(read_bundle, archive)
        async with open_stores(app.settings) as stores:
            with session_lock(app.settings, chosen):
                # Checked before the files are written: an invalid bundle leaves none.
                histories = histories_of(stores)
                histories.unpack(bundle.history)
                if workspace is not None:
                    extracted = await asyncio.to_thread(extract_workspace, archive, workspace)
                session = await import_bundle(
                    stores,
                    histories,
                    bundle,
                    user_id=local_user(),
                    assistant_id=app.settings.assistant_id,
                    session_id=chosen,
                )
        files = len(archive.files)
    if as_json:
        left_out = extracted.left_out
        write_document({"session_id": chosen, "files": extracted.files, "left_out": left_out})
        return
    app.output.note(app.say("imported", session=chosen, title=title_of(session) or ""))
    if workspace is not None:
        app.output.note(app.say("imported_files", files=extracted.files, path=workspace))
    elif files:
        app.output.note(app.say("files_not_taken", files=files))
    say_left_out(app, extracted.left_out)
