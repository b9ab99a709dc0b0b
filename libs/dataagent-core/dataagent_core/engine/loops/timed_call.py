"""A call of the agent's model beside the conversation, with a limit of time.

Nobody is asked to raise a budget for it: what it would give, the run can do without.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import HumanMessage, SystemMessage

from dataagent_core.engine.model_calls.call_meter import CallTerms, on_terms
from dataagent_core.engine.model_calls.side_calls import SideCalls
from dataagent_core.errors import (
    BudgetExceededError,
    ModelError,
    ModelUnavailableError,
    RunTimeoutError,
    ValidationError,
)

# What a call may fail with, its answer included; whoever asked goes on without it.
CALL_FAILURES = (
    ValidationError,
    RunTimeoutError,
    ModelError,
    ModelUnavailableError,
    BudgetExceededError,
)


async def ask_in_time(
    ask: SideCalls,
    instruction: str,
    given: Mapping[str, Any],
    *,
    answer_tokens_max: int,
    timeout_ms: int,
    setting: str = "DATAAGENT_PLANNING_TIMEOUT_MS",
) -> str:
    """Return what the model answers to JSON data; `RunTimeoutError` if it takes too long."""
    text = json.dumps(given, ensure_ascii=False)
    terms = CallTerms(answer_tokens_max=answer_tokens_max, waits_for_budget=False)
    limit = asyncio.timeout(timeout_ms / 1000)
    try:
        async with limit:
            with on_terms(terms):
                return await ask(SystemMessage(instruction), [HumanMessage(text)])
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise RunTimeoutError(f"no answer came within {timeout_ms} ms ({setting}).") from error
    except ContextOverflowError as error:
        # The library's own, for a compaction to catch; here the run does without the answer.
        raise ModelError(f"the request does not fit the model's window: {error}") from error
