"""`write_file`: a whole file, new or overwritten."""

from typing import Annotated

from pydantic import Field

from dataagent_core.errors import ValidationError
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.files.file_access import FILE_PATH, FileAccess, FileAnswer
from dataagent_core.tools.output.output_bounds import split_lines


@define_tool("idempotent", with_artifact=True)
def write_file(
    access: FileAccess,
    file_path: Annotated[str, FILE_PATH],
    content: Annotated[str, Field(description="The whole new content, written as UTF-8")],
) -> FileAnswer:
    """Make a file, with its folders, or overwrite one you have read.

    To change part of a file use edit_file.
    """
    place = access.mounts.locate(file_path).to_change()
    data = encode_text(content)
    size = f"{len(data)} bytes, {len(split_lines(content))} lines"
    with access.ledger.lock:
        before = access.read_current(place)
        if before is not None and before.data == data:
            saw = access.ledger.record(place.display_path, data)
            return f"{place.display_path} already holds exactly this ({size}).", saw
        if before is not None:
            access.ledger.check(place.display_path, before.data)
        done = "Made" if before is None else "Overwrote"
        return f"{done} {place.display_path} ({size}).", access.write(place, data, before)


def encode_text(content: str) -> bytes:
    """Write a text as the tool does."""
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise ValidationError(
            f"content cannot be written as UTF-8: character {error.start} is half of a pair. Send "
            "it without that character."
        ) from error
