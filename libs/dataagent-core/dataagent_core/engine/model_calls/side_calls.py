"""Model calls beside the conversation: for tools that need a model's help, and for MCP servers.

They pass `model_calls.py` like every model call (limits, budgets, retries, fallbacks) and count in
the run that makes them. Their text is not part of the answer.

For an MCP server (`sampling/createMessage`) the model gets only what the server sent: no history,
no instructions of ours, no tools. When a budget is used up, the call is refused and no person is
asked to raise it. `mcp/tools/sampling.py` decides whether the call is allowed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)
from langgraph.runtime import get_runtime

from dataagent_core.context.compaction.summary_prompt import hide_from_stream
from dataagent_core.engine.model_calls.call_meter import CallTerms, on_terms
from dataagent_core.engine.model_calls.model_calls import ModelCalls
from dataagent_core.errors import ModelError
from dataagent_core.mcp.ports import SamplingRequest, SamplingResult
from dataagent_core.models import ResolvedModel
from dataagent_core.models.answer_cap import was_cut
from dataagent_core.runs import RunContext

_MODEL_CHARS_MAX: Final = 200


@dataclass(frozen=True, slots=True, repr=False)
class SideCalls:
    """Asks the agent's model, from within one of its tools."""

    model_calls: ModelCalls
    model: ResolvedModel

    async def __call__(self, instructions: SystemMessage, messages: list[AnyMessage]) -> str:
        """Return the model's answer as text."""
        return _join_texts(await self._call_model(instructions, messages))

    async def sample(self, request: SamplingRequest) -> SamplingResult:
        """Answer a sampling request of an MCP server."""
        messages: list[AnyMessage] = [
            HumanMessage(one.text) if one.role == "user" else AIMessage(one.text)
            for one in request.messages
        ]
        system = SystemMessage(request.system_prompt) if request.system_prompt else None
        terms = CallTerms(answer_tokens_max=request.max_tokens, waits_for_budget=False)
        try:
            with on_terms(terms):
                answer = await self._call_model(system, messages)
        except ContextOverflowError as error:
            raise ModelError(f"the request does not fit the model's window: {error}") from error
        return read_sampled(answer, request.stop_sequences, self.model.name)

    async def _call_model(
        self, instructions: SystemMessage | None, messages: list[AnyMessage]
    ) -> Sequence[BaseMessage]:
        request = ModelRequest(
            model=self.model.model,
            messages=messages,
            system_message=instructions,
            runtime=get_runtime(RunContext),
        )
        with hide_from_stream():
            response = await self.model_calls.awrap_model_call(request, _invoke_model)
        return response.result


def read_sampled(answer: Sequence[BaseMessage], stops: Sequence[str], model: str) -> SamplingResult:
    """Convert an answer to the protocol's result; stop sequences apply here for every provider.

    `model` is the name to use when the answer does not name its model.
    """
    text = _join_texts(answer)
    ends = [end for end in (text.find(stop) for stop in stops) if end >= 0]
    metadata = answer[-1].response_metadata if answer else {}
    name = metadata.get("model_name") or metadata.get("model")
    return SamplingResult(
        text=text[: min(ends)] if ends else text,
        model=(name if isinstance(name, str) else model)[:_MODEL_CHARS_MAX],
        stop_reason=("stopSequence" if ends else "maxTokens" if was_cut(metadata) else "endTurn"),
    )


async def _invoke_model(request: ModelRequest[Any]) -> ModelResponse[Any]:
    model = request.model.bind(**request.model_settings)
    instructions = [request.system_message] if request.system_message else []
    return ModelResponse(result=[await model.ainvoke([*instructions, *request.messages])])


def _join_texts(messages: Sequence[BaseMessage]) -> str:
    return "\n".join(str(message.text) for message in messages)
