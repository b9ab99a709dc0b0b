"""Reading the two files a person writes: `config.toml` and `.env`.

Only the reading, bounded and with errors that name the file; what the keys mean is `gather.py`'s.
"""

import io
import tomllib
from pathlib import Path
from typing import Any

from dotenv import dotenv_values

from dataagent_core.config.limits import CONFIG_FILE_BYTES_MAX
from dataagent_core.errors import ConfigurationError


def read_config_file(path: Path) -> dict[str, Any]:
    """Parse `config.toml`; a file that is not there sets nothing."""
    text = _read_text(path)
    if text is None:
        return {}
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(
            f"{path} is not valid TOML: {error}. Correct that line, or move the file away."
        ) from error
    except RecursionError:
        raise ConfigurationError(f"{path} is nested too deeply to be a config file.") from None


def read_dotenv(path: Path) -> dict[str, str]:
    """Parse a `.env` file literally: `$` in a password stays a `$`."""
    # Many projects keep a virtual environment in a directory of this name.
    if path.is_dir():
        return {}
    text = _read_text(path)
    if text is None:
        return {}
    pairs = dotenv_values(stream=io.StringIO(text), interpolate=False)
    return {name: value for name, value in pairs.items() if value is not None}


def _read_text(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            data = file.read(CONFIG_FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be read: {error.strerror or error}. Make it a readable file, "
            "or move it away."
        ) from error
    if len(data) > CONFIG_FILE_BYTES_MAX:
        raise ConfigurationError(
            f"{path} is larger than {CONFIG_FILE_BYTES_MAX:,} bytes; a file of settings is not."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigurationError(
            f"{path} is not UTF-8: line {line} holds the byte 0x{data[error.start]:02x}. "
            "Save the file as UTF-8."
        ) from error
