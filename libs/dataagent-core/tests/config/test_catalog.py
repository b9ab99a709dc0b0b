"""The model catalogue: presets, prices, a person's own figures."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config import ModelCapability, ModelOverride, lookup

# S2 §5.2.7, the table of preset models.
PRESETS = [
    ("gpt-4-turbo", 128_000, 4_096),
    ("gpt-4o", 128_000, 16_384),
    ("gemini-2.0-flash", 1_048_576, 8_192),
    ("gemini-1.5-pro", 2_097_152, 8_192),
    ("qwen-max", 32_000, 8_192),
    ("qwen-plus", 131_072, 8_192),
    ("deepseek-chat", 64_000, 8_192),
    ("claude-3-5-sonnet", 200_000, 8_192),
]


@pytest.mark.requirement("S2-5.2.7-presets")
@pytest.mark.parametrize(("name", "context", "output"), PRESETS)
def test_the_documents_models_have_the_documents_figures(
    name: str, context: int, output: int
) -> None:
    model = lookup(name)
    assert (model.name, model.context_length, model.max_output_tokens) == (name, context, output)


@pytest.mark.parametrize(
    ("edition", "model"),
    [
        ("openai:gpt-4o-2024-08-06", "gpt-4o"),
        ("anthropic:claude-3-5-sonnet-20241022", "claude-3-5-sonnet"),
        ("dashscope:qwen-max-latest", "qwen-max"),
    ],
)
def test_a_dated_edition_has_the_figures_of_its_model(edition: str, model: str) -> None:
    assert lookup(edition).context_length == lookup(model).context_length
    assert lookup(edition).max_output_tokens == lookup(model).max_output_tokens


def test_prices_come_from_the_package_and_differ_between_models() -> None:
    model = lookup("openai:gpt-4o")
    assert model.input_cost_per_1m
    assert model.output_cost_per_1m
    assert model.output_cost_per_1m > model.input_cost_per_1m > 0
    assert lookup("openai:gpt-4o-mini").input_cost_per_1m != model.input_cost_per_1m


def test_the_window_of_a_model_without_a_preset_comes_from_the_package() -> None:
    assert lookup("openai:gpt-4.1").context_length == 1_000_000


@pytest.mark.parametrize(
    "name", ["dashscope:qwen-plus", "ollama:llama3", "demo:demo", "demo", "openai:my-own:8b"]
)
def test_an_unknown_price_is_none_and_never_zero(name: str) -> None:
    model = lookup(name)
    assert model.input_cost_per_1m is None
    assert model.output_cost_per_1m is None


@given(name=st.text(max_size=60))
def test_any_name_gets_an_answer(name: str) -> None:
    model = lookup(name)
    assert model.context_length > 0
    assert model.max_output_tokens > 0


@pytest.mark.requirement("S2-5.2.7-override")
def test_what_a_person_says_wins_and_the_full_name_wins_over_the_bare_one() -> None:
    overrides = {
        "gpt-4o": ModelOverride(context_length=1, input_cost_per_1m=0.5),
        "openai:gpt-4o": ModelOverride(context_length=2, capabilities=(ModelCapability.CHAT,)),
    }
    model = lookup("openai:gpt-4o", overrides)
    assert (model.context_length, model.input_cost_per_1m) == (2, 0.5)
    assert model.capabilities == (ModelCapability.CHAT,)
    assert model.max_output_tokens == 16_384
    assert lookup("azure_openai:gpt-4o", overrides).context_length == 1


def test_settings_do_not_load_prices_langchain_or_an_http_client() -> None:
    code = (
        "import sys, dataagent_core.config as c; c.Settings.load({}); c.lookup('demo:demo');"
        "heavy = {'langchain_core', 'langchain', 'genai_prices', 'httpx', 'openai'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
