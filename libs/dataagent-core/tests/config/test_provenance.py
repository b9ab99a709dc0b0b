"""`config show`: each value, where it came from, and no secret."""

from pathlib import Path

from dataagent_core.config import SettingOrigin, Settings, provenance


def shown(tmp_path: Path, **environment: str) -> dict[str, SettingOrigin]:
    settings = Settings.load({"DATAAGENT_HOME": str(tmp_path)} | environment, tmp_path)
    return {line.name: line for line in provenance(settings)}


def test_every_setting_is_listed_with_a_description(tmp_path: Path) -> None:
    lines = shown(tmp_path)
    assert list(lines) == list(Settings.model_fields)
    assert all(line.description for line in lines.values())


def test_each_source_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("session_timeout = 7\n")
    (tmp_path / ".env").write_text("DATAAGENT_LANGUAGE=zh\n")
    lines = shown(tmp_path, GEMINI_API_KEY="g")
    assert lines["home"].source == "environment DATAAGENT_HOME"
    assert lines["google_api_key"].source == "environment GEMINI_API_KEY"
    assert (lines["language"].shown, lines["language"].source) == ("zh", ".env")
    assert lines["session_timeout"].source == "config.toml"
    assert (lines["session_store"].shown, lines["session_store"].source) == ("sqlite", "default")
    assert lines["model"].variable == "DATAAGENT_MODEL"
    assert lines["models"].variable == ""


def test_secrets_and_passwords_in_urls_are_masked(tmp_path: Path) -> None:
    lines = shown(
        tmp_path,
        OPENAI_API_KEY="sk-hidden",
        DATAAGENT_DATABASE_URL="mysql://root:sk-hidden@db/x",
        DATAAGENT_REDIS_URL="redis://:sk-hidden@cache",
    )
    assert lines["openai_api_key"].shown == "***"
    assert lines["database_url"].shown == "mysql://root:***@db/x"
    assert lines["redis_url"].shown == "redis://:***@cache"
    assert not any("sk-hidden" in str(line) for line in lines.values())


def test_a_secret_that_is_not_set_shows_nothing(tmp_path: Path) -> None:
    assert shown(tmp_path)["openai_api_key"].shown == ""
