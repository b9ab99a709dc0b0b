"""The model that reads episodes: the port, and a chat model behind it."""

from typing import TYPE_CHECKING, Protocol

from langchain_core.messages import HumanMessage, SystemMessage

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


class ModelCall(Protocol):
    """Asks a model once; whoever makes it decides which one, and what it may cost."""

    async def __call__(self, instructions: str, text: str, *, answer_tokens_max: int) -> str:
        """Return the answer; an error of ours (`errors.py`) when there is none."""
        ...


def ask_chat_model(model: "BaseChatModel") -> ModelCall:
    """Ask a model of LangChain; its errors become ours."""
    from dataagent_core.errors import ModelUnavailableError

    async def ask(instructions: str, text: str, *, answer_tokens_max: int) -> str:
        messages = [SystemMessage(instructions), HumanMessage(text)]
        try:
            answer = await model.ainvoke(messages, max_tokens=answer_tokens_max)
        except Exception as error:
            # Each provider has errors of its own; every one of them means: no answer this time.
            raise ModelUnavailableError(f"{type(error).__name__}: {error}") from error
        return str(answer.text)

    return ask
