"""Reading a model's name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ConfigurationError
from dataagent_core.models.spec import parse_spec

names = st.text(min_size=1).filter(lambda text: text == text.strip())


@given(name=names)
def test_the_first_colon_divides_and_the_name_keeps_the_others(name: str) -> None:
    spec = parse_spec(f"ollama:{name}")
    assert (spec.provider, spec.name) == ("ollama", name)
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("google:gemini-3.5-flash", "google_genai:gemini-3.5-flash"),
        ("qwen:qwen-max", "dashscope:qwen-max"),
        ("Azure-OpenAI:gpt-4o", "azure_openai:gpt-4o"),
        ("ollama:qwen3:8b", "ollama:qwen3:8b"),
        ("gpt-4o", "openai:gpt-4o"),
        ("o3-mini", "openai:o3-mini"),
        ("claude-sonnet-4-5", "anthropic:claude-sonnet-4-5"),
        ("gemini-2.5-pro", "google_genai:gemini-2.5-pro"),
        ("deepseek-chat", "deepseek:deepseek-chat"),
        ("qwen-plus", "dashscope:qwen-plus"),
        ("demo", "demo:demo"),
    ],
)
def test_aliases_and_well_known_names_are_understood(text: str, full: str) -> None:
    assert str(parse_spec(text)) == full


@pytest.mark.parametrize("text", ["openai:", ":gpt-4o", ":", " openai : "])
def test_half_a_name_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ConfigurationError, match="provider:name, as in openai:"):
        parse_spec(text)


@pytest.mark.parametrize("text", ["mixtral", "", "one-model", "olmo"])
def test_a_name_nobody_is_known_to_have_asks_for_the_provider(text: str) -> None:
    with pytest.raises(ConfigurationError, match="does not say whose it is"):
        parse_spec(text)
