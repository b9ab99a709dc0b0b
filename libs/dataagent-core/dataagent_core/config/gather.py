"""Putting the layers together: for each setting, the value that wins and where it came from.

Pure. Unknown keys of `config.toml` are an error here, because a misspelt setting that is silently
ignored is the hardest kind to find. A setting of another package stands in that package's table
(`[server]`), so that the command line can read the same file without knowing it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic.fields import FieldInfo

from dataagent_core.config.file_keys import refuse_unknown_keys
from dataagent_core.config.layers import Layers
from dataagent_core.config.variables import variable_names


@dataclass(frozen=True, slots=True)
class Found:
    """One setting's value and the place it was found, as `config show` prints it."""

    value: Any
    source: str


def gather(
    fields: Mapping[str, FieldInfo],
    layers: Layers,
    tables: Mapping[str, str] | None = None,
    withheld: Collection[str] = (),
) -> dict[str, Found]:
    """Find every setting that is set somewhere; the others keep their defaults.

    What is `withheld` is not taken from `.env` (`project_env.py`).
    `tables` names the table of `config.toml` a setting stands in, if it is not the top.
    """
    tables = tables or {}
    refuse_unknown_keys(fields, layers, tables)
    found: dict[str, Found] = {}
    for name, field in fields.items():
        seen = replace(layers, dotenv={}) if name in withheld else layers
        winner = _find(name, variable_names(name, field), seen, tables.get(name))
        if winner is not None:
            found[name] = winner
    # Already settled, and expanded, while the layers were read.
    found["home"] = Found(layers.home, found["home"].source if "home" in found else "default")
    return found


def _find(name: str, variables: tuple[str, ...], layers: Layers, table: str | None) -> Found | None:
    # An empty variable means "not set": that is how a shell or compose file unsets one.
    for variable in variables:
        if value := layers.environment.get(variable, "").strip():
            return Found(value, f"environment {variable}")
    for variable in variables:
        if value := layers.dotenv.get(variable, "").strip():
            return Found(value, ".env")
    keys = layers.file if table is None else layers.file.get(table, {})
    if name in keys:
        return Found(keys[name], "config.toml" if table is None else f"config.toml [{table}]")
    return None
