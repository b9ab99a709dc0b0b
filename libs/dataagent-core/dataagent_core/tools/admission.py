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
from dataagent_core.tools.call import MALFORMED_KEY, AsksInside, Call, running
from dataagent_core.tools.declaration import action_of
from dataagent_core.tools.effects import Effect
from dataagent_core.tools.file_tracker import OPERATIONS
from dataagent_core.tools.files.probe import FileProbe, Finding
from dataagent_core.tools.foresight import Foreseen, Foresight, Foresights
from dataagent_core.tools.hooks import Refusal
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell_look import LookedCall, ShellLook, is_line, look_at, why_asked


@dataclass(frozen=True, slots=True)
class Admitted:
    """A call that may run; `edited` says that a person, not a hook, changed its arguments."""

    call: Call
    edited: bool = False
    # Its answer, where it has been run already and could change nothing.
    looked: LookedCall | None = None


@dataclass(frozen=True, slots=True)
class Admission:
    """The questions before a call, asked in an order that is the same on resume."""

    policy: Policy
    registry: ToolRegistry
    probe: FileProbe | None = None
    foresights: Foresights = field(default_factory=dict[str, Foresight])
    shell_look: ShellLook | None = None

    async def admit(self, call: Call, context: RunContext) -> Admitted | Refusal:
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
                admitted = Admitted(call, looked=looked if stands else None)
                return await self._kept_to_the_plan(admitted, context)
            case "edit":
                edited = replace(call, args=decision.get("args", {}))
                return self.registry.refusal(edited) or await self._edited(edited, context)
            case _:
                # A loop that is only skipped says nothing about what they want instead.
                return Refusal(_declined(decision), by_person=decision["type"] != "skip")

    async def _prepared(
        self, call: Call, context: RunContext
    ) -> tuple[Call, Foreseen, LookedCall | None] | Refusal:
        """Find out what can be known of a call without doing anything."""
        checked = self._checked(call)
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
            foreseen = replace(foreseen, ask=why_asked(looked.writes))
        return call, foreseen, looked

    async def _looked(self, call: Call, context: RunContext) -> LookedCall | Refusal | None:
        """Run a line that is allowed because it only looks; None for every other call."""
        # What a person was asked about runs for real if they say yes.
        if self.shell_look is None or not is_line(call) or call.key in context.questions.asked:
            return None
        action = action_of(call, self.registry.find(call.name).tool)
        judged = judge(action, "irreversible", self.policy, context.permissions)
        if judged.action != "allow" or not judged.read_only:
            return None
        with running(call, context):
            return await look_at(
                self.shell_look, call, is_planning=context.permissions.mode == "plan"
            )

    async def _kept_to_the_plan(
        self, admitted: Admitted, context: RunContext
    ) -> Admitted | Refusal:
        """Run every line that plan mode admits as a look, whichever rule or person allowed it."""
        line = admitted.call
        if (
            context.permissions.mode != "plan"
            or admitted.looked
            or self.shell_look is None
            or not is_line(line)
        ):
            return admitted
        with running(line, context):
            looked = await look_at(self.shell_look, line, is_planning=True)
        return looked if isinstance(looked, Refusal) else replace(admitted, looked=looked)

    async def _edited(self, call: Call, context: RunContext) -> Admitted | Refusal:
        """Look ahead again: what a person wrote may touch what the rules deny."""
        foreseen = await self._foreseen(call, context)
        if isinstance(foreseen, Refusal):
            return foreseen
        # A yes to so many rows is a yes to that number, not to what is counted now.
        args = call.args if foreseen.always else foreseen.args
        admitted = Admitted(replace(call, args=args), edited=True)
        return await self._kept_to_the_plan(admitted, context)

    def _checked(self, call: Call) -> Call | Refusal:
        if MALFORMED_KEY in call.args:
            return Refusal(
                f"The arguments of {call.name} were not valid JSON, so it did not run: "
                f"{call.args[MALFORMED_KEY]!r:.500}. Call it again with one JSON object."
            )
        return self.registry.before(call)

    async def _foreseen(self, call: Call, context: RunContext) -> Foreseen | Refusal:
        """Let the tool look ahead; what the rules deny may not even look."""
        foresight = self.foresights.get(call.name)
        if foresight is None or (call.name in OPERATIONS and _was_begun(call, context)):
            return Foreseen(call.args)
        effect = self.registry.find(call.name).effect
        if judge(call.action_request(), effect, self.policy, context.permissions).action == "deny":
            return Foreseen(call.args)

        def ruling(tool: str, source: str) -> Judgement:
            asked = ActionRequest(name=tool, args={"source": source}, description="")
            return judge(asked, "pure", self.policy, context.permissions)

        try:
            with running(call, context):
                return await foresight(call.args, ruling)
        except DataAgentError as hopeless:
            # A call that cannot succeed is not worth anybody's answer.
            return Refusal(str(hopeless), hopeless.for_person)

    async def _decision(
        self, call: Call, context: RunContext, foreseen: Foreseen, looked: LookedCall | None
    ) -> Decision:
        entry = self.registry.find(call.name)
        action = action_of(call, entry.tool)
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

    async def _found(self, entry: JournalEntry) -> Finding | None:
        if self.probe is None or entry.probe is None:
            return None
        return await asyncio.to_thread(self.probe.look, entry.probe)


def _was_begun(call: Call, context: RunContext) -> bool:
    """Say whether the call has run, or may have: its file is then no longer what it meets."""
    return call.key in context.journal.finished or call.key in context.journal.unknown


def _only_waits(tool: BaseTool, call: Call, context: RunContext) -> bool:
    return isinstance(tool, AsksInside) and tool.only_waits(call, context)


def _may_repeat(call: Call, effect: Effect, found: Finding | None) -> bool:
    # A file tool compares the file with what was read, so one that has happened refuses itself.
    # Where somebody else has changed the file since, a person decides.
    checked = effect == "compensable" and call.name in OPERATIONS
    return checked and (found is None or found.state != "unknown")


def _what_is_known(call: Call, effect: str, found: Finding | None) -> str:
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
