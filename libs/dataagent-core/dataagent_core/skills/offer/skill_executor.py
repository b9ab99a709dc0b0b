"""Runs the steps of a skill as a composition (S2's `SkillExecutor`), member by member.

Each member passes the gate, the journal and the log like any other call. When one fails, the agent
goes on itself with the skill's text and what was done (`skill_fallback`): results are kept and
given to the model.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import ToolMessage

from dataagent_core.events import SkillEvent
from dataagent_core.events.agents import SkillPhase
from dataagent_core.skills.skill import Skill
from dataagent_core.skills.skill_steps import make_skill_composition
from dataagent_core.tools.composition.composition_result import CompositionResult
from dataagent_core.tools.composition.composition_run import run_composition
from dataagent_core.tools.composition.member_calls import MemberCall, MemberGate, running_members
from dataagent_core.tools.pipeline.agent_call import RunningCall
from dataagent_core.tools.pipeline.hooks import Refusal


@dataclass(frozen=True, slots=True)
class SkillExecutor:
    """Runs the steps of one skill in one call of the tool `skill`."""

    skill: Skill
    running: RunningCall

    async def execute(self, inputs: Mapping[str, Any]) -> str:
        """Run the steps; return what the model reads of them, done or not."""
        gate = running_members()
        composition = make_skill_composition(self.skill, inputs)
        kind = str(composition.execution_template.get("kind"))
        await self._tell("started", {"tools": list(self.skill.tools), "mode": kind})
        began = time.perf_counter()
        result = await gate.count(
            await run_composition(
                composition,
                inputs,
                call_id=self.running.call.call_id,
                run_tool=lambda member: self._run_member(member, gate),
                admit=gate.admit,
            )
        )
        duration_ms = round((time.perf_counter() - began) * 1000)
        return await self._conclude(result, duration_ms)

    async def _run_member(self, member: MemberCall, gate: MemberGate) -> ToolMessage | Refusal:
        detail = {"tool": member.name, "tool_call_id": member.call_id}
        await self._tell("tool_started", detail, member.call_id)
        began = time.perf_counter()
        message = await gate.run(member)
        duration_ms = round((time.perf_counter() - began) * 1000)
        status = message.status
        await self._tell(
            "tool_result", {**detail, "status": status, "duration_ms": duration_ms}, member.call_id
        )
        return message

    async def _conclude(self, result: CompositionResult, duration_ms: int) -> str:
        steps = [
            {"step": one.step, "tool": one.tried[-1], "status": one.status}
            for one in result.members
        ]
        if result.succeeded:
            await self._tell("completed", {"steps": steps, "duration_ms": duration_ms})
            return f"The steps of the skill are done.\n{result.text()}\n\n"
        failed = next(one for one in reversed(result.members) if one.status != "ok")
        reason = f"step {failed.step} ({failed.tried[-1]}): {failed.status}"
        await self._tell("fallback", {"steps": steps, "reason": reason, "duration_ms": duration_ms})
        kept = "\n".join(
            f"Result of step {one.step} ({one.tried[-1]}):\n{one.text}"
            for one in result.members
            if one.status == "ok"
        )
        return (
            f"The skill's own steps ended at {reason}. What was done is kept; go on yourself from "
            f"there, by the text of the skill below.\n{result.text()}\n{kept}\n\n"
        )

    async def _tell(self, phase: SkillPhase, detail: dict[str, Any], member: str = "") -> None:
        context, call = self.running.context, self.running.call
        await context.recorder.commit(
            SkillEvent(
                # The same step is met again after an interrupt: one fact, one id.
                event_id=f"skill:{context.run.run_id}:{call.key}:{phase}:{member}",
                phase=phase,
                name=self.skill.name,
                detail={"tool_call_id": call.call_id, **detail},
            )
        )
