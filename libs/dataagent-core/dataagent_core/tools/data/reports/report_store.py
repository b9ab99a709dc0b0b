"""The port to the list of reports that agents wrote."""

from typing import Protocol

from dataagent_core.tools.data.reports.report_definition import ReportDefinition


class ReportStore(Protocol):
    """The reports of the user the agent works for."""

    async def keep(self, definition: ReportDefinition) -> None:
        """Store a report that can run again."""
        ...
