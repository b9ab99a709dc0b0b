"""Detects the format of a file by its name."""

from dataclasses import dataclass
from typing import Literal

Format = Literal["csv", "json", "parquet", "xlsx"]
_FORMATS: dict[str, Format] = {
    "csv": "csv",
    "tsv": "csv",
    "tab": "csv",
    "txt": "csv",
    "json": "json",
    "ndjson": "json",
    "jsonl": "json",
    "parquet": "parquet",
    "pq": "parquet",
    "xlsx": "xlsx",
    "xlsm": "xlsx",
}
_COMPRESSIONS = {"gz": "gzip", "zst": "zstd"}
KNOWN_ENDINGS = (*(f".{ending}" for ending in _FORMATS), ".gz and .zst of the text ones")


@dataclass(frozen=True, slots=True)
class FileFormat:
    """The format of a file, and the rest of its name."""

    format: Format
    compression: str
    stem: str
    ending: str


def detect_format(name: str) -> FileFormat | None:
    """Detect the format by the name; None if it is unknown."""
    stem, _, ending = name.rpartition(".")
    compression = _COMPRESSIONS.get(ending.lower(), "")
    if compression:
        stem, _, ending = stem.rpartition(".")
    ending = ending.lower()
    found = _FORMATS.get(ending)
    if not stem or found is None or (compression and found not in ("csv", "json")):
        return None
    return FileFormat(found, compression, stem, ending)
