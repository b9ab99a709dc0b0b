"""Calls that other programs made through `dataagent mcp serve`, one JSON line each, bounded."""

import asyncio
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dataagent_core.mcp.server.ports import MCPCallRecord

_BYTES_MAX: Final = 10_000_000


class CallFile:
    """Appends to a file; a full one is kept beside it as `.1`, and the one before is dropped."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def add(self, who: str, record: MCPCallRecord) -> None:
        """Write a call down."""
        ended_well = record.outcome in {"ok", "waiting"}
        line = {
            "at": datetime.now(UTC).isoformat(),
            "who": who,
            "tool": record.tool,
            "input": dict(record.arguments),
            "outcome": record.outcome,
            "output" if ended_well else "error": record.answer,
            "duration_ms": record.duration_ms,
        }
        await asyncio.to_thread(self._append, json.dumps(line, default=str) + "\n")

    def _append(self, line: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._path.exists() and self._path.stat().st_size > _BYTES_MAX:
            self._path.replace(self._path.with_suffix(".jsonl.1"))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with open(os.open(self._path, flags, 0o600), "a", encoding="utf-8") as file:  # noqa: PTH123 (only the owner may read it)
            file.write(line)
