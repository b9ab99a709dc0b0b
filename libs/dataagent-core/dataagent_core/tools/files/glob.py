"""`glob`: files by name."""

from typing import Annotated

from pydantic import Field

from dataagent_core.config.limits import GLOB_FILES_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.paths.tool_paths import format_path
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.files.file_access import FileAccess, FileAnswer
from dataagent_core.tools.files.mounts import MountedPath
from dataagent_core.tools.files.search.deadline import SearchDeadline
from dataagent_core.tools.files.search.file_search import FileMatches, find_files
from dataagent_core.tools.files.search.glob_patterns import compile_glob
from dataagent_core.tools.files.search.ripgrep import propose_names


@define_tool("pure", with_artifact=True)
def glob(
    access: FileAccess,
    pattern: Annotated[str, Field(description="As in *.py, or src/**/*.{ts,tsx}")],
    path: Annotated[str, Field(description="The folder to search")] = "/",
) -> FileAnswer:
    """Find files by name, sorted by path, with their size in bytes.

    A pattern without a slash finds names at any depth. Files named in .gitignore, .git,
    node_modules and __pycache__ are left out.
    """
    place = access.mounts.locate(path).to_search()
    deadline = SearchDeadline()
    found = find_files(
        place, compile_glob(pattern), lambda folder: propose_names(folder, deadline), deadline
    )
    return _listing(place, found, pattern), None


def _listing(place: MountedPath, found: FileMatches, pattern: str) -> str:
    lines = [
        f"{place.format_listed(parts)}  {size}"
        for parts in found.files[:GLOB_FILES_MAX]
        if (size := _size_bytes(place, format_path(parts))) is not None
    ]
    notes: list[str] = []
    if not lines:
        notes.append(f"No file under {place.display_path} matches {pattern!r}.")
    if len(found.files) > GLOB_FILES_MAX:
        notes.append(
            f"({GLOB_FILES_MAX} of {len(found.files)} files shown. Narrow the pattern or path.)"
        )
    if not found.complete:
        notes.append("(The folder holds too many files to look at all. Name a smaller one.)")
    return "\n".join([*lines, *notes])


def _size_bytes(place: MountedPath, path: str) -> int | None:
    try:
        node = place.root.stat(path)
    except DataAgentError:
        return None  # gone by now, or a link by now
    return node.size_bytes if node.kind == "file" else None
