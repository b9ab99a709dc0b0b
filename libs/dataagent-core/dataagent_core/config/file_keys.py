"""Refusing keys of `config.toml` that set nothing, with the way to what was meant. Pure."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NoReturn

from dataagent_core.config.layers import HOME_VARIABLE, Layers
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
