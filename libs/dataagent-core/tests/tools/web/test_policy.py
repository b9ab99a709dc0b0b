"""What the operator's settings open, and what stays closed."""

from ipaddress import ip_address
from pathlib import Path

import pytest

from dataagent_core.config import Settings
from dataagent_core.errors import ConfigurationError, ToolExecutionError
from dataagent_core.tools.web.urls import parse_url
from dataagent_core.tools.web.web_policy import WebPolicy, make_web_policy

LOOPBACK = ip_address("127.0.0.1")
PUBLIC = ip_address("93.184.216.34")


def test_only_the_ports_of_the_web_are_open() -> None:
    for url in ("http://example.com/", "https://example.com/", "http://example.com:443/"):
        WebPolicy().check_port(parse_url(url))
    with pytest.raises(ToolExecutionError, match=r"Port 22 .* 'example.com:22' to web_allow_hosts"):
        WebPolicy().check_port(parse_url("http://example.com:22/"))


def test_a_host_with_a_private_and_a_public_address_is_reached_at_the_public_one() -> None:
    assert WebPolicy().dialable("mixed.example", 80, [LOOPBACK, PUBLIC]) == [PUBLIC]


def test_a_private_address_is_refused_with_the_way_out() -> None:
    with pytest.raises(ToolExecutionError, match=r"127\.0\.0\.1 \(loopback\).*'inner.example'"):
        WebPolicy().dialable("inner.example", 80, [LOOPBACK])


@pytest.mark.parametrize(
    ("entry", "host", "port"),
    [
        ("intranet.example", "intranet.example", 80),
        ("intranet.example", "intranet.example", 443),
        ("Intranet.Example:8080", "intranet.example", 8080),
        ("10.0.0.5:9200", "10.0.0.5", 9200),
        ("[::1]:8080", "::1", 8080),
        ("::1", "::1", 80),
    ],
)
def test_a_host_the_operator_names_may_be_private(
    entry: str, host: str, port: int, tmp_path: Path
) -> None:
    policy = make_web_policy(Settings(home=tmp_path, web_allow_hosts=(entry,)))
    assert policy.dialable(host, port, [LOOPBACK]) == [LOOPBACK]


def test_a_named_host_opens_neither_other_ports_nor_other_names(tmp_path: Path) -> None:
    policy = make_web_policy(Settings(home=tmp_path, web_allow_hosts=("inner.example:8080",)))
    for host, port in (("inner.example", 80), ("x.inner.example", 8080), ("127.0.0.1", 8080)):
        with pytest.raises(ToolExecutionError):
            policy.dialable(host, port, [LOOPBACK])


@pytest.mark.parametrize("entry", ["", "http://inner", "a/b", "user@inner", "inner:port", "a b"])
def test_an_entry_that_is_no_host_is_named(entry: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="web_allow_hosts"):
        make_web_policy(Settings(home=tmp_path, web_allow_hosts=(entry,)))


def test_the_operators_searxng_may_be_private(tmp_path: Path) -> None:
    policy = make_web_policy(Settings(home=tmp_path, searxng_url="http://localhost:8888/"))
    assert policy.dialable("localhost", 8888, [LOOPBACK]) == [LOOPBACK]


def test_a_projects_env_file_cannot_open_the_private_network(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "DATAAGENT_SEARXNG_URL=http://169.254.169.254/\nDATAAGENT_WEB_ALLOW_HOSTS=127.0.0.1\n"
    )
    settings = Settings.load({"DATAAGENT_HOME": str(tmp_path)}, tmp_path)
    assert make_web_policy(settings) == WebPolicy()
