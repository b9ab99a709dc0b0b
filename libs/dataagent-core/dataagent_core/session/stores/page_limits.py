"""The one rule for page sizes and offsets, the same in every store."""

from dataagent_core.errors import ValidationError

_INTEGER_MAX = 2**63 - 1


def checked_count(value: int, name: str) -> int:
    """Return a limit or an offset, or say why it cannot be one."""
    if not 0 <= value <= _INTEGER_MAX:
        raise ValidationError(f"{name} is {value}; it must be 0 or more.")
    return value
