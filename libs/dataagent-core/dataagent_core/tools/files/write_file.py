"""`write_file`: a whole file, new or overwritten."""

from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.file_access import FILE_PATH, FileAccess, FileAnswer, make_file_tool
from dataagent_core.tools.output.output_bounds import split_lines


def make_write_file(desk: FileAccess) -> BaseTool:
    """Make the tool."""

    def write_file(
        file_path: Annotated[str, FILE_PATH],
        content: Annotated[str, Field(description="The whole new content, written as UTF-8")],
    ) -> FileAnswer:
        """Make a file, with its folders, or overwrite one you have read.

        To change part of a file use edit_file.
        """
        place = desk.mounts.locate(file_path).to_change()
        data = encode_text(content)
        size = f"{len(data)} bytes, {len(split_lines(content))} lines"
        with desk.ledger.lock:
            before = desk.current(place)
            if before is not None and before.data == data:
                saw = desk.ledger.saw(place.shown, data)
                return f"{place.shown} already holds exactly this ({size}).", saw
            if before is not None:
                desk.ledger.check(place.shown, before.data)
            done = "Made" if before is None else "Overwrote"
            return f"{done} {place.shown} ({size}).", desk.put(place, data, before)

    return make_file_tool(write_file, "idempotent")


def encode_text(content: str) -> bytes:
    """Write a text as the tool does."""
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise ValidationError(
            f"content cannot be written as UTF-8: character {error.start} is half of a pair. Send "
            "it without that character."
        ) from error
