"""Refuses DataAgent's own files as sources: keys, sessions, other users' results."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec

_FILES: frozenset[SourceKind] = frozenset({"files", "duckdb", "sqlite", "clickhouse"})


def refuse_own_files(spec: SourceSpec, home: Path, sample: Path) -> None:
    """Refuse a source in our home, after links, except the sample warehouse."""
    if spec.kind not in _FILES:
        return
    # ClickHouse's folders are addressed as chdb:///path.
    path = unquote(urlsplit(spec.location).path) if spec.kind == "clickhouse" else spec.location
    real_path = Path(os.path.realpath(path))
    if not real_path.is_relative_to(os.path.realpath(home)):
        return
    if not real_path.is_relative_to(os.path.realpath(sample)):
        raise ValidationError(
            f"{spec.location!r} is in DataAgent's own folder, where keys and sessions are kept. "
            "Copy the data elsewhere and add that."
        )
