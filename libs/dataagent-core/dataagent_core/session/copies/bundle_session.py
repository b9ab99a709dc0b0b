"""Writes a session to a bundle: its finished runs and the model's history."""

import asyncio
from dataclasses import replace
from pathlib import Path

from dataagent_core.session.bundle_file.bundle_writer import write_bundle
from dataagent_core.session.bundle_file.workspace import CollectedFiles
from dataagent_core.session.copies.fork import read_part
from dataagent_core.session.copies.histories import Histories, extent_of
from dataagent_core.session.export.read_session import read_session_for_export, without_secrets
from dataagent_core.session.state import Session
from dataagent_core.session.stores.bundle import Stores


async def bundle_session(
    stores: Stores,
    histories: Histories,
    session: Session,
    path: Path,
    *,
    title: str | None = None,
    workspace: Path | None = None,
) -> CollectedFiles:
    """Write a session to a file; like a fork, it ends before an unfinished run."""
    part = await read_part(stores.messages, stores.log, session.session_id, None)
    history = histories.pack(await histories.read(extent_of(part)))
    whole = await read_session_for_export(stores.messages, stores.log, session, title)
    events = [without_secrets(event) for event in part.events]
    exported = replace(whole, messages=part.messages, events=events)
    return await asyncio.to_thread(write_bundle, path, exported, history, workspace)
