"""Server settings: defaults (S0 property 32), where they come from, and what they refuse."""

from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config import Settings, provenance
from dataagent_core.errors import ConfigurationError
from dataagent_server.settings import ServerSettings
from dataagent_server.settings.checks import is_loopback
from dataagent_server.settings.server import parse_list

Make = Callable[..., ServerSettings]

# S0, with ARCHITECTURE.md's changes.
DEFAULTS = {
    "host": "127.0.0.1",
    "port": 8000,
    "workers": 1,
    "api_keys": [],
    "cors_origins": [],
    "session_timeout": 3600,
    "auth_disabled": False,
    "max_connections": 200,
    "session_store": "sqlite",
    "mysql_host": "localhost",
    "mysql_port": 3306,
    "mysql_user": "root",
    "mysql_database": "dataagent",
    "mysql_pool_size": 10,
    "mysql_max_overflow": 20,
    "workspace_default_max_size_bytes": 1_073_741_824,
    "workspace_default_max_files": 10_000,
    "max_sessions_per_user": 10,
    "database_url": None,
    "redis_url": None,
    "public_url": None,
}
# For each, a value of an operator's own.
CHOSEN = {
    "host": "0.0.0.0",
    "port": "9000",
    "workers": "3",
    "api_keys": '["first-key", "second-key"]',
    "cors_origins": '["https://a.example"]',
    "session_timeout": "60",
    "max_connections": "5",
    "session_store": "mysql",
    "mysql_host": "db",
    "mysql_port": "3307",
    "redis_url": "redis://cache",
}


@pytest.mark.requirement("S0-32")
@given(chosen=st.sets(st.sampled_from(sorted(CHOSEN))))
def test_s0_32_whatever_is_not_set_has_its_default(chosen: set[str], tmp_path: Path):
    environment = {f"DATAAGENT_{name.upper()}": CHOSEN[name] for name in chosen}
    environment["DATAAGENT_HOME"] = str(tmp_path)
    settings = ServerSettings.load(environment, tmp_path)
    for name in set(DEFAULTS) - chosen:
        assert getattr(settings, name) == DEFAULTS[name]
        assert settings.source_of(name) == "default"
    for name in chosen:
        assert getattr(settings, name) != DEFAULTS[name]
        assert settings.source_of(name) == f"environment DATAAGENT_{name.upper()}"


def test_paths_stand_in_the_home_by_default(make_settings: Make, tmp_path: Path):
    settings = make_settings()
    home = tmp_path / "home"
    assert settings.effective_database_url == f"sqlite:///{home / 'dataagent.db'}"
    assert settings.workspaces == home / "workspaces"
    assert settings.secret_key_path == home / "secret.key"


