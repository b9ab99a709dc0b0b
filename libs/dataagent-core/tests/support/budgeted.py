"""People who answer at a budget, and what their runs said, for tests of spending."""

from typing import Any

from agents import Answering, scripted

from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import Decision
from dataagent_core.usage import BudgetKey

USAGE = {
    "input_tokens": 1000,
    "output_tokens": 100,
    "cached_read_tokens": 400,
    "reasoning_tokens": 7,
}
DAY = BudgetKey("user", "local", "day")


class Person(Answering):
    """Answers questions about budgets, then says no."""

    def __init__(self, *budget: Decision) -> None:
        super().__init__()
        self._budget = list(budget)
        self.questions: list[HITLRequestEvent] = []

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        self.questions.append(request)
        return self._budget.pop(0) if self._budget else {"type": "reject"}


class Nobody(Answering):
    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        raise NoOneToAskError("nobody is there")


def model(calls: int, usage: dict[str, int] = USAGE) -> Any:
    """Make a model that calls a tool all but the last time; no call equals the one before."""
    looking = [
        {"tool_calls": [{"name": "echo", "args": {"text": str(number)}}], "usage": usage}
        for number in range(calls - 1)
    ]
    return scripted(*looking, {"text": "done", "usage": usage})


def of(kind: type[Any], events: list[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
