"""The run's model answers for an MCP server (`sampling/createMessage`): beside the conversation.

The model gets what the server sent and nothing else: no history, no instructions of ours, no tools.
The call counts in the run like every other; a budget that is used up refuses it, since nobody
raises a budget for a server. Who allowed it is `mcp/offered/sampling.py`'s.
"""

from collections.abc import Sequence
from typing import Final

from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)

from dataagent_core.engine.call_terms import CallTerms, on_terms
from dataagent_core.engine.side_calls import SideCalls
from dataagent_core.errors import ModelError
from dataagent_core.mcp.ports import Sampled, SamplingRequest
from dataagent_core.models.answer_cap import was_cut

_MODEL_CHARS_MAX: Final = 200


class SampledAnswers:
    """Asks the agent's model for its servers; `model` is its name where an answer has none."""

    def __init__(self, side_calls: SideCalls, model: str) -> None:
        self._side_calls = side_calls
        self._model = model

    async def __call__(self, request: SamplingRequest) -> Sampled:
        """Return the model's answer, or raise what keeps it from answering."""
        messages: list[AnyMessage] = [
            HumanMessage(one.text) if one.role == "user" else AIMessage(one.text)
            for one in request.messages
        ]
        system = SystemMessage(request.system_prompt) if request.system_prompt else None
        terms = CallTerms(answer_tokens_max=request.max_tokens, waits_for_budget=False)
        try:
            with on_terms(terms):
                said = await self._side_calls.answer(system, messages)
        except ContextOverflowError as error:
            raise ModelError(f"the request does not fit the model's window: {error}") from error
        return sampled_from(said, request.stop_sequences, self._model)


def sampled_from(said: Sequence[BaseMessage], stops: Sequence[str], model: str) -> Sampled:
    """Read an answer as the protocol puts it; stop sequences count here, whatever the provider."""
    text = "\n".join(str(message.text) for message in said)
    ends = [end for end in (text.find(stop) for stop in stops) if end >= 0]
    metadata = said[-1].response_metadata if said else {}
    name = metadata.get("model_name") or metadata.get("model")
    return Sampled(
        text=text[: min(ends)] if ends else text,
        model=(name if isinstance(name, str) else model)[:_MODEL_CHARS_MAX],
        stop_reason=("stopSequence" if ends else "maxTokens" if was_cut(metadata) else "endTurn"),
    )
