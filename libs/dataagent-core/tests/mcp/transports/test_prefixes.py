"""What of the host is shown for a program, and that real ones start with it."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from mcp import Client
from mcp_programs import ANA, SMALL_SERVER, called, opener, small

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.transports.program.program_files import (
    ProgramFiles,
    ProgramFileTracer,
    script_folders,
)


def needed(program: Path, home: Path) -> ProgramFiles:
    tracer = ProgramFileTracer({"PATH": "/usr/bin:/bin", "HOME": str(home)}, [home / ".dataagent"])
    tracer.program(str(program))
    return tracer.needed


def executable(path: Path, text: str = "\x7fELF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_what_lies_in_the_base_needs_nothing(tmp_path: Path):
    assert needed(Path("/usr/bin/env"), tmp_path).shown == {}


def test_a_program_in_a_bin_folder_comes_with_its_prefix(tmp_path: Path):
    java = executable(tmp_path / "opt" / "jdk" / "bin" / "java")
    assert set(needed(java, tmp_path).shown) == {str(tmp_path / "opt" / "jdk")}


def test_a_persons_own_bin_shows_the_program_alone(tmp_path: Path):
    for folder in (tmp_path / ".local" / "bin", tmp_path / "bin"):
        tool = executable(folder / "tool")
        assert set(needed(tool, tmp_path).shown) == {str(tool)}


def test_uvx_comes_with_the_uv_beside_it(tmp_path: Path):
    uvx = executable(tmp_path / ".local" / "bin" / "uvx")
    uv = executable(tmp_path / ".local" / "bin" / "uv")
    assert set(needed(uvx, tmp_path).shown) == {str(uv), str(uvx)}


def test_links_are_followed_to_what_they_lead_to(tmp_path: Path):
    """As npm and uv do it: a link in a person's bin into a prefix of its own."""
    real = executable(tmp_path / "tools" / "one" / "bin" / "tool")
    link = tmp_path / ".local" / "bin" / "tool"
    link.parent.mkdir(parents=True)
    link.symlink_to("../../tools/one/bin/tool")
    assert set(needed(link, tmp_path).shown) == {
        str(link),
        str(real),
        str(tmp_path / "tools" / "one"),
    }


def test_a_script_comes_with_its_interpreter(tmp_path: Path):
    python = executable(tmp_path / "py" / "bin" / "python3")
    script = executable(tmp_path / "somewhere" / "server", f"#!{python}\n")
    assert str(tmp_path / "py") in needed(script, tmp_path).shown


def test_a_program_of_node_modules_comes_with_all_of_them(tmp_path: Path):
    modules = tmp_path / "project" / "node_modules"
    executable(modules / "server" / "dist" / "index.js", "#!/usr/bin/env node\n")
    (modules / ".bin").mkdir()
    (modules / ".bin" / "server").symlink_to("../server/dist/index.js")
    assert set(needed(modules / ".bin" / "server", tmp_path).shown) == {str(modules)}


def test_a_script_among_the_arguments_comes_with_its_project(tmp_path: Path):
    script = executable(tmp_path / "project" / "build" / "index.js")
    (tmp_path / "project" / "package.json").write_text("{}")
    assert script_folders(str(script)) == [str(tmp_path / "project"), str(script)]
    assert script_folders(str(tmp_path / "missing.js")) == []
    assert script_folders("index.js") == []


async def test_a_script_shows_no_more_of_its_project_than_its_place_allows(tmp_path: Path):
    """The project would be a folder with other people's files in it."""
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.txt").write_text("SECRET")
    script = executable(tmp_path / "mine" / "server.py", Path(SMALL_SERVER).read_text())
    config = small(command="/usr/bin/python3", args=[str(script)])
    rooted = opener(tmp_path / "homes", path_roots=(tmp_path / "mine",))
    async with Client(rooted(ANA, config)) as client:
        seen = await called(client, "read", path=str(tmp_path / "other" / "secret.txt"))
    assert "No such file" in seen


async def test_where_people_write_files_only_the_hosts_own_programs_are_traced(tmp_path: Path):
    """Theirs could be a link to anything, which would then be shown."""
    secret = executable(tmp_path / "secret" / "bin" / "tool")
    mine = tmp_path / "mine" / "tool"
    mine.parent.mkdir()
    mine.symlink_to(secret)
    rooted = opener(tmp_path / "homes", path_roots=(tmp_path / "mine",))
    with pytest.raises(MCPServerError, match="not a program of this machine's PATH"):
        async with Client(rooted(ANA, small(command=str(mine)))):
            pass


async def test_a_home_whose_program_made_links_of_it_is_left_alone(tmp_path: Path):
    """Making its folders again would make them wherever the links lead."""
    outside = tmp_path / "outside"
    outside.mkdir()
    open_one = opener(tmp_path / "homes")
    async with Client(open_one(ANA, small())) as client:
        assert await called(client, "echo", text="x") == "x"
    (home,) = (tmp_path / "homes").iterdir()
    shutil.rmtree(home / "server-home" / ".local")
    (home / "server-home" / ".local").symlink_to(outside)
    async with Client(open_one(ANA, small())) as client:
        assert await called(client, "echo", text="x") == "x"
    assert list(outside.iterdir()) == []


def test_links_in_a_circle_end(tmp_path: Path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    tracer = ProgramFileTracer({"PATH": "/usr/bin", "HOME": str(tmp_path)}, [])
    tracer.program(str(tmp_path / "a"))
    assert len(tracer.needed.shown) <= 2


async def test_a_server_of_a_venv_starts_with_its_base_python(tmp_path: Path):
    """The venv is new, and its Python is a link to the one that runs us."""
    venv.create(tmp_path / "env", symlinks=True, with_pip=False)
    python = tmp_path / "env" / "bin" / "python3"
    server = executable(
        tmp_path / "env" / "bin" / "my-server",
        f"#!{python}\nimport runpy, sys\nassert sys.prefix != sys.base_prefix\n"
        f"runpy.run_path({SMALL_SERVER!r}, run_name='__main__')\n",
    )
    config = small(command=str(server), args=[], read_paths=[SMALL_SERVER])
    async with Client(opener(tmp_path / "homes")(ANA, config)) as client:
        assert await called(client, "echo", text="from a venv") == "from a venv"
    assert Path(sys.base_prefix).is_dir()


async def test_a_node_program_starts(tmp_path: Path):
    """Node itself: its threads and its heap fit into the limits."""
    probe = subprocess.run(["node", "--version"], capture_output=True, check=False)  # noqa: ASYNC221
    assert probe.returncode == 0, "the tests need Node"
    script = executable(tmp_path / "project" / "server.js", _NODE_SERVER)
    config = small(command="node", args=[str(script)])
    async with Client(opener(tmp_path / "homes")(ANA, config)) as client:
        assert await called(client, "any") == "from node"


_NODE_SERVER = """
const lines = require("node:readline").createInterface({ input: process.stdin });
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
lines.on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize")
    answer(id, {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "node", version: "1" },
    });
  else if (method === "tools/call")
    answer(id, { content: [{ type: "text", text: "from node" }] });
  else if (method === "tools/list") answer(id, { tools: [] });
  else if (id !== undefined)
    console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
});
"""
