"""Around every model call: show what fits of the history, and say how the window was spent.

The last of the agent's own middleware, so that it counts what is really sent. What is decided is in
`context/compaction/plan.py`, how it is carried out in `context/compaction/compactor.py`; here is
when: before a call that would fill the window, after a provider said that it was too much, and when
a person asks for it.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware.types import (
    AgentMiddleware,
    ExtendedModelResponse,
    ModelRequest,
    ModelResponse,
)
from langchain_core.exceptions import ContextOverflowError as ProviderOverflowError
from langgraph.types import Command

from dataagent_core.config.limits.context import (
    OVERFLOW_STEP,
    OVERFLOW_TRIES_MAX,
    PIN_REQUEST_CHARS_MAX,
    WINDOW_MATTERS_TOKENS,
    WINDOW_TOKENS_MIN,
)
from dataagent_core.context.compaction.compaction_events import (
    large_instructions_event,
    nothing_to_compact_event,
    unknown_window_event,
)
from dataagent_core.context.compaction.compactor import (
    CompactionTarget,
    Compactor,
    Handler,
    is_vain,
)
from dataagent_core.context.context_record import (
    RECORD_KEY,
    REPORT_KEY,
    ContextRecord,
    ContextState,
)
from dataagent_core.context.pins.sentences import one_line
from dataagent_core.context.recall_tool import RecallServices, recall
from dataagent_core.context.report import ContextReport, add_answer
from dataagent_core.context.request_snapshot import RequestSnapshot, RequestSnapshots
from dataagent_core.context.token_counter import RunningTotals
from dataagent_core.context.window_manager import ContextWindowManager
from dataagent_core.context.window_size import stated_window
from dataagent_core.errors import ContextOverflowError
from dataagent_core.runs import RunContext, run_context
from dataagent_core.session import EventLog, MessageStore

AskWindow = Callable[[], Awaitable[int | None]]


class ContextMiddleware(AgentMiddleware[Any, Any, Any]):
    """Shows each model call a view of the history that fits the window."""

    state_schema = ContextState

    def __init__(
        self,
        manager: ContextWindowManager,
        log: EventLog,
        messages: MessageStore,
        ask_window: AskWindow | None = None,
    ) -> None:
        super().__init__()
        self._snapshots = RequestSnapshots(manager, RunningTotals(manager.count))
        # Where the catalogue does not know the model: asked once, when it begins to matter.
        self._ask_window = ask_window
        self._compactor = Compactor(log, self._snapshots)
        self.tools = [recall.bind(RecallServices(log, messages, manager.window_tokens))]

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Handler) -> Any:
        context = run_context(request.runtime)
        record = ContextRecord.from_state(request.state.get(RECORD_KEY))
        look = self._snapshots.at(request, record)
        if context.run.kind == "compaction":
            look = await self._compact_as_asked(request, handler, look, context)
            return _extended(ModelResponse(result=[]), look.report, look.record, record)
        if self._ask_window is not None and look.tokens >= WINDOW_MATTERS_TOKENS:
            await self._learn_window(context, self._ask_window)
            look = self._snapshots.at(request, record)
        await self._warn_of_instructions(context, request, look.report)
        aim = CompactionTarget(budget=self._snapshots.manager.token_budget)
        is_full = look.tokens >= self._snapshots.manager.trigger_tokens
        if is_full and not is_vain(look, aim, request.messages):
            look = await self._compactor.shorter(request, handler, look, aim)
        look, response = await self._answer(request, handler, look)
        report = add_answer(look.report, response.result)
        return _extended(response, report, look.record, record)

    async def _compact_as_asked(
        self,
        request: ModelRequest[Any],
        handler: Handler,
        look: RequestSnapshot,
        context: RunContext,
    ) -> RequestSnapshot:
        """Do what a person asked for, and ask the model nothing but a summary."""
        words = one_line(context.keep, PIN_REQUEST_CHARS_MAX)
        aim = CompactionTarget(budget=self._snapshots.manager.token_budget, wanted=True, keep=words)
        after = await self._compactor.shorter(request, handler, look, aim)
        if after.record.version == look.record.version:
            await context.recorder.commit(nothing_to_compact_event())
        return after

    async def _learn_window(self, context: RunContext, ask: AskWindow) -> None:
        self._ask_window = None
        window = await ask()
        manager = self._snapshots.manager
        if window is None:
            await context.recorder.commit(unknown_window_event(context.run, manager))
        else:
            self._snapshots.manager = manager.within(window)

    async def _warn_of_instructions(
        self, context: RunContext, request: ModelRequest[Any], report: ContextReport
    ) -> None:
        manager = self._snapshots.manager
        written = report.system + report.skills + report.memory
        # Once: what an earlier call found, it has said.
        if written > manager.system_tokens and request.state.get(REPORT_KEY) is None:
            await context.recorder.commit(large_instructions_event(context.run, written, manager))

    async def _answer(
        self, request: ModelRequest[Any], handler: Handler, look: RequestSnapshot
    ) -> tuple[RequestSnapshot, ModelResponse[Any]]:
        """Ask, and ask again for less when the provider says that it is too much."""
        for _ in range(OVERFLOW_TRIES_MAX):
            try:
                return look, await handler(request.override(messages=look.messages))
            except ProviderOverflowError as error:
                refused = look
                self._learn_from(refused, error)
                manager, estimate = self._snapshots.manager, refused.report.estimated_tokens
                budget = int(min(manager.token_budget, estimate) * OVERFLOW_STEP)
                aim = CompactionTarget(budget=budget, must=True)
                look = await self._compactor.shorter(request, handler, refused, aim)
                if look.report.estimated_tokens >= estimate:
                    raise _too_long(refused, error) from error
        try:
            return look, await handler(request.override(messages=look.messages))
        except ProviderOverflowError as error:
            raise _too_long(look, error) from error

    def _learn_from(self, refused: RequestSnapshot, error: ProviderOverflowError) -> None:
        """Whatever the catalogue says: what was refused is more than the model takes."""
        size = max(refused.tokens, refused.report.estimated_tokens, WINDOW_TOKENS_MIN)
        # Its own number is better than what we think that we sent: dense text costs more.
        window = stated_window(str(error)) or size
        manager = self._snapshots.manager
        self._snapshots.manager = manager.within(min(window, manager.window_tokens))


def _extended(
    response: ModelResponse[Any],
    report: ContextReport,
    record: ContextRecord,
    before: ContextRecord,
) -> ExtendedModelResponse[Any]:
    update: dict[str, Any] = {REPORT_KEY: report.to_state()}
    if record is not before:
        update[RECORD_KEY] = record.to_state()
    return ExtendedModelResponse(response, Command(update=update))


def _too_long(look: RequestSnapshot, error: ProviderOverflowError) -> ContextOverflowError:
    return ContextOverflowError(
        f"the conversation does not fit the model after recovery: about "
        f"{look.report.estimated_tokens:,} tokens were refused ({error}). Ask in a new session, "
        "send less at once, or set DATAAGENT_MAX_CONTEXT_TOKENS to what the model really takes."
    )
