"""Reports: text, tables, charts and figures of results, to be sent on and run again.

report_blocks.py       what a report is made of: a closed set report_definition.py   a report as a
YAML document: queries by name, and blocks that refer to them chained_queries.py      queries over
the results of other queries, so that it can be run again report_parameters.py   the values a report
is run with, in its texts and its SQL report_templates.py    how reports look: the ones that come
along, and a project's own tools/data/reports/formats/prose.py        Markdown read into a small
tree, without HTML and images tools/data/reports/formats/html_report.py
tools/data/reports/formats/markdown_report.py   the tree written report_document.py     a report
with its data in it, ready to be written report_run.py      `run_report`: its queries run
block_filler.py      its blocks filled yaml_model.py      YAML read into models
tools/data/reports/formats/cell_text.py       how cells and figures are written
tools/data/reports/formats/report_words.py        the words of a report itself, in English and
Chinese tools/data/reports/formats/markdown_report.py tools/data/reports/formats/html_report.py
tools/data/reports/formats/pdf_report.py report.typ tools/data/reports/formats/html_report.py   the
three forms report_files.py       the files in a workspace report_tool.py         `report_create`
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
