"""One turn of a run that works by a plan: what it is made of, and how it asks the model."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, AnyMessage

from dataagent_core.config.limits.planning import PLAN_ROUNDS_MAX
from dataagent_core.engine.loops.plan_messages import FINISH_STEP
from dataagent_core.engine.loops.plan_services import PlanServices
from dataagent_core.engine.loops.planner import Planner
from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.engine.middleware.message_note import find_message
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.errors import ConflictError
from dataagent_core.events.plan import PlanChange
from dataagent_core.models.system_message import append_to_system
from dataagent_core.permissions.tool_groups import PLAN_TOOLS
from dataagent_core.planning.plan_terms import PlanTerms
from dataagent_core.planning.work_plan import WorkPlan
from dataagent_core.runs import RunContext

# They would make a second plan beside the first one.
_OTHER_PLANS = frozenset({"write_todos"})


@dataclass(slots=True, eq=False)
class PlanTurn:
    """A turn, and what it may use."""

    services: PlanServices
    terms: PlanTerms
    context: RunContext
    request: ModelRequest[Any]
    handler: ModelHandler
    plan: RunPlan
    planner: Planner

    async def commit_next(
        self,
        plan: WorkPlan,
        change: PlanChange,
        *,
        by: str | None = None,
        reason: str = "",
        **changes: Any,
    ) -> None:
        """Write the next version of the plan; if another one is first, the turn looks again."""
        changed = replace(plan, version=plan.version + 1, **changes)
        await self.plan.commit(changed, change, by, reason)

    async def call_model(self, note: str = "", *, with_finish: bool = False) -> ModelResponse[Any]:
        """Call the model; with a note it works on the plan, and makes no other one."""
        hidden = PLAN_TOOLS - ({FINISH_STEP} if with_finish else set())
        if not note:
            return await self.handler(without_tools(self.request, hidden))
        request = without_tools(self.request, hidden | _OTHER_PLANS)
        # Not in the history: a compaction never takes it away.
        system_message = append_to_system(request.system_message, note)
        return await self.handler(request.override(system_message=system_message))

    @property
    def goal(self) -> str:
        """What the person wants."""
        return self.context.message.text

    @property
    def messages(self) -> list[AnyMessage]:
        """The whole conversation."""
        return self.request.state["messages"]

    @property
    def earlier(self) -> list[AnyMessage]:
        """The messages before the run's own."""
        return self.messages[: find_message(self.messages, self.context.run.message_id)]


# Goes one way on. None: something was written down, and what is next depends on the log.
Advance = Callable[[PlanTurn, WorkPlan | None], Awaitable[ModelResponse[Any] | None]]


async def take_turn(turn: PlanTurn, advance: Advance) -> ModelResponse[Any]:
    """Go on until there is an answer: the model's, or one that the plan gives in its place."""
    for _ in range(PLAN_ROUNDS_MAX):
        answer = await advance(turn, await turn.plan.look())
        if answer is not None:
            return answer
    raise ConflictError("the plan was changed again and again; send the message anew.")


def without_tools(request: ModelRequest[Any], names: frozenset[str]) -> ModelRequest[Any]:
    """Return a request that does not offer tools of these names."""
    kept = [tool for tool in request.tools if isinstance(tool, dict) or tool.name not in names]
    return request.override(tools=kept)


def respond(message: AIMessage) -> ModelResponse[Any]:
    """Give an answer in the model's place."""
    return ModelResponse(result=[message])


def last_answer(answer: ModelResponse[Any]) -> AIMessage | None:
    """Return the model's message in a response."""
    return next((m for m in reversed(answer.result) if isinstance(m, AIMessage)), None)


def replace_answer(
    answer: ModelResponse[Any], old: AIMessage, new: AIMessage
) -> ModelResponse[Any]:
    """Return a response with one message replaced."""
    return replace(answer, result=[new if message is old else message for message in answer.result])
