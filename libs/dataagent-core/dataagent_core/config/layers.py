"""The three places settings come from, read once: the environment, `.env`, `config.toml`.

The home directory is settled here, since `config.toml` is found through it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dataagent_core.config.configfile import read_config_file, read_dotenv
from dataagent_core.config.variables import PREFIX

HOME_VARIABLE = PREFIX + "HOME"
CONFIG_FILE = "config.toml"


@dataclass(frozen=True, slots=True)
class Layers:
    """What each place says; the earlier field wins."""

    environment: Mapping[str, str]
    dotenv: Mapping[str, str]
    file: Mapping[str, Any]
    home: Path
    # That of `.env`.
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
        # Not from `.env`: a project must not choose whose configuration and history are used.
        home = _expanded(environment.get(HOME_VARIABLE) or "~/.dataagent", environment)
    home = home.absolute()
    return Layers(environment, dotenv, read_config_file(home / CONFIG_FILE), home, directory)


def _expanded(text: str, environment: Mapping[str, str]) -> Path:
    user_home = environment.get("HOME")
    if user_home and (text == "~" or text.startswith("~/")):
        return Path(user_home) / text[2:]
    return Path(text).expanduser()
