"""Which paths of the machine a server may be shown."""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.mcp.transports.program.start_program import open_bind, open_declared_binds


@pytest.fixture
def place(tmp_path: Path) -> ProgramPolicy:
    (tmp_path / "data" / "inner").mkdir(parents=True)
    (tmp_path / "home" / ".dataagent").mkdir(parents=True)
    return ProgramPolicy(folder=tmp_path / "servers", kept_away=(tmp_path / "home" / ".dataagent",))


def binds(place: ProgramPolicy, *paths: str | Path) -> list[str]:
    config = MCPServerConfig(name="one", command="x", read_paths=[str(path) for path in paths])
    with ExitStack() as held:
        return [bind.dest for bind in open_declared_binds(config, place, held)]


def test_a_folder_and_a_file_are_shown_where_they_are(place: ProgramPolicy, tmp_path: Path):
    (tmp_path / "data" / "a.txt").write_text("x")
    wanted = [str(tmp_path / "data"), str(tmp_path / "data" / "a.txt")]
    assert binds(place, *wanted) == wanted


@pytest.mark.parametrize(
    "path", ["/", "/proc", "/proc/self", "/sys", "/dev", "/dev/shm", "/etc", "/etc/shadow", "data"]
)
def test_what_leads_to_everything_is_refused(path: str, place: ProgramPolicy):
    with pytest.raises(MCPServerError, match="may not have the path"):
        binds(place, path)


@pytest.mark.parametrize("path", ["home/.dataagent", "home", "", "home/.dataagent/x", "servers"])
def test_our_own_folders_and_what_is_above_them_are_refused(
    path: str, place: ProgramPolicy, tmp_path: Path
):
    with pytest.raises(MCPServerError, match="which no server is shown"):
        binds(place, tmp_path / path)


def test_a_link_is_judged_by_where_it_leads(place: ProgramPolicy, tmp_path: Path):
    (tmp_path / "data" / "link").symlink_to(tmp_path / "home" / ".dataagent")
    with pytest.raises(MCPServerError, match="which no server is shown"):
        binds(place, tmp_path / "data" / "link")
    with pytest.raises(MCPServerError, match="which no server is shown"):
        binds(place, f"{tmp_path}/data/../home")


def test_where_there_are_roots_only_what_lies_in_them_is_shown(
    place: ProgramPolicy, tmp_path: Path
):
    rooted = ProgramPolicy(folder=place.folder, path_roots=(tmp_path / "data",))
    (tmp_path / "data" / "out").symlink_to(tmp_path / "home")
    assert binds(rooted, tmp_path / "data" / "inner") == [str(tmp_path / "data" / "inner")]
    for path in (tmp_path / "home", tmp_path / "data" / "out", tmp_path / "data2"):
        with pytest.raises(MCPServerError, match="only paths in"):
            binds(rooted, path)


def test_what_does_not_exist_or_is_a_socket_is_refused(place: ProgramPolicy, tmp_path: Path):
    os.mkfifo(tmp_path / "data" / "pipe")
    with pytest.raises(MCPServerError, match="No such file"):
        binds(place, tmp_path / "missing")
    with pytest.raises(MCPServerError, match="neither a folder nor a file"):
        binds(place, tmp_path / "data" / "pipe")


def test_what_was_exchanged_after_the_look_is_noticed(tmp_path: Path):
    """A folder on the way becomes a link between the judgement and the opening."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "secret" / "b").mkdir(parents=True)
    judged = os.path.realpath(tmp_path / "a" / "b")
    (tmp_path / "a").rename(tmp_path / "old")
    (tmp_path / "a").symlink_to(tmp_path / "secret")
    with ExitStack() as held, pytest.raises(OSError, match="replaced"):
        open_bind(judged, judged, held)
