"""Settings that have a name and do nothing yet: a value is refused, not silently ignored."""

from typing import Annotated

from pydantic import AfterValidator


def _refuse(value: str | None) -> str | None:
    if value is not None:
        message = "not yet: nothing in this version uses it"
        raise ValueError(message)
    return value


NotYet = Annotated[str | None, AfterValidator(_refuse)]
