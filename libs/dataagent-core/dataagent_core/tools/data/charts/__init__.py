"""Charts of kept results: a Vega-Lite spec whose data is the result's, and its pictures.

model.py        the words: `Intent`, `Chart`
frame.py        a result read for drawing: columns by role, cells as JSON, personal ones masked
roles.py        what a column is to a chart: a time, a number, a category
wording.py      an intent in plain words ("line of revenue by month") read against the columns
vocabulary.py named_columns.py unused.py   its words, the columns they name, what is not understood
choosing.py     which chart fits the columns
grouping.py     rows put together by time and category
aggregated.py   the numbers by the places they are drawn at, as amounts or shares
series.py       a number by one or two columns, limited, ordered, the rest gathered as "other"
spread.py boxes.py   histograms, points and box plots
pies.py panels.py    pies with their values; several numbers with an axis each
building.py     the spec of each kind of chart, as `built.py` holds it
names.py theme.py fonts.py   how things are called, and how they look
grammar.py checking.py spec_leaf.py spec_size.py expressions.py   a spec of somebody else
renderer.py     the child processes that draw; svg.py: what a drawn SVG may hold
making.py       `make_chart`: all of it together
saving.py       the files of a chart in a workspace
terminal.py     the same chart as plain text
tool.py         `chart_create`
"""

from dataagent_core.tools.data.charts.making import make_chart
from dataagent_core.tools.data.charts.model import Chart, Intent
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.charts.saving import save_chart
from dataagent_core.tools.data.charts.tool import make_chart_tools

__all__ = ["Chart", "Intent", "Renderer", "make_chart", "make_chart_tools", "save_chart"]
