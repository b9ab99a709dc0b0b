"""The data tools as a model is offered them; `tools/data/desk.py` does the work."""

from dataagent_core.tools.data.offered.toolset import Bench, DataTools, make_data_tools

__all__ = ["Bench", "DataTools", "make_data_tools"]
