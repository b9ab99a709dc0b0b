"""The model that reads episodes (`entity_extraction_model`), within the budgets of a run.

It works behind a run, so its use is settled in the run's account and is no event of it. A call that
does not fit into a budget is not made, and nobody is asked: the episode waits, or rules read it.
"""

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from dataagent_core.config import Settings
from dataagent_core.context.token_counter import TokenCounter, message_tokens
from dataagent_core.engine.assembly.subagent_models import Resolve
from dataagent_core.errors import BudgetExceededError, DataAgentError, ModelUnavailableError
from dataagent_core.models import ResolvedModel, classify
from dataagent_core.usage import (
    CallPrice,
    CallUse,
    Reservation,
    RunAccount,
    TokenUsage,
    price_of,
    tokens_of,
)

# The account of the run whose episodes are read.
ACCOUNT: Final[ContextVar[RunAccount | None]] = ContextVar("episode_account", default=None)
# A provider counts other tokens than we do; a reservation is an upper bound.
_MARGIN: Final = 2


@dataclass(slots=True, eq=False, repr=False)
class ExtractionModel:
    """Asks the model of the settings, which is made when it is first asked."""

    settings: Settings
    resolve: Resolve
    _count: TokenCounter = field(default_factory=TokenCounter, init=False)
    _model: ResolvedModel | None = field(default=None, init=False)
    _price: CallPrice | None = field(default=None, init=False)

    async def __call__(self, instructions: str, text: str, *, answer_tokens_max: int) -> str:
        """Return the answer; a `ModelUnavailableError` when there is none."""
        account = ACCOUNT.get()
        if account is None:
            raise ModelUnavailableError("Episodes are read by a model only beside a run.")
        # The price list takes a second to load, the first time.
        model, price = await asyncio.to_thread(self._open)
        messages = [SystemMessage(instructions), HumanMessage(text)]
        size = _MARGIN * sum(map(self._count, messages))
        worst = price.worst_case(size, answer_tokens_max)
        reservation = await account.reserve(worst, model.name)
        if not isinstance(reservation, Reservation):
            raise BudgetExceededError(str(reservation))
        try:
            answer = await model.model.ainvoke(messages, max_tokens=answer_tokens_max)
        except BaseException as error:
            await asyncio.shield(_settle_failed(account, reservation, price, size, error))
            if isinstance(error, DataAgentError) or not isinstance(error, Exception):
                raise
            raise ModelUnavailableError(f"{type(error).__name__}: {error}") from error
        tokens = _read_tokens(answer, size)
        use = CallUse(tokens=tokens, cost_nano=price.cost_nano(tokens))
        await asyncio.shield(account.settle(reservation, use))
        return str(answer.text)

    async def aclose(self) -> None:
        """Close the model's connections."""
        if self._model is not None:
            await self._model.aclose()

    def _open(self) -> tuple[ResolvedModel, CallPrice]:
        if self._model is None:
            self._model = self.resolve(self.settings.entity_extraction_model, self.settings)
        if self._price is None:
            self._price = price_of(self._model.name, self.settings.models)
        return self._model, self._price


async def _settle_failed(
    account: RunAccount,
    reservation: Reservation,
    price: CallPrice,
    size: int,
    error: BaseException,
) -> None:
    stopped = isinstance(error, asyncio.CancelledError)
    if not stopped and not classify(error).may_have_cost:
        await account.release(reservation)
        return
    # The provider had the request: settle at least what was sent.
    tokens = TokenUsage(input=size // _MARGIN)
    await account.settle(reservation, CallUse(tokens=tokens, cost_nano=price.cost_nano(tokens)))


def _read_tokens(answer: BaseMessage, size: int) -> TokenUsage:
    reported: Any = getattr(answer, "usage_metadata", None)
    counted = tokens_of(reported)
    if counted.total:
        return counted
    return TokenUsage(input=size // _MARGIN, output=message_tokens(answer))
