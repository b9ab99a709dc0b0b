"""Reads untrusted YAML as plain values, with errors in one sentence."""

from typing import Any, Final, cast

import yaml

from dataagent_core.config.limits.data import DATA_YAML_DEEP_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.language.unicode_text import storable

# Python writes no longer one as decimal digits by itself.
_NUMBER_BITS_MAX: Final = 1_024


class YamlLoader(yaml.SafeLoader):
    """Booleans as in YAML 1.2: `on`, `off`, `yes` and `no` are strings."""


YamlLoader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag != "tag:yaml.org,2002:bool" or first in "tTfF"
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(text: str, what: str, bytes_max: int) -> Any:
    """Read a YAML (or JSON) document; `what` describes it in errors."""
    size = len(text.encode("utf-8", "replace"))
    if size > bytes_max:
        raise ValidationError(f"{what} has {size:,} bytes, {bytes_max:,} are possible: split it.")
    try:
        _check_shape(text, what)
        value = yaml.load(text, YamlLoader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        first = " ".join(str(error).split())[:300]
        raise ValidationError(f"{what} cannot be read as YAML: {first}.") from error
    _check_values(value, what)
    return value


def _check_shape(text: str, what: str) -> None:
    """Refuse aliases and deep nesting, which make small files expand to huge values."""
    deep = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise ValidationError(f"{what} uses YAML aliases (*name). Write the values out.")
        deep += isinstance(event, yaml.CollectionStartEvent)
        deep -= isinstance(event, yaml.CollectionEndEvent)
        if deep > DATA_YAML_DEEP_MAX:
            raise ValidationError(f"{what} is nested more than {DATA_YAML_DEEP_MAX} deep.")


def _check_values(value: Any, what: str) -> None:
    """Refuse what escapes and hexadecimal numbers can write, and no database can store."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text if storable(text) is not text:
                raise ValidationError(
                    f"{what} has half a character (a lone surrogate) in {text[:60]!r}."
                )
            case bool():
                pass
            case int() as number if number.bit_length() > _NUMBER_BITS_MAX:
                raise ValidationError(f"{what} has a number of {number.bit_length():,} bits.")
            case dict() as fields:
                of_dict = cast("dict[Any, Any]", fields)
                waiting += [*of_dict.keys(), *of_dict.values()]
            case list() as items:
                waiting += cast("list[Any]", items)
            case _:
                pass
