"""Settings: where values come from, what they may be, and the agent's directory."""

import stat
import string
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config import Settings
from dataagent_core.config.prompts import DEFAULT_AGENT_PROMPT
from dataagent_core.config.resolve.layers import variable_names
from dataagent_core.errors import ConfigurationError, DirectoryError, ValidationError

KEYS = {
    "openai_api_key": ("OPENAI_API_KEY",),
    "anthropic_api_key": ("ANTHROPIC_API_KEY",),
    "google_api_key": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "deepseek_api_key": ("DEEPSEEK_API_KEY",),
    "dashscope_api_key": ("DASHSCOPE_API_KEY",),
    "tavily_api_key": ("TAVILY_API_KEY",),
    "api_key": ("DATAAGENT_API_KEY",),
}
PRINTABLE = string.ascii_letters + string.digits + string.punctuation
# With a mark that no name of a setting holds, so that finding one in a repr means something.
secrets = st.text(PRINTABLE, min_size=12, max_size=80).map(lambda text: f"sk#{text}")
assistant_ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True)


def load(tmp_path: Path, **environment: str) -> Settings:
    return Settings.load({"DATAAGENT_HOME": str(tmp_path / "home")} | environment, tmp_path)


@pytest.mark.requirement("S0-16")
@given(values=st.dictionaries(st.sampled_from(sorted(KEYS)), secrets), data=st.data())
def test_s0_property_16_every_key_in_the_environment_is_loaded(
    values: dict[str, str], data: st.DataObject, tmp_path: Path
) -> None:
    environment = {data.draw(st.sampled_from(KEYS[name])): value for name, value in values.items()}
    settings = load(tmp_path, **environment)
    for name in KEYS:
        secret = getattr(settings, name)
        assert (secret.get_secret_value() if secret else None) == values.get(name)
    assert not any(value in repr(settings) for value in values.values())
    assert settings.has_tavily == ("tavily_api_key" in values)


