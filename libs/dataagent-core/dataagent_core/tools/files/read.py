"""`read_file`: a page of a text file with line numbers; a picture or a PDF to look at."""

from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits import OUTPUT_LINES_DEFAULT
from dataagent_core.tools.bounds import lines_of, truncate_lines_by_bytes
from dataagent_core.tools.files.desk import Answer, Desk
from dataagent_core.tools.files.encoding import decode
from dataagent_core.tools.files.tool import FILE_PATH, file_tool
from dataagent_core.tools.media.reference import MediaReference


def make_read_file(desk: Desk) -> BaseTool:
    """Make the tool."""

    def read_file(
        file_path: Annotated[str, FILE_PATH],
        offset: Annotated[int, Field(description="How many lines to skip")] = 0,
        limit: Annotated[int, Field(description="How many lines to show")] = OUTPUT_LINES_DEFAULT,
    ) -> Answer:
        """Read a text file, or look at a picture or a PDF.

        Each line of a text is shown with its number and a tab before it. A long file is shown page
        by page: the last line says how to go on.
        """
        place = desk.mounts.locate(file_path)
        data = place.root.read_bytes(place.path)
        reference = MediaReference.of(place.shown, data)
        if reference is not None:
            text = f"{place.shown}: {reference.media_type}, {len(data):,} bytes"
            content: list[dict[str, Any]] = [{"type": "text", "text": text}, reference.block()]
            return content, desk.ledger.saw(place.shown, data)
        lines = lines_of(decode(data, place.shown).text)
        page = truncate_lines_by_bytes(lines, offset, limit)
        return page.numbered + page.notice, desk.ledger.saw(place.shown, data)

    return file_tool(read_file, "pure")
