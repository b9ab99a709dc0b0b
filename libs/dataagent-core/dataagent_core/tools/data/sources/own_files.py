"""Files of DataAgent itself are no sources: keys, sessions, other people's results."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec

_FILES: frozenset[SourceKind] = frozenset({"files", "duckdb", "sqlite", "clickhouse"})


def refuse_own_files(spec: SourceSpec, home: Path, sample: Path) -> None:
    """Refuse a source in our home, links followed; the sample warehouse there may be one."""
    if spec.kind not in _FILES:
        return
    # ClickHouse's folders are addressed as chdb:///path.
    path = unquote(urlsplit(spec.location).path) if spec.kind == "clickhouse" else spec.location
    place = Path(os.path.realpath(path))
    if not place.is_relative_to(os.path.realpath(home)):
        return
    if not place.is_relative_to(os.path.realpath(sample)):
        raise ValidationError(
            f"{spec.location!r} is in DataAgent's own folder, where keys and sessions are kept. "
            "Copy the data elsewhere and add that."
        )
