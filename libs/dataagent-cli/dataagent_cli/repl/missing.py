"""Names with `@` that nothing here has, so that the person hears of it before the agent does."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from dataagent_cli.conversation.workbench import Workbench
from dataagent_core.errors import DataAgentError
from dataagent_core.session.mentions import mentions_of


async def missing_names(text: str, workbench: Workbench) -> list[str]:
    """List what a message names that is no file, folder, data source or server's resource."""
    mentions = [one for one in mentions_of(text) if _is_name(one[0], text)]
    if not mentions:
        return []
    try:
        known = {*await workbench.source_names(), *await workbench.file_names()}
        servers = set(await workbench.server_names())
    except DataAgentError:
        return []  # a broken list of sources is told where sources are used
    here = workbench.here
    # Whether a server has what is named, it says when it is asked.
    mentions = [one for one in mentions if one[-1].partition(":")[0] not in servers]
    return await asyncio.to_thread(_missing, mentions, known, here)


def _is_name(name: str, text: str) -> bool:
    """Say whether a file is meant: in pasted code and mail an `@` before a word is no name."""
    return "/" in name or "." in name.strip(".") or "\n" not in text.strip()


def _missing(mentions: Iterable[tuple[str, ...]], known: set[str], here: Path) -> list[str]:
    return [
        spellings[-1]
        for spellings in mentions
        if not any(name in known or _exists(here, name) for name in spellings)
        and not any(k.startswith(f"{name.strip('/')}/") for name in spellings for k in known)
    ]


def _exists(here: Path, name: str) -> bool:
    try:
        return (here / name).exists()
    except (OSError, ValueError):
        return False
