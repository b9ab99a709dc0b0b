"""Decides whether a call may run. It runs nothing, so a resumed run may ask it again.

in the lists of active skills? > readable? > valid arguments, pre-hooks > denied, or forecast >
a look that changes nothing > outcome of an earlier attempt? > loop? > approval
"""

import asyncio
from dataclasses import dataclass, field, replace

from langchain_core.tools import BaseTool

from dataagent_core.errors import DataAgentError, DeniedError
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.permissions import (
    Judgement,
    Policy,
    approval_for,
    judge,
    loop_decision,
    repeat_approval,
)
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.runs import RunContext
from dataagent_core.session import JournalEntry
from dataagent_core.tools.declaration import make_action_request
from dataagent_core.tools.effects import Effect
from dataagent_core.tools.file_tracker import OPERATIONS
from dataagent_core.tools.files.file_probe import FileProbe, ProbeFinding
from dataagent_core.tools.pipeline.agent_call import (
    MALFORMED_KEY,
    AgentCall,
    InterruptibleTool,
    enter_call,
)
from dataagent_core.tools.pipeline.call_forecast import CallForecast, Forecaster, Forecasters
from dataagent_core.tools.pipeline.hooks import Refusal
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell.shell_look import (
    LookOutcome,
    ShellLook,
    explain_look_writes,
    is_command_line,
    run_look,
)


@dataclass(frozen=True, slots=True)
class AdmittedCall:
    """A call that may run; `edited` says that a person, not a hook, changed its arguments."""

    call: AgentCall
    edited: bool = False
    # Its result, if a look has run it already without changes.
    looked: LookOutcome | None = None


