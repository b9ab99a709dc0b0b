"""How long an answer may be, under the name that each provider's wire has for it."""

from typing import Any

import pytest
from agents import scripted
from langchain_core.messages import HumanMessage
from pydantic import SecretStr

from dataagent_core.config import Settings
from dataagent_core.models import resolve_model
from dataagent_core.models.answer_cap import cap_answer, own_cap, was_cut


def sent(name: str, **settings: Any) -> dict[str, Any]:
    """Give what a model would send for a call that is capped at 321 tokens."""
    model, chosen = cap_answer(resolve_model(name, Settings(**settings)).model, {}, 321)
    return model._get_request_payload([HumanMessage("hi")], **chosen)  # type: ignore[attr-defined] # pyright: ignore (what is put on the wire)


@pytest.mark.requirement("F7-6")
def test_openai_is_told_by_its_own_name() -> None:
    body = sent("openai:gpt-4o", openai_api_key="k")
    assert body["max_completion_tokens"] == 321
    assert "max_tokens" not in body
    assert sent("openai:gpt-5-pro", openai_api_key="k")["max_output_tokens"] == 321


@pytest.mark.requirement("F7-6")
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("openai:llama", {"openai_api_key": "k", "openai_base_url": "http://127.0.0.1:1/v1"}),
        ("dashscope:qwen-max", {"dashscope_api_key": "k"}),
    ],
)
def test_others_on_openais_wire_are_told_by_the_name_all_know(
    name: str, settings: dict[str, Any]
) -> None:
    body = sent(name, **settings)
    assert body["extra_body"] == {"max_tokens": 321}
    assert "max_completion_tokens" not in body


@pytest.mark.requirement("F7-6")
@pytest.mark.parametrize("name", ["anthropic:claude-sonnet-4-5", "deepseek:deepseek-chat"])
def test_the_others_are_told_by_max_tokens(name: str) -> None:
    key = f"{name.partition(':')[0]}_api_key"
    assert sent(name, **{key: "k"})["max_tokens"] == 321


@pytest.mark.requirement("F7-6")
def test_ollama_is_told_by_its_options_and_keeps_the_others() -> None:
    whole = resolve_model("ollama:llama3", Settings()).model
    whole = whole.model_copy(update={"temperature": 0.5})
    model, settings = cap_answer(whole, {}, 321)
    params: Any = model._chat_params([HumanMessage("hi")], **settings)  # type: ignore[attr-defined] # pyright: ignore (what is put on the wire)
    assert (params["options"]["num_predict"], params["options"]["temperature"]) == (321, 0.5)
    assert own_cap(whole) is None


@pytest.mark.requirement("F7-6")
def test_google_is_told_by_its_own_name() -> None:
    settings = Settings(google_api_key=SecretStr("k"))
    model = resolve_model("google_genai:gemini-2.0-flash", settings).model
    assert cap_answer(model, {"top_k": 1}, 321)[1] == {"top_k": 1, "max_output_tokens": 321}


def test_a_model_that_knows_no_cap_is_not_told_one() -> None:
    model = scripted({"text": "x"})
    assert cap_answer(model, {"a": 1}, 321) == (model, {"a": 1})


def test_the_cap_a_model_was_built_with_is_known() -> None:
    settings = Settings(anthropic_api_key=SecretStr("k"))
    assert own_cap(resolve_model("anthropic:claude-sonnet-4-5", settings).model) == 64_000


@pytest.mark.parametrize(
    ("told", "cut"),
    [
        ({"finish_reason": "length"}, True),
        ({"stop_reason": "max_tokens"}, True),
        ({"finish_reason": "MAX_TOKENS"}, True),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, True),
        ({"finish_reason": "stop"}, False),
        ({"stop_reason": None}, False),
        ({"incomplete_details": None}, False),
        ({}, False),
    ],
)
def test_an_answer_that_reached_its_cap_is_known_by_its_reason(
    told: dict[str, Any], cut: bool
) -> None:
    assert was_cut(told) is cut
