"""Putting the layers together: for each setting, the value that wins and where it came from.

Pure. Unknown keys of `config.toml` are an error here, because a misspelt setting that is silently
ignored is the hardest kind to find.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic.fields import FieldInfo

from dataagent_core.config.layers import HOME_VARIABLE, Layers
from dataagent_core.config.variables import variable_names
from dataagent_core.errors import ConfigurationError

# Tables that belong to the other packages, which check them themselves.
FOREIGN_TABLES = ("server", "ops")


@dataclass(frozen=True, slots=True)
class Found:
    """One setting's value and the place it was found, as `config show` prints it."""

    value: Any
    source: str


def gather(fields: Mapping[str, FieldInfo], layers: Layers) -> dict[str, Found]:
    """Find every setting that is set somewhere; the others keep their defaults."""
    _refuse_unknown_keys(fields, layers)
    found: dict[str, Found] = {}
    for name, field in fields.items():
        winner = _find(name, variable_names(name, field), layers)
        if winner is not None:
            found[name] = winner
    # Already settled, and expanded, while the layers were read.
    found["home"] = Found(layers.home, found["home"].source if "home" in found else "default")
    return found


def _find(name: str, variables: tuple[str, ...], layers: Layers) -> Found | None:
    # An empty variable means "not set": that is how a shell or compose file unsets one.
    for variable in variables:
        if value := layers.environment.get(variable, "").strip():
            return Found(value, f"environment {variable}")
    for variable in variables:
        if value := layers.dotenv.get(variable, "").strip():
            return Found(value, ".env")
    if name in layers.file:
        return Found(layers.file[name], "config.toml")
    return None


def _refuse_unknown_keys(fields: Mapping[str, FieldInfo], layers: Layers) -> None:
    known = [name for name in fields if name != "home"]
    for key in layers.file:
        if key == "home":
            raise ConfigurationError(
                f"{layers.file_path} sets 'home', but the file is found through it: "
                f"set {HOME_VARIABLE} in the environment instead."
            )
        if key not in known and key not in FOREIGN_TABLES:
            near = get_close_matches(key, known, n=1, cutoff=0.0)
            raise ConfigurationError(
                f"{layers.file_path} sets {key!r}, which is not a setting; the nearest is "
                f"{near[0]!r}. `dataagent config show` lists them all."
            )
