"""Which URLs may carry a secret, and which may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ConfigurationError
from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings
from dataagent_core.mcp.oauth import FileTokenStore, auth_for, client_document, client_document_url
from dataagent_core.mcp.oauth.addresses import is_loopback, may_carry_secrets, origin
from dataagent_core.mcp.oauth.server_words import clean_words, scopes
from dataagent_core.mcp.owner import Owner

OUT_THERE = "https://mcp.example/mcp"
HERE = "http://127.0.0.1:8000/mcp"
OURS = [
    "http://127.0.0.1:1/",
    "http://localhost/x",
    "http://[::1]:9/",
    "https://127.9.9.9/",
    "http://a.localhost./",
]


@pytest.mark.parametrize("url", OURS)
def test_our_own_machine_is_only_for_servers_on_it(url: str):
    assert is_loopback(url)
    assert may_carry_secrets(url, near=HERE)
    assert not may_carry_secrets(url, near=OUT_THERE)


@pytest.mark.parametrize(
    "url",
    [
        "http://as.example/",
        "ws://127.0.0.1/",
        "javascript:alert(1)",
        "https://user@as.example/",
        "https://as.example/#x",
        "https://as.example:99999/",
        "https://as.example/a b",
        "https://as.example/\nx",
        "https://[::1",
        "https://" + "a" * 5000,
        "https:///x",
        "data:text/html,x",
        "",
    ],
)
def test_everything_else_needs_https_and_nothing_hidden(url: str):
    assert not may_carry_secrets(url, near=HERE)


@given(st.text(max_size=60))
def test_no_text_breaks_the_check_and_what_passes_is_a_web_address(text: str):
    if may_carry_secrets(text, near=HERE):
        assert origin(text) is not None


def test_origins_are_compared_as_browsers_do():
    assert origin("https://A.example/x") == origin("https://a.example:443/y")
    assert origin("https://a.example") != origin("http://a.example")
    assert origin("https://a.example") != origin("https://a.example:444")
    assert origin("nonsense") is None


@given(st.text())
def test_what_a_server_said_is_one_short_harmless_line(text: str):
    assert clean_words(text).isprintable()
    assert len(clean_words(text)) <= 303


@given(st.lists(st.text(), max_size=5))
def test_scopes_are_joined_once_each_and_can_go_into_a_url(texts: list[str]):
    joined = scopes(*texts)
    assert joined.isascii()
    assert len(joined) <= 2_000
    assert len(set(joined.split())) == len(joined.split())
    assert scopes(joined, *texts) == joined


def test_the_client_document_names_itself_and_the_way_back():
    document = client_document("https://dataagent.example/")
    assert document["client_id"] == "https://dataagent.example/api/v1/mcp/oauth/client.json"
    assert document["redirect_uris"] == ["https://dataagent.example/api/v1/mcp/oauth/callback"]
    assert document["token_endpoint_auth_method"] == "none"


def test_without_https_there_is_no_client_document():
    assert client_document_url("http://127.0.0.1:8000") == ""
    with pytest.raises(ConfigurationError, match="DATAAGENT_PUBLIC_URL"):
        client_document("http://127.0.0.1:8000")


@pytest.mark.parametrize(
    ("config", "ours"),
    [
        (MCPServerConfig(name="n", transport="http", url=OUT_THERE), True),
        (MCPServerConfig(name="n", transport="sse", url=OUT_THERE), True),
        (MCPServerConfig(name="n", transport="ws", url="wss://mcp.example"), False),
        (MCPServerConfig(name="n", command="server"), False),
        (
            MCPServerConfig(
                name="n", transport="http", url=OUT_THERE, headers={"authorization": "Bearer x"}
            ),
            False,
        ),
        (MCPServerConfig(name="n", transport="http", url="https://u:p@mcp.example"), False),
        (
            MCPServerConfig(
                name="n",
                transport="http",
                url=OUT_THERE,
                headers={"Authorization": "x"},
                oauth=OAuthSettings(),
            ),
            True,
        ),
    ],
)
def test_we_sign_what_is_not_settled_otherwise(
    store: FileTokenStore, config: MCPServerConfig, ours: bool
):
    assert (auth_for(store)(Owner("t", "u"), config) is not None) == ours
