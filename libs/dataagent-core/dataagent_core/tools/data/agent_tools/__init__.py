"""The data tools as a model is offered them; `tools/data/query_service.py` does the work."""

from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.agent_tools.data_toolset import DataTools, make_data_tools

__all__ = ["DataToolServices", "DataTools", "make_data_tools"]
