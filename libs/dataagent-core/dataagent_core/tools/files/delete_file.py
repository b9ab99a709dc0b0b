"""`delete_file`: one file, or one link, taken away."""

from typing import Annotated

from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.files.file_access import FILE_PATH, FileAccess, FileAnswer


@define_tool("irreversible", with_artifact=True)
def delete_file(
    access: FileAccess,
    file_path: Annotated[str, FILE_PATH],
) -> FileAnswer:
    """Delete one file for good. Of a link only the link goes. Folders are not deleted."""
    place = access.mounts.locate(file_path).to_change()
    with access.ledger.lock:
        place.root.unlink(place.path)
        return f"Deleted {place.display_path}.", access.ledger.record_removal(place.display_path)
