"""Budgets around one attempt at a model call: reserve its worst case, call, settle its usage.

A call that does not fit into a budget makes the run wait for a person who may raise it: a LangGraph
interrupt, as in `permissions/gate.py`. The raised budget is in the run's account when the same line
is reached again. Where only other calls of the run are in the way, `usage/account.py` waits for
them, and nobody is asked. `step_finish` reports the usage of a call, `cost_update` the totals.

Side calls (`side_calls.py`) have other terms. They are set by `on_terms` in a context variable,
because the functions between there and here do not know them.
"""

import asyncio
import math
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage
from langgraph.config import get_config
from langgraph.constants import TAG_NOSTREAM
from langgraph.types import interrupt

from dataagent_core.config.limits import (
    BUDGET_ASKED_MAX,
    INPUT_DENSITY_MARGIN,
    INPUT_DENSITY_MAX,
    INPUT_DENSITY_UNKNOWN,
)
from dataagent_core.config.model_catalog import ModelOverride
from dataagent_core.context.token_counter import (
    TokenCounter,
    content_tokens,
    message_tokens,
    tools_tokens,
)
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.engine.run_end import budget_message
from dataagent_core.errors import BudgetExceededError
from dataagent_core.events import CostUpdateEvent, Event, StepFinishEvent, WarningEvent
from dataagent_core.models import classify
from dataagent_core.models.answer_cap import cap_answer, own_cap, was_cut
from dataagent_core.runs import RunContext
from dataagent_core.usage import (
    Amount,
    BudgetRefusal,
    BudgetUse,
    CallPrice,
    CallUse,
    Reservation,
    TokenUsage,
    price_of,
    tokens_of,
)
from dataagent_core.usage.budget import usd_of
from dataagent_core.usage.budget_request import is_of_person, request_for

# How often one call may find no room, also when nobody had to be asked.
_ROUNDS_MAX: Final = 100
# Set where a call's reservation is held: a call made in there must not wait for it.
_IN_CALL: ContextVar[bool] = ContextVar("in_model_call", default=False)


@dataclass(slots=True, eq=False)
class RequestSizes:
    """Estimates the tokens of requests by S2's rule; one for all calls of an agent.

    The provider's count for a model's last request says how dense its text is, and the next request
    is mostly the same text. Before the first count, a dense text is assumed.
    """

    _count: TokenCounter = field(default_factory=TokenCounter, init=False)
    # By model: the provider's count divided by the estimate.
    _densities: dict[str, float] = field(default_factory=dict[str, float], init=False)

    def of(self, request: ModelRequest[Any]) -> int:
        """Estimate the tokens of instructions, tools and messages."""
        system = request.system_message
        instructions = 0 if system is None else content_tokens(system.content)
        return instructions + tools_tokens(request.tools) + sum(map(self._count, request.messages))

    def at_most(self, name: str, estimated: int) -> int:
        """Return the upper bound for a request of that estimate."""
        return math.ceil(estimated * self._densities.get(name, INPUT_DENSITY_UNKNOWN))

    def learn(self, name: str, estimated: int, counted: int) -> None:
        """Remember what a provider counted for a request; it may report anything."""
        if estimated and counted:
            seen = max(counted / estimated, 1.0) * INPUT_DENSITY_MARGIN
            self._densities[name] = min(seen, INPUT_DENSITY_MAX)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTerms:
    """How long an answer may be, and whether a run waits for somebody to raise a budget."""

    answer_tokens_max: int | None = None
    waits_for_budget: bool = True


_DEFAULT_TERMS = CallTerms()
_TERMS: ContextVar[CallTerms] = ContextVar("model_call_terms", default=_DEFAULT_TERMS)


@contextmanager
def on_terms(terms: CallTerms) -> Generator[None]:
    """Apply these terms to the model calls made in the block."""
    token = _TERMS.set(terms)
    try:
        yield
    finally:
        _TERMS.reset(token)


