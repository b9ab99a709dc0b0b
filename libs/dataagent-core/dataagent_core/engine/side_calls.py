"""Model calls beside the conversation, for tools that need a model's help.

They go the way of every model call (`model_calls.py`: limits, budgets, retries, fallbacks), count
in the run that makes them, and nobody takes what they say for the answer.
"""

from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage, BaseMessage, SystemMessage
from langgraph.runtime import get_runtime

from dataagent_core.context.summarizing import apart_from_the_answer
from dataagent_core.engine.model_calls import ModelCalls
from dataagent_core.runs import RunContext


class SideCalls:
    """Asks the agent's model, from within one of its tools."""

    def __init__(self, model_calls: ModelCalls, model: BaseChatModel) -> None:
        self._model_calls = model_calls
        self._model = model

    async def __call__(self, instructions: SystemMessage, messages: list[AnyMessage]) -> str:
        """Return what the model says, as text."""
        return _text(await self.answer(instructions, messages))

    async def answer(
        self, instructions: SystemMessage | None, messages: list[AnyMessage]
    ) -> Sequence[BaseMessage]:
        """Return what the model says."""
        request = ModelRequest(
            model=self._model,
            messages=messages,
            system_message=instructions,
            runtime=get_runtime(RunContext),
        )
        with apart_from_the_answer():
            response = await self._model_calls.awrap_model_call(request, _ask)
        return response.result


async def _ask(request: ModelRequest[Any]) -> ModelResponse[Any]:
    model = request.model.bind(**request.model_settings)
    instructions = [request.system_message] if request.system_message else []
    return ModelResponse(result=[await model.ainvoke([*instructions, *request.messages])])


def _text(messages: Sequence[BaseMessage]) -> str:
    return "\n".join(str(message.text) for message in messages)
