"""The three sources of settings, read once: the environment, `.env` and `config.toml`.

The home directory is resolved here, because `config.toml` lies in it. A setting is read from the
variable `PREFIX` + its name in capitals, unless its annotation carries `Variables` with the names
that other software already uses. What the keys mean is decided in `precedence.py`.
"""

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from pydantic.fields import FieldInfo

from dataagent_core.config.files.text_file import parse_toml, read_text
from dataagent_core.config.limits import CONFIG_FILE_BYTES_MAX

_WHAT = "a file of settings"


def read_config_file(path: Path) -> dict[str, Any]:
    """Parse `config.toml`; a missing file sets nothing."""
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


PREFIX = "DATAAGENT_"


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of a setting, the preferred first; none means `config.toml` only."""

    names: tuple[str, ...] = ()


def variable_names(name: str, field: FieldInfo) -> tuple[str, ...]:
    """Return the variables that set this field, in the order they are tried."""
    for mark in field.metadata:
        if isinstance(mark, Variables):
            return mark.names
    return (PREFIX + name.upper(),)


HOME_VARIABLE = PREFIX + "HOME"
CONFIG_FILE = "config.toml"


@dataclass(frozen=True, slots=True)
class Layers:
    """The values of each source; the earlier field wins."""

    environment: Mapping[str, str]
    dotenv: Mapping[str, str]
    file: Mapping[str, Any]
    home: Path
    # The path of `.env`.
    directory: Path

    @property
    def file_path(self) -> Path:
        return self.home / CONFIG_FILE


def read_layers(
    environment: Mapping[str, str] | None = None,
    directory: Path | None = None,
    home: Path | None = None,
) -> Layers:
    """Read all three; by default those of this process and its current directory."""
    environment = dict(os.environ if environment is None else environment)
    directory = directory or Path.cwd()
    dotenv = dict(read_dotenv(directory / ".env"))
    dotenv.pop(HOME_VARIABLE, None)
    if home is None:
        # Not from `.env`: a project must not choose the configuration and the history.
        home = _expand_path(environment.get(HOME_VARIABLE) or "~/.dataagent", environment)
    home = home.absolute()
    return Layers(environment, dotenv, read_config_file(home / CONFIG_FILE), home, directory)


def _expand_path(text: str, environment: Mapping[str, str]) -> Path:
    user_home = environment.get("HOME")
    if user_home and (text == "~" or text.startswith("~/")):
        return Path(user_home) / text[2:]
    return Path(text).expanduser()
