"""Closing an executor closes all it was given, whatever one part does."""

from typing import cast

import pytest

from dataagent_core.engine import AgentExecutor
from dataagent_core.engine.history import Graph


class Part:
    """Something to close, which may fail at it."""

    def __init__(self, name: str, closed: list[str], *, fails: bool) -> None:
        self._name = name
        self._closed = closed
        self._fails = fails

    async def aclose(self) -> None:
        self._closed.append(self._name)
        if self._fails:
            raise OSError(f"{self._name} cannot be closed")


async def test_every_part_is_closed_in_order_and_what_failed_is_told():
    closed: list[str] = []
    parts = [Part(name, closed, fails=name != "c") for name in "abc"]
    executor = AgentExecutor(cast("Graph", None), None, closing=parts)
    with pytest.raises(ExceptionGroup) as failed:
        await executor.aclose()
    assert closed == ["a", "b", "c"]
    assert [str(error) for error in failed.value.exceptions] == [
        "a cannot be closed",
        "b cannot be closed",
    ]
