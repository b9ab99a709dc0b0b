"""A server's progress as events of the run: not too often, not too many, and never in the way."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.config.limits.mcp import (
    MCP_PROGRESS_CHARS_MAX,
    MCP_PROGRESS_EVENTS_MAX,
    MCP_PROGRESS_INTERVAL_S,
)
from dataagent_core.events import ToolProgressEvent
from dataagent_core.mcp.tools.clean_text import in_one_line
from dataagent_core.tools.pipeline.agent_call import RunningCall


@dataclass(slots=True)
class ProgressLog:
    """Writes the progress of one call; what comes too soon after the last is left out."""

    running: RunningCall
    clock: Callable[[], float] = time.monotonic
    _last_s: float = -math.inf
    _written: int = 0

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        now_s = self.clock()
        recorder = self.running.context.recorder
        too_soon = now_s - self._last_s < MCP_PROGRESS_INTERVAL_S
        if too_soon or self._written >= MCP_PROGRESS_EVENTS_MAX or recorder.closed:
            return
        if not math.isfinite(progress):
            return
        self._last_s = now_s
        self._written += 1
        await recorder.emit(
            ToolProgressEvent(
                tool_call_id=self.running.call.call_id,
                progress=float(progress),
                total=float(total) if total is not None and math.isfinite(total) else None,
                message=in_one_line(message or "", MCP_PROGRESS_CHARS_MAX),
            )
        )
