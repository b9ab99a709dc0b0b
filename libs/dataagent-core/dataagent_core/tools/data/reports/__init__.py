"""Reports: text, tables, charts and figures of results, to be shared and run again.

`report_definition.py` is a report as a YAML document of queries and `report_blocks.py`;
`report_parameters.py` fills in values. `report_run.py` runs the queries and fills the
blocks, and `report_document.py` is the result, which `formats/` writes as HTML, Markdown or
PDF. `report_files.py` puts the files into a workspace; `report_tool.py` is the tool
`report_create`.
"""

from dataagent_core.tools.data.reports.chained_queries import make_self_contained
from dataagent_core.tools.data.reports.report_definition import (
    ReportDefinition,
    read_definition,
    write_definition,
)
from dataagent_core.tools.data.reports.report_document import Report
from dataagent_core.tools.data.reports.report_files import save_report
from dataagent_core.tools.data.reports.report_run import (
    ReportMaker,
    RunMetric,
    RunQuery,
    run_report,
)
from dataagent_core.tools.data.reports.report_templates import ReportTemplate, load_templates
from dataagent_core.tools.data.reports.report_tool import make_report_tools

__all__ = [
    "Report",
    "ReportDefinition",
    "ReportMaker",
    "ReportTemplate",
    "RunMetric",
    "RunQuery",
    "load_templates",
    "make_report_tools",
    "make_self_contained",
    "read_definition",
    "run_report",
    "save_report",
    "write_definition",
]
