"""The language of messages to people: the setting `language`, read without loading the settings.

It is for `--help`, which must be instant, and for errors: loading the settings may have failed. A
file that cannot be read is ignored here; loading the settings reports what is wrong with it.
"""

import io
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

Language = Literal["en", "zh"]

_VARIABLE: Final = "DATAAGENT_LANGUAGE"
_FILE_BYTES_MAX: Final = 1_048_576


def chosen_language() -> Language:
    """Give the language this process is set to."""
    # Not `Path.cwd()`, which fails in a folder that was removed.
    return language_of(language_setting(os.environ, Path()), os.environ)


def language_of(wanted: str, environment: Mapping[str, str]) -> Language:
    """Choose the language: the one asked for, or with `auto` that of the locale."""
    if wanted == "auto":
        # The order in which the C library looks at them.
        names = ("LC_ALL", "LC_MESSAGES", "LANG")
        wanted = next((environment[name] for name in names if environment.get(name)), "en")
    return "zh" if wanted.lower().startswith("zh") else "en"


def language_setting(environment: Mapping[str, str], directory: Path) -> str:
    """Read the setting in the order of the settings: the environment, `.env`, `config.toml`."""
    return (
        environment.get(_VARIABLE, "").strip()
        or _read_dotenv(_read_file(directory / ".env"))
        or _read_config(_read_file(_find_home(environment) / "config.toml"))
        or "auto"
    )


def _find_home(environment: Mapping[str, str]) -> Path:
    named = Path(environment.get("DATAAGENT_HOME") or "~/.dataagent")
    try:
        return named.expanduser()
    except RuntimeError:  # a user id without a home
        return named


def _read_dotenv(text: str) -> str:
    if _VARIABLE not in text:
        return ""
    from dotenv import dotenv_values

    values = dotenv_values(stream=io.StringIO(text), interpolate=False)
    return (values.get(_VARIABLE) or "").strip()


def _read_config(text: str) -> str:
    try:
        found = tomllib.loads(text).get("language", "")
    except (tomllib.TOMLDecodeError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""


def _read_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_FILE_BYTES_MAX).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""
