"""Reports that are being run for a request; the caller need not wait for the end.

A run is a row from its beginning, so that it can be read meanwhile. It ends with this process,
which its row then says. Work that must survive a restart belongs to a schedule.
"""

import asyncio
import logging
from dataclasses import dataclass, field

from dataagent_core.errors import LimitReachedError
from dataagent_server.data.reports.limits import RUNS_OF_A_PERSON_MAX
from dataagent_server.data.reports.report_records import ReportRun, StoredReport
from dataagent_server.data.reports.report_runner import ReportRunner, ReportRunRequest
from dataagent_server.identity.auth import Principal

logger = logging.getLogger(__name__)
_Task = asyncio.Task[ReportRun]


@dataclass(slots=True)
class ActiveReportRuns:
    """The runs of this process, each a task."""

    runner: ReportRunner
    _owners: dict[_Task, tuple[str, str]] = field(default_factory=dict[_Task, tuple[str, str]])

    async def run(
        self, owner: Principal, report: StoredReport, request: ReportRunRequest, wait_s: float
    ) -> ReportRun:
        """Run a report; return its result, or after a time limit that it is still running."""
        whose = (owner.tenant_id, owner.user_id)
        if list(self._owners.values()).count(whose) >= RUNS_OF_A_PERSON_MAX:
            raise LimitReachedError(
                f"{RUNS_OF_A_PERSON_MAX} reports of yours are being run. Wait until one is done."
            )
        begun = asyncio.create_task(self.runner.begin(owner, report, request))
        task = asyncio.create_task(self._finish(owner, report, begun, request))
        self._owners[task] = whose
        task.add_done_callback(self._on_end)
        run_id = await asyncio.shield(begun)
        done, _ = await asyncio.wait({task}, timeout=wait_s)
        return task.result() if done else await self.runner.get_run(owner, report, run_id)

    async def aclose(self) -> None:
        """Stop all of them."""
        tasks = list(self._owners)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _finish(
        self,
        owner: Principal,
        report: StoredReport,
        begun: asyncio.Task[str],
        request: ReportRunRequest,
    ) -> ReportRun:
        return await self.runner.finish(owner, report, await begun, request)

    def _on_end(self, task: _Task) -> None:
        del self._owners[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a report could not be run to its end", exc_info=error)
