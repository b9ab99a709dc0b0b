"""The two habits of our models: requests name every field, answers are read off values."""

from pydantic import BaseModel, ConfigDict


class RequestModel(BaseModel):
    """A request's body; a field it does not know is a mistake, not something to ignore."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ResponseModel(BaseModel):
    """An answer's body, read off a service's value by the names of its fields."""

    model_config = ConfigDict(from_attributes=True, frozen=True)
