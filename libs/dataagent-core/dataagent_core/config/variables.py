"""Which environment variables a setting is read from.

A setting is `PREFIX` + its name in capitals unless its annotation carries `Variables`, which names
the variables as someone else's software already calls them.
"""

from dataclasses import dataclass

from pydantic.fields import FieldInfo

PREFIX = "DATAAGENT_"


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of a setting, the preferred first; none means `config.toml` only."""

    names: tuple[str, ...] = ()


def variable_names(name: str, field: FieldInfo) -> tuple[str, ...]:
    """Name the variables that set this field, in the order they are tried."""
    for mark in field.metadata:
        if isinstance(mark, Variables):
            return mark.names
    return (PREFIX + name.upper(),)
