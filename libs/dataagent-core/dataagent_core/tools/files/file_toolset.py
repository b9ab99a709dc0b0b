"""The eight file tools of one agent."""

from collections.abc import Mapping

from langchain_core.tools import BaseTool

from dataagent_core.sandbox.files.root import Root
from dataagent_core.sandbox.paths.workspace_location import ROOT_LOCATION, WorkspaceLocation
from dataagent_core.tools.files.delete_file import delete_file
from dataagent_core.tools.files.edit_file import edit_file, multi_edit
from dataagent_core.tools.files.file_access import FileAccess
from dataagent_core.tools.files.glob import glob
from dataagent_core.tools.files.grep import grep
from dataagent_core.tools.files.ls import ls
from dataagent_core.tools.files.mounts import Mount, Mounts
from dataagent_core.tools.files.read_file import read_file
from dataagent_core.tools.files.read_ledger import ReadLedger
from dataagent_core.tools.files.write_file import write_file

FILE_TOOLS = (ls, read_file, write_file, edit_file, multi_edit, delete_file, glob, grep)


def make_file_tools(
    root: Root,
    *,
    mounts: Mapping[str, Mount] | None = None,
    ledger: ReadLedger | None = None,
    place: WorkspaceLocation = ROOT_LOCATION,
) -> list[BaseTool]:
    """Make the eight tools over a workspace and what is mounted beside it.

    Their paths are from the workspace's root; the pipeline has translated others. `place` is where
    programs find the workspace.

    Agents that work on the same files (an agent and its sub-agents) share one ledger.
    """
    access = FileAccess(Mounts(root, mounts or {}, place), ledger or ReadLedger())
    return [tool.bind(access) for tool in FILE_TOOLS]
