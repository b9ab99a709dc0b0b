"""The middleware that shows a model call the part of the history that fits, and reports its tokens.

It is the last of the agent's own middleware, so that it counts what is really sent. It decides when
to compact: before a call that would fill the window, after a provider refused a request as too
long, and when a user asks for it. `context/compaction/plan.py` decides what is left out;
`context/compaction/compactor.py` does it.
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
    was_vain,
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
        # Set if the catalogue does not know the model; called once, when the window matters.
        self._ask_window = ask_window
        self._compactor = Compactor(log, self._snapshots)
        self.tools = [recall.bind(RecallServices(log, messages, manager.window_tokens))]

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Handler) -> Any:
        context = run_context(request.runtime)
        record = ContextRecord.from_state(request.state.get(RECORD_KEY))
        snapshot = self._snapshots.at(request, record)
        if context.run.kind == "compaction":
            snapshot = await self._compact_on_request(request, handler, snapshot, context)
            return _with_state_update(
                ModelResponse(result=[]), snapshot.report, snapshot.record, record
            )
        if self._ask_window is not None and snapshot.tokens >= WINDOW_MATTERS_TOKENS:
            await self._learn_window(context, self._ask_window)
            snapshot = self._snapshots.at(request, record)
        await self._warn_of_instructions(context, request, snapshot.report)
        target = CompactionTarget(budget=self._snapshots.manager.token_budget)
        is_full = snapshot.tokens >= self._snapshots.manager.trigger_tokens
        if is_full and not was_vain(snapshot, target, request.messages):
            snapshot = await self._compactor.shorten(request, handler, snapshot, target)
        snapshot, response = await self._call_model(request, handler, snapshot)
        report = add_answer(snapshot.report, response.result)
        return _with_state_update(response, report, snapshot.record, record)

    async def _compact_on_request(
        self,
        request: ModelRequest[Any],
        handler: Handler,
        snapshot: RequestSnapshot,
        context: RunContext,
    ) -> RequestSnapshot:
        """Compact at a user's request; the only model call is the summary."""
        keep = one_line(context.keep, PIN_REQUEST_CHARS_MAX)
        target = CompactionTarget(
            budget=self._snapshots.manager.token_budget, is_requested=True, keep=keep
        )
        after = await self._compactor.shorten(request, handler, snapshot, target)
        if after.record.version == snapshot.record.version:
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
        # Only at the first call, which has no report yet.
        if written > manager.system_tokens and request.state.get(REPORT_KEY) is None:
            await context.recorder.commit(large_instructions_event(context.run, written, manager))

    async def _call_model(
        self, request: ModelRequest[Any], handler: Handler, snapshot: RequestSnapshot
    ) -> tuple[RequestSnapshot, ModelResponse[Any]]:
        """Call the model, again with less when the provider refuses the size."""
        for _ in range(OVERFLOW_TRIES_MAX):
            try:
                return snapshot, await handler(request.override(messages=snapshot.messages))
            except ProviderOverflowError as error:
                refused = snapshot
                self._lower_window(refused, error)
                manager, estimate = self._snapshots.manager, refused.report.estimated_tokens
                budget = int(min(manager.token_budget, estimate) * OVERFLOW_STEP)
                target = CompactionTarget(budget=budget, is_forced=True)
                snapshot = await self._compactor.shorten(request, handler, refused, target)
                if snapshot.report.estimated_tokens >= estimate:
                    raise _overflow_error(refused, error) from error
        try:
            return snapshot, await handler(request.override(messages=snapshot.messages))
        except ProviderOverflowError as error:
            raise _overflow_error(snapshot, error) from error

    def _lower_window(self, refused: RequestSnapshot, error: ProviderOverflowError) -> None:
        """Lower the window to less than the refused request, whatever the catalogue says."""
        size = max(refused.tokens, refused.report.estimated_tokens, WINDOW_TOKENS_MIN)
        # The provider's own number is better than our estimate: dense text costs more.
        window = stated_window(str(error)) or size
        manager = self._snapshots.manager
        self._snapshots.manager = manager.within(min(window, manager.window_tokens))


def _with_state_update(
    response: ModelResponse[Any],
    report: ContextReport,
    record: ContextRecord,
    before: ContextRecord,
) -> ExtendedModelResponse[Any]:
    update: dict[str, Any] = {REPORT_KEY: report.to_state()}
    if record is not before:
        update[RECORD_KEY] = record.to_state()
    return ExtendedModelResponse(response, Command(update=update))


def _overflow_error(
    snapshot: RequestSnapshot, error: ProviderOverflowError
) -> ContextOverflowError:
    return ContextOverflowError(
        f"the conversation does not fit the model after recovery: about "
        f"{snapshot.report.estimated_tokens:,} tokens were refused ({error}). Ask in a new "
        "session, send less at once, or set DATAAGENT_MAX_CONTEXT_TOKENS to what the model really "
        "takes."
    )
