"""The file tools: what the agent reads, changes and finds in its workspace and beside it."""

from collections.abc import Mapping

from langchain_core.tools import BaseTool

from dataagent_core.sandbox.files.root import Root
from dataagent_core.sandbox.paths.workspace_location import ROOT_LOCATION, WorkspaceLocation
from dataagent_core.tools.files.delete_file import make_delete_file
from dataagent_core.tools.files.edit_file import make_edit_file, make_multi_edit
from dataagent_core.tools.files.file_access import FileAccess
from dataagent_core.tools.files.file_forecasts import make_file_forecasters
from dataagent_core.tools.files.glob import make_glob
from dataagent_core.tools.files.grep import make_grep
from dataagent_core.tools.files.ls import make_ls
from dataagent_core.tools.files.mounts import Mount, Mounts
from dataagent_core.tools.files.read_file import make_read_file
from dataagent_core.tools.files.read_ledger import ReadLedger
from dataagent_core.tools.files.write_file import make_write_file

__all__ = [
    "FileAccess",
    "Mount",
    "Mounts",
    "ReadLedger",
    "make_file_forecasters",
    "make_file_tools",
]


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
    desk = FileAccess(Mounts(root, mounts or {}, place), ledger or ReadLedger())
    return [
        make_ls(desk),
        make_read_file(desk),
        make_write_file(desk),
        make_edit_file(desk),
        make_multi_edit(desk),
        make_delete_file(desk),
        make_glob(desk),
        make_grep(desk),
    ]
