"""The file tools: what the agent reads, changes and finds in its workspace and beside it."""

from dataagent_core.tools.files.file_access import FileAccess
from dataagent_core.tools.files.file_forecasts import make_file_forecasters
from dataagent_core.tools.files.file_toolset import make_file_tools
from dataagent_core.tools.files.mounts import Mount, Mounts
from dataagent_core.tools.files.read_ledger import ReadLedger

__all__ = [
    "FileAccess",
    "Mount",
    "Mounts",
    "ReadLedger",
    "make_file_forecasters",
    "make_file_tools",
]
