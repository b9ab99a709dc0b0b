"""Recognises the provider of a key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_cli.setup.keys import KeyProblem, KeyProviders, recognise_key
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
    assert recognise_key(key) == KeyProviders(providers)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("  ", KeyProblem("empty")),
        ("sk-ant-a b", KeyProblem("spaces")),
        ("sk-ant-a\nsk-ant-b", KeyProblem("spaces")),
        ("密钥", KeyProblem("not_ascii")),
        ("sk-\x1b[2J", KeyProblem("not_ascii")),
        ("x" * 501, KeyProblem("long")),
        ("sk-or-v1-abc", KeyProblem("foreign", "OpenRouter")),
        ("tvly-abc", KeyProblem("foreign", "Tavily")),
    ],
)
def test_what_is_no_key_for_us_is_said(text: str, problem: KeyProblem):
    assert recognise_key(text) == problem


@given(st.text())
def test_whatever_is_pasted_every_provider_named_is_one_that_takes_a_key(text: str):
    found = recognise_key(text)
    if isinstance(found, KeyProviders):
        assert all(PROVIDERS[name].key_setting for name in found.providers)
        assert found.providers
