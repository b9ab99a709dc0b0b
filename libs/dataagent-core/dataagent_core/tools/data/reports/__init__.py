"""Reports: text, tables, charts and figures of results, to be sent on and run again.

blocks.py       what a report is made of: a closed set
definition.py   a report as a YAML document: queries by name, and blocks that refer to them
chained.py      queries over the results of other queries, so that it can be run again
parameters.py   the values a report is run with, in its texts and its SQL
templates.py    how reports look: the ones that come along, and a project's own
prose.py        Markdown read into a small tree, without HTML and images
prose_html.py prose_markdown.py   the tree written
document.py     a report with its data in it, ready to be written
running.py      `run_report`: its queries run
filling.py      its blocks filled
reading.py      YAML read into models
values.py       how cells and figures are written
words.py        the words of a report itself, in English and Chinese
to_markdown.py to_html.py to_pdf.py report.typ style.py   the three forms
saving.py       the files in a workspace
tool.py         `report_create`
"""

from dataagent_core.tools.data.reports.chained import self_contained
from dataagent_core.tools.data.reports.definition import (
    ReportDefinition,
    read_definition,
    written_definition,
)
from dataagent_core.tools.data.reports.document import Report
from dataagent_core.tools.data.reports.running import (
    ReportMaker,
    RunMetric,
    RunQuery,
    run_report,
)
from dataagent_core.tools.data.reports.saving import save_report
from dataagent_core.tools.data.reports.templates import Template, load_templates
from dataagent_core.tools.data.reports.tool import make_report_tools

__all__ = [
    "Report",
    "ReportDefinition",
    "ReportMaker",
    "RunMetric",
    "RunQuery",
    "Template",
    "load_templates",
    "make_report_tools",
    "read_definition",
    "run_report",
    "save_report",
    "self_contained",
    "written_definition",
]
