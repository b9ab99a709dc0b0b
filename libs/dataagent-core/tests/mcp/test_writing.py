"""`mcp.json` is written whole, for its owner alone, and reads back as it was."""

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from mcp_configs import configs

from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.mcp import MCPConfig, MCPServerConfig
from dataagent_core.mcp.config import OAuthSettings

FS = MCPServerConfig(name="fs", command="uvx", args=["x"], env={"KEY": "secret"})


@given(config=configs)
def test_what_is_written_reads_back_as_it_was(
    config: MCPConfig, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("mcp") / "mcp.json"
    config.to_file(path)
    assert MCPConfig.from_file(path) == config


def test_the_file_is_s0s_list_and_its_owners_alone(tmp_path: Path):
    path = tmp_path / "agents" / "default" / "mcp.json"
    MCPConfig(servers=[FS]).to_file(path)
    assert json.loads(path.read_text()) == {
        "servers": [
            {
                "name": "fs",
                "command": "uvx",
                "args": ["x"],
                "env": {"KEY": "secret"},
                "disabled": False,
                "timeout": 30,
            }
        ]
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["mcp.json"]


def test_an_empty_oauth_is_kept_apart_from_none(tmp_path: Path):
    path = tmp_path / "mcp.json"
    server = MCPServerConfig(name="a", transport="http", url="https://a.org", oauth=OAuthSettings())
    MCPConfig(servers=[server]).to_file(path)
    assert MCPConfig.from_file(path).servers == [server]


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path):
    path = tmp_path / "mcp.json"
    MCPConfig(servers=[FS]).to_file(path)
    before = path.read_bytes()
    for wrong in ([FS, FS], [MCPServerConfig(name="x")]):
        with pytest.raises(ValidationError):
            MCPConfig(servers=wrong).to_file(path)
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match=r"mcp\.json cannot be written"):
        MCPConfig(servers=[FS]).to_file(tmp_path / "file" / "mcp.json")


def test_a_link_stays_a_link(tmp_path: Path):
    kept, link = tmp_path / "dotfiles.json", tmp_path / "mcp.json"
    kept.write_text("{}")
    link.symlink_to(kept)
    MCPConfig(servers=[FS]).to_file(link)
    assert link.is_symlink()
    assert MCPConfig.from_file(kept).servers == [FS]
