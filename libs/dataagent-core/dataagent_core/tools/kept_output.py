"""Bounds what a tool's result costs the conversation, and keeps the whole of it for later.

Tools of ours bound themselves with better knowledge of what they return; this catches the rest.
"""

import asyncio
import hashlib
from pathlib import Path

from langchain_core.messages import ToolMessage

from dataagent_core.config.limits import OUTPUT_BYTES_MAX
from dataagent_core.tools.bounds import truncate_by_bytes


class OutputKeeper:
    """Cuts long results; `folder` is shown to the agent under `shown_as`."""

    def __init__(self, folder: Path, shown_as: str) -> None:
        self._folder = folder
        self._shown_as = shown_as

    def __call__(self, message: ToolMessage, key: str) -> None:
        """Cut the message's text if it is too long, saying where the rest is."""
        text = message.text
        cut = truncate_by_bytes(text, OUTPUT_BYTES_MAX)
        if not cut.bytes_left_out:
            return
        where = self.keep(text, key)
        message.content = (
            f"{cut.text}\n(Output truncated at {OUTPUT_BYTES_MAX} bytes; {cut.bytes_left_out} more "
            f"are in {where}: read_file shows them, with 'offset'.)"
        )

    async def keep_text(self, text: str) -> str:
        """Keep an output that a tool found too long to show, off the event loop."""
        return await asyncio.to_thread(self.keep, text, text)

    def keep(self, text: str, key: str) -> str:
        """Keep a whole output and name the file as the agent sees it."""
        name = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32] + ".txt"
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / name).write_text(text, encoding="utf-8", errors="replace")
        return f"{self._shown_as}{name}"
