"""Decides whether a call may run. It runs nothing, so a resumed run may ask it again.

readable? > valid arguments, pre-hooks > outcome of an earlier attempt? > loop? > approval
"""

import asyncio
from dataclasses import dataclass, replace

from dataagent_core.errors import DeniedError
from dataagent_core.hitl import Decision
from dataagent_core.permissions import (
    Policy,
    RunScope,
    approval_for,
    judge,
    loop_decision,
    repeat_approval,
)
from dataagent_core.session import JournalEntry
from dataagent_core.tools.call import MALFORMED_KEY, Call
from dataagent_core.tools.effects import Effect
from dataagent_core.tools.file_tracker import OPERATIONS
from dataagent_core.tools.files.probe import FileProbe, Finding
from dataagent_core.tools.hooks import Refusal
from dataagent_core.tools.registry import ToolRegistry


@dataclass(frozen=True, slots=True)
class Admitted:
    """A call that may run; `edited` says that a person, not a hook, changed its arguments."""

    call: Call
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Admission:
    """The questions before a call, asked in an order that is the same on resume."""

    policy: Policy
    registry: ToolRegistry
    probe: FileProbe | None = None

    async def admit(self, call: Call, scope: RunScope) -> Admitted | Refusal:
        """Return the call that may run, with the arguments it may run with, or say why not."""
        if MALFORMED_KEY in call.args:
            return Refusal(
                f"The arguments of {call.name} were not valid JSON, so it did not run: "
                f"{call.args[MALFORMED_KEY]!r:.500}. Call it again with one JSON object."
            )
        checked = self.registry.before(call)
        if isinstance(checked, Refusal):
            return checked
        try:
            decision = await self._decision(checked, scope)
        except DeniedError as denied:
            return Refusal(str(denied))
        match decision["type"]:
            case "approve":
                return Admitted(checked)
            case "edit":
                edited = replace(checked, args=decision.get("args", {}))
                return self.registry.refusal(edited) or Admitted(edited, edited=True)
            case _:
                return Refusal(_declined(decision))

    async def _decision(self, call: Call, scope: RunScope) -> Decision:
        action = call.action_request()
        entry = self.registry.find(call.name)
        effect = entry.effect
        if entry.composition is not None:
            # Its members are asked about one by one, and answered for by the journal.
            judged = judge(call.name, call.args, effect, self.policy, scope)
            if judged.action == "deny":
                raise DeniedError(f"{call.name} is denied: {judged.reason}.")
            return {"type": "approve"}
        if call.key in scope.unknown_calls and effect not in {"pure", "idempotent"}:
            found = await self._found(scope.unknown_calls[call.key])
            if not _may_repeat(call, effect, found):
                known = _what_is_known(call, effect, found)
                return repeat_approval(action, known, effect, self.policy, scope)
        looping = loop_decision(action, scope)
        if looping is not None and looping["type"] != "continue":
            return looping
        return await approval_for(action, effect, self.policy, scope)

    async def _found(self, entry: JournalEntry) -> Finding | None:
        if self.probe is None or entry.probe is None:
            return None
        return await asyncio.to_thread(self.probe.look, entry.probe)


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
