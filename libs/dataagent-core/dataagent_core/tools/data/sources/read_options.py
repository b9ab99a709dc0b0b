"""The read options a user chose for text files."""

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
_BY_PYTHON_NAME: dict[str, TextEncoding] = {codecs.lookup(name).name: name for name in ENCODINGS}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """The options of one source; None means detected from the files."""

    dates: DateOrder | None = None
    decimals: DecimalMark | None = None
    encoding: TextEncoding | None = None

    def applied_to(self, spec: SourceSpec) -> SourceSpec:
        """Return a source with these options."""
        return replace(spec, dates=self.dates, decimals=self.decimals, encoding=self.encoding)

    def refuse_unless_files(self, spec: SourceSpec) -> None:
        """Refuse options for a source without text files."""
        if self != ReadOptions() and spec.kind != "files":
            raise ValidationError(
                f"dates, decimals and encoding say how text files are read; {spec.name!r} is "
                f"{spec.kind}. Leave them out."
            )


# Looks up the options of a file or folder of a workspace by its path.
FileReadOptions = Callable[[str], Awaitable[ReadOptions]]


def get_read_options(spec: SourceSpec) -> ReadOptions:
    """Return the options of a source."""
    return ReadOptions(dates=spec.dates, decimals=spec.decimals, encoding=spec.encoding)


def check_encoding(name: str) -> TextEncoding:
    """Return our name of an encoding for any of its names."""
    try:
        return _BY_PYTHON_NAME[codecs.lookup(name).name]
    except (LookupError, ValueError):
        raise ValidationError(
            f"{name[:40]!r} is no encoding DataAgent reads. Use one of {', '.join(ENCODINGS)}."
        ) from None
