"""What the data tools share: an argument, and what a project adds to the catalogue."""

from collections.abc import Sequence
from typing import Annotated, Protocol

from pydantic import Field

from dataagent_core.tools.data.catalog import Entry

SourceArg = Annotated[str, Field(description="Source name, or the path of a data file.")]


class Extra(Protocol):
    """What stands in the catalogue beside the sources' own tables."""

    async def files(self) -> Sequence[str]:
        """List data files that can be asked by their paths."""
        ...

    async def entries(self) -> Sequence[Entry]:
        """List metrics, dimensions and verified questions."""
        ...
