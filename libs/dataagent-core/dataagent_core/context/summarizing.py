"""Asks the run's own model for a summary, without anybody taking it for the answer.

It goes the way of every model call (retries, limits, usage), and is not streamed.
"""

import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables.config import (
    ensure_config,
    merge_configs,
    var_child_runnable_config,
)
from langgraph.constants import TAG_NOSTREAM

from dataagent_core.errors import DataAgentError, StorageError

Handler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]

logger = logging.getLogger(__name__)


async def ask_for_summary(
    request: ModelRequest[Any], handler: Handler, question: HumanMessage
) -> str | None:
    """Return what the model wrote; None if it could not."""
    asking = request.override(
        messages=[question], tools=[], system_message=None, tool_choice=None, response_format=None
    )
    try:
        with apart_from_the_answer():
            response = await handler(asking)
    except StorageError:
        raise
    except (DataAgentError, ContextOverflowError) as error:
        logger.warning("no summary of older messages: %s", error)
        return None
    said = (message for message in response.result if isinstance(message, AIMessage))
    return "\n".join(str(message.text) for message in said)


@contextmanager
def apart_from_the_answer() -> Generator[None]:
    """Mark the model calls made within: what they say is not streamed to anybody."""
    marked = merge_configs(
        ensure_config(), {"tags": [TAG_NOSTREAM], "metadata": {"lc_source": "summarization"}}
    )
    token = var_child_runnable_config.set(marked)
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)
