"""Recognises the provider of a key by its shape. Pure: a key is not sent anywhere.

Only prefixes that providers document or always use are trusted; if several providers share a shape,
the person chooses.
"""

import re
from dataclasses import dataclass
from typing import Literal

KEY_CHARS_MAX = 500

Strangeness = Literal["empty", "spaces", "not_ascii", "long", "foreign"]


@dataclass(frozen=True, slots=True)
class KeyProblem:
    """Why a text is not a usable key, and the provider it seems to belong to."""

    problem: Strangeness
    provider: str = ""


@dataclass(frozen=True, slots=True)
class KeyProviders:
    """The providers whose keys look like this, the likeliest first."""

    providers: tuple[str, ...]


_ALL = ("anthropic", "openai", "google_genai", "deepseek", "dashscope")
_SHAPES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"sk-ant-"), ("anthropic",)),
    (re.compile(r"sk-(proj|svcacct|None|service)-|sk-\w*T3BlbkFJ"), ("openai",)),
    (re.compile(r"AIza[\w-]{35}\Z"), ("google_genai",)),
    (re.compile(r"sk-[0-9a-f]{32}\Z"), ("deepseek", "dashscope")),
    (re.compile(r"sk-"), ("openai", "dashscope", "deepseek")),
)
# Prefixes of providers that are not in the list above.
_FOREIGN = (
    ("sk-or-", "OpenRouter"),
    ("gsk_", "Groq"),
    ("xai-", "xAI"),
    ("hf_", "Hugging Face"),
    ("pplx-", "Perplexity"),
    ("nvapi-", "NVIDIA"),
    ("tvly-", "Tavily"),
    ("ghp_", "GitHub"),
    ("github_pat_", "GitHub"),
)


def recognise_key(text: str) -> KeyProviders | KeyProblem:
    """Return the possible providers of a key, or the problem with it."""
    key = text.strip()
    problem = _problem(key)
    if problem is not None:
        return KeyProblem(problem)
    for beginning, provider in _FOREIGN:
        if key.startswith(beginning):
            return KeyProblem("foreign", provider)
    fitting = (providers for shape, providers in _SHAPES if shape.match(key))
    return KeyProviders(next(fitting, _ALL))


def _problem(key: str) -> Strangeness | None:
    if not key:
        return "empty"
    if any(map(str.isspace, key)):
        return "spaces"
    if not key.isascii() or not key.isprintable():
        return "not_ascii"
    return "long" if len(key) > KEY_CHARS_MAX else None
