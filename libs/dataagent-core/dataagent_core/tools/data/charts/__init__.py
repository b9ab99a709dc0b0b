"""Charts of stored results: a Vega-Lite spec with the data of the result, and its pictures.

`chart_maker.py` (`make_chart`) does all of it; the tool is `agent_tools/chart_tool.py`.
`chart_data/` prepares the rows, `request/` parses a request in words, `chart_choice.py` chooses a
kind, `kinds/` builds the spec, `spec_check/` checks a spec from outside, and `renderer.py` draws in
child processes. `terminal_chart.py` shows a chart as text; names, theme and fonts are in
`chart_names.py`, `chart_theme.py` and `fonts.py`.
"""

from dataagent_core.tools.data.charts.chart_files import save_chart
from dataagent_core.tools.data.charts.chart_maker import make_chart
from dataagent_core.tools.data.charts.chart_model import Chart, ChartIntent
from dataagent_core.tools.data.charts.renderer import Renderer

__all__ = ["Chart", "ChartIntent", "Renderer", "make_chart", "save_chart"]
