"""Charts of kept results: a Vega-Lite spec whose data is the result's, and its pictures.

chart_model.py        the words: `Intent`, `Chart` tools/data/charts/chart_data/chart_frame.py
a result read for drawing: columns by role, cells as JSON, personal ones masked
tools/data/charts/chart_data/column_roles.py        what a column is to a chart: a time, a number, a
category tools/data/charts/request/intent_parser.py      an intent in plain words ("line of revenue
by month") read against the columns tools/data/charts/request/vocabulary.py
tools/data/charts/request/named_columns.py tools/data/charts/request/unused_words.py   its words,
the columns they name, what is not understood chart_choice.py     which chart fits the columns
tools/data/charts/chart_data/row_groups.py     rows put together by time and category
tools/data/charts/chart_data/aggregation.py   the numbers by the places they are drawn at, as
amounts or shares tools/data/charts/kinds/series.py       a number by one or two columns, limited,
ordered, the rest gathered as "other" tools/data/charts/kinds/distributions.py
tools/data/charts/kinds/box_plots.py   histograms, points and box plots
tools/data/charts/kinds/pies.py tools/data/charts/kinds/panels.py    pies with their values; several
numbers with an axis each tools/data/charts/kinds/chart_builder.py     the spec of each kind of
chart, as `tools/data/charts/kinds/built_chart.py` holds it chart_names.py chart_theme.py fonts.py
how things are called, and how they look tools/data/charts/spec_check/spec_grammar.py
tools/data/charts/spec_check/spec_check.py tools/data/charts/spec_check/spec_leaf.py
tools/data/charts/spec_check/spec_size.py tools/data/charts/spec_check/spec_formulas.py   a spec of
somebody else renderer.py     the child processes that draw; svg_check.py: what a drawn SVG may hold
chart_maker.py       `make_chart`: all of it together chart_files.py       the files of a chart in a
workspace terminal_chart.py     the same chart as plain text chart_tool.py         `chart_create`
"""

from dataagent_core.tools.data.charts.chart_files import save_chart
from dataagent_core.tools.data.charts.chart_maker import make_chart
from dataagent_core.tools.data.charts.chart_model import Chart, ChartIntent
from dataagent_core.tools.data.charts.chart_tool import make_chart_tools
from dataagent_core.tools.data.charts.renderer import Renderer

__all__ = ["Chart", "ChartIntent", "Renderer", "make_chart", "make_chart_tools", "save_chart"]
