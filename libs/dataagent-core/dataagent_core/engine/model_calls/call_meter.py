"""Around one attempt at a model call: hold its worst case, make it, count what it used.

Where it does not fit into a budget, the run waits here for somebody who may raise it: a LangGraph
interrupt, as at `permissions/gate.py`. What they allowed is in the run's account when the same line
is reached again. What a call used is said in `step_finish`, the totals in `cost_update`.

Calls that are not the conversation's own may be made on other terms. They hold for what is called
within `on_terms`: a call goes through many parts before it is paid for here, none of which has a
say in them.
"""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage
from langgraph.config import get_config
from langgraph.constants import TAG_NOSTREAM
from langgraph.types import interrupt

from dataagent_core.config.limits import BUDGET_ASKED_MAX
from dataagent_core.config.model_catalog import ModelOverride
from dataagent_core.context.token_counter import message_tokens
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.engine.model_calls.request_size import RequestSizes
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
from dataagent_core.usage.budget_request import request_for

# Between the graphs in the name of a step of a graph in a graph.
_WITHIN = "|"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTerms:
    """How long an answer may be, and whether a run waits for somebody to raise a budget."""

    answer_tokens_max: int | None = None
    waits_for_budget: bool = True


_USUAL = CallTerms()
_TERMS: ContextVar[CallTerms] = ContextVar("model_call_terms", default=_USUAL)


@contextmanager
def on_terms(terms: CallTerms) -> Generator[None]:
    """Let the calls made within be made on these terms."""
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
        """Give what is known of a model."""
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
        worst = pricing.worst_case(self.sizes.at_most(name, size), cap)
        reservation = await _reserve(context, worst, name, may_wait=terms.waits_for_budget)
        if reservation.budgets or self.output_tokens_max or terms.answer_tokens_max:
            # What nobody tells the provider binds nobody, whatever was held for it.
            model, chosen = cap_answer(request.model, request.model_settings, cap)
            request = request.override(model=model, model_settings=chosen)
        try:
            response = await handler(request)
        except BaseException as error:
            # Shielded: a call that is cancelled must not keep its place in a budget.
            await asyncio.shield(self._settle_failed(context, reservation, pricing, size, error))
            raise
        tokens = _tokens_of(response, size)
        self.sizes.learn(name, size, tokens.input)
        use = CallUse(tokens=tokens, cost_nano=pricing.cost_nano(tokens))
        stands = await asyncio.shield(context.account.settle(reservation, use))
        await _announce(
            context, _usage_events(context, use, stands), _cut_warnings(response, tokens)
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
        # The provider had the request, and nobody says what it counted: at least what was sent.
        tokens = TokenUsage(input=size)
        use = CallUse(tokens=tokens, cost_nano=pricing.cost_nano(tokens))
        await context.account.settle(reservation, use)


async def _reserve(
    context: RunContext, worst: Amount, model: str, *, may_wait: bool
) -> Reservation:
    refused = BudgetRefusal(())
    for _ in range(BUDGET_ASKED_MAX):
        answer = await context.account.reserve(worst, model)
        if isinstance(answer, Reservation):
            return answer
        refused = answer
        if not may_wait:
            break
        # Comes back at once with an answer that was about an earlier question of this step; then
        # the call still does not fit, and the next round asks.
        interrupt(request_for(refused))
    raise BudgetExceededError(budget_message(str(refused)))


async def _announce(context: RunContext, used: list[Event], cut: list[Event]) -> None:
    config = get_config()
    # A summary, say: nobody reads it as the answer.
    is_apart = TAG_NOSTREAM in (config.get("tags") or ())
    if is_apart or _WITHIN in config.get("configurable", {}).get("checkpoint_ns", ""):
        # Words that are not in the log, a sub-agent's or a summary's: nothing is waited for.
        for event in used if is_apart else [*used, *cut]:
            await context.recorder.emit(event)
    else:
        context.recorder.defer([*used, *cut])


def _tokens_of(response: ModelResponse[Any], size: int) -> TokenUsage:
    answers = [message for message in response.result if isinstance(message, AIMessage)]
    reported = sum((tokens_of(message.usage_metadata) for message in answers), start=TokenUsage())
    if reported.total:
        return reported
    # An endpoint that reports nothing is not free of limits.
    return TokenUsage(input=size, output=sum(map(message_tokens, answers)))


def _usage_events(context: RunContext, use: CallUse, stands: list[BudgetUse]) -> list[Event]:
    total = context.account.total
    warnings = [
        WarningEvent(
            code="BUDGET_NEARLY_USED",
            message=f"{_percent(one)} % used of {one.budget.key.in_words}.",
        )
        for one in stands
        if one.warn
    ]
    return [
        StepFinishEvent(tokens=use.tokens.as_dict(), cost=usd_of(use.cost_nano)),
        CostUpdateEvent(
            tokens=total.tokens.as_dict(),
            cost=usd_of(total.known_cost_nano),
            budgets=[_as_json(one) for one in stands],
        ),
        *warnings,
    ]


def _cut_warnings(response: ModelResponse[Any], tokens: TokenUsage) -> list[Event]:
    """Say that an answer reached its cap; a tool call that did is the tool's to say."""
    answers = [message for message in response.result if isinstance(message, AIMessage)]
    cut = any(was_cut(one.response_metadata) and not one.tool_calls for one in answers)
    if not cut:
        return []
    message = (
        f"The answer was cut off after {tokens.output:,} tokens, which is all it may have. Ask it "
        "to go on, or raise DATAAGENT_MAX_OUTPUT_TOKENS."
    )
    return [WarningEvent(code="ANSWER_CUT", message=message)]


def _as_json(one: BudgetUse) -> dict[str, Any]:
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
