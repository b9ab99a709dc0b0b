"""Names with `@` that nothing has, so that a person hears of it before the agent does.

The same lookup as when the message is sent (`attachments.py`); no server is asked, nothing is read.
"""

import asyncio

from dataagent_core.config.limits import ATTACHMENTS_MAX
from dataagent_core.engine.attachments import Attachments
from dataagent_core.errors import DataAgentError
from dataagent_core.session.mentions import sure_mentions_of


async def missing_mentions(text: str, attachments: Attachments) -> list[str]:
    """List what a message names that is no file, folder, data source or server's resource."""
    if attachments.elsewhere:
        return []
    try:
        return [
            spellings[-1]
            for spellings in sure_mentions_of(text)[:ATTACHMENTS_MAX]
            if not await _is_there(spellings, attachments)
        ]
    except DataAgentError:
        return []  # a broken list of sources is told where sources are used


async def _is_there(spellings: tuple[str, ...], attachments: Attachments) -> bool:
    # Whether a server has what is named, it says when it is asked.
    if spellings[-1].partition(":")[0] in attachments.servers.names:
        return True
    if await asyncio.to_thread(attachments.located, spellings) is not None:
        return True
    sources = attachments.sources
    return sources is not None and any([await sources.has(name) for name in spellings])
