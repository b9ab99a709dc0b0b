"""An argument that several data tools take."""

from typing import Annotated

from pydantic import Field

SourceArg = Annotated[str, Field(description="Source name, or the path of a data file.")]
