"""The files a person writes: `config.toml` and `.env`, whole, broken and hostile."""

from pathlib import Path

import pytest

from dataagent_core.config import Settings
from dataagent_core.config.limits import CONFIG_FILE_BYTES_MAX
from dataagent_core.errors import ConfigurationError


def load(home: Path, config: str | bytes | None = None) -> Settings:
    home.mkdir(exist_ok=True)
    if config is not None:
        data = config if isinstance(config, bytes) else config.encode()
        (home / "config.toml").write_bytes(data)
    return Settings.load({"DATAAGENT_HOME": str(home)}, home)


def test_a_missing_file_sets_nothing(tmp_path: Path) -> None:
    assert load(tmp_path / "home").model is None


def test_invalid_toml_names_the_file_and_the_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"config\.toml.*line 2"):
        load(tmp_path, 'model = "a:b"\nlanguage = = "en"\n')


def test_bytes_that_are_not_utf_8_name_the_file_and_the_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"config\.toml is not UTF-8: line 3.*0xff"):
        load(tmp_path, b"\n\nmodel = '\xff'\n")


def test_a_file_written_by_a_windows_editor_is_read(tmp_path: Path) -> None:
    assert load(tmp_path, b"\xef\xbb\xbfmodel = 'a:b'\r\n").model == "a:b"


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="larger than 1,000,000 bytes"):
        load(tmp_path, "#" * (CONFIG_FILE_BYTES_MAX + 1))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(ConfigurationError, match=r"config\.toml cannot be read"):
        load(tmp_path)


def test_nesting_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"config\.toml"):
        load(tmp_path, "x = " + "[" * 100_000)


def test_an_unknown_key_names_the_nearest_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"'modell'.*nearest is 'model'"):
        load(tmp_path, "modell = 'a:b'")


def test_the_home_cannot_be_set_in_the_file_found_through_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="DATAAGENT_HOME"):
        load(tmp_path, "home = '/elsewhere'")


def test_a_wrong_value_in_the_file_names_key_value_and_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"session_timeout='x' \(from config\.toml\)"):
        load(tmp_path, "session_timeout = 'x'")


def test_a_wrong_value_about_a_model_names_the_table(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"models\.gpt-4o\.context_length=-1"):
        load(tmp_path, '[models."gpt-4o"]\ncontext_length = -1\n')


def test_the_servers_table_is_left_to_the_server(tmp_path: Path) -> None:
    assert load(tmp_path, "model = 'a:b'\n[server]\nhost = '::1'\n").model == "a:b"


def test_a_dotenv_directory_is_not_a_file_of_settings(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    assert load(tmp_path).model is None


def test_a_dotenv_file_may_hold_what_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SOMETHING_ELSE=1\nBARE\nexport DATAAGENT_MODEL=a:b\n")
    assert load(tmp_path).model == "a:b"


def test_a_dotenv_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff")
    with pytest.raises(ConfigurationError, match=r"\.env is not UTF-8"):
        load(tmp_path)
