"""The plan: LangChain's `write_todos`, with its check moved into the model's step.

A plan is replaced as a whole, so two of them in one answer are refused. The library checks after
every model call in a step of its own, with a checkpoint each; here the answer is checked before it
becomes part of the state.
"""

from dataclasses import replace
from typing import Any, cast

from langchain.agents.middleware import TodoListMiddleware
from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse

from dataagent_core.engine.middleware.middleware_chain import ModelHandler


class TodoList(TodoListMiddleware[Any, Any]):
    """Offers the tool `write_todos`, and refuses two calls of it in one answer."""

    after_model: Any = AgentMiddleware.after_model
    aafter_model: Any = AgentMiddleware.aafter_model

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        answer = cast("ModelResponse[Any]", await super().awrap_model_call(request, handler))
        state: Any = {"messages": answer.result}
        refused = TodoListMiddleware.after_model(self, state, request.runtime)
        if not refused:
            return answer
        return replace(answer, result=[*answer.result, *refused["messages"]])
