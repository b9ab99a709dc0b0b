"""Bounds what a tool's result costs the conversation, and keeps the whole of it for later.

Tools of ours bound themselves with better knowledge of what they return; this catches the rest.
What is kept is bounded in turn: it goes after a time, and the oldest when it is too much.
"""

import asyncio
import contextlib
import hashlib
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from langchain_core.messages import ToolMessage

from dataagent_core.config.limits import (
    KEPT_OUTPUT_DAYS_MAX,
    KEPT_OUTPUTS_BYTES_MAX,
    OUTPUT_BYTES_MAX,
)
from dataagent_core.tools.output.output_bounds import truncate_by_bytes

_DAY_S: Final = 86_400
_NAME: Final = re.compile(r"/([0-9a-f]{32}\.txt)\b")


@dataclass(frozen=True, slots=True)
class OutputKeeper:
    """Cuts long results; `folder` is shown to the agent under `shown_as`."""

    folder: Path
    shown_as: str

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
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8", errors="replace")
        remove_old_outputs(self.folder)
        return f"{self.shown_as}{name}"


def parse_kept_name(result: str) -> str | None:
    """Return the name of the file that a bounded result says the whole of it is in."""
    found = _NAME.findall(result)
    return found[-1] if found else None


def remove_old_outputs(folder: Path) -> None:
    """Remove outputs that are too old, then the oldest while there is too much; the newest stays.

    Blocks: call it off the loop.
    """
    oldest_s = time.time() - KEPT_OUTPUT_DAYS_MAX * _DAY_S
    left_bytes = KEPT_OUTPUTS_BYTES_MAX
    for number, (written_s, size_bytes, path) in enumerate(_list_newest_first(folder)):
        left_bytes -= size_bytes
        if written_s < oldest_s or (left_bytes < 0 and number):
            # Another process may clean up the same folder.
            with contextlib.suppress(FileNotFoundError):
                path.unlink()


def _list_newest_first(folder: Path) -> list[tuple[float, int, Path]]:
    found: list[tuple[float, int, Path]] = []
    with contextlib.suppress(FileNotFoundError):
        for path in folder.iterdir():
            if _NAME.fullmatch(f"/{path.name}"):
                status = path.lstat()
                found.append((status.st_mtime, status.st_size, path))
    return sorted(found, reverse=True)
