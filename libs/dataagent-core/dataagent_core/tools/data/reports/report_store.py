"""Where a report that an agent wrote is listed, beside the files in the workspace."""

from typing import Protocol

from dataagent_core.tools.data.reports.report_definition import ReportDefinition


class ReportStore(Protocol):
    """The reports of whoever the agent works for."""

    async def keep(self, definition: ReportDefinition) -> None:
        """Keep a report that can be run again."""
        ...
