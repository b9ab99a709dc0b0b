"""A setting with which nothing could run is refused at the start, by its name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dataagent_core.errors import ConfigurationError
from dataagent_server.cli.serve.setting_checks import CHECKS, check_settings
from dataagent_server.settings import ServerSettings

BAD = [
    ("api_keys", '["short"]'),
    ("model", "nonsense"),
    ("model", "openai:"),
    ("fallback_model", "openai:gpt-5.5,nonsense"),
    ("assistant_id", "../outside"),
    ("redis_url", "http://cache"),
    ("redis_url", "redis://cache:notaport"),
    ("workspace_uid_first", "5"),
    ("trusted_proxies", '["a proxy"]'),
    ("trusted_proxies", "10.0.0.1,*"),
    ("mcp_oauth_issuer", "https://issuer.example"),
    ("public_url", "https://"),
    ("searxng_url", "http:///search"),
]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_is_refused_by_the_name_of_its_variable(tmp_path: Path, name: str, value: str):
    variable = f"DATAAGENT_{name.upper()}"
    environment = {"DATAAGENT_HOME": str(tmp_path), variable: value}
    with pytest.raises(ConfigurationError, match="cannot be used") as refusal:
        check_settings(ServerSettings.load(environment, tmp_path))
    assert variable in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[permissions]\nrules = [1]\n", "permissions"),
        ('web_allow_hosts = ["a b"]\n', "web_allow_hosts"),
        ('workspace_base_path = "FILE"\n', "DATAAGENT_WORKSPACE_BASE_PATH"),
    ],
)
def test_a_bad_value_of_the_file_is_refused_too(tmp_path: Path, text: str, named: str):
    (tmp_path / "config.toml").write_text(text.replace("FILE", str(tmp_path / "config.toml")))
    with pytest.raises(ConfigurationError, match=r"config\.toml") as refusal:
        check_settings(ServerSettings.load({"DATAAGENT_HOME": str(tmp_path)}, tmp_path))
    assert named in str(refusal.value)


def test_the_defaults_pass_every_check(make_settings: Callable[..., ServerSettings]):
    check_settings(make_settings())


def test_every_check_has_a_bad_value_here():
    in_file = {"permissions", "web_allow_hosts", "workspace_base_path"}
    assert set(CHECKS) <= {name for name, _ in BAD} | in_file
