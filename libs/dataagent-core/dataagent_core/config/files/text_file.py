"""Reads a file that a user writes: bounded, UTF-8, TOML; with errors that name the file.

Serves `config.toml` and `.env` (`config/resolve/layers.py`) and the files of rules
(`permissions/`). What the keys mean is theirs.
"""

import tomllib
from pathlib import Path
from typing import Any

from dataagent_core.errors import ConfigurationError


def read_text(path: Path, bytes_max: int, what: str) -> str | None:
    """Read a whole file; None if it does not exist. `what` describes it in errors."""
    try:
        with path.open("rb") as file:
            data = file.read(bytes_max + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be read: {error.strerror or error}. Make it a readable file, "
            "or move it away."
        ) from error
    if len(data) > bytes_max:
        raise ConfigurationError(f"{path} is larger than {bytes_max:,} bytes; {what} is not.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigurationError(
            f"{path} is not UTF-8: line {line} holds the byte 0x{data[error.start]:02x}. "
            "Save the file as UTF-8."
        ) from error


def parse_toml(text: str, where: str, what: str) -> dict[str, Any]:
    """Read a text as TOML; `where` names it in errors."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(
            f"{where} is not valid TOML: {error}. Correct that line, or move the file away."
        ) from error
    except RecursionError:
        raise ConfigurationError(f"{where} is nested too deeply to be {what}.") from None
