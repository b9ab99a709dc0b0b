"""A sub-agent's own terms around each of its model calls: sampling, answer length, turns.

In its last turn a sub-agent is told to conclude. If it asks for tools even so, the calls are
dropped and its answer is marked: it is out of turns, and whoever delegated gets what was done so
far (`subagent_report.py`).
"""

from dataclasses import replace
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage

from dataagent_core.config.model_catalog import ModelMetadata
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.engine.model_calls.call_meter import CallTerms, on_terms
from dataagent_core.models.sampling_settings import set_sampling
from dataagent_core.models.system_message import append_to_system
from dataagent_core.subagents import SubAgent

# On the last message of a sub-agent that used all its turns without an answer.
OUT_OF_TURNS_KEY: Final = "out_of_turns"
_LAST_TURN: Final = (
    "This is your last turn: you cannot call tools any more. Answer now with all you have found, "
    "and say what is left to do."
)


class SubAgentTurns(AgentMiddleware[Any, Any, Any]):
    """Wraps the model calls of one named sub-agent."""

    def __init__(self, subagent: SubAgent, metadata: ModelMetadata) -> None:
        super().__init__()
        self._subagent = subagent
        self._metadata = metadata

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        own = self._subagent
        model, settings = set_sampling(
            request.model,
            request.model_settings,
            self._metadata,
            temperature=own.temperature,
            top_p=own.top_p,
        )
        request = request.override(model=model, model_settings=settings)
        made = sum(isinstance(message, AIMessage) for message in request.state["messages"])
        is_last = made + 1 >= own.max_iterations
        if is_last:
            system_message = append_to_system(request.system_message, _LAST_TURN)
            request = request.override(system_message=system_message)
        with on_terms(CallTerms(answer_tokens_max=own.max_tokens)):
            answer = await handler(request)
        if not is_last:
            return answer
        return replace(answer, result=[_without_calls(message) for message in answer.result])


def _without_calls(message: Any) -> Any:
    if not isinstance(message, AIMessage) or not message.tool_calls:
        return message
    wanted = ", ".join(call["name"] for call in message.tool_calls)
    kept = {**message.additional_kwargs, OUT_OF_TURNS_KEY: wanted}
    return message.model_copy(
        update={"content": message.text, "tool_calls": [], "additional_kwargs": kept}
    )
