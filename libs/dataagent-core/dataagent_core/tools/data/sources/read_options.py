"""What a person chose about how text files are read, and where such a choice is looked up."""

import codecs
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import get_args

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.sources.source_spec import (
    DateOrder,
    DecimalMark,
    SourceSpec,
    TextEncoding,
)

ENCODINGS: tuple[TextEncoding, ...] = get_args(TextEncoding)
_BY_PYTHON: dict[str, TextEncoding] = {codecs.lookup(name).name: name for name in ENCODINGS}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """None: decided by what is in the files."""

    dates: DateOrder | None = None
    decimals: DecimalMark | None = None
    encoding: TextEncoding | None = None

    def applied_to(self, spec: SourceSpec) -> SourceSpec:
        """Have a source read so."""
        return replace(spec, dates=self.dates, decimals=self.decimals, encoding=self.encoding)

    def refuse_unless_files(self, spec: SourceSpec) -> None:
        """Refuse a choice for what holds no text files."""
        if self != ReadOptions() and spec.kind != "files":
            raise ValidationError(
                f"dates, decimals and encoding say how text files are read; {spec.name!r} is "
                f"{spec.kind}. Leave them out."
            )


# Looks up the choice for a file or folder of a workspace, by its path there.
FileReadOptions = Callable[[str], Awaitable[ReadOptions]]


def get_read_options(spec: SourceSpec) -> ReadOptions:
    """Give what was chosen for a source."""
    return ReadOptions(dates=spec.dates, decimals=spec.decimals, encoding=spec.encoding)


def check_encoding(name: str) -> TextEncoding:
    """Give our name of an encoding, whichever of its names is used."""
    try:
        return _BY_PYTHON[codecs.lookup(name).name]
    except (LookupError, ValueError):
        raise ValidationError(
            f"{name[:40]!r} is no encoding DataAgent reads. Use one of {', '.join(ENCODINGS)}."
        ) from None
