"""`glob`: files by name."""

from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits import GLOB_FILES_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.safe_paths import shown_path
from dataagent_core.tools.files.desk import Answer, Desk
from dataagent_core.tools.files.mounts import Place
from dataagent_core.tools.files.search.deadline import Deadline
from dataagent_core.tools.files.search.find import Found, find_files
from dataagent_core.tools.files.search.globs import glob_test
from dataagent_core.tools.files.search.ripgrep import propose_names
from dataagent_core.tools.files.tool import file_tool


def make_glob(desk: Desk) -> BaseTool:
    """Make the tool."""

    def glob(
        pattern: Annotated[str, Field(description="As in *.py, or src/**/*.{ts,tsx}")],
        path: Annotated[str, Field(description="The folder to search")] = "/",
    ) -> Answer:
        """Find files by name, sorted by path, with their size in bytes.

        A pattern without a slash finds names at any depth. Files named in .gitignore, .git,
        node_modules and __pycache__ are left out.
        """
        place = desk.mounts.locate(path).to_search()
        deadline = Deadline()
        found = find_files(
            place, glob_test(pattern), lambda folder: propose_names(folder, deadline), deadline
        )
        return _listing(place, found, pattern), None

    return file_tool(glob, "pure")


def _listing(place: Place, found: Found, pattern: str) -> str:
    lines = [
        f"{place.listed(parts)}  {size}"
        for parts in found.files[:GLOB_FILES_MAX]
        if (size := _size_bytes(place, shown_path(parts))) is not None
    ]
    notes: list[str] = []
    if not lines:
        notes.append(f"No file under {place.shown} matches {pattern!r}.")
    if len(found.files) > GLOB_FILES_MAX:
        notes.append(
            f"({GLOB_FILES_MAX} of {len(found.files)} files shown. Narrow the pattern or path.)"
        )
    if not found.complete:
        notes.append("(The folder holds too many files to look at all. Name a smaller one.)")
    return "\n".join([*lines, *notes])


def _size_bytes(place: Place, path: str) -> int | None:
    try:
        node = place.root.stat(path)
    except DataAgentError:
        return None  # gone by now, or a link by now
    return node.size_bytes if node.kind == "file" else None
