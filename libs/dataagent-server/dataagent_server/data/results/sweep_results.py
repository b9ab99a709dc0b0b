"""Removes expired results with their space, and unfinished drafts."""

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from dataagent_server.data.results import result_rows
from dataagent_server.data.results.result_folder import result_file
from dataagent_server.db.database import Database

SWEPT_AT_ONCE_MAX: Final = 1_000
# No query runs for this long.
DRAFT_S_MAX: Final = 86_400.0


async def sweep_results(database: Database, home: Path) -> int:
    """Sweep once; return how many results were removed."""
    gone = 0
    for whose, result_id in await database.read(
        lambda c: result_rows.list_expired_results(c, SWEPT_AT_ONCE_MAX)
    ):
        gone += await database.write(lambda c, w=whose, r=result_id: result_rows.remove(c, w, r))
        file = result_file(home, whose.tenant_id, whose.user_id, result_id)
        await asyncio.to_thread(file.unlink, missing_ok=True)
    await asyncio.to_thread(_drop_drafts, home)
    return gone


def _drop_drafts(home: Path) -> None:
    oldest = time.time() - DRAFT_S_MAX
    for draft in home.glob("people/*/results/drafts/r_*"):
        with suppress(FileNotFoundError):  # finished meanwhile
            if draft.stat().st_mtime < oldest:
                draft.unlink()
