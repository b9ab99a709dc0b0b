"""Saves the choice in `config.toml`, which only its owner can read.

A pasted key is written only there: not into the environment, a shell's history, an event or a log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataagent_core.config import Settings


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model, and the settings that reach it."""

    model: str
    values: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    def settings(self, now: "Settings") -> "Settings":
        """Return the settings with these values, to try the model."""
        values: dict[str, Any] = {**self.values, "home": now.home}
        return type(now)(**values)

    def without_keys(self, text: str) -> str:
        """Remove the keys from a text of others."""
        for name, value in self.values.items():
            if name.endswith("_api_key"):
                text = text.replace(value, "***")
        return text


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The file, and the settings that another source overrules, by that source."""

    path: Path
    overruled: Mapping[str, str]


def save(chosen: ModelSettings, now: "Settings") -> SaveResult:
    """Write the choice, and return what overrules it."""
    from dataagent_core.config.files.config_edit import set_in_file
    from dataagent_core.config.resolve.layers import CONFIG_FILE

    path = now.home / CONFIG_FILE
    values = {**chosen.values, "model": chosen.model}
    set_in_file(path, values)
    after = type(now)(home=now.home)
    sources = {name: after.source_of(name) for name in values}
    return SaveResult(path, {n: source for n, source in sources.items() if source != CONFIG_FILE})
