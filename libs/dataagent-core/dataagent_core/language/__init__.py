"""Which language a person is spoken to in: the setting `language`, found without the settings.

For `--help`, which must be instant, and for errors: the settings may be what failed. A file that
cannot be read says nothing here; whoever reads the settings says what is wrong with it.
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
    """Look where the settings do, in their order: the environment, `.env`, `config.toml`."""
    return (
        environment.get(_VARIABLE, "").strip()
        or _of_dotenv(_text(directory / ".env"))
        or _of_config(_text(_home(environment) / "config.toml"))
        or "auto"
    )


def _home(environment: Mapping[str, str]) -> Path:
    named = Path(environment.get("DATAAGENT_HOME") or "~/.dataagent")
    try:
        return named.expanduser()
    except RuntimeError:  # a user id without a home
        return named


def _of_dotenv(text: str) -> str:
    if _VARIABLE not in text:
        return ""
    from dotenv import dotenv_values

    values = dotenv_values(stream=io.StringIO(text), interpolate=False)
    return (values.get(_VARIABLE) or "").strip()


def _of_config(text: str) -> str:
    try:
        found = tomllib.loads(text).get("language", "")
    except (tomllib.TOMLDecodeError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_FILE_BYTES_MAX).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""
