"""Goes through files in order and collects matching lines until there are enough; shows them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dataagent_core.config.limits import (
    OUTPUT_BYTES_MAX,
    SEARCH_BATCH_CHARS_MAX,
    SEARCH_BATCH_FILES_MAX,
    SEARCH_BATCH_FILES_MIN,
)
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path
from dataagent_core.tools.files.mounts import MountedPath
from dataagent_core.tools.files.search.deadline import SearchDeadline
from dataagent_core.tools.files.search.hit_lines import (
    HitLine,
    find_matching_lines,
    group_with_context,
    searchable_lines,
)
from dataagent_core.tools.files.search.search_pattern import SearchPattern
from dataagent_core.tools.output.output_bounds import truncate_by_bytes, truncate_line

# A path as it is shown, and the file's lines.
_TextFile = tuple[str, list[str]]


@dataclass(frozen=True, slots=True)
class FileHits:
    """What was found in one file."""

    path: str
    groups: list[list[HitLine]]
    matches: int


@dataclass(frozen=True, slots=True)
class SearchHits:
    """What was found; `more` says that the limit was reached and there is more."""

    files: list[FileHits]
    more: bool


def collect_hits(
    place: MountedPath,
    files: Iterable[PathParts],
    pattern: SearchPattern,
    deadline: SearchDeadline,
    *,
    context_lines: int,
    matches_max: int,
) -> SearchHits:
    """Search files in the order given. What cannot be read as text is passed over."""
    found: list[FileHits] = []
    left = matches_max
    for batch in _batches(place, files):
        # One more than is shown, to know whether there is more.
        matched = find_matching_lines([lines for _, lines in batch], pattern, deadline, left + 1)
        for (path, lines), indices in zip(batch, matched, strict=True):
            shown = indices[:left]
            if shown:
                groups = group_with_context(lines, shown, context_lines)
                found.append(FileHits(path, groups, len(shown)))
            left -= len(shown)
            if len(indices) > len(shown):
                return SearchHits(found, more=True)
    return SearchHits(found, more=False)


def render_hits(hits: SearchHits) -> str:
    """Write `path:number:line` for matches and `path-number-line` for lines around them."""
    matches = sum(file.matches for file in hits.files)
    separate = any(not line.matched for file in hits.files for line in file.groups[0])
    groups = ["\n".join(_lines(file.path, group)) for file in hits.files for group in file.groups]
    text = ("\n--\n" if separate else "\n").join(groups)
    cut = truncate_by_bytes(text)
    if cut.bytes_left_out:
        whole_lines = cut.text[: cut.text.rfind("\n")]
        return (
            f"{whole_lines}\n(Output stopped at {OUTPUT_BYTES_MAX} bytes; there is more. Narrow "
            "the pattern, path or glob.)"
        )
    if hits.more:
        return (
            f"{text}\n(Stopped at {matches} matches; there are more. Narrow the pattern, path or "
            "glob, or raise max_count.)"
        )
    return f"{text}\n({matches} matches in {len(hits.files)} files)"


def _batches(place: MountedPath, files: Iterable[PathParts]) -> Iterator[list[_TextFile]]:
    # A search that finds enough in the first files reads few; one that goes on starts few programs.
    batch: list[_TextFile] = []
    files_max, chars = SEARCH_BATCH_FILES_MIN, 0
    for parts in files:
        lines = _read_lines(place, format_path(parts))
        if lines is None:
            continue
        batch.append((place.format_listed(parts), lines))
        chars += sum(map(len, lines))
        if len(batch) >= files_max or chars >= SEARCH_BATCH_CHARS_MAX:
            yield batch
            batch, chars = [], 0
            files_max = min(files_max * 2, SEARCH_BATCH_FILES_MAX)
    # Even if there is none, so that a wrong pattern is always told.
    if batch or files_max == SEARCH_BATCH_FILES_MIN:
        yield batch


def _read_lines(place: MountedPath, path: str) -> list[str] | None:
    try:
        return searchable_lines(place.root.read_bytes(path))
    except DataAgentError:
        return None  # gone, forbidden, too large, or a link by now


def _lines(path: str, group: list[HitLine]) -> Iterator[str]:
    for line in group:
        sign = ":" if line.matched else "-"
        yield f"{path}{sign}{line.number}{sign}{truncate_line(line.text)}"
