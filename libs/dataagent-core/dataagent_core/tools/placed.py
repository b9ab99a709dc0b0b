"""A file tool's paths, brought into the form of rules, events and logs before anybody sees them.

A model that runs commands knows files by the paths commands print (`/home/u/project/a.txt`). Its
call is translated once, here, so that the judge, the tool, the log and whoever is asked about it
all read `/a.txt`.
"""

from dataclasses import replace

from dataagent_core.permissions.tool_groups import GROUPS
from dataagent_core.sandbox.workspace_place import WorkspacePlace
from dataagent_core.tools.call import Call

_FILE_TOOLS = GROUPS["read"] | GROUPS["write"]
_PATHS = ("file_path", "path")


def placed(call: Call, place: WorkspacePlace) -> Call:
    """Give the call with its paths from the workspace's root; other tools' calls as they are."""
    if call.name not in _FILE_TOOLS:
        return call
    paths = {
        name: place.of_tool(path) for name in _PATHS if isinstance(path := call.args.get(name), str)
    }
    return replace(call, args={**call.args, **paths})
