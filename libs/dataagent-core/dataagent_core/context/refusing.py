"""What a provider says of its window when a request is too long for it.

OpenAI, vLLM, DeepSeek   This model's maximum context length is 8192 tokens. However, ...
Anthropic                prompt is too long: 215000 tokens > 200000 maximum
Anthropic, with answer   input length and `max_tokens` exceed context limit: 1 + 2 > 200000
Gemini                   ... exceeds the maximum number of tokens allowed (1048576).
Mistral                  ... too large for model with 32768 maximum context length
"""

import re

from dataagent_core.config.context_limits import REFUSAL_CHARS_MAX, WINDOW_TOKENS_MIN

_LIMIT = re.compile(
    r"maximum (?:context length|number of tokens allowed)\D{0,12}(\d[\d,]{2,11})\b"
    r"|> ?(\d[\d,]{2,11})\b maximum"
    r"|context limit[^>\n]{0,80}> ?(\d[\d,]{2,11})\b"
    r"|with (\d[\d,]{2,11})\b maximum context",
    re.IGNORECASE,
)


def stated_window(message: str) -> int | None:
    """Read how many tokens the model takes; None if it is not said, or cannot be true."""
    found = _LIMIT.search(message[:REFUSAL_CHARS_MAX])
    if found is None:
        return None
    tokens = int(next(group for group in found.groups() if group).replace(",", ""))
    return tokens if tokens >= WINDOW_TOKENS_MIN else None
