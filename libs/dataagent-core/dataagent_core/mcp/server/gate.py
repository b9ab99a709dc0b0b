"""May this call run? The agent's own admission, with the person at the MCP client to ask.

Rules allow, ask and deny as they do for the agent. Where one asks and the client cannot, the call
is refused with the way to allow it; nothing is ever approved by itself.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from dataagent_core.errors import DeniedError, NoOneToAskError, ToolExecutionError
from dataagent_core.hitl import ActionRequest, Decision, bound, plain
from dataagent_core.mcp.server.form_request import FormRequester
from dataagent_core.mcp.server.forms import decision_from, form_for
from dataagent_core.mcp.server.ports import MCPToolset
from dataagent_core.permissions import RunPermissions, RunQuestions, judge
from dataagent_core.runs import RunContext
from dataagent_core.session import Run, RunRecorder
from dataagent_core.session.stores.memory import MemoryEventLog
from dataagent_core.tools.pipeline.admission import Admission
from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.pipeline.hooks import Refusal

_QUESTIONS_MAX: Final = 4


class _PersonNeededError(Exception):
    def __init__(self, request: Mapping[str, Any]) -> None:
        super().__init__("a person must decide")
        self.request = request


@dataclass(frozen=True, slots=True)
class CallGate:
    """Decides about the calls of one bench."""

    bench: MCPToolset
    asker: FormRequester
    # What looking ahead may take: `TimeoutError` after it.
    timeout_s: float

    async def pass_through(self, name: str, args: dict[str, Any]) -> AgentCall:
        """Return the call as it may run, or raise what keeps it from running."""
        # The same names in every round: what a person answers is bound to them and the arguments.
        call = AgentCall(name=name, args=args, call_id="call", message_id="mcp", subagent=None)
        answers: list[dict[str, Any]] = []
        for _ in range(_QUESTIONS_MAX):
            context = self._context(list(answers))
            effect = self.bench.registry.find(name).effect
            judged = judge(call.action_request(), effect, self.bench.policy, context.permissions)
            if judged.action == "deny":
                raise DeniedError(f"{name} is denied: {judged.reason}.")
            admission = Admission(
                self.bench.policy, self.bench.registry, foresights=self.bench.foresights
            )
            try:
                async with asyncio.timeout(self.timeout_s):
                    answer = await admission.admit(call, context)
            except _PersonNeededError as needed:
                answers.append(plain(await self._asked(name, needed.request)))
                continue
            if isinstance(answer, Refusal):
                raise _refused(answer, answers)
            return answer.call
        raise DeniedError(f"{name} was not run: each answer was about other arguments.")

    def _context(self, answers: list[dict[str, Any]]) -> RunContext:
        def ask(request: dict[str, Any]) -> dict[str, Any]:
            if answers:
                return answers.pop(0)
            raise _PersonNeededError(request)

        run = Run(run_id="mcp", session_id="mcp", message_id="mcp")
        recorder = RunRecorder(MemoryEventLog(), run, lambda _: None)
        permissions = RunPermissions(
            questions=RunQuestions(session_id=run.session_id, ask=ask),
            session_rules=list(self.bench.kept_rules),
        )
        return RunContext(run=run, recorder=recorder, permissions=permissions)

    async def _asked(self, name: str, request: Mapping[str, Any]) -> Decision:
        form = form_for(request)
        if form is None or not self.asker.can_ask:
            raise NoOneToAskError(
                f"{name} was not run: a person must allow it ({request.get('context')}), and this "
                f"client cannot ask one (MCP elicitation). {self.bench.how_to_allow}".rstrip()
            )
        action = cast("ActionRequest", request["action_requests"][0])
        binding = bound({"type": "approve"}, action)
        said, state = await self.asker.ask(form, {"bound_to": binding.get("bound_to")})
        decision = decision_from(request, said.action, said.content)
        if decision is None or decision["type"] != "approve":
            raise DeniedError(f"{name} was not run: the person declined.")
        # What was asked in an earlier round counts for the arguments it was asked with.
        return cast("Decision", {**decision, "bound_to": state["bound_to"]})


def _refused(refusal: Refusal, answers: list[dict[str, Any]]) -> Exception:
    return DeniedError(refusal.reason) if answers else ToolExecutionError(refusal.reason)
