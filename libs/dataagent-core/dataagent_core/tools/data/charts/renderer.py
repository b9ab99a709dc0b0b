"""Draws and typesets in a few child processes, which are kept warm and killed when late.

They run `worker_programs/drawing_program.py`. A request and its result are files in a folder that
is removed afterwards.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from dataagent_core.config.limits.data import (
    CHART_DRAW_S,
    CHART_IMAGE_PIXELS_MAX,
    DRAWING_MEMORY_BYTES_MAX,
    DRAWING_WORKERS_MAX,
    REPORT_TYPESET_S,
)
from dataagent_core.errors import QueryFailedError, ToolExecutionError, ValidationError
from dataagent_core.sandbox.port import Process
from dataagent_core.tools.data.charts.chart_model import ChartFormat
from dataagent_core.tools.data.charts.fonts import locate_font_folder
from dataagent_core.tools.data.charts.svg_check import check_svg
from dataagent_core.tools.data.sources.workers.plain_process import PlainProcess
from dataagent_core.tools.data.sources.workers.worker import Worker
from dataagent_core.tools.data.sources.workers.worker_command import (
    PROGRAMS_FOLDER,
    build_program_command,
)

_SCALE = 2.0
# Times in a spec are wall-clock times; the machine's zone must not move them.
_ENVIRONMENT = {"TZ": "UTC", "LANG": "C.UTF-8"}


class Renderer:
    """The renderer of this process; close it when the process ends."""

    def __init__(
        self,
        workers_max: int = DRAWING_WORKERS_MAX,
        draw_s: float = CHART_DRAW_S,
        memory_bytes: int = DRAWING_MEMORY_BYTES_MAX,
    ) -> None:
        self._draw_s = draw_s
        self._memory_bytes = memory_bytes
        self._workers = [Worker(self._start, "The drawing program") for _ in range(workers_max)]
        # The worker that was used last is still warm, and is taken first.
        self._free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self._workers:
            self._free.put_nowait(worker)

    async def draw(
        self, spec: Mapping[str, Any], formats: Sequence[ChartFormat]
    ) -> dict[ChartFormat, bytes]:
        """Draw a checked spec; the SVG is always among the pictures."""
        with tempfile.TemporaryDirectory(prefix="dataagent-chart-") as name:
            folder = Path(name)
            await asyncio.to_thread(_write_spec, folder, spec)
            question = {
                "folder": name,
                "formats": list(formats),
                "pixels_max": CHART_IMAGE_PIXELS_MAX,
                "scale": _SCALE,
            }
            answer = await self._ask("draw", question, self._draw_s)
            if problem := answer.get("problem"):
                raise ValidationError(f"The chart cannot be drawn: {problem}.")
            return await asyncio.to_thread(_read_pictures, folder, formats)

    async def typeset(self, files: Mapping[str, bytes], made_at: float) -> bytes:
        """Typeset `main.typ` with the files it reads; it can reach nothing else."""
        with tempfile.TemporaryDirectory(prefix="dataagent-report-") as name:
            folder = Path(name)
            await asyncio.to_thread(_write_files, folder, files)
            question = {"folder": name, "made_at_s": int(made_at)}
            answer = await self._ask("typeset", question, REPORT_TYPESET_S)
            if problem := answer.get("problem"):
                raise ToolExecutionError(f"The report cannot be typeset: {problem}.")
            return await asyncio.to_thread((folder / "report.pdf").read_bytes)

    async def cut_font(self, text: str) -> bytes:
        """Subset the font to the characters of a text, as WOFF."""
        with tempfile.TemporaryDirectory(prefix="dataagent-font-") as name:
            characters = "".join(sorted(set(text))).encode("utf-8", "replace")
            await asyncio.to_thread(_write_files, Path(name), {"text.txt": characters})
            await self._ask("subset", {"folder": name}, self._draw_s)
            return await asyncio.to_thread((Path(name) / "font.woff").read_bytes)

    async def aclose(self) -> None:
        """End the processes."""
        for worker in self._workers:
            await worker.aclose()

    async def _ask(
        self, operation: str, question: Mapping[str, Any], timeout_s: float
    ) -> dict[str, Any]:
        async with self._lease_worker() as worker:
            try:
                return await worker.ask(
                    operation, {**question, "fonts": str(locate_font_folder())}, timeout_s
                )
            except QueryFailedError as error:
                raise ToolExecutionError(str(error)) from error

    @asynccontextmanager
    async def _lease_worker(self) -> AsyncGenerator[Worker]:
        worker = await self._free.get()
        try:
            yield worker
        finally:
            self._free.put_nowait(worker)

    async def _start(self) -> Process:
        return await PlainProcess.start(
            build_program_command(sys.executable, PROGRAMS_FOLDER, "drawing_program"),
            env=_ENVIRONMENT,
            memory_bytes=self._memory_bytes,
        )


def _write_spec(folder: Path, spec: Mapping[str, Any]) -> None:
    text = json.dumps(spec, ensure_ascii=False, allow_nan=False)
    (folder / "spec.json").write_bytes(text.encode("utf-8", "replace"))


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)


def _read_pictures(folder: Path, formats: Sequence[ChartFormat]) -> dict[ChartFormat, bytes]:
    pictures: dict[ChartFormat, bytes] = {"svg": check_svg((folder / "chart.svg").read_bytes())}
    for kind in formats:
        if kind != "svg":
            pictures[kind] = (folder / f"chart.{kind}").read_bytes()
    return pictures
