"""Whose key a text looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_cli.setup.keys import Recognised, Strange, recognised
from dataagent_core.models import PROVIDERS


@pytest.mark.requirement("F8-9-key")
@pytest.mark.parametrize(
    ("key", "providers"),
    [
        ("sk-ant-api03-" + "x" * 90, ("anthropic",)),
        (" sk-proj-" + "x" * 120 + "\n", ("openai",)),
        ("sk-abcT3BlbkFJxyz", ("openai",)),
        ("AIza" + "x" * 35, ("google_genai",)),
        ("sk-" + "0a" * 16, ("deepseek", "dashscope")),
        ("sk-" + "x" * 48, ("openai", "dashscope", "deepseek")),
        ("x" * 40, ("anthropic", "openai", "google_genai", "deepseek", "dashscope")),
    ],
)
def test_a_key_is_recognised_by_its_shape(key: str, providers: tuple[str, ...]):
    assert recognised(key) == Recognised(providers)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("  ", Strange("empty")),
        ("sk-ant-a b", Strange("spaces")),
        ("sk-ant-a\nsk-ant-b", Strange("spaces")),
        ("密钥", Strange("not_ascii")),
        ("sk-\x1b[2J", Strange("not_ascii")),
        ("x" * 501, Strange("long")),
        ("sk-or-v1-abc", Strange("foreign", "OpenRouter")),
        ("tvly-abc", Strange("foreign", "Tavily")),
    ],
)
def test_what_is_no_key_for_us_is_said(text: str, problem: Strange):
    assert recognised(text) == problem


@given(st.text())
def test_whatever_is_pasted_every_provider_named_is_one_that_takes_a_key(text: str):
    found = recognised(text)
    if isinstance(found, Recognised):
        assert all(PROVIDERS[name].key_setting for name in found.providers)
        assert found.providers
