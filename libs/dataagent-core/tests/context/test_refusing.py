"""What is learned from a provider that says a request is too long."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents import events_of
from long_sessions import Measuring, agent, measuring

from dataagent_core.context.context_record import REPORT_KEY
from dataagent_core.context.window_size import stated_window
from dataagent_core.engine.checkpoints.history import thread


@pytest.mark.parametrize(
    ("message", "window"),
    [
        ("This model's maximum context length is 8192 tokens. However, you had 9321.", 8_192),
        ("maximum context length is 4,096 tokens", 4_096),
        ("prompt is too long: 215000 tokens > 200000 maximum", 200_000),
        ("input length and `max_tokens` exceed context limit: 197000 + 8192 > 200000", 200_000),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
         1_048_576),
        ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
         32_768),
        ("context length exceeded", None),
        ("maximum context length is 12 tokens", None),
        ("maximum context length is 99999999999999999999999 tokens", None),
        ("> 7" * 100_000, None),
    ],
)  # fmt: skip
def test_a_provider_may_say_how_much_it_takes(message: str, window: int | None) -> None:
    assert stated_window(message) == window


WINDOW = 60_000


class Dense(Measuring):
    """A model whose tokens are half as long as estimated, and which says so."""

    def size(self, position: int) -> int:
        return 2 * super().size(position)

    async def _astream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        async for chunk in super()._astream(messages, *args, **kwargs):
            if usage := chunk.message.usage_metadata:
                usage["input_tokens"] = self.size(-1)
            yield chunk


@pytest.mark.requirement("F7-overflow")
async def test_dense_text_does_not_make_the_window_smaller_than_the_provider_says(
    tmp_path: Path,
) -> None:
    model = measuring({"text": "ok"}, window=WINDOW, kind=Dense)
    executor_ = agent(model, tmp_path, 128_000)
    windows: set[int] = set()
    for n in range(12):
        events = await events_of(executor_, f"{n}. " + "word " * 4_000)
        assert events[-1].reason == "completed", events[-2]
        state = await executor_.agent.aget_state(thread(events[-1].run_id))
        windows.add(state.values[REPORT_KEY]["window_tokens"])
    assert windows == {128_000, WINDOW}
    # It learned: only the first time is anything refused.
    assert 1 <= sum(model.size(n) > WINDOW for n in range(len(model.asked))) <= 2
