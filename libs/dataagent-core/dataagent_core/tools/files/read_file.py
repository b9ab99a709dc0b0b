"""`read_file`: a page of a text file with line numbers; a picture or a PDF to look at."""

from typing import Annotated, Any

from pydantic import Field

from dataagent_core.config.limits import OUTPUT_LINES_DEFAULT
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.files.file_access import FILE_PATH, FileAccess, FileAnswer
from dataagent_core.tools.files.text_codec import decode
from dataagent_core.tools.media.media_reference import MediaReference
from dataagent_core.tools.output.output_bounds import split_lines, truncate_lines_by_bytes


@define_tool("pure", with_artifact=True)
def read_file(
    access: FileAccess,
    file_path: Annotated[str, FILE_PATH],
    offset: Annotated[int, Field(description="How many lines to skip")] = 0,
    limit: Annotated[int, Field(description="How many lines to show")] = OUTPUT_LINES_DEFAULT,
) -> FileAnswer:
    """Read a text file, or look at a picture or a PDF.

    Each line of a text is shown with its number and a tab before it. A long file is shown page
    by page: the last line says how to go on.
    """
    place = access.mounts.locate(file_path)
    data = place.root.read_bytes(place.path)
    reference = MediaReference.of(place.display_path, data)
    if reference is not None:
        text = f"{place.display_path}: {reference.media_type}, {len(data):,} bytes"
        content: list[dict[str, Any]] = [{"type": "text", "text": text}, reference.block()]
        return content, access.ledger.record(place.display_path, data)
    lines = split_lines(decode(data, place.display_path).text)
    page = truncate_lines_by_bytes(lines, offset, limit)
    return page.numbered + page.notice, access.ledger.record(place.display_path, data)
