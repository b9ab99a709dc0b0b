"""`ls`: what is in a folder."""

from typing import Annotated

from pydantic import Field

from dataagent_core.config.limits import DIRECTORY_ENTRIES_MAX
from dataagent_core.sandbox.files.file_node import DirectoryEntry
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.files.file_access import FileAccess, FileAnswer
from dataagent_core.tools.output.output_bounds import truncate_by_bytes


@define_tool("pure", with_artifact=True)
def ls(
    access: FileAccess,
    path: Annotated[str, Field(description="A folder in the workspace, as in /src")] = "/",
) -> FileAnswer:
    """List a folder: files with their size in bytes, folders with a slash at the end."""
    place = access.mounts.locate(path)
    entries = [
        entry
        for entry in place.root.list_dir(place.path)
        if place.mount.shows((*place.inside, entry.name))
    ]
    if not entries:
        return f"{place.display_path} is empty.", None
    return _listing([_line(entry) for entry in entries[:DIRECTORY_ENTRIES_MAX]], len(entries)), None


def _listing(lines: list[str], total: int) -> str:
    cut = truncate_by_bytes("\n".join(lines))
    shown = cut.text.count("\n") + (cut.bytes_left_out == 0)
    if shown == total:
        return cut.text
    complete = "\n".join(lines[:shown])
    return f"{complete}\n({shown} of {total} entries shown. Use glob to find the others.)"


def _line(entry: DirectoryEntry) -> str:
    match entry.kind:
        case "dir":
            return f"{entry.name}/"
        case "file":
            return f"{entry.name}  {entry.size_bytes}"
        case "link":
            return f"{entry.name}  (link that is not followed)"
        case "other":
            return f"{entry.name}  (device, socket or pipe)"
