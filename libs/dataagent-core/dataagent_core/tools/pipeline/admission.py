"""Decides whether a call may run. It runs nothing, so a resumed run may ask it again.

readable? > valid arguments, pre-hooks > denied, or foreseen > a look that could change nothing >
outcome of an earlier attempt? > loop? > approval
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
    # Its answer, where it has been run already and could change nothing.
    looked: LookOutcome | None = None


@dataclass(frozen=True, slots=True)
class Admission:
    """The questions before a call, asked in an order that is the same on resume."""

    policy: Policy
    registry: ToolRegistry
    probe: FileProbe | None = None
    foresights: Forecasters = field(default_factory=dict[str, Forecaster])
    shell_look: ShellLook | None = None

    async def admit(self, call: AgentCall, context: RunContext) -> AdmittedCall | Refusal:
        """Return the call that may run, with the arguments it may run with, or say why not."""
        await context.permissions.update_mode()
        prepared = await self._prepared(call, context)
        if isinstance(prepared, Refusal):
            return prepared
        call, foreseen, looked = prepared
        try:
            decision = await self._decision(call, context, foreseen, looked)
        except DeniedError as denied:
            return Refusal(str(denied))
        match decision["type"]:
            case "approve":
                stands = looked is not None and not looked.writes
                admitted = AdmittedCall(call, looked=looked if stands else None)
                return await self._kept_to_the_plan(admitted, context)
            case "edit":
                edited = replace(call, args=decision.get("args", {}))
                return self.registry.refusal(edited) or await self._edited(edited, context)
            case _:
                # A loop that is only skipped says nothing about what they want instead.
                return Refusal(_declined(decision), by_person=decision["type"] != "skip")

    async def _prepared(
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
        foreseen = await self._foreseen(checked, context)
        if isinstance(foreseen, Refusal):
            return foreseen
        call = replace(checked, args=foreseen.args)
        looked = await self._looked(call, context)
        if looked is None or isinstance(looked, Refusal):
            return looked or (call, foreseen, None)
        if looked.writes:
            foreseen = replace(foreseen, ask=explain_look_writes(looked.writes))
        return call, foreseen, looked

    async def _looked(self, call: AgentCall, context: RunContext) -> LookOutcome | Refusal | None:
        """Run a line that is allowed because it only looks; None for every other call."""
        # What a person was asked about runs for real if they say yes.
        if (
            self.shell_look is None
            or not is_command_line(call)
            or call.key in context.questions.asked
        ):
            return None
        action = make_action_request(call, self.registry.find(call.name).tool)
        judged = judge(action, "irreversible", self.policy, context.permissions)
        if judged.action != "allow" or not judged.read_only:
            return None
        with enter_call(call, context):
            return await run_look(
                self.shell_look, call, is_planning=context.permissions.mode == "plan"
            )

    async def _kept_to_the_plan(
        self, admitted: AdmittedCall, context: RunContext
    ) -> AdmittedCall | Refusal:
        """Run every line that plan mode admits as a look, whichever rule or person allowed it."""
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

    async def _edited(self, call: AgentCall, context: RunContext) -> AdmittedCall | Refusal:
        """Look ahead again: what a person wrote may touch what the rules deny."""
        foreseen = await self._foreseen(call, context)
        if isinstance(foreseen, Refusal):
            return foreseen
        # A yes to so many rows is a yes to that number, not to what is counted now.
        args = call.args if foreseen.always else foreseen.args
        admitted = AdmittedCall(replace(call, args=args), edited=True)
        return await self._kept_to_the_plan(admitted, context)

    async def _foreseen(self, call: AgentCall, context: RunContext) -> CallForecast | Refusal:
        """Let the tool look ahead; what the rules deny may not even look."""
        foresight = self.foresights.get(call.name)
        if foresight is None or (call.name in OPERATIONS and _was_begun(call, context)):
            return CallForecast(call.args)
        effect = self.registry.find(call.name).effect
        if judge(call.action_request(), effect, self.policy, context.permissions).action == "deny":
            return CallForecast(call.args)

        def ruling(tool: str, source: str) -> Judgement:
            asked = ActionRequest(name=tool, args={"source": source}, description="")
            return judge(asked, "pure", self.policy, context.permissions)

        try:
            with enter_call(call, context):
                return await foresight(call.args, ruling)
        except DataAgentError as hopeless:
            # A call that cannot succeed is not worth anybody's answer.
            return Refusal(str(hopeless), hopeless.for_person)

    async def _decision(
        self,
        call: AgentCall,
        context: RunContext,
        foreseen: CallForecast,
        looked: LookOutcome | None,
    ) -> Decision:
        entry = self.registry.find(call.name)
        action = make_action_request(call, entry.tool)
        # What has been run and changed nothing is a call that only reads.
        effect = entry.effect if looked is None or looked.writes else "pure"
        if entry.composition is not None:
            # Its members are asked about one by one, and answered for by the journal.
            judged = judge(action, effect, self.policy, context.permissions)
            if judged.action == "deny":
                raise DeniedError(f"{call.name} is denied: {judged.reason}.")
            return {"type": "approve"}
        unknown = call.key in context.journal.unknown and effect not in {"pure", "idempotent"}
        if unknown and not _only_waits(entry.tool, call, context):
            found = await self._found(context.journal.unknown[call.key])
            if not _may_repeat(call, effect, found):
                known = _what_is_known(call, effect, found)
                if (
                    judged := judge(action, effect, self.policy, context.permissions)
                ).action == "deny":
                    raise DeniedError(f"{known} It is not made again now: {judged.reason}.")
                return repeat_approval(action, known, effect, self.policy, context.permissions)
        looping = loop_decision(action, context.permissions)
        if looping is not None and looping["type"] != "continue":
            return looping
        return await approval_for(
            action, effect, self.policy, context.permissions, foreseen.ask, always=foreseen.always
        )

    async def _found(self, entry: JournalEntry) -> ProbeFinding | None:
        if self.probe is None or entry.probe is None:
            return None
        return await asyncio.to_thread(self.probe.look, entry.probe)


def _was_begun(call: AgentCall, context: RunContext) -> bool:
    """Say whether the call has run, or may have: its file is then no longer what it meets."""
    return call.key in context.journal.finished or call.key in context.journal.unknown


def _only_waits(tool: BaseTool, call: AgentCall, context: RunContext) -> bool:
    return isinstance(tool, InterruptibleTool) and tool.only_waits(call, context)


def _may_repeat(call: AgentCall, effect: Effect, found: ProbeFinding | None) -> bool:
    # A file tool compares the file with what was read, so one that has happened refuses itself.
    # Where somebody else has changed the file since, a person decides.
    checked = effect == "compensable" and call.name in OPERATIONS
    return checked and (found is None or found.state != "unknown")


def _what_is_known(call: AgentCall, effect: str, found: ProbeFinding | None) -> str:
    seen = found.text if found else "Nobody knows whether it happened."
    return (
        f"{call.name} had begun when the process ended. {seen} The call is {effect}: make it again "
        "only if it did not happen."
    )


def _declined(decision: Decision) -> str:
    match decision["type"]:
        case "skip":
            return "Skipped: the same call was made again and again. Try something else."
        case "correct":
            return f"The person stopped a loop and says: {decision.get('message') or 'change it'}"
        case _:
            return f"The person declined this call and says: {decision.get('message')}"