@dataclass(frozen=True, slots=True)
class Admission:
    """The checks before a call, in an order that is the same on resume."""

    policy: Policy
    registry: ToolRegistry
    probe: FileProbe | None = None
    forecasters: Forecasters = field(default_factory=dict[str, Forecaster])
    shell_look: ShellLook | None = None

    async def admit(self, call: AgentCall, context: RunContext) -> AdmittedCall | Refusal:
        """Return the admitted call with its arguments, or the refusal."""
        await context.permissions.update_mode()
        prepared = self._narrow(call, context) or await self._prepare(call, context)
        if isinstance(prepared, Refusal):
            return prepared
        call, forecast, looked = prepared
        try:
            decision = await self._decide(call, context, forecast, looked)
        except DeniedError as denied:
            return Refusal(str(denied))
        match decision["type"]:
            case "approve":
                stands = looked is not None and not looked.writes
                admitted = AdmittedCall(call, looked=looked if stands else None)
                return await self._apply_plan_mode(admitted, context)
            case "edit":
                edited = replace(call, args=decision.get("args", {}))
                refused = self.registry.refusal(edited) or self._narrow(edited, context)
                return refused or await self._admit_edited(edited, context)
            case _:
                # Skipping a loop does not say what the person wants instead.
                return Refusal(_describe_refusal(decision), by_person=decision["type"] != "skip")

    def _narrow(self, call: AgentCall, context: RunContext) -> Refusal | None:
        """Refuse a call that an active skill leaves out; no skill lets one through."""
        if not context.active_skills.by_agent:
            return None
        request = PermissionRequest(
            tool=call.name,
            args=call.args,
            place=self.policy.place,
            layer=self.policy.shell_layer,
        )
        reason = context.active_skills.explain_refusal(request)
        return None if reason is None else Refusal(reason)

    async def _prepare(
        self, call: AgentCall, context: RunContext
    ) -> tuple[AgentCall, CallForecast, LookOutcome | None] | Refusal:
        """Find out what can be known of a call without doing anything."""
        if MALFORMED_KEY in call.args:
            return Refusal(
                f"The arguments of {call.name} were not valid JSON, so it did not run: "
                f"{call.args[MALFORMED_KEY]!r:.500}. Call it again with one JSON object."
            )
        checked = self.registry.before(call)
        if isinstance(checked, Refusal):
            return checked
        forecast = await self._forecast(checked, context)
        if isinstance(forecast, Refusal):
            return forecast
        call = replace(checked, args=forecast.args)
        looked = await self._run_shell_look(call, context)
        if looked is None or isinstance(looked, Refusal):
            return looked or (call, forecast, None)
        if looked.writes:
            forecast = replace(forecast, ask=explain_look_writes(looked.writes))
        return call, forecast, looked

    async def _run_shell_look(
        self, call: AgentCall, context: RunContext
    ) -> LookOutcome | Refusal | None:
        """Run a command that is allowed because it only reads; None for every other call."""
        # A command a person was asked about runs for real after an approval.
        if (
            self.shell_look is None
            or not is_command_line(call)
            or call.key in context.questions.asked
        ):
            return None
        action = make_action_request(call, self.registry.find(call.name).tool)
        judgement = judge(action, "irreversible", self.policy, context.permissions)
        if judgement.action != "allow" or not judgement.read_only:
            return None
        with enter_call(call, context):
            return await run_look(
                self.shell_look, call, is_planning=context.permissions.mode == "plan"
            )

    async def _apply_plan_mode(
        self, admitted: AdmittedCall, context: RunContext
    ) -> AdmittedCall | Refusal:
        """In plan mode, run every admitted command as a look, whoever allowed it."""
        line = admitted.call
        if (
            context.permissions.mode != "plan"
            or admitted.looked
            or self.shell_look is None
            or not is_command_line(line)
        ):
            return admitted
        with enter_call(line, context):
            looked = await run_look(self.shell_look, line, is_planning=True)
        return looked if isinstance(looked, Refusal) else replace(admitted, looked=looked)

    async def _admit_edited(self, call: AgentCall, context: RunContext) -> AdmittedCall | Refusal:
        """Forecast again: edited arguments may touch what the rules deny."""
        forecast = await self._forecast(call, context)
        if isinstance(forecast, Refusal):
            return forecast
        # An approval of a number of rows is for that number, not for what is counted now.
        args = call.args if forecast.always else forecast.args
        admitted = AdmittedCall(replace(call, args=args), edited=True)
        return await self._apply_plan_mode(admitted, context)

    async def _forecast(self, call: AgentCall, context: RunContext) -> CallForecast | Refusal:
        """Let the tool forecast the call, unless the rules deny it."""
        forecaster = self.forecasters.get(call.name)
        if forecaster is None or (call.name in OPERATIONS and _has_begun(call, context)):
            return CallForecast(call.args)
        effect = self.registry.find(call.name).effect
        if judge(call.action_request(), effect, self.policy, context.permissions).action == "deny":
            return CallForecast(call.args)

        def ruling(tool: str, source: str) -> Judgement:
            asked = ActionRequest(name=tool, args={"source": source}, description="")
            return judge(asked, "pure", self.policy, context.permissions)

        try:
            with enter_call(call, context):
                return await forecaster(call.args, ruling)
        except DataAgentError as hopeless:
            # A person is not asked about a call that cannot succeed.
            return Refusal(str(hopeless), hopeless.for_person)

    async def _decide(
        self,
        call: AgentCall,
        context: RunContext,
        forecast: CallForecast,
        looked: LookOutcome | None,
    ) -> Decision:
        entry = self.registry.find(call.name)
        action = make_action_request(call, entry.tool)
        # A call that ran without changes counts as one that only reads.
        effect = entry.effect if looked is None or looked.writes else "pure"
        if entry.composition is not None:
            # Its members are approved and journalled one by one.
            judgement = judge(action, effect, self.policy, context.permissions)
            if judgement.action == "deny":
                raise DeniedError(f"{call.name} is denied: {judgement.reason}.")
            return {"type": "approve"}
        unknown = call.key in context.journal.unknown and effect not in {"pure", "idempotent"}
        if unknown and (times_begun := _count_begun(entry.tool, call, context)):
            found = await self._probe_effect(context.journal.unknown[call.key])
            if not _may_repeat(call, effect, found):
                known = _describe_unknown(call, effect, found)
                if (
                    judgement := judge(action, effect, self.policy, context.permissions)
                ).action == "deny":
                    raise DeniedError(f"{known} It is not made again now: {judgement.reason}.")
                action["times_begun"] = times_begun
                return repeat_approval(action, known, effect, self.policy, context.permissions)
        looping = loop_decision(action, context.permissions, context.subagent_id)
        if looping is not None and looping["type"] != "continue":
            return looping
        return await approval_for(
            action, effect, self.policy, context.permissions, forecast.ask, always=forecast.always
        )

    async def _probe_effect(self, entry: JournalEntry) -> ProbeFinding | None:
        if self.probe is None or entry.probe is None:
            return None
        return await asyncio.to_thread(self.probe.look, entry.probe)


def _has_begun(call: AgentCall, context: RunContext) -> bool:
    """Return whether the call has run, or may have: its file may have changed then."""
    return call.key in context.journal.finished or call.key in context.journal.unknown


def _count_begun(tool: BaseTool, call: AgentCall, context: RunContext) -> int:
    if isinstance(tool, InterruptibleTool):
        return tool.count_begun(call, context)
    return context.journal.count_begun(call.key)


def _may_repeat(call: AgentCall, effect: Effect, found: ProbeFinding | None) -> bool:
    # A file tool compares the file with what was read, so a call that happened refuses itself.
    # If the file was changed by others since, a person decides.
    checked = effect == "compensable" and call.name in OPERATIONS
    return checked and (found is None or found.state != "unknown")


def _describe_unknown(call: AgentCall, effect: str, found: ProbeFinding | None) -> str:
    seen = found.text if found else "Nobody knows whether it happened."
    return (
        f"{call.name} had begun when the process ended. {seen} The call is {effect}: make it again "
        "only if it did not happen."
    )


def _describe_refusal(decision: Decision) -> str:
    match decision["type"]:
        case "skip":
            return "Skipped: the same call was made again and again. Try something else."
        case "correct":
            return f"The person stopped a loop and says: {decision.get('message') or 'change it'}"
        case _:
            return f"The person declined this call and says: {decision.get('message')}"