@dataclass(slots=True, eq=False)
class CallMeter:
    """Makes calls within the run's budgets."""

    sizes: RequestSizes
    overrides: Mapping[str, ModelOverride] | None = None
    output_tokens_max: int | None = None
    _pricing: dict[str, CallPrice] = field(default_factory=dict[str, CallPrice], init=False)

    def pricing(self, name: str) -> CallPrice:
        """Return the price and the metadata of a model."""
        if name not in self._pricing:
            self._pricing[name] = price_of(name, self.overrides)
        return self._pricing[name]

    async def call(
        self, context: RunContext, request: ModelRequest[Any], handler: ModelHandler, name: str
    ) -> ModelResponse[Any]:
        """Make one call to `name`."""
        # The price list takes a second to load, the first time.
        pricing = self._pricing.get(name) or await asyncio.to_thread(self.pricing, name)
        terms = _TERMS.get()
        size = self.sizes.of(request)
        known = own_cap(request.model) or pricing.metadata.max_output_tokens
        cap = min(known, self.output_tokens_max or known, terms.answer_tokens_max or known)
        worst_case = pricing.worst_case(self.sizes.at_most(name, size), cap)
        reservation = await _reserve(context, worst_case, name, may_wait=terms.waits_for_budget)
        entered = _IN_CALL.set(True)
        try:
            if reservation.budgets or self.output_tokens_max or terms.answer_tokens_max:
                # The provider must be told the cap, or the reservation is no upper bound.
                model, chosen = cap_answer(request.model, request.model_settings, cap)
                request = request.override(model=model, model_settings=chosen)
            response = await handler(request)
            tokens = _tokens_of(response, size)
            use = CallUse(tokens=tokens, cost_nano=pricing.cost_nano(tokens))
        except BaseException as error:
            # Shielded: a cancelled call must not keep its reservation, which others wait for.
            await asyncio.shield(self._settle_failed(context, reservation, pricing, size, error))
            raise
        finally:
            _IN_CALL.reset(entered)
        budget_uses = await asyncio.shield(
            context.account.settle(reservation, use, context.subagent_id)
        )
        self.sizes.learn(name, size, tokens.input)
        await _record_usage(
            context, _usage_events(context, use, budget_uses), _cut_warnings(response, tokens)
        )
        return response

    async def _settle_failed(
        self,
        context: RunContext,
        reservation: Reservation,
        pricing: CallPrice,
        size: int,
        error: BaseException,
    ) -> None:
        stopped = isinstance(error, asyncio.CancelledError)
        if not stopped and not classify(error).may_have_cost:
            await context.account.release(reservation)
            return
        # The provider had the request and reported no count: settle at least what was sent.
        tokens = TokenUsage(input=size)
        use = CallUse(tokens=tokens, cost_nano=pricing.cost_nano(tokens))
        await context.account.settle(reservation, use, context.subagent_id)


async def _reserve(
    context: RunContext, worst_case: Amount, model: str, *, may_wait: bool
) -> Reservation:
    refused, asked = BudgetRefusal(()), 0
    for _ in range(_ROUNDS_MAX):
        answer = await context.account.reserve(worst_case, model, waits=not _IN_CALL.get())
        if isinstance(answer, Reservation):
            return answer
        refused = answer
        if not may_wait or asked >= BUDGET_ASKED_MAX:
            break
        # Returns at once when it finds the answer to an earlier request of this step; then the
        # call still does not fit, and the next round asks.
        asked += is_of_person(interrupt(request_for(refused)))
    raise BudgetExceededError(_explain_refusal(context, refused, may_wait=may_wait))


def _explain_refusal(context: RunContext, refused: BudgetRefusal, *, may_wait: bool) -> str:
    if may_wait and context.subagent is None:
        return budget_message(str(refused))
    # The run goes on without this call.
    return str(refused)


async def _record_usage(context: RunContext, used: list[Event], cut: list[Event]) -> None:
    # For example a summary, which is not part of the answer.
    is_hidden = TAG_NOSTREAM in (get_config().get("tags") or ())
    if is_hidden or context.subagent is not None:
        # The text of a sub-agent or a summary is not in the log: no event has to wait for it.
        for event in used if is_hidden else [*used, *cut]:
            await context.recorder.emit(event)
    else:
        context.recorder.defer([*used, *cut])


def _tokens_of(response: ModelResponse[Any], size: int) -> TokenUsage:
    answers = [message for message in response.result if isinstance(message, AIMessage)]
    reported = sum((tokens_of(message.usage_metadata) for message in answers), start=TokenUsage())
    if reported.total:
        return reported
    # An endpoint that reports nothing is counted by estimate.
    return TokenUsage(input=size, output=sum(map(message_tokens, answers)))


def _usage_events(context: RunContext, use: CallUse, budget_uses: list[BudgetUse]) -> list[Event]:
    total = context.account.total
    warnings = [
        WarningEvent(
            code="BUDGET_NEARLY_USED",
            message=f"{_percent(one)} % used of {one.budget.key.in_words}.",
        )
        for one in budget_uses
        if one.warn
    ]
    return [
        StepFinishEvent(tokens=use.tokens.as_dict(), cost=usd_of(use.cost_nano)),
        CostUpdateEvent(
            tokens=total.tokens.as_dict(),
            cost=usd_of(total.known_cost_nano),
            budgets=[_budget_json(one) for one in budget_uses],
        ),
        *warnings,
    ]


def _cut_warnings(response: ModelResponse[Any], tokens: TokenUsage) -> list[Event]:
    """Warn of an answer that reached its cap; for a tool call, the tool reports it."""
    answers = [message for message in response.result if isinstance(message, AIMessage)]
    cut = any(was_cut(one.response_metadata) and not one.tool_calls for one in answers)
    if not cut:
        return []
    message = (
        f"The answer was cut off after {tokens.output:,} tokens, which is all it may have. Ask it "
        "to go on, or raise DATAAGENT_MAX_OUTPUT_TOKENS."
    )
    return [WarningEvent(code="ANSWER_CUT", message=message)]


def _budget_json(one: BudgetUse) -> dict[str, Any]:
    key = one.budget.key
    return {
        "scope": key.scope,
        "period": key.period,
        "used_cost": usd_of(one.used.cost_nano),
        "cost_max": usd_of(one.budget.cost_nano_max),
        "used_tokens": one.used.tokens,
        "tokens_max": one.budget.tokens_max,
    }


def _percent(one: BudgetUse) -> int:
    pairs = (
        (one.budget.cost_nano_max, one.used.cost_nano or 0),
        (one.budget.tokens_max, one.used.tokens),
    )
    return max(100 * used // max(limit, 1) for limit, used in pairs if limit is not None)
