"""How text files are read, as the API takes and shows it."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from dataagent_core.tools.data.sources.source_spec import DateOrder, DecimalMark, TextEncoding
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.data.sources.data_source import Auto, ReadingChanges


def _auto(value: Any) -> Any:
    return "auto" if value is None else value


_DATES = "Whether 01/02/2024 is the 1st of February (dmy) or January the 2nd (mdy)"
_DECIMALS = "Whether 1.234 is a little more than one (point) or than a thousand (comma)"
_ENCODING = "In which encoding the text is, by Python's name"


class ReadingInfo(ResponseModel):
    """What a person chose; `auto`: decided by what is in the files."""

    dates: Annotated[DateOrder | Auto, BeforeValidator(_auto)] = Field(description=_DATES)
    decimals: Annotated[DecimalMark | Auto, BeforeValidator(_auto)] = Field(description=_DECIMALS)
    encoding: Annotated[TextEncoding | Auto, BeforeValidator(_auto)] = Field(description=_ENCODING)


class ReadingChange(RequestModel):
    """What is to change; fields left out stay, `auto` takes a choice away."""

    dates: DateOrder | Auto | None = Field(default=None, description=_DATES)
    decimals: DecimalMark | Auto | None = Field(default=None, description=_DECIMALS)
    encoding: TextEncoding | Auto | None = Field(default=None, description=_ENCODING)

    @property
    def wish(self) -> ReadingChanges:
        """Say it to the service."""
        return ReadingChanges(dates=self.dates, decimals=self.decimals, encoding=self.encoding)


class FileReadingInfo(ResponseModel):
    """How a data file of your default workspace is read."""

    path: str
    reading: ReadingInfo
