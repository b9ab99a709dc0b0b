"""Decides when a run begins whether it works by a plan, and lets the plan take its turns (S2 §6).

A simple message pays nothing: no call, no token. A moderate one gets a note that a list of steps
helps. A complex one is planned (`plan_loop.py`), unless the session is in plan mode, where the plan
is what the person is shown. Sub-agents and background tasks have no plan of their own.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.engine.loops import plan_messages
from dataagent_core.engine.loops.pattern_offer import offer_pattern
from dataagent_core.engine.loops.pattern_use import (
    PatternUse,
    list_hints,
    make_hint_note,
    make_pattern_events,
)
from dataagent_core.engine.loops.plan_loop import advance_plan
from dataagent_core.engine.loops.plan_services import PlanServices
from dataagent_core.engine.loops.plan_tools import finish_step, plan_question
from dataagent_core.engine.loops.planner import Planner
from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.engine.loops.run_route import MODERATE, RunRoute, choose_level, may_plan
from dataagent_core.engine.loops.staged.stage_loop import advance_stages
from dataagent_core.engine.loops.steps.planned_step import PlannedStep
from dataagent_core.engine.loops.steps.step_time import call_in_time
from dataagent_core.engine.loops.turn import PlanTurn, take_turn, without_tools
from dataagent_core.engine.loops.workflow.workflow_loop import WorkflowLoop
from dataagent_core.engine.middleware.message_note import add_note
from dataagent_core.engine.middleware.middleware_chain import ModelHandler, ToolHandler
from dataagent_core.permissions.tool_groups import PLAN_TOOLS
from dataagent_core.planning.plan_terms import PlanTerms
from dataagent_core.runs import RunContext, run_context
from dataagent_core.tools.pipeline.agent_call import read_call

_STATE = "work_plan"


def suggests_steps(state: Mapping[str, Any]) -> bool:
    """Say whether the message of a run takes several steps, and is not planned."""
    return RunRoute.read(state.get(_STATE)).level == MODERATE


class _PlanState(AgentState[Any]):
    work_plan: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]


class PlanMiddleware(AgentMiddleware[Any, Any, Any]):
    """Wraps the model calls of the agent itself, and the calls that work on steps."""

    state_schema = _PlanState

    def __init__(self, services: PlanServices, tools: Collection[str] = ()) -> None:
        super().__init__()
        self._tools = frozenset(tools)
        self._services = services
        self.tools = [finish_step.bind(services.log), plan_question.bind("")]

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        context = run_context(runtime)
        # A correction of the answer's form begins the graph anew, and not the plan.
        if _STATE in state or not may_plan(context):
            return {}
        terms = self._terms_of(context)
        route = RunRoute(level=choose_level(context, terms), since=context.recorder.last_seq)
        workflow = context.message.planning.get("workflow")
        if workflow:
            patterns = self._services.patterns
            owner_id = context.message.planning.get("workflow_owner")
            file = "" if patterns is None else await patterns.read_workflow_file(workflow, owner_id)
            route = replace(route, level="", workflow=workflow, workflow_file=file)
        elif self._services.patterns is not None:
            route = await self._add_patterns(route, self._services.patterns, context, terms)
        return {} if route == RunRoute(since=route.since) else {_STATE: route.to_state()}

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        context, route = run_context(request.runtime), RunRoute.read(request.state.get(_STATE))
        if route.note:
            messages = add_note(request.messages, context.run.message_id, route.note)
            request = request.override(messages=messages)
        if not route.takes_turns:
            return await handler(without_tools(request, PLAN_TOOLS))
        terms = self._terms_of(context)
        turn = PlanTurn(
            services=self._services,
            terms=terms,
            context=context,
            request=request,
            handler=handler,
            plan=RunPlan(self._services.log, context, route.since),
            planner=self._make_planner(request, terms, route),
        )
        if route.workflow:
            loop = WorkflowLoop(
                pattern_id=route.workflow, file=route.workflow_file, tools=self._tools
            )
            return await take_turn(turn, loop.advance)
        if route.offer and await turn.plan.look() is None:
            answer = await offer_pattern(turn, route.offer)
            if answer is not None:
                return answer
            if not route.is_planned and await turn.plan.look() is None:
                # The person wants no plan of this kind, and the message needs none.
                return await handler(without_tools(request, PLAN_TOOLS))
        # The two loops of one executor: they differ in what follows what.
        return await take_turn(turn, advance_stages if terms.loop == "staged" else advance_plan)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> Any:
        context = run_context(request.runtime)
        call = read_call(request)
        number = plan_messages.find_step_number(call.call_id, context.run.run_id)
        # Some models choose the ids of their calls, and have seen the plan's.
        if number is not None and plan_messages.is_plan_turn_id(call.message_id):
            plan = RunPlan(self._services.log, context, 0)
            return await PlannedStep(plan, number).work(request, handler)
        route = RunRoute.read(request.state.get(_STATE))
        if not route.takes_turns:
            return await handler(request)
        plan = RunPlan(self._services.log, context, route.since)
        limit_s = self._services.terms.settings.plan_step_timeout_s
        return await call_in_time(plan, limit_s, request, handler)

    def _terms_of(self, context: RunContext) -> PlanTerms:
        return self._services.terms.for_message(context.message.planning)

    async def _add_patterns(
        self, route: RunRoute, patterns: PatternUse, context: RunContext, terms: PlanTerms
    ) -> RunRoute:
        """Find patterns for the message, and say which of them fit."""
        finding = await patterns.find(context, self._tools)
        is_offered = terms.ask and finding.offer is not None and terms.loop == "react"
        events = make_pattern_events(finding, context.run.run_id, is_offered=is_offered)
        if is_offered:
            events = [*events, *await patterns.offer_workflow(finding, context.run.run_id)]
        if events:
            await context.recorder.commit(*events)
        hints = make_hint_note(list_hints(finding, is_offered=is_offered), patterns.user_id)
        offer = finding.offer.pattern.id if is_offered and finding.offer is not None else ""
        return replace(route, hints=hints, offer=offer)

    def _make_planner(
        self, request: ModelRequest[Any], terms: PlanTerms, route: RunRoute
    ) -> Planner:
        run_id = run_context(request.runtime).run.run_id
        names = [tool.name for tool in request.tools if not isinstance(tool, dict)]
        return Planner(
            side_calls=self._services.side_calls,
            agents={
                name: one.description
                for name, one in self._services.delegates.items()
                if not one.hidden
            },
            tools=[name for name in names if name not in PLAN_TOOLS],
            list_skills=partial(self._services.list_skills, run_id),
            earlier_ways=route.hints,
            timeout_ms=terms.planning_timeout_ms,
        )
