"""Routes a run's message (S2 §9.3): recommends who fits, and gives work to whom a person named.

The route is found once, when the run begins, and kept in the state. A recommendation is a note
behind the message, and what to do stays the model's decision. A sub-agent that a person asked for
gets a task for certain: if the model's first answer gives it none, the message itself is its task.
One that cannot be had is a warning. A message that fits nobody costs neither a call nor a token.
`subagents/subagent_matcher.py` finds the route; whom a person forbids is refused by the tool
(`task_tool.py`).
"""

from dataclasses import replace
from typing import Annotated, Any, NotRequired, cast

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.tool import ToolCall, tool_call

from dataagent_core.config.limits.subagents import ROUTER_ANSWER_TOKENS_MAX
from dataagent_core.engine.memory.recalled_state import list_idle_tools
from dataagent_core.engine.middleware.message_note import add_note, find_message
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.engine.model_calls.call_meter import CallTerms, on_terms
from dataagent_core.engine.model_calls.side_calls import SideCalls
from dataagent_core.errors import ModelError
from dataagent_core.events import SubAgentEvent, WarningEvent
from dataagent_core.ids import new_id
from dataagent_core.permissions.tool_groups import TASK, TASK_TOOLS
from dataagent_core.runs import RunContext, run_context
from dataagent_core.subagents.mentions import read_mentions
from dataagent_core.subagents.route import Route, make_assigned_id
from dataagent_core.subagents.router_question import RouterQuestion
from dataagent_core.subagents.subagent_matcher import SubAgentMatcher

_ROUTE = "delegation_route"
_NOTE = "note"
_WANTED = "wanted"
_MODE = "mode"


class _RouteState(AgentState[Any]):
    delegation_route: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]


class RouterMiddleware(AgentMiddleware[Any, Any, Any]):
    """Wraps the model calls of the agent itself; sub-agents are not routed."""

    state_schema = _RouteState

    def __init__(
        self,
        matcher: SubAgentMatcher,
        tools: frozenset[str],
        side_calls: SideCalls | None = None,
    ) -> None:
        super().__init__()
        self._matcher = matcher
        self._tools = tools
        self._side_calls = side_calls

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        context = run_context(runtime)
        message = context.message
        # The words of others ask for nobody, but a client may choose beside them. A workflow says
        # itself who works.
        is_routed = context.run.kind == "message" and "workflow" not in message.planning
        if not is_routed or not (message.text or message.use):
            return {_ROUTE: {}}
        found = await self._matcher.route(
            message.text,
            use=message.use,
            forbid=message.forbid,
            tools=self._tools,
            idle_tools=list_idle_tools(state),
            ask=self._ask if self._side_calls is not None else None,
        )
        await context.recorder.commit(*_refusal_warnings(found, context.run.run_id))
        if not found.chosen and not found.refused:
            return {_ROUTE: {}}
        await context.recorder.commit(*_assigned_events(found, context.run.run_id))
        asked = {*message.use, *read_mentions(message.text, self._matcher.names).use}
        # In a hierarchy the first one leads, and delegates to the others itself.
        given = found.chosen[:1] if found.mode == "hierarchical" else found.chosen
        wanted = [name for name in given if name in asked]
        note = _make_note(found, asked=bool(wanted))
        return {_ROUTE: {_NOTE: note, _WANTED: wanted, _MODE: found.mode}}

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        route: dict[str, Any] | None = request.state.get(_ROUTE)
        if not route:
            return await handler(request)
        context = run_context(request.runtime)
        messages = add_note(request.messages, context.run.message_id, route[_NOTE])
        answer = await handler(request.override(messages=messages))
        wanted: list[str] = route[_WANTED]
        turns = _list_turns(request, context)
        if not wanted or len(turns) != 1:
            return answer
        return _with_tasks(answer, wanted, route[_MODE], turns[0].text)

    async def _ask(self, question: RouterQuestion) -> str:
        ask = cast("SideCalls", self._side_calls)
        # A route is not worth a question to a person about a budget.
        terms = CallTerms(answer_tokens_max=ROUTER_ANSWER_TOKENS_MAX, waits_for_budget=False)
        try:
            with on_terms(terms):
                return await ask(SystemMessage(question.system), [HumanMessage(question.user)])
        except ContextOverflowError as error:
            # The library's own, for a compaction to catch; here the score decides instead.
            raise ModelError(f"the request does not fit the model's window: {error}") from error


