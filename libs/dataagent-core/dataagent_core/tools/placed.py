"""A tool's paths, brought into the form of rules, events and logs before anybody sees them.

A model that runs commands knows files by the paths commands print (`/home/u/project/a.txt`). Its
call is translated once, here, so that the judge, the tool, the log and whoever is asked about it
all read `/a.txt`.
"""

from dataclasses import replace
from typing import Final

from dataagent_core.permissions.tool_groups import GROUPS
from dataagent_core.sandbox.workspace_place import WorkspacePlace
from dataagent_core.tools.call import Call

_FILE_TOOLS = GROUPS["read"] | GROUPS["write"]
# A pattern may begin with the place too, and a source of data may be a file.
_PATHS: Final = {
    **dict.fromkeys(_FILE_TOOLS, ("file_path", "path")),
    **dict.fromkeys(GROUPS["data"], ("source",)),
    "glob": ("pattern", "path"),
    "grep": ("glob", "path"),
}


def placed(call: Call, place: WorkspacePlace) -> Call:
    """Give the call with its paths from the workspace's root; other tools' calls as they are."""
    paths = {
        name: place.of_tool(path)
        for name in _PATHS.get(call.name, ())
        if isinstance(path := call.args.get(name), str)
    }
    return replace(call, args={**call.args, **paths}) if paths else call
