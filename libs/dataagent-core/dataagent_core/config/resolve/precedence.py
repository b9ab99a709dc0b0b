"""Merges the layers: for each setting the value that wins, and where it came from. Pure.

An unknown key of `config.toml` is an error, with the nearest known key, because a misspelt setting
that is ignored is hard to find. Settings of another package are in that package's table
(`[server]`), so that the command line can read the same file without knowing them.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, NoReturn

from pydantic.fields import FieldInfo

from dataagent_core.config.resolve.layers import HOME_VARIABLE, Layers, variable_names
from dataagent_core.errors import ConfigurationError

# Tables that belong to the other packages, which check them themselves.
FOREIGN_TABLES = ("server", "ops")


def refuse_unknown_keys(fields: Iterable[str], layers: Layers, tables: Mapping[str, str]) -> None:
    """Check the top of the file and each table whose settings are among `fields`."""
    at_top = [name for name in fields if name != "home" and name not in tables]
    for key in layers.file:
        if key == "home":
            raise ConfigurationError(
                f"{layers.file_path} sets 'home', but the file is found through it: "
                f"set {HOME_VARIABLE} in the environment instead."
            )
        if key in tables:
            raise ConfigurationError(
                f"{layers.file_path} sets {key!r} at its top, but it belongs into the table "
                f"[{tables[key]}]: move it there."
            )
        if key not in at_top and key not in FOREIGN_TABLES:
            _refuse(f"{layers.file_path} sets {key!r}", key, at_top)
    for table in sorted(set(tables.values())):
        _check_table(table, layers, [name for name, where in tables.items() if where == table])


def _check_table(table: str, layers: Layers, known: list[str]) -> None:
    keys: Any = layers.file.get(table, {})
    if not isinstance(keys, dict):
        raise ConfigurationError(
            f"{layers.file_path} sets {table!r} to {keys!r}, but it is a table: write [{table}] "
            "on a line of its own and the settings below it."
        )
    for key in keys:
        if key not in known:
            _refuse(f"{layers.file_path} sets {key!r} in [{table}]", str(key), known)


def _refuse(what: str, key: str, known: list[str]) -> NoReturn:
    near = get_close_matches(key, known, n=1, cutoff=0.0)
    raise ConfigurationError(
        f"{what}, which is not a setting; the nearest is "
        f"{near[0]!r}. `dataagent config show` lists them all."
    )


@dataclass(frozen=True, slots=True)
class ResolvedSetting:
    """One setting's value and its source, as `config show` prints it."""

    value: Any
    source: str


def resolve_settings(
    fields: Mapping[str, FieldInfo],
    layers: Layers,
    tables: Mapping[str, str] | None = None,
    withheld: Collection[str] = (),
) -> dict[str, ResolvedSetting]:
    """Find every setting that is set somewhere; the others keep their defaults.

    What is `withheld` is not taken from `.env` (`config/files/project_env.py`).
    `tables` names the table of `config.toml` a setting stands in, if it is not the top.
    """
    tables = tables or {}
    if layers.file:
        refuse_unknown_keys(fields, layers, tables)
    found: dict[str, ResolvedSetting] = {}
    for name, field in fields.items():
        seen = replace(layers, dotenv={}) if name in withheld else layers
        winner = _find(name, variable_names(name, field), seen, tables.get(name))
        if winner is not None:
            found[name] = winner
    # Already resolved and expanded while the layers were read.
    found["home"] = ResolvedSetting(
        layers.home, found["home"].source if "home" in found else "default"
    )
    return found


def _find(
    name: str, variables: tuple[str, ...], layers: Layers, table: str | None
) -> ResolvedSetting | None:
    # An empty variable means "not set": that is how a shell or compose file unsets one.
    for variable in variables:
        if value := layers.environment.get(variable, "").strip():
            return ResolvedSetting(value, f"environment {variable}")
    for variable in variables:
        if value := layers.dotenv.get(variable, "").strip():
            return ResolvedSetting(value, ".env")
    keys = layers.file if table is None else layers.file.get(table, {})
    if name in keys:
        return ResolvedSetting(
            keys[name], "config.toml" if table is None else f"config.toml [{table}]"
        )
    return None