def _refusal_warnings(found: Route, run_id: str) -> list[WarningEvent]:
    return [
        WarningEvent(
            event_id=f"subagent refused:{run_id}:{number}",
            code="SUBAGENT_UNAVAILABLE",
            message=sentence,
        )
        for number, sentence in enumerate(found.refused)
    ]


def _assigned_events(found: Route, run_id: str) -> list[SubAgentEvent]:
    ids = {one.name: one.id for one in found.candidates}
    return [
        SubAgentEvent(
            event_id=make_assigned_id(run_id, name),
            phase="assigned",
            name=name,
            agent_id=ids.get(name, name),
            mode=found.mode,
            confidence=round(found.confidence, 3),
            reason=found.reason,
        )
        for name in found.chosen
    ]


def _make_note(found: Route, *, asked: bool) -> str:
    sentences = list(found.refused)
    if found.refused:
        sentences.append("The person was told so; go on without it.")
    if found.chosen:
        sentences.append(_recommend(found))
    if asked:
        sentences.append("The person asked for it by name: use it.")
    return f"<delegation-note>\n{' '.join(sentences)}\n</delegation-note>"


def _recommend(found: Route) -> str:
    names = ", ".join(found.chosen)
    match found.mode:
        case "parallel":
            how = f"The sub-agents {names} fit this message, each for a part, at the same time"
        case "sequential":
            how = f"The sub-agents {names} fit this message, one after the other (`then`)"
        case "hierarchical":
            how = f"{found.chosen[0]} fits this message and can delegate to the others of {names}"
        case _:
            how = f"The sub-agent {names} fits this message"
    return f"{how}."


def _list_turns(request: ModelRequest[Any], context: RunContext) -> list[BaseMessage]:
    """List the run's message and the model's answers to it so far."""
    messages = request.state["messages"]
    asked = find_message(messages, context.run.message_id)
    if asked is None:
        return []
    answers = [message for message in messages[asked + 1 :] if isinstance(message, AIMessage)]
    return [messages[asked], *answers]


def _with_tasks(
    answer: ModelResponse[Any], wanted: list[str], mode: str, text: str
) -> ModelResponse[Any]:
    """Add the tasks that a person asked for and the model did not give."""
    last = next((m for m in reversed(answer.result) if isinstance(m, AIMessage)), None)
    if last is None:
        return answer
    given = {name for call in last.tool_calls for name in _names_in(call)}
    missing = [name for name in wanted if name not in given]
    if not missing:
        return answer
    calls = [*last.tool_calls, *_make_tasks(missing, mode, text)]
    own = last.model_copy(update={"tool_calls": calls})
    return replace(answer, result=[own if m is last else m for m in answer.result])


def _names_in(call: ToolCall) -> list[str]:
    # A task in the background is one too: it is not given twice.
    if call["name"] not in TASK_TOOLS:
        return []
    then: Any = call["args"].get("then")
    steps = [call["args"], *(then if isinstance(then, list) else [])]
    return [str(step.get("subagent_type", "")) for step in steps if isinstance(step, dict)]


def _make_tasks(names: list[str], mode: str, text: str) -> list[ToolCall]:
    def step(name: str) -> dict[str, Any]:
        return {"description": text, "subagent_type": name}

    sequences = [names] if mode == "sequential" else [[name] for name in names]
    return [
        tool_call(
            name=TASK,
            args={**step(first), **({"then": [step(name) for name in rest]} if rest else {})},
            id=f"call_{new_id()}",
        )
        for first, *rest in sequences
    ]
