"""`${VAR}` is filled in at the start, everywhere it may stand, and never stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_configs import servers

from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.mcp import MCPServerConfig
from dataagent_core.mcp.config import OAuthSettings
from dataagent_core.mcp.configuration.variables import expand_variables, is_variable, variables_of


@pytest.mark.requirement("S2-10.4-variables")
def test_variables_are_filled_in_wherever_they_may_stand():
    program = MCPServerConfig(
        name="p",
        command="${BIN}/run",
        args=["--key=${KEY}", "${LEVEL:-info}"],
        env={"TOKEN": "${KEY}"},
        read_paths=["${BIN}/data"],
    )
    filled = expand_variables(program, {"BIN": "/opt", "KEY": "k"})
    assert filled.command == "/opt/run"
    assert filled.args == ["--key=k", "info"]
    assert filled.env == {"TOKEN": "k"}
    assert filled.read_paths == ["/opt/data"]
    assert program.env == {"TOKEN": "${KEY}"}
    address = MCPServerConfig(
        name="a",
        transport="http",
        url="${BASE}/mcp",
        headers={"Authorization": "Bearer ${KEY}"},
        oauth=OAuthSettings(client_id="${ID}", client_secret="${KEY}", scopes=("${KEY}:read",)),
    )
    filled = expand_variables(address, {"BASE": "https://a.org", "KEY": "k", "ID": "i"})
    assert filled.url == "https://a.org/mcp"
    assert filled.headers == {"Authorization": "Bearer k"}
    assert filled.oauth == OAuthSettings(client_id="i", client_secret="k", scopes=("k:read",))
    assert variables_of(program) == ["BIN", "KEY", "LEVEL"]
    assert variables_of(address) == ["BASE", "KEY", "ID"]


def test_a_default_stands_in_for_an_unset_or_empty_variable_as_in_a_shell():
    server = MCPServerConfig(name="p", command="a", args=["${A:-x}", "${A:-}", "${B:-x}", "${B}"])
    assert expand_variables(server, {"B": ""}).args == ["x", "", "x", ""]
    assert expand_variables(server, {"A": "1", "B": "2"}).args == ["1", "1", "2", "2"]


@pytest.mark.parametrize(
    ("server", "field"),
    [
        (MCPServerConfig(name="srv", command="${NO_SUCH}"), "'command'"),
        (MCPServerConfig(name="srv", command="a", args=["${NO_SUCH}"]), "'args'"),
        (MCPServerConfig(name="srv", command="a", env={"K": "${NO_SUCH}"}), "'env.K'"),
        (MCPServerConfig(name="srv", transport="http", url="${NO_SUCH}"), "'url'"),
    ],
)
def test_a_missing_variable_is_named_with_its_server_and_field(server: MCPServerConfig, field: str):
    with pytest.raises(ConfigurationError) as caught:
        expand_variables(server, {})
    told = str(caught.value)
    assert all(part in told for part in ("'srv'", field, "NO_SUCH", "Set it"))


def test_the_value_of_a_variable_is_not_looked_into():
    server = MCPServerConfig(name="p", command="a", args=["${A}"])
    assert expand_variables(server, {"A": "${B}", "B": "b"}).args == ["${B}"]


@pytest.mark.parametrize(
    "text", ["${input:key}", "${x%%.*}", "$HOME", "${}", "${1}", "$${A", "${A"]
)
def test_what_is_no_variable_of_ours_stays_as_it_is(text: str):
    server = MCPServerConfig(name="p", command="a", args=[text])
    assert expand_variables(server, {"A": "1", "HOME": "/h"}).args == [text]


@pytest.mark.parametrize("value", ["file:///etc", "https://", "https://a b", "x\x00"])
def test_what_a_variable_makes_of_a_server_is_checked_again(value: str):
    server = MCPServerConfig(name="p", transport="http", url="${URL}")
    with pytest.raises(ValidationError, match="with its variables filled in: the server 'p'"):
        expand_variables(server, {"URL": value})


@given(server=servers, value=st.text("ab/", max_size=5))
def test_every_variable_that_is_listed_is_enough_to_start(
    server: MCPServerConfig, value: str
) -> None:
    given_ = dict.fromkeys(variables_of(server), value)
    filled = expand_variables(server, given_)
    assert filled.name == server.name
    assert not is_variable(filled.url)


def test_only_a_whole_variable_may_be_shown():
    assert is_variable("${TOKEN}")
    assert not any(map(is_variable, ["", "x${TOKEN}", "${TOKEN:-secret}", "${A}${B}", "secret"]))
