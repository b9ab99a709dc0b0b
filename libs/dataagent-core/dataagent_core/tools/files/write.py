"""`write_file`: a whole file, new or overwritten."""

from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.errors import ValidationError
from dataagent_core.tools.bounds import lines_of
from dataagent_core.tools.files.desk import Answer, Desk
from dataagent_core.tools.files.tool import FILE_PATH, file_tool


def make_write_file(desk: Desk) -> BaseTool:
    """Make the tool."""

    def write_file(
        file_path: Annotated[str, FILE_PATH],
        content: Annotated[str, Field(description="The whole new content, written as UTF-8")],
    ) -> Answer:
        """Make a file, with its folders, or overwrite one you have read.

        To change part of a file use edit_file.
        """
        place = desk.mounts.locate(file_path).to_change()
        data = encoded(content)
        size = f"{len(data)} bytes, {len(lines_of(content))} lines"
        with desk.ledger.lock:
            before = desk.current(place)
            if before is not None and before.data == data:
                saw = desk.ledger.saw(place.shown, data)
                return f"{place.shown} already holds exactly this ({size}).", saw
            if before is not None:
                desk.ledger.check(place.shown, before.data)
            done = "Made" if before is None else "Overwrote"
            return f"{done} {place.shown} ({size}).", desk.put(place, data, before)

    return file_tool(write_file, "idempotent")


def encoded(content: str) -> bytes:
    """Write a text as the tool does."""
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise ValidationError(
            f"content cannot be written as UTF-8: character {error.start} is half of a pair. Send "
            "it without that character."
        ) from error