def test_the_server_has_its_own_table_in_the_file_of_both(make_settings: Make, tmp_path: Path):
    (tmp_path / "home").mkdir()
    file = tmp_path / "home/config.toml"
    file.write_text(
        'session_timeout = 7\n[server]\nport = 9\ncors_origins = ["https://a.example"]\n'
    )
    settings = make_settings()
    assert (settings.port, settings.session_timeout) == (9, 7)
    assert settings.source_of("port") == "config.toml [server]"
    # The command line reads the same file and knows nothing of the table.
    command_line = Settings.load({"DATAAGENT_HOME": str(tmp_path / "home")}, tmp_path)
    assert command_line.session_timeout == 7


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("port = 9", "'port' at its top, but it belongs into the table [server]"),
        ("[server]\nprot = 9", "the nearest is 'port'"),
        ("[server]\nsession_timeout = 9", "which is not a setting"),
        ("server = 9", "but it is a table"),
    ],
)
def test_a_misplaced_key_is_named_with_its_place(
    make_settings: Make, tmp_path: Path, text: str, told: str
):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/config.toml").write_text(text)
    with pytest.raises(ConfigurationError) as refused:
        make_settings()
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"cors_origins": '["*"]'}, "would let every web site act"),
        ({"cors_origins": "https://a.example/path"}, "is no origin"),
        ({"cors_origins": "null"}, "is no origin"),
        ({"auth_disabled": "1", "host": "0.0.0.0"}, "may only be bound to this machine"),
        ({"auth_disabled": "1", "host": "::"}, "may only be bound to this machine"),
        ({"port": "65536"}, "less than or equal to 65535"),
        ({"workers": "0"}, "greater than or equal to 1"),
        ({"api_keys": '["unfinished'}, "is not a JSON list"),
        ({"request_timeout": "nan"}, "finite number"),
        ({"sandbox_type": "e2b"}, "'local', 'modal', 'daytona' or 'runloop'"),
        ({"sandbox_type": "modal"}, "pip install 'dataagent-core[modal]'"),
        ({"assistant_sandbox_types": '["local", "runloop"]'}, "dataagent-core[runloop]"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_the_way_out(
    make_settings: Make, values: dict[str, str], told: str
):
    with pytest.raises(ConfigurationError) as refused:
        make_settings(**values)
    assert told in str(refused.value)
    assert "Correct it, or remove it" in str(refused.value)
    assert "unfinished" not in str(refused.value)


def test_mysql_settings_make_a_url_unless_there_is_one(make_settings: Make):
    values = {"session_store": "mysql", "mysql_password": "p@ss/wörd", "mysql_host": "::1"}
    url = make_settings(**values).effective_database_url
    assert url == "mysql://root:p%40ss%2Fw%C3%B6rd@[::1]:3306/dataagent"
    both = make_settings(**values, database_url="mariadb://db/x")
    assert both.effective_database_url == "mariadb://db/x"


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"session_store": "postgres"}, "set DATAAGENT_DATABASE_URL=postgresql://"),
        ({"session_store": "redis"}, "set DATAAGENT_REDIS_URL"),
        ({"session_store": "memory", "workers": "2"}, "set DATAAGENT_WORKERS=1"),
        ({"session_store": "mysql", "database_url": "postgresql://db/x"}, "Leave one of them out"),
        ({"session_store": "sqlite", "database_url": "mysql://db/x"}, "Leave one of them out"),
        ({"session_store": "postgres", "database_url": "sqlite:///x"}, "Leave one of them out"),
    ],
)
def test_a_session_store_that_cannot_be_honoured_is_refused(
    make_settings: Make, values: dict[str, str], told: str
):
    with pytest.raises(ConfigurationError, match=told):
        _ = make_settings(**values).effective_database_url


@pytest.mark.parametrize(
    "values",
    [
        {"database_url": "postgresql://db/x"},
        {"session_store": "postgres", "database_url": "postgresql+psycopg://db/x"},
        {"session_store": "redis", "redis_url": "redis://cache", "database_url": "mysql://db/x"},
        {"session_store": "memory", "database_url": "postgresql://db/x"},
    ],
)
def test_a_session_store_that_fits_leaves_the_database_alone(
    make_settings: Make, values: dict[str, str]
):
    assert make_settings(**values).effective_database_url == values["database_url"]


def test_no_secret_is_shown(make_settings: Make):
    settings = make_settings(api_keys='["hush-hush"]', mysql_password="hush", metrics_token="hush")
    assert "hush" not in repr(settings)
    assert not any("hush" in str(line) for line in provenance(settings))


def test_every_setting_is_described(make_settings: Make):
    assert all(line.description for line in provenance(make_settings()))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.1.2.3"])
def test_loopback_is_this_machine(host: str):
    assert is_loopback(host)


@given(st.ip_addresses())
def test_other_addresses_are_not_this_machine(address: IPv4Address | IPv6Address):
    assert is_loopback(str(address)) == address.is_loopback


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)))
def test_a_list_may_be_written_with_commas(parts: list[str]):
    assert parse_list(",".join(parts)) == parts


def test_sessions_are_kept_for_ever_unless_somebody_says_how_long(make_settings: Make):
    assert make_settings().session_retention_days is None
    assert make_settings(session_retention_days="30").session_retention_days == 30
    with pytest.raises(ConfigurationError, match="SESSION_RETENTION_DAYS"):
        make_settings(session_retention_days="0")
