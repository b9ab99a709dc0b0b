"""Everything about reports, put together for `wiring.py`."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from dataagent_core.secrets import Cipher
from dataagent_core.tools.web.client import WebClient
from dataagent_core.tools.web.policy import policy_from
from dataagent_server.audit import AuditTrail
from dataagent_server.data import DataHouse
from dataagent_server.reports.clockwork import Clockwork, Spent
from dataagent_server.reports.files import RunFiles
from dataagent_server.reports.running import ReportRunner
from dataagent_server.reports.schedules import ScheduleService
from dataagent_server.reports.service import ReportService
from dataagent_server.reports.under_way import RunsUnderWay
from dataagent_server.reports.webhook import Webhooks
from dataagent_server.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class Reports:
    """The parts, over one runner."""

    service: ReportService
    schedules: ScheduleService
    clockwork: Clockwork


@asynccontextmanager
async def open_reports(
    settings: ServerSettings, audit: AuditTrail, cipher: Cipher, data: DataHouse, *, spent: Spent
) -> AsyncGenerator[Reports]:
    """Put them together; what still runs is stopped at the end."""
    database = data.workspaces.database
    runner = ReportRunner(data, RunFiles(settings.home))
    under_way = RunsUnderWay(runner)
    policy = policy_from(settings)
    webhooks = Webhooks(policy, WebClient(policy))
    schedules = ScheduleService(database, audit, cipher, webhooks)
    clockwork = Clockwork(runner, schedules, audit, spent)
    try:
        yield Reports(ReportService(database, audit, runner, under_way), schedules, clockwork)
    finally:
        await clockwork.aclose()
        await under_way.aclose()
