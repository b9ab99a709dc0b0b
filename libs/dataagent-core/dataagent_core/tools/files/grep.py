"""`grep`: lines by content."""

from typing import Annotated

from pydantic import Field

from dataagent_core.config.limits import (
    GREP_CONTEXT_LINES_MAX,
    GREP_MATCHES_DEFAULT,
    GREP_MATCHES_MAX,
)
from dataagent_core.sandbox.paths.tool_paths import PathParts
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.files.file_access import FileAccess, FileAnswer
from dataagent_core.tools.files.mounts import MountedPath
from dataagent_core.tools.files.search.deadline import SearchDeadline
from dataagent_core.tools.files.search.file_search import FileMatches, PathTest, find_files
from dataagent_core.tools.files.search.glob_patterns import compile_glob
from dataagent_core.tools.files.search.ripgrep import propose_matches
from dataagent_core.tools.files.search.search_hits import collect_hits, render_hits
from dataagent_core.tools.files.search.search_pattern import SearchPattern, make_search_pattern

_INCOMPLETE = "\n(The folder holds too many files to look at all. Name a smaller one.)"


@define_tool("pure", with_artifact=True)
def grep(
    access: FileAccess,
    pattern: Annotated[str, Field(description="A regular expression, for one line")],
    path: Annotated[str, Field(description="The folder or file to search")] = "/",
    glob: Annotated[str | None, Field(description="Only these files, as in *.py")] = None,
    *,
    ignore_case: Annotated[bool, Field(description="Take a and A for the same")] = False,
    context_lines: Annotated[int, Field(description="Lines to show around a match")] = 0,
    max_count: Annotated[
        int, Field(description=f"How many matches to show, at most {GREP_MATCHES_MAX}")
    ] = GREP_MATCHES_DEFAULT,
) -> FileAnswer:
    """Find lines in files, sorted by path, as path:line number:line.

    Binary files, very large files, files named in .gitignore, .git, node_modules and
    __pycache__ are left out.
    """
    place = access.mounts.locate(path).to_search()
    wanted = make_search_pattern(pattern, ignore_case=ignore_case)
    deadline = SearchDeadline()
    found = _files(place, wanted, compile_glob(glob) if glob else _any_file, deadline)
    hits = collect_hits(
        place,
        found.files,
        wanted,
        deadline,
        context_lines=min(max(context_lines, 0), GREP_CONTEXT_LINES_MAX),
        matches_max=min(max(max_count, 1), GREP_MATCHES_MAX),
    )
    nothing = f"No line under {place.display_path} matches {pattern!r}."
    answer = render_hits(hits) if hits.files else nothing
    return answer + ("" if found.complete else _INCOMPLETE), None


def _files(
    place: MountedPath, wanted: SearchPattern, test: PathTest, deadline: SearchDeadline
) -> FileMatches:
    # A file that was named is searched whatever it is called and whatever ignores it.
    if place.root.stat(place.path).kind != "dir":
        return FileMatches([place.inside], complete=True)
    return find_files(
        place, test, lambda folder: propose_matches(folder, wanted, deadline), deadline
    )


def _any_file(_parts: PathParts) -> bool:
    return True
