"""`delete_file`: one file, or one link, taken away."""

from typing import Annotated

from langchain_core.tools import BaseTool

from dataagent_core.tools.files.file_access import FILE_PATH, FileAccess, FileAnswer, make_file_tool


def make_delete_file(desk: FileAccess) -> BaseTool:
    """Make the tool."""

    def delete_file(
        file_path: Annotated[str, FILE_PATH],
    ) -> FileAnswer:
        """Delete one file for good. Of a link only the link goes. Folders are not deleted."""
        place = desk.mounts.locate(file_path).to_change()
        with desk.ledger.lock:
            place.root.unlink(place.path)
            return f"Deleted {place.shown}.", desk.ledger.removed(place.shown)

    return make_file_tool(delete_file, "irreversible")
