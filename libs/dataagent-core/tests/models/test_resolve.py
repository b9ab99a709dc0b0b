"""From a name, a model or nothing to a chat model; and what is loaded on the way."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from dataagent_core.config import Settings
from dataagent_core.errors import ConfigurationError
from dataagent_core.models import PROVIDERS, Script, ScriptedChatModel, Step, resolve_model

Load = Callable[..., Settings]
KEYED = [provider for provider in PROVIDERS.values() if provider.key_setting]


def secret_of(model: Any) -> str:
    names = ("openai_api_key", "anthropic_api_key", "google_api_key", "api_key")
    found = [getattr(model, name, None) for name in names]
    return next(one.get_secret_value() for one in found if isinstance(one, SecretStr))


@pytest.mark.requirement("S2-3.3")
@pytest.mark.parametrize("provider", KEYED, ids=lambda provider: provider.name)
async def test_each_provider_builds_with_its_key_and_without_retries_of_the_sdk(
    provider: Any, load: Load
) -> None:
    settings = load(**{provider.key_variable: "the-key"})
    resolved = resolve_model(f"{provider.name}:{provider.default_model}", settings)
    model: Any = resolved.model
    assert resolved.name == f"{provider.name}:{provider.default_model}"
    assert resolved.notice is None
    assert secret_of(model) == "the-key"
    assert model.max_retries == (1 if provider.name == "google_genai" else 0)
    await resolved.aclose()


@pytest.mark.requirement("F2-missing-key")
@pytest.mark.parametrize("provider", KEYED, ids=lambda provider: provider.name)
def test_a_missing_key_names_the_variable_to_set(provider: Any, load: Load) -> None:
    with pytest.raises(ConfigurationError, match=f"set {provider.key_variable} in"):
        resolve_model(f"{provider.name}:any", load())


async def test_a_local_endpoint_needs_no_key(load: Load) -> None:
    resolved = resolve_model("openai:mine", load(OPENAI_BASE_URL="http://127.0.0.1:9/v1"))
    model: Any = resolved.model
    assert model.openai_api_base == "http://127.0.0.1:9/v1"
    assert model.stream_usage
    assert model.use_responses_api is False
    await resolved.aclose()


async def test_qwen_goes_to_dashscopes_compatible_endpoint(load: Load) -> None:
    resolved = resolve_model("qwen-plus", load(DASHSCOPE_API_KEY="k"))
    model: Any = resolved.model
    assert resolved.name == "dashscope:qwen-plus"
    assert model.openai_api_base == "https://dashscope.aliyuncs.com/compatible-mode/v1"
    await resolved.aclose()


async def test_ollama_is_reached_where_its_variable_says(load: Load) -> None:
    resolved = resolve_model("ollama:qwen3:8b", load(OLLAMA_HOST="0.0.0.0:12345"))
    model: Any = resolved.model
    assert (model.model, model.base_url) == ("qwen3:8b", "http://127.0.0.1:12345")
    await resolved.aclose()


async def test_a_model_someone_built_is_used_as_it_is(load: Load) -> None:
    model = ScriptedChatModel(script=Script.of(Step(text="hi")))
    resolved = resolve_model(model, load())
    assert resolved.model is model
    assert resolved.name == "scripted:scripted"
    await resolved.aclose()


def test_the_settings_model_is_used_when_none_is_named(load: Load) -> None:
    settings = load(DATAAGENT_MODEL="demo:demo", ANTHROPIC_API_KEY="k")
    assert resolve_model(None, settings).name == "demo:demo"


@pytest.mark.parametrize(
    ("variable", "value"),
    [("DATAAGENT_MODEL", "nonsense"), ("DATAAGENT_FALLBACK_MODEL", "openai:gpt-5.5, nonsense")],
)
def test_a_wrong_model_of_the_settings_is_refused_by_their_name(
    load: Load, variable: str, value: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"{variable} .*cannot be used: .*'nonsense'"):
        resolve_model("nonsense", load(**{variable: value}))
    with pytest.raises(ConfigurationError) as refusal:
        resolve_model("another", load(**{variable: value}))
    assert variable not in str(refusal.value)


def test_a_script_file_is_a_model(load: Load, tmp_path: Path) -> None:
    path = tmp_path / "steps.json"
    path.write_text(json.dumps({"steps": [{"text": "from the file"}]}))
    resolved = resolve_model(f"scripted:{path}", load())
    assert resolved.model.invoke("anything").content == "from the file"


def test_an_unknown_provider_lists_those_known(load: Load) -> None:
    with pytest.raises(ConfigurationError, match="'llama3' in 'llama3:8b' is not a provider") as e:
        resolve_model("llama3:8b", load())
    assert "anthropic, openai" in str(e.value)
    assert "ollama:llama3:8b" in str(e.value)


def test_a_provider_whose_package_is_missing_names_the_package(load: Load) -> None:
    with pytest.raises(ConfigurationError, match="pip install langchain-mistralai"):
        resolve_model("mistralai:large", load())


def test_a_model_that_cannot_be_set_up_says_which(load: Load) -> None:
    with pytest.raises(ConfigurationError, match="azure_openai:gpt-4o cannot be set up"):
        resolve_model("azure_openai:gpt-4o", load())


def test_another_provider_of_langchain_is_built_without_retries_of_the_sdk(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com")
    monkeypatch.setenv("OPENAI_API_VERSION", "2026-01-01")
    resolved = resolve_model("azure-openai:gpt-4o", load())
    model: Any = resolved.model
    assert resolved.name == "azure_openai:gpt-4o"
    assert model.max_retries == 0


def test_no_sdk_is_loaded_before_a_model_of_it_is_built() -> None:
    code = (
        "import sys\n"
        "from dataagent_core.models import resolve_model, detect_model, classify\n"
        "from dataagent_core.config import Settings\n"
        "import pathlib, tempfile\n"
        "home = tempfile.mkdtemp()\n"
        "settings = Settings.load({'DATAAGENT_HOME': home, 'OPENAI_API_KEY': 'k',"
        " 'OLLAMA_HOST': '127.0.0.1:9'}, pathlib.Path(home))\n"
        "resolve_model('demo:demo', settings)\n"
        "sdks = {'openai', 'anthropic', 'google.genai', 'ollama', 'langchain', 'langgraph'}\n"
        "assert not sdks & set(sys.modules), sdks & set(sys.modules)\n"
        "resolve_model('openai:gpt-4o', settings)\n"
        "assert 'openai' in sys.modules and 'anthropic' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_script_format_alone_does_not_load_langchain() -> None:
    code = (
        "import sys; from dataagent_core.testing import Script, ScriptedEndpoint\n"
        "heavy = {'langchain_core', 'pytest', 'hypothesis'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_projects_env_file_cannot_send_a_persons_key_elsewhere(
    load: Load, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("OPENAI_BASE_URL=http://attacker.invalid/v1\n")
    environment = {"OPENAI_API_KEY": "mine", "HOME": str(tmp_path)}
    settings = Settings.load(environment, tmp_path)
    assert settings.openai_base_url is None
    # Also a person who trusts the file means its own key.
    settings.project_env.decide(trusted=True)
    with pytest.raises(ConfigurationError, match="attacker"):
        resolve_model("openai:gpt-4o", Settings.load(environment, tmp_path))


def test_settings_make_the_models_s1_asks_them_for(load: Callable[..., Settings]):
    settings = load(DATAAGENT_MODEL="openai:gpt-4o", OPENAI_API_KEY="sk-1", DEEPSEEK_API_KEY="k")
    models = (settings.create_default_model(), settings.create_model("deepseek:deepseek-chat"))
    assert [getattr(one, "model_name", None) for one in models] == ["gpt-4o", "deepseek-chat"]
