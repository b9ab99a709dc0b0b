"""A session into a bundle: its finished part, with what the model knows of it."""

import asyncio
from dataclasses import replace
from pathlib import Path

from dataagent_core.session.bundle_file.workspace import Collected
from dataagent_core.session.bundle_file.writing import write_bundle
from dataagent_core.session.exporting import read_exported, without_secrets
from dataagent_core.session.forking import read_part
from dataagent_core.session.histories import Histories, extent_of
from dataagent_core.session.state import Session
from dataagent_core.session.stores.bundle import Stores


async def bundle_session(
    stores: Stores,
    histories: Histories,
    session: Session,
    place: Path,
    *,
    title: str | None = None,
    workspace: Path | None = None,
) -> Collected:
    """Write a session to a file; a run that is not finished stays behind, as with a fork."""
    part = await read_part(stores.messages, stores.log, session.session_id, None)
    history = histories.pack(await histories.read(extent_of(part)))
    whole = await read_exported(stores.messages, stores.log, session, title)
    events = [without_secrets(event) for event in part.events]
    exported = replace(whole, messages=part.messages, events=events)
    return await asyncio.to_thread(write_bundle, place, exported, history, workspace)
