"""Reading the two files a person writes: `config.toml` and `.env`.

Only the reading; what the keys mean is `gather.py`'s.
"""

import io
from pathlib import Path
from typing import Any

from dotenv import dotenv_values

from dataagent_core.config.limits import CONFIG_FILE_BYTES_MAX
from dataagent_core.config.textfile import parse_toml, read_text

_WHAT = "a file of settings"


def read_config_file(path: Path) -> dict[str, Any]:
    """Parse `config.toml`; a file that is not there sets nothing."""
    text = read_text(path, CONFIG_FILE_BYTES_MAX, _WHAT)
    return {} if text is None else parse_toml(text, str(path), _WHAT)


def read_dotenv(path: Path) -> dict[str, str]:
    """Parse a `.env` file literally: `$` in a password stays a `$`."""
    # Many projects keep a virtual environment in a directory of this name.
    if path.is_dir():
        return {}
    text = read_text(path, CONFIG_FILE_BYTES_MAX, _WHAT)
    if text is None:
        return {}
    pairs = dotenv_values(stream=io.StringIO(text), interpolate=False)
    return {name: value for name, value in pairs.items() if value is not None}
