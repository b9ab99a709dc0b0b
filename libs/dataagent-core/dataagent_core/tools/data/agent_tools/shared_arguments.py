"""What the data tools share: an argument, and what a project adds to the catalogue."""

from collections.abc import Sequence
from typing import Annotated, Protocol

from pydantic import Field

from dataagent_core.tools.data.catalog import CatalogueEntry

SourceArg = Annotated[str, Field(description="Source name, or the path of a data file.")]


class CatalogueExtra(Protocol):
    """What stands in the catalogue beside the sources' own tables."""

    async def files(self) -> Sequence[str]:
        """List data files that can be asked by their paths."""
        ...

    async def entries(self) -> Sequence[CatalogueEntry]:
        """List metrics, dimensions and verified questions."""
        ...
