"""Each provider is asked for its models in its own way, and what it says is read with distrust."""

from pathlib import Path

import pytest

from dataagent_core.config import Settings
from dataagent_core.errors import ConfigurationError
from dataagent_core.models.listing.list_parser import google_models
from dataagent_core.models.listing.list_request import model_list_request


def settings(**environment: str) -> Settings:
    return Settings.load(environment, Path("/nowhere"))


@pytest.mark.parametrize(
    ("provider", "environment", "url", "header"),
    [
        ("openai", {"OPENAI_API_KEY": "k"}, "https://api.openai.com/v1/models", "authorization"),
        ("openai", {"OPENAI_BASE_URL": "https://a.example/v1/"}, "https://a.example/v1/models", "authorization"),
        ("deepseek", {"DEEPSEEK_API_KEY": "k"}, "https://api.deepseek.com/models", "authorization"),
        ("anthropic", {"ANTHROPIC_API_KEY": "k"}, "https://api.anthropic.com/v1/models?limit=100", "x-api-key"),
        ("ollama", {"OLLAMA_HOST": "a.example"}, "http://a.example:11434/api/tags", None),
    ],
)  # fmt: skip
def test_a_provider_is_asked_where_it_lists(
    provider: str, environment: dict[str, str], url: str, header: str | None
):
    question = model_list_request(provider, settings(**environment))
    assert question is not None
    assert question.url == url
    assert header is None or header in question.headers
    assert "'k'" not in repr(question)


def test_googles_key_stays_out_of_the_address():
    question = model_list_request("google_genai", settings(GOOGLE_API_KEY="secret-key"))
    assert question is not None
    assert "secret-key" not in question.url + repr(question)


def test_without_a_key_it_is_said_which_to_set_and_the_demo_has_no_endpoint():
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        model_list_request("openai", settings())
    assert model_list_request("demo", settings()) is None


def test_of_googles_models_only_those_that_chat_are_listed():
    listing = {
        "models": [
            {"name": "models/gemini-x", "supportedGenerationMethods": ["generateContent"]},
            {"name": "models/embed", "supportedGenerationMethods": ["embedContent"]},
            {"name": 7, "supportedGenerationMethods": None},
            "nonsense",
        ]
    }
    assert google_models(listing) == ("gemini-x",)
    for hostile in (None, [], {"models": {}}, {"models": [{"supportedGenerationMethods": 3}]}):
        assert google_models(hostile) == ()
