"""The first setup, with scripted answers and real servers."""

import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from model_servers import (
    LM_STUDIO_MODELS,
    OLLAMA_TAGS,
    VLLM_MODELS,
    Chat,
    Reply,
    calls_tools,
    refuses_tools,
    serving,
    talks_only,
    wants_a_key,
)

from dataagent_cli.setup.first_start import ask_for_model, is_configured
from dataagent_cli.setup.model_choice import ModelChoice
from dataagent_cli.setup.probe import Candidate
from dataagent_cli.wiring import App, start
from dataagent_core.config import Settings

LEAVES = None


class Person:
    """Chooses by a part of an option's text, types the next line, and stores what it read."""

    def __init__(self, *answers: str | None) -> None:
        self._answers: Iterator[str | None] = iter(answers)
        self.told: list[str] = []
        self.offered: list[Sequence[str]] = []

    def tell(self, text: str) -> None:
        self.told.append(text)

    async def choose(self, question: str, options: Sequence[str]) -> int | None:
        self.told.append(question)
        self.offered.append(options)
        wanted = next(self._answers)
        if wanted is None:
            return None
        return next(n for n, option in enumerate(options) if wanted in option)

    async def line(self, question: str) -> str | None:
        del question
        return next(self._answers)

    async def secret(self, question: str) -> str | None:
        del question
        return next(self._answers)

    @property
    def heard(self) -> str:
        return "\n".join(self.told)


@pytest.fixture
def app(environment: dict[str, str], workspace: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    import os

    for name in set(os.environ) - set(environment):
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(workspace)
    return start()


async def met(
    app: App, person: Person, *, listing: object = VLLM_MODELS, chat: Chat = calls_tools
) -> tuple[ModelChoice | None, str]:
    with serving({"/v1/models": Reply.of(listing)}, chat) as url:
        return await ask_for_model(app, person, [Candidate("vLLM", url)]), url


@pytest.mark.requirement("F8-9-local")
async def test_a_model_that_is_here_is_offered_tried_and_kept(app: App):
    person = Person("Qwen/Qwen3-8B")
    choice, url = await met(app, person)
    assert choice is not None
    assert choice.name == "openai:Qwen/Qwen3-8B"
    assert "No model is configured yet" in person.heard
    assert "can call tools" in person.heard
    again = Settings()
    assert (again.model, again.openai_base_url) == ("openai:Qwen/Qwen3-8B", f"{url}/v1")
    assert is_configured(again)
    assert not is_configured(app.settings)


@pytest.mark.requirement("F8-9-local")
@pytest.mark.parametrize("chat", [talks_only, refuses_tools])
async def test_a_model_that_calls_no_tools_is_said_and_still_kept(app: App, chat: Chat):
    person = Person("Qwen")
    choice, _ = await met(app, person, chat=chat)
    assert choice is not None
    assert "did not call a tool" in person.heard


async def test_ollama_needs_no_address(app: App):
    with serving({"/api/tags": Reply.of(OLLAMA_TAGS)}) as url:
        person = Person("qwen3:8b", "yes")
        choice = await ask_for_model(app, person, [Candidate("Ollama", url)])
    assert choice is not None
    assert choice.name == "ollama:qwen3:8b"
    assert (Settings().model, Settings().openai_base_url) == ("ollama:qwen3:8b", None)


@pytest.mark.requirement("F8-9-key")
async def test_a_key_is_recognised_tried_and_kept_for_its_owner_alone(
    app: App, monkeypatch: pytest.MonkeyPatch
):
    with serving({}, calls_tools) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        person = Person("key", "sk-proj-" + "s3cret" * 10)
        choice = await ask_for_model(start(), person, [])
    assert choice is not None
    assert choice.name.startswith("openai:")
    assert "a key of OpenAI" in person.heard
    assert "s3cret" not in person.heard
    path = app.settings.home / "config.toml"
    assert "s3cret" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.requirement("F8-9-key")
async def test_a_key_that_is_refused_is_said_without_it_and_kept_only_if_wanted(
    app: App, monkeypatch: pytest.MonkeyPatch
):
    with serving({}, wants_a_key) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        person = Person("key", "sk-proj-hush", "no, choose again", LEAVES)
        assert await ask_for_model(start(), person, []) is None
    assert "did not answer" in person.heard
    assert "hush" not in person.heard
    assert "nothing was changed" in person.heard
    assert not (app.settings.home / "config.toml").exists()


async def test_a_key_of_several_possible_owners_is_asked_about(app: App):
    person = Person("key", "sk-" + "0a" * 16, LEAVES, LEAVES)
    assert await ask_for_model(app, person, []) is None
    assert list(person.offered[1]) == ["DeepSeek", "DashScope"]


async def test_what_is_no_key_is_said_and_the_question_comes_again(app: App):
    person = Person("key", "gsk_abc", "key", " ", LEAVES)
    assert await ask_for_model(app, person, []) is None
    assert "Groq" in person.heard
    assert "it is empty" in person.heard


async def test_another_address_with_a_key_and_several_models(app: App):
    listing = {"data": [{"id": "one"}, {"id": "two"}]}
    with serving({"/v1/models": Reply.of(listing)}, calls_tools) as url:
        person = Person("another address", url, "sk-or-x", "two")
        choice = await ask_for_model(app, person, [])
    assert choice is not None
    assert choice.name == "openai:two"
    kept = Settings()
    assert kept.openai_api_key is not None
    assert kept.openai_api_key.get_secret_value() == "sk-or-x"


@pytest.mark.parametrize("address", ["", "ftp://x", "127.0.0.1:8080", "http://u:p@h/v1"])
async def test_what_is_no_address_is_said(app: App, address: str):
    person = Person("another address", address, LEAVES)
    assert await ask_for_model(app, person, []) is None
    assert "is not an address" in person.heard


async def test_more_models_than_fit_are_behind_one_option(app: App):
    listing = {"data": [{"id": f"m{n}"} for n in range(9)]}
    person = Person("another of the 9 models", "m7")
    choice, _ = await met(app, person, listing=listing)
    assert choice is not None
    assert choice.name == "openai:m7"


@pytest.mark.requirement("F8-9-demo")
async def test_the_demo_is_always_offered_and_saves_nothing(app: App):
    person = Person("demo")
    choice = await ask_for_model(app, person, [])
    assert choice is not None
    assert choice.name == "demo:demo"
    assert not (app.settings.home / "config.toml").exists()


async def test_with_a_model_configured_it_can_be_left_as_it_is(app: App):
    configured = replace(app, settings=Settings(model="demo:demo"))
    person = Person("leave it")
    assert await ask_for_model(configured, person, []) is None
    assert "Now used: demo:demo" in person.heard


async def test_a_variable_that_comes_first_is_named(app: App, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATAAGENT_MODEL", "openai:other")
    person = Person("Qwen")
    await met(replace(app, settings=Settings()), person)
    assert "environment DATAAGENT_MODEL sets another value for model" in person.heard


async def test_a_file_that_cannot_be_changed_is_not_lost(app: App):
    path = app.settings.home / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('"model" = "demo:demo"\n')
    from dataagent_core.errors import ConfigurationError

    with pytest.raises(ConfigurationError, match="by hand"):
        await met(app, Person("qwen3-8b"), listing=LM_STUDIO_MODELS)
    assert path.read_text() == '"model" = "demo:demo"\n'