@pytest.mark.requirement("S0-17")
@given(assistant_id=assistant_ids)
def test_s0_property_17_the_directory_of_any_agent_is_made(assistant_id: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.load({"DATAAGENT_HOME": home}, Path(home))
        directory = settings.ensure_agent_dir(assistant_id)
        assert directory == Path(home) / "agents" / assistant_id
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        assert (directory / "agent.md").read_text() == settings.default_agent_prompt


@pytest.mark.requirement("S0-17")
@given(assistant_id=st.text().filter(lambda text: not text.isalnum()))
def test_s0_property_17_an_id_that_leads_elsewhere_is_refused(assistant_id: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.load({"DATAAGENT_HOME": home}, Path(home))
        try:
            directory = settings.ensure_agent_dir(assistant_id)
        except ValidationError:
            assert not (Path(home) / "agents").exists()
        else:
            assert directory.parent == Path(home) / "agents"


@pytest.mark.requirement("S0-18")
@given(
    present=st.sets(st.sampled_from(["DATAAGENT_MODEL", "OPENAI_API_KEY", "DATAAGENT_LANGUAGE"])),
    empty=st.sampled_from(["", "  "]),
)
def test_s0_property_18_an_unset_or_empty_variable_gives_the_default(
    present: set[str], empty: str, tmp_path: Path
) -> None:
    settings = load(tmp_path, **dict.fromkeys(present, empty))
    assert settings.home == tmp_path / "home"
    assert settings.model is None
    assert settings.language == "auto"
    assert settings.openai_api_key is None
    assert settings.assistant_id == "default"
    assert settings.session_store == "sqlite"
    assert settings.session_timeout == 3600
    assert settings.max_context_tokens is None
    assert settings.timeout is None
    assert settings.database_path == tmp_path / "home" / "dataagent.db"
    assert settings.workspaces == tmp_path / "home" / "workspaces"
    assert settings.default_agent_prompt == DEFAULT_AGENT_PROMPT
    assert settings.dashscope_base_url == "https://dashscope.aliyuncs.com/compatible-mode/v1"
    assert not settings.has_tavily


def test_the_environment_wins_over_dotenv_and_dotenv_over_the_config_file(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('model = "a:file"\nsession_timeout = 7\n')
    (tmp_path / ".env").write_text("DATAAGENT_MODEL=a:dotenv\nOPENAI_API_KEY='p$ss'\n")
    load(tmp_path).project_env.decide(trusted=True)
    settings = load(tmp_path)
    assert settings.model == "a:dotenv"
    assert settings.session_timeout == 7
    assert settings.openai_api_key
    assert settings.openai_api_key.get_secret_value() == "p$ss"
    assert load(tmp_path, DATAAGENT_MODEL="a:environment").model == "a:environment"


def test_arguments_win_and_a_home_given_as_one_is_where_the_config_file_is_read(
    tmp_path: Path,
) -> None:
    (tmp_path / "config.toml").write_text('model = "a:file"\n')
    assert Settings(home=tmp_path).model == "a:file"
    assert Settings(home=tmp_path, model="a:argument").model == "a:argument"


def test_the_home_may_be_written_with_a_tilde(tmp_path: Path) -> None:
    settings = Settings.load({"HOME": str(tmp_path), "DATAAGENT_HOME": "~/mine"}, tmp_path)
    assert settings.home == tmp_path / "mine"
    assert Settings.load({"HOME": str(tmp_path)}, tmp_path).home == tmp_path / ".dataagent"


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("DATAAGENT_SESSION_STORE", "etcd", "'memory', 'sqlite', 'mysql', 'postgres' or 'redis'"),
        ("DATAAGENT_LANGUAGE", "fr", "'auto', 'en' or 'zh'"),
        ("DATAAGENT_SESSION_TIMEOUT", "soon", "valid integer"),
        ("DATAAGENT_SESSION_TIMEOUT", "0", "greater than or equal to 1"),
        ("DATAAGENT_MODEL_RETRIES", "-1", "greater than or equal to 0"),
        ("DATAAGENT_TIMEOUT", "nan", "finite number"),
        ("DATAAGENT_MAX_CONTEXT_TOKENS", "1e99", "valid integer"),
        ("OPENAI_BASE_URL", "localhost:8000", "https?://"),
    ],
)
def test_a_bad_value_names_the_variable_the_value_and_what_is_allowed(
    variable: str, value: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, **{variable: value})
    message = str(caught.value)
    assert variable in message
    assert repr(value) in message
    assert told in message


def test_a_setting_that_does_nothing_yet_is_refused(tmp_path: Path) -> None:
    variable = "DATAAGENT_TEMPORAL_HOST"
    with pytest.raises(ConfigurationError, match=f"{variable}='there:1'.* not yet: nothing"):
        Settings.load({variable: "there:1"}, tmp_path)
    # Unset, or left empty in a file of a deployment, is no wish.
    assert Settings.load({variable: ""}, tmp_path).temporal_host is None


def test_a_bad_value_in_dotenv_is_named_by_its_variable(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DATAAGENT_LANGUAGE=fr\n")
    with pytest.raises(ConfigurationError, match=r"DATAAGENT_LANGUAGE='fr' \(from \.env\)"):
        load(tmp_path)


def test_a_bad_value_of_a_secret_is_not_shown(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Settings(home=tmp_path, openai_api_key=["sk-very-secret"])  # pyright: ignore[reportArgumentType]
    assert "openai_api_key=***" in str(caught.value)
    assert "sk-very-secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_name_that_is_no_setting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="'modle' is not a setting"):
        Settings(home=tmp_path, modle="a:b")  # pyright: ignore[reportCallIssue]


def test_many_bad_values_are_reported_together_the_first_few_in_full(tmp_path: Path) -> None:
    names = ["SESSION_TIMEOUT", "MODEL_RETRIES", "TIMEOUT", "RUN_MODEL_CALLS_MAX", "LANGUAGE"]
    names += ["SESSION_STORE", "MAX_CONTEXT_TOKENS"]
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, **{f"DATAAGENT_{name}": "x" * 1000 for name in names})
    assert "2 more settings are wrong" in str(caught.value)
    assert len(str(caught.value)) < 4000


def test_settings_cannot_be_changed_afterwards(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="frozen"):
        load(tmp_path).model = "a:b"  # pyright: ignore[reportAttributeAccessIssue]


def test_no_two_settings_share_a_variable() -> None:
    names = [
        variable
        for name, field in Settings.model_fields.items()
        for variable in variable_names(name, field)
    ]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("url", "path"),
    [("sqlite:////data/a.db", "/data/a.db"), ("sqlite:////data/a%20b.db?x=1", "/data/a b.db")],
)
def test_a_sqlite_url_names_the_database_file(url: str, path: str, tmp_path: Path) -> None:
    assert load(tmp_path, DATAAGENT_DATABASE_URL=url).database_path == Path(path)


@pytest.mark.parametrize(
    "url", ["mysql://root:hunter2@db/x", "postgresql://db", "sqlite://", "sqlite:///:memory:"]
)
def test_another_database_is_an_error_that_shows_no_password(url: str, tmp_path: Path) -> None:
    settings = load(tmp_path, DATAAGENT_DATABASE_URL=url)
    with pytest.raises(ConfigurationError, match="DATAAGENT_DATABASE_URL") as caught:
        _ = settings.database_path
    assert "hunter2" not in str(caught.value)


def test_an_existing_agent_md_is_left_as_it_is(tmp_path: Path) -> None:
    settings = load(tmp_path)
    agent_md = settings.ensure_agent_dir("mine") / "agent.md"
    agent_md.write_text("my own words")
    assert settings.ensure_agent_dir("mine") == agent_md.parent
    assert agent_md.read_text() == "my own words"


def test_a_home_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, not a directory")
    settings = Settings.load({"DATAAGENT_HOME": str(tmp_path / "elsewhere")}, tmp_path)
    broken = settings.model_copy(update={"home": tmp_path / "home"})
    with pytest.raises(DirectoryError, match="DATAAGENT_HOME"):
        broken.ensure_agent_dir("mine")


def test_a_project_has_a_directory_of_skills_only_if_it_made_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load(tmp_path)
    assert settings.get_project_skills_dir(tmp_path) is None
    skills = tmp_path / ".dataagent" / "skills"
    skills.mkdir(parents=True)
    assert settings.get_project_skills_dir(tmp_path) == skills
    monkeypatch.chdir(tmp_path)
    assert settings.get_project_skills_dir() == skills
