"""Goes through files in order and collects matching lines until there are enough; shows them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from dataagent_core.config.limits import OUTPUT_BYTES_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.safe_paths import Parts, shown_path
from dataagent_core.tools.bounds import lines_of, truncate_by_bytes, truncate_line
from dataagent_core.tools.files.mounts import Place
from dataagent_core.tools.files.search.deadline import Deadline
from dataagent_core.tools.files.search.lines import (
    Line,
    matching_lines,
    searchable,
    with_context,
)
from dataagent_core.tools.files.search.pattern import SearchPattern


@dataclass(frozen=True, slots=True)
class FileHits:
    """What was found in one file."""

    path: str
    groups: list[list[Line]]
    matches: int


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found; `more` says that the limit was reached and there is more."""

    files: list[FileHits]
    more: bool


def collect_hits(
    place: Place,
    files: Iterable[Parts],
    pattern: SearchPattern,
    deadline: Deadline,
    *,
    context_lines: int,
    matches_max: int,
) -> Hits:
    """Search files in the order given. What cannot be read as text is passed over."""
    found: list[FileHits] = []
    left = matches_max
    for parts in files:
        text = _text(place, shown_path(parts))
        if text is None:
            continue
        # One more than is shown, to know whether there is more.
        matched = list(islice(matching_lines(text, pattern, deadline), left + 1))
        shown = matched[:left]
        if shown:
            groups = with_context(lines_of(text), shown, context_lines)
            found.append(FileHits(place.listed(parts), groups, len(shown)))
        left -= len(shown)
        if len(matched) > len(shown):
            return Hits(found, more=True)
    return Hits(found, more=False)


def shown_hits(hits: Hits) -> str:
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


def _text(place: Place, path: str) -> str | None:
    try:
        return searchable(place.root.read_bytes(path))
    except DataAgentError:
        return None  # gone, forbidden, too large, or a link by now


def _lines(path: str, group: list[Line]) -> Iterator[str]:
    for line in group:
        sign = ":" if line.matched else "-"
        readable = line.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        yield f"{path}{sign}{line.number}{sign}{truncate_line(readable)}"
